//! Measured products of scores, with which the pool agrees as it does with tables: exchanges would undo correlations of columns
//! that no measured table has together.

use super::Pool;

/// The mean product of two columns' scores over all rows, as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProductTarget {
    pub(crate) columns: (usize, usize),
    pub(crate) mean: f64,
    /// Standard deviation of its noise.
    pub(crate) sd: f64,
}

/// All of them, with the scores of every column's classes; none of columns without.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProductTargets {
    pub(crate) scores: Vec<Vec<f32>>,
    pub(crate) pairs: Vec<ProductTarget>,
}

/// The products of a pool while it is fitted.
pub(super) struct Products {
    scores: Vec<Vec<f32>>,
    /// For every column the others that it has products with, and which.
    of_column: Vec<Vec<(usize, usize)>>,
    /// The sum over rows, less what it should be; and the weight of its square.
    excess: Vec<f64>,
    weights: Vec<f64>,
}

impl Products {
    pub(super) fn new(targets: &ProductTargets, pool: &Pool) -> Self {
        let rows = pool.rows() as f64;
        let mut of_column = vec![Vec::new(); pool.columns()];
        let (mut excess, mut weights) = (Vec::new(), Vec::new());
        for (place, ProductTarget { columns: (first, second), mean, sd }) in targets.pairs.iter().enumerate()
        {
            of_column[*first].push((*second, place));
            of_column[*second].push((*first, place));
            let score = |column: usize, class: u16| f64::from(targets.scores[column][usize::from(class)]);
            let both = pool.column(*first).zip(pool.column(*second));
            let sum: f64 = both.map(|(a, b)| score(*first, a) * score(*second, b)).sum();
            excess.push(sum - rows * mean);
            weights.push((rows * sd).max(f64::MIN_POSITIVE.sqrt()).powi(-2));
        }
        Self { scores: targets.scores.clone(), of_column, excess, weights }
    }

    /// Whether there are products of a column.
    pub(super) fn has(&self, column: usize) -> bool {
        !self.of_column[column].is_empty()
    }

    /// By how much the objective would rise if two rows exchanged their classes in some columns. Products of two of these
    /// would stay as they are.
    pub(super) fn change(&self, columns: &[usize], r: &[u16], s: &[u16]) -> f32 {
        let mut change = 0.0;
        for &column in columns {
            let Some(step) = self.step(column, r, s) else { continue };
            for &(other, place) in self.of_column[column].iter().filter(|(other, _)| !columns.contains(other))
            {
                let moved = step * self.apart(other, r, s);
                change += self.weights[place] * moved * (2.0 * self.excess[place] + moved);
            }
        }
        change as f32
    }

    /// Does so.
    pub(super) fn make(&mut self, columns: &[usize], r: &[u16], s: &[u16]) {
        for &column in columns {
            let Some(step) = self.step(column, r, s) else { continue };
            for &(other, place) in self.of_column[column].iter().filter(|(other, _)| !columns.contains(other))
            {
                let scores = &self.scores[other];
                let apart = scores[usize::from(r[other])] - scores[usize::from(s[other])];
                self.excess[place] += step * f64::from(apart);
            }
        }
    }

    /// By how much the score of the first row rises; none if it has none, or stays.
    fn step(&self, column: usize, r: &[u16], s: &[u16]) -> Option<f64> {
        if self.of_column[column].is_empty() {
            return None;
        }
        let step = -self.apart(column, r, s);
        (step != 0.0).then_some(step)
    }

    fn apart(&self, column: usize, r: &[u16], s: &[u16]) -> f64 {
        let scores = &self.scores[column];
        f64::from(scores[usize::from(r[column])] - scores[usize::from(s[column])])
    }
}
