//! Distributions by formula, and their conversion to runs of positions.

use crate::grid::Run;

/// Largest error of a run at its quarters, as a share of the whole mass.
const CLOSE: f64 = 2e-7;
/// Largest mass of a run of several positions.
const MOST: f64 = 1.0 / 64.0;
/// Mass that can be ignored.
const NOTHING: f64 = 1e-12;

/// A sufficient number of runs, whatever the law.
const ENOUGH: usize = 4096;

/// A distribution over the real line.
pub(super) trait Law {
    /// The tails at an edge, each without loss of digits where it is small.
    fn tails(&self, edge: f64) -> Tails;
}

/// The probabilities below and above an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tails {
    pub(super) below: f64,
    pub(super) above: f64,
}

impl Tails {
    /// Below everything.
    pub(super) const FIRST: Self = Self { below: 0.0, above: 1.0 };
    /// Above everything.
    pub(super) const LAST: Self = Self { below: 1.0, above: 0.0 };
}

/// The probability between two edges that are given by their tails.
pub(super) fn between(from: Tails, to: Tails) -> f64 {
    let mass = if to.below <= 0.5 {
        to.below - from.below
    } else if from.above <= 0.5 {
        from.above - to.above
    } else {
        1.0 - from.below - to.above
    };
    mass.max(0.0)
}

/// The runs of a law on `length` positions from `first` on; `edge` gives the start of a position.
///
/// They are halved until the tilted density of a run is as good as the law, so that single positions remain where
/// there are few, and some hundred runs otherwise.
pub(super) fn runs(law: &impl Law, first: usize, length: usize, edge: impl Fn(usize) -> f64) -> Vec<Run> {
    let mut runs = Vec::new();
    if length > 0 {
        let tails = |position: usize| law.tails(edge(position));
        divide(&tails, first, length, tails(first), tails(first + length), &mut runs);
    }
    runs
}

fn divide(
    tails: &impl Fn(usize) -> Tails,
    first: usize,
    length: usize,
    left: Tails,
    right: Tails,
    runs: &mut Vec<Run>,
) {
    let mass = between(left, right);
    if length == 1 || mass < NOTHING {
        runs.extend((mass > 0.0).then(|| Run::even(first, length, mass)));
        return;
    }
    let half = length / 2;
    let middle = tails(first + half);
    // The tilt that is right in the middle: part + tilt part (part - 1) of the mass is below it.
    let part = half as f64 / length as f64;
    let tilt = (between(left, middle) / mass - part) / (part * (part - 1.0));
    let run = Run { tilt: tilt.clamp(-1.0, 1.0), ..Run::even(first, length, mass) };
    let is_close = |count: usize| {
        let below = between(left, tails(first + count));
        (run.below(count) * mass - below).abs() < CLOSE
    };
    // Tails that fall faster than a line can are followed down to nothing.
    let is_good =
        mass < MOST && tilt.abs() <= 1.0 && is_close(half / 2) && is_close(half + (length - half) / 2);
    if is_good || runs.len() >= ENOUGH {
        runs.push(run);
    } else {
        divide(tails, first, half, left, middle, runs);
        divide(tails, first + half, length - half, middle, right, runs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin::sinh_arcsinh::SinhArcsinh;

    fn distance(law: &impl Law, runs: &[Run], positions: usize) -> f64 {
        let mut found = vec![0.0; positions];
        for run in runs {
            (0..run.length).for_each(|place| found[run.first + place] = run.at(place));
        }
        let exact = (0..positions).map(|k| between(law.tails(k as f64), law.tails(k as f64 + 1.0)));
        exact.zip(found).map(|(exact, found)| (exact - found).abs()).sum::<f64>() / 2.0
    }

    #[test]
    fn runs_are_as_good_as_the_law() {
        for (median, scale, epsilon, delta) in [
            (5e4, 5e3, 0.0, 1.0),
            (2e4, 3e3, 1.5, 0.6),
            (900.0, 0.3, 0.0, 1.0),
            (77_000.0, 40.0, -2.0, 0.5),
            (100.5, 0.05, 0.0, 1.0),
        ] {
            let law = SinhArcsinh::of_quartiles(median, scale, epsilon, delta);
            let runs = runs(&law, 0, 100_000, |position| position as f64);
            assert!(runs.len() < 600, "{}", runs.len());
            let distance = distance(&law, &runs, 100_000);
            assert!(distance < 1e-4, "{median} {scale}: {distance}");
            assert!(runs.windows(2).all(|pair| pair[0].first + pair[0].length <= pair[1].first));
        }
    }

    #[test]
    fn few_positions_are_exact() {
        let law = SinhArcsinh::of_quartiles(50.0, 4.0, 0.0, 1.0);
        let runs = runs(&law, 0, 100, |position| position as f64);
        assert!(distance(&law, &runs, 100) < 1e-6);
    }
}
