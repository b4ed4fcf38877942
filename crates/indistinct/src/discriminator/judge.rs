//! The judge of a theta: the discriminator inside a sampler, its integer utility, and the sensitivity of that to
//! one row.
//!
//! [`Judge::Views`] needs no synthetic table, because the cells of probability space have known masses. The trees
//! judge X^s = simulate(theta, omega), where omega is drawn once for a whole draw of theta and before anything
//! looks at private rows: with such *common random numbers* the utility is a function of theta, and the
//! sensitivity holds for every omega. The paper's quality is a mean over m synthetic tables (its equation 4):
//! `Trial` holds m omegas, and its utility is the *sum* over them, an integer whose bound is m times that of one.
//! Choosing by the sum with that bound is choosing by the mean.

use std::num::NonZeroU64;

use rand_distr::{Distribution, StandardNormal};

use crate::discriminator::Stacked;
use crate::discriminator::cart::{self, CartParams};
use crate::discriminator::fixed_tree::FixedTree;
use crate::discriminator::optimal::{BinnedTrees, share_digits};
use crate::discriminator::views::{Views, equal_cuts};
use crate::privacy::{Bound, Sensitivity};
use crate::quality::{Cell, Quality, Utility};
use crate::random::Generator;

/// Intervals of each axis of the views.
pub(crate) const VIEW_INTERVALS: usize = 8;
/// Binary digits of the pMSE terms of a fixed or a greedy tree.
const DIGITS: u32 = 20;

/// The discriminator inside a sampler.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Judge {
    /// Fixed cells of equal probability in the model's own probability space, in views of one or two columns.
    #[default]
    Views,
    /// The best of all trees of bounded depth over thresholds of the synthetic table.
    Optimal(BinnedTrees),
    /// A greedy tree, as in the paper's experiments. Its sensitivity has no proven bound.
    Cart(CartParams),
    /// A tree that was fixed before: see `normal::private_tree`.
    PrivateTree(FixedTree),
}

impl Judge {
    /// The name on certificates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Views => "partition",
            Self::Optimal(_) => "optimal",
            Self::Cart(_) => "cart",
            Self::PrivateTree(_) => "private-tree",
        }
    }

    /// Whether it looks at synthetic tables, rather than at known masses.
    pub fn needs_tables(&self) -> bool {
        !matches!(self, Self::Views)
    }

    /// The sensitivity of the integer utility to one substituted row, for tables of `rows` rows and `columns`
    /// columns.
    ///
    /// # Guarantee
    /// Views and fixed trees: `proofs/pmse_sensitivity.md` and `proofs/pmae_sensitivity.md`; optimal trees:
    /// `proofs/optimal_sensitivity.md`; `discriminator::judge::tests` tries all small neighbours. Greedy trees: none.
    pub fn sensitivity(&self, quality: Quality, rows: usize, columns: usize) -> Sensitivity {
        match self {
            #[cfg(feature = "broken")]
            Self::Cart(_) if crate::privacy::broken::is(crate::privacy::broken::Fault::CertifiedCart) => {
                of_cells(quality)
            }
            Self::Views => of_views(quality, rows, columns).1.sensitivity(),
            Self::PrivateTree(_) => of_cells(quality),
            Self::Cart(_) => Sensitivity::Unproven {
                assumed: of_cells(quality).bound().clone(),
                why:
                    "the splits of a greedy tree depend on the private rows, and one row can change them all"
                        .into(),
            },
            Self::Optimal(_) => match (quality, share_digits(rows)) {
                (Quality::Pmae, _) => Sensitivity::optimal(positive(2), "2 * n * TV of the best tree"),
                (Quality::Pmse, Some(digits)) => {
                    let scale = positive(1 << digits);
                    Sensitivity::optimal(scale, format!("{scale} * (2n * pMSE + n/2) of the best tree"))
                }
                (Quality::Pmse, None) => Sensitivity::Unproven {
                    assumed: Bound::each_candidate(NonZeroU64::MIN, "2n * pMSE + n/2 of the best tree"),
                    why: "the integer terms of optimal trees are exact for fewer than 2^25 rows only".into(),
                },
            },
        }
    }
}

fn positive(value: u64) -> NonZeroU64 {
    NonZeroU64::new(value).unwrap_or(NonZeroU64::MIN)
}

/// The sensitivity of [`utility_of_cell`], summed over the cells of a fixed partition, in which there are as many
/// synthetic rows as private ones.
fn of_cells(quality: Quality) -> Sensitivity {
    let of_masses = match quality {
        Quality::Pmae => Sensitivity::pmae(NonZeroU64::MIN),
        Quality::Pmse => Sensitivity::pmse(positive(1 << DIGITS)),
    };
    of_masses.with_number_of_rows()
}

/// The integer by which a cell with `a` synthetic and `b` private rows tells them apart: max(a - b, 0), which
/// sums to n * TV, or floor(2^20 a^2 / (a + b)).
fn utility_of_cell(quality: Quality, a: u64, b: u64) -> i64 {
    match quality {
        Quality::Pmae => a.saturating_sub(b) as i64,
        Quality::Pmse => shares(a, b),
    }
}

/// floor(2^20 a^2 / (a + b)), 0 for an empty cell.
pub(crate) fn shares(a: u64, b: u64) -> i64 {
    let (a, b) = (u128::from(a), u128::from(b));
    ((a * a) << DIGITS).checked_div(a + b).unwrap_or(0) as i64
}

/// The scale of [`shares`].
pub(crate) fn shares_scale() -> NonZeroU64 {
    positive(1 << DIGITS)
}

fn of_views(quality: Quality, rows: usize, columns: usize) -> (Views, Utility) {
    let views = Views::of_table(columns, equal_cuts(VIEW_INTERVALS));
    let utility = Utility::new(quality, rows, views.cells_of(0), views.views().len());
    (views, utility)
}

/// Standard normal numbers by column: the public randomness from which a model makes a table.
pub(crate) fn standard_normals(rows: usize, columns: usize, random: &mut Generator) -> Vec<Vec<f64>> {
    (0..columns).map(|_| (0..rows).map(|_| StandardNormal.sample(&mut *random)).collect()).collect()
}

/// A judge for tables of one size: everything but the private rows and theta.
#[derive(Clone)]
pub(crate) struct Trial<'a> {
    pub(crate) judge: &'a Judge,
    quality: Quality,
    pub(crate) views: Views,
    pub(crate) utility: Utility,
    /// The normal numbers from which every theta makes its tables, one set of columns for each table; empty if
    /// none is needed.
    pub(crate) omegas: Vec<Vec<Vec<f64>>>,
    rows: usize,
    columns: usize,
    sets: usize,
}

impl<'a> Trial<'a> {
    /// Draws an omega for each of `sets` synthetic tables, if the judge needs tables, from public randomness.
    pub(crate) fn new(
        judge: &'a Judge,
        quality: Quality,
        rows: usize,
        columns: usize,
        sets: usize,
        random: &mut Generator,
    ) -> Self {
        let (views, utility) = of_views(quality, rows, columns);
        let mut trial = Self { judge, quality, views, utility, omegas: Vec::new(), rows, columns, sets };
        trial.redraw(random);
        trial
    }

    /// Redraws every omega, if the judge needs tables.
    pub(crate) fn redraw(&mut self, random: &mut Generator) {
        if self.judge.needs_tables() {
            let sets = 0..self.sets.max(1);
            self.omegas = sets.map(|_| standard_normals(self.rows, self.columns, random)).collect();
        }
    }

    /// [`Judge::sensitivity`] times the number of tables over which utilities are summed; twice that for the
    /// paper's sensitivity.
    ///
    /// # Guarantee
    /// A sum of utilities moves by at most the sum of their bounds: `proofs/optimal_sensitivity.md`, claim 2.
    pub(crate) fn sensitivity(&self, paper: bool) -> Sensitivity {
        let sensitivity = self.judge.sensitivity(self.quality, self.rows, self.columns);
        let sensitivity = sensitivity.summed_over_sets(positive(self.omegas.len() as u64));
        if paper { sensitivity.doubled() } else { sensitivity }
    }

    /// The utility of the rows in the leaves of a fixed tree, for one synthetic table.
    pub(crate) fn of_leaves(&self, synthetic: &[u64], private: &[u64]) -> i64 {
        -synthetic.iter().zip(private).map(|(&a, &b)| utility_of_cell(self.quality, a, b)).sum::<i64>()
    }

    /// The utility of a private and one synthetic table to a judge that fits a tree to them.
    ///
    /// # Guarantee
    /// An integer with the sensitivity that the judge states. It looks at private rows: only the boundary calls
    /// it, and what it returns goes to a mechanism.
    pub(crate) fn of_stacked(&self, stacked: &Stacked, room: &mut cart::Workspace) -> i64 {
        match self.judge {
            Judge::Optimal(trees) => -trees.objective(stacked, self.quality),
            Judge::Cart(params) => {
                let cells = cart::fit_with(stacked, params, room).cells();
                let term =
                    |cell: &Cell| utility_of_cell(self.quality, cell.synthetic as u64, cell.real as u64);
                -cells.iter().map(term).sum::<i64>()
            }
            Judge::Views | Judge::PrivateTree(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests;
