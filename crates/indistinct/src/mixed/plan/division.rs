//! The division of a draw's budget among margins, correlations and tables, by the error that is predicted of each.

use super::{MOST_ROUNDS, MixedPlan};
use crate::dependence::{Fineness, Rounds, moved_by_noise};
use crate::privacy::Randomness;
use crate::random::Seed;

/// Share of the budget, in percent, for correlations of ordered columns: the least and the most. Their noise is
/// predicted near independence; columns that are nearly the same suffer more from it, so that there is a least
/// share. (On diamonds at epsilon 4 the distance of three columns was .108 with 2 %, .104 with 5 %: two releases
/// each.)
const SCORES: std::ops::RangeInclusive<u32> = 5..=30;
/// Growth of the sum of the distances of two and three columns with the noise of correlations, if all columns are
/// ordered. Near independence a correlation r moves r E|z z'| / 2 = r / pi between the cells of two normal
/// scores, and noise is 0.8 standard deviations on average: 0.25 for a pair, and times the square root of 3 for
/// three pairs.
const WEIGHT_OF_SCORES: f64 = 0.7;
/// Assumed root mean square of correlations, which are not public. For ranks of numbers it is between 0.09
/// (adult) and 0.7 (diamonds) on the development tables, with a median of 0.25. Noise beyond it does no more
/// harm, because correlations are then shrunk to zero.
const USUAL_CORRELATION: f64 = 0.25;
/// Cost of a choice as a part of a choice and its measurement together.
const CHOICE: f64 = 0.08;
/// Largest share of all rows that the noise of a table may seem to move between its cells: it limits the cells of
/// tables. Much of it is undone, because counts cannot be negative and the margins are known.
const MOVED: f64 = 0.4;
/// Least number of rows of the pool for each cell of a table: it could not tell more cells apart. (With 1,000,000
/// rows at epsilon 1 the distance of three columns was .085 with up to 13,000 cells, .081 with 2048, which is
/// this.)
const ROWS_OF_A_CELL: usize = 32;
/// Cells that a table must be able to have, times the number of rounds to the power of 3/2 and over the number of
/// columns squared: with more rounds tables are coarser, with fewer they are few. With a delta the number of rounds
/// then grows with the number of columns, each of which gets its share of tables. (national2019 at epsilon 1: with
/// 33 tables instead of 83 the distance of three of 24 columns was .129, not .118; 58 instead of 34 made that of
/// three of 10 columns .043, not .042.)
const CELLS_OF_ROUNDS: f64 = 300.0;
/// Columns that count for [`CELLS_OF_ROUNDS`] without a delta, whatever their number: noise then grows with the number
/// of tables and not with its root, so that more of them cost more than they tell.
const COLUMNS_WITHOUT_DELTA: usize = 10;
/// Most that [`CELLS_OF_ROUNDS`] asks of tables of few columns, which have hardly any tables to choose from.
const MOST_CELLS_OF_ROUNDS: f64 = 5.0;
/// Share of the budget, in percent, for margins: the least and the most. Distances alone would often leave them
/// less; but a tree sees a rare level that noise has removed, which distances do not. (national2019 at epsilon 1,
/// four releases, with at least 20, 35, 45 %: .0042, .0033, .0031 of one column, .0415, .0426, .0446 of three,
/// NIST's pMSE .0021, .0016, .0034.)
pub(super) const MARGINS: std::ops::RangeInclusive<u32> = 35..=80;
/// Growth of the sum of the distances of one, two and three columns with the mean distance of margins.
const WEIGHT_OF_MARGINS: f64 = 3.0;
/// Assumed effect of dependence, which is not public: the fall of the sum of the distances of two and three
/// columns when the noise of tables falls by a factor of e. It is the mean over adult, diamonds and national2019
/// at epsilon 1.
const GAIN_OF_TABLES: f64 = 0.054;

impl MixedPlan {
    /// The shares of a draw's budget for all margins and for correlations that minimise the predicted distances:
    /// more where noise does harm, less where it does not.
    pub(super) fn best_parts(&self) -> (f64, f64) {
        if self.facts.len() == 1 || !self.predictors.allow_any() {
            return (1.0, 0.0);
        }
        let part = |percent: u32| f64::from(percent) / 100.0;
        let has_scores = !self.predictors.pairs(&self.block).is_empty();
        let scores: Vec<u32> = if has_scores { SCORES.collect() } else { vec![0] };
        let of_scores: Vec<f64> = scores.iter().map(|&percent| self.scores_error(part(percent))).collect();
        // Of a hundredth of what tables have: noise of less than a row, which only whole numbers have, is not worth chasing.
        let noise = |percent: u32| self.counts_noise(self.draw_share() * part(percent) / 100.0);
        let of_tables: Vec<f64> = (0..100).map(|percent| noise(percent).ln()).collect();
        let mut best = (f64::INFINITY, (part(*MARGINS.end()), 0.0));
        for margins in MARGINS {
            let of_margins = WEIGHT_OF_MARGINS * self.margin_error(part(margins));
            for (&scores, of_scores) in scores.iter().zip(&of_scores) {
                let Some(rest) = 100_u32.checked_sub(margins + scores) else { continue };
                let predicted = of_margins + of_scores + GAIN_OF_TABLES * of_tables[rest as usize];
                if predicted < best.0 {
                    best = (predicted, (part(margins), part(scores)));
                }
            }
        }
        best.1
    }

    /// Approximate addition of noise to the sum of the distances of two and three columns, if correlations have
    /// this share of a draw's budget: estimates that are shrunk to zero as the noise requires are off by no more
    /// than correlations are large.
    fn scores_error(&self, share: f64) -> f64 {
        let (columns, pairs) = (self.facts.len(), self.predictors.pairs(&self.block).len());
        let all = columns * (columns - 1) / 2;
        let budget = self.budget(Randomness::seeded(Seed(0)));
        let share = self.draw_share() * share;
        let noise = Fineness::affordable(self.block.len(), pairs, self.rows, &budget, share).noise;
        let error = (noise.powi(-2) + USUAL_CORRELATION.powi(-2)).powf(-0.5);
        WEIGHT_OF_SCORES * pairs as f64 / all.max(1) as f64 * error
    }

    /// Approximate mean total variation distance that noise adds to margins if they have this share of a draw's
    /// budget.
    pub(super) fn margin_error(&self, share: f64) -> f64 {
        let all: f64 = self.weights.iter().sum();
        let moved = |(weight, (cells, counted)): (&f64, (&f64, &f64))| {
            0.4 * cells * self.counts_noise(self.draw_share() * share * weight / all * counted)
        };
        let columns = self.weights.iter().zip(self.cells.iter().zip(&self.counted));
        let error = |moved: f64| (moved / self.rows as f64).min(1.0);
        columns.map(|column| error(moved(column))).sum::<f64>() / self.facts.len() as f64
    }

    /// The rounds of choosing and measuring tables: as many as leave each of them enough cells, by public
    /// quantities.
    pub(in crate::mixed) fn rounds(&self) -> Rounds {
        let most = self.candidates().min(MOST_ROUNDS);
        let columns = if self.terms.delta.is_zero() { COLUMNS_WITHOUT_DELTA } else { self.names.len() };
        let cells = (CELLS_OF_ROUNDS / (columns as f64).powi(2)).min(MOST_CELLS_OF_ROUNDS);
        let is_worth =
            |&count: &usize| self.rounds_of(count).most_cells as f64 >= cells * (count as f64).powf(1.5);
        self.rounds_of((1..=most).rev().find(is_worth).unwrap_or(0))
    }

    /// Number of sets of two and three columns that may depend.
    fn candidates(&self) -> usize {
        let columns = self.names.len();
        let sets = (0..columns).flat_map(|third| {
            let pairs = (0..third).map(move |second| vec![second, third]);
            let triples =
                (0..third).flat_map(move |second| (0..second).map(move |first| vec![first, second, third]));
            pairs.chain(triples)
        });
        sets.filter(|set| self.predictors.allow(set)).take(MOST_ROUNDS).count()
    }

    fn rounds_of(&self, count: usize) -> Rounds {
        let rest = self.draw_share() * (1.0 - self.margins - self.scores);
        let each = if count == 0 { 0.0 } else { rest / count as f64 * (1.0 - 1e-9) };
        let counts = (1.0 - CHOICE) * each;
        let most_cells = MOVED * self.rows as f64 / moved_by_noise(self.counts_noise(counts), 1);
        let most_cells = (most_cells as usize).min(self.pool_rows() / ROWS_OF_A_CELL);
        Rounds { count, choice: CHOICE * each, counts, most_cells }
    }
}
