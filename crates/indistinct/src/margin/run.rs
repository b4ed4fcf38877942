//! Runs of neighbouring positions that share a mass.

/// Mass on neighbouring positions, even or with a tilt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// First position.
    pub first: usize,
    /// Number of positions.
    pub length: usize,
    /// Probability of the run.
    pub mass: f64,
    /// By which part the density at the upper end exceeds that in the middle: from -1 to 1.
    pub tilt: f64,
}

impl Run {
    /// A run without tilt.
    pub(super) fn even(first: usize, length: usize, mass: f64) -> Self {
        Self { first, length, mass, tilt: 0.0 }
    }

    /// Mass for each position, on average.
    pub(super) fn density(&self) -> f64 {
        self.mass / self.length as f64
    }

    /// The part of its mass on the first `count` of its positions.
    ///
    /// Position i of w has the weight 1 + tilt (2i + 1 - w) / w, and those sum to i + tilt (i^2 - i w) / w.
    pub(super) fn below(&self, count: usize) -> f64 {
        let part = count as f64 / self.length as f64;
        (part + self.tilt * part * (part - 1.0)).clamp(0.0, 1.0)
    }

    /// The mass of one of its positions, counted from its first.
    pub(super) fn at(&self, place: usize) -> f64 {
        let w = self.length as f64;
        let weight = 1.0 + self.tilt * (2.0 * place as f64 + 1.0 - w) / w;
        self.density() * weight
    }

    /// The place, counted from its first, at which the part `u` of its mass is reached.
    pub(super) fn place(&self, u: f64) -> usize {
        // part + tilt part (part - 1) = u, by the root that stays between 0 and 1 for every tilt.
        let b = 1.0 - self.tilt;
        let root = (b * b + 4.0 * self.tilt * u).max(0.0).sqrt();
        let part = if b + root > 0.0 { 2.0 * u / (b + root) } else { 0.0 };
        let mut place = ((part * self.length as f64) as usize).min(self.length - 1);
        // Rounding may be off by one.
        while place > 0 && self.below(place) > u {
            place -= 1;
        }
        while place + 1 < self.length && self.below(place + 1) <= u {
            place += 1;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_add_up_and_are_found_again() {
        for tilt in [-1.0, -0.3, 0.0, 0.7, 1.0] {
            for length in [1, 2, 7, 100] {
                let run = Run { first: 3, length, mass: 0.25, tilt };
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
}
