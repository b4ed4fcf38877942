//! Two columns together, one panel for each table.

use indistinct::table::{Column, Values};

use super::column::{LevelPlaces, Side, levels};
use super::words::{axis_label, count, on_axis, shown};
use crate::chart::{Axis, Chart, Marks, Panel, Scale, Series};

/// Most places of levels without an order on an axis.
const LEVELS: usize = 10;
/// Spread of the dots of a level around its place.
const SPREAD: f64 = 0.36;

/// A column of all tables, as an axis and the places of rows on it.
struct Laid {
    axis: Axis,
    /// The place of each row, for each side; NaN where missing.
    places: Vec<Vec<f64>>,
    named: usize,
}

/// The scatter plot of two columns, with at most this many rows of each table: every k-th one. Dots of levels are
/// spread.
pub(super) fn scatter(a: &[Side], b: &[Side], most: usize) -> Chart {
    let (mut x, mut y) = (laid(a), laid(b));
    // Names are read better beside the panels than below them.
    if x.named > y.named {
        std::mem::swap(&mut x, &mut y);
    }
    let names = [&a[0], &b[0]].map(|side| shown(side.column.name()));
    let mut drawn = Vec::new();
    let panels = a.iter().enumerate().map(|(place, side)| {
        let (across, up) = (&x.places[place], &y.places[place]);
        let complete: Vec<usize> =
            (0..across.len()).filter(|&row| !across[row].is_nan() && !up[row].is_nan()).collect();
        let kept = complete.len().min(most);
        drawn.push(kept);
        let rows = (0..kept).map(|k| complete[k * complete.len() / kept]);
        let points = rows.map(|row| (spread(across[row], x.named, row, 1), spread(up[row], y.named, row, 2)));
        Panel {
            title: side.name.to_owned(),
            x: x.axis.clone(),
            y: y.axis.clone(),
            series: vec![Series {
                name: String::new(),
                colour: side.colour,
                marks: Marks::Dots { points: points.collect(), radius: 1.5, opacity: 0.45 },
            }],
            references: Vec::new(),
        }
    });
    let panels: Vec<Panel> = panels.collect();
    let rows: Vec<String> = drawn.iter().map(|&rows| count(rows as u64)).collect();
    Chart {
        title: format!("{} and {}", names[0], names[1]),
        description: format!("Scatter plot of {} rows.", rows.join(" and ")),
        across: panels.len(),
        panels,
    }
}

fn laid(sides: &[Side]) -> Laid {
    let column = sides[0].column;
    let kind = column.schema().kind();
    let name = shown(column.name());
    if levels(kind).is_none() {
        let places = sides.iter().map(|side| {
            let reals = side.column.values().to_reals();
            reals.into_iter().map(|value| on_axis(kind, value)).collect()
        });
        let axis = Axis { label: axis_label(kind, &name), scale: Scale::Linear };
        return Laid { axis, places: places.collect(), named: 0 };
    }
    let mut spelled: Vec<String> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let coded: Vec<Vec<Option<usize>>> = sides
        .iter()
        .map(|side| {
            let own: Vec<usize> = levels(side.column.schema().kind())
                .unwrap_or_default()
                .into_iter()
                .map(|level| {
                    *known.entry(level.clone()).or_insert_with(|| {
                        spelled.push(level);
                        spelled.len() - 1
                    })
                })
                .collect();
            codes(side.column).iter().map(|&code| own.get(code as usize).copied()).collect()
        })
        .collect();
    let mut rows = vec![0; spelled.len()];
    for level in coded.iter().flatten().flatten() {
        rows[*level] += 1;
    }
    let LevelPlaces { names, members } = LevelPlaces::of(kind, &spelled, &rows, LEVELS);
    let mut place_of = vec![0.0; spelled.len()];
    for (place, members) in members.iter().enumerate() {
        for &level in members {
            place_of[level] = place as f64;
        }
    }
    let places = coded
        .iter()
        .map(|rows| rows.iter().map(|level| level.map_or(f64::NAN, |level| place_of[level])).collect());
    let named = names.len().max(1);
    Laid { places: places.collect(), axis: Axis { label: name, scale: Scale::Categories(names) }, named }
}

fn codes(column: &Column) -> &[u32] {
    match column.values() {
        Values::Code(codes) => codes,
        _ => &[],
    }
}

/// The place of a dot, spread so that dots of one level do not cover each other: the same way every time.
fn spread(place: f64, named: usize, row: usize, salt: u64) -> f64 {
    if named == 0 {
        return place;
    }
    let mut hash = (row as u64 ^ salt.rotate_right(7)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let unit = ((hash ^ (hash >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
    place + SPREAD * (2.0 * unit - 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::column::both;
    use super::*;
    use indistinct::table::MISSING_CODE;

    fn points(chart: &Chart, panel: usize) -> &[(f64, f64)] {
        let Marks::Dots { points, .. } = &chart.panels[panel].series[0].marks else { panic!() };
        points
    }

    #[test]
    fn rows_with_both_values_are_drawn_and_not_too_many() {
        let x = Column::float("x", (0..5000).map(f64::from).collect());
        let mut values: Vec<f64> = (0..5000).map(|k| f64::from(k) * 2.0).collect();
        values[0] = f64::NAN;
        let y = Column::float("y", values);
        let chart = scatter(&both(&x, &x), &both(&y, &y), 1000);
        assert_eq!((points(&chart, 0).len(), chart.panels.len()), (1000, 2));
        assert!(points(&chart, 1).iter().all(|(x, y)| *y == 2.0 * x && *x > 0.0));
        assert_eq!(chart.panels[0].x, chart.panels[1].x);
    }

    #[test]
    fn levels_are_places_and_their_dots_are_spread() {
        let c = Column::nominal("c", &["a", "b"], vec![0, 1, 1, MISSING_CODE]);
        let d = Column::nominal("c", &["b", "z"], vec![0, 1, 1, 1]);
        let x = Column::float("x", vec![1.0, 2.0, 3.0, 4.0]);
        let chart = scatter(&both(&c, &d), &both(&x, &x), 100);
        // The most frequent first.
        let names = ["b", "z", "a"].map(str::to_owned);
        assert_eq!(chart.panels[0].y.scale, Scale::Categories(names.into()));
        let levels = |panel| points(&chart, panel).iter().map(|(_, y)| y.round()).collect::<Vec<_>>();
        assert_eq!(levels(0), [2.0, 0.0, 0.0]);
        assert_eq!(levels(1), [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(chart, scatter(&both(&c, &d), &both(&x, &x), 100));
    }
}
