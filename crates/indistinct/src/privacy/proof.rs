//! The proofs that a sensitivity can name.

use std::fmt;

/// The existing proofs: pages in this crate's folder `proofs`, as tests check.
///
/// A sensitivity can be called proven only by naming one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Proof {
    /// pMSE over cells that do not depend on the private rows, real and in integers.
    PmseSensitivity,
    /// pMAE, or total variation, over such cells, real and in integers.
    PmaeSensitivity,
    /// Counts of private rows in such cells.
    CountsSensitivity,
    /// Rows in an interval, and rows to change until the fullest cells of some width hold half of them.
    IntervalSearch,
    /// The largest integer objective over trees.
    OptimalSensitivity,
    /// The splits of all nodes of one level of a tree.
    TreeGrowth,
    /// Sums over rows that were clipped to bounds.
    ClippedSums,
    /// The count of rows in one cell, and draws from a smoothed histogram.
    SmoothHistogram,
    /// Sums of products of scores.
    ScoreProducts,
}

impl Proof {
    /// All proofs.
    pub const ALL: [Self; 9] = [
        Self::PmseSensitivity,
        Self::PmaeSensitivity,
        Self::CountsSensitivity,
        Self::IntervalSearch,
        Self::OptimalSensitivity,
        Self::TreeGrowth,
        Self::ClippedSums,
        Self::SmoothHistogram,
        Self::ScoreProducts,
    ];

    /// The name of the page, without its ending.
    pub const fn page(self) -> &'static str {
        match self {
            Self::PmseSensitivity => "pmse_sensitivity",
            Self::PmaeSensitivity => "pmae_sensitivity",
            Self::CountsSensitivity => "counts_sensitivity",
            Self::IntervalSearch => "interval_search",
            Self::OptimalSensitivity => "optimal_sensitivity",
            Self::TreeGrowth => "tree_growth",
            Self::ClippedSums => "clipped_sums",
            Self::SmoothHistogram => "smooth_histogram",
            Self::ScoreProducts => "score_products",
        }
    }

    /// The proof on the page with this name.
    pub fn from_page(page: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|proof| proof.page() == page)
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.page())
    }
}
