//! How well each column will come out, before anything is spent: by public quantities alone.

use super::MixedPlan;
use crate::dependence::moved_by_noise;
use crate::margin::{self, RangeOutlook};
use crate::privacy::Randomness;
use crate::random::Seed;

/// Of all rows, the part that the noise of a column's counts seems to move between its values: from the first on a column comes
/// out coarse, from the second on it is mostly noise.
const COARSE: f64 = 0.2;
const MOSTLY_NOISE: f64 = 0.5;
/// And from this on it is worse than nothing. A column of any number of levels up to [`MOST_LEVELS`](super::MOST_LEVELS) whose
/// frequencies fall like 1, 1/2, 1/3, ... then comes out farther from the truth than if nobody had looked and all levels were taken
/// to be equally frequent; columns that are more even do so long before. (`tests/mixed/hopeless.rs` tries it.)
pub(super) const TOO_MANY: f64 = 3.5;
/// Standard deviations that 95 % of normal errors are within.
const USUAL_ERROR: f64 = 1.96;

/// What is to be expected of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The column.
    pub column: String,
    /// The standard deviation of the noise of each of its counts.
    pub noise_sd: f64,
    /// Declared levels; none of numbers and dates.
    pub levels: Option<usize>,
    /// Of all rows, the part that noise seems to move between its values; more than 1 where it moves more rows than there are.
    pub moved: f64,
    /// What 95 % of the errors of a share are within: of the rows with a value, whichever it is. At most 1.
    pub share: f64,
    /// Whether its limits are known or will be found.
    pub range: RangeOutlook,
    /// How that will look.
    pub look: Look,
}

/// How a column will look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// Like itself.
    Well,
    /// Its frequent values are right, others are not.
    Coarse,
    /// Unless few values hold nearly all rows, it says little about them.
    MostlyNoise,
    /// It says nothing about them.
    NothingButNoise,
}

impl Look {
    /// Of a column of which noise seems to move such a part of the rows.
    pub(in crate::mixed) fn of(moved: f64) -> Self {
        match moved {
            moved if moved >= TOO_MANY => Self::NothingButNoise,
            moved if moved >= MOSTLY_NOISE => Self::MostlyNoise,
            moved if moved >= COARSE => Self::Coarse,
            _ => Self::Well,
        }
    }
}

/// Of all rows, the part that noise seems to move between cells.
pub(in crate::mixed) fn moved(noise_sd: f64, cells: f64, rows: f64) -> f64 {
    moved_by_noise(noise_sd, 1) * cells / rows
}

impl MixedPlan {
    /// What is to be expected of every column, the worst first.
    pub fn outlooks(&self) -> Vec<Outlook> {
        let rows = self.rows as f64;
        let budget = self.budget(Randomness::seeded(Seed(0)));
        let mut all: Vec<Outlook> = (0..self.names.len())
            .map(|column| {
                let noise_sd = self.counts_noise(self.margin_share(column) * self.counted[column]);
                let moved = moved(noise_sd, self.cells[column], rows);
                // No matter how few values there are, all rows could be of one or of the other.
                let share = USUAL_ERROR * noise_sd / rows;
                let declared = &self.schema.columns()[column];
                Outlook {
                    column: self.names[column].clone(),
                    noise_sd,
                    levels: declared.kind().levels().map(|levels| levels.len()),
                    moved,
                    share: share.min(1.0),
                    range: if declared.kind().has_levels() {
                        RangeOutlook::Known
                    } else {
                        let share = self.margin_share(column);
                        margin::range_outlook(&self.facts[column], (&budget, share), rows)
                    },
                    look: if share >= 1.0 { Look::NothingButNoise } else { Look::of(moved) },
                }
            })
            .collect();
        all.sort_by(|a, b| b.moved.total_cmp(&a.moved));
        all
    }

    /// What 95 % of the errors of a share are within, in the middle one of all columns.
    pub(super) fn usual_share_error(&self) -> f64 {
        let mut all: Vec<f64> = self.outlooks().into_iter().map(|outlook| outlook.share).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    }
}
