//! Statistics of a release and of all its rehearsals.

use rayon::prelude::*;

use super::{
    FEWEST_REPLICATES, NumberKind, PreparedStatistic, Rehearsal, RehearsalError, Rehearsed, Replicate,
    Series, Statistic, StatisticError,
};
use crate::progress::Progress;
use crate::table::Table;

/// A statistic with all its numbers, in the release and in all rehearsals.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The statistic as it was written.
    pub statistic: String,
    /// The names of its numbers, such as coefficients; one without a name for a single number.
    pub terms: Vec<Option<String>>,
    /// Their values, in the same order.
    pub series: Vec<Series>,
    /// The least and the largest value that any of them can have, where one of them is known.
    pub range: Option<[f64; 2]>,
}

/// The reason why statistics cannot be studied.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A statistic that does not fit the release.
    #[error(transparent)]
    Statistic(#[from] StatisticError),
    /// The release cannot be rehearsed.
    #[error(transparent)]
    Rehearsal(#[from] RehearsalError),
    /// The work is no longer wanted.
    #[error("stopped")]
    Stopped,
}

/// Rehearsals that are made when they are needed, or were kept in files.
pub trait Rehearsals: Sync {
    /// The rows that stand for the population.
    fn population(&self) -> &Table;

    /// Rehearsal number `number`, from zero.
    ///
    /// # Errors
    /// When it cannot be made or read.
    fn rehearse(&self, number: u64) -> Result<Rehearsed, RehearsalError>;
}

impl Rehearsals for Rehearsal {
    fn population(&self) -> &Table {
        Self::population(self)
    }

    fn rehearse(&self, number: u64) -> Result<Rehearsed, RehearsalError> {
        Self::rehearse(self, number)
    }
}

/// Computes numbers of tables in the release, in its model, and in rehearsals, in parallel. `values` gives as many
/// numbers for all tables, NaN for those that are undefined. A rehearsal in which the program fails has no values.
///
/// # Errors
/// When so many rehearsals fail that nothing can be said, one that was kept cannot be read, or the work is no longer wanted.
pub fn series_of(
    rehearsals: &dyn Rehearsals,
    released: &[Table],
    values: &(dyn Fn(&[Table]) -> Vec<f64> + Sync),
    replicates: usize,
    progress: &dyn Progress,
) -> Result<Vec<Series>, StudyError> {
    progress.expect(replicates as u64);
    let estimates = values(released);
    let in_model = values(std::slice::from_ref(rehearsals.population()));
    let rehearsed = (0..replicates as u64).into_par_iter().map(|number| {
        if progress.stopped() {
            return Err(StudyError::Stopped);
        }
        let found = match rehearsals.rehearse(number) {
            // A damaged file says nothing about the statistic.
            Err(error @ RehearsalError::Kept(_)) => return Err(error.into()),
            found => found
                .map(|rehearsed| (values(&rehearsed.tables), values(std::slice::from_ref(&rehearsed.drawn)))),
        };
        progress.tick();
        Ok(found)
    });
    let rehearsed = rehearsed.collect::<Result<Vec<_>, StudyError>>()?;
    let made = rehearsed.iter().filter(|found| found.is_ok()).count();
    if made < FEWEST_REPLICATES.min(replicates) {
        let error = rehearsed.into_iter().find_map(Result::err);
        return Err(error.map_or(StudyError::Stopped, StudyError::from));
    }
    Ok(in_series(&estimates, &in_model, rehearsed.into_iter().map(Result::ok)))
}

/// Numbers by rehearsal as series; a rehearsal without values has NaN.
fn in_series(
    estimates: &[f64],
    in_model: &[f64],
    rehearsed: impl Iterator<Item = Option<(Vec<f64>, Vec<f64>)>>,
) -> Vec<Series> {
    let series = |(estimate, population): (&f64, &f64)| Series {
        estimate: *estimate,
        population: *population,
        kind: NumberKind::default(),
        replicates: Vec::new(),
    };
    let mut all: Vec<Series> = estimates.iter().zip(in_model).map(series).collect();
    for found in rehearsed {
        for (place, series) in all.iter_mut().enumerate() {
            let value = |values: &Vec<f64>| values.get(place).copied().unwrap_or(f64::NAN);
            let (released, drawn) = found
                .as_ref()
                .map_or((f64::NAN, f64::NAN), |(released, drawn)| (value(released), value(drawn)));
            series.replicates.push(Replicate { released, drawn });
        }
    }
    all
}

/// Computes statistics on the tables of a release, on its model, and on rehearsals, in parallel. Several tables count
/// by their mean.
///
/// # Errors
/// When a statistic is undefined in the release, or rehearsals fail.
pub fn study(
    rehearsals: &dyn Rehearsals,
    released: &[Table],
    statistics: &[Statistic],
    replicates: usize,
    progress: &dyn Progress,
) -> Result<Vec<Study>, StudyError> {
    let none = |_: &[Table]| Vec::new();
    study_with(rehearsals, released, statistics, &none, replicates, progress).map(|(studies, _)| studies)
}

/// The same with numbers of one's own beside the statistics, of the same rehearsals: see [`series_of`].
///
/// # Errors
/// Those of [`study`].
pub fn study_with(
    rehearsals: &dyn Rehearsals,
    released: &[Table],
    statistics: &[Statistic],
    own: &(dyn Fn(&[Table]) -> Vec<f64> + Sync),
    replicates: usize,
    progress: &dyn Progress,
) -> Result<(Vec<Study>, Vec<Series>), StudyError> {
    let prepared = statistics.iter().map(|statistic| statistic.prepare(released));
    let prepared = prepared.collect::<Result<Vec<PreparedStatistic>, _>>()?;
    let values = |tables: &[Table]| -> Vec<f64> {
        let of_statistics = prepared.iter().flat_map(|statistic| statistic.of_all(tables));
        of_statistics.chain(own(tables)).collect()
    };
    let mut series = series_of(rehearsals, released, &values, replicates, progress)?.into_iter();
    let study = |(statistic, prepared): (&Statistic, &PreparedStatistic)| Study {
        statistic: statistic.text().to_owned(),
        terms: prepared.terms().to_vec(),
        series: prepared
            .kinds()
            .into_iter()
            .zip(series.by_ref())
            .map(|(kind, series)| Series { kind, ..series })
            .collect(),
        range: statistic.range(),
    };
    let studies = statistics.iter().zip(&prepared).map(study).collect();
    Ok((studies, series.collect()))
}
