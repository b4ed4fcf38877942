//! The tables that the paper simulates: X1 ~ N(2, 10), X2 ~ N(-2.5 + 0.5 x1, 3), standard deviations given.

use indistinct::model::{Regression, SequentialNormal};
use indistinct::random::Generator;
use rand_distr::{Distribution, StandardNormal};

/// Rows of every simulated table.
pub const ROWS: usize = 5000;

/// Standard deviations of the two columns: 10, and the root of (0.5 * 10)^2 + 3^2.
pub const STANDARD_DEVIATIONS: [f64; 2] = [10.0, 5.830_951_894_845_301];

/// The law of the private tables.
pub fn population() -> SequentialNormal {
    pair([2.0, 10.0, -2.5, 0.5, 3.0])
}

/// The paper's model of five parameters: mean and standard deviation of X1; intercept, slope and standard deviation
/// of X2. Standard deviations are taken without their sign.
pub fn pair([mean, sd, intercept, slope, residual_sd]: [f64; 5]) -> SequentialNormal {
    SequentialNormal::from_regressions(&[
        Regression { intercept: mean, slopes: vec![], sd: sd.abs() },
        Regression { intercept, slopes: vec![slope], sd: residual_sd.abs() },
    ])
}

/// A table of `rows` rows, by column.
pub fn draw(model: &SequentialNormal, rows: usize, random: &mut Generator) -> Vec<Vec<f64>> {
    indistinct::synthesis::simulate(model, rows, random)
}

/// Section 5: parameters of a synthetic table, theta_i ~ N(0, 10).
pub fn wild_theta(random: &mut Generator) -> SequentialNormal {
    pair(std::array::from_fn(|_| normal(10.0, random)))
}

/// Section 5: what is added to both values of one row, N(0, 25).
pub fn disturbance(random: &mut Generator) -> [f64; 2] {
    std::array::from_fn(|_| normal(25.0, random))
}

fn normal(sd: f64, random: &mut Generator) -> f64 {
    let z: f64 = StandardNormal.sample(random);
    sd * z
}
