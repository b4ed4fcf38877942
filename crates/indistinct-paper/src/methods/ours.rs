//! This program's releases: one private draw, ten tables from it.

use indistinct::Terms;
use indistinct::model::SequentialNormal;
use indistinct::normal::{NormalOptions, release};
use indistinct::privacy::{Epsilon, Randomness};
use indistinct::progress::Silent;
use indistinct::quality::Quality;
use indistinct::random::{Generator, Seed};
use rand::Rng;

use super::outcome::Private;
use crate::paper::DRAWS;

/// Settings of this program that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ours {
    /// The default settings: locate, measure, fit.
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

    fn options(self) -> NormalOptions {
        NormalOptions::default().with(|options| {
            options.quality = if self == Self::Pmse { Quality::Pmse } else { Quality::Pmae };
            options.measure_share = if self == Self::Default { None } else { Some(0.0) };
        })
    }

    /// The one theta that was drawn, as often as tables are made from it.
    pub(super) fn models(
        self,
        private: &Private,
        epsilon: Epsilon,
        random: &mut Generator,
    ) -> Result<Vec<SequentialNormal>, String> {
        let terms = Terms::of(epsilon).with(|terms| terms.tables = DRAWS);
        let plan = self.options().plan(terms, private.rows.rows(), private.rows.columns());
        let plan = plan.map_err(|error| error.to_string())?;
        let randomness = Randomness::seeded(Seed(random.next_u64()));
        let released =
            release(&private.rows, &plan, randomness, &Silent).map_err(|error| error.to_string())?;
        let tables = plan.terms().tables as usize;
        Ok(released.models.iter().flat_map(|model| std::iter::repeat_n(model.clone(), tables)).collect())
    }
}
