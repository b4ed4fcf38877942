//! Error bars for analyses of a release in a folder: opening it, rehearsing it, and rehearsals kept as files.

mod kept;
mod open;

pub use kept::{KeptRehearsals, RehearseOptions, rehearse_into};
pub use open::{OpenedRelease, open_release};

use indistinct::interval::{
    DEFAULT_REPLICATES, FEWEST_REPLICATES, Interval, Of, Rehearsal, RehearsalError, Rehearsals, Series,
    Statistic, StatisticError, Study, StudyError, study, study_with,
};
use indistinct::privacy::Guarantee;
use indistinct::progress::Progress;
use indistinct::synthesis::Release;
use indistinct::table::Table;

use crate::{Failure, one_line};

/// The probability that an interval is to have, where nobody says.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// Options of error bars, not yet checked.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct IntervalOptions {
    /// Number of rehearsals.
    pub replicates: usize,
    /// The probability that an interval is to have.
    pub level: f64,
    /// The estimand: the population, or the private table.
    pub of: Of,
    /// The seed of random numbers. The same release then has the same bars.
    pub seed: u64,
}

impl Default for IntervalOptions {
    fn default() -> Self {
        Self { replicates: DEFAULT_REPLICATES, level: DEFAULT_LEVEL, of: Of::default(), seed: 0 }
    }
}

impl IntervalOptions {
    /// Checks the options, as far as that needs no release.
    ///
    /// # Errors
    /// When there are too few rehearsals, or the level is no probability.
    pub fn check(&self) -> Result<(), Failure> {
        check_rehearsals("replicates", self.replicates)?;
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Failure::usage("--level must be between 0 and 1").advise("as in --level 0.95"));
        }
        Ok(())
    }
}

/// Checks the number of rehearsals that an option of this name asks for.
///
/// # Errors
/// When there are too few.
pub fn check_rehearsals(option: &str, given: usize) -> Result<(), Failure> {
    if given >= FEWEST_REPLICATES {
        return Ok(());
    }
    Err(Failure::usage(format!("--{option} {given} is too few to tell how much a number varies"))
        .advise(format!("use at least {FEWEST_REPLICATES}, better {DEFAULT_REPLICATES}")))
}

/// The version of this program, which makes the rehearsals.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The note on rows that are not drawn one by one.
pub const PERSONS: &str = "persons may own several rows, and rehearsals draw rows one by one: bars for the population are too narrow where rows of one person are alike";

/// One number with its bar.
#[derive(Debug, Clone, PartialEq)]
pub struct StatisticInterval {
    /// The statistic as typed.
    pub statistic: String,
    /// The name of the number, if the statistic has several.
    pub term: Option<String>,
    /// The number and its bar.
    pub interval: Interval,
}

/// Numbers with their bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Intervals {
    /// In the order asked for.
    pub statistics: Vec<StatisticInterval>,
    /// The options.
    pub options: IntervalOptions,
    /// Notes on the numbers.
    pub notes: Vec<String>,
}

impl Intervals {
    /// The bars of studied statistics.
    pub fn of(studies: &[Study], options: &IntervalOptions) -> Self {
        let mut statistics = Vec::new();
        for study in studies {
            for (term, series) in study.terms.iter().zip(&study.series) {
                let interval = series.interval(options.of, options.level).within(study.range);
                statistics.push(StatisticInterval {
                    statistic: study.statistic.clone(),
                    term: term.clone(),
                    interval,
                });
            }
        }
        let notes = statistics.iter().filter_map(|one| one.note(options.replicates)).collect();
        Self { statistics, options: options.clone(), notes }
    }
}

impl StatisticInterval {
    /// The statistic with its term, on one line.
    pub fn name(&self) -> String {
        match &self.term {
            Some(term) => one_line(&format!("{}: {term}", self.statistic)),
            None => one_line(&self.statistic),
        }
    }

    fn note(&self, replicates: usize) -> Option<String> {
        let Interval { estimate, undefined, se, .. } = self.interval;
        let name = self.name();
        if !estimate.is_finite() {
            return Some(match self.term {
                Some(_) => format!(
                    "{name} is undefined in the release: its column depends on those before it, in all tables or in one"
                ),
                None => format!("{name} is undefined in a table of the release"),
            });
        }
        if se == 0.0 {
            return Some(format!(
                "{name} was the same in all rehearsals: they cannot show how wrong it may be, if it can be wrong at all"
            ));
        }
        if undefined == 0 {
            return None;
        }
        Some(if self.interval.se.is_nan() {
            format!("{name} has no interval: it was undefined in {undefined} of {replicates} rehearsals")
        } else {
            format!("{name} was undefined in {undefined} of {replicates} rehearsals, which were left out")
        })
    }
}

/// Reads statistics of an opened release.
///
/// # Errors
/// When there are none, or one does not fit the columns.
pub fn statistics(opened: &OpenedRelease, texts: &[String]) -> Result<Vec<Statistic>, Failure> {
    if texts.is_empty() {
        return Err(Failure::usage("no statistic is given")
            .advise("as in \"mean(income)\" or \"income ~ age + sex\""));
    }
    texts
        .iter()
        .map(|text| {
            Statistic::parse(text, opened.release().schema()).map_err(|error| statistic_failure(&error))
        })
        .collect()
}

/// Statistics of a release with their bars, by rehearsals made for them, or by those kept in files.
///
/// # Errors
/// When an option is wrong, a statistic does not fit the release, or the release cannot be rehearsed.
pub fn intervals(
    opened: &OpenedRelease,
    texts: &[String],
    options: &IntervalOptions,
    kept: Option<&KeptRehearsals>,
    progress: &dyn Progress,
) -> Result<Intervals, Failure> {
    let mut options = options.clone();
    if let Some(kept) = kept {
        options.replicates = kept.replicates();
        options.seed = kept.seed();
    }
    options.check()?;
    let statistics = statistics(opened, texts)?;
    // What is undefined in the release is told before anything is rehearsed.
    for statistic in &statistics {
        statistic.prepare(opened.tables()).map_err(|error| statistic_failure(&error))?;
    }
    let made;
    let rehearsals: &dyn Rehearsals = if let Some(kept) = kept {
        kept
    } else {
        made = opened.rehearsal(options.seed)?;
        &made
    };
    let studies = study(rehearsals, opened.tables(), &statistics, options.replicates, progress);
    let mut found = Intervals::of(&studies.map_err(|error| study_failure(&error))?, &options);
    found.notes.extend(opened.notes());
    let weight = opened.release().schema().columns().iter().find(|column| column.is_weight());
    if let Some(weight) = weight
        && statistics.iter().any(|statistic| statistic.weight().is_none())
    {
        let name = weight.name();
        found.notes.push(format!("the release has survey weights, `{name}`: use them by weight = {name}, as in mean(x, weight = {name})"));
    }
    Ok(found)
}

/// Statistics of all tables of a release in memory, with their bars, and numbers of one's own in the release and in all
/// rehearsals. A statistic that is undefined in the tables is left out.
///
/// # Errors
/// When the release cannot be rehearsed.
pub fn intervals_of_release(
    release: &Release,
    tables: &[Table],
    texts: &[String],
    own: &(dyn Fn(&[Table]) -> Vec<f64> + Sync),
    options: &IntervalOptions,
    progress: &dyn Progress,
) -> Result<(Intervals, Vec<Series>), Failure> {
    options.check()?;
    let parsed = texts.iter().filter_map(|text| Statistic::parse(text, release.schema()).ok());
    let statistics: Vec<Statistic> = parsed.filter(|statistic| statistic.prepare(tables).is_ok()).collect();
    let rehearsal = Rehearsal::of(release, options.seed)
        .map_err(|error| rehearsal_failure(&error.to_string(), &error))?;
    let found = study_with(&rehearsal, tables, &statistics, own, options.replicates, progress);
    let (studies, own) = found.map_err(|error| study_failure(&error))?;
    Ok((Intervals::of(&studies, options), own))
}

/// The bar of one number that a caller has computed on the release, on the model and on all rehearsals.
pub fn interval_of(series: &Series, options: &IntervalOptions) -> Interval {
    series.interval(options.of, options.level)
}

impl OpenedRelease {
    /// Prepares to rehearse the release.
    ///
    /// # Errors
    /// When it cannot be rehearsed.
    pub fn rehearsal(&self, seed: u64) -> Result<Rehearsal, Failure> {
        Rehearsal::of(self.release(), seed).map_err(|error| self.rehearsal_failure(&error))
    }

    /// Notes on all numbers of the release, whatever they are: when rehearsals may differ from it.
    pub fn notes(&self) -> Vec<String> {
        let Some(certificate) = self.release().certified() else { return Vec::new() };
        let mut notes = Vec::new();
        if let Guarantee::None { because } = certificate.guarantee() {
            notes.push(format!("the release promises no privacy: {}", because.join("; ")));
        }
        if certificate.version() != VERSION {
            notes.push(format!(
                "the release was made by version {}, and is rehearsed by {VERSION}: what that does may differ, and the bars with it",
                certificate.version()
            ));
        }
        if certificate.rows_per_person().get() > 1 {
            notes.push(PERSONS.to_owned());
        }
        notes.iter().map(|note| one_line(note)).collect()
    }

    fn rehearsal_failure(&self, error: &RehearsalError) -> Failure {
        rehearsal_failure(&format!("{}: {error}", self.folder().display()), error)
    }
}

/// The failure when a statistic does not fit the release.
pub(crate) fn statistic_failure(error: &StatisticError) -> Failure {
    Failure::failed(one_line(&error.to_string())).advise(one_line(error.advice()))
}

fn rehearsal_failure(what: &str, error: &RehearsalError) -> Failure {
    Failure::failed(one_line(what)).advise(error.advice())
}

/// The failure when statistics cannot be studied.
pub fn study_failure(error: &StudyError) -> Failure {
    match error {
        StudyError::Statistic(error) => statistic_failure(error),
        StudyError::Rehearsal(error) => rehearsal_failure(&error.to_string(), error),
        StudyError::Stopped => Failure::stopped(),
    }
}
