//! The page of results: the paper's numbers and ours side by side, and a sentence on every difference.

mod regression;
mod settled;
mod table1;
mod table2;

use crate::intervals::Estimate;
use crate::reproduction::Results;
use crate::simulations::Simulations;

/// Random numbers of resamples are others than those of simulations.
const RESAMPLING: u64 = 0x7265_7361_6d70_6c65;

/// The run that a page reports, as the page describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedRun {
    /// The seed of all simulations.
    pub seed: u64,
    /// Number of simulations.
    pub simulations: Simulations,
    /// The version of the program.
    pub version: String,
    /// The folder of the figures, as seen from the page: empty, or a folder with a slash at its end.
    pub figures: String,
}

/// The page, in Markdown.
pub fn page(results: &Results, reported: &ReportedRun) -> String {
    let mut text = format!(
        "# The paper, reproduced\n\n\
         Snoke and Slavković, *pMSE mechanism: differentially private synthetic data with maximal distributional\n\
         similarity* (2018), simulated again with indistinct {}. This page, its figures and the CSV files beside them are\n\
         written by `indistinct reproduce`; do not edit it. Intervals are 95 %, and speak of simulation error only. All private\n\
         tables are simulated as in the paper: X1 ~ N(2, 10), X2 ~ N(-2.5 + 0.5 x1, 3), standard deviations given,\n\
         n = 5000. Seed {}.\n",
        reported.version, reported.seed
    );
    if results.table1.is_some() && results.table2.is_some() && results.regression.is_some() {
        text += &format!(
            "\nAll of it is one run, `indistinct reproduce all --simulations {} --seed {}`; under every heading is what makes\n\
             that part alone.\n",
            reported.simulations.of_all(),
            reported.seed
        );
    }
    if results.table2.is_some() || results.regression.is_some() {
        text += &format!(
            "\nA claim is *settled* if it has the same answer in 97.5 % of {} resamples of the simulations; where it has not, there are too\n\
             few of them, and the page says so.\n",
            settled::RESAMPLES
        );
    }
    if let Some(table) = &results.table1 {
        text += &table1::section(table, reported);
    }
    if let Some(table) = &results.table2 {
        text += &table2::section(table, reported);
    }
    if let Some(errors) = &results.regression {
        text += &regression::section(errors, reported);
    }
    text
}

/// A Markdown table.
fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let header: Vec<String> = header.iter().map(|&cell| cell.to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    rows.into_iter().fold(line(&header) + &rule, |text, row| text + &line(&row))
}

/// A number with its interval.
fn with_interval(estimate: &Estimate, decimals: usize) -> String {
    let [value, low, high] =
        [estimate.value, estimate.low, estimate.high].map(|number| readable(number, decimals));
    format!("{value} [{low}, {high}]")
}

/// A number with so many decimals, or its order of magnitude where it is huge.
fn readable(number: f64, decimals: usize) -> String {
    if number.abs() < 1000.0 { format!("{number:.decimals$}") } else { format!("{number:.1e}") }
}

/// A method's name, with its number of simulations where it is another than that of the whole table.
fn with_simulations(name: &str, own: u64, usual: u64) -> String {
    if own == usual { name.to_owned() } else { format!("{name} ({own} simulations)") }
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "**no**" }
}
