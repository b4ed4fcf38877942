//! The options of a release by any method, and the words that they know.

use indistinct::Word;
use indistinct::synthesis::SynthOptions;

use super::BoundsArg;

/// A release as it is asked for: by the mechanism, or by a method that it is compared with.
#[derive(Debug, Clone)]
pub struct MethodOptions {
    /// The method of the release: the mechanism of this program, or a method that it is compared with.
    pub method: MethodArg,
    /// The interval that each column lies in: `-40:40` for all columns, `x1=-40:40,x2=-20:20` for each by name, or `4sd` for
    /// four standard deviations around zero.
    pub bounds: Option<BoundsArg>,
    /// smooth-histogram: intervals of each column; a table of q columns has N^q cells, of which there may be 16777216
    /// [default: 50].
    pub bins: Option<usize>,

    /// All other options.
    pub synth: SynthOptions,
}

impl From<SynthOptions> for MethodOptions {
    /// The mechanism of this program.
    fn from(synth: SynthOptions) -> Self {
        Self { method: MethodArg::Pmse, bounds: None, bins: None, synth }
    }
}

/// The method of a release, with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodArg {
    /// The pMSE mechanism as this program has it: no bounds, parameters chosen by how well a classifier tells tables apart
    Pmse,
    /// Parameters from the posterior of the regressions (not private: the yardstick)
    PosteriorPredictive,
    /// The same from moments of clipped rows with Laplace noise, moved to the nearest that can be
    NoisyBayes,
    /// The same from means and covariances with more noise, impossible variances set to next to nothing
    NoisyBayesFloored,
    /// Rows from a histogram smoothed towards the uniform law, as far as the paper prints and epsilon needs
    SmoothHistogram,
    /// The same smoothed less, which fits the paper's figures and carries no guarantee
    SmoothHistogramMatching,
    /// Regression coefficients by the functional mechanism
    Functional,
    /// Regression coefficients by the K-norm mechanism
    KNorm,
}

impl Word for MethodArg {
    const WORDS: &'static [(&'static str, Self, &'static str)] = &[
        (
            "pmse",
            Self::Pmse,
            "The pMSE mechanism as this program has it: no bounds, parameters chosen by how well a classifier tells tables apart",
        ),
        (
            "posterior-predictive",
            Self::PosteriorPredictive,
            "Parameters from the posterior of the regressions (not private: the yardstick)",
        ),
        (
            "noisy-bayes",
            Self::NoisyBayes,
            "The same from moments of clipped rows with Laplace noise, moved to the nearest that can be",
        ),
        (
            "noisy-bayes-floored",
            Self::NoisyBayesFloored,
            "The same from means and covariances with more noise, impossible variances set to next to nothing",
        ),
        (
            "smooth-histogram",
            Self::SmoothHistogram,
            "Rows from a histogram smoothed towards the uniform law, as far as the paper prints and epsilon needs",
        ),
        (
            "smooth-histogram-matching",
            Self::SmoothHistogramMatching,
            "The same smoothed less, which fits the paper's figures and carries no guarantee",
        ),
        ("functional", Self::Functional, "Regression coefficients by the functional mechanism"),
        ("k-norm", Self::KNorm, "Regression coefficients by the K-norm mechanism"),
    ];

    fn is_hidden(self) -> bool {
        matches!(self, Self::Functional | Self::KNorm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for (word, method, _) in MethodArg::WORDS {
            assert_eq!((MethodArg::of_word(word), method.word()), (Some(*method), *word));
        }
    }
}
