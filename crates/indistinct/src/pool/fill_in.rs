//! From rows of classes to rows of positions: within their classes, values keep the dependence that correlations
//! describe.
//!
//! Every ordered column of a row has a latent normal score, which lies in the interval of its class. Scores are
//! drawn by Gibbs steps from the normal law with the released correlations, truncated to these intervals. Then
//! the values of a class, one for each of the pool's rows there, are dealt out in the order of the scores: one
//! from each of as many parts of equal mass of the margin, so that columns are distributed as measured.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_distr::{Distribution, StandardNormal};

use super::Pool;
use crate::grid::Codes;
use crate::linear::{Cholesky, Symmetric};
use crate::margin::Margin;
use crate::model::{distribution, quantile};
use crate::random::Generator;

/// Gibbs steps of every score.
const SWEEPS: usize = 4;
/// Most draws: the last one is accepted in any case.
const DRAWS: usize = 8;
/// Largest difference of the log-density in an interval that is drawn from evenly, with draws accepted by
/// density.
const EVEN: f64 = 1.0;

/// Largest absolute score: scores further out are not told apart.
const FARTHEST: f64 = 8.0;

/// An interval of scores.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoreInterval {
    low: f64,
    high: f64,
}

impl ScoreInterval {
    /// All scores.
    const WHOLE_LINE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The median score.
    pub(super) fn middle(self) -> f64 {
        let middle = quantile(f64::midpoint(distribution(self.low), distribution(self.high)));
        middle.clamp(self.low.max(-FARTHEST), self.high.min(FARTHEST))
    }
}

/// Fills in the rows of one model.
pub(crate) struct FillIn<'a> {
    margins: &'a [Margin],
    codes: &'a [Codes],
    block: &'a [usize],
    /// For every column of the block, the intervals of scores of its classes.
    intervals: Vec<Vec<ScoreInterval>>,
    /// The law of every column of the block given all others: the weights of their scores, and the standard
    /// deviation.
    given_others: Vec<(Vec<f64>, f64)>,
}

impl<'a> FillIn<'a> {
    /// Prepares to fill in, from released margins and the lower triangular factor of the correlations of the
    /// scores of `block`.
    pub(crate) fn new(
        margins: &'a [Margin],
        codes: &'a [Codes],
        block: &'a [usize],
        factor: &[Vec<f64>],
    ) -> Self {
        let of_column = |&column: &usize| score_intervals(&margins[column], &codes[column]);
        let intervals = block.iter().map(of_column).collect();
        Self { margins, codes, block, intervals, given_others: given_others(factor, &vec![0.0; block.len()]) }
    }

    /// Fills in rows of a pool, in this order; positions column by column, `None` where a value is missing.
    pub(crate) fn positions(
        &self,
        pool: &Pool,
        rows: &[u32],
        random: &mut Generator,
    ) -> Vec<Vec<Option<usize>>> {
        let scores = self.scores(pool, rows, random);
        (0..self.margins.len())
            .map(|column| {
                let of_block = self.block.iter().position(|&other| other == column);
                self.dealt(pool, rows, column, of_block.map(|place| scores[place].as_slice()), random)
            })
            .collect()
    }

    /// A random position of a class, by its mass; `None` for missing values.
    pub(super) fn position_within(
        &self,
        column: usize,
        class: usize,
        random: &mut Generator,
    ) -> Option<usize> {
        let margin = &self.margins[column];
        let range = self.codes[column].range(margin, class)?;
        Some(range.position(margin, random.random()))
    }

    /// Latent scores of every column of the block.
    fn scores(&self, pool: &Pool, rows: &[u32], random: &mut Generator) -> Vec<Vec<f32>> {
        let mut scores: Vec<Vec<f32>> = vec![Vec::with_capacity(rows.len()); self.block.len()];
        let mut z = vec![0.0; self.block.len()];
        let middles =
            |of_column: &Vec<ScoreInterval>| of_column.iter().map(|within| within.middle()).collect();
        let middles: Vec<Vec<f64>> = self.intervals.iter().map(middles).collect();
        for &row in rows {
            let row = pool.row(row as usize);
            for ((z, middles), &column) in z.iter_mut().zip(&middles).zip(self.block) {
                *z = middles[usize::from(row[column])];
            }
            for _ in 0..SWEEPS {
                for (place, &column) in self.block.iter().enumerate() {
                    let (weights, sd) = &self.given_others[place];
                    let mean: f64 = weights.iter().zip(&z).map(|(weight, z)| weight * z).sum();
                    let within = self.intervals[place][usize::from(row[column])];
                    z[place] = truncated(mean, *sd, within, random);
                }
            }
            scores.iter_mut().zip(&z).for_each(|(scores, &z)| scores.push(z as f32));
        }
        scores
    }

    /// The positions of a column: those of each class dealt out by scores, or at random where there are none.
    fn dealt(
        &self,
        pool: &Pool,
        rows: &[u32],
        column: usize,
        scores: Option<&[f32]>,
        random: &mut Generator,
    ) -> Vec<Option<usize>> {
        let (margin, codes) = (&self.margins[column], &self.codes[column]);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); codes.len()];
        for (place, &row) in (0..).zip(rows) {
            members[usize::from(pool.row(row as usize)[column])].push(place);
        }
        let mut positions = vec![None; rows.len()];
        for (class, mut members) in members.into_iter().enumerate() {
            let Some(range) = codes.range(margin, class) else { continue };
            let count = members.len() as f64;
            match scores {
                Some(scores) => {
                    let score = |place: &u32| scores[*place as usize];
                    members.sort_unstable_by(|a, b| score(a).total_cmp(&score(b)).then(a.cmp(b)));
                }
                None => members.shuffle(random),
            }
            for (rank, place) in members.into_iter().enumerate() {
                let part = (rank as f64 + random.random::<f64>()) / count;
                positions[place as usize] = Some(range.position(margin, part));
            }
        }
        positions
    }
}

/// For every class of a column, its interval of scores; the whole line for missing values.
pub(super) fn score_intervals(margin: &Margin, codes: &Codes) -> Vec<ScoreInterval> {
    // Rounding may leave hardly any mass beyond a cut.
    let cut = |&start: &usize| quantile(margin.interval(start).0).clamp(-FARTHEST, FARTHEST);
    let mut cuts: Vec<f64> = codes.starts().iter().map(cut).collect();
    cuts[0] = f64::NEG_INFINITY;
    cuts.push(f64::INFINITY);
    let between = |cut: &[f64]| ScoreInterval { low: cut[0], high: cut[1] };
    let of_missing = codes.has_missing().then_some(ScoreInterval::WHOLE_LINE);
    cuts.windows(2).map(between).chain(of_missing).collect()
}

/// For every score given all others: the weights of their scores (none for its own), and the standard deviation.
/// The scores may contain independent noise, with these variances.
pub(super) fn given_others(factor: &[Vec<f64>], noise: &[f64]) -> Vec<(Vec<f64>, f64)> {
    let order = factor.len();
    let mut correlations = Symmetric::zeros(order);
    for j in 0..order {
        for k in 0..=j {
            let correlation: f64 = factor[j].iter().zip(&factor[k]).map(|(a, b)| a * b).sum();
            correlations.set(j, k, correlation + if j == k { noise[j] } else { 0.0 });
        }
    }
    let Some(cholesky) = Cholesky::new(&correlations) else { return vec![(vec![0.0; order], 1.0); order] };
    let unit =
        |place: usize| (0..order).map(|other| f64::from(u8::from(other == place))).collect::<Vec<f64>>();
    (0..order)
        .map(|place| {
            // A row of the inverse of the correlations.
            let precision = cholesky.solve(&unit(place));
            let own = precision[place].max(f64::MIN_POSITIVE);
            let weight = |(other, value): (usize, &f64)| if other == place { 0.0 } else { -value / own };
            (precision.iter().enumerate().map(weight).collect(), (1.0 / own).sqrt())
        })
        .collect()
}

/// A draw from a normal law truncated to an interval; one near it if draws are rejected too often.
fn truncated(mean: f64, sd: f64, within: ScoreInterval, random: &mut Generator) -> f64 {
    let (from, to) = ((within.low - mean) / sd, (within.high - mean) / sd);
    // Where the density is largest.
    let peak = 0.0_f64.max(from).min(to);
    let falls = 0.5 * ((from * from).max(to * to) - peak * peak);
    let z = if falls < EVEN {
        let even = |random: &mut Generator| from + (to - from) * random.random::<f64>();
        accepted(random, even, |z| (0.5 * (peak * peak - z * z)).exp())
    } else if from > 0.0 {
        beyond(from, to, random)
    } else if to < 0.0 {
        -beyond(-to, -from, random)
    } else {
        let normal = |random: &mut Generator| StandardNormal.sample(random);
        accepted(random, normal, |z: f64| f64::from(u8::from((from..=to).contains(&z)))).max(from).min(to)
    };
    mean + sd * z
}

/// A standard normal draw between two positive numbers: exponential beyond the first, accepted by density (Robert
/// 1995).
fn beyond(from: f64, to: f64, random: &mut Generator) -> f64 {
    let rate = f64::midpoint(from, (from * from + 4.0).sqrt());
    let all = -(-rate * (to - from)).exp_m1();
    let exponential = |random: &mut Generator| from - (-all * random.random::<f64>()).ln_1p() / rate;
    // The density over that of the proposal is largest at the rate, or at the end that is nearest to it.
    let peak = rate.min(to) - rate;
    accepted(random, exponential, |z| (0.5 * (peak * peak - (z - rate) * (z - rate))).exp()).min(to)
}

/// The first accepted draw, or the last.
fn accepted(
    random: &mut Generator,
    draw: impl Fn(&mut Generator) -> f64,
    probability: impl Fn(f64) -> f64,
) -> f64 {
    let mut z = 0.0;
    for _ in 0..DRAWS {
        z = draw(random);
        if random.random::<f64>() < probability(z) {
            break;
        }
    }
    z
}
