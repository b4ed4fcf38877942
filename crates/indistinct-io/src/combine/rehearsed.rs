//! Regressions on a release with standard errors by rehearsals.

use std::path::PathBuf;

use indistinct::combine::{Coefficient, CombineOptions, Combined, Rule, RuleName, Target, student};
use indistinct::interval::Of;
use indistinct::progress::Progress;

use super::{Combination, of_files};
use crate::Failure;
use crate::interval::{
    IntervalOptions, StatisticInterval, intervals, open_release, statistic_failure, statistics,
};

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

/// Combines the tables of a release folder, with standard errors by rehearsals of the release. Formulas may be
/// `logit(y ~ x)`, for logistic regression.
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
    let asked = IntervalOptions {
        replicates: rehearsed.replicates,
        level: options.level,
        of: match options.target {
            Target::Population => Of::Population,
            Target::Original => Of::Table,
        },
        seed: rehearsed.seed,
    };
    let found = intervals(&opened, &[formula.to_owned()], &asked, None, progress)?;
    let mut combination = if is_logit(formula) {
        let rows = opened.tables().first().map_or(0, indistinct::table::Table::rows);
        let prepared = statistics(&opened, &[formula.to_owned()])?
            .into_iter()
            .map(|statistic| statistic.prepare(opened.tables()).map_err(|error| statistic_failure(&error)))
            .collect::<Result<Vec<_>, Failure>>()?;
        let complete = |table| prepared.iter().find_map(|logit| logit.complete_rows(table));
        let names =
            opened.release().certificate().files().keys().filter(|name| name.starts_with("synthetic"));
        Combination {
            formula: formula.trim().to_owned(),
            files: names.map(|name| folder.join(name).display().to_string()).collect(),
            rule: Rule::EstimatesOnly { n: opened.release().certificate().facts().rows as usize },
            notes: Vec::new(),
            no_intervals: None,
            found: Combined {
                rule: REHEARSALS,
                target: options.target.name(),
                tables: opened.tables().len(),
                rows,
                complete_rows: opened.tables().iter().filter_map(complete).collect(),
                n: None,
                level: options.level,
                coefficients: Vec::new(),
                aliased: Vec::new(),
                sigma: f64::NAN,
            },
        }
    } else {
        let mut alone = options.clone();
        alone.rule = Some(RuleName::None);
        of_files(named, formula, None, &alone)?
    };
    let before = std::mem::take(&mut combination.found.coefficients);
    let estimated = found.statistics.iter().filter(|one| one.interval.estimate.is_finite());
    combination.found.coefficients = estimated
        .map(|one| {
            let fitted = before.iter().find(|coefficient| Some(&coefficient.name) == one.term.as_ref());
            coefficient(one, fitted, rehearsed.replicates)
        })
        .collect();
    combination.found.rule = REHEARSALS;
    combination.found.n = opened.release().certified().map(|certificate| certificate.facts().rows as usize);
    combination.notes = found.notes;
    combination.no_intervals = None;
    Ok(combination)
}

/// Whether a formula asks for logistic regression.
pub(super) fn is_logit(formula: &str) -> bool {
    formula.trim_start().strip_prefix("logit").is_some_and(|rest| rest.trim_start().starts_with('('))
        && !formula.trim_end().trim_end_matches(')').is_empty()
        && formula.trim_end().ends_with(')')
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
