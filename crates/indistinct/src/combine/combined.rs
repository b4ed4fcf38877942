//! Estimates over all tables, with the standard errors of a rule.

use serde::Serialize;

use super::rule::Seen;
use super::{CombineError, Ols, Rule, Target, student};

/// A regression over several tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Combined {
    /// The rule's name.
    pub rule: &'static str,
    /// The target of inference: `population` or `original`.
    pub target: &'static str,
    /// Number of tables, m.
    pub tables: usize,
    /// Rows of a table, k; their mean if tables differ.
    pub rows: usize,
    /// Rows without missing values in the columns used, of each table.
    pub complete_rows: Vec<usize>,
    /// Rows of the original table, where the rule needs them.
    pub n: Option<usize>,
    /// Nominal coverage of intervals.
    pub level: f64,
    /// One for each coefficient that can be estimated.
    pub coefficients: Vec<Coefficient>,
    /// Coefficients that cannot be estimated, in any table: their columns depend on those before them.
    pub aliased: Vec<String>,
    /// Residual standard error: the root of the mean of its squares.
    pub sigma: f64,
}

/// One coefficient over all tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coefficient {
    /// Its name, as in R.
    pub name: String,
    /// Mean over the tables.
    pub estimate: f64,
    /// Its standard error by the rule. NaN for [`Rule::EstimatesOnly`], like all that follows from it below.
    pub std_error: f64,
    /// Degrees of freedom of Student's t; infinite for the normal distribution.
    pub df: f64,
    /// Estimate over standard error.
    pub t: f64,
    /// Probability of a t at least as far from zero if the coefficient were zero.
    pub p: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Mean of the tables' variances.
    pub within: f64,
    /// Variance among tables, or among the means of private draws; `None` for a single one.
    pub between: Option<f64>,
}

/// Combines the fits of one formula to several tables.
///
/// ```
/// use indistinct::combine::{Rule, Target, combine, ols};
/// let x = [1.0, 2.0, 3.0, 4.0, 5.0];
/// let fits = [ols(&[1.1, 1.9, 3.2, 3.9, 5.0], &[&x])?, ols(&[0.8, 2.1, 3.0, 4.2, 4.9], &[&x])?];
/// let found = combine(&fits, &Rule::Raab { n: 5 }, Target::Population, 0.95)?;
/// assert_eq!(found.coefficients[1].name, "x1");
/// assert!(found.coefficients[1].low < 1.0 && found.coefficients[1].high > 1.0);
/// # Ok::<(), indistinct::combine::CombineError>(())
/// ```
///
/// # Errors
/// When fits have different coefficients, the rule's parameters are invalid, or the level is not between 0 and 1.
pub fn combine(fits: &[Ols], rule: &Rule, target: Target, level: f64) -> Result<Combined, CombineError> {
    let Some(first) = fits.first() else { return Err(CombineError::NoTables) };
    same_coefficients(first, fits)?;
    if !(level > 0.0 && level < 1.0) {
        return Err(CombineError::Level);
    }
    let p = first.names().len();
    rule.check(fits.len(), p)?;
    let m = fits.len() as f64;
    let mean = |value: &dyn Fn(&Ols) -> f64| fits.iter().map(value).sum::<f64>() / m;
    // An original table of n rows had as many incomplete ones in proportion.
    let k = mean(&|fit| fit.rows() as f64);
    let n = rule.n().map_or(k, |n| n as f64);
    let complete = mean(&|fit| fit.used() as f64) / k;
    let groups = if let Rule::PrivateDraws { draws, .. } = rule { *draws } else { fits.len() };
    let variances: Vec<Vec<f64>> = fits.iter().map(Ols::variances).collect();
    let coefficient = |place: usize| {
        let estimate = mean(&|fit| fit.coefficients()[place]);
        let within = variances.iter().map(|of_table| of_table[place]).sum::<f64>() / m;
        let per_row = fits.iter().zip(&variances).map(|(fit, of_table)| fit.rows() as f64 * of_table[place]);
        let original = per_row.sum::<f64>() / m / n;
        let group_mean = |group: &[Ols]| {
            group.iter().map(|fit| fit.coefficients()[place]).sum::<f64>() / group.len() as f64
        };
        let between = (groups > 1).then(|| {
            let squares =
                fits.chunks(fits.len() / groups).map(|group| (group_mean(group) - estimate).powi(2));
            squares.sum::<f64>() / (groups - 1) as f64
        });
        let seen = Seen {
            m,
            within,
            between: between.unwrap_or(0.0),
            original,
            df_tables: fits.iter().map(|fit| fit.df() as f64).sum(),
            df_original: (n * complete - p as f64).max(1.0),
            place,
        };
        let (total, df) = rule.total(&seen, target);
        let std_error = total.sqrt();
        let t = estimate / std_error;
        let half = student::critical(1.0 - level, df) * std_error;
        Coefficient {
            name: first.names()[place].clone(),
            estimate,
            std_error,
            df,
            t,
            p: student::two_sided(t, df),
            low: estimate - half,
            high: estimate + half,
            within,
            between,
        }
    };
    Ok(Combined {
        rule: rule.name(),
        target: target.name(),
        tables: fits.len(),
        rows: k.round() as usize,
        complete_rows: fits.iter().map(Ols::used).collect(),
        n: rule.n(),
        level,
        coefficients: (0..p).map(coefficient).collect(),
        aliased: first.aliased().to_vec(),
        sigma: mean(&|fit| fit.sigma() * fit.sigma()).sqrt(),
    })
}

/// Checks that all fits estimate the same coefficients.
fn same_coefficients(first: &Ols, fits: &[Ols]) -> Result<(), CombineError> {
    for (fit, table) in fits.iter().zip(1..) {
        if fit.names() == first.names() && fit.aliased() == first.aliased() {
            continue;
        }
        let only_here = fit.aliased().iter().find(|name| first.names().contains(name));
        let only_first = first.aliased().iter().find(|name| fit.names().contains(name));
        return Err(match (only_here, only_first) {
            (Some(name), _) => CombineError::AliasedInSome { name: name.clone(), table },
            (None, Some(name)) => CombineError::AliasedInSome { name: name.clone(), table: 1 },
            (None, None) => CombineError::OtherCoefficients { table },
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combine::ols;

    /// Three tables of 5 rows: y = x + noise.
    fn fits() -> Vec<Ols> {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0];
        [
            [1.1, 1.9, 3.2, 3.9, 5.0],
            [0.8, 2.1, 3.0, 4.2, 4.9],
            [1.4, 2.2, 2.6, 4.1, 5.3],
            [0.9, 1.6, 3.1, 4.0, 5.2],
        ]
        .map(|y| ols(&y, &[&x]).unwrap())
        .to_vec()
    }

    #[test]
    fn rules_by_hand() {
        // Slopes Sxy/10 and their variances RSS/3/10.
        let slopes = [0.98, 1.03, 0.97, 1.1];
        let fits = fits();
        let q = slopes.iter().sum::<f64>() / 4.0;
        let b = slopes.iter().map(|slope| (slope - q).powi(2)).sum::<f64>() / 3.0;
        let v = fits.iter().map(|fit| fit.variances()[1]).sum::<f64>() / 4.0;
        let (k, n, m) = (5.0, 20.0, 4.0);
        // Pairs of tables from two draws.
        let pairs = [f64::midpoint(slopes[0], slopes[1]), f64::midpoint(slopes[2], slopes[3])];
        let b_draws = (pairs[0] - pairs[1]).powi(2) / 2.0;
        let df = |tables: f64, original: f64| 1.0 / (1.0 / tables + original / 18.0);
        let private = Rule::PrivateDraw { n: 20, epsilon: 2.0, efficiency: 0.5 };
        let counts = Rule::PrivateCounts { n: 20, excess: vec![0.0, 3.0 * v] };
        let draws = |loss: Option<Vec<f64>>| Rule::PrivateDraws { n: 20, draws: 2, loss };
        let (all, original) = (Target::Population, Target::Original);
        for (rule, target, total, degrees) in [
            (Rule::Raab { n: 20 }, all, v * (k / n + 1.0 / m), df(12.0, 1.0)),
            (Rule::Raab { n: 20 }, original, v / m, 12.0),
            (Rule::RaabPosterior { n: 20 }, all, v * (k / n + (1.0 + k / n) / m), df(12.0, 1.25)),
            (Rule::RaabPosterior { n: 20 }, original, v * (1.0 + k / n) / m, df(12.0, 0.25)),
            (Rule::Reiter, all, v + b / m, 3.0 * (1.0 + m * v / b).powi(2)),
            (Rule::Reiter, original, b / m, 3.0),
            (draws(None), all, v * k / n + b_draws / 2.0, (1.0 + 2.0 * v * k / n / b_draws).powi(2)),
            (draws(None), original, b_draws / 2.0, 1.0),
            // What cells lose is added for either target: every draw has lost the same.
            (
                draws(Some(vec![0.0, 2.0 * v])),
                all,
                v * (k / n + 2.0) + b_draws / 2.0,
                (1.0 + 2.0 * v * (k / n + 2.0) / b_draws).powi(2),
            ),
            (
                draws(Some(vec![0.0, 2.0 * v])),
                original,
                2.0 * v + b_draws / 2.0,
                (1.0 + 4.0 * v / b_draws).powi(2),
            ),
            // An efficiency of 1/2: the estimate that is drawn around has twice the variance.
            (private.clone(), all, v * (k / n * (2.0 + 8.0) + 1.0 / m), df(12.0, 10.0)),
            (private, original, v * (k / n * (1.0 + 8.0) + 1.0 / m), df(12.0, 9.0)),
            (counts.clone(), all, v * (0.5 + 3.0), (3.5f64 / 0.5).powi(2) * df(12.0, 1.0)),
            (counts, original, v * (0.25 + 3.0), (3.25f64 / 0.25).powi(2) * 12.0),
        ] {
            let found = combine(&fits, &rule, target, 0.9).unwrap();
            let slope = &found.coefficients[1];
            let close = |found: f64, wanted: f64| (found / wanted - 1.0).abs() < 1e-12;
            assert!(close(slope.estimate, q) && close(slope.within, v), "{rule:?}");
            assert!(close(slope.std_error, total.sqrt()), "{rule:?} {target:?}: {slope:?} {}", total.sqrt());
            assert!(close(slope.df, degrees), "{rule:?} {target:?}: {slope:?} {degrees}");
            assert!(close(slope.t, q / total.sqrt()), "{rule:?}");
            let half = student::critical(0.1, degrees) * total.sqrt();
            assert!(close(slope.low, q - half) && close(slope.high, q + half), "{rule:?}");
        }
    }

    #[test]
    fn rejects_invalid_parameters() {
        let fits = fits();
        let refused = |fits: &[Ols], rule: Rule| combine(fits, &rule, Target::Population, 0.95).unwrap_err();
        assert_eq!(refused(&[], Rule::Reiter), CombineError::NoTables);
        assert!(matches!(refused(&fits[..1], Rule::Reiter), CombineError::TooFewTables { .. }));
        assert!(matches!(refused(&fits, Rule::Raab { n: 2 }), CombineError::Original { .. }));
        let draws = |draws| Rule::PrivateDraws { n: 9, draws, loss: None };
        assert!(matches!(refused(&fits, draws(3)), CombineError::Draws { .. }));
        assert!(matches!(refused(&fits, draws(1)), CombineError::TooFewTables { .. }));
        assert!(matches!(refused(&fits, draws(0)), CombineError::TooFewTables { .. }));
        for (epsilon, efficiency) in [(0.0, 1.0), (1.0, f64::NAN), (f64::INFINITY, 1.0), (1.0, -1.0)] {
            let rule = Rule::PrivateDraw { n: 9, epsilon, efficiency };
            assert!(matches!(refused(&fits, rule), CombineError::NotPositive { .. }));
        }
        let rule = Rule::PrivateDraw { n: 9, epsilon: 1.0, efficiency: 1.1 };
        assert_eq!(refused(&fits, rule), CombineError::Efficiency);
        let rule = Rule::PrivateDraws { n: 9, draws: 2, loss: Some(vec![0.0]) };
        assert_eq!(refused(&fits, rule), CombineError::OtherCoefficients { table: 1 });
        for level in [0.0, 1.0, f64::NAN, 95.0] {
            let found = combine(&fits, &Rule::Raab { n: 9 }, Target::Population, level);
            assert_eq!(found, Err(CombineError::Level));
        }
        let x = [1.0, 2.0, 3.0, 4.0, 5.0];
        let aliased = ols(&x, &[&[1.0; 5]]).unwrap();
        let found = refused(&[fits[0].clone(), aliased.clone()], Rule::Reiter);
        assert_eq!(found, CombineError::AliasedInSome { name: "x1".to_owned(), table: 2 });
        let found = refused(&[aliased, fits[0].clone()], Rule::Reiter);
        assert_eq!(found, CombineError::AliasedInSome { name: "x1".to_owned(), table: 1 });
    }

    #[test]
    fn estimates_only_have_no_intervals() {
        let found = combine(&fits(), &Rule::EstimatesOnly { n: 9 }, Target::Population, 0.95).unwrap();
        assert_eq!((found.rule, found.n), ("none", Some(9)));
        let slope = &found.coefficients[1];
        assert!((slope.estimate - 1.02).abs() < 1e-12);
        for value in [slope.std_error, slope.df, slope.t, slope.p, slope.low, slope.high] {
            assert!(value.is_nan(), "{slope:?}");
        }
    }

    #[test]
    fn a_perfect_fit_has_no_standard_error() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let fit = ols(&[0.0; 4], &[&x]).unwrap();
        let found = combine(&[fit], &Rule::Raab { n: 4 }, Target::Population, 0.95).unwrap();
        let slope = &found.coefficients[1];
        assert_eq!((slope.estimate, slope.std_error, slope.low, slope.high), (0.0, 0.0, 0.0, 0.0));
        assert!(slope.t.is_nan() && slope.p.is_nan() && slope.between.is_none());
    }
}
