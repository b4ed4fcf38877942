//! The tables of an evaluation: read, and sampled where they are larger than is wanted.

use std::borrow::Borrow;

use indistinct::evaluate::SampledFrom;
use indistinct::evaluate::choose_rows;
use indistinct::random::Seed;
use indistinct::table::{Schema, Table};
use indistinct_io::{Source, read_comparable};

use crate::{Failure, read_failure};

/// Tables draw their samples from streams past all others of an evaluation: the real one from this.
const SAMPLE_STREAM: u64 = 1 << 43;

/// What is compared.
#[derive(Debug)]
pub struct Tables {
    /// The real table.
    pub real: Table,
    /// The synthetic ones, with the names they were given.
    pub synthetic: Vec<(String, Table)>,
    /// Whether a schema says what the columns are.
    pub(super) declared: bool,
    /// For each synthetic table what was sampled, if it or the real one was.
    pub(super) sampled: Vec<Option<SampledFrom>>,
}

/// Reads the tables: as the schema declares, or, without one, each column with one type in all of them.
///
/// # Errors
/// When one of them cannot be read.
pub fn read<S: Borrow<Source>>(
    real: &Source,
    synthetic: Vec<(String, S)>,
    schema: Option<&Schema>,
) -> Result<Tables, Failure> {
    let (names, sources): (Vec<String>, Vec<S>) = synthetic.into_iter().unzip();
    let (real, tables) = match schema {
        None => read_comparable(real, &sources).map_err(read_failure)?,
        Some(schema) => {
            let read = |source: &Source| source.read(schema).map_err(read_failure);
            (read(real)?, sources.iter().map(|source| read(source.borrow())).collect::<Result<_, _>>()?)
        }
    };
    let sampled = vec![None; tables.len()];
    let synthetic = names.into_iter().zip(tables).collect();
    Ok(Tables { real, synthetic, declared: schema.is_some(), sampled })
}

impl Tables {
    /// The same with at most so many rows of each table, drawn without replacement and kept in their order.
    #[must_use]
    pub fn sampled(self, rows: Option<u32>, seed: Seed) -> Self {
        let Some(rows) = rows else { return self };
        let drawn = |table: Table, task: u64| {
            let all = table.rows();
            if all <= rows as usize {
                return (table, all);
            }
            (table.take(&choose_rows(all as u32, rows, &mut seed.stream(SAMPLE_STREAM + task))), all)
        };
        let (real, of_real) = drawn(self.real, 0);
        let (mut synthetic, mut sampled) = (Vec::new(), Vec::new());
        for ((name, table), task) in self.synthetic.into_iter().zip(1..) {
            let (table, of_synthetic) = drawn(table, task);
            let smaller = of_real > real.rows() || of_synthetic > table.rows();
            sampled.push(smaller.then_some(SampledFrom { of_real, of_synthetic }));
            synthetic.push((name, table));
        }
        Self { real, synthetic, sampled, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::table::Column;

    fn numbered(rows: u32) -> Table {
        Table::new(vec![Column::float("row", (0..rows).map(f64::from).collect())]).unwrap()
    }

    #[test]
    fn samples_have_each_row_once_and_know_where_they_are_from() {
        let tables = || Tables {
            real: numbered(50),
            synthetic: vec![("small".to_owned(), numbered(10)), ("large".to_owned(), numbered(90))],
            declared: false,
            sampled: vec![None; 2],
        };
        let found = tables().sampled(Some(20), Seed(1));
        let rows = |table: &Table| table.columns()[0].values().to_reals();
        assert_eq!(
            (found.real.rows(), found.synthetic[0].1.rows(), found.synthetic[1].1.rows()),
            (20, 10, 20)
        );
        assert!(rows(&found.real).is_sorted_by(|a, b| a < b));
        assert_eq!(found.sampled[1], Some(SampledFrom { of_real: 50, of_synthetic: 90 }));
        assert_eq!(rows(&found.real), rows(&tables().sampled(Some(20), Seed(1)).real), "the same twice");
        assert_ne!(rows(&found.real), rows(&tables().sampled(Some(20), Seed(2)).real));
        assert_eq!(tables().sampled(Some(90), Seed(1)).sampled, [None, None]);
        assert_eq!(tables().sampled(None, Seed(1)).real.rows(), 50);
    }
}
