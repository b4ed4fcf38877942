//! Margins by formula: the law of a declared family that fits the measured cells best, instead of their own
//! shape.
//!
//! Two to four parameters are found from all cells together, which averages out noise that would show in a
//! histogram. All of it is post-processing of what was measured, and whatever the noise, the result is a proper
//! law.

use super::Margin;
use super::count::NegativeBinomial;
use super::evidence::{Evidence, OpenEnds};
use super::law::{self, Law};
use super::merge::Piece;
use super::nelder_mead::highest;
use super::sinh_arcsinh::SinhArcsinh;
use crate::grid::{ColumnFacts, Run};
use crate::table::Family;

/// Least scale of a law, in places: all of its mass may be on one.
const FINEST: f64 = 0.05;
/// A guess at the range of a column over its standard deviation.
const WIDTH: f64 = 8.0;
/// Standard deviation of the logarithm of that guess for a range that was found; a declared range is not chosen
/// by where the rows are, and has a larger one.
const WIDTH_FOUND: f64 = 1.0;
const WIDTH_DECLARED: f64 = 3.0;
/// Standard deviation of the skewness around that of the normal distribution.
const SKEWNESS: f64 = 1.0;
/// Standard deviation of the logarithm of the weight of tails around that of the normal distribution.
const TAILS: f64 = 0.5;
/// Bounds of the skewness and of the weight of tails.
const MOST_SKEWED: f64 = 4.0;
const LIGHTEST: f64 = 5.0;
/// Standard deviation of the logarithm of a negative binomial's size around 0; its bounds are 10^-3 and 10^9.
const SIZE: f64 = 4.0;
const LEAST_LN_SIZE: f64 = -6.9;
const MOST_LN_SIZE: f64 = 20.7;
/// The least mean of a count.
const LEAST_MEAN: f64 = 1e-3;
/// Mass of the law beyond the grid: where the end of a range is not declared, the grid is extended until less than this is beyond
/// it.
const BEYOND: f64 = 1e-6;
/// Part of the range by which the grid is extended at a time.
const PART: f64 = 0.25;
/// Most extensions of the grid.
const PARTS: u32 = 64;

/// The margin with the law of its family instead of the measured runs. Atoms and missing values keep their masses.
pub(super) fn fitted(margin: Margin, measured: &[Piece], rows: f64, facts: &ColumnFacts) -> Margin {
    let on_atoms: f64 = margin.grid().atoms().iter().map(|&atom| margin.probability(atom)).sum();
    let (rows, share) = (rows * (1.0 - margin.missing()), 1.0 - on_atoms);
    // Where nothing was measured there is nothing to fit.
    if facts.family == Family::Histogram || rows <= 0.0 || share <= 1e-9 {
        return margin;
    }
    let evidence = Evidence::new(&margin, measured, rows, share, facts);
    match facts.family {
        Family::Histogram => margin,
        Family::Normal => with_law(margin, &normal(&evidence), share, evidence.open),
        Family::Skewed => with_law(margin, &skewed(&evidence), share, evidence.open),
        Family::Count => with_law(margin, &count(&evidence), share, evidence.open),
    }
}

/// The log-odds of a scale by the range alone, which decide where noise leaves nothing else.
fn guess(evidence: &Evidence, scale: f64) -> f64 {
    let found = evidence.open.low || evidence.open.high;
    odds((scale * WIDTH / evidence.places).ln(), if found { WIDTH_FOUND } else { WIDTH_DECLARED })
}

fn odds(off: f64, sd: f64) -> f64 {
    -0.5 * (off / sd).powi(2)
}

/// A first median and scale, from quartiles.
fn start(evidence: &Evidence) -> (f64, f64) {
    let [lower, median, upper] = evidence.quartiles;
    (median, ((upper - lower) / 1.349).clamp(2.0 * FINEST, evidence.places.max(1.0)))
}

/// Whether a median and a scale are plausible for the grid.
fn is_near(evidence: &Evidence, median: f64, scale: f64) -> bool {
    let places = evidence.places;
    (-places..=2.0 * places).contains(&median) && (FINEST..=4.0 * places).contains(&scale)
}

fn normal(evidence: &Evidence) -> SinhArcsinh {
    let (median, scale) = start(evidence);
    let law = |at: &[f64; 2]| (median + at[0] * scale, scale * at[1].exp());
    let height = |at: &[f64; 2]| {
        let (median, scale) = law(at);
        if !is_near(evidence, median, scale) {
            return f64::NEG_INFINITY;
        }
        evidence.support(&SinhArcsinh::of_quartiles(median, scale, 0.0, 1.0)) + guess(evidence, scale)
    };
    let (median, scale) = law(&highest([0.0; 2], [0.4, -0.3], height));
    SinhArcsinh::of_quartiles(median, scale, 0.0, 1.0)
}

fn skewed(evidence: &Evidence) -> SinhArcsinh {
    let (median, scale) = start(evidence);
    let placed = |at: &[f64; 4]| (median + at[0] * scale, scale * at[1].exp());
    let law = |at: &[f64; 4]| {
        let (median, scale) = placed(at);
        SinhArcsinh::of_quartiles(median, scale, at[2], at[3].exp())
    };
    let height = |at: &[f64; 4]| {
        let (median, scale) = placed(at);
        let is_bounded = at[2].abs() <= MOST_SKEWED && at[3].abs() <= LIGHTEST.ln();
        if !is_near(evidence, median, scale) || !is_bounded {
            return f64::NEG_INFINITY;
        }
        evidence.support(&law(at)) + guess(evidence, scale) + odds(at[2], SKEWNESS) + odds(at[3], TAILS)
    };
    // Skewness to either side, as there may be a top on both.
    let tops =
        [-0.6, 0.0, 0.6].map(|epsilon| highest([0.0, 0.0, epsilon, 0.0], [0.4, -0.3, 0.3, -0.2], height));
    let top = tops.into_iter().max_by(|a, b| height(a).total_cmp(&height(b)));
    law(&top.unwrap_or_default())
}

fn count(evidence: &Evidence) -> NegativeBinomial {
    let [lower, median, upper] = evidence.quartiles;
    // Count k is the place from k to k + 1.
    let mean = ((lower + median + upper) / 3.0 - 0.5).max(0.1);
    let (_, scale) = start(evidence);
    let ln_size = (mean * mean / (scale * scale - mean).max(1e-3 * mean)).ln().clamp(-3.0, 7.0);
    let law = |at: &[f64; 2]| NegativeBinomial { mean: mean * at[0].exp(), size: (ln_size + at[1]).exp() };
    let height = |at: &[f64; 2]| {
        let found = law(at);
        let ln_size = ln_size + at[1];
        let is_bounded = (LEAST_LN_SIZE..=MOST_LN_SIZE).contains(&ln_size)
            && (LEAST_MEAN..=4.0 * evidence.places.max(1.0)).contains(&found.mean);
        if !is_bounded {
            return f64::NEG_INFINITY;
        }
        evidence.support(&found) + guess(evidence, found.mean) + odds(ln_size, SIZE)
    };
    law(&highest([0.0; 2], [0.3, 0.7], height))
}

/// The margin on a grid that covers the law, with the law's runs and the measured atoms.
fn with_law(margin: Margin, law: &impl Law, share: f64, open: OpenEnds) -> Margin {
    let (grid, below, wider) = {
        let grid = margin.grid();
        let places = grid.places() as f64;
        // A single place says nothing about how wide others are.
        let further = |is_open: bool, beyond: &dyn Fn(f64) -> f64| {
            let enough = |part: &u32| beyond(PART * f64::from(*part) * places) <= BEYOND;
            if is_open && places > 1.0 { (0..PARTS).find(enough).unwrap_or(PARTS) } else { 0 }
        };
        let below = further(open.low, &|further| law.tails(-further).below);
        let above = further(open.high, &|further| law.tails(places + further).above);
        let whole = |parts: u32| (PART * f64::from(parts) * places).ceil();
        grid.extended(whole(below), whole(above))
    };
    let edge = |place: usize| place as f64 * wider - below;
    let mut runs: Vec<Run> = Vec::new();
    let mut first = 0;
    for &end in grid.atoms().iter().chain([&grid.len()]) {
        // Between atoms places follow one another.
        let (start, place) = (first, grid.place(first));
        runs.extend(law::runs(law, start, end - start, |position| edge(place + position - start)));
        first = end + 1;
    }
    let mass: f64 = runs.iter().map(|run| run.mass).sum();
    if mass.is_nan() || mass <= 0.0 {
        return margin;
    }
    for run in &mut runs {
        run.mass *= share / mass;
    }
    let old = margin.grid();
    let atoms = grid.atoms().iter().map(|&atom| {
        let was = old.position(grid.value(atom)).map_or(0.0, |position| margin.probability(position));
        Run::even(atom, 1, was)
    });
    runs.extend(atoms);
    runs.sort_unstable_by_key(|run| run.first);
    let missing = margin.missing();
    Margin::of_masses(grid, runs, missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    /// An even margin from 40 to 60, where the law is normal around 50 with standard deviation 10.
    fn cut(step: Option<f64>, low: bool, high: bool) -> Margin {
        let grid = Grid::numbers(
            &ColumnFacts { step, atoms: vec![47.0, -8.0], ..ColumnFacts::default() },
            40.0,
            60.0,
        );
        let law = SinhArcsinh::of_quartiles(grid.places() as f64 / 2.0, 10.0 / grid.step(), 0.0, 1.0);
        let atoms = grid.atoms().iter().map(|&atom| Run::even(atom, 1, 0.1));
        let mut runs: Vec<Run> = atoms.chain([Run::even(grid.len() - 9, 9, 0.8)]).collect();
        runs.sort_unstable_by_key(|run| run.first);
        with_law(Margin::of_masses(grid, runs, 0.25), &law, 0.8, OpenEnds { low, high })
    }

    #[test]
    fn the_grid_is_extended_until_it_covers_the_law() {
        for step in [None, Some(0.5)] {
            let margin = cut(step, true, true);
            let (low, high) = (margin.to_value(1), margin.to_value(usize::MAX));
            assert!(low < 3.0 && high > 97.0 && low > -8.0 && high < 108.0, "{low} {high}");
            let below = |value: f64| margin.interval(margin.grid().position(value).unwrap_or(0)).0;
            // The law's lower part, and two atoms below; within a position.
            assert!((below(40.0) - 0.1 - 0.8 * 0.1587).abs() < 0.01, "{}", below(40.0));
            assert!((below(60.0) - 0.2 - 0.8 * 0.8413).abs() < 0.01, "{}", below(60.0));
            let half = cut(step, false, true);
            assert!((half.to_value(1) - 40.0).abs() < 0.01 && half.to_value(usize::MAX) > 97.0);
            let closed = cut(step, false, false);
            assert!(closed.to_value(usize::MAX) <= 60.0 && closed.missing() == 0.25);
            for margin in [margin, half, closed] {
                for atom in [47.0, -8.0] {
                    let position = margin.grid().position(atom).unwrap_or(0);
                    assert!((margin.probability(position) - 0.1).abs() < 1e-12, "{atom}");
                }
            }
        }
    }
}
