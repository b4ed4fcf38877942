//! Options of a combination, and the words that they know.

use super::Target;

/// The usual probability of an interval.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// Options of a combination, not yet checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CombineOptions {
    /// The rule by which variances are combined [default: what the release was made by, none where that is one draw with
    /// noise of unknown size; raab for other tables, private-draws if `draws` is given, private-draw if `epsilon` is].
    pub rule: Option<RuleName>,
    /// The estimand: the population, or the private table.
    pub target: Target,
    /// Rows of the original table [default: the release's; as many as a synthetic table has].
    pub n: Option<usize>,
    /// private-draws: private draws that the tables come from, in order, as many tables from each.
    pub draws: Option<usize>,
    /// private-draw: epsilon of the draw.
    pub epsilon: Option<f64>,
    /// private-draw: information that the mechanism's cells keep, relative to the rows [default: 1].
    pub efficiency: Option<f64>,
    /// Probability that an interval is to have.
    pub level: f64,
}

/// The rule by which variances are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleName {
    /// Complete synthesis from fitted parameters (Raab, Nowok and Dibben 2017)
    Raab,
    /// Complete synthesis from parameters drawn from their posterior
    RaabPosterior,
    /// Partial synthesis (Reiter 2003)
    Reiter,
    /// Several private draws
    PrivateDraws,
    /// One private draw of the exponential mechanism with pMSE
    PrivateDraw,
    /// One private draw fitted to noisy counts
    PrivateCounts,
    /// Estimates without standard errors, as where the noise of one draw is not known
    None,
}

words!(RuleName {
    "raab" => Raab: "Complete synthesis from fitted parameters (Raab, Nowok and Dibben 2017)",
    "raab-posterior" => RaabPosterior: "Complete synthesis from parameters drawn from their posterior",
    "reiter" => Reiter: "Partial synthesis (Reiter 2003)",
    "private-draws" => PrivateDraws: "Several private draws",
    "private-draw" => PrivateDraw: "One private draw of the exponential mechanism with pMSE",
    "private-counts" => PrivateCounts: "One private draw fitted to noisy counts",
    "none" => None: "Estimates without standard errors, as where the noise of one draw is not known",
});

impl Default for CombineOptions {
    /// The defaults of the command.
    fn default() -> Self {
        Self {
            rule: None,
            target: Target::Population,
            n: None,
            draws: None,
            epsilon: None,
            efficiency: None,
            level: DEFAULT_LEVEL,
        }
    }
}
