//! An evaluation as a person reads it.

use indistinct::Word;
use indistinct::evaluate::distances::Triples;
use indistinct::evaluate::{DiscriminatorName, Evaluation, TableEvaluation};
use std::fmt::Write;

use super::grid;

/// Columns and pairs shown; `--json` has them all.
const SHOWN: usize = 8;

/// The evaluation by `judge` as a person reads it.
pub fn evaluation_text(evaluation: &Evaluation, judge: DiscriminatorName) -> String {
    let mut text = String::new();
    for table in &evaluation.tables {
        one(&mut text, table, judge.word());
    }
    if evaluation.tables.len() > 1 {
        let mean = &evaluation.mean;
        let _ = writeln!(
            text,
            "{} tables, the worst of which is {}; means: pMSE {}, pMAE {}, S_pMSE {}\n",
            evaluation.tables.len(),
            evaluation.verdict.as_ref().map_or("", |verdict| verdict.level.word()),
            number(Some(mean.pmse)),
            number(Some(mean.pmae)),
            number(mean.s_pmse)
        );
    }
    text.push_str("Computed from the private data, without differential privacy: do not publish.\n");
    text
}

fn one(text: &mut String, table: &TableEvaluation, judge: &str) {
    let _ =
        writeln!(text, "{}: {} real rows, {} synthetic rows", table.file, table.n_real, table.n_synthetic);
    if let Some(sentence) = table.sample_sentence(|rows| rows.to_string()) {
        let _ = writeln!(text, "{sentence}");
    }
    let _ = writeln!(text, "verdict: {}. {}", table.verdict.level.word(), table.verdict.level.meaning());
    for reason in &table.verdict.because {
        let _ = writeln!(text, "- {reason}");
    }
    let control = &table.independent_control;
    let mut measures = grid(&["", "synthetic", "shuffled control"], &[0]);
    let mut row = |what: &str, found: Option<f64>, control: Option<f64>| {
        let control = control.map_or_else(String::new, |value| number(Some(value)));
        measures.add_row([what.to_owned(), number(found), control]);
    };
    row(&format!("pMSE ({judge})"), Some(table.pmse), Some(control.pmse));
    let judged = table.judged_rows();
    if judged.real != judged.synthetic {
        row("pMSE, centred for unequal sizes", Some(table.pmse_centred), None);
    }
    row(&format!("pMAE ({judge})"), Some(table.pmae), Some(control.pmae));
    if table.null.kind != "none" {
        row(&format!("S_pMSE ({} null)", table.null.kind), table.s_pmse, None);
    }
    let (second, control_second) = (table.optimal_depth_2.pmse, control.optimal_depth_2.pmse);
    row("pMSE (best tree of depth 2)", Some(second), Some(control_second));
    let (distances, of_control) = (&table.distances, &control.distances);
    row("mean one-way distance", Some(distances.one_way), Some(of_control.one_way));
    if distances.two_way.is_some() {
        row("mean two-way distance", distances.two_way, of_control.two_way);
    }
    if distances.three_way.is_some() {
        row("mean three-way distance", distances.three_way, of_control.three_way);
    }
    let _ = writeln!(text, "{measures}");
    let Triples { of, measured } = distances.triples;
    if measured < of {
        let _ = writeln!(
            text,
            "three-way distance: a fixed random choice of {measured} of {of} triples of columns"
        );
    }
    if let Some(leaves) = table.leaves {
        let _ = writeln!(text, "leaves: {leaves}");
    }
    if let Some(coefficients) = table.coefficients {
        let _ = writeln!(text, "coefficients: {coefficients}");
    }
    if let Some(found) = &table.predict {
        let _ = writeln!(
            text,
            "predicting {}, {} on {} real test rows: {} trained on real rows, {} trained on synthetic rows",
            found.column,
            found.metric.word(),
            found.test_rows,
            number(Some(found.real)),
            number(Some(found.synthetic))
        );
    }
    if let (Some(_), Some(reference)) = (table.s_pmse, table.null.reference) {
        let _ = writeln!(text, "{}", reference.meaning_of_one());
    }
    text.push('\n');

    let mut columns: Vec<_> = table.columns.iter().collect();
    columns.sort_by(|a, b| b.pmse.total_cmp(&a.pmse).then(b.tvd.total_cmp(&a.tvd)));
    let mut easiest = grid(&["easiest columns to tell", "pMSE", "distance"], &[0]);
    for column in columns.iter().take(SHOWN) {
        easiest.add_row([column.name.clone(), number(Some(column.pmse)), number(Some(column.tvd))]);
    }
    let _ = writeln!(text, "{easiest}\n");

    let mut pairs: Vec<_> = table.pairs.iter().collect();
    pairs.sort_by(|a, b| b.tvd.total_cmp(&a.tvd).then(b.pmse.total_cmp(&a.pmse)));
    if !pairs.is_empty() {
        let mut easiest = grid(&["most different pairs", "", "pMSE", "distance"], &[0]);
        for pair in pairs.iter().take(SHOWN) {
            easiest.add_row([
                pair.a.clone(),
                pair.b.clone(),
                number(Some(pair.pmse)),
                number(Some(pair.tvd)),
            ]);
        }
        let _ = writeln!(text, "{easiest}\n");
    }
}

fn number(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value == 0.0 || (1e-4..1e6).contains(&value.abs()) => {
            let decimals =
                if value == 0.0 { 0 } else { (3 - value.abs().log10().floor() as i32).clamp(0, 8) };
            format!("{value:.*}", decimals as usize)
        }
        Some(value) => format!("{value:.3e}"),
    }
}
