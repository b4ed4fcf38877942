//! Regressions on a release with standard errors by rehearsals.

use std::path::PathBuf;

use indistinct::combine::{Coefficient, CombineOptions, Combined, Rule, Target, combine, student};
use indistinct::interval::{Of, Statistic};
use indistinct::progress::Progress;

use super::Combination;
use crate::interval::{
    IntervalOptions, StatisticInterval, intervals, open_release, statistic_failure, statistics,
};
use crate::{Failure, one_line};

/// The name that stands in the place of a rule's.
const REHEARSALS: &str = "rehearsals";

/// Rehearsals of a release for its regressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RehearsedOptions {
    /// Number of rehearsals.
    pub replicates: usize,
    /// The seed of random numbers.
    pub seed: u64,
}

/// Combines the tables of a release folder, with standard errors by rehearsals of the release. The formula is a regression
/// in the language of statistics: `y ~ x` or `logit(y ~ x)`, with weights and a condition if it has them.
///
/// # Errors
/// When no release is named, a rule is asked for, the formula does not fit, or the release cannot be rehearsed.
pub fn of_rehearsals(
    named: &[PathBuf],
    formula: &str,
    options: &CombineOptions,
    rehearsed: RehearsedOptions,
    progress: &dyn Progress,
) -> Result<Combination, Failure> {
    let [folder] = named else {
        return Err(Failure::usage("--rehearse is for the folder of one release")
            .advise("name the folder that `indistinct synth --out` made"));
    };
    if options.rule.is_some() || options.draws.is_some() || options.epsilon.is_some() || options.n.is_some() {
        return Err(Failure::usage("--rehearse takes the place of a rule")
            .advise("leave out --rule, --n, --draws and --epsilon, or --rehearse"));
    }
    let opened = open_release(folder)?;
    let texts = [formula.to_owned()];
    let Some(regression) = statistics(&opened, &texts)?.into_iter().find(Statistic::is_regression) else {
        return Err(Failure::usage(one_line(&format!("{formula} is no regression"))).advise(
            "write y ~ x + z or logit(y ~ x + z); `indistinct interval` has error bars for other statistics",
        ));
    };
    let asked = IntervalOptions {
        replicates: rehearsed.replicates,
        level: options.level,
        of: match options.target {
            Target::Population => Of::Population,
            Target::Original => Of::Table,
        },
        seed: rehearsed.seed,
    };
    let found = intervals(&opened, &texts, &asked, None, progress)?;
    let (estimated, aliased): (Vec<&StatisticInterval>, Vec<&StatisticInterval>) =
        found.statistics.iter().partition(|one| one.interval.estimate.is_finite());
    let rows = regression.rows_of(opened.tables()).map_err(|error| statistic_failure(&error))?;
    let private = opened.release().certificate().facts().rows as usize;
    let rule = Rule::EstimatesOnly { n: private };
    // What least squares say of themselves: the residuals, and the errors that rows alone would have.
    let fitted = regression
        .least_squares(opened.tables())
        .and_then(|fits| combine(&fits, &rule, options.target, options.level).ok());
    let before = |name: &str| {
        let fitted = fitted.iter().flat_map(|fitted| &fitted.coefficients);
        fitted.into_iter().find(|coefficient| coefficient.name == name)
    };
    let coefficients = estimated.into_iter().map(|one| {
        let name = one.term.clone().unwrap_or_default();
        coefficient(one, before(&name), rehearsed.replicates)
    });
    let files = opened.release().certificate().files().keys().filter(|name| name.starts_with("synthetic"));
    Ok(Combination {
        formula: formula.trim().to_owned(),
        files: files.map(|name| folder.join(name).display().to_string()).collect(),
        rule,
        no_intervals: None,
        found: Combined {
            rule: REHEARSALS,
            target: options.target.name(),
            tables: opened.tables().len(),
            rows: rows.iter().map(|rows| rows.passing).sum::<usize>() / rows.len().max(1),
            complete_rows: rows.iter().map(|rows| rows.complete).collect(),
            n: Some(private),
            level: options.level,
            coefficients: coefficients.collect(),
            aliased: aliased.into_iter().filter_map(|one| one.term.clone()).collect(),
            sigma: fitted.as_ref().map_or(f64::NAN, |fitted| fitted.sigma),
        },
        notes: found.notes,
    })
}

/// Whether a formula asks for logistic regression, with or without a condition after it.
pub(super) fn is_logit(formula: &str) -> bool {
    let inside = formula.trim_start().strip_prefix("logit").map(str::trim_start);
    let inside = inside.and_then(|rest| rest.strip_prefix('('));
    inside.is_some_and(|inside| inside.split(')').next().is_some_and(|head| head.contains('~')))
}

fn coefficient(one: &StatisticInterval, fitted: Option<&Coefficient>, replicates: usize) -> Coefficient {
    let interval = one.interval;
    let df = (replicates - interval.undefined).saturating_sub(1) as f64;
    Coefficient {
        name: one.term.clone().unwrap_or_default(),
        estimate: interval.estimate,
        std_error: interval.se,
        df,
        t: interval.t,
        p: student::two_sided(interval.t, df),
        low: interval.low,
        high: interval.high,
        within: fitted.map_or(f64::NAN, |fitted| fitted.within),
        between: fitted.and_then(|fitted| fitted.between),
    }
}
