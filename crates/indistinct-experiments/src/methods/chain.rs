//! The pMSE mechanism as the paper ran it: greedy trees, Metropolis, ten draws at epsilon / 10, sensitivity 1/n.
//!
//! What the paper does not say is chosen here: one chain whose states are the draws, started near the parameters that
//! fit the private table (without which it would not be near them after so few steps), cp = 0.01 as in its Section 6,
//! and one set of random numbers that all proposals make their tables from. None of this is differentially private.

use indistinct::model::{Regression, SequentialNormal};
use indistinct::privacy::Epsilon;
use indistinct::quality::Quality;
use indistinct::random::Generator;
use indistinct::sampler::judge::Judge;
use indistinct::sampler::metropolis::{Metropolis, Start};

use super::outcome::{Private, budget, line, tree};
use crate::paper::DRAWS;

/// Complexity of the trees.
const COMPLEXITY: f64 = 0.01;
/// Steps before the first draw, in which the walk adapts.
pub const BURN_IN: usize = 250;
/// Steps over which the draws are spread.
pub const STEPS: usize = 250;

pub(super) fn states(
    private: &Private,
    depth: u32,
    longer: usize,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Vec<SequentialNormal>, String> {
    let walk = Metropolis {
        quality: Quality::Pmse,
        paper_sensitivity: true,
        start: Start::Around(fitted(&private.columns)),
        burn_in: longer * BURN_IN,
        steps: longer * STEPS,
        ..Metropolis::default()
    };
    let judge = Judge::Cart(tree(COMPLEXITY, depth));
    let mut budget = budget(epsilon, random);
    walk.states(&judge, &private.rows, (&mut budget, epsilon), DRAWS as usize, random)
        .map_err(|error| error.to_string())
}

/// The model with the moments of the table.
fn fitted(columns: &[Vec<f64>]) -> SequentialNormal {
    let n = columns[0].len() as f64;
    let mean = columns[0].iter().sum::<f64>() / n;
    let sd = (columns[0].iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let (intercept, slope) = line(columns);
    let residual = |(x, y): (&f64, &f64)| (y - intercept - slope * x).powi(2);
    let residual_sd = (columns[0].iter().zip(&columns[1]).map(residual).sum::<f64>() / (n - 2.0)).sqrt();
    SequentialNormal::from_regressions(&[
        Regression { intercept: mean, slopes: vec![], sd },
        Regression { intercept, slopes: vec![slope], sd: residual_sd },
    ])
}
