//! The distribution of a column, of one table or of two side by side.

use indistinct::table::{Column, ColumnType, MISSING_CODE, Values};

use super::words::{axis_label, count, number, on_axis, percent, shown, value};
use crate::chart::{Axis, Bar, Chart, Marks, NEUTRAL, Panel, Scale, Series};

/// Bins of a histogram, for one table and for two.
const BINS: usize = 30;
const BINS_OF_TWO: usize = 20;
/// Whole numbers of no wider range have a bar each.
const SEPARATE: f64 = 24.0;
/// Levels that have a bar of their own.
const LEVELS: usize = 9;
/// The longest name beside a bar, in letters.
const LEVEL_NAME: usize = 20;

/// One table's column, and how it is drawn.
pub(super) struct Side<'a> {
    /// In the legend; empty where there is only one.
    pub(super) name: &'static str,
    pub(super) colour: usize,
    pub(super) column: &'a Column,
}

/// The same column of a private table and of a synthetic one.
pub(super) fn both<'a>(real: &'a Column, synthetic: &'a Column) -> [Side<'a>; 2] {
    [
        Side { name: "real", colour: NEUTRAL, column: real },
        Side { name: "synthetic", colour: 0, column: synthetic },
    ]
}

/// A figure of a column, and what it leaves out.
pub(super) struct Distribution {
    pub(super) chart: Chart,
    /// Below the figure: what is missing or beyond its axis.
    pub(super) note: String,
}

/// What is counted.
struct Counted {
    /// Ends of bins, or names of levels.
    places: Places,
    /// For each side, for each place.
    counts: Vec<Vec<u64>>,
    /// For each side, rows that have a value.
    present: Vec<u64>,
    /// For each side, rows beyond the bins.
    beyond: Vec<u64>,
}

enum Places {
    Bins { edges: Vec<f64>, whole: bool },
    Levels(Vec<String>),
}

pub(super) fn distribution(sides: &[Side]) -> Option<Distribution> {
    let first = sides.first()?;
    let counted = if levels(first.column.schema().kind()).is_some() {
        count_levels(sides)
    } else {
        count_numbers(sides)
    };
    Some(Distribution { chart: draw(sides, &counted), note: note(sides, &counted) })
}

/// The spellings of a column's levels, if it has levels.
pub(super) fn levels(kind: &ColumnType) -> Option<Vec<String>> {
    match kind {
        ColumnType::Boolean { when_false, when_true } => Some(vec![when_false.clone(), when_true.clone()]),
        kind => kind.levels().map(|levels| levels.to_vec()),
    }
}

/// Levels of all sides, frequent ones first where they have no order.
fn count_levels(sides: &[Side]) -> Counted {
    let mut names: Vec<String> = Vec::new();
    let mut place = std::collections::HashMap::new();
    let mut counts: Vec<Vec<u64>> = Vec::new();
    for side in sides {
        let spelled = levels(side.column.schema().kind()).unwrap_or_default();
        let own: Vec<usize> = spelled
            .iter()
            .map(|level| {
                *place.entry(level.clone()).or_insert_with(|| {
                    names.push(level.clone());
                    names.len() - 1
                })
            })
            .collect();
        let mut found = vec![0; names.len()];
        if let Values::Code(codes) = side.column.values() {
            for &code in codes.iter().filter(|&&code| code != MISSING_CODE) {
                found[own[code as usize]] += 1;
            }
        }
        counts.push(found);
    }
    for found in &mut counts {
        found.resize(names.len(), 0);
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    if matches!(sides[0].column.schema().kind(), ColumnType::Nominal { .. }) {
        order.sort_by(|&a, &b| counts[0][b].cmp(&counts[0][a]).then_with(|| names[a].cmp(&names[b])));
    }
    let own = if order.len() > LEVELS + 1 { LEVELS } else { order.len() };
    let mut shown: Vec<String> = order[..own].iter().map(|&level| level_name(&names[level])).collect();
    let rest = &order[own..];
    if !rest.is_empty() {
        shown.push(format!("{} other levels", count(rest.len() as u64)));
    }
    let kept = |found: &Vec<u64>| {
        let mut kept: Vec<u64> = order[..own].iter().map(|&level| found[level]).collect();
        if !rest.is_empty() {
            kept.push(rest.iter().map(|&level| found[level]).sum());
        }
        kept
    };
    let present = counts.iter().map(|found| found.iter().sum()).collect();
    let counts = counts.iter().map(kept).collect();
    Counted { places: Places::Levels(shown), counts, present, beyond: vec![0; sides.len()] }
}

/// A level's name that is short enough to stand beside a bar.
pub(super) fn level_name(level: &str) -> String {
    let name = shown(level);
    if name.chars().count() <= LEVEL_NAME {
        return name;
    }
    name.chars().take(LEVEL_NAME - 1).collect::<String>() + "…"
}

fn count_numbers(sides: &[Side]) -> Counted {
    let values: Vec<Vec<f64>> = sides
        .iter()
        .map(|side| side.column.values().to_reals().into_iter().filter(|value| !value.is_nan()).collect())
        .collect();
    let whole = !matches!(sides[0].column.values(), Values::Float(_));
    let most = if sides.len() > 1 { BINS_OF_TWO } else { BINS };
    let edges = edges(values.iter().flatten().copied().collect(), whole, most);
    let (mut counts, mut beyond) = (Vec::new(), Vec::new());
    for values in &values {
        let mut found = vec![0; edges.len().saturating_sub(1)];
        let mut outside = 0;
        for &value in values {
            // The last bin has both its ends.
            let bin = edges.partition_point(|edge| *edge <= value);
            let bin = if edges.last() == Some(&value) { bin - 1 } else { bin };
            match bin.checked_sub(1).and_then(|bin| found.get_mut(bin)) {
                Some(bin) => *bin += 1,
                None => outside += 1,
            }
        }
        counts.push(found);
        beyond.push(outside);
    }
    let present = values.iter().map(|values| values.len() as u64).collect();
    Counted { places: Places::Bins { edges, whole }, counts, present, beyond }
}

/// Ends of bins of equal width over the bulk of the values: far tails would leave nothing to see.
fn edges(mut values: Vec<f64>, whole: bool, most: usize) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let (Some(&least), Some(&largest)) = (values.first(), values.last()) else { return Vec::new() };
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    let (low, high) = (at(0.01), at(0.99));
    let reach = (high - low) / 2.0;
    let (low, high) =
        if reach > 0.0 { (least.max(low - reach), largest.min(high + reach)) } else { (least, largest) };
    if whole && high - low <= SEPARATE {
        let bars = (high - low) as usize + 1;
        return (0..=bars).map(|bar| low - 0.5 + bar as f64).collect();
    }
    if low == high {
        let half = if low == 0.0 { 0.5 } else { low.abs() * 0.05 };
        return vec![low - half, low + half];
    }
    let bins = most.min(((values.len() as f64).sqrt() as usize).max(6));
    if whole {
        let width = ((high - low + 1.0) / bins as f64).ceil();
        let bins = ((high - low + 1.0) / width).ceil() as usize;
        return (0..=bins).map(|bin| low.floor() - 0.5 + bin as f64 * width).collect();
    }
    // Halves, because the whole width may be too large for a number.
    let step = (high / 2.0 - low / 2.0) / bins as f64 * 2.0;
    let mut edges: Vec<f64> = (0..bins).map(|bin| low + step * bin as f64).collect();
    edges.push(high);
    edges.dedup();
    edges
}

fn draw(sides: &[Side], counted: &Counted) -> Chart {
    let kind = sides[0].column.schema().kind();
    let name = shown(sides[0].column.name());
    let series = sides.iter().enumerate().map(|(place, side)| Series {
        name: side.name.to_owned(),
        colour: side.colour,
        marks: Marks::Bars(bars(kind, counted, place, sides)),
    });
    let shares = Axis { label: "share of rows".to_owned(), scale: Scale::Linear };
    let unnamed = |scale| Axis { label: String::new(), scale };
    let (x, y) = match &counted.places {
        Places::Levels(names) => (shares, unnamed(Scale::Categories(names.clone()))),
        Places::Bins { .. } => {
            let label = if axis_label(kind, &name) == name { String::new() } else { "year".to_owned() };
            (Axis { label, scale: Scale::Linear }, shares)
        }
    };
    let panel = Panel { title: String::new(), x, y, series: series.collect(), references: Vec::new() };
    let tables = if sides.len() > 1 { "the real and the synthetic table" } else { "the synthetic table" };
    Chart {
        description: format!("Shares of rows of {tables} by value of the column {name}."),
        title: name,
        panels: vec![panel],
        across: 1,
    }
}

fn bars(kind: &ColumnType, counted: &Counted, place: usize, sides: &[Side]) -> Vec<Bar> {
    let present = counted.present[place].max(1) as f64;
    let who = if sides[place].name.is_empty() { String::new() } else { format!("{}: ", sides[place].name) };
    // Sides stand beside each other.
    let (first, last) = match (place, sides.len()) {
        (_, 1) => (0.0, 1.0),
        // With a gap between bins, so that it is seen which bars belong together.
        (place, many) => {
            (0.07 + 0.86 * place as f64 / many as f64, 0.07 + 0.86 * (place + 1) as f64 / many as f64)
        }
    };
    let bar = |(bin, &rows): (usize, &u64)| {
        let share = rows as f64 / present;
        let (from, to, what) = match &counted.places {
            Places::Levels(names) => (bin as f64 - 0.42, bin as f64 + 0.42, names[bin].clone()),
            Places::Bins { edges, whole } => {
                let (low, high) = (edges[bin], edges[bin + 1]);
                let (from, to) = (on_axis(kind, low), on_axis(kind, high));
                (from, to, interval(kind, low, high, *whole))
            }
        };
        let across = to - from;
        Bar {
            from: from + across * first,
            to: from + across * last,
            value: share,
            hover: format!("{what}\n{who}{} ({} rows)", percent(share), count(rows)),
        }
    };
    counted.counts[place].iter().enumerate().map(bar).collect()
}

/// A bin in words.
fn interval(kind: &ColumnType, low: f64, high: f64, whole: bool) -> String {
    let (first, last) = if whole { ((low + 0.5).round(), (high - 0.5).round()) } else { (low, high) };
    if first == last {
        return value(kind, first);
    }
    format!("{} to {}", value(kind, first), value(kind, last))
}

fn note(sides: &[Side], counted: &Counted) -> String {
    let mut parts = Vec::new();
    let said = |numbers: Vec<String>| {
        if sides.len() == 1 {
            return numbers.concat();
        }
        let named = sides.iter().zip(&numbers).map(|(side, number)| format!("{} {number}", side.name));
        named.collect::<Vec<_>>().join(", ")
    };
    let missing: Vec<u64> = sides.iter().map(|side| side.column.values().missing() as u64).collect();
    if missing.iter().any(|&rows| rows > 0) {
        let shares = sides
            .iter()
            .zip(&missing)
            .map(|(side, &rows)| percent(rows as f64 / side.column.values().len().max(1) as f64));
        parts.push(format!("missing: {}", said(shares.collect())));
    }
    if counted.beyond.iter().any(|&rows| rows > 0) {
        let rows = counted.beyond.iter().map(|&rows| format!("{} rows", count(rows)));
        parts.push(format!("beyond the axis: {}", said(rows.collect())));
    }
    parts.join("; ")
}

/// Numbers that describe a column, as text: what it is, and where its values lie.
pub(super) struct Summary {
    pub(super) kind: &'static str,
    pub(super) missing: String,
    pub(super) values: String,
}

pub(super) fn summary(column: &Column) -> Summary {
    let kind = column.schema().kind();
    let rows = column.values().len().max(1) as f64;
    let missing = percent(column.values().missing() as f64 / rows);
    Summary { kind: kind.word(), missing, values: described(column) }
}

fn described(column: &Column) -> String {
    let kind = column.schema().kind();
    if levels(kind).is_some() {
        let side = Side { name: "", colour: 0, column };
        let counted = count_levels(&[side]);
        let Places::Levels(names) = &counted.places else { return String::new() };
        let present = counted.present[0].max(1) as f64;
        let mut frequent: Vec<(&String, u64)> = names.iter().zip(counted.counts[0].iter().copied()).collect();
        frequent.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let said = frequent.iter().take(3);
        let said: Vec<String> =
            said.map(|(name, rows)| format!("{name} {}", percent(*rows as f64 / present))).collect();
        return said.join(", ");
    }
    let mut values: Vec<f64> =
        column.values().to_reals().into_iter().filter(|value| !value.is_nan()).collect();
    values.sort_unstable_by(f64::total_cmp);
    if values.is_empty() {
        return "no values".to_owned();
    }
    let at = |share: f64| value(kind, values[((values.len() - 1) as f64 * share).round() as usize]);
    let mut text = format!("median {}, middle half {} to {}", at(0.5), at(0.25), at(0.75));
    if matches!(kind, ColumnType::Float | ColumnType::Integer) {
        let n = values.len() as f64;
        let mean = values.iter().map(|value| value / n).sum::<f64>();
        let variance = values.iter().map(|value| (value - mean).powi(2) / (n - 1.0).max(1.0)).sum::<f64>();
        text += &format!(", mean {}, sd {}", number(mean), number(variance.sqrt()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::table::ColumnSchema;

    fn shares(chart: &Chart, series: usize) -> Vec<f64> {
        let Marks::Bars(bars) = &chart.panels[0].series[series].marks else { panic!() };
        bars.iter().map(|bar| bar.value).collect()
    }

    #[test]
    fn whole_numbers_have_a_bar_each() {
        let integers = |values: Vec<i64>| {
            Column::new(ColumnSchema::new("k", ColumnType::Integer), Values::Integer(values))
        };
        let (real, synthetic) = (integers(vec![1, 1, 2, 4]), integers(vec![1, 2, 2, i64::MIN]));
        let found = distribution(&both(&real, &synthetic)).unwrap();
        assert_eq!(shares(&found.chart, 0), [0.5, 0.25, 0.0, 0.25]);
        let synthetic = shares(&found.chart, 1);
        assert!((synthetic[0] - 1.0 / 3.0).abs() < 1e-12 && (synthetic[1] - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(found.note, "missing: real 0\u{2009}%, synthetic 25\u{2009}%");
    }

    #[test]
    fn every_value_is_in_a_bin_or_counted_as_beyond() {
        let mut values: Vec<f64> = (0..1000).map(|k| (f64::from(k) * 0.7).sin() * 10.0).collect();
        values.extend([1e9, -1e9, f64::NAN]);
        let column = Column::float("x", values);
        let counted = count_numbers(&[Side { name: "", colour: 0, column: &column }]);
        assert_eq!(counted.beyond, [2]);
        assert_eq!(counted.counts[0].iter().sum::<u64>() + 2, 1002);
        assert_eq!(counted.present, [1002]);
        let Places::Bins { edges, .. } = &counted.places else { panic!() };
        assert!(edges.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn levels_are_matched_by_spelling_and_rare_ones_are_together() {
        let real = Column::nominal("c", &["b", "a"], vec![0, 1, 1, MISSING_CODE]);
        let synthetic = Column::nominal("c", &["z", "a"], vec![0, 1, 1, 1]);
        let found = distribution(&both(&real, &synthetic)).unwrap();
        assert_eq!(
            found.chart.panels[0].y.scale,
            Scale::Categories(["a", "b", "z"].map(str::to_owned).into())
        );
        assert_eq!(shares(&found.chart, 1), [0.75, 0.0, 0.25]);
        let names: Vec<String> = (0..40).map(|level| format!("level {level}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let many = Column::nominal("c", &names, (0..40).collect());
        let found = distribution(&[Side { name: "", colour: 0, column: &many }]).unwrap();
        let found = shares(&found.chart, 0);
        assert_eq!(found.len(), LEVELS + 1);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn odd_columns_have_figures_too() {
        for column in [
            Column::float("x", vec![]),
            Column::float("x", vec![f64::NAN; 3]),
            Column::float("x", vec![7.0; 3]),
            Column::float("x", vec![f64::MAX, -f64::MAX, 0.0]),
            Column::float("x", vec![0.0, 5e-324]),
            Column::nominal("x", &["a"], vec![MISSING_CODE; 2]),
        ] {
            let found = distribution(&[Side { name: "", colour: 0, column: &column }]).unwrap();
            let svg = found.chart.to_inline_svg(340.0, 150.0);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(!summary(&column).values.contains("NaN"));
        }
    }

    #[test]
    fn summaries_are_those_of_the_values() {
        let text = summary(&Column::float("x", vec![1.0, 2.0, 3.0, 4.0, f64::NAN]));
        // mean(1:4), sd(1:4)
        assert!(text.values.ends_with("mean 2.5, sd 1.291"), "{}", text.values);
        assert_eq!(text.missing, "20\u{2009}%");
        let text = summary(&Column::nominal("c", &["b", "a"], vec![0, 1, 1, 1]));
        assert_eq!(text.values, "a 75\u{2009}%, b 25\u{2009}%");
    }
}
