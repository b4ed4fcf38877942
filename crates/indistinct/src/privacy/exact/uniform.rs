//! A uniform whole number below a bound.

use crate::random::Generator;
use rand::Rng;
use std::num::NonZeroU128;

/// A uniform number in `0..bound`: draws as many bits as `bound - 1` has, until they are below the bound.
///
/// # Guarantee
/// Exactly uniform, given uniform bits: all numbers with that many bits are equally likely, and dropping some
/// leaves the others equally likely. Checked by `uniform_fills_its_range`. Fewer than two rounds are expected;
/// their number is independent of the number that is returned.
pub(super) fn uniform_below(bound: NonZeroU128, generator: &mut Generator) -> u128 {
    let largest = bound.get() - 1;
    let bits = u128::BITS - largest.leading_zeros();
    if bits == 0 {
        return 0;
    }
    loop {
        let number = if bits <= u64::BITS {
            u128::from(generator.next_u64() >> (u64::BITS - bits))
        } else {
            let word = (u128::from(generator.next_u64()) << u64::BITS) | u128::from(generator.next_u64());
            word >> (u128::BITS - bits)
        };
        if number <= largest {
            return number;
        }
    }
}
