//! The best root of a tree of depth 2 over all thresholds, skipping roots that cannot be best.
//!
//! Write L(i) and R(i) for the best values (trees of depth 1, minus the cost of their splits) of the rows inside
//! and outside the i-th cut of an ordered column. A root costs O(qN) to evaluate; most need not be evaluated.
//!
//! **How much one row can change.** Let f be d^2/m or |d|, the term of one cell. Both are convex and homogeneous of
//! degree 1 in (d, m), hence subadditive: f(x + y) <= f(x) + f(y). A single row y = (+-1, 1) has f(y) = 1, so
//!
//! - *adding* a row to a cell raises its term by at most **1**;
//! - *removing* one raises it by at most **3** for d^2/m, as f(x) - f(x + y) <= -f'(x) y = p^2 -+ 2p <= 3 with
//!   p = d/m in [-1, 1] (and trivially, f(y) = 1, for a cell of which nothing is left); by at most **1** for |d|.
//!
//! A row lies in one cell of any fixed tree, whose splits cost the same with and without it. So the bounds hold for
//! the value of every fixed tree, and therefore for the maximum over all of them: L and R. Let now i lie between two
//! evaluated cuts l < r with k rows between them. L(i) comes from L(l) by adding rows and R(i) from R(r) by adding the
//! others, k together; or L(i) from L(r) and R(i) from R(l) by removing k rows together:
//!
//! ```text
//! L(i) + R(i)  <=  min( L(l) + R(r) + k,  L(r) + R(l) + 3k or k )
//! ```
//!
//! (The average of the two is the bound of a Lipschitz function: one row moved across the root changes L + R by at
//! most 4, or 2 for |d|, which is 1/N in units of either quality.) An interval whose bound is below the best root so
//! far is skipped, any other is halved. Nothing is approximated.
//!
//! **Minimum synthetic mass.** Moving a synthetic row can forbid or allow a whole tree: the bounds do not hold, and
//! every root is evaluated.

use super::cross::{Counts, cross, larger, padded};
use super::cuts::{Axis, Rows};
use super::histogram::{accumulate, difference, size, tally_one};
use super::joint::{Best, Root, stump};
use super::score::Score;
use crate::progress;

/// Number of intervals into which every column is divided before any is skipped.
const SEEDS: usize = 32;

/// The best tree of depth 2, and the number of roots that were evaluated to find it.
pub(super) fn sweep<const T: u8, const M: bool>(
    score: &Score<T, M>,
    axes: &[Axis],
    rows: &Rows,
) -> (Best, usize) {
    let leaf = Best::leaf(score, rows);
    let whole = stump(score, axes, rows).value;
    let mut sweep = Sweep {
        score,
        axes,
        rows,
        whole,
        scans: (0..axes.len()).map(|column| Scan::new(&axes[column], rows, column)).collect(),
        best: leaf,
        evaluations: 0,
    };
    // A first look at all columns: the better the best root so far, the more is skipped.
    let seeds: Vec<Vec<Known>> = (0..axes.len()).map(|column| sweep.seed(column)).collect();
    for (column, known) in seeds.iter().enumerate() {
        sweep.finish(column, known);
    }
    (sweep.best, sweep.evaluations)
}

/// One column, ready to be cut below a root.
struct Scan {
    ordered: bool,
    /// Ordered columns: rows in increasing order.
    order: Vec<u32>,
    /// In that order: the row's side of the root, as the code of the root's column.
    keys: Vec<u32>,
    /// In that order: 1 for synthetic, -1 for real rows.
    signs: Vec<i32>,
    /// In that order: 1 for the last row with its value, else 0. (Nominal columns: the row's code.)
    steps: Vec<u32>,
    /// Counts of all rows along the column.
    total_d: Vec<f64>,
    total_m: Vec<f64>,
    /// Counts of the rows inside the root's cut.
    inside_d: Vec<f64>,
    inside_m: Vec<f64>,
}

impl Scan {
    fn new(axis: &Axis, rows: &Rows, column: usize) -> Self {
        let codes = &rows.codes[column];
        let mut order: Vec<u32> = (0..rows.all as u32).collect();
        if axis.ordered {
            order.sort_by_key(|&row| codes[row as usize]);
        }
        let sorted: Vec<u32> = order.iter().map(|&row| codes[row as usize]).collect();
        let steps: Vec<u32> = if axis.ordered {
            let last = |place: usize| sorted.get(place + 1) != Some(&sorted[place]);
            (0..rows.all).map(|place| u32::from(last(place))).collect()
        } else {
            sorted
        };
        let groups = if axis.ordered { steps.iter().sum::<u32>() as usize } else { axis.codes() };
        let room = vec![0.0; padded(groups)];
        let mut scan = Self {
            ordered: axis.ordered,
            keys: vec![0; rows.all],
            signs: order.iter().map(|&row| if (row as usize) < rows.real { -1 } else { 1 }).collect(),
            order,
            steps,
            total_d: room.clone(),
            total_m: room.clone(),
            inside_d: room.clone(),
            inside_m: room,
        };
        // All keys are 0: everything is inside.
        scan.count(0, 0);
        (scan.total_d, scan.inside_d) = (scan.inside_d, scan.total_d);
        (scan.total_m, scan.inside_m) = (scan.inside_m, scan.total_m);
        scan
    }

    /// Counts the rows whose key k has k - first <= span.
    fn count(&mut self, first: u32, span: u32) {
        let rows = self.keys.iter().zip(&self.signs).zip(&self.steps);
        if self.ordered {
            let (mut d, mut m, mut group) = (0, 0, 0);
            for ((key, sign), step) in rows {
                let inside = i32::from(key.wrapping_sub(first) <= span);
                d += sign * inside;
                m += inside;
                self.inside_d[group] = f64::from(d);
                self.inside_m[group] = f64::from(m);
                group += *step as usize;
            }
        } else {
            self.inside_d.fill(0.0);
            self.inside_m.fill(0.0);
            for ((key, sign), code) in rows {
                let inside = i32::from(key.wrapping_sub(first) <= span);
                self.inside_d[*code as usize] += f64::from(sign * inside);
                self.inside_m[*code as usize] += f64::from(inside);
            }
        }
    }
}

/// An evaluated cut of a column, with the values of its sides. Cut 0 stands at 1, so that 0 is "nothing inside".
#[derive(Debug, Clone, Copy)]
struct Known {
    place: usize,
    inside: f64,
    outside: f64,
}

struct Sweep<'a, const T: u8, const M: bool> {
    score: &'a Score<T, M>,
    axes: &'a [Axis],
    rows: &'a Rows,
    /// The value of all rows as a tree of depth 1.
    whole: f64,
    scans: Vec<Scan>,
    best: Best,
    evaluations: usize,
}

impl<const T: u8, const M: bool> Sweep<'_, T, M> {
    fn axis(&self, column: usize) -> &Axis {
        &self.axes[column]
    }

    /// Makes a column the root's column.
    fn choose(&mut self, column: usize) {
        let codes = &self.rows.codes[column];
        for scan in &mut self.scans {
            for (key, &row) in scan.keys.iter_mut().zip(&scan.order) {
                *key = codes[row as usize];
            }
        }
    }

    /// Packed counts inside every cut of a column; the last one counts all rows.
    fn counts(&self, column: usize) -> Vec<i64> {
        let axis = self.axis(column);
        let mut counts = vec![0; axis.codes()];
        tally_one(&mut counts, self.rows, &self.rows.codes[column]);
        accumulate(&mut counts, axis, 1, axis.codes());
        counts
    }

    /// The values of the sides of a cut of the chosen column.
    fn evaluate(&mut self, column: usize, cut: usize, inside: i64) -> Known {
        progress::check();
        self.evaluations += 1;
        let (all_d, all_m) = self.rows.totals();
        let (d, m) = (difference(inside), size(inside));
        let pair = [(d, m), (all_d - d, all_m - m)];
        let score = self.score;
        let mut best = pair.map(|(d, m)| score.leaf(d, m) + score.cost);
        let (first, span) = self.axis(column).inside(cut);
        for scan in &mut self.scans {
            scan.count(first, span);
            let inside = Counts { d: &scan.inside_d, m: &scan.inside_m };
            let total = Counts { d: &scan.total_d, m: &scan.total_m };
            let found = cross(score, inside, total, pair);
            best = [larger(best[0], found.0), larger(best[1], found.1)];
        }
        let known = Known { place: cut + 1, inside: best[0] - score.cost, outside: best[1] - score.cost };
        let value = known.inside + known.outside - score.cost;
        let earlier = self.best.root.is_some_and(|root| Root { column, cut } < root);
        if value > self.best.value || (value == self.best.value && earlier) {
            self.best = Best { value, root: Some(Root { column, cut }) };
        }
        known
    }

    /// Whether roots from this cut on can be ignored: their value is at most `bound`, before the cost of the
    /// root's split.
    fn hopeless(&self, bound: f64, column: usize, cut: usize) -> bool {
        let bound = bound - self.score.cost;
        let later = self.best.root.is_none_or(|root| root <= Root { column, cut });
        !M && (bound + self.score.slack < self.best.value || (bound <= self.best.value && later))
    }

    /// Searches a nominal column completely, and an ordered one at a few cuts, which are returned with both ends.
    fn seed(&mut self, column: usize) -> Vec<Known> {
        self.choose(column);
        let counts = self.counts(column);
        let cuts = self.axis(column).len();
        if !self.axis(column).ordered {
            for (cut, &count) in counts[..cuts].iter().enumerate() {
                // Nothing inside, all rows outside; then the level's rows change sides.
                let bound = self.whole + (1.0 + Score::<T, M>::REMOVAL) * size(count);
                if !self.hopeless(bound, column, cut) {
                    self.evaluate(column, cut, count);
                }
            }
            return Vec::new();
        }
        let mut known = vec![Known { place: 0, inside: 0.0, outside: self.whole }];
        let mut previous = 0;
        for seed in 1..SEEDS {
            let place = seed * (cuts + 1) / SEEDS;
            if place > previous {
                known.push(self.evaluate(column, place - 1, counts[place - 1]));
                previous = place;
            }
        }
        known.push(Known { place: cuts + 1, inside: self.whole, outside: 0.0 });
        known
    }

    /// Searches the intervals between known cuts, from the lowest.
    fn finish(&mut self, column: usize, known: &[Known]) {
        if known.is_empty() {
            return;
        }
        self.choose(column);
        let counts = self.counts(column);
        let rows_inside = |place: usize| if place == 0 { 0.0 } else { size(counts[place - 1]) };
        let mut intervals: Vec<(Known, Known)> =
            known.windows(2).rev().map(|pair| (pair[0], pair[1])).collect();
        while let Some((lower, upper)) = intervals.pop() {
            if upper.place - lower.place < 2 {
                continue;
            }
            let rows = rows_inside(upper.place) - rows_inside(lower.place);
            let added = lower.inside + upper.outside + rows;
            let removed = upper.inside + lower.outside + Score::<T, M>::REMOVAL * rows;
            if self.hopeless(added.min(removed), column, lower.place) {
                continue;
            }
            let place = usize::midpoint(lower.place, upper.place);
            let middle = self.evaluate(column, place - 1, counts[place - 1]);
            intervals.push((middle, upper));
            intervals.push((lower, middle));
        }
    }
}
