//! One simulation of table 1: two neighbouring tables, one synthetic table, and what every discriminator says of both.

use indistinct::discriminator::cart::{CartOptions, CartParams, Presorted, Workspace, fit_presorted};
use indistinct::discriminator::optimal::{Binned, OptimalOptions, OptimalParams, fit_binned};
use indistinct::discriminator::views::{Views, equal_cuts};
use indistinct::discriminator::{Predictor, Stacked};
use indistinct::model::{SequentialModel, SequentialNormal};
use indistinct::quality::{Quality, Utility};
use indistinct::random::Generator;

use crate::population::{self, ROWS};

/// The paper's complexity parameters.
pub const COMPLEXITIES: [f64; 2] = [0.01, 0.001];
/// The paper's depths; 30 is rpart's limit, which the paper calls unlimited.
pub const DEPTHS: [u32; 4] = [1, 2, 5, 30];
/// Cells of the table: every complexity with every depth.
pub const CELLS: usize = COMPLEXITIES.len() * DEPTHS.len();
/// Fewest rows of a leaf.
const MINBUCKET: u32 = 5;
/// Intervals of each axis of the partition in probability space.
const INTERVALS: usize = 8;

/// Discriminators with a proven sensitivity, beside the greedy trees.
pub const CERTIFIED: [(&str, Quality); 5] = [
    ("optimal, depth 1", Quality::Pmse),
    ("optimal, depth 2", Quality::Pmse),
    ("optimal, depth 2", Quality::Pmae),
    ("partition", Quality::Pmse),
    ("partition", Quality::Pmae),
];

/// u(X) - u(X') for every greedy tree, complexities outside and depths inside, and every certified discriminator.
#[derive(Debug, Clone, PartialEq)]
pub struct Differences {
    /// Of greedy trees.
    pub greedy: [f64; CELLS],
    /// Of those with a proof.
    pub certified: [f64; CERTIFIED.len()],
}

/// Room and settings that simulations share.
pub struct Simulator {
    greedy: Vec<CartParams>,
    optimal: Vec<OptimalParams>,
    views: Views,
    labels: Vec<bool>,
    workspace: Workspace,
    population: SequentialNormal,
}

impl Simulator {
    /// Everything that does not change from one simulation to the next.
    ///
    /// # Panics
    /// Never: the settings are constants, which tests run.
    pub fn new() -> Self {
        let cart = |cp: f64, depth: u32| {
            let options = CartOptions::default().with(|options| {
                options.cp = Some(cp);
                options.maxdepth = Some(depth);
                options.minbucket = Some(MINBUCKET);
            });
            options.check().expect("constants make sense")
        };
        let optimal = |depth: u32, quality: Quality| {
            let options = OptimalOptions::default().with(|options| {
                options.depth = Some(depth);
                options.quality = quality;
            });
            options.check().expect("constants make sense")
        };
        Self {
            greedy: COMPLEXITIES.iter().flat_map(|&cp| DEPTHS.map(|depth| cart(cp, depth))).collect(),
            optimal: vec![optimal(1, Quality::Pmse), optimal(2, Quality::Pmse), optimal(2, Quality::Pmae)],
            views: Views::of_table(2, equal_cuts(INTERVALS)),
            labels: [vec![false; ROWS], vec![true; ROWS]].concat(),
            workspace: Workspace::default(),
            population: population::population(),
        }
    }

    /// Draws X, X', theta and X^s as Section 5 does, and compares.
    pub fn simulate(&mut self, random: &mut Generator) -> Differences {
        let private = population::draw(&self.population, ROWS, random);
        let moved = population::disturbance(random);
        let theta = population::wild_theta(random);
        let synthetic = population::draw(&theta, ROWS, random);
        // Rows are exchangeable: the first stands for any.
        let moved = [private[0][0] + moved[0], private[1][0] + moved[1]];
        Differences {
            greedy: self.greedy(&private, &synthetic, moved),
            certified: self.certified(private, &synthetic, &theta, moved),
        }
    }

    fn greedy(&mut self, private: &[Vec<f64>], synthetic: &[Vec<f64>], moved: [f64; 2]) -> [f64; CELLS] {
        let stack = |(private, synthetic): (&Vec<f64>, &Vec<f64>)| {
            Presorted::new(&Predictor::Ordered(private.iter().chain(synthetic).copied().collect()))
        };
        let here: Vec<Presorted> = private.iter().zip(synthetic).map(stack).collect();
        let there: Vec<Presorted> =
            here.iter().zip(moved).filter_map(|(column, value)| column.substituted(0, value)).collect();
        std::array::from_fn(|cell| {
            let mut pmse = |columns: &[Presorted]| {
                let columns: Vec<&Presorted> = columns.iter().collect();
                let tree = fit_presorted(&columns, &self.labels, &self.greedy[cell], &mut self.workspace);
                tree.distinguishability().pmse
            };
            pmse(&here) - pmse(&there)
        })
    }

    fn certified(
        &self,
        mut private: Vec<Vec<f64>>,
        synthetic: &[Vec<f64>],
        theta: &SequentialNormal,
        moved: [f64; 2],
    ) -> [f64; CERTIFIED.len()] {
        let here = self.certified_values(&private, synthetic, theta);
        for (column, value) in private.iter_mut().zip(moved) {
            column[0] = value;
        }
        let there = self.certified_values(&private, synthetic, theta);
        std::array::from_fn(|place| here[place] - there[place])
    }

    fn certified_values(
        &self,
        private: &[Vec<f64>],
        synthetic: &[Vec<f64>],
        theta: &SequentialNormal,
    ) -> Vec<f64> {
        let binned =
            Binned::new(&Stacked::of_numbers(private, synthetic), 32).expect("32 thresholds are few");
        let trees = self.optimal.iter().map(|params| fit_binned(&binned, params).objective);
        let mut counts = vec![0; self.views.cells()];
        let mut z = vec![Vec::new(); private.len()];
        let columns: Vec<&[f64]> = private.iter().map(Vec::as_slice).collect();
        theta.innovations(&columns, &mut z);
        self.views.count(&z, &mut counts);
        let partition = [Quality::Pmse, Quality::Pmae].map(|quality| {
            let utility = Utility::new(quality, ROWS, self.views.cells(), 1);
            utility.to_quality(utility.of_counts(&counts))
        });
        trees.chain(partition).collect()
    }
}

impl Default for Simulator {
    fn default() -> Self {
        Self::new()
    }
}
