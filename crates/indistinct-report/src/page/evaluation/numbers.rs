//! The numbers of an evaluation and their meaning.

use indistinct::evaluate::distances::{MeanDistances, Triples};
use indistinct::evaluate::predict::{Metric, Prediction};
use indistinct::quality::null::Reference;
use serde::Serialize;

use crate::page::words::{count, number, optional, percent, shown, three};
use indistinct::evaluate::TableEvaluation;

/// A headline number: its place between the least and the largest possible, and its meaning.
#[derive(Serialize)]
pub(super) struct Card {
    name: &'static str,
    value: String,
    words: String,
    /// The place in percent of the scale, with that of the control.
    meter: Option<(f64, Option<f64>)>,
    scale: &'static str,
}

pub(super) fn cards(found: &TableEvaluation) -> Vec<Card> {
    let control = &found.independent_control;
    let on = |value: f64, most: f64| (value / most * 100.0).clamp(0.0, 100.0);
    let (trees, of_control) = (&found.resampled, &control.resampled);
    let mut cards = vec![
        Card {
            name: "Rows told apart",
            value: percent(trees.told_apart),
            words: format!(
                "Of rows that they have not seen, trees assign this share to the right table; guessing has 50\u{2009}%. The median of {} \
                 trees, each grown on {} rows of each table. The shuffled control has {}.",
                trees.trees,
                count(trees.rows as u64),
                percent(of_control.told_apart)
            ),
            meter: Some((on(trees.told_apart - 0.5, 0.5), Some(on(of_control.told_apart - 0.5, 0.5)))),
            scale: "50\u{2009}% to 100\u{2009}%",
        },
        Card {
            name: "pMSE of the discriminator",
            value: three(found.pmse),
            words: format!(
                "Mean squared distance of the propensity scores from 1/2. 0: the classifier cannot tell the tables apart; \
                 1/4: it always can. The shuffled control has {}.",
                number(control.pmse)
            ),
            meter: Some((on(found.pmse, 0.25), Some(on(control.pmse, 0.25)))),
            scale: "0 to 1/4",
        },
        Card {
            name: "pMAE of the discriminator",
            value: three(found.pmae),
            words: format!(
                "Mean absolute distance of the propensity scores from 1/2. Guessing which table a row is from, the classifier \
                 is right for {} of the rows. The shuffled control has {}.",
                percent(0.5 + found.pmae),
                number(control.pmae)
            ),
            meter: Some((on(found.pmae, 0.5), Some(on(control.pmae, 0.5)))),
            scale: "0 to 1/2",
        },
    ];
    cards.push(Card {
        name: "S_pMSE",
        value: found.s_pmse.map_or_else(|| "–".to_owned(), three),
        words: s_pmse_words(found),
        meter: None,
        scale: "1 is as expected",
    });
    let second = found.optimal_depth_2.pmse;
    cards.push(Card {
        name: "pMSE of the best tree of depth 2",
        value: three(second),
        words: format!(
            "A second opinion that sees lost dependence, to which greedy trees are nearly blind. The shuffled control has {}.",
            number(control.optimal_depth_2.pmse)
        ),
        meter: Some((on(second, 0.25), Some(on(control.optimal_depth_2.pmse, 0.25)))),
        scale: "0 to 1/4",
    });
    let (distances, of_control) = (&found.distances, &control.distances);
    for (name, what, distance, of_control) in [
        (
            "Mean two-way distance",
            "two columns, mean over all pairs.".to_owned(),
            distances.two_way,
            of_control.two_way,
        ),
        ("Mean three-way distance", three_columns(distances), distances.three_way, of_control.three_way),
    ] {
        let (Some(distance), Some(of_control)) = (distance, of_control) else { continue };
        cards.push(Card {
            name,
            value: three(distance),
            words: format!(
                "Total variation distance between the joint distributions of {what} The shuffled control has {}.",
                number(of_control)
            ),
            meter: Some((on(distance, 1.0), Some(on(of_control, 1.0)))),
            scale: "0 to 1",
        });
    }
    cards.extend(found.predict.as_ref().map(predict_card));
    cards
}

/// The card of a prediction by a model of the synthetic rows.
fn predict_card(found: &Prediction) -> Card {
    let (what, scale) = match found.metric {
        Metric::Accuracy => ("Share of rows whose class is predicted", "accuracy, 0 to 1"),
        Metric::R2 => ("Share of the variation that is predicted", "R2, at most 1"),
    };
    Card {
        name: "Prediction",
        value: three(found.synthetic),
        words: format!(
            "{what}: column {}, by a forest that was trained on synthetic rows and tested on {} real ones. Trained on other real \
             rows it has {}.",
            shown(&found.column),
            count(found.test_rows as u64),
            number(found.real)
        ),
        meter: None,
        scale,
    }
}

/// The triples of columns in the mean, in words.
fn three_columns(distances: &MeanDistances) -> String {
    let Triples { of, measured } = distances.triples;
    if measured == of {
        "three columns, mean over all triples.".to_owned()
    } else {
        format!(
            "three columns, mean over a fixed random choice of {} of {} triples.",
            count(measured),
            count(of)
        )
    }
}

fn s_pmse_words(found: &TableEvaluation) -> String {
    let Some(ratio) = found.s_pmse else {
        return "There is no null distribution to compare with.".to_owned();
    };
    let meaning = found.null.reference.map_or("", Reference::meaning_of_one);
    format!("The centred pMSE is {} times its expectation under the null. {meaning}", number(ratio))
}

pub(super) fn measures(found: &TableEvaluation) -> Vec<Vec<String>> {
    let control = &found.independent_control;
    let row = |what: &str, value: Option<f64>, control: Option<f64>| {
        vec![what.to_owned(), optional(value), control.map_or_else(String::new, number)]
    };
    let (trees, of_control) = (&found.resampled, &control.resampled);
    let mut rows = vec![
        row(
            "share of rows told apart, median of resampled trees",
            Some(trees.told_apart),
            Some(of_control.told_apart),
        ),
        row("pMSE beyond chance, median of resampled trees", Some(trees.pmse), Some(of_control.pmse)),
        row("S_pMSE, median of resampled trees", Some(trees.s_pmse), Some(of_control.s_pmse)),
        row("pMSE", Some(found.pmse), Some(control.pmse)),
        row("pMAE", Some(found.pmae), Some(control.pmae)),
        row("pMSE, centred at the share of synthetic rows", Some(found.pmse_centred), None),
        row("expected under the null (null mean)", found.null.mean, None),
        row("standard deviation of the null", found.null.sd, None),
        row("S_pMSE: centred pMSE over the null mean", found.s_pmse, None),
        row("standard deviations above the null mean", found.null.z, None),
        row(
            "pMSE of the best tree of depth 2",
            Some(found.optimal_depth_2.pmse),
            Some(control.optimal_depth_2.pmse),
        ),
        row("mean one-way distance", Some(found.distances.one_way), Some(control.distances.one_way)),
        row("mean two-way distance", found.distances.two_way, control.distances.two_way),
        row(
            "mean one-way distance that chance explains",
            Some(found.distances.chance.one_way),
            Some(control.distances.chance.one_way),
        ),
        row(
            "mean two-way distance that chance explains",
            found.distances.chance.two_way,
            control.distances.chance.two_way,
        ),
        row("mean three-way distance", found.distances.three_way, control.distances.three_way),
    ];
    if let Some(found) = &found.predict {
        let what = format!("{} of predicting {}, trained on", found.metric.word(), shown(&found.column));
        rows.push(row(&format!("{what} synthetic rows"), Some(found.synthetic), None));
        rows.push(row(&format!("{what} real rows"), Some(found.real), None));
    }
    let whole = |value: usize| count(value as u64);
    rows.extend(found.leaves.map(|leaves| vec!["leaves or cells".to_owned(), whole(leaves), String::new()]));
    rows.extend(found.coefficients.map(|k| vec!["coefficients".to_owned(), whole(k), String::new()]));
    rows
}
