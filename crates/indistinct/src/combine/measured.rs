//! The noise of measuring, carried over to the coefficients of a regression.

use super::{CombineError, Formula, Ols, fit};
use crate::linear::{Cholesky, Symmetric};
use crate::model::{SequentialModel, SequentialNormal};
use crate::normal::measured_error::MeasuredError;
use crate::table::{Column, ColumnType, Table};

/// Step of the derivatives, in standard deviations.
const STEP: f64 = 1e-4;

/// The variance that noisy counts add to each coefficient, for
/// [`Rule::PrivateCounts`](super::Rule::PrivateCounts).
///
/// A release that measures knows its parameters up to an error whose law follows from n, the scale of the noise
/// and the number of columns ([`MeasuredError`]). A synthetic table is the model's transform of standard normal
/// numbers, so it can be transformed to the table of slightly different parameters; the regression's coefficients
/// move along, and their derivatives carry the parameters' variances over. Nothing is drawn, and all of it is
/// public.
///
/// The approximations: the data are normal as the model says, the search has located them to well within a cell,
/// and noise is small enough for derivatives to suffice.
///
/// `table` has the model's columns in the model's order.
///
/// # Errors
/// When the formula does not fit the table; when it makes categories of numbers, or the table is not one of the
/// model's, [`CombineError::NotOfTheModel`].
pub fn measured_excess(
    table: &Table,
    formula: &Formula,
    model: &SequentialNormal,
    n: usize,
    noise_scale: f64,
) -> Result<Vec<f64>, CombineError> {
    carried_over(table, formula, model, MeasuredError::new(model.columns(), n, noise_scale))
}

/// The part of [`measured_excess`] that is not noise: the loss of fitting counts of cells instead of rows, U
/// (1/eff - 1). It is common to all draws of a release, so that [`Rule::PrivateDraws`](super::Rule::PrivateDraws)
/// cannot see it.
///
/// # Errors
/// Those of [`measured_excess`].
pub fn cell_loss(
    table: &Table,
    formula: &Formula,
    model: &SequentialNormal,
    n: usize,
    noise_scale: f64,
) -> Result<Vec<f64>, CombineError> {
    carried_over(table, formula, model, MeasuredError::of_cells(model.columns(), n, noise_scale))
}

/// The variances of the regression's coefficients that follow from those of the model's parameters.
fn carried_over(
    table: &Table,
    formula: &Formula,
    model: &SequentialNormal,
    error: MeasuredError,
) -> Result<Vec<f64>, CombineError> {
    let numeric = |column: &Column| {
        matches!(column.schema().kind(), ColumnType::Float | ColumnType::Integer)
            && column.values().missing() == 0
    };
    let q = model.columns();
    if table.columns().len() != q || !table.columns().iter().all(numeric) || formula.has_category() {
        return Err(CombineError::NotOfTheModel);
    }
    let here = fit(table, formula)?;
    let columns: Vec<Vec<f64>> = table.columns().iter().map(|column| column.values().to_reals()).collect();
    let block: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let mut z = vec![Vec::new(); q];
    model.innovations(&block, &mut z);
    let mut excess = vec![0.0; here.names().len()];
    for direction in directions(q) {
        let at = |step: f64| -> Result<Ols, CombineError> {
            let moved = direction.moved(model, step).simulate(&z);
            let columns = table.columns().iter().zip(moved);
            let columns = columns.map(|(column, values)| Column::float(column.name(), values)).collect();
            let moved = fit(&Table::of_columns(columns), formula)?;
            if moved.names() == here.names() { Ok(moved) } else { Err(CombineError::NotOfTheModel) }
        };
        let (up, down) = (at(STEP)?, at(-STEP)?);
        let variance = match direction {
            Direction::Mean(_) => error.mean,
            Direction::LogSd(_) => error.log_sd,
            Direction::Correlation(..) => error.correlation,
        };
        for (excess, (up, down)) in excess.iter_mut().zip(up.coefficients().iter().zip(down.coefficients())) {
            let derivative = (up - down) / (2.0 * STEP);
            *excess += derivative * derivative * variance;
        }
    }
    Ok(excess)
}

/// A parameter of the innovations' law.
#[derive(Debug, Clone, Copy)]
enum Direction {
    Mean(usize),
    LogSd(usize),
    Correlation(usize, usize),
}

fn directions(q: usize) -> impl Iterator<Item = Direction> {
    let pairs = (0..q).flat_map(|second| (0..second).map(move |first| Direction::Correlation(first, second)));
    (0..q).map(Direction::Mean).chain((0..q).map(Direction::LogSd)).chain(pairs)
}

impl Direction {
    /// The model of the same rows if this parameter of their innovations were moved by `step`.
    fn moved(self, model: &SequentialNormal, step: f64) -> SequentialNormal {
        let q = model.columns();
        let (mut means, mut scales) = (vec![0.0; q], vec![1.0; q]);
        let mut correlations = Symmetric::zeros(q);
        (0..q).for_each(|j| correlations.set(j, j, 1.0));
        match self {
            Self::Mean(j) => means[j] = step,
            Self::LogSd(j) => scales[j] = step.exp(),
            Self::Correlation(first, second) => correlations.set(second, first, step),
        }
        // A single small correlation always leaves a proper matrix.
        let Some(root) = Cholesky::new(&correlations) else { return model.clone() };
        let row = |j: usize| root.row(j).iter().map(|loading| loading * scales[j]).collect();
        model.corrected(&means, &(0..q).map(row).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ColumnSchema, MISSING_INTEGER, Values};

    fn model() -> SequentialNormal {
        SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]])
    }

    /// Innovations with mean 0, variance 1 and no correlation, so that coefficients are those of the model.
    fn table() -> Table {
        let z = [vec![1.0, 1.0, -1.0, -1.0], vec![1.0, -1.0, 1.0, -1.0]];
        let columns = model().simulate(&z).into_iter().zip(["x1", "x2"]);
        Table::of_columns(columns.map(|(values, name)| Column::float(name, values)).collect())
    }

    fn excess(table: &Table, formula: &str) -> Result<Vec<f64>, CombineError> {
        measured_excess(table, &Formula::parse(formula).unwrap(), &model(), 5000, 4.0)
    }

    #[test]
    fn derivatives_by_hand() {
        let MeasuredError { mean, log_sd, correlation } = MeasuredError::new(2, 5000, 4.0);
        // With correlation r, mean m and scale s of the second innovation, x2 = -1.5 + 3 m + (5 + 3 s r) z1 + ...,
        // z1 = (x1 - 2)/10: the slope moves by 0.3 with r, the intercept by 3 with m and by -0.6 with r.
        let found = excess(&table(), "x2 ~ x1").unwrap();
        for (found, wanted) in found.iter().zip([9.0 * mean + 0.36 * correlation, 0.09 * correlation]) {
            assert!((found / wanted - 1.0).abs() < 1e-6, "{found} {wanted}");
        }
        // The logarithm of a mean of 1e6 with a standard deviation of 1 moves by 1e-6 standard deviations.
        let far = SequentialNormal::new(vec![1e6], vec![vec![1.0]]);
        let values = far.simulate(&[vec![1.0, -1.0, 0.0]]).remove(0);
        let table = Table::of_columns(vec![Column::float("x", values)]);
        let found = measured_excess(&table, &Formula::parse("log(x) ~ 1").unwrap(), &far, 5000, 4.0).unwrap();
        let wanted = MeasuredError::new(1, 5000, 4.0).mean * 1e-12;
        assert!((found[0] / wanted - 1.0).abs() < 1e-4, "{found:?} {wanted}");
        assert!(log_sd > 0.0);
    }

    #[test]
    fn other_tables_and_categories_are_refused() {
        let refused = |table: &Table, formula: &str| excess(table, formula).unwrap_err();
        assert_eq!(refused(&table(), "x2 ~ C(x1)"), CombineError::NotOfTheModel);
        let one = Table::of_columns(table().columns()[..1].to_vec());
        assert_eq!(refused(&one, "x1 ~ 1"), CombineError::NotOfTheModel);
        let missing = Values::Integer(vec![1, MISSING_INTEGER, 2, 3]);
        let whole = Column::new(ColumnSchema::new("x2", ColumnType::Integer), missing);
        let gaps = Table::of_columns(vec![table().columns()[0].clone(), whole]);
        assert_eq!(refused(&gaps, "x2 ~ x1"), CombineError::NotOfTheModel);
        assert!(matches!(refused(&table(), "x2 ~ nobody"), CombineError::Formula(_)));
    }
}
