//! The candidate tables to measure: sets of two and three columns, in views that are worth their noise.

use super::predictors::Predictors;
use crate::pool::{Classes, MANY_LEVELS, View};
use crate::private::ClassTable;

/// Most candidates.
const MOST_CANDIDATES: usize = 20_000;
/// Most cells of all candidates together: private counts of all are kept.
const MOST_CELLS: usize = 1 << 23;
/// Most candidates with all sets of three columns among them.
const MOST_TRIPLES: usize = 4_000;

/// Fewest cells of a table of two columns.
pub(crate) const FEWEST_CELLS: usize = 4;

/// The tables that may be chosen: of columns in views of their classes, where columns may depend on each other,
/// with at most so many cells.
#[derive(Clone, Copy)]
pub(crate) struct Allowed<'a> {
    pub(crate) classes: &'a [Classes],
    pub(crate) predictors: &'a Predictors,
    pub(crate) most_cells: usize,
}

/// The tables to choose from.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    pub(super) tables: Vec<ClassTable>,
    /// Whether sets of three columns are still to be added, around chosen pairs.
    pub(super) wants_triples: bool,
}

/// The numbers of sets of columns to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sets {
    pub(crate) pairs: usize,
    /// Sets of three columns; `None` if there would be too many.
    pub(crate) triples: Option<usize>,
    /// Most sets with a second table, because a column has many levels.
    seconds: usize,
}

impl Sets {
    /// The largest number of counts of all of them together, if tables have at most this many cells.
    pub(crate) fn most_counts(self, most_cells: usize) -> usize {
        let tables = (self.pairs + self.triples.unwrap_or(0) + self.seconds).min(MOST_CANDIDATES);
        tables.saturating_mul(most_cells).min(MOST_CELLS)
    }
}

/// Whether there are too many sets of three columns.
fn wants_triples(columns: usize) -> bool {
    columns * columns.saturating_sub(1) * columns.saturating_sub(2) / 6 > MOST_TRIPLES
}

impl Candidates {
    /// The numbers of sets of columns that may depend, if these have this many levels.
    pub(crate) fn sets(levels: &[usize], predictors: &Predictors) -> Sets {
        let columns = levels.len();
        let (mut pairs, mut triples, mut seconds) = (0, 0, 0);
        let mut add = |set: &[usize], count: &mut usize| {
            if predictors.allow(set) {
                *count += 1;
                seconds += usize::from(set.iter().any(|&column| levels[column] > MANY_LEVELS));
            }
        };
        let wants_triples = wants_triples(columns);
        for second in 0..columns {
            for first in 0..second {
                add(&[first, second], &mut pairs);
                for before in (0..first).filter(|_| !wants_triples) {
                    add(&[before, first, second], &mut triples);
                }
            }
        }
        Sets { pairs, triples: (!wants_triples).then_some(triples), seconds }
    }

    /// All allowed sets of two and three columns, each in the finest views with few enough cells; only sets of two
    /// where three would be too many. Sets with a column of many levels come twice, because there are two ways to
    /// join levels.
    pub(crate) fn new(allowed: Allowed<'_>) -> Self {
        let columns = allowed.classes.len();
        let wants_triples = wants_triples(columns);
        let mut bounded = Bounded { tables: Vec::new(), cells: 0 };
        let pairs = (0..columns).flat_map(|second| (0..second).map(move |first| vec![first, second]));
        for set in pairs {
            bounded.add(&set, allowed);
        }
        if !wants_triples {
            for third in 0..columns {
                for second in 0..third {
                    for first in 0..second {
                        bounded.add(&[first, second, third], allowed);
                    }
                }
            }
        }
        Self { tables: bounded.tables, wants_triples }
    }

    /// Allowed sets of three columns with two measured pairs.
    pub(super) fn around(measured: &[Vec<usize>], allowed: Allowed<'_>) -> Vec<ClassTable> {
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
            bounded.add(set, allowed);
        }
        bounded.tables
    }
}

/// Tables, as long as there is room.
struct Bounded {
    tables: Vec<ClassTable>,
    cells: usize,
}

impl Bounded {
    fn add(&mut self, set: &[usize], Allowed { classes, predictors, most_cells }: Allowed<'_>) {
        if !predictors.allow(set) || set.iter().any(|&column| classes[column].count() < 2) {
            return;
        }
        let joined = finest(set, |column| classes[column].views(), most_cells);
        let in_order = || {
            let views = |column: usize| {
                let of_column = &classes[column];
                of_column.views_in_order().unwrap_or_else(|| of_column.views())
            };
            finest(set, views, most_cells).filter(|table| Some(table) != joined.as_ref())
        };
        let has_order = set.iter().any(|&column| classes[column].views_in_order().is_some());
        let in_order = has_order.then(in_order).flatten();
        for table in joined.into_iter().chain(in_order) {
            if self.tables.len() < MOST_CANDIDATES && self.cells + table.cells() <= MOST_CELLS {
                self.cells += table.cells();
                self.tables.push(table);
            }
        }
    }
}

/// A table of these columns in their finest views that have at most this many cells together; `None` if even the
/// coarsest have more. The column that loses least is made coarser first.
fn finest<'a>(
    columns: &[usize],
    views: impl Fn(usize) -> &'a [View],
    most_cells: usize,
) -> Option<ClassTable> {
    let of_columns: Vec<&[View]> = columns.iter().map(|&column| views(column)).collect();
    let mut chosen = vec![0; columns.len()];
    loop {
        let views: Vec<&View> = of_columns.iter().zip(&chosen).map(|(views, &view)| &views[view]).collect();
        if views.iter().map(|view| view.count() as f64).product::<f64>() <= most_cells as f64 {
            let views: Vec<(Vec<usize>, usize)> =
                views.iter().map(|view| (view.all().collect(), view.count())).collect();
            return Some(ClassTable::new(columns, &views));
        }
        let coarser = |&place: &usize| chosen[place] + 1 < of_columns[place].len();
        let loss = |place: usize| views[place].loss(&of_columns[place][chosen[place] + 1]);
        let least = (0..columns.len()).filter(coarser).min_by(|&a, &b| loss(a).total_cmp(&loss(b)))?;
        chosen[least] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin::Margin;
    use crate::table::{ColumnSchema, ColumnType};

    /// Levels that are equally frequent.
    fn levels(count: usize) -> Classes {
        let runs: Vec<String> =
            (0..count).map(|level| format!("[{level},1,{},0.0]", 1.0 / count as f64)).collect();
        let text = format!(
            r#"{{"grid":{{"spacing":"levels","count":{count}}},"missing":0.0,"runs":[{}]}}"#,
            runs.join(",")
        );
        let margin: Margin = serde_json::from_str(&text).unwrap();
        Classes::new(&margin, false, &[])
    }

    /// Two columns that may depend on each other.
    fn any() -> Predictors {
        let column = |name: &str| ColumnSchema::new(name, ColumnType::Float);
        Predictors::new(&[&column("a"), &column("b")])
    }

    /// Number of levels of the first column in each class of a table.
    fn sizes(table: &ClassTable) -> Vec<usize> {
        let steps = &table.steps()[0];
        let mut sizes = vec![0; steps.iter().max().map_or(0, |&most| most as usize + 1)];
        for &class in steps {
            sizes[class as usize] += 1;
        }
        sizes
    }

    #[test]
    fn many_levels_are_joined_in_two_ways() {
        let classes = [levels(100), levels(5)];
        let mut bounded = Bounded { tables: Vec::new(), cells: 0 };
        bounded.add(&[0, 1], Allowed { classes: &classes, predictors: &any(), most_cells: 60 });
        let [rare_joined, in_order] = &bounded.tables[..] else { panic!("two tables") };
        let mut sizes_of = sizes(rare_joined);
        sizes_of.sort_unstable();
        assert_eq!(sizes_of, [vec![1; 11], vec![89]].concat());
        assert!(sizes(in_order).iter().all(|size| (8..=9).contains(size)));
        assert!(in_order.steps()[0].is_sorted());
    }

    #[test]
    fn tables_that_are_fine_enough_for_all_levels_come_once() {
        let classes = [levels(100), levels(5)];
        let mut bounded = Bounded { tables: Vec::new(), cells: 0 };
        bounded.add(&[0, 1], Allowed { classes: &classes, predictors: &any(), most_cells: 500 });
        assert_eq!(bounded.tables.iter().map(ClassTable::cells).collect::<Vec<_>>(), [500]);
    }

    #[test]
    fn counts_are_planned_for_second_tables_too() {
        assert_eq!(Candidates::sets(&[100, 5], &any()).most_counts(60), 120);
        assert_eq!(Candidates::sets(&[24, 5], &any()).most_counts(60), 60);
    }
}
