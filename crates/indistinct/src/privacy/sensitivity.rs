//! Sensitivities: how far one private row can move a number, proven, with the page that proves it, or unproven.

use super::bound::TWO;
use super::{Bound, Neighbours, Proof};
use std::num::NonZeroU64;

/// Numbers of score classes, finest first, each with its largest score: more classes see more, and cost more
/// noise.
pub(crate) const SCORE_FINENESS: [(usize, u64); 3] = [(8, 32), (4, 32), (2, 1)];

/// A bound on the effect of one row, proven or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sensitivity {
    /// There is a page that proves it.
    Proven {
        /// The bound between tables in which one row is substituted.
        bound: Bound,
        /// The bound between tables one of which has one more row; `None` if the page does not prove one.
        added: Option<Bound>,
        /// The page.
        proof: Proof,
    },
    /// Noise is scaled as if the bound held, and no guarantee is claimed.
    Unproven {
        /// The bound by which the noise is scaled all the same.
        assumed: Bound,
        /// The reason why it is not proven, in words for the certificate.
        why: String,
    },
}

impl Sensitivity {
    /// The sensitivity of the integer sum of `scale` * max(a - b, 0) over the cells of fixed partitions, where a
    /// and b are their synthetic mass and private rows: n * TV = 2n * pMAE, times the denominator of a, times the
    /// number of partitions.
    ///
    /// # Guarantee
    /// `scale`, when one row is substituted, or added or removed; in the latter case all candidates move the same
    /// way, if their masses do not depend on the number of private rows: `proofs/pmae_sensitivity.md`,
    /// `tests/privacy_laws`.
    pub fn pmae(scale: NonZeroU64) -> Self {
        let of = format!("{scale} * n * TV");
        let added = Some(Bound::same_way(scale, of.clone()));
        Self::Proven { bound: Bound::each_candidate(scale, of), added, proof: Proof::PmaeSensitivity }
    }

    /// The sensitivity of the integer sum of floor(`scale` * a^2 / (a + b)) over the cells of a fixed partition,
    /// or of floor(c * a^2 / (a + b)) over those of v partitions with `scale` = c * v.
    ///
    /// # Guarantee
    /// `scale`, when one row is substituted: `proofs/pmse_sensitivity.md`, `tests/privacy_laws`.
    pub fn pmse(scale: NonZeroU64) -> Self {
        let bound = Bound::each_candidate(scale, format!("{scale} * (2n * pMSE + n/2)"));
        Self::Proven { bound, added: None, proof: Proof::PmseSensitivity }
    }

    /// The sensitivity of the largest integer objective over a family of trees that does not depend on the
    /// private rows: `bound` for each of them.
    ///
    /// # Guarantee
    /// `bound`, when one row is substituted: `proofs/optimal_sensitivity.md`, which says what it is: 2 for sum |a - b|,
    /// c for the sum of floor(c * a^2 / (a + b)). Tried by `discriminator::optimal::tests::integers`.
    pub fn optimal(bound: NonZeroU64, of: impl Into<String>) -> Self {
        let bound = Bound::each_candidate(bound, of);
        Self::Proven { bound, added: None, proof: Proof::OptimalSensitivity }
    }

    /// The sensitivity of floor(`scale` * a^2 / (a + b)), summed over the two sides of a candidate split, for all
    /// nodes of one level of a tree at once: chosen with
    /// [`permute_and_flip_lists`](super::permute_and_flip_lists).
    ///
    /// # Guarantee
    /// 2 * `scale` over all nodes together, when one row is substituted: `proofs/tree_growth.md`,
    /// `normal::private_tree::tests`.
    pub fn tree_level(scale: NonZeroU64) -> Self {
        let of = format!("{scale} * sum a^2/(a + b) of the sides");
        let bound = Bound::across_lists(scale.saturating_mul(TWO), of);
        Self::Proven { bound, added: None, proof: Proof::TreeGrowth }
    }

    /// The sensitivity of the utility as a number to be released by itself, rather than used to choose.
    #[must_use]
    pub fn released(self) -> Self {
        match self {
            Self::Proven { bound, added, proof } => {
                Self::Proven { bound: bound.released(), added: added.map(Bound::released), proof }
            }
            Self::Unproven { assumed, why } => Self::Unproven { assumed: assumed.released(), why },
        }
    }

    /// The counts that [`interval_search`](Self::interval_search) may be about: the page proves these and nothing
    /// else.
    pub const INTERVAL_COUNTS: [&'static str; 4] =
        ["rows in an interval", "rows to change for the width to be right", Self::MAGNITUDE, Self::INTERVAL];
    /// The utility of a power of two that half of the rows are below.
    pub(crate) const MAGNITUDE: &'static str = "rows to change for the magnitude to be right";
    /// The utility of an interval that holds most rows.
    pub(crate) const INTERVAL: &'static str = "rows to change for the interval to be right";

    /// The sensitivity of the number of rows that lie in a fixed interval, or that would have to change for an
    /// answer to be right; `of` is one of [`INTERVAL_COUNTS`](Self::INTERVAL_COUNTS).
    ///
    /// # Guarantee
    /// 1, when one row is substituted, or added or removed: `proofs/interval_search.md`, `tests/search.rs`.
    pub fn interval_search(of: &'static str) -> Self {
        let bound = Bound::each_candidate(NonZeroU64::MIN, of);
        Self::Proven { added: Some(bound.clone()), bound, proof: Proof::IntervalSearch }
    }

    /// The sensitivity of the numbers of rows further than each of several radii from a fixed centre.
    ///
    /// # Guarantee
    /// 1 between any two radii, when one row is substituted, or added or removed: `proofs/interval_search.md`,
    /// `private::table::tests`.
    pub fn rows_beyond() -> Self {
        let bound = Bound::between_candidates(NonZeroU64::MIN, "rows beyond a radius");
        Self::Proven { added: Some(bound.clone()), bound, proof: Proof::IntervalSearch }
    }

    /// The sensitivity of the number of rows that take part in a search, compared with a fixed number.
    ///
    /// # Guarantee
    /// 1 between the two, when one row is substituted, or added or removed: `proofs/interval_search.md`,
    /// `private::table::tests`.
    pub(crate) fn rows_present() -> Self {
        let bound = Bound::between_candidates(NonZeroU64::MIN, "rows that take part");
        Self::Proven { added: Some(bound.clone()), bound, proof: Proof::IntervalSearch }
    }

    /// The sensitivity of the counts of private rows in the cells of `partitions` fixed partitions, all together.
    ///
    /// # Guarantee
    /// 2 for each partition when one row is substituted, 1 when one is added or removed:
    /// `proofs/counts_sensitivity.md`, `tests/privacy_laws`.
    pub fn counts(partitions: NonZeroU64) -> Self {
        let of = "counts of rows";
        let bound = Bound::counts(partitions.saturating_mul(TWO), of);
        Self::Proven { bound, added: Some(Bound::counts(partitions, of)), proof: Proof::CountsSensitivity }
    }

    /// The sensitivity of the sums over rows of products of two scores, for `pairs` pairs among `columns`
    /// columns, where no score exceeds `largest` in absolute value.
    ///
    /// # Guarantee
    /// When one row is substituted, or added or removed: `proofs/score_products.md`. Tried on all rows of few
    /// columns by `private::table::tests`.
    pub(crate) fn score_products(columns: usize, pairs: usize, largest: NonZeroU64) -> Self {
        let whole = |count: usize| NonZeroU64::new(count as u64).unwrap_or(NonZeroU64::MIN);
        let of = "products of scores";
        let square = largest.saturating_mul(largest);
        let fourth = u128::from(square.get()).pow(2);
        let apart = whole((columns * columns / 4).min(pairs));
        let units = square.saturating_mul(TWO).saturating_mul(apart);
        let bound = Bound::sum_and_squares(units, 4 * fourth * u128::from(apart.get()), of);
        let pairs = whole(pairs);
        let added =
            Bound::sum_and_squares(square.saturating_mul(pairs), fourth * u128::from(pairs.get()), of);
        Self::Proven { bound, added: Some(added), proof: Proof::ScoreProducts }
    }

    /// The sensitivity of sums over rows that were clipped to bounds and rounded to a grid, row by row; `bound`
    /// says by how much they move, together or each.
    ///
    /// # Guarantee
    /// When one row is substituted: `proofs/clipped_sums.md`, which says what the bound of each list is. Tried on
    /// all rows of coarse grids by `bounded::sums::tests`.
    pub(crate) fn clipped_sums(bound: Bound) -> Self {
        Self::Proven { bound, added: None, proof: Proof::ClippedSums }
    }

    /// The sensitivity of the count of private rows in any one cell of a fixed partition.
    ///
    /// # Guarantee
    /// 1, when one row is substituted, which leaves the sum of all counts as it is: `proofs/smooth_histogram.md`,
    /// `tests/privacy_laws`.
    pub fn cell_count() -> Self {
        let bound = Bound::largest(NonZeroU64::MIN, "count of rows in a cell");
        Self::Proven { bound, added: None, proof: Proof::SmoothHistogram }
    }

    /// The sensitivity of what is computed with the number of private rows: as it is where a row is substituted, and
    /// not proven where one is added or removed, because that number is private then and moves with the row.
    #[must_use]
    pub fn with_number_of_rows(self) -> Self {
        match self {
            Self::Proven { bound, proof, .. } => Self::Proven { bound, added: None, proof },
            unproven @ Self::Unproven { .. } => unproven,
        }
    }

    /// The sensitivity with twice the bound: half the tight weight, as in the paper.
    #[must_use]
    pub fn doubled(self) -> Self {
        match self {
            Self::Proven { bound, added, proof } => {
                Self::Proven { bound: bound.doubled(), added: added.map(Bound::doubled), proof }
            }
            Self::Unproven { assumed, why } => Self::Unproven { assumed: assumed.doubled(), why },
        }
    }

    /// The sensitivity of the sum of such utilities over `sets` synthetic tables: with it a choice by the sum is
    /// one by the mean.
    ///
    /// # Guarantee
    /// `sets` times the bound, when one row is substituted: `proofs/optimal_sensitivity.md`, claim 2. Tried on
    /// all small neighbours by `discriminator::judge::tests`.
    #[must_use]
    pub(crate) fn summed_over_sets(self, sets: NonZeroU64) -> Self {
        match self {
            one if sets == NonZeroU64::MIN => one,
            Self::Proven { bound, added, proof } => Self::Proven {
                bound: bound.summed_over_sets(sets),
                added: added.map(|bound| bound.summed_over_sets(sets)),
                proof,
            },
            Self::Unproven { assumed, why } => {
                Self::Unproven { assumed: assumed.summed_over_sets(sets), why }
            }
        }
    }

    /// The sensitivity between such neighbours; `None` if none is proven for them.
    pub(crate) fn between(self, neighbours: Neighbours) -> Option<Self> {
        match (self, neighbours) {
            (Self::Proven { bound, proof, .. }, Neighbours::Substitute) => {
                Some(Self::Proven { bound, added: None, proof })
            }
            (Self::Proven { added, proof, .. }, Neighbours::AddRemove) => {
                added.map(|bound| Self::Proven { bound, added: None, proof })
            }
            (unproven @ Self::Unproven { .. }, _) => Some(unproven),
        }
    }

    /// The bound by which the noise is scaled, when one row is substituted.
    pub fn bound(&self) -> &Bound {
        match self {
            Self::Proven { bound, .. } | Self::Unproven { assumed: bound, .. } => bound,
        }
    }

    /// The page that proves it, if there is one.
    pub fn proof(&self) -> Option<Proof> {
        match self {
            Self::Proven { proof, .. } => Some(*proof),
            Self::Unproven { .. } => None,
        }
    }
}
