//! The distribution of a column, of one table or of two side by side.

mod counted;
mod levels;
mod summary;

pub(super) use levels::{LevelPlaces, levels};
pub(super) use summary::summary;

use indistinct::table::{Column, ColumnType};

use super::words::{axis_label, count, on_axis, percent, shown, value};
use crate::chart::{Axis, Bar, Chart, Marks, NEUTRAL, Panel, Scale, Series};
use counted::{Counted, Places, count_levels, count_numbers};

/// One table's column, and its look.
pub(super) struct Side<'a> {
    /// The name in the legend; empty where there is only one.
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

/// A figure of a column, and a note on what it leaves out.
pub(super) struct Distribution {
    pub(super) chart: Chart,
    /// The note below the figure: rows that are missing or beyond its axis.
    pub(super) note: String,
}

pub(super) fn distribution(sides: &[Side]) -> Option<Distribution> {
    distribution_with(sides, &|_| None)
}

/// The same with error bars of the shares of levels, by the position of the level.
pub(super) fn distribution_with(
    sides: &[Side],
    reach: &dyn Fn(usize) -> Option<[f64; 2]>,
) -> Option<Distribution> {
    let first = sides.first()?;
    let counted = if levels(first.column.schema().kind()).is_some() {
        count_levels(sides)
    } else {
        count_numbers(sides)
    };
    Some(Distribution { chart: draw(sides, &counted, reach), note: note(sides, &counted) })
}

fn draw(sides: &[Side], counted: &Counted, reach: &dyn Fn(usize) -> Option<[f64; 2]>) -> Chart {
    let kind = sides[0].column.schema().kind();
    let name = shown(sides[0].column.name());
    let series = sides.iter().enumerate().map(|(place, side)| Series {
        name: side.name.to_owned(),
        colour: side.colour,
        marks: Marks::Bars(bars(counted, place, sides, reach)),
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

fn bars(
    counted: &Counted,
    place: usize,
    sides: &[Side],
    reach: &dyn Fn(usize) -> Option<[f64; 2]>,
) -> Vec<Bar> {
    let kind = sides[0].column.schema().kind();
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
        // Several levels together have no bar of their own.
        let reach = match counted.members.get(bin).map(Vec::as_slice) {
            Some([level]) => reach(*level),
            _ => None,
        };
        let bar = reach
            .map_or_else(String::new, |[low, high]| format!("\nfrom {} to {}", percent(low), percent(high)));
        Bar {
            from: from + across * first,
            to: from + across * last,
            value: share,
            reach,
            hover: format!("{what}\n{who}{} ({} rows){bar}", percent(share), count(rows)),
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
        let rows = counted.beyond.iter().map(|&rows| count(rows));
        parts.push(format!("rows beyond the axis: {}", said(rows.collect())));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::table::{ColumnSchema, MISSING_CODE, Values};

    fn shares(chart: &Chart, series: usize) -> Vec<f64> {
        let Marks::Bars(bars) = &chart.panels[0].series[series].marks else { panic!() };
        bars.iter().map(|bar| bar.value).collect()
    }

    #[test]
    fn whole_numbers_have_a_bar_each() {
        let reals = Column::float("k", vec![1.0, 1.0, 2.0, 4.0, f64::NAN]);
        let found = distribution(&[Side { name: "", colour: 0, column: &reals }]).unwrap();
        assert_eq!(shares(&found.chart, 0), [0.5, 0.25, 0.0, 0.25]);
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
        assert_eq!(found.len(), 10);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn levels_have_error_bars_and_levels_together_have_none() {
        let levels = ["low", "middle", "high"].map(str::to_owned);
        let kind = ColumnType::Ordered { levels: levels.to_vec().into() };
        let column = Column::new(ColumnSchema::new("c", kind), Values::Code(vec![0, 1, 1, 2]));
        let reach = |level: usize| (level != 1).then_some([0.1, 0.2 + level as f64 / 10.0]);
        let found = distribution_with(&[Side { name: "", colour: 0, column: &column }], &reach).unwrap();
        let Marks::Bars(bars) = &found.chart.panels[0].series[0].marks else { panic!() };
        let reaches: Vec<Option<[f64; 2]>> = bars.iter().map(|bar| bar.reach).collect();
        assert_eq!(reaches, [Some([0.1, 0.2]), None, Some([0.1, 0.4])]);
        assert!(bars[2].hover.contains("from 10\u{2009}% to 40\u{2009}%"), "{}", bars[2].hover);
        assert_eq!(found.chart.to_inline_svg(340.0, 150.0).matches("ic-reach").count(), 2);
        let names: Vec<String> = (0..40).map(|level| format!("level {level}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let many = Column::nominal("c", &names, (0..40).collect());
        let all = distribution_with(&[Side { name: "", colour: 0, column: &many }], &|_| Some([0.0, 0.1]));
        let Marks::Bars(bars) = &all.unwrap().chart.panels[0].series[0].marks else { panic!() };
        assert_eq!((bars[0].reach, bars.last().unwrap().reach), (Some([0.0, 0.1]), None));
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
