//! The numbers that Snoke and Slavković (2018) published.

/// Table 1: per cent of simulations in which |u(X) - u(X')| exceeds 1/n; complexity, depth (30 is unlimited), rate.
pub const TABLE1: [(f64, u32, f64); 8] = [
    (0.01, 1, 0.0),
    (0.01, 2, 0.3),
    (0.01, 5, 0.6),
    (0.01, 30, 0.7),
    (0.001, 1, 0.0),
    (0.001, 2, 0.5),
    (0.001, 5, 2.0),
    (0.001, 30, 2.5),
];

/// The values of epsilon in table 2.
pub const TABLE2_EPSILONS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];

/// A column of table 2: mean and variance of the pMSE for each epsilon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// The heading.
    pub name: &'static str,
    /// Mean pMSE.
    pub means: [f64; 5],
    /// Variance of the pMSE. The row of epsilon 2 repeats that of epsilon 1 in all columns: a slip of copying.
    pub variances: [f64; 5],
}

/// Table 2: without privacy.
pub const NON_DP: Column = Column {
    name: "Non-DP",
    means: [0.006_60, 0.006_63, 0.006_61, 0.006_60, 0.006_60],
    variances: [8.681e-7, 8.929e-7, 8.342e-7, 8.342e-7, 8.671e-7],
};

/// Table 2: the pMSE mechanism.
pub const PMSE_MECHANISM: Column = Column {
    name: "pMSE Mech.",
    means: [0.092_81, 0.036_10, 0.021_07, 0.014_59, 0.011_61],
    variances: [1.347e-3, 8.020e-5, 1.648e-5, 1.648e-5, 3.329e-6],
};

/// Table 2: noisy Bayes.
pub const DP_BAYES: Column = Column {
    name: "DP Bayes",
    means: [0.205_09, 0.178_76, 0.143_72, 0.111_77, 0.079_19],
    variances: [3.079e-3, 5.914e-3, 8.579e-3, 8.579e-3, 9.087e-3],
};

/// Table 2: smooth histogram.
pub const SMOOTH_HISTOGRAM: Column = Column {
    name: "Smooth Hist.",
    means: [0.082_06, 0.053_98, 0.032_78, 0.018_92, 0.011_29],
    variances: [2.826e-5, 1.809e-5, 1.069e-5, 1.069e-5, 5.964e-6],
};

/// The epsilons of the regression study.
pub const REGRESSION_EPSILONS: [f64; 3] = [0.25, 0.5, 1.0];
/// Tree depths of the regression study; 30 is unlimited.
pub const REGRESSION_DEPTHS: [u32; 4] = [1, 2, 5, 30];
/// Bounds of the regression study, in standard deviations.
pub const REGRESSION_BOUNDS: [f64; 4] = [2.0, 4.0, 5.0, 10.0];
/// Private data sets of the pMSE mechanism and of noisy Bayes, at epsilon / 10 each.
pub const DRAWS: u32 = 10;
