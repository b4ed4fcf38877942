//! Table 2 on the page.

use super::{Made, table, with_interval, yes};
use crate::methods::{BURN_IN, LONGER, Method, Ours, STEPS};
use crate::paper::{DRAWS, NON_DP, PMSE_MECHANISM, TABLE2_EPSILONS};
use crate::population::ROWS;
use crate::table2::{Cell, Line, Table2};

pub(super) fn section(results: &Table2, made: &Made) -> String {
    let simulations =
        results.lines.first().and_then(|line| line.cells.first()).map_or(0, |cell| cell.simulations);
    let mut text = format!(
        "\n## Table 2: the pMSE of released tables\n\n\
         `indistinct reproduce table2 --simulations {simulations} --seed {}`\n\n\
         Mean pMSE (rpart's classification tree, cp 0.001, at least 5 rows in a leaf, unlimited depth; 0 cannot be told apart,\n\
         0.25 always) with its interval, and the published mean below it. Bounds, where a method needs them, are 4 standard\n\
         deviations, given. A value is the mean over the {DRAWS} tables of a release; the histogram makes one.\n\n",
        made.seed
    );
    let epsilons: Vec<String> = TABLE2_EPSILONS.iter().map(|epsilon| format!("epsilon {epsilon}")).collect();
    let header = |last: &'static str| -> Vec<String> {
        [vec!["method".to_owned()], epsilons.clone(), vec![last.to_owned()]].concat()
    };
    let tabulate = |header: Vec<String>, rows: Vec<Vec<String>>| {
        table(&header.iter().map(String::as_str).collect::<Vec<_>>(), rows)
    };
    text += &tabulate(header("guarantee of a release"), results.lines.iter().flat_map(means).collect());
    text += "\nVariances of the same values:\n\n";
    text += &tabulate(header(""), results.lines.iter().flat_map(variances).collect());
    text += &words(results);
    text += &shown(results);
    text += &format!(
        "\n![Mean pMSE over epsilon]({}table2.svg)\n\n*Figure of table 2.* Lines are ours; dots are the published means.\n",
        made.figures
    );
    text
}

fn means(line: &Line) -> Vec<Vec<String>> {
    let ours = [
        vec![line.method.name()],
        line.cells.iter().map(|cell| with_interval(&cell.mean, 5)).collect(),
        vec![line.method.guarantee().to_owned()],
    ];
    let mut rows = vec![ours.concat()];
    rows.extend(published(line, |mean, _| format!("{mean:.5}")));
    rows
}

fn variances(line: &Line) -> Vec<Vec<String>> {
    let ours = [
        vec![line.method.name()],
        line.cells.iter().map(|cell| format!("{:.2e}", cell.variance)).collect(),
        vec![String::new()],
    ];
    let mut rows = vec![ours.concat()];
    rows.extend(published(line, |_, variance| format!("{variance:.2e}")));
    rows
}

fn published(line: &Line, show: impl Fn(f64, f64) -> String) -> Option<Vec<String>> {
    let cells: Option<Vec<String>> =
        line.cells.iter().map(|cell| cell.paper.map(|(mean, variance)| show(mean, variance))).collect();
    Some([vec!["*published*".to_owned()], cells?, vec![String::new()]].concat())
}

/// A sentence on every difference.
fn words(results: &Table2) -> String {
    let mut text = String::from("\n### Differences, and why\n\n");
    for line in &results.lines {
        if let Some(differences) = differences(line) {
            text += &format!("- **{}**: {} {}\n", line.method.name(), differences, reason(&line.method));
        } else if let Method::Ours(ours) = line.method {
            text += &format!(
                "- **{}**: `indistinct synth --epsilon E --tables {DRAWS}{}`, one private draw.\n",
                line.method.name(),
                ours.flags()
            );
        }
    }
    text += "- The published variances at epsilon 2 repeat those at epsilon 1 in all four columns, which cannot be chance: a slip of\n  \
             copying.\n";
    text += &flatness(&results.longer);
    text
}

/// How the means compare with the published ones.
fn differences(line: &Line) -> Option<String> {
    let ratios: Option<Vec<f64>> =
        line.cells.iter().map(|cell| Some(cell.mean.value / cell.paper?.0)).collect();
    let ratios = ratios?;
    let inside =
        line.cells.iter().filter(|cell| cell.paper.is_some_and(|paper| cell.mean.holds(paper.0))).count();
    let shown =
        |ratios: &[f64]| ratios.iter().map(|ratio| format!("{ratio:.2}")).collect::<Vec<_>>().join(", ");
    let variances: Vec<f64> =
        line.cells.iter().filter_map(|cell| Some(cell.variance / cell.paper?.1)).collect();
    Some(format!(
        "our means are {} times the published ones, of which {inside} of {} lie in our intervals; our variances are {} times \
         the published ones.",
        shown(&ratios),
        ratios.len(),
        shown(&variances)
    ))
}

fn reason(method: &Method) -> String {
    match method {
        Method::NonDp => {
            "Two sequential normal regressions, parameters drawn from their posterior for each of ten tables.".to_owned()
        }
        Method::PmseMechanism { .. } => format!(
            "The paper says neither how long its chains ran nor where they began. Ours: one chain for each simulation, started \
             near the parameters that fit the private table, {BURN_IN} steps to adapt and {STEPS} over which ten states are \
             taken, cp 0.01, sensitivity 1/n, prior variance 100,000, epsilon/10 for each state."
        ),
        Method::NoisyBayes { .. } => {
            "A reconstruction: Laplace noise on sums of products, epsilon/10 for each table, and impossible variances set to \
             nearly zero. The published variances are about what single tables would have, where ours are of means over ten. That floor is what makes it bad; with moments projected to the nearest possible ones (next line of \
             the table) the same noise does better."
                .to_owned()
        }
        Method::SmoothHistogram { .. } => {
            "The published column is what lambda = K/(K + n epsilon) with 50 x 50 cells gives; that is not epsilon-differentially \
             private. The printed formula (next line of the table) is, and hardly depends on epsilon because almost all of \
             its mass is uniform. Why the published values vary more at small epsilons we do not know."
                .to_owned()
        }
        _ => String::new(),
    }
}

/// What the exact target of the paper's mechanism would give.
fn flatness(longer: &Line) -> String {
    let nats = |epsilon: f64| epsilon / f64::from(DRAWS) * ROWS as f64 / 8.0;
    let mut text = format!(
        "- **What the exact target would give.** With sensitivity 1/n and epsilon/10 a draw, the density at the best theta is at most\n  \
         exp(epsilon n / 80) times that at the worst: {} nats at the five epsilons. By a rough estimate the flat prior has 26 to 60 nats\n  \
         more volume far from the truth than near it. At epsilon 0.25 the target therefore has nearly all of its mass in the tails,\n  \
         where the pMSE is near 0.25, and the published mean of {:.3} cannot come from it: only from chains that had not left\n  \
         the neighbourhood of their start. At epsilon 0.5 the estimate leaves it open. Chains {LONGER} times as long, {}\n  \
         simulations:\n\n",
        TABLE2_EPSILONS.map(|epsilon| format!("{:.0}", nats(epsilon))).join(", "),
        PMSE_MECHANISM.means[0],
        longer.cells.first().map_or(0, |cell| cell.simulations),
    );
    let header = ["epsilon", "published", "longer chains"];
    let row = |cell: &Cell| {
        let published = cell.paper.map_or(String::new(), |paper| format!("{:.5}", paper.0));
        vec![cell.epsilon.to_string(), published, with_interval(&cell.mean, 5)]
    };
    text += &table(&header, longer.cells.iter().map(row));
    text
}

/// What this program must show, and whether it does.
fn shown(results: &Table2) -> String {
    let find = |wanted: &dyn Fn(&Method) -> bool| results.lines.iter().find(|line| wanted(&line.method));
    let (Some(ours), Some(non_dp)) =
        (find(&|method| *method == Method::Ours(Ours::Default)), find(&|method| *method == Method::NonDp))
    else {
        return String::new();
    };
    let rivals: Vec<&Line> = results
        .lines
        .iter()
        .filter(|line| line.method.claims_privacy() && !matches!(line.method, Method::Ours(_)))
        .collect();
    let beats = ours.cells.iter().enumerate().all(|(place, ours)| {
        rivals.iter().all(|line| {
            let rival = &line.cells[place];
            ours.mean.high < rival.mean.low && rival.paper.is_none_or(|paper| ours.mean.high < paper.0)
        })
    });
    let (strict, loose) = (&ours.cells[0].mean, PMSE_MECHANISM.means[4]);
    let at_one = TABLE2_EPSILONS.iter().position(|&epsilon| epsilon == 1.0).unwrap_or(0);
    let ratio = ours.cells[at_one].mean.value / non_dp.cells[at_one].mean.value;
    format!(
        "\n### What our certified default shows\n\n{}",
        table(
            &["claim", "holds", "figures"],
            [
                vec![
                    "below every private column, published and rerun, at every epsilon (intervals apart)"
                        .to_owned(),
                    yes(beats).to_owned(),
                    String::new(),
                ],
                vec![
                    format!("mean at epsilon 0.25 below the paper's at epsilon 4 ({loose})"),
                    yes(strict.high < loose).to_owned(),
                    with_interval(strict, 5),
                ],
                vec![
                    "within 10 % of the non-DP column at epsilon 1".to_owned(),
                    yes(ratio <= 1.1).to_owned(),
                    format!(
                        "{:.5} against {:.5} (published {:.5}): {:+.1} %",
                        ours.cells[at_one].mean.value,
                        non_dp.cells[at_one].mean.value,
                        NON_DP.means[at_one],
                        100.0 * (ratio - 1.0)
                    ),
                ],
            ]
        )
    )
}
