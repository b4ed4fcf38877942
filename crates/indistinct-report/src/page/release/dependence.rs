//! The dependence between the columns of the synthetic table.

use indistinct::table::Table;
use rayon::prelude::*;

use super::ReleaseBars;
use crate::chart::{HeatCell, HeatMap};
use crate::page::association::{Measure, Prepared, additive_association, association};
use crate::page::column::Side;
use crate::page::scatter::scatter;
use crate::page::words::{number, shown, three};
use crate::page::{Figure, FigureSize, PAIR, SMALL};

/// Rows from which dependence is computed: synthetic rows come in random order, so that the first ones are a sample.
pub(super) const ROWS: usize = 10_000;
/// Rows of the model from which it is computed: so many that their own chance does not matter beside that of a table.
const MODEL_ROWS: usize = 100_000;
/// Most pairs of which rehearsals say whether noise may have made them.
const REHEARSED: usize = 1000;
/// The mark of an association that noise alone may have made.
const MAY_BE_NOISE: &str = "may be noise";
/// Most columns of the heat map.
const HEAT: usize = 80;
/// Most columns of a map that leaves room beside it.
const NARROW: usize = 36;
/// Width of a map with a table beside it, and of one without.
const WIDTHS: (f64, f64) = (640.0, 1060.0);
/// Partners that are named for each column.
const PARTNERS: usize = 3;
/// Most dots of a scatter plot.
const DOTS: usize = 2000;

/// The association of two columns.
pub(super) struct AssociatedPair {
    /// Positions of the columns, the smaller one first.
    columns: (usize, usize),
    value: f64,
    measure: Measure,
}

fn first_rows(table: &Table) -> Vec<u32> {
    (0..table.rows().min(ROWS) as u32).collect()
}

/// Pairs of columns whose associations are compared with those of rehearsals.
pub(super) struct Associations {
    pairs: Vec<(usize, usize)>,
    /// Rows of a table of the release.
    rows: usize,
}

impl Associations {
    /// The pairs that a page names: the strongest ones, and the partners of every column.
    pub(super) fn shown_of(table: &Table) -> Self {
        let mut named = vec![0; table.columns().len()];
        let mut pairs = Vec::new();
        for (place, &AssociatedPair { columns: (a, b), .. }) in Dependence::of(table).pairs.iter().enumerate()
        {
            if place < REHEARSED || named[a] < PARTNERS || named[b] < PARTNERS {
                pairs.push((a, b));
            }
            named[a] += 1;
            named[b] += 1;
        }
        Self { pairs, rows: table.rows() }
    }

    pub(super) fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The associations of the pairs in the rows of a table, as numbers that noise adds to; NaN where there is none.
    pub(super) fn values(&self, table: &Table) -> Vec<f64> {
        let all = table.rows();
        let rows: Vec<u32> = if all == self.rows {
            first_rows(table)
        } else {
            // The model has many more rows, those of each of its draws together: every so many of them.
            (0..all as u32).step_by(all.div_ceil(MODEL_ROWS).max(1)).collect()
        };
        let prepared: Vec<Prepared> = table.take(&rows).columns().par_iter().map(Prepared::of).collect();
        let value = |&(a, b): &(usize, usize)| additive_association(&prepared[a], &prepared[b]);
        self.pairs.par_iter().map(value).collect()
    }
}

/// The association of every pair of columns.
pub(super) struct Dependence {
    /// The pairs, strongest first.
    pub(super) pairs: Vec<AssociatedPair>,
    /// Positions of the columns in the heat map.
    pub(super) mapped: Vec<usize>,
}

impl Dependence {
    pub(super) fn of(table: &Table) -> Self {
        let prepared: Vec<Prepared> =
            table.take(&first_rows(table)).columns().par_iter().map(Prepared::of).collect();
        let q = prepared.len();
        let all: Vec<(usize, usize)> = (0..q).flat_map(|a| (a + 1..q).map(move |b| (a, b))).collect();
        let associated = |columns: (usize, usize)| {
            let (value, measure) = association(&prepared[columns.0], &prepared[columns.1])?;
            Some(AssociatedPair { columns, value, measure })
        };
        let mut pairs: Vec<AssociatedPair> = all.into_par_iter().filter_map(associated).collect();
        pairs.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.columns.cmp(&b.columns)));
        let mut mapped: Vec<usize> = Vec::new();
        for column in pairs.iter().flat_map(|pair| [pair.columns.0, pair.columns.1]).chain(0..q) {
            if mapped.len() < HEAT && !mapped.contains(&column) {
                mapped.push(column);
            }
        }
        mapped.sort_unstable();
        Self { pairs, mapped }
    }

    /// Whether the map takes the whole width of the page.
    pub(super) fn is_wide(&self) -> bool {
        self.mapped.len() > NARROW
    }

    /// Every column, up to `most` of them, with those that it depends on most.
    pub(super) fn partners(
        &self,
        table: &Table,
        bars: Option<&ReleaseBars>,
        most: usize,
    ) -> Vec<Vec<String>> {
        let name = |column: usize| shown(table.columns()[column].name());
        let mut found: Vec<Vec<String>> = vec![Vec::new(); table.columns().len()];
        for pair in &self.pairs {
            let (a, b) = pair.columns;
            for (one, other) in [(a, b), (b, a)] {
                if found[one].len() < PARTNERS {
                    found[one].push(format!("{} {}", name(other), pair.told(bars)));
                }
            }
        }
        let rows = found.into_iter().take(most).enumerate();
        rows.map(|(column, partners)| vec![name(column), partners.join(", ")]).collect()
    }

    pub(super) fn map(&self, table: &Table, bars: Option<&ReleaseBars>) -> Option<Figure> {
        if self.mapped.len() < 2 {
            return None;
        }
        let names: Vec<String> =
            self.mapped.iter().map(|&column| shown(table.columns()[column].name())).collect();
        let cells = self.pairs.iter().filter_map(|pair| {
            let &AssociatedPair { columns: (a, b), value, measure } = pair;
            let noise = if pair.may_be_noise(bars) { format!(" ({MAY_BE_NOISE})") } else { String::new() };
            let (a, b) = (self.mapped.binary_search(&a).ok()?, self.mapped.binary_search(&b).ok()?);
            let hover =
                format!("{} and {}\n{}: {}{noise}", names[a], names[b], measure.words(), number(value));
            Some(HeatCell { names: (a, b), value, hover })
        });
        let map = HeatMap {
            title: "Dependence in the synthetic table".to_owned(),
            description: "How strongly every two columns depend on each other, from 0 to 1.".to_owned(),
            cells: cells.collect(),
            names,
            full: 1.0,
            label: "0: none; 1: one column determines the other".to_owned(),
        };
        let width = if self.is_wide() { WIDTHS.1 } else { WIDTHS.0 };
        Some(Figure::new(map.to_inline_svg(width), ""))
    }
}

impl AssociatedPair {
    fn may_be_noise(&self, bars: Option<&ReleaseBars>) -> bool {
        bars.is_some_and(|bars| bars.may_be_noise(self.columns))
    }

    /// The association, with a mark where noise alone may have made it.
    fn told(&self, bars: Option<&ReleaseBars>) -> String {
        let noise = if self.may_be_noise(bars) { format!(" ({MAY_BE_NOISE})") } else { String::new() };
        three(self.value) + &noise
    }
}

pub(super) fn pair_figure(table: &Table, bars: Option<&ReleaseBars>, pair: &AssociatedPair) -> Figure {
    let &AssociatedPair { columns: (a, b), measure, .. } = pair;
    let side = |column: usize| [Side { name: "", colour: 0, column: &table.columns()[column] }];
    let chart = scatter(&side(a), &side(b), DOTS);
    Figure::of(
        &chart,
        FigureSize { width: SMALL.width, height: PAIR.height },
        format!("{} {}", measure.words(), pair.told(bars)),
    )
}

/// A pair in the table beside the map.
pub(super) fn strongest_row(table: &Table, bars: Option<&ReleaseBars>, pair: &AssociatedPair) -> Vec<String> {
    let mut row = pair_row(table, bars, pair);
    row.truncate(3);
    row
}

/// A pair with its measure.
pub(super) fn pair_row(table: &Table, bars: Option<&ReleaseBars>, pair: &AssociatedPair) -> Vec<String> {
    let &AssociatedPair { columns: (a, b), measure, .. } = pair;
    let name = |column: usize| shown(table.columns()[column].name());
    vec![name(a), name(b), pair.told(bars), measure.words().to_owned()]
}
