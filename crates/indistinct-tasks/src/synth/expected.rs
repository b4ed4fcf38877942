//! What a release of any columns should look like, before anything is spent: tables to choose from, and predicted distances.

use indistinct::mixed::{Choice, MixedPlan, Predicted};
use serde_json::{Value, json};

/// How columns come out where no table of several of them is measured.
pub(super) const INDEPENDENT: &str =
    "columns come out as if they were independent, apart from correlations of ordered columns";

/// What is expected of a release, by public quantities.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected {
    columns: usize,
    choice: Choice,
    predicted: [Predicted; 3],
}

impl Expected {
    pub(super) fn of(plan: &MixedPlan) -> Self {
        Self { columns: plan.columns(), choice: plan.choice(), predicted: plan.predicted() }
    }

    pub(super) fn candidates_as_json(&self) -> Value {
        let Choice { rounds, most_cells, pairs, triples, most_counts } = self.choice;
        json!({
            "rounds": rounds,
            "most_cells": most_cells,
            "pairs": pairs,
            "triples": triples,
            "most_bytes": 8 * most_counts,
        })
    }

    pub(super) fn predicted_as_json(&self) -> Value {
        let one = |predicted: &Predicted| {
            let Predicted { epsilon, one_way, two_way, three_way } = *predicted;
            json!({"epsilon": epsilon.to_f64(), "one_way": one_way, "two_way": two_way, "three_way": three_way})
        };
        self.predicted.iter().map(one).collect()
    }

    /// That no table of several columns will be measured, and why, if so.
    pub(super) fn margins_only(&self) -> Option<String> {
        let because = match self.choice {
            _ if self.columns == 1 || self.choice.measures_tables() => return None,
            Choice { pairs: 0, .. } => "no column may depend on another, as declared",
            _ => "their noise would hide whatever they tell",
        };
        Some(format!("No tables of several columns are measured: {because}; {INDEPENDENT}."))
    }

    /// The tables to choose from in a sentence, and distances in a small table.
    pub(super) fn as_text(&self) -> String {
        let mut text = self.margins_only().or_else(|| self.choice_in_words()).unwrap_or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        let [half, now, double] = &self.predicted;
        let heads = [half, now, double].map(|predicted| format!("epsilon {}", predicted.epsilon));
        text += &line("predicted distance", &heads);
        for (name, of) in WAYS {
            if let (Some(half), Some(now), Some(double)) = (of(half), of(now), of(double)) {
                text += &line(name, &[half, now, double].map(|distance| format!("{distance:.4}")));
            }
        }
        text + "These mean total variation distances are an assumption, fitted on other tables: yours may be half or twice as far \
                off.\n"
    }

    /// None for one column.
    fn choice_in_words(&self) -> Option<String> {
        let Choice { rounds, most_cells, pairs, triples, most_counts } = self.choice;
        let from = match triples {
            _ if self.columns == 1 => return None,
            None => format!(
                "{pairs} pairs of columns, in the second half also among sets of three that measured pairs make up"
            ),
            Some(0) => counted(pairs, "pair"),
            Some(1) => format!("{} and 1 set of three columns", counted(pairs, "pair")),
            Some(triples) => format!("{} and {triples} sets of three columns", counted(pairs, "pair")),
        };
        let megabytes = (8 * most_counts).div_ceil(1 << 20);
        Some(format!(
            "Up to {} of at most {most_cells} cells are chosen privately among {from}; counts to choose by take at most {megabytes} MiB.",
            counted(rounds, "table")
        ))
    }
}

/// A row of the table of distances, and where it is.
type Way = (&'static str, fn(&Predicted) -> Option<f64>);

const WAYS: [Way; 3] = [
    ("one column", |predicted| Some(predicted.one_way)),
    ("two columns", |predicted| predicted.two_way),
    ("three columns", |predicted| predicted.three_way),
];

fn line(name: &str, cells: &[String; 3]) -> String {
    let [half, now, double] = cells;
    format!("{name:<20} {half:>14} {now:>14} {double:>14}\n")
}

/// A number of things, one or several.
fn counted(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}
