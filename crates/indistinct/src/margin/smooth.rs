//! Smooth densities through noisy cells, where the cells do not speak against it.
//!
//! Joining cells until they differ makes steps, and most numbers have densities without steps. Here the cells
//! keep their own heights, and the logarithm of the density bends as little as their noise requires.

use super::merge::Piece;
use crate::grid::Run;
use crate::linear::Banded;

/// Fewest cells in which a bend can be seen.
const FEWEST: usize = 5;
/// Most cells: with more they speak for themselves.
const MOST: usize = 1000;
/// A cell is a spike if it is denser than both neighbours and these are this many times as long.
const LONG: usize = 8;
/// Least ratio of the density next to a tail to that of the tail.
const STEEP: f64 = 2.0;
/// Largest such ratio: a larger one counts as this.
const STEEPEST: f64 = 20.0;
/// Parts of a tail.
const TAIL_PARTS: usize = 8;
/// Steps to find out how a tail falls off.
const TAIL_STEPS: usize = 40;
/// Costs of roughness that are tried: the least, the factor between them, and their number.
const LEAST_COST: f64 = 0.1;
const COST_STEP: f64 = 3.2;
const COSTS: usize = 15;
/// Assumed degrees of freedom of a step: its height, and its end.
const STEP_FREEDOM: f64 = 2.0;
/// The advantage that a density must have over steps, because the least of several estimates is too low. Chosen
/// on simulated columns.
const CHOSEN: f64 = 3.0;
/// Least width of a cell in the distance of cells, relative to an average one.
const NARROWEST: f64 = 0.2;
/// Least count of a cell at the start of the search, in standard deviations of noise.
const START: f64 = 0.2;
/// Steps of the search.
const SEARCH: usize = 60;
/// Longest step of the search.
const FURTHEST: f64 = 2.0;
/// Gain at which the search ends.
const GAIN: f64 = 1e-6;
/// Damping of the search: at first, at most, and its factors after a good and after a bad step.
const DAMPING: f64 = 1e-3;
const MOST_DAMPING: f64 = 1e8;
const RELAX: f64 = 0.3;
const TIGHTEN: f64 = 10.0;

/// Steps of measured cells, with the smooth density in place of those that it explains better; and the noise of
/// each.
///
/// Spikes, empty cells and `alone` cells stay as they are. The density continues across spikes, not across the
/// others.
pub(super) fn smoothed(
    steps: &[Run],
    noise: &[f64],
    measured: &[Piece],
    alone: impl Fn(&Run) -> bool,
) -> (Vec<Run>, Vec<f64>) {
    let mut all: Vec<(Run, f64)> = Vec::new();
    let is_solid = |step: &Run| step.mass > 0.0 && !alone(step);
    let mut place = 0;
    for part in steps.chunk_by(|left, right| is_solid(left) && is_solid(right)) {
        let places = place..place + part.len();
        place = places.end;
        let is_smooth = |place: &usize| is_solid(&steps[*place]) && !is_spike(steps, *place, &alone);
        let smooth: Vec<usize> = places.clone().filter(is_smooth).collect();
        let cells: Vec<Vec<Piece>> = smooth.iter().map(|&place| inside(&steps[place], measured)).collect();
        let heights = smooth.iter().zip(&cells).flat_map(|(&place, cells)| {
            cells.iter().map(move |cell| steps[place].density() * cell.length as f64)
        });
        let fitted = Density { cells: cells.concat() }.best(&heights.collect::<Vec<f64>>(), smooth.len());
        let is_kept = |place: &usize| fitted.is_none() || smooth.binary_search(place).is_err();
        let kept = places.filter(is_kept).map(|place| (steps[place], noise[place]));
        let fitted = cells.iter().flatten().zip(fitted.iter().flatten());
        let fitted =
            fitted.map(|(cell, &rows)| (Run::even(cell.first, cell.length, rows), cell.variance.sqrt()));
        let mut found: Vec<(Run, f64)> = kept.chain(with_tails(fitted.collect())).collect();
        found.sort_unstable_by_key(|(run, _)| run.first);
        all.extend(found);
    }
    all.into_iter().unzip()
}

/// Lets the density fall off within the first and the last of smooth cells: where they are much less dense than
/// their neighbours, it falls off exponentially, in parts.
fn with_tails(mut cells: Vec<(Run, f64)>) -> Vec<(Run, f64)> {
    for _ in 0..2 {
        // The last one, then the first one by the same means.
        if let [.., (beside, _), (last, noise)] = cells[..] {
            let upwards = last.first > beside.first;
            cells.pop();
            cells.extend(tail(&last, beside.density(), upwards).into_iter().map(|part| (part, noise)));
        }
        cells.reverse();
    }
    cells
}

/// A run whose density falls off from that next to it, upwards or downwards, as parts in order of position.
fn tail(run: &Run, beside: f64, upwards: bool) -> Vec<Run> {
    let ratio = (beside / run.density()).min(STEEPEST);
    if ratio <= STEEP || run.length < TAIL_PARTS {
        return vec![*run];
    }
    // The density beside it over its own, r, is k / (1 - exp(-k)) if it falls off as exp(-k t) while t goes from 0 to 1.
    let k = (0..TAIL_STEPS).fold(ratio, |k, _| ratio * -(-k).exp_m1());
    let below = |t: f64| (-k * t).exp_m1() / (-k).exp_m1();
    let part = |part: usize| {
        let ends = [part, part + 1].map(|place| place as f64 / TAIL_PARTS as f64);
        let mass = run.mass * (below(ends[1]) - below(ends[0]));
        let place = if upwards { part } else { TAIL_PARTS - 1 - part };
        let start = |place: usize| (run.length as u128 * place as u128 / TAIL_PARTS as u128) as usize;
        Run::even(run.first + start(place), start(place + 1) - start(place), mass)
    };
    (0..TAIL_PARTS).map(part).collect()
}

/// Whether a step is much narrower than its neighbours, and denser. At an end a single position may be a spike.
fn is_spike(steps: &[Run], place: usize, alone: impl Fn(&Run) -> bool) -> bool {
    let step = &steps[place];
    let near =
        [place.checked_sub(1), Some(place + 1)].map(|near| steps.get(near?).filter(|near| !alone(near)));
    let is_long = |near: &Run| near.length >= LONG * step.length && near.density() < step.density();
    match near {
        [Some(before), Some(after)] => is_long(before) && is_long(after),
        [Some(only), None] | [None, Some(only)] => step.length == 1 && is_long(only),
        [None, None] => false,
    }
}

/// The measured cells that a step was made of.
fn inside(step: &Run, measured: &[Piece]) -> Vec<Piece> {
    let place = |position: usize| measured.partition_point(|cell| cell.first < position);
    measured[place(step.first)..place(step.first + step.length)].to_vec()
}

/// A density over neighbouring cells with noisy counts.
struct Density {
    cells: Vec<Piece>,
}

/// The fit of a density: it should agree with the cells, and not bend.
struct Fit<'a> {
    cells: &'a [Piece],
    /// For every three neighbouring cells, the factors of their log-densities in the bend.
    bends: Vec<[f64; 3]>,
    /// The cost of roughness.
    cost: f64,
}

impl Density {
    /// The rows of all cells under the density that is expected to be nearest to the truth, if that is nearer
    /// than this many steps of these heights; they have the same sum as the steps.
    ///
    /// A density is judged by Mallows' C_p: its misfit, in units of noise, plus twice what it has fitted to noise
    /// (its degrees of freedom). The variance of the noise is known, so that this estimates the squared error,
    /// without bias if the fit were linear in the rows, for every cost of roughness; the least is taken.
    fn best(&self, heights: &[f64], steps: usize) -> Option<Vec<f64>> {
        if !(FEWEST..=MOST).contains(&self.cells.len()) {
            return None;
        }
        let cells = &self.cells;
        let mut theta: Vec<f64> = cells
            .iter()
            .zip(heights)
            .map(|(cell, rows)| (rows.max(START * cell.variance.sqrt()) / cell.length as f64).ln())
            .collect();
        let mut fit = Fit { cells, bends: bends(cells, heights), cost: LEAST_COST };
        let mut least = fit.misfit(heights) + 2.0 * STEP_FREEDOM * steps as f64 - CHOSEN;
        let mut best = None;
        for _ in 0..COSTS {
            theta = fit.minimise(theta);
            let rows = fit.rows(&theta);
            let risk = fit.freedom(&rows).map_or(f64::INFINITY, |freedom| fit.misfit(&rows) + 2.0 * freedom);
            if risk < least {
                least = risk;
                best = Some(rows);
            }
            fit.cost *= COST_STEP;
        }
        let mut rows = best?;
        let scale = heights.iter().sum::<f64>() / rows.iter().sum::<f64>();
        for rows in &mut rows {
            *rows *= scale;
        }
        Some(rows)
    }
}

/// Second differences. The distance of cells is the rows and positions between them, one on average. By rows
/// alone the end of a long tail would be next to its beginning, and as dense; by positions alone all rows might
/// be in one place.
fn bends(cells: &[Piece], heights: &[f64]) -> Vec<[f64; 3]> {
    let count = cells.len() as f64;
    let rows = heights.iter().sum::<f64>() / count;
    let length = cells.iter().map(|cell| cell.length as f64).sum::<f64>() / count;
    let width = |(cell, height): (&Piece, &f64)| f64::midpoint(height / rows, cell.length as f64 / length);
    let widths: Vec<f64> = cells.iter().zip(heights).map(|cell| width(cell).max(NARROWEST)).collect();
    let bend = |three: &[f64]| {
        let (before, after) = (f64::midpoint(three[0], three[1]), f64::midpoint(three[1], three[2]));
        // The slope's change for each unit, and the root of the units that it stands for.
        let scale = (2.0 / (before + after)).sqrt();
        [scale / before, -scale * (1.0 / before + 1.0 / after), scale / after]
    };
    widths.windows(3).map(bend).collect()
}

impl Fit<'_> {
    /// The rows of every cell, from its log-density.
    fn rows(&self, theta: &[f64]) -> Vec<f64> {
        theta.iter().zip(self.cells).map(|(theta, cell)| theta.exp() * cell.length as f64).collect()
    }

    /// Squared differences in units of noise.
    fn misfit(&self, rows: &[f64]) -> f64 {
        let cells = self.cells.iter().zip(rows);
        cells.map(|(cell, rows)| (cell.rows - rows).powi(2) / cell.variance).sum()
    }

    /// The bend of the density at every three cells.
    fn bent(&self, theta: &[f64]) -> impl Iterator<Item = f64> {
        let three = theta.windows(3).zip(&self.bends);
        three.map(|(theta, bend)| theta.iter().zip(bend).map(|(theta, factor)| theta * factor).sum())
    }

    /// The objective, which is minimised.
    fn objective(&self, theta: &[f64]) -> f64 {
        self.misfit(&self.rows(theta)) + self.cost * self.bent(theta).map(|bent| bent * bent).sum::<f64>()
    }

    /// Half the second derivatives of the objective in the Gauss-Newton approximation, with damping on the
    /// diagonal.
    fn curvature(&self, rows: &[f64], damping: f64) -> Banded {
        let mut matrix = Banded::zeros(rows.len());
        for (place, (cell, rows)) in self.cells.iter().zip(rows).enumerate() {
            matrix.add(place, 0, rows * rows / cell.variance + damping);
        }
        for (place, bend) in self.bends.iter().enumerate() {
            for row in 0..3 {
                for column in 0..=row {
                    matrix.add(place + row, row - column, self.cost * bend[row] * bend[column]);
                }
            }
        }
        matrix
    }

    /// Minus half the first derivatives of the objective.
    fn descent(&self, theta: &[f64], rows: &[f64]) -> Vec<f64> {
        let cells = self.cells.iter().zip(rows);
        let mut descent: Vec<f64> =
            cells.map(|(cell, rows)| rows * (cell.rows - rows) / cell.variance).collect();
        for (place, (bend, bent)) in self.bends.iter().zip(self.bent(theta)).enumerate() {
            for (descent, factor) in descent[place..].iter_mut().zip(bend) {
                *descent -= self.cost * bent * factor;
            }
        }
        descent
    }

    /// Minimises the objective from these log-densities, by the steps of Levenberg and Marquardt.
    fn minimise(&self, mut theta: Vec<f64>) -> Vec<f64> {
        let mut value = self.objective(&theta);
        let mut damping = DAMPING;
        for _ in 0..SEARCH {
            let rows = self.rows(&theta);
            let Some(factor) = self.curvature(&rows, damping).factor() else { break };
            let step = factor.solve(&self.descent(&theta, &rows));
            let next: Vec<f64> =
                theta.iter().zip(step).map(|(theta, step)| theta + step.clamp(-FURTHEST, FURTHEST)).collect();
            let tried = self.objective(&next);
            if tried < value {
                let gain = value - tried;
                (theta, value) = (next, tried);
                damping *= RELAX;
                if gain < GAIN {
                    break;
                }
            } else {
                damping = damping.max(DAMPING) * TIGHTEN;
                if damping > MOST_DAMPING {
                    break;
                }
            }
        }
        theta
    }

    /// Degrees of freedom: the total rate at which fitted rows follow their cells. `None` where rounding hides
    /// it.
    fn freedom(&self, rows: &[f64]) -> Option<f64> {
        let inverse = self.curvature(rows, 0.0).factor()?.inverse_diagonal();
        let cells = self.cells.iter().zip(rows).zip(inverse);
        Some(cells.map(|((cell, rows), inverse)| inverse * rows * rows / cell.variance).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Cells of ten positions each, with repeatable noise of this standard deviation.
    fn noisy(truth: &[f64], sd: f64) -> Vec<Piece> {
        let noise =
            |place: usize| [1.1, -0.4, 0.3, -1.6, 0.8, 0.1, -0.9, 1.4, -0.6, -0.2, 1.7, -1.3][place % 12];
        let cell = |(place, rows): (usize, &f64)| {
            Piece::new(10 * place, 10, rows + sd * noise(place), sd * sd, false)
        };
        truth.iter().enumerate().map(cell).collect()
    }

    /// One step of all cells.
    fn flat(cells: &[Piece]) -> Vec<Run> {
        let rows = cells.iter().map(|cell| cell.rows).sum();
        vec![Run::even(0, cells.iter().map(|cell| cell.length).sum(), rows)]
    }

    fn error(runs: &[Run], truth: &[f64]) -> f64 {
        runs.iter().zip(truth).map(|(run, truth)| (run.mass - truth).abs()).sum()
    }

    #[test]
    fn a_bell_is_seen_through_noise() {
        let truth: Vec<f64> =
            (0..30).map(|place| 300.0 * (-(f64::from(place) - 14.0).powi(2) / 80.0).exp()).collect();
        let cells = noisy(&truth, 30.0);
        let (runs, noise) = smoothed(&flat(&cells), &[30.0], &cells, |_| false);
        assert_eq!((runs.len(), noise), (30, vec![30.0; 30]));
        let raw: Vec<Run> = cells.iter().map(|cell| Run::even(cell.first, cell.length, cell.rows)).collect();
        assert!(
            error(&runs, &truth) < 0.5 * error(&raw, &truth),
            "{} {}",
            error(&runs, &truth),
            error(&raw, &truth)
        );
    }

    #[test]
    fn even_cells_and_few_cells_stay_one_step() {
        let cells = noisy(&[100.0; 12], 10.0);
        let steps = flat(&cells);
        let (runs, _) = smoothed(&steps, &[10.0], &cells, |_| false);
        assert!(runs == steps || error(&runs, &[100.0; 12]) < 60.0, "{runs:?}");
        let few = noisy(&[10.0, 200.0, 30.0, 0.0], 1.0);
        assert_eq!(smoothed(&flat(&few), &[1.0], &few, |_| false), (flat(&few), vec![1.0]));
    }

    #[test]
    fn spikes_empty_steps_and_lone_cells_stay() {
        let bell: Vec<f64> =
            (0..12).map(|place| 500.0 * (-(f64::from(place) - 5.0).powi(2) / 20.0).exp()).collect();
        let mut cells = noisy(&bell, 10.0);
        let spike = Piece::new(120, 1, 900.0, 100.0, false);
        cells.push(spike);
        cells.extend(
            noisy(&[40.0; 6], 10.0)
                .iter()
                .map(|cell| Piece::new(121 + cell.first, 10, cell.rows, 100.0, false)),
        );
        let rows = |range: std::ops::Range<usize>| cells[range].iter().map(|cell| cell.rows).sum::<f64>();
        let steps = [
            Run::even(0, 120, rows(0..12)),
            Run::even(120, 1, 900.0),
            Run::even(121, 60, rows(13..19)),
            Run::even(181, 500, 0.0),
            Run::even(681, 1, 77.0),
        ];
        let (runs, _) = smoothed(&steps, &[10.0; 5], &cells, |run| run.first == 681);
        assert!(runs.len() > 15, "{runs:?}");
        for kept in [&steps[1], &steps[3], &steps[4]] {
            assert!(runs.contains(kept), "{runs:?}");
        }
        assert!(runs.is_sorted_by_key(|run| run.first));
    }

    #[test]
    fn tails_fall_off_from_what_is_beside_them() {
        let beside = (Run::even(0, 10, 200.0), 1.0);
        let last = (Run::even(10, 800, 800.0), 2.0);
        let found = with_tails(vec![beside, last]);
        assert_eq!(found.len(), 1 + TAIL_PARTS);
        let density: Vec<f64> = found.iter().map(|(run, _)| run.density()).collect();
        // k / (1 - exp(-k)) = 20 for k = 20.
        assert!(density[1] < 20.0 && density[1] > 6.0 && density.is_sorted_by(|a, b| a >= b), "{density:?}");
        assert!((found[1..].iter().map(|(run, _)| run.mass).sum::<f64>() - 800.0).abs() < 1e-9);
        assert!(found[1..].iter().all(|(run, noise)| run.length == 100 && *noise == 2.0));
        // The same downwards; and nothing where it is not steep.
        let first = (Run::even(0, 800, 800.0), 2.0);
        let mirrored = with_tails(vec![first, (Run::even(800, 10, 200.0), 1.0)]);
        for ((up, _), (down, _)) in found.iter().zip(mirrored.iter().rev()) {
            assert!((up.mass - down.mass).abs() < 1e-9 && up.first + up.length == 810 - down.first);
        }
        let gentle = vec![beside, (Run::even(10, 800, 12_000.0), 2.0)];
        assert_eq!(with_tails(gentle.clone()), gentle);
    }

    proptest! {
        /// Whatever the cells are, their rows stay finite and positive with the same sum, and cover the same
        /// positions.
        #[test]
        fn nothing_is_lost(
            cells in prop::collection::vec((1_usize..2000, -100.0..5000.0_f64, 0.01..1e4_f64), 5..40),
            mass in 1.0..1e5_f64,
        ) {
            let mut first = 0;
            let cells: Vec<Piece> = cells
                .into_iter()
                .map(|(length, rows, variance)| {
                    first += length;
                    Piece::new(first - length, length, rows, variance, false)
                })
                .collect();
            let (runs, noise) = smoothed(&[Run::even(0, first, mass)], &[1.0], &cells, |_| false);
            prop_assert_eq!(runs.len(), noise.len());
            prop_assert!(runs.iter().all(|run| run.mass > 0.0 && run.mass.is_finite()));
            prop_assert!((runs.iter().map(|run| run.mass).sum::<f64>() / mass - 1.0).abs() < 1e-9);
            prop_assert_eq!(runs.iter().map(|run| run.length).sum::<usize>(), first);
        }
    }
}
