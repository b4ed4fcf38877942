//! The tables of `docs/intervals.md`.

use std::collections::BTreeMap;

use indistinct::interval::Of;

use super::coverage::{Line, SETTINGS, Setting};

/// Tables of all settings of which there are releases.
pub(crate) fn tables() -> String {
    let all: Vec<(&Setting, BTreeMap<u64, Vec<Line>>)> = SETTINGS
        .iter()
        .map(|setting| (setting, setting.done()))
        .filter(|(_, done)| !done.is_empty())
        .collect();
    let mut text = "| population | rows | epsilon, delta | releases | population | table | naive |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for (setting, releases) in &all {
        let Setting { population, rows, epsilon, delta } = setting;
        let releases: Vec<Vec<&Line>> = releases.values().map(|lines| lines.iter().collect()).collect();
        let (count, shares) = (releases.len(), shares(&releases));
        text += &format!("| {population} | {rows} | {epsilon}, {delta} | {count} | {shares} |\n");
    }
    for (setting, releases) in &all {
        text += &format!("\n{}\n\n", setting.heading(releases.len()));
        text += "| statistic | population | table | naive | width over real rows' |\n|---|---|---|---|---|\n";
        let mut statistics: BTreeMap<(&str, &str), Vec<Vec<&Line>>> = BTreeMap::new();
        for line in releases.values().flatten() {
            statistics.entry((&line.statistic, &line.term)).or_default().push(vec![line]);
        }
        for ((statistic, term), lines) in statistics {
            let name = format!("`{statistic}` {term}");
            text += &format!("| {} | {} | {} |\n", name.trim_end(), shares(&lines), width(&lines));
        }
    }
    text
}

/// How often intervals held the truth about the population and the table, and naive ones that about the population.
fn shares(releases: &[Vec<&Line>]) -> String {
    [
        Share::of(releases, |line| line.holds(Of::Population)),
        Share::of(releases, |line| line.holds(Of::Table)),
        Share::of(releases, Line::holds_naively),
    ]
    .map(|share| share.text())
    .join(" | ")
}

/// The mean width of intervals over that of somebody who has the real rows, where that is not zero: medians of whole
/// numbers may be the same in all samples.
fn width(releases: &[Vec<&Line>]) -> String {
    let mut sums = [0.0; 2];
    for [ours, real] in releases.iter().flatten().map(|line| line.widths()) {
        sums = [sums[0] + ours, sums[1] + real];
    }
    if sums[1] > 0.0 { format!("{:.1}", sums[0] / sums[1]) } else { "theirs is 0".to_owned() }
}

impl Setting {
    fn heading(&self, releases: usize) -> String {
        let Self { population, rows, epsilon, delta } = self;
        format!("**{population}**, {rows} rows, epsilon {epsilon}, delta {delta}; {releases} releases.")
    }
}

/// A share with its standard error. Numbers of one release depend on each other; releases do not.
struct Share {
    share: f64,
    error: f64,
}

impl Share {
    fn of(releases: &[Vec<&Line>], holds: impl Fn(&Line) -> bool) -> Self {
        let shares: Vec<f64> = releases
            .iter()
            .map(|lines| lines.iter().filter(|line| holds(line)).count() as f64 / lines.len() as f64)
            .collect();
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
        // Two releases more, one that is all right and one that is all wrong: a few that are all right are not sure.
        let more = [&shares[..], &[0.0, 1.0]].concat();
        let (middle, count) = (mean(&more), more.len() as f64);
        let variance = more.iter().map(|one| (one - middle).powi(2)).sum::<f64>() / count;
        Self { share: mean(&shares), error: (variance / count).sqrt() }
    }

    fn text(&self) -> String {
        format!("{:.0} ± {:.0} %", 100.0 * self.share, 100.0 * self.error)
    }
}
