//! The generative model g(theta): it makes synthetic rows, and sends rows to probability space.

mod incomplete_beta;
mod normal;
mod standard_normal;

pub use incomplete_beta::beta_distribution;
pub(crate) use incomplete_beta::continued_fraction;
pub use normal::{Regression, SequentialNormal};
pub use standard_normal::{distribution, quantile};

/// A sequential model x_j | x_1..x_{j-1} of numeric rows, at one theta.
///
/// `innovations` is the Rosenblatt transform on the normal scale: z_j = Phi^-1(F_j(x_j | x_<j, theta)). The z_j of a
/// row are independent and standard normal exactly when the model is right, and v_j = Phi(z_j) is uniform. Cells of
/// known probability are cut in that space, so that no synthetic table is needed to judge a theta.
pub trait SequentialModel: Sync {
    /// Number of columns.
    fn columns(&self) -> usize;

    /// Sends a block of rows, given by column, to z: `z[j]` receives as many values as the block has rows.
    ///
    /// # Guarantee
    /// Each row's z depends on that row and theta only, by the same operations in the same order whatever the block.
    fn innovations(&self, block: &[&[f64]], z: &mut [Vec<f64>]);

    /// Makes rows from standard normal z, by column: the inverse of [`Self::innovations`]. With z drawn before theta is
    /// known ("common random numbers") rows of different theta differ by theta alone.
    fn simulate(&self, z: &[Vec<f64>]) -> Vec<Vec<f64>>;
}
