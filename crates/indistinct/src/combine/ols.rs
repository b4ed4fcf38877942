//! One table's regression by ordinary least squares, as R's `lm` gives it.

use rayon::prelude::*;

use super::design::Design;
use super::frame::{Frames, Part};
use super::{CombineError, Formula};
use crate::linear::LeastSquares;
use crate::table::Table;

/// A fitted regression.
#[derive(Debug, Clone, PartialEq)]
pub struct Ols {
    names: Vec<String>,
    coefficients: Vec<f64>,
    /// sigma^2 (X'X)^-1.
    covariance: Vec<Vec<f64>>,
    aliased: Vec<String>,
    sigma: f64,
    df: usize,
    rows: usize,
    used: usize,
}

impl Ols {
    /// Names of the estimated coefficients, as in R.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The estimates.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Their estimated covariance, `[i][j]`.
    pub fn covariance(&self) -> &[Vec<f64>] {
        &self.covariance
    }

    /// Their estimated variances.
    pub fn variances(&self) -> Vec<f64> {
        self.covariance.iter().enumerate().map(|(place, row)| row[place]).collect()
    }

    /// Their standard errors.
    pub fn std_errors(&self) -> Vec<f64> {
        self.variances().into_iter().map(f64::sqrt).collect()
    }

    /// The coefficients that R gives as NA: their columns depend on those before them.
    pub fn aliased(&self) -> &[String] {
        &self.aliased
    }

    /// Residual standard error.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Residual degrees of freedom.
    pub fn df(&self) -> usize {
        self.df
    }

    /// Number of rows of the table.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of rows used: those without missing values in the columns of the formula.
    pub fn used(&self) -> usize {
        self.used
    }

    fn solve(
        names: &[String],
        columns: Vec<Vec<f64>>,
        response: Vec<f64>,
        rows: usize,
        table: usize,
    ) -> Result<Self, CombineError> {
        let used = response.len();
        if columns.iter().flatten().chain(&response).any(|number| !number.is_finite()) {
            return Err(CombineError::NotFinite { table });
        }
        let LeastSquares { kept, coefficients, inverse, residual } = LeastSquares::solve(columns, response);
        let rank = kept.len();
        if used <= rank {
            return Err(CombineError::TooFewRows { table, rows: used, coefficients: names.len() });
        }
        let variance = residual / (used - rank) as f64;
        let covariance: Vec<Vec<f64>> =
            inverse.iter().map(|row| row.iter().map(|entry| entry * variance).collect()).collect();
        let vanished = |(place, row): (usize, &Vec<f64>)| residual > 0.0 && row[place] < f64::MIN_POSITIVE;
        if coefficients.iter().chain(covariance.iter().flatten()).any(|number| !number.is_finite())
            || covariance.iter().enumerate().any(vanished)
        {
            return Err(CombineError::NotFinite { table });
        }
        let (mut estimated, mut aliased) = (Vec::new(), Vec::new());
        for (column, name) in names.iter().enumerate() {
            if kept.contains(&column) { &mut estimated } else { &mut aliased }.push(name.clone());
        }
        Ok(Self {
            names: estimated,
            coefficients,
            covariance,
            aliased,
            sigma: variance.sqrt(),
            df: used - rank,
            rows,
            used,
        })
    }
}

/// Fits a formula to a table.
///
/// Rows with a missing value in a column of the formula are left out. Nominal and ordered columns, booleans and
/// `C(x)` are coded by indicators against the first level that occurs (for ordered ones R would use polynomials).
///
/// # Errors
/// When the formula does not fit the table, or the table is too small for it.
pub fn fit(table: &Table, formula: &Formula) -> Result<Ols, CombineError> {
    Ok(fit_all(&[table], formula)?.remove(0))
}

/// Fits a formula to several tables, with the same coefficients for all of them: a category has the levels that
/// occur in any of the tables.
///
/// # Errors
/// When the formula does not fit a table, a table is too small for it, or tables have different columns.
pub fn fit_all(tables: &[&Table], formula: &Formula) -> Result<Vec<Ols>, CombineError> {
    let frames = Frames::new(tables, formula, Part::Response)?;
    let design = Design::new(&frames)?;
    frames
        .by_table
        .into_par_iter()
        .enumerate()
        .map(|(place, frame)| {
            let columns = design.columns(&frame);
            Ols::solve(&design.names, columns, frame.response, frame.rows, place + 1)
        })
        .collect()
}

/// Regresses numbers on numbers and an intercept, without a table: coefficients `(Intercept)`, `x1`, `x2`, ...
///
/// # Errors
/// When lengths differ, a number is not finite, or there are too few.
pub fn ols(response: &[f64], predictors: &[&[f64]]) -> Result<Ols, CombineError> {
    if let Some(place) = predictors.iter().position(|predictor| predictor.len() != response.len()) {
        return Err(CombineError::Ragged { predictor: place + 1 });
    }
    let names: Vec<String> = (0..=predictors.len())
        .map(|k| if k == 0 { "(Intercept)".to_owned() } else { format!("x{k}") })
        .collect();
    let intercept = std::iter::once(vec![1.0; response.len()]);
    let columns = intercept.chain(predictors.iter().map(|predictor| predictor.to_vec())).collect();
    Ols::solve(&names, columns, response.to_vec(), response.len(), 1)
}
