//! The expected look of a release of any columns, before anything is spent: tables to choose from, and predicted distances.

use indistinct::margin::RangeOutlook;
use indistinct::mixed::{Look, MixedPlan, Outlook, Predicted, TableChoice};
use indistinct::number::number_of;
use indistinct::privacy::Delta;
use serde_json::{Value, json};

/// The relation of columns where no table of several of them is measured.
pub(super) const INDEPENDENT: &str =
    "columns come out as if they were independent, apart from correlations of ordered columns";

/// Predictions for a release, by public quantities.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected {
    columns: usize,
    choice: TableChoice,
    predicted: [Predicted; 3],
    /// With [`USUAL_DELTA`], where there is none.
    with_delta: Option<Predicted>,
    /// The worst first.
    outlooks: Vec<Outlook>,
}

/// The delta whose worth is shown to those who have none.
const USUAL_DELTA: &str = "1e-6";

impl Expected {
    pub(super) fn of(plan: &MixedPlan) -> Self {
        let usual: Option<Delta> = USUAL_DELTA.parse().ok();
        Self {
            columns: plan.columns(),
            choice: plan.choice(),
            predicted: plan.predicted(),
            with_delta: usual.and_then(|delta| plan.predicted_with(delta)),
            outlooks: plan.outlooks(),
        }
    }

    pub(super) fn candidates_as_json(&self) -> Value {
        let TableChoice { rounds, most_cells, pairs, triples, most_counts } = self.choice;
        json!({
            "rounds": rounds,
            "most_cells": most_cells,
            "pairs": pairs,
            "triples": triples,
            "most_bytes": 8 * most_counts,
        })
    }

    pub(super) fn predicted_as_json(&self) -> Value {
        self.predicted.iter().map(prediction_as_json).collect()
    }

    /// The same with a delta; null where there is one.
    pub(super) fn with_delta_as_json(&self) -> Value {
        self.with_delta.as_ref().map(prediction_as_json).into()
    }

    /// Predictions for every column, the worst first.
    pub(super) fn columns_as_json(&self) -> Value {
        let one = |outlook: &Outlook| {
            json!({
                "column": outlook.column,
                "noise_sd": outlook.noise_sd,
                "moved_by_noise": outlook.moved.min(1.0),
                "share_within": outlook.share,
                "limits": limits(outlook.range),
                "look": look(outlook.look),
                "hopeless": outlook.hopeless().map(|because| because.to_string()),
            })
        };
        self.outlooks.iter().map(one).collect()
    }

    /// Predictions for every column, the worst first.
    pub(super) fn outlooks(&self) -> &[Outlook] {
        &self.outlooks
    }

    /// Words for a release in which no table of several columns will be measured: that it is so, and why.
    pub(super) fn margins_only(&self) -> Option<String> {
        let because = match self.choice {
            _ if self.columns == 1 || self.choice.measures_tables() => return None,
            TableChoice { pairs: 0, .. } => "no column may depend on another, as declared",
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
        let all: Vec<&Predicted> = self.predicted.iter().chain(&self.with_delta).collect();
        let head = |predicted: &&Predicted| match &self.with_delta {
            Some(with) if with == *predicted => format!("with delta {USUAL_DELTA}"),
            _ => format!("epsilon {}", predicted.epsilon),
        };
        text += &line("", all.iter().map(head));
        let points = |predicted: &&Predicted| format!("± {}", percent(predicted.share));
        text += &line("a share, in 95 %", all.iter().map(points));
        text += &line("predicted distance", std::iter::empty());
        for (name, of) in WAYS {
            let distances: Option<Vec<f64>> = all.iter().map(|predicted| of(predicted)).collect();
            if let Some(distances) = distances {
                text += &line(name, distances.iter().map(|distance| format!("{distance:.4}")));
            }
        }
        text + "A share is that of the rows with a value, in the middle one of all columns. Mean total variation distances of two and \
                three columns rest on an assumption, fitted on other tables: yours may be half or twice as far off.\n"
    }

    /// None for one column.
    fn choice_in_words(&self) -> Option<String> {
        let TableChoice { rounds, most_cells, pairs, triples, most_counts } = self.choice;
        let from = match triples {
            _ if self.columns == 1 => return None,
            None => format!(
                "{pairs} pairs of columns, in the second half also among sets of three that measured pairs make up"
            ),
            Some(0) => number_of(pairs, "pair"),
            Some(1) => format!("{} and 1 set of three columns", number_of(pairs, "pair")),
            Some(triples) => format!("{} and {triples} sets of three columns", number_of(pairs, "pair")),
        };
        let megabytes = (8 * most_counts).div_ceil(1 << 20);
        Some(format!(
            "Up to {} of at most {most_cells} cells {} chosen privately among {from}; counts to choose by take at most {megabytes} MiB.",
            number_of(rounds, "table"),
            if rounds == 1 { "is" } else { "are" }
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

fn line(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!(" {cell:>16}")).collect();
    format!("{}\n", format!("{name:<20}{cells}").trim_end())
}

fn prediction_as_json(predicted: &Predicted) -> Value {
    let Predicted { epsilon, delta, share, one_way, two_way, three_way } = *predicted;
    json!({
        "epsilon": epsilon.to_f64(),
        "delta": delta.to_f64(),
        "share_within": share,
        "one_way": one_way,
        "two_way": two_way,
        "three_way": three_way,
    })
}

/// The predicted look of a column, in a word for scripts.
fn look(look: Look) -> &'static str {
    match look {
        Look::Well => "well",
        Look::Coarse => "coarse",
        Look::MostlyNoise => "mostly noise",
        Look::NothingButNoise => "nothing but noise",
    }
}

/// The fate of limits, in words for scripts.
fn limits(range: RangeOutlook) -> &'static str {
    match range {
        RangeOutlook::Known => "known",
        RangeOutlook::Searched(_) => "searched for",
        RangeOutlook::AroundZero => "around zero",
        RangeOutlook::Lost => "not found",
    }
}

/// A part of all rows in per cent, with two digits that count.
pub(super) fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    let digits = if percent >= 10.0 {
        0
    } else if percent >= 1.0 {
        1
    } else {
        2
    };
    format!("{percent:.digits$} %")
}
