//! The settings of a release, read back from its certificate so that it can be rehearsed.

use super::RehearsalError;
use crate::normal::{CandidateDiscriminator, NormalOptions, Sampler};
use crate::privacy::{Certificate, Epsilon};
use crate::quality::Quality;
use crate::terms::Terms;

/// The terms of a release, and the options of its model.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    pub(super) terms: Terms,
    /// Options of the normal model, if it is one.
    pub(super) normal: Option<NormalOptions>,
}

impl Recipe {
    /// The recipe of the release that a certificate was written for.
    ///
    /// # Errors
    /// When it was made by a comparison method, a random walk or trees: a certificate does not have all of their
    /// settings.
    pub fn of(certificate: &Certificate) -> Result<Self, RehearsalError> {
        let facts = certificate.facts();
        if let Some(comparison) = &facts.comparison {
            return Err(RehearsalError::Method(comparison.method.clone()));
        }
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let terms = Terms {
            epsilon: certificate.epsilon(),
            delta: certificate.delta(),
            neighbours: certificate.neighbours(),
            rows_per_person: certificate.rows_per_person().get(),
            draws: count(facts.draws),
            tables: count(facts.tables),
            score_epsilon: facts.score.map_or(Epsilon::ZERO, |score| score.epsilon),
        };
        if facts.model == "mixed" {
            return Ok(Self { terms, normal: None });
        }
        if facts.sampler != "zoom" {
            return Err(RehearsalError::Method(facts.sampler.clone()));
        }
        if facts.discriminator != "partition" {
            return Err(RehearsalError::Method(facts.discriminator.clone()));
        }
        let options = NormalOptions {
            quality: if facts.quality == "pmse" { Quality::Pmse } else { Quality::Pmae },
            discriminator: CandidateDiscriminator::Partition,
            sampler: Sampler::Zoom,
            measure_share: Some(facts.measure_share),
            paper_sensitivity: facts.sensitivity == "paper",
            ..NormalOptions::default()
        };
        Ok(Self { terms, normal: Some(options) })
    }
}
