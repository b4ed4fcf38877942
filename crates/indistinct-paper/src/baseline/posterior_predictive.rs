//! Synthesis from the posterior predictive distribution: the non-private yardstick.
//!
//! x_1 is normal, and each further column a normal regression on those before it. Under the usual flat prior
//! sigma^2 = RSS / chi^2_{n-p} and beta ~ N(b, sigma^2 (X'X)^-1); every call draws these once, and rows are then simulated.

use indistinct::model::SequentialNormal;
use indistinct::privacy::Budget;
use indistinct::private::{PrivateRows, UnprotectedMoments};
use indistinct::random::Generator;

use crate::baseline::BaselineError;
use crate::baseline::error::check_rows;
use crate::baseline::posterior::{self, Moments, Smallest};

/// The part of a column's sum of squares that must be its own: less is rounding.
const ROUNDING: f64 = 1e-12;

/// One draw of the parameters.
///
/// # Guarantee
/// None: it reads the private rows without noise, and the budget records that.
///
/// # Errors
/// With too few rows, a constant column or one that the columns before determine, or when the budget is used up.
pub fn draw(
    rows: &PrivateRows,
    budget: &mut Budget,
    random: &mut Generator,
) -> Result<SequentialNormal, BaselineError> {
    check_rows(rows)?;
    let UnprotectedMoments { rows, means, centred } =
        rows.unprotected_moments(budget, "posterior of the regressions")?;
    posterior::draw(&Moments { rows, means, centred }, Smallest::Refused(ROUNDING), random)
}
