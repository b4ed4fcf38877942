//! Options of an optimal tree as typed, and checked parameters.

use crate::quality::Quality;

/// The deepest tree that is searched for.
pub const MAX_DEPTH: u32 = 3;
/// The most thresholds per column of a binned search.
pub const MAX_THRESHOLDS: usize = 256;

/// The cuts that ordered columns may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thresholds {
    /// At every real number (and nominal columns at every level).
    All,
    /// At this many quantiles of the synthetic rows and at both ends of their range (and nominal columns at this
    /// many levels, the most frequent ones among the synthetic rows).
    Binned(usize),
}

/// Options as typed, unchecked. The default is depth 2 over 32 thresholds per column, pMSE, no penalty.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct OptimalOptions {
    /// Most splits between the root and a leaf, 0 to 3 (default 2).
    pub depth: Option<u32>,
    /// The cuts that columns may have (default 32 quantiles, 16 for depth 3).
    pub thresholds: Option<Thresholds>,
    /// The quality that the tree maximises.
    pub quality: Quality,
    /// The penalty for every leaf, in units of the quality.
    pub leaf_penalty: f64,
    /// Fewest synthetic rows of a leaf; the root alone may have fewer.
    pub min_synthetic_mass: u32,
}

/// Checked parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptimalParams {
    depth: u32,
    thresholds: Thresholds,
    quality: Quality,
    leaf_penalty: f64,
    min_synthetic_mass: u32,
}

/// Errors in parameters.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum OptimalParamsError {
    /// Depth out of range.
    #[error("the depth of an optimal tree is at most {MAX_DEPTH}, not {0}")]
    Depth(u32),
    /// Depth 3 over all thresholds.
    #[error("an optimal tree of depth 3 needs binned thresholds: all of them would take too long")]
    AllAtDepthThree,
    /// All thresholds inside a sampler.
    #[error("an optimal tree inside a sampler needs binned thresholds: all of them would take too long")]
    AllInSampler,
    /// Number of thresholds out of range.
    #[error("the thresholds per column of an optimal tree must be from 2 to {MAX_THRESHOLDS}, not {0}")]
    Thresholds(usize),
    /// A negative or infinite penalty, or one that is not a number.
    #[error("the penalty per leaf must be a number that is not negative, not {0}")]
    LeafPenalty(f64),
}

impl OptimalOptions {
    /// These options with some of them set, as in `options.with(|options| options.depth = Some(3))`. Fields may be added, so that
    /// other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }

    /// Fills in the defaults and checks the result.
    ///
    /// # Errors
    /// See [`OptimalParamsError`].
    pub fn check(self) -> Result<OptimalParams, OptimalParamsError> {
        let depth = self.depth.unwrap_or(2);
        if depth > MAX_DEPTH {
            return Err(OptimalParamsError::Depth(depth));
        }
        let thresholds =
            self.thresholds.unwrap_or(Thresholds::Binned(if depth < MAX_DEPTH { 32 } else { 16 }));
        match thresholds {
            Thresholds::All if depth == MAX_DEPTH => return Err(OptimalParamsError::AllAtDepthThree),
            Thresholds::All => {}
            Thresholds::Binned(count) => check_count(count)?,
        }
        let leaf_penalty = self.leaf_penalty;
        if !leaf_penalty.is_finite() || leaf_penalty < 0.0 {
            return Err(OptimalParamsError::LeafPenalty(leaf_penalty));
        }
        let Self { quality, min_synthetic_mass, .. } = self;
        Ok(OptimalParams { depth, thresholds, quality, leaf_penalty, min_synthetic_mass })
    }
}

/// Checks that a search offers this many thresholds per column.
pub(super) fn check_count(count: usize) -> Result<(), OptimalParamsError> {
    if (2..=MAX_THRESHOLDS).contains(&count) { Ok(()) } else { Err(OptimalParamsError::Thresholds(count)) }
}

impl OptimalParams {
    /// Most splits between the root and a leaf.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The cuts that columns may have.
    pub fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// The quality that the tree maximises.
    pub fn quality(&self) -> Quality {
        self.quality
    }

    /// The penalty for every leaf.
    pub fn leaf_penalty(&self) -> f64 {
        self.leaf_penalty
    }

    /// Fewest synthetic rows of a leaf.
    pub fn min_synthetic_mass(&self) -> u32 {
        self.min_synthetic_mass
    }
}

impl Default for OptimalParams {
    fn default() -> Self {
        Self {
            depth: 2,
            thresholds: Thresholds::Binned(32),
            quality: Quality::Pmse,
            leaf_penalty: 0.0,
            min_synthetic_mass: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_depend_on_the_depth() {
        let options = OptimalOptions::default();
        assert_eq!(options.check().unwrap(), OptimalParams::default());
        let deep = OptimalOptions { depth: Some(3), ..options }.check().unwrap();
        assert_eq!(deep.thresholds(), Thresholds::Binned(16));
    }

    #[test]
    fn rejects_invalid_options() {
        let options = OptimalOptions::default();
        let error = |options: OptimalOptions| options.check().unwrap_err();
        let all = Some(Thresholds::All);
        assert_eq!(error(OptimalOptions { depth: Some(4), ..options }), OptimalParamsError::Depth(4));
        assert_eq!(
            error(OptimalOptions { depth: Some(3), thresholds: all, ..options }),
            OptimalParamsError::AllAtDepthThree
        );
        for count in [0, 1, 257] {
            let thresholds = Some(Thresholds::Binned(count));
            assert_eq!(
                error(OptimalOptions { thresholds, ..options }),
                OptimalParamsError::Thresholds(count)
            );
        }
        for leaf_penalty in [-1e-9, f64::NAN, f64::INFINITY] {
            let text = error(OptimalOptions { leaf_penalty, ..options }).to_string();
            assert!(text.starts_with("the penalty per leaf must be"), "{text}");
        }
        assert!(OptimalOptions { depth: Some(2), thresholds: all, ..options }.check().is_ok());
    }
}
