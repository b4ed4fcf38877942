//! Runs of neighbouring positions that share a mass.

use super::Comb;

/// Largest error, in places, of the inverse of a distribution function before a search is used.
const NEAR: usize = 8;

/// Mass on neighbouring positions, even or with a tilt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// First position.
    pub first: usize,
    /// Number of positions.
    pub length: usize,
    /// Probability of the run.
    pub mass: f64,
    /// The relative excess of the density at the upper end over that in the middle: from -1 to 1.
    pub tilt: f64,
    /// The positions that are heaps, counted from the run's first, and their share of its mass; `None` if all
    /// positions are alike.
    pub(crate) heaps: Option<(Comb, f64)>,
}

impl Run {
    /// A run without tilt.
    pub(crate) fn even(first: usize, length: usize, mass: f64) -> Self {
        Self { first, length, mass, tilt: 0.0, heaps: None }
    }

    /// Mean mass per position.
    pub(crate) fn density(&self) -> f64 {
        self.mass / self.length as f64
    }

    /// The share of its positions among the first `count`, by their weights without the tilt.
    fn part(&self, count: usize) -> f64 {
        let Some((comb, share)) = self.heaps else { return count as f64 / self.length as f64 };
        let (heaps, below) = (comb.below(self.length), comb.below(count));
        let others = self.length - heaps;
        share * below as f64 / heaps.max(1) as f64
            + (1.0 - share) * (count - below) as f64 / others.max(1) as f64
    }

    /// The share of its mass on the first `count` of its positions.
    ///
    /// Where all are alike, position i of w has the weight 1 + tilt (2i + 1 - w) / w, and those sum to i + tilt
    /// (i^2 - i w) / w.
    pub(crate) fn below(&self, count: usize) -> f64 {
        let part = self.part(count);
        (part + self.tilt * part * (part - 1.0)).clamp(0.0, 1.0)
    }

    /// The mass of one of its positions, counted from its first.
    pub(crate) fn at(&self, place: usize) -> f64 {
        self.mass * (self.below(place + 1) - self.below(place))
    }

    /// The place, counted from its first, at which the share `u` of its mass is reached.
    pub(crate) fn place(&self, u: f64) -> usize {
        // part + tilt part (part - 1) = u, by the root that stays between 0 and 1 for every tilt.
        let b = 1.0 - self.tilt;
        let root = (b * b + 4.0 * self.tilt * u).max(0.0).sqrt();
        let part = if b + root > 0.0 { 2.0 * u / (b + root) } else { 0.0 };
        let mut place = self.at_part(part);
        // Rounding may be off by one, or meet a place without mass.
        for _ in 0..NEAR {
            if place > 0 && self.below(place) > u {
                place -= 1;
            } else if place + 1 < self.length && self.below(place + 1) <= u {
                place += 1;
            } else {
                return place;
            }
        }
        // Between heaps, or where the density ends, many places may have none.
        first_place(self.length, |place| self.below(place + 1) > u)
    }

    /// The place at which a share of the positions is reached.
    fn at_part(&self, part: f64) -> usize {
        if self.heaps.is_none() {
            return ((part * self.length as f64) as usize).min(self.length - 1);
        }
        first_place(self.length, |place| self.part(place + 1) > part)
    }
}

/// The first of `length` places for which a condition holds, if it then holds for all later ones; the last if for
/// none.
fn first_place(length: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, length - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_add_up_and_are_found_again() {
        for tilt in [-1.0, -0.3, 0.0, 0.7, 1.0] {
            for length in [1, 2, 7, 100] {
                let run = Run { tilt, ..Run::even(3, length, 0.25) };
                let mut sum = 0.0;
                for place in 0..length {
                    assert!((run.below(place) * 0.25 - sum).abs() < 1e-14);
                    assert!(run.at(place) >= 0.0);
                    let middle = f64::midpoint(run.below(place), run.below(place + 1));
                    assert_eq!(run.place(middle), place, "{run:?}");
                    sum += run.at(place);
                }
                assert!((sum - 0.25).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn wide_gaps_are_crossed_at_once() {
        let heaps = Some((Comb { every: 1 << 50, phase: 5 }, 1.0));
        let run = Run { heaps, ..Run::even(0, 1 << 52, 1.0) };
        for (u, place) in [(0.1, 5), (0.3, 5 + (1 << 50)), (0.9, 5 + 3 * (1 << 50))] {
            assert_eq!(run.place(u), place);
        }
        let flat = Run { tilt: -1.0, ..Run::even(0, 1 << 53, 1.0) };
        assert!(flat.place(1.0_f64.next_down()) < 1 << 53);
    }

    #[test]
    fn heaps_have_their_part() {
        for tilt in [-0.6, 0.0, 0.4] {
            for (length, every, phase, share) in
                [(23, 5, 3, 0.8), (100, 10, 0, 0.999), (11, 10, 9, 0.2), (12, 5, 1, 1.0)]
            {
                let heaps = Some((Comb { every, phase }, share));
                let run = Run { tilt, heaps, ..Run::even(0, length, 1.0) };
                let on: f64 =
                    (0..length).filter(|place| place % every == phase).map(|place| run.at(place)).sum();
                assert!((on - share).abs() < 0.25, "{on}");
                for place in 0..length {
                    let (from, to) = (run.below(place), run.below(place + 1));
                    if to - from > 1e-9 {
                        assert_eq!(run.place(f64::midpoint(from, to)), place, "{run:?}");
                    }
                }
            }
        }
    }
}
