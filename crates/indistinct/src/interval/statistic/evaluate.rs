//! The value of a statistic on a table.

use super::{Kind, Statistic, StatisticError};
use crate::combine::{INTERCEPT, Layout, Regression, logit, weighted};
use crate::interval::NumberKind;
use crate::table::{Column, Table, Values};

/// A statistic that is defined in a release, with the terms that it has there.
#[derive(Debug)]
pub struct PreparedStatistic {
    statistic: Statistic,
    terms: Vec<Option<String>>,
    layout: Option<Layout>,
    /// Columns of a regression that depend on none before them in the release: those that depend have no coefficient,
    /// there and in every rehearsal.
    kept: Vec<usize>,
    released: Vec<f64>,
}

impl Statistic {
    /// Computes the statistic on the tables of a release, and fixes its terms: a regression has coefficients for the
    /// levels that occur there, and for the columns that are independent there.
    ///
    /// # Errors
    /// When it is undefined there.
    pub fn prepare(&self, released: &[Table]) -> Result<PreparedStatistic, StatisticError> {
        let fail = |what: &str, advice: &str| StatisticError::new(&self.text, 0, what, advice);
        let all =
            Table::stacked(released.to_vec()).ok_or_else(|| fail("there are no tables", "name a release"))?;
        let used = self.filtered(&all);
        if used.rows() == 0 {
            return Err(fail("no row of the release passes the condition", "ask for more after `where`"));
        }
        let layout = self.layout(&used)?;
        if let (Kind::Logit(_), Some(layout)) = (&self.kind, &layout) {
            let outcomes = layout.regression(&used).map(|regression| regression.response).unwrap_or_default();
            if outcomes.iter().any(|outcome| *outcome != 0.0 && *outcome != 1.0) {
                return Err(fail(
                    "its outcome has other values than 0 and 1",
                    "put a boolean, a category of two levels, or a column of 0 and 1 on the left of ~",
                ));
            }
        }
        let terms = match &layout {
            Some(layout) => layout.names().iter().cloned().map(Some).collect(),
            None => vec![None],
        };
        let kept = layout.as_ref().map_or_else(Vec::new, |layout| self.independent(layout, &used));
        let mut prepared =
            PreparedStatistic { statistic: self.clone(), terms, layout, kept, released: Vec::new() };
        prepared.released = prepared.of_all(released);
        if prepared.released.iter().all(|value| !value.is_finite()) {
            return Err(fail(
                "it is undefined in the release",
                "its columns may be constant, missing or separated in all rows that are asked for, or weights may be negative",
            ));
        }
        Ok(prepared)
    }

    /// Columns of a regression that depend on none before them.
    fn independent(&self, layout: &Layout, table: &Table) -> Vec<usize> {
        let Ok(Regression { columns, response, rows }) = layout.regression(table) else { return Vec::new() };
        let weights = self.weights(table).map(|weights| chosen(&weights, &rows));
        let found = weighted(columns, vec![0.0; response.len()], weights.as_deref());
        (0..found.len()).filter(|&column| !found[column].is_nan()).collect()
    }

    /// The weights of rows, if they have any. A missing weight leaves its row out.
    fn weights(&self, table: &Table) -> Option<Vec<f64>> {
        let name = self.weight.as_deref()?;
        let weight = |weight: f64| if weight.is_nan() { 0.0 } else { weight };
        Some(reals(table, name).into_iter().map(weight).collect())
    }

    /// The rows that pass the condition.
    pub(super) fn filtered(&self, table: &Table) -> Table {
        let Some(filter) = &self.filter else { return table.clone() };
        let passing = filter.passing(table);
        let rows: Vec<u32> = (0..).zip(passing).filter(|(_, passes)| *passes).map(|(row, _)| row).collect();
        table.take(&rows)
    }
}

impl PreparedStatistic {
    /// Names of its numbers.
    pub fn terms(&self) -> &[Option<String>] {
        &self.terms
    }

    /// Kinds of its numbers, in the same order.
    pub fn kinds(&self) -> Vec<NumberKind> {
        let intercept = |term: &Option<String>| term.as_deref() == Some(INTERCEPT);
        // Without an intercept coefficients may be means of groups.
        let beside = self.terms.iter().any(intercept);
        let kind = |term: &Option<String>| match &self.statistic.kind {
            Kind::Share(_) => NumberKind::Share,
            Kind::Correlation(..) => NumberKind::Association,
            Kind::LeastSquares(_) | Kind::Logit(_) if beside && !intercept(term) => NumberKind::Association,
            Kind::LeastSquares(_) | Kind::Logit(_) | Kind::Mean(_) | Kind::Quantile(..) => NumberKind::Other,
        };
        self.terms.iter().map(kind).collect()
    }

    /// Its numbers in the release, in the order of the terms; NaN for those that are undefined.
    pub fn released(&self) -> &[f64] {
        &self.released
    }

    /// The mean of its numbers over tables.
    pub fn of_all(&self, tables: &[Table]) -> Vec<f64> {
        let mut sums = vec![0.0; self.terms.len()];
        for table in tables {
            sums.iter_mut().zip(self.of(table)).for_each(|(sum, value)| *sum += value);
        }
        sums.into_iter().map(|sum| sum / tables.len() as f64).collect()
    }

    /// Its numbers on a table, in the order of the terms; NaN for those that are undefined.
    pub fn of(&self, table: &Table) -> Vec<f64> {
        let filtered;
        let table = if self.statistic.filter.is_some() {
            filtered = self.statistic.filtered(table);
            &filtered
        } else {
            table
        };
        let weights = self.statistic.weights(table);
        // A negative weight has no meaning.
        if weights.iter().flatten().any(|weight| *weight < 0.0) {
            return self.undefined();
        }
        let weight = |row: usize| weights.as_ref().map_or(1.0, |weights| weights[row]);
        match &self.statistic.kind {
            Kind::Mean(column) => vec![mean(&reals(table, column), weight)],
            Kind::Quantile(column, level) => {
                vec![quantile(&reals(table, column), *level, weights.as_deref())]
            }
            Kind::Share(condition) => {
                let truth = |truth: Option<bool>| truth.map_or(f64::NAN, |truth| f64::from(u8::from(truth)));
                let truths: Vec<f64> = condition.holds(table).into_iter().map(truth).collect();
                vec![mean(&truths, weight)]
            }
            Kind::Correlation(one, other) => {
                vec![correlation(&reals(table, one), &reals(table, other), weight)]
            }
            Kind::LeastSquares(_) | Kind::Logit(_) => self.coefficients(table, weights.as_deref()),
        }
    }

    fn undefined(&self) -> Vec<f64> {
        vec![f64::NAN; self.terms.len()]
    }

    /// The coefficients of the columns that the release keeps. One whose level does not occur in a table has none there.
    /// Where another column depends on those before it, as all do without the level that others are compared with,
    /// coefficients would be of something else than in the release: there are none at all.
    fn coefficients(&self, table: &Table, weights: Option<&[f64]>) -> Vec<f64> {
        let Some(regression) = self.layout.as_ref().and_then(|layout| layout.regression(table).ok()) else {
            return self.undefined();
        };
        let Regression { mut columns, response, rows } = regression;
        let weights = weights.map(|weights| chosen(weights, &rows));
        let columns: Vec<Vec<f64>> =
            self.kept.iter().map(|&column| std::mem::take(&mut columns[column])).collect();
        let counts = |row: usize| weights.as_ref().is_none_or(|weights| weights[row] > 0.0);
        let is_absent =
            |column: &Vec<f64>| column.iter().enumerate().all(|(row, x)| *x == 0.0 || !counts(row));
        let absent: Vec<bool> = columns.iter().map(is_absent).collect();
        let found = if !matches!(self.statistic.kind, Kind::Logit(_)) {
            weighted(columns, response, weights.as_deref())
        } else if response.iter().all(|outcome| *outcome == 0.0 || *outcome == 1.0) {
            logit(&columns, &response, weights.as_deref())
        } else {
            return self.undefined();
        };
        let mut values = self.undefined();
        if found.iter().zip(&absent).any(|(value, absent)| value.is_nan() && !absent) {
            return values;
        }
        for (&column, value) in self.kept.iter().zip(found) {
            values[column] = value;
        }
        values
    }
}

/// The values of some rows.
fn chosen(values: &[f64], rows: &[usize]) -> Vec<f64> {
    rows.iter().map(|&row| values[row]).collect()
}

/// A column as numbers, NaN where missing.
fn reals(table: &Table, name: &str) -> Vec<f64> {
    table.column(name).map(Column::values).map_or_else(|| vec![f64::NAN; table.rows()], Values::to_reals)
}

fn mean(values: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for (row, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        let weight = weight(row);
        sum += weight * value;
        total += weight;
    }
    sum / total
}

/// The quantile of R's and NumPy's default; with weights the least value at which the weights of values up to it
/// reach the level.
fn quantile(values: &[f64], level: f64, weights: Option<&[f64]>) -> f64 {
    let mut order: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
    if order.is_empty() {
        return f64::NAN;
    }
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let Some(weights) = weights else {
        let place = level * (order.len() - 1) as f64;
        let (low, part) = (place.floor(), place.fract());
        let at = |place: usize| values[order[place.min(order.len() - 1)]];
        let (below, above) = (at(low as usize), at(low as usize + 1));
        return below + part * (above - below);
    };
    let total: f64 = order.iter().map(|&row| weights[row]).sum();
    let mut reached = 0.0;
    for &row in &order {
        reached += weights[row];
        if reached >= level * total && reached > 0.0 {
            return values[row];
        }
    }
    f64::NAN
}

fn correlation(one: &[f64], other: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let both: Vec<usize> = (0..one.len()).filter(|&row| !one[row].is_nan() && !other[row].is_nan()).collect();
    let total: f64 = both.iter().map(|&row| weight(row)).sum();
    let mean = |values: &[f64]| both.iter().map(|&row| weight(row) * values[row]).sum::<f64>() / total;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let (mut product, mut of_one, mut of_other) = (0.0, 0.0, 0.0);
    for &row in &both {
        let (a, b, w) = (one[row] - mean_one, other[row] - mean_other, weight(row));
        product += w * a * b;
        of_one += w * a * a;
        of_other += w * b * b;
    }
    product / (of_one * of_other).sqrt()
}
