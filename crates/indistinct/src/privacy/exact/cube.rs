//! Noise whose law depends on the largest coordinate alone: uniform in a cube of random size.

use super::Ratio;
use super::bernoulli::bernoulli;
use super::laplace::geometric;
use super::uniform::uniform_below;
use crate::random::Generator;
use std::num::NonZeroU128;

/// The largest half-width of a cube: reached with negligible probability (`proofs/k_norm.md`).
const LARGEST: u128 = 1 << 120;

/// A list v of whole numbers with probability proportional to exp(-max |v_i| / `scale`).
///
/// # Guarantee
/// Exact; `proofs/k_norm.md`, test `cube_noise_follows_its_law`. Where `scale` is large against the square of the
/// number of coordinates, one round is nearly always enough; where it is small there are at most 2^d d! of them
/// on average. Time depends on the noise drawn, and on `scale`, which is public.
pub(in crate::privacy) fn cube_noise(
    coordinates: usize,
    scale: Ratio,
    generator: &mut Generator,
) -> Vec<i128> {
    let radius = radius(coordinates, scale, generator);
    // At most 2^121 + 1, and not zero.
    let width = NonZeroU128::MIN.saturating_add(2 * radius);
    (0..coordinates).map(|_| uniform_below(width, generator) as i128 - radius as i128).collect()
}

/// r = 0, 1, 2, ... with probability proportional to (2r + 1)^d exp(-r / `scale`).
fn radius(coordinates: usize, scale: Ratio, generator: &mut Generator) -> u128 {
    loop {
        // A sum of d + 1 geometric numbers: proportional to (r + 1) ... (r + d) exp(-r / scale).
        let mut r = 0u128;
        for _ in 0..=coordinates {
            r = r.saturating_add(geometric(scale, generator));
        }
        let r = r.min(LARGEST);
        let accepts = |i: u128, generator: &mut Generator| {
            let below = NonZeroU128::MIN.saturating_add(2 * (r + i) - 1);
            bernoulli(2 * r + 1, below, generator)
        };
        if (1..=coordinates as u128).all(|i| accepts(i, generator)) {
            return r;
        }
    }
}
