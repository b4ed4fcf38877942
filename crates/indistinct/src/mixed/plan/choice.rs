//! The tables from which the rounds of a plan can choose.

use super::MixedPlan;
use crate::dependence::{Candidates, FEWEST_CELLS};
use crate::table::{ColumnSchema, ColumnType};

/// Sets of columns whose tables may be measured, by public quantities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableChoice {
    /// Most tables that are measured.
    pub rounds: usize,
    /// Most cells of a table.
    pub most_cells: usize,
    /// Number of sets of two columns.
    pub pairs: usize,
    /// Number of sets of three; `None` if there would be too many, so that only those around measured pairs are
    /// candidates.
    pub triples: Option<usize>,
    /// Most counts of candidate tables that are kept in memory, eight bytes each: sets beyond are not candidates.
    pub most_counts: usize,
}

impl TableChoice {
    /// Whether any table can be measured.
    pub fn measures_tables(&self) -> bool {
        self.rounds > 0 && self.most_cells >= FEWEST_CELLS && self.pairs > 0
    }
}

impl MixedPlan {
    /// Number of measured columns.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The tables from which the rounds choose.
    pub fn choice(&self) -> TableChoice {
        let rounds = self.rounds();
        let levels = |column: &ColumnSchema| match column.kind() {
            ColumnType::Nominal { levels } => levels.len(),
            _ => 0,
        };
        let levels: Vec<usize> = self.schema.columns().iter().map(levels).collect();
        let sets = Candidates::sets(&levels, &self.predictors);
        TableChoice {
            rounds: rounds.count,
            most_cells: rounds.most_cells,
            pairs: sets.pairs,
            triples: sets.triples,
            most_counts: sets.most_counts(rounds.most_cells),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::table::{ColumnSchema, ColumnType, Schema};
    use crate::terms::Terms;

    fn choice(rows: usize, columns: usize, predictors: bool) -> super::TableChoice {
        let terms = Terms::of("1".parse().unwrap());
        let column = |place: usize| {
            let column = ColumnSchema::new(&format!("x{place}"), ColumnType::Integer);
            if predictors { column } else { column.with_predictors(Some(Vec::new())) }
        };
        let schema = Schema::new(Vec::new(), (0..columns).map(column).collect()).unwrap();
        terms.plan_mixed(rows, &schema).unwrap().choice()
    }

    #[test]
    fn sets_of_columns_are_counted_and_bounded() {
        let few = choice(10_000, 10, true);
        assert_eq!((few.pairs, few.triples), (45, Some(120)));
        assert_eq!(few.most_counts, 165 * few.most_cells);
        let many = choice(1_000_000, 200, true);
        assert_eq!((many.pairs, many.triples), (19_900, None));
        assert_eq!(many.most_counts, 1 << 23);
        assert!(few.measures_tables() && many.measures_tables());
    }

    #[test]
    fn rounds_grow_with_columns_where_there_is_a_delta() {
        let rounds = |columns: usize, delta: &str| {
            let column = |place: usize| {
                let levels = ["a", "b", "c"].map(str::to_owned).to_vec();
                ColumnSchema::new(&format!("x{place}"), ColumnType::Nominal { levels: levels.into() })
            };
            let schema = Schema::new(Vec::new(), (0..columns).map(column).collect()).unwrap();
            let terms = Terms { delta: delta.parse().unwrap(), ..Terms::of("1".parse().unwrap()) };
            terms.plan_mixed(30_000, &schema).unwrap().choice().rounds
        };
        assert!(rounds(24, "0.00001") > rounds(12, "0.00001"));
        assert!(rounds(24, "0") <= rounds(12, "0"));
    }

    #[test]
    fn columns_that_may_not_depend_have_no_tables() {
        for nothing in [choice(10_000, 5, false), choice(10_000, 1, true)] {
            assert_eq!((nothing.rounds, nothing.pairs, nothing.measures_tables()), (0, 0, false));
        }
    }
}
