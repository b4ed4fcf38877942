//! Which tables may be measured: sets of two and three columns, in views that are worth their noise.

use super::predictors::Predictors;
use crate::pool::Classes;
use crate::private::ClassTable;

/// The most candidates, and the most cells of all of them together: private counts of all are kept.
const MOST_CANDIDATES: usize = 20_000;
const MOST_CELLS: usize = 1 << 23;
/// The most candidates among which there are all sets of three columns.
const MOST_TRIPLES: usize = 4_000;

/// The fewest cells of a table of two columns.
pub(crate) const FEWEST_CELLS: usize = 4;

/// What tables are chosen from.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    pub(super) tables: Vec<ClassTable>,
    /// Whether sets of three columns are still to be added, around pairs that were chosen.
    pub(super) wants_triples: bool,
}

/// How many sets of columns there are to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sets {
    pub(crate) pairs: usize,
    /// None if there would be too many.
    pub(crate) triples: Option<usize>,
}

impl Sets {
    /// The most counts of all of them together, if tables have at most so many cells.
    pub(crate) fn most_counts(self, most_cells: usize) -> usize {
        let tables = (self.pairs + self.triples.unwrap_or(0)).min(MOST_CANDIDATES);
        tables.saturating_mul(most_cells).min(MOST_CELLS)
    }
}

/// Whether there are too many sets of three columns.
fn wants_triples(columns: usize) -> bool {
    columns * columns.saturating_sub(1) * columns.saturating_sub(2) / 6 > MOST_TRIPLES
}

impl Candidates {
    /// How many sets there are of so many columns that may depend.
    pub(crate) fn sets(columns: usize, predictors: &Predictors) -> Sets {
        let pairs = (0..columns).flat_map(|second| (0..second).map(move |first| [first, second]));
        let triples = || {
            let sets = (0..columns).flat_map(|third| {
                (0..third).flat_map(move |second| (0..second).map(move |first| [first, second, third]))
            });
            sets.filter(|set| predictors.allow(set)).count()
        };
        Sets {
            pairs: pairs.filter(|set| predictors.allow(set)).count(),
            triples: (!wants_triples(columns)).then(triples),
        }
    }

    /// All sets of two and three columns that may depend, each in the finest views with at most `most_cells` cells; where
    /// three would be too many, sets of two.
    pub(crate) fn new(classes: &[Classes], predictors: &Predictors, most_cells: usize) -> Self {
        let columns = classes.len();
        let wants_triples = wants_triples(columns);
        let mut bounded = Bounded { tables: Vec::new(), cells: 0 };
        let pairs = (0..columns).flat_map(|second| (0..second).map(move |first| vec![first, second]));
        for set in pairs {
            bounded.add(&set, (classes, predictors, most_cells));
        }
        if !wants_triples {
            for third in 0..columns {
                for second in 0..third {
                    for first in 0..second {
                        bounded.add(&[first, second, third], (classes, predictors, most_cells));
                    }
                }
            }
        }
        Self { tables: bounded.tables, wants_triples }
    }

    /// Sets of three columns of which two pairs were measured.
    pub(super) fn around(
        measured: &[Vec<usize>],
        (classes, predictors, most_cells): (&[Classes], &Predictors, usize),
    ) -> Vec<ClassTable> {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for (place, first) in measured.iter().enumerate() {
            for second in &measured[..place] {
                let mut set = [&first[..], &second[..]].concat();
                set.sort_unstable();
                set.dedup();
                if set.len() == 3 {
                    sets.push(set);
                }
            }
        }
        sets.sort_unstable();
        sets.dedup();
        let mut bounded = Bounded { tables: Vec::new(), cells: 0 };
        for set in &sets {
            bounded.add(set, (classes, predictors, most_cells));
        }
        bounded.tables
    }
}

/// Tables as long as there is room.
struct Bounded {
    tables: Vec<ClassTable>,
    cells: usize,
}

impl Bounded {
    fn add(&mut self, set: &[usize], (classes, predictors, most_cells): (&[Classes], &Predictors, usize)) {
        if self.tables.len() == MOST_CANDIDATES || !predictors.allow(set) {
            return;
        }
        if let Some(table) =
            finest(set, classes, most_cells).filter(|table| self.cells + table.cells() <= MOST_CELLS)
        {
            self.cells += table.cells();
            self.tables.push(table);
        }
    }
}

/// A table of these columns in the finest views that have at most so many cells together; none if even the coarsest have
/// more, or if a column has one class only. The column that loses least is made coarser first.
fn finest(columns: &[usize], classes: &[Classes], most_cells: usize) -> Option<ClassTable> {
    if columns.iter().any(|&column| classes[column].count() < 2) {
        return None;
    }
    let mut views = vec![0; columns.len()];
    let count = |place: usize, view: usize| classes[columns[place]].views()[view].count();
    loop {
        let cells: f64 = views.iter().enumerate().map(|(place, &view)| count(place, view) as f64).product();
        if cells <= most_cells as f64 {
            let of = |(&column, &view): (&usize, &usize)| {
                let view = &classes[column].views()[view];
                ((0..classes[column].count()).map(|class| view.of(class)).collect(), view.count())
            };
            let views: Vec<(Vec<usize>, usize)> = columns.iter().zip(&views).map(of).collect();
            return Some(ClassTable::new(columns, &views));
        }
        let coarser = |&place: &usize| views[place] + 1 < classes[columns[place]].views().len();
        let loss = |place: usize| {
            let of_column = classes[columns[place]].views();
            of_column[views[place]].loss(&of_column[views[place] + 1])
        };
        let least = (0..columns.len()).filter(coarser).min_by(|&a, &b| loss(a).total_cmp(&loss(b)))?;
        views[least] += 1;
    }
}
