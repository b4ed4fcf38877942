//! Combining rules: the variance of a mean over tables, given how the tables were made.
//!
//! Notation: k rows in every synthetic table, n in the original one; m tables; q_i the estimate of table i and v_i its
//! estimated variance; q = mean q_i, vbar = mean v_i, b = the variance of the q_i among themselves. Q^ is the
//! estimate that the original table would give. Its variance U about the population's value is about vbar k/n,
//! since a synthetic table of k rows has the original's residual variance and design, only k/n times as many rows.
//!
//! Every rule adds up independent contributions to q - Q, drops U where Q^ itself is the target, and takes its
//! degrees of freedom from Satterthwaite: (sum of contributions)^2 / sum(contribution^2 / its degrees of
//! freedom).

use super::CombineError;

/// The target of inference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// The value in the population that the original table was drawn from.
    #[default]
    Population,
    /// The estimate that the original table would give.
    Original,
}

words!(Target {
    "population" => Population: "The value in the population",
    "original" => Original: "The estimate that the original table would give",
});

impl Target {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Population => "population",
            Self::Original => "original",
        }
    }
}

/// The rule for tables made in a certain way, which decides how their estimates vary.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// All columns synthesised from parameters fitted once (Raab, Nowok and Dibben 2017): U + vbar/m.
    Raab {
        /// Rows of the original table.
        n: usize,
    },
    /// All columns synthesised from parameters drawn from their posterior, anew for every table: U + (U +
    /// vbar)/m.
    RaabPosterior {
        /// Rows of the original table.
        n: usize,
    },
    /// Some values of the original table replaced, m times (Reiter 2003): vbar + b/m, with (m - 1)(1 + m
    /// vbar/b)^2 degrees of freedom. Here k = n, and vbar is U itself.
    Reiter,
    /// l private draws of the parameters, with one or more tables each, in order.
    ///
    /// The mean of draw j is Q^ + d_j + e_j with privacy noise d_j of unknown variance D, and e_j of variance
    /// vbar/(tables of a draw). The variance b among the draws' means has expectation D + vbar/(tables of a
    /// draw): it holds both, and q - Q^ has variance b/l. So the total is U + b/l, which is vbar + b/l when k =
    /// n. With U taken as known, Satterthwaite gives (l - 1)(1 + l U/b)^2 degrees of freedom.
    ///
    /// The loss of fitting cells instead of rows is the same in every draw, so that b does not show it: it is
    /// added to U where it is known.
    PrivateDraws {
        /// Rows of the original table.
        n: usize,
        /// Number of draws, l.
        draws: usize,
        /// For every estimated coefficient, the variance that fitting cells adds to U: see
        /// [`cell_loss`](super::cell_loss). `None` where it is not known, and then left out.
        loss: Option<Vec<f64>>,
    },
    /// One private draw by the exponential mechanism with pMSE, and m tables from it: U/efficiency + 8 U/(epsilon
    /// efficiency) + vbar/m.
    ///
    /// An approximation for that mechanism: pMSE is about an eighth of the Kullback-Leibler divergence, so that
    /// its draw is spread like a posterior that has seen n epsilon/8 rows (sensitivity 1/(2n)), times the
    /// efficiency of cells instead of rows, around an estimate whose variance is U/efficiency. The tables cannot
    /// show that noise: they all share it.
    PrivateDraw {
        /// Rows of the original table.
        n: usize,
        /// Epsilon of the draw.
        epsilon: f64,
        /// Fisher information that cells keep, relative to rows: 1 for very fine cells.
        efficiency: f64,
    },
    /// One private draw fitted to noisy counts of cells (the default of a release), and m tables from it: U +
    /// excess + vbar/m.
    PrivateCounts {
        /// Rows of the original table.
        n: usize,
        /// For every estimated coefficient, the variance that measuring adds to U: see
        /// [`measured_excess`](super::measured_excess).
        excess: Vec<f64>,
    },
    /// Estimates without standard errors, for tables with noise of unknown size: an interval would leave it out.
    EstimatesOnly {
        /// Rows of the original table.
        n: usize,
    },
}

impl Rule {
    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Raab { .. } => "raab",
            Self::RaabPosterior { .. } => "raab-posterior",
            Self::Reiter => "reiter",
            Self::PrivateDraws { .. } => "private-draws",
            Self::PrivateDraw { .. } => "private-draw",
            Self::PrivateCounts { .. } => "private-counts",
            Self::EstimatesOnly { .. } => "none",
        }
    }

    /// Rows of the original table, where the rule needs them.
    pub fn n(&self) -> Option<usize> {
        match *self {
            Self::Raab { n }
            | Self::RaabPosterior { n }
            | Self::PrivateDraws { n, .. }
            | Self::PrivateDraw { n, .. }
            | Self::PrivateCounts { n, .. }
            | Self::EstimatesOnly { n } => Some(n),
            Self::Reiter => None,
        }
    }

    /// Checks that the rule's parameters are valid for this many tables and coefficients.
    pub(super) fn check(&self, tables: usize, coefficients: usize) -> Result<(), CombineError> {
        if let Some(n) = self.n()
            && n <= coefficients
        {
            return Err(CombineError::Original { n, coefficients });
        }
        let positive = |value: f64, what| {
            let fine = value.is_finite() && value > 0.0;
            if fine { Ok(()) } else { Err(CombineError::NotPositive { what }) }
        };
        match self {
            Self::Reiter if tables < 2 => {
                Err(CombineError::TooFewTables { rule: self.name(), needed: "tables" })
            }
            Self::PrivateDraws { loss: Some(loss), .. } if loss.len() != coefficients => {
                Err(CombineError::OtherCoefficients { table: 1 })
            }
            &Self::PrivateDraws { draws, .. } => {
                if draws < 2 {
                    return Err(CombineError::TooFewTables { rule: self.name(), needed: "private draws" });
                }
                if tables.is_multiple_of(draws) { Ok(()) } else { Err(CombineError::Draws { tables, draws }) }
            }
            &Self::PrivateDraw { epsilon, efficiency, .. } => {
                positive(epsilon, "epsilon")?;
                positive(efficiency, "the efficiency")?;
                if efficiency <= 1.0 { Ok(()) } else { Err(CombineError::Efficiency) }
            }
            Self::PrivateCounts { excess, .. } if excess.len() != coefficients => {
                Err(CombineError::OtherCoefficients { table: 1 })
            }
            _ => Ok(()),
        }
    }
}

/// The statistics of one coefficient over the tables.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Number of tables.
    pub(super) m: f64,
    /// vbar.
    pub(super) within: f64,
    /// b: variance among tables, or among draws with [`Rule::PrivateDraws`].
    pub(super) between: f64,
    /// U.
    pub(super) original: f64,
    /// Residual degrees of freedom of all tables together.
    pub(super) df_tables: f64,
    /// Residual degrees of freedom of the original table.
    pub(super) df_original: f64,
    /// Position of the coefficient.
    pub(super) place: usize,
}

impl Rule {
    /// Total variance and degrees of freedom; NaN where the rule gives none.
    ///
    /// The residual variance of a table differs from the population's by its difference from the parameters'
    /// (with the degrees of freedom of all tables), and by the difference of these from the population's (with
    /// those of the original table; not where the original is the target). A relative variance of 2/df is added
    /// up for each.
    pub(super) fn total(&self, seen: &Seen, target: Target) -> (f64, f64) {
        let &Seen { m, within, between, original, df_tables, df_original, place } = seen;
        let sampled = if target == Target::Population { 1.0 } else { 0.0 };
        // The degrees of freedom of vbar when parameters vary by so many times the original's own sampling variance.
        let df_within = |times: f64| 1.0 / (1.0 / df_tables + times / df_original);
        match self {
            Self::Raab { .. } => satterthwaite(&[(sampled * original + within / m, df_within(sampled))]),
            Self::RaabPosterior { .. } => {
                satterthwaite(&[(sampled * original + (original + within) / m, df_within(sampled + 1.0 / m))])
            }
            Self::Reiter => satterthwaite(&[(sampled * within, f64::INFINITY), (between / m, m - 1.0)]),
            Self::PrivateDraws { draws, loss, .. } => {
                let l = *draws as f64;
                let loss = loss.as_ref().map_or(0.0, |loss| loss[place]);
                satterthwaite(&[(sampled * original + loss, f64::INFINITY), (between / l, l - 1.0)])
            }
            Self::PrivateDraw { epsilon, efficiency, .. } => {
                let times = sampled + (1.0 / efficiency - 1.0) + 8.0 / (epsilon * efficiency);
                satterthwaite(&[(times * original + within / m, df_within(times))])
            }
            Self::PrivateCounts { excess, .. } => satterthwaite(&[
                (sampled * original + within / m, df_within(sampled)),
                (excess[place], f64::INFINITY),
            ]),
            Self::EstimatesOnly { .. } => (f64::NAN, f64::NAN),
        }
    }
}

/// The sum of independent variances, and its degrees of freedom.
fn satterthwaite(contributions: &[(f64, f64)]) -> (f64, f64) {
    let total: f64 = contributions.iter().map(|(variance, _)| variance).sum();
    let squares: f64 = contributions.iter().map(|(variance, df)| variance * variance / df).sum();
    (total, if squares > 0.0 { total * total / squares } else { f64::INFINITY })
}
