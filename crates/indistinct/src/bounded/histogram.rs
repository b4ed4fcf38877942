//! Draws from a smoothed histogram of clipped rows.

use super::Bounds;
use crate::privacy::StepError;
pub use crate::privacy::histogram_cells::{MOST_CELLS, cells};
use crate::privacy::{Budget, Epsilon, Exactness, Sensitivity, smooth_histogram, smooth_histogram_matching};
use crate::private::PrivateRows;

/// The smoothing of a histogram towards the uniform law, whose weight is lambda.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smoothing {
    /// lambda = K / (K + n (e^(epsilon / n_s) - 1)) for K cells and n_s drawn rows: epsilon-differentially
    /// private.
    Printed,
    /// lambda = K / (K + n epsilon), whatever is drawn: **not** epsilon-differentially private, but n_s ln(1 +
    /// epsilon). It fits the published figures.
    Matching,
}

/// Draws `draws` cells of a grid with `bins` intervals per column: for each draw, its interval in every column.
///
/// # Guarantee
/// With [`Smoothing::Printed`] epsilon-differentially private when one row is substituted, all draws together, if the
/// bounds do not depend on the rows (`proofs/smooth_histogram.md`). With [`Smoothing::Matching`] none, and the charge
/// says so.
///
/// # Errors
/// When the budget does not allow it.
///
/// # Panics
/// When there are not as many bounds as columns, no bins, or more than [`MOST_CELLS`] cells.
pub fn draw_cells(
    rows: &PrivateRows,
    bounds: &Bounds,
    bins: usize,
    smoothing: Smoothing,
    draws: usize,
    budget: &mut Budget,
    epsilon: Epsilon,
) -> Result<Vec<Vec<usize>>, StepError> {
    let columns = rows.columns();
    assert_eq!(bounds.intervals().len(), columns, "an interval for every column");
    assert!(cells(bins, columns).is_some_and(|cells| cells > 0), "some cells, and not too many");
    let (step, sensitivity) = ("rows from a smoothed histogram", Sensitivity::cell_count());
    let drawn = match smoothing {
        Smoothing::Printed => {
            let charge = budget.charge(step, epsilon, sensitivity)?;
            smooth_histogram(charge, &rows.cells_within(bounds, bins), draws)?
        }
        Smoothing::Matching => {
            let exactness =
                Exactness::NoGuarantee { why: matching(epsilon, draws, budget.rows_per_person().get()) };
            let charge = budget.charge_chain(step, epsilon, sensitivity, exactness)?;
            smooth_histogram_matching(charge, &rows.cells_within(bounds, bins), draws)?
        }
    };
    let intervals = |mut cell: usize| {
        let digits = (0..columns).map(move |_| {
            let digit = cell % bins;
            cell /= bins;
            digit
        });
        digits.collect()
    };
    Ok(drawn.into_iter().map(intervals).collect())
}

/// The true cost of [`Smoothing::Matching`], for the certificate.
fn matching(epsilon: Epsilon, draws: usize, rows_per_person: u32) -> String {
    let k = f64::from(rows_per_person);
    let real = draws as f64 * k * (epsilon.to_f64() / k).ln_1p();
    let formula = if rows_per_person == 1 { "n_s ln(1 + epsilon)" } else { "n_s k ln(1 + epsilon/k)" };
    format!(
        "the smoothing lambda = K/(K + n epsilon) makes {draws} drawn rows private at {formula} = {real:.4}, not at \
         epsilon {epsilon}"
    )
}
