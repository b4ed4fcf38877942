//! Measured products of scores, with which the pool agrees as with tables: exchanges would undo correlations of
//! columns that are in no measured table together.

use super::Pool;

/// The mean product of two columns' scores over all rows, as measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProductTarget {
    pub(crate) columns: (usize, usize),
    pub(crate) mean: f64,
    /// Standard deviation of its noise.
    pub(crate) sd: f64,
}

/// All measured products, with the scores of every column's classes; empty for columns without.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProductTargets {
    pub(crate) scores: Vec<Vec<f32>>,
    pub(crate) pairs: Vec<ProductTarget>,
}

/// The products of a pool while it is fitted.
pub(super) struct Products {
    scores: Vec<Vec<f32>>,
    /// For every column, the other columns of its products, and the numbers of the products.
    of_column: Vec<Vec<(usize, usize)>>,
    /// The sum over rows, minus the measured one.
    excess: Vec<f64>,
    /// The weight of the square of each excess.
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

    /// Whether a column has products.
    pub(super) fn has(&self, column: usize) -> bool {
        !self.of_column[column].is_empty()
    }

    /// The rise of the objective if two rows exchanged their classes in some columns. Products of two of these
    /// columns would stay as they are.
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

    /// Makes the exchange.
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

    /// The rise of the first row's score; `None` if it has none, or stays.
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
