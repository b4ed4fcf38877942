//! The tables of an evaluation, sampled where they are larger than is wanted.

use super::{Evaluation, EvaluationError, EvaluationOptions, SampledFrom, choose_rows, evaluate};
use crate::progress::Progress;
use crate::random::Seed;
use crate::table::Table;

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
    declared: bool,
    /// For each synthetic table what was sampled, if it or the real one was.
    sampled: Vec<Option<SampledFrom>>,
}

impl Tables {
    /// A real table and synthetic ones with their names. With a schema, `declared`, messages may name any column.
    pub fn new(real: Table, synthetic: Vec<(String, Table)>, declared: bool) -> Self {
        let sampled = vec![None; synthetic.len()];
        Self { real, synthetic, declared, sampled }
    }

    /// The evaluation, which says of each table what it was sampled from.
    ///
    /// # Errors
    /// When the tables cannot be compared, the discriminator cannot judge them, a column cannot be predicted, or the work is
    /// stopped.
    pub fn evaluate(
        &self,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation, EvaluationError> {
        let mut options = options.clone();
        if let Some(predict) = &mut options.predict {
            predict.declared = self.declared;
        }
        let mut evaluation = evaluate(&self.real, &self.synthetic, &options, progress)?;
        for (found, sampled) in evaluation.tables.iter_mut().zip(&self.sampled) {
            found.sample = *sampled;
        }
        Ok(evaluation)
    }

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
    use crate::table::Column;

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
