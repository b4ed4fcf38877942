//! Prospects of each column before anything is spent: by public quantities alone.

use super::MixedPlan;
use crate::dependence::moved_by_noise;
use crate::margin::{self, RangeOutlook};
use crate::privacy::Randomness;
use crate::random::Seed;

/// Share of all rows that the noise of a column's counts seems to move between its values, from which on a column
/// comes out coarse.
const COARSE: f64 = 0.2;
/// The same share from which on a column is mostly noise.
const MOSTLY_NOISE: f64 = 0.5;
/// The same share from which on a column is worse than nothing. A column of any number of levels up to
/// [`MOST_LEVELS`](super::MOST_LEVELS) whose frequencies fall like 1, 1/2, 1/3, ... then comes out further from
/// the truth than if all levels were taken to be equally frequent without looking; columns that are more even do
/// so long before. (`tests/mixed/hopeless.rs` tries it.)
pub(super) const TOO_MANY: f64 = 3.5;
/// Number of standard deviations that contain 95 % of normal errors.
const USUAL_ERROR: f64 = 1.96;

/// The prospects of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The column.
    pub column: String,
    /// The standard deviation of the noise of each of its counts.
    pub noise_sd: f64,
    /// Number of declared levels; `None` for numbers and dates.
    pub levels: Option<usize>,
    /// The share of all rows that noise seems to move between its values; more than 1 where it moves more rows
    /// than there are.
    pub moved: f64,
    /// The bound on 95 % of the errors of a share, that of the rows with any given value. At most 1.
    pub share: f64,
    /// Whether its limits are known or will be found.
    pub range: RangeOutlook,
    /// The look of the column.
    pub look: Look,
}

/// The look of a released column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// The column looks like itself.
    Well,
    /// Its frequent values are right, others are not.
    Coarse,
    /// Unless few values hold nearly all rows, it says little about them.
    MostlyNoise,
    /// The release says nothing about its values.
    NothingButNoise,
}

impl Look {
    /// The look of a column if noise seems to move this share of the rows.
    pub(in crate::mixed) fn of(moved: f64) -> Self {
        match moved {
            moved if moved >= TOO_MANY => Self::NothingButNoise,
            moved if moved >= MOSTLY_NOISE => Self::MostlyNoise,
            moved if moved >= COARSE => Self::Coarse,
            _ => Self::Well,
        }
    }
}

/// The share of all rows that noise seems to move between cells.
pub(in crate::mixed) fn moved(noise_sd: f64, cells: f64, rows: f64) -> f64 {
    moved_by_noise(noise_sd, 1) * cells / rows
}

impl MixedPlan {
    /// The prospects of every column, the worst first.
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
                        margin::range_outlook(&self.facts[column], &budget, share, rows)
                    },
                    look: if share >= 1.0 { Look::NothingButNoise } else { Look::of(moved) },
                }
            })
            .collect();
        all.sort_by(|a, b| b.moved.total_cmp(&a.moved));
        all
    }

    /// The bound on 95 % of the errors of a share, for the median column.
    pub(super) fn usual_share_error(&self) -> f64 {
        let mut all: Vec<f64> = self.outlooks().into_iter().map(|outlook| outlook.share).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    }
}
