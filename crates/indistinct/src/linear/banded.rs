//! Positive definite matrices with two diagonals on each side, as in smoothing: everything takes linear time.

/// A symmetric matrix that is zero except on the diagonal and the two next to it on each side.
#[derive(Debug, Clone)]
pub(crate) struct Banded {
    /// For every row the entries two to the left of the diagonal, one to the left, and on it.
    rows: Vec<[f64; 3]>,
}

/// The factors of a [`Banded`] matrix: L D L', where the diagonal of L is one.
#[derive(Debug, Clone)]
pub(crate) struct BandedFactor {
    /// For every row the entries of L two to the left of the diagonal and one to the left, and that of D.
    rows: Vec<[f64; 3]>,
}

impl Banded {
    /// The zero matrix.
    pub(crate) fn zeros(order: usize) -> Self {
        Self { rows: vec![[0.0; 3]; order] }
    }

    /// Adds to the entry `left` (at most two) to the left of the diagonal in a row, and to its mirror image.
    pub(crate) fn add(&mut self, row: usize, left: usize, amount: f64) {
        self.rows[row][2 - left] += amount;
    }

    /// The factors; `None` if the matrix is not positive definite within rounding.
    pub(crate) fn factor(&self) -> Option<BandedFactor> {
        let mut rows: Vec<[f64; 3]> = Vec::with_capacity(self.rows.len());
        for &[two, one, diagonal] in &self.rows {
            let [_, last_one, last] = rows.last().copied().unwrap_or([0.0, 0.0, 1.0]);
            let before = rows.iter().nth_back(1).map_or(1.0, |row| row[2]);
            let second = two / before;
            let first = (one - two * last_one) / last;
            let pivot = diagonal - first * first * last - second * second * before;
            // Written so that NaN fails too.
            if !(pivot > f64::EPSILON * diagonal && pivot.is_finite()) {
                return None;
            }
            rows.push([second, first, pivot]);
        }
        Some(BandedFactor { rows })
    }
}

impl BandedFactor {
    /// The entry of L `left` to the left of the diagonal in a row; zero beyond the last row.
    fn lower(&self, row: usize, left: usize) -> f64 {
        self.rows.get(row).map_or(0.0, |entries| entries[2 - left])
    }

    /// The solution of the linear system with this right side.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let order = self.rows.len();
        let mut solution = right.to_vec();
        for row in 1..order {
            let two = if row > 1 { self.lower(row, 2) * solution[row - 2] } else { 0.0 };
            solution[row] -= self.lower(row, 1) * solution[row - 1] + two;
        }
        for (value, [_, _, pivot]) in solution.iter_mut().zip(&self.rows) {
            *value /= pivot;
        }
        for row in (0..order).rev() {
            let after = |place: usize| solution.get(place).copied().unwrap_or(0.0);
            let below = self.lower(row + 1, 1) * after(row + 1) + self.lower(row + 2, 2) * after(row + 2);
            solution[row] -= below;
        }
        solution
    }

    /// The diagonal of the inverse matrix (Hutchinson and de Hoog 1985).
    pub(crate) fn inverse_diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.rows.len()];
        // Of the inverse: the next two diagonal entries, and that between them.
        let (mut next, mut after, mut between) = (0.0, 0.0, 0.0);
        for (row, entry) in diagonal.iter_mut().enumerate().rev() {
            let (one, two) = (self.lower(row + 1, 1), self.lower(row + 2, 2));
            let to_next = -one * next - two * between;
            let to_after = -one * between - two * after;
            *entry = 1.0 / self.rows[row][2] - one * to_next - two * to_after;
            (after, next, between) = (next, *entry, to_next);
        }
        diagonal
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cholesky, Symmetric};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_dense_matrix(entries in prop::collection::vec([-1.0..1.0_f64, -1.0..1.0, 4.1..9.0], 1..12)) {
            let order = entries.len();
            let (mut banded, mut dense) = (Banded::zeros(order), Symmetric::zeros(order));
            for (row, entries) in entries.iter().enumerate() {
                for (left, entry) in entries.iter().rev().enumerate().take(row + 1) {
                    banded.add(row, left, *entry);
                    dense.set(row, row - left, *entry);
                }
            }
            // The diagonal is more than all others together, so that it is positive definite.
            let (banded, dense) = (banded.factor().unwrap(), Cholesky::new(&dense).unwrap());
            let inverse = banded.inverse_diagonal();
            for place in 0..order {
                let unit: Vec<f64> = (0..order).map(|other| f64::from(u8::from(other == place))).collect();
                let expected = dense.solve(&unit);
                for (found, expected) in banded.solve(&unit).iter().zip(&expected) {
                    prop_assert!((found - expected).abs() < 1e-12);
                }
                prop_assert!((inverse[place] - expected[place]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn matrices_that_are_not_positive_have_no_factors() {
        let mut matrix = Banded::zeros(2);
        matrix.add(0, 0, 1.0);
        matrix.add(1, 1, 2.0);
        matrix.add(1, 0, 3.0);
        assert!(matrix.factor().is_none());
    }
}
