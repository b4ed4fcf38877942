//! The columns of a design that are not linear combinations of the columns before them.

use super::cholesky::square;
use super::{Cholesky, Symmetric};

/// The columns that are kept when those that depend on earlier ones are dropped, as R's `lm` and `glm` do.
#[derive(Debug, Clone, PartialEq)]
pub struct Independent {
    /// Positions of the kept columns, increasing.
    pub kept: Vec<usize>,
    /// The columns that were dropped.
    pub dropped: Vec<Dropped>,
    /// The factor of the cross-product of the kept columns.
    pub cholesky: Cholesky,
}

/// A column that is a linear combination of kept columns before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    /// Its position.
    pub column: usize,
    /// The coefficients of the kept columns before it.
    pub combination: Vec<f64>,
}

impl Independent {
    /// Finds the columns from their cross-product X'X.
    ///
    /// A column is dropped when the part of it that the kept columns before it leave unexplained is at most
    /// `tolerance` times its own sum of squares. A cross-product carries 16 digits of *squares*, so that
    /// tolerances below 1e-12 or so would compare rounding errors.
    pub fn new(gram: &Symmetric, tolerance: f64) -> Self {
        let mut cholesky = Cholesky::empty(gram.order());
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        let mut products = Vec::new();
        for column in 0..gram.order() {
            let row = gram.row(column);
            products.clear();
            products.extend(kept.iter().map(|&earlier: &usize| row[earlier]));
            let mut explained = cholesky.forward(&products);
            let left = row[column] - square(&explained);
            if left > tolerance * row[column] {
                cholesky.push(&explained, left.sqrt());
                kept.push(column);
            } else {
                cholesky.backward(&mut explained);
                dropped.push(Dropped { column, combination: explained });
            }
        }
        Self { kept, dropped, cholesky }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_columns_are_dropped_in_column_order() {
        let one = [1.0; 5];
        let x = [1.0, -2.0, 3.0, 0.5, 0.0];
        let zero = [0.0; 5];
        let twice: Vec<f64> = x.iter().map(|x| 2.0 * x - 3.0).collect();
        let y = [0.0, 1.0, 0.0, 1.0, 1.0];
        let block: Vec<f64> = [&one[..], &x, &zero, &twice, &y].concat();
        let mut gram = Symmetric::zeros(5);
        gram.add_cross_product(&block, &[1.0; 5], &[0, 1, 3, 4]);
        let found = Independent::new(&gram, 1e-10);
        assert_eq!(found.kept, [0, 1, 4]);
        assert_eq!(found.cholesky.order(), 3);
        assert_eq!(found.dropped[0], Dropped { column: 2, combination: vec![0.0, 0.0] });
        assert_eq!(found.dropped[1].column, 3);
        for (found, wanted) in found.dropped[1].combination.iter().zip([-3.0, 2.0]) {
            assert!((found - wanted).abs() < 1e-12);
        }
    }
}
