//! The Cholesky factor of a positive definite matrix, and the linear systems it solves.

use super::Symmetric;

/// The lower triangle L with L L' = A.
#[derive(Debug, Clone, PartialEq)]
pub struct Cholesky {
    order: usize,
    /// L, row by row.
    lower: Vec<f64>,
}

impl Cholesky {
    /// The factor of `matrix`; `None` when it is not positive definite within rounding.
    pub fn new(matrix: &Symmetric) -> Option<Self> {
        let mut factor = Self::empty(matrix.order());
        let noise = f64::EPSILON * matrix.order() as f64;
        for position in 0..matrix.order() {
            let row = matrix.row(position);
            let below = factor.forward(&row[..position]);
            let pivot = row[position] - square(&below);
            // Written so that NaN fails too.
            if !(pivot > noise * row[position] && pivot.is_finite()) {
                return None;
            }
            factor.push(&below, pivot.sqrt());
        }
        Some(factor)
    }

    /// The factor of the identity.
    pub(crate) fn identity(order: usize) -> Self {
        let mut factor = Self::empty(order);
        for position in 0..order {
            factor.push(&vec![0.0; position], 1.0);
        }
        factor
    }

    /// A factor without rows, to be extended by [`Self::push`].
    pub(super) fn empty(capacity: usize) -> Self {
        Self { order: 0, lower: Vec::with_capacity(capacity * (capacity + 1) / 2) }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, below: &[f64], diagonal: f64) {
        self.lower.extend_from_slice(below);
        self.lower.push(diagonal);
        self.order += 1;
    }

    /// Number of rows.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Row `row` of L up to and including its diagonal entry.
    ///
    /// # Panics
    /// When it is out of range.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.lower[row * (row + 1) / 2..][..=row]
    }

    /// The solution v of L v = `right`.
    pub(super) fn forward(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = Vec::with_capacity(self.order);
        for (position, value) in right.iter().enumerate().take(self.order) {
            let row = self.row(position);
            let known = dot(&row[..position], &solution);
            solution.push((value - known) / row[position]);
        }
        solution
    }

    /// The solution v of L' v = `right`, in place.
    pub(super) fn backward(&self, solution: &mut [f64]) {
        for position in (0..self.order).rev() {
            let row = self.row(position);
            solution[position] /= row[position];
            let value = solution[position];
            for (entry, factor) in solution[..position].iter_mut().zip(row) {
                *entry -= factor * value;
            }
        }
    }

    /// The solution x of A x = `right`, whose length must be the order of A.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = self.forward(right);
        self.backward(&mut solution);
        solution
    }
}

/// Sum of products, in four interleaved partial sums so that it vectorises (the order is fixed).
fn dot(left: &[f64], right: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left_groups, left_rest) = left.as_chunks::<4>();
    let (right_groups, right_rest) = right.as_chunks::<4>();
    for (a, b) in left_groups.iter().zip(right_groups) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = left_rest.iter().zip(right_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// Sum of squares.
pub(super) fn square(values: &[f64]) -> f64 {
    dot(values, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cross_product(columns: usize, rows: usize, block: &[f64]) -> Symmetric {
        let mut matrix = Symmetric::zeros(columns);
        matrix.add_cross_product(block, &vec![1.0; rows], &(0..columns).collect::<Vec<_>>());
        matrix
    }

    proptest! {
        #[test]
        fn solves(columns in 1usize..9, block in proptest::collection::vec(-1.0..1.0f64, 160)) {
            let mut matrix = cross_product(columns, 20, &block[..20 * columns]);
            (0..columns).for_each(|position| matrix.add_to_diagonal(position, 0.1));
            let wanted = &block[..columns];
            let right: Vec<f64> =
                (0..columns).map(|i| (0..columns).map(|j| matrix.get(i, j) * wanted[j]).sum()).collect();
            let found = Cholesky::new(&matrix).unwrap().solve(&right);
            for (found, wanted) in found.iter().zip(wanted) {
                prop_assert!((found - wanted).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn singular_and_broken_matrices_are_seen() {
        let singular = cross_product(2, 3, &[1.0, 2.0, 3.0, 2.0, 4.0, 6.0]);
        assert_eq!(Cholesky::new(&singular), None);
        assert_eq!(Cholesky::new(&Symmetric::zeros(1)), None);
        let mut broken = Symmetric::zeros(1);
        broken.add_to_diagonal(0, f64::NAN);
        assert_eq!(Cholesky::new(&broken), None);
        assert!(Cholesky::new(&Symmetric::zeros(0)).is_some());
    }
}
