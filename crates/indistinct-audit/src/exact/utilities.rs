//! The integers that mechanisms see, computed by the library's own code from tiny tables.

use indistinct::discriminator::Stacked;
use indistinct::discriminator::cart::{self, CartOptions, CartParams};
use indistinct::discriminator::judge::Judge;
use indistinct::discriminator::optimal::{BinnedTrees, OptimalOptions};
use indistinct::discriminator::views::{Views, equal_cuts};
use indistinct::model::{SequentialModel, SequentialNormal};
use indistinct::privacy::{Movement, Sensitivity};
use indistinct::quality::{Quality, Utility};
use std::num::NonZeroU64;

use super::law::Law;
use super::search::{self, NUMBERS, STAGES};

/// The possible values of rows: the corners of a square, so that greedy trees have something to stumble over.
const POINTS: [[f64; 2]; 4] = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
/// Intervals of each axis of the partition.
const INTERVALS: usize = 2;
/// Number of candidates.
const CANDIDATES: usize = 4;

/// A case of the enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Permute-and-flip by the cells of probability space and pMAE.
    PartitionPmae,
    /// Permute-and-flip by the cells of probability space and pMSE.
    PartitionPmse,
    /// Permute-and-flip by the best trees of depth 2 and pMAE.
    OptimalPmae,
    /// Permute-and-flip by the best trees of depth 2 and pMSE.
    OptimalPmse,
    /// The exponential mechanism, which budgets with a delta use, by cells and pMAE.
    Exponential,
    /// Discrete Laplace noise on the counts of cells.
    Counts,
    /// Permute-and-flip between widths of the interval search.
    Width,
    /// The exponential mechanism between widths of the interval search.
    WidthExponential,
    /// The interval search in three stages, with all choices released.
    Search,
    /// Permute-and-flip by greedy trees, as if their sensitivity were that of fixed ones.
    Cart,
}

impl Case {
    /// All cases.
    pub const ALL: [Self; 10] = [
        Self::PartitionPmae,
        Self::PartitionPmse,
        Self::OptimalPmae,
        Self::OptimalPmse,
        Self::Exponential,
        Self::Counts,
        Self::Width,
        Self::WidthExponential,
        Self::Search,
        Self::Cart,
    ];

    /// The name of the case.
    pub fn name(self) -> &'static str {
        match self {
            Self::PartitionPmae => "choice by partition and pMAE",
            Self::PartitionPmse => "choice by partition and pMSE",
            Self::OptimalPmae => "choice by optimal trees and pMAE",
            Self::OptimalPmse => "choice by optimal trees and pMSE",
            Self::Exponential => "exponential mechanism by partition and pMAE",
            Self::Counts => "noisy counts of cells",
            Self::Width => "choice of a width by the interval search",
            Self::WidthExponential => "the same by the exponential mechanism",
            Self::Search => "interval search, three stages",
            Self::Cart => "choice by greedy trees and pMAE",
        }
    }

    fn quality(self) -> Quality {
        match self {
            Self::PartitionPmse | Self::OptimalPmse => Quality::Pmse,
            _ => Quality::Pmae,
        }
    }

    /// Numbers of rows of the enumerated tables. Errors in widths show when there are many rows.
    pub fn rows(self) -> [usize; 3] {
        match self {
            Self::Width | Self::WidthExponential => [3, 6, 13],
            _ => [2, 3, 4],
        }
    }

    fn points(self) -> usize {
        match self {
            Self::Width | Self::WidthExponential | Self::Search => NUMBERS.len(),
            _ => POINTS.len(),
        }
    }

    /// All tables with this many rows, as counts of the points.
    pub(super) fn tables(self, rows: usize) -> Vec<Vec<usize>> {
        let mut tables: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 1..self.points() {
            let longer = |table: Vec<usize>| {
                let left = rows - table.iter().sum::<usize>();
                (0..=left).map(move |count| [table.clone(), vec![count]].concat())
            };
            tables = tables.into_iter().flat_map(longer).collect();
        }
        let closed = |mut table: Vec<usize>| {
            table.push(rows - table.iter().sum::<usize>());
            table
        };
        tables.into_iter().map(closed).collect()
    }

    /// The number of units of utility, or of counts, that e^epsilon stands for; and whether that is proven.
    pub(super) fn range(self, rows: usize) -> (u64, bool) {
        let sensitivity = match self {
            Self::PartitionPmae | Self::PartitionPmse | Self::Exponential => {
                utility(self.quality(), rows).sensitivity()
            }
            Self::OptimalPmae | Self::OptimalPmse => {
                Judge::Optimal(trees()).sensitivity(self.quality(), rows, POINTS[0].len())
            }
            Self::Cart => Judge::Cart(greedy()).sensitivity(self.quality(), rows, POINTS[0].len()),
            Self::Counts => Sensitivity::counts(NonZeroU64::MIN),
            Self::Width | Self::WidthExponential | Self::Search => Sensitivity::interval_search("rows"),
        };
        let units = sensitivity.bound().units().get();
        let range = if sensitivity.bound().movement() == Movement::EachCandidate { 2 * units } else { units };
        let stages = if self == Self::Search { STAGES } else { 1 };
        (stages * range, sensitivity.proof().is_some())
    }

    /// The integers that the mechanism sees in a table, on which alone its law depends: lists for each stage.
    pub(super) fn integers(self, table: &[usize]) -> Vec<Vec<Vec<i64>>> {
        if matches!(self, Self::Width | Self::WidthExponential | Self::Search) {
            let rows = table.iter().zip(NUMBERS).flat_map(|(&count, x)| std::iter::repeat_n(x, count));
            return match self {
                Self::Search => search::stages(rows.collect()),
                _ => vec![vec![search::widths(rows.collect())]],
            };
        }
        let rows: Vec<[f64; 2]> =
            table.iter().zip(POINTS).flat_map(|(&count, point)| std::iter::repeat_n(point, count)).collect();
        let columns: Vec<Vec<f64>> =
            (0..2).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        vec![vec![match self {
            Self::Counts => {
                counts(&candidates()[0], &columns).into_iter().map(|count| count as i64).collect()
            }
            _ => (0..CANDIDATES).map(|candidate| self.utility(candidate, &columns)).collect(),
        }]]
    }

    /// The law of outputs on a table with this many rows and these integers.
    pub(super) fn law(self, integers: &[Vec<Vec<i64>>], rows: usize) -> Law {
        let only = &integers[0][0];
        match self {
            Self::Counts => Law::noisy_counts(only, rows as i64),
            Self::Exponential | Self::WidthExponential => Law::exponential(only),
            _ => Law::in_stages(integers),
        }
    }

    fn utility(self, candidate: usize, columns: &[Vec<f64>]) -> i64 {
        let rows = columns[0].len();
        match self {
            Self::OptimalPmae | Self::OptimalPmse => {
                let stacked = Stacked::of_numbers(columns, &synthetic(candidate, rows));
                -trees().objective(&stacked, self.quality())
            }
            Self::Cart => {
                let stacked = Stacked::of_numbers(columns, &synthetic(candidate, rows));
                let cells = cart::fit(&stacked, &greedy()).cells();
                -cells.iter().map(|cell| (cell.synthetic - cell.real).max(0.0) as i64).sum::<i64>()
            }
            _ => utility(self.quality(), rows).of_counts(&counts(&candidates()[candidate], columns)),
        }
    }
}

/// Four thetas: independent columns, columns that go together or against each other, and one far off.
fn candidates() -> [SequentialNormal; CANDIDATES] {
    let theta = |location: [f64; 2], factor: [[f64; 2]; 2]| {
        SequentialNormal::new(location.to_vec(), vec![vec![factor[0][0]], factor[1].to_vec()])
    };
    [
        theta([0.1, 0.1], [[1.0, 0.0], [0.0, 1.0]]),
        theta([0.1, 0.1], [[1.0, 0.0], [0.9, 0.4]]),
        theta([0.1, 0.1], [[1.0, 0.0], [-0.9, 0.4]]),
        theta([2.5, -2.5], [[0.5, 0.0], [0.0, 0.5]]),
    ]
}

fn views() -> Views {
    Views::of_table(2, equal_cuts(INTERVALS))
}

fn utility(quality: Quality, rows: usize) -> Utility {
    let views = views();
    Utility::new(quality, rows, views.cells_of(0), views.views().len())
}

fn counts(candidate: &SequentialNormal, columns: &[Vec<f64>]) -> Vec<u64> {
    let block: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let mut z = vec![vec![0.0; columns[0].len()]; columns.len()];
    candidate.innovations(&block, &mut z);
    let views = views();
    let mut counts = vec![0; views.cells()];
    views.count(&z, &mut counts);
    counts
}

/// The synthetic tables that trees judge, one for each candidate: on one diagonal, on the other, everywhere, in
/// one corner.
fn synthetic(candidate: usize, rows: usize) -> Vec<Vec<f64>> {
    let corners = [[0, 3, 0, 3], [1, 2, 1, 2], [0, 1, 2, 3], [0, 0, 0, 0]][candidate];
    let points: Vec<[f64; 2]> = corners.into_iter().cycle().take(rows).map(|corner| POINTS[corner]).collect();
    (0..2).map(|column| points.iter().map(|point| point[column]).collect()).collect()
}

fn trees() -> BinnedTrees {
    let params = OptimalOptions::default().with(|options| options.depth = Some(2)).check();
    params.and_then(BinnedTrees::new).expect("constants make sense")
}

fn greedy() -> CartParams {
    let options = CartOptions::default().with(|options| {
        options.maxdepth = Some(2);
        options.cp = Some(0.0);
        options.minsplit = Some(2);
        options.minbucket = Some(1);
    });
    options.check().expect("constants make sense")
}
