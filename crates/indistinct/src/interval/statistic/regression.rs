//! The facts about a regression beside its coefficients.

use super::{Kind, Statistic, StatisticError};
use crate::combine::{CombineError, Layout, Ols, Part, fit_all};
use crate::table::Table;

/// Rows of a table that a regression uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegressionRows {
    /// Those that pass the condition.
    pub passing: usize,
    /// Those without a missing value among these.
    pub complete: usize,
}

impl Statistic {
    /// Whether it is a regression, by least squares or logistic.
    pub fn is_regression(&self) -> bool {
        matches!(self.kind, Kind::LeastSquares(_) | Kind::Logit(_))
    }

    /// The rows that a regression uses of each table of a release; none of a statistic that is no regression.
    ///
    /// # Errors
    /// When the formula does not fit the tables.
    pub fn rows_of(&self, tables: &[Table]) -> Result<Vec<RegressionRows>, StatisticError> {
        let used: Vec<Table> = tables.iter().map(|table| self.filtered(table)).collect();
        let Some(all) = Table::stacked(used.clone()) else { return Ok(Vec::new()) };
        let Some(layout) = self.layout(&all)? else { return Ok(Vec::new()) };
        let rows = |table: &Table| {
            let complete = layout.regression(table).map_or(0, |regression| regression.rows.len());
            RegressionRows { passing: table.rows(), complete }
        };
        Ok(used.iter().map(rows).collect())
    }

    /// The fits of least squares to each table of a release; `None` where weights are used, which change what their
    /// residuals mean, where a fit cannot be, and for other statistics.
    pub fn least_squares(&self, tables: &[Table]) -> Option<Vec<Ols>> {
        let (Kind::LeastSquares(formula), None) = (&self.kind, &self.weight) else { return None };
        let used: Vec<Table> = tables.iter().map(|table| self.filtered(table)).collect();
        fit_all(&used.iter().collect::<Vec<_>>(), formula).ok()
    }

    /// The columns of a regression as a table has them; `None` of other statistics.
    pub(super) fn layout(&self, table: &Table) -> Result<Option<Layout>, StatisticError> {
        let (formula, left) = match &self.kind {
            Kind::LeastSquares(formula) => (formula, Part::Response),
            Kind::Logit(formula) => (formula, Part::Outcome),
            _ => return Ok(None),
        };
        Layout::new(table, formula, left)
            .map(Some)
            .map_err(|error: CombineError| StatisticError::of_regression(&self.text, &error))
    }
}
