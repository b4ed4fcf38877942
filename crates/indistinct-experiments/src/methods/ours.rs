//! This program's releases: one private draw, ten tables from it.

use indistinct::model::SequentialNormal;
use indistinct::privacy::{Delta, Epsilon, Randomness};
use indistinct::quality::Quality;
use indistinct::random::{Generator, Seed};
use indistinct::release::{Discriminator, ReleaseOptions, Sampler, release};
use rand::Rng;

use super::outcome::Private;
use crate::paper::DRAWS;

/// Settings of this program that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ours {
    /// As it comes: locate, measure, fit.
    Default,
    /// The exponential mechanism on the pMSE of the partition, drawn from exactly: `--quality pmse --measure-share 0`.
    Pmse,
}

impl Ours {
    /// A name for files.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Default => "indistinct-default",
            Self::Pmse => "indistinct-pmse",
        }
    }

    /// A name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "indistinct, default",
            Self::Pmse => "indistinct, pMSE",
        }
    }

    /// The options that stand for it on the command line, with a space before them.
    pub fn flags(self) -> &'static str {
        match self {
            Self::Default => "",
            Self::Pmse => " --quality pmse --measure-share 0",
        }
    }

    fn options(self, epsilon: Epsilon) -> ReleaseOptions {
        ReleaseOptions {
            delta: Delta::ZERO,
            epsilon,
            quality: if self == Self::Pmse { Quality::Pmse } else { Quality::Pmae },
            discriminator: Discriminator::Partition,
            sampler: Sampler::Zoom,
            measure_share: if self == Self::Default { None } else { Some(0.0) },
            paper_sensitivity: false,
            draws: 1,
            tables: DRAWS,
            score_epsilon: Epsilon::ZERO,
            rows_per_person: 1,
            candidates: None,
            sets: 1,
        }
    }

    /// The one theta that was drawn, as often as tables are made from it.
    pub(super) fn models(
        self,
        private: &Private,
        epsilon: Epsilon,
        random: &mut Generator,
    ) -> Result<Vec<SequentialNormal>, String> {
        let plan = self.options(epsilon).plan(private.rows.rows(), private.rows.columns());
        let plan = plan.map_err(|error| error.to_string())?;
        let randomness = Randomness::seeded(Seed(random.next_u64()));
        let released =
            release(&private.rows, &plan, randomness, &|| {}).map_err(|error| error.to_string())?;
        let tables = plan.options().tables as usize;
        Ok(released.models.iter().flat_map(|model| std::iter::repeat_n(model.clone(), tables)).collect())
    }
}
