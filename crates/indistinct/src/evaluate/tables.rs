//! The tables of an evaluation.

use super::{EvaluateParams, Evaluation, EvaluationError, evaluate};
use crate::progress::Progress;
use crate::table::Table;

/// The tables that are compared.
#[derive(Debug)]
pub struct Tables {
    /// The real table.
    pub real: Table,
    /// The synthetic ones, with the names they were given.
    pub synthetic: Vec<(String, Table)>,
    /// Whether a schema says what the columns are.
    declared: bool,
}

impl Tables {
    /// A real table and synthetic ones with their names. With a schema, `declared`, messages may name any column.
    pub fn new(real: Table, synthetic: Vec<(String, Table)>, declared: bool) -> Self {
        Self { real, synthetic, declared }
    }

    /// The evaluation.
    ///
    /// # Errors
    /// When the tables cannot be compared, the discriminator cannot judge them, a column cannot be predicted, or the work is
    /// stopped.
    pub fn evaluate(
        &self,
        params: &EvaluateParams,
        progress: &dyn Progress,
    ) -> Result<Evaluation, EvaluationError> {
        let mut params = params.clone();
        if let Some(predict) = &mut params.predict {
            predict.declared = self.declared;
        }
        evaluate(&self.real, &self.synthetic, &params, progress)
    }
}
