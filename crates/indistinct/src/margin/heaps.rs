//! Heaps: columns most of whose values are round, such as amounts in hundreds or whole years.
//!
//! A lattice of many positions cannot be searched one by one. The roundness of values is counted first: if
//! multiples of some number of steps hold far more than their share of the rows, they are measured by themselves,
//! beside the values between them. Both are parts of one partition, so that this costs no more than measuring one
//! of them.

use crate::grid::Comb;

/// Least mean information in the rows' roundness, in nats, for heaps to be used.
const TELLING: f64 = 0.1;
/// Standard deviations of noise by which the multiples must exceed their share.
const BEYOND_NOISE: f64 = 4.0;

/// The comb for which noisy counts of rows by roundness speak, if there is one.
///
/// With a share m of the rows on one k-th of the places, a row's roundness has m ln(m k) + (1 - m) ln((1 - m) /
/// (1 - 1/k)) nats of information: the comb with the most is taken.
pub(super) fn telling(combs: &[Comb], noisy: &[i64], sd: f64) -> Option<Comb> {
    let total: f64 = noisy.iter().map(|&count| count as f64).sum();
    let mut best: Option<(f64, Comb)> = None;
    for (rank, comb) in combs.iter().enumerate() {
        let on: f64 = noisy[rank + 1..].iter().map(|&count| count as f64).sum();
        let part = 1.0 / comb.every as f64;
        if total <= 0.0 || on - part * total < BEYOND_NOISE * sd * (noisy.len() as f64).sqrt() {
            continue;
        }
        let m = (on / total).clamp(part, 1.0);
        let off = if m < 1.0 { (1.0 - m) * ((1.0 - m) / (1.0 - part)).ln() } else { 0.0 };
        let tells = m * (m / part).ln() + off;
        if tells > TELLING && best.is_none_or(|(most, _)| tells > most) {
            best = Some((tells, *comb));
        }
    }
    best.map(|(_, comb)| comb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{ColumnFacts, Grid, combs};

    #[test]
    fn the_comb_that_tells_most_is_taken() {
        let facts = ColumnFacts { step: Some(1.0), ..ColumnFacts::default() };
        let combs = combs(&Grid::numbers(&facts, 0.0, 20_000.0));
        let every = |noisy: &[i64]| telling(&combs, noisy, 5.0).map(|comb| comb.every);
        // Nearly all are multiples of 100, a third of 500.
        assert_eq!(every(&[40, 10, 100, 60, 430, 130, 230, 0]), Some(100));
        // As many as there are such places: nothing to tell.
        assert_eq!(every(&[800, 100, 80, 10, 8, 1, 1, 0]), None);
        // Nothing but noise.
        assert_eq!(every(&[3, -5, 4, 8, -2, 0, 6, -7]), None);
    }
}
