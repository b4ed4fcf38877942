//! Least squares by Householder's reflections: stable where a cross-product would square the condition number.

use crate::progress;

/// A column is dropped when its part orthogonal to the columns before it is shorter than this share of it: R's
/// tolerance.
const TOLERANCE: f64 = 1e-7;

/// The solution of a least squares problem min |y - X beta|.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastSquares {
    /// Positions of the columns that were kept, increasing; the others depend on those before them.
    pub kept: Vec<usize>,
    /// Coefficients of the kept columns.
    pub coefficients: Vec<f64>,
    /// (X'X)^-1 of the kept columns: `inverse[i][j]`.
    pub inverse: Vec<Vec<f64>>,
    /// Sum of squared residuals.
    pub residual: f64,
}

impl LeastSquares {
    /// Solves the problem, destroying its columns.
    ///
    /// Columns are taken in order, and one that depends on those before it is skipped, as R's `lm` does (the
    /// limited pivoting of its `dqrdc2`): which columns are kept depends on their order and not on their length.
    ///
    /// Every column is scaled by a power of two first. That changes no digit, and numbers of any size can be squared.
    /// Results that do not fit into a double are infinite or NaN.
    ///
    /// # Panics
    /// When columns have different lengths, or a number is not finite.
    pub fn solve(mut columns: Vec<Vec<f64>>, mut y: Vec<f64>) -> Self {
        let rows = y.len();
        assert!(columns.iter().all(|column| column.len() == rows), "as many rows in every column");
        let y_scale = normalise(&mut y);
        let scales: Vec<f64> = columns.iter_mut().map(|column| normalise(column)).collect();
        let lengths: Vec<f64> = columns.iter().map(|column| length(column)).collect();
        let mut kept: Vec<usize> = Vec::new();
        for (position, whole) in lengths.iter().enumerate() {
            let step = kept.len();
            if step >= rows {
                break;
            }
            // Reflections of the kept columns have been applied to all later ones.
            let Some((column, later)) = columns[position..].split_first_mut() else { break };
            let left = length(&column[step..]);
            if left <= whole * TOLERANCE {
                continue;
            }
            let reflection = Reflection::new(&mut column[step..], left);
            for later in later.iter_mut().chain(std::iter::once(&mut y)) {
                progress::check();
                reflection.apply(&mut later[step..]);
            }
            column[step] = reflection.diagonal;
            kept.push(position);
        }
        // The kept columns now hold the triangle R above their diagonal; y holds Q'y.
        let r = |row: usize, column: usize| columns[kept[column]][row];
        let rank = kept.len();
        let mut coefficients = y[..rank].to_vec();
        for row in (0..rank).rev() {
            for column in row + 1..rank {
                coefficients[row] -= r(row, column) * coefficients[column];
            }
            coefficients[row] /= r(row, row);
        }
        let triangle = inverse_of_triangle(rank, &r);
        let inverse = (0..rank)
            .map(|i| {
                (0..rank)
                    .map(|j| {
                        let product: f64 = (i.max(j)..rank).map(|k| triangle[i][k] * triangle[j][k]).sum();
                        product * scales[kept[i]] * scales[kept[j]]
                    })
                    .collect()
            })
            .collect();
        for (coefficient, &column) in coefficients.iter_mut().zip(&kept) {
            *coefficient *= scales[column] / y_scale;
        }
        let residual = y[rank..].iter().map(|e| e * e).sum::<f64>() / y_scale / y_scale;
        Self { kept, coefficients, inverse, residual }
    }
}

/// The reflection I - v v' / v_0 that sends a column to its first axis; v is kept in place of the column.
struct Reflection {
    v: Vec<f64>,
    diagonal: f64,
}

impl Reflection {
    fn new(column: &mut [f64], length: f64) -> Self {
        let signed = if column[0] < 0.0 { -length } else { length };
        let mut v: Vec<f64> = column.iter().map(|x| x / signed).collect();
        v[0] += 1.0;
        column[1..].fill(0.0);
        Self { v, diagonal: -signed }
    }

    fn apply(&self, column: &mut [f64]) {
        let product: f64 = self.v.iter().zip(column.iter()).map(|(v, x)| v * x).sum();
        let factor = product / self.v[0];
        for (x, v) in column.iter_mut().zip(&self.v) {
            *x -= factor * v;
        }
    }
}

/// The inverse of an upper triangle, by rows: row i is (e_i - sum over k > i of r_ik row k) / r_ii.
fn inverse_of_triangle(order: usize, r: &impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let mut inverse = vec![vec![0.0; order]; order];
    for i in (0..order).rev() {
        let (above, below) = inverse.split_at_mut(i + 1);
        let row = &mut above[i];
        row[i] = 1.0;
        for (k, later) in (i + 1..).zip(below.iter()) {
            let factor = r(i, k);
            row[k..].iter_mut().zip(&later[k..]).for_each(|(entry, later)| *entry -= factor * later);
        }
        let diagonal = r(i, i);
        row[i..].iter_mut().for_each(|entry| *entry /= diagonal);
    }
    inverse
}

/// Scales a column by a power of two so that its largest number is about 1, and returns that power.
fn normalise(column: &mut [f64]) -> f64 {
    let largest = column.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    assert!(largest.is_finite() && column.iter().all(|x| !x.is_nan()), "finite numbers");
    if largest == 0.0 {
        return 1.0;
    }
    // Twice the smallest scale is still finite for the largest numbers, and the other way round.
    let (_, exponent) = libm::frexp(largest);
    let scale = libm::ldexp(1.0, (-exponent).clamp(-1021, 1021));
    for x in column.iter_mut() {
        *x *= scale;
    }
    scale
}

fn length(column: &[f64]) -> f64 {
    column.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(scale: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let x = [1.0, 2.0, 4.0, 5.0];
        let y = vec![1.0, 3.0, 2.0, 6.0];
        (vec![vec![scale; 4], x.iter().map(|x| x * scale).collect()], y)
    }

    #[test]
    fn a_line_by_hand() {
        // Mean of x 3, of y 3; Sxx = 10, Sxy = 9; slope 0.9, intercept 0.3; Syy = 14, so 14 - 8.1 is left.
        let (columns, y) = line(1.0);
        let found = LeastSquares::solve(columns, y);
        assert_eq!(found.kept, [0, 1]);
        for (found, wanted) in found.coefficients.iter().zip([0.3, 0.9]) {
            assert!((found - wanted).abs() < 1e-14);
        }
        assert!((found.residual - 5.9).abs() < 1e-13);
        // (X'X)^-1: 1/4 + 9/10, -3/10, 1/10.
        for (found, wanted) in found.inverse.iter().flatten().zip([1.15, -0.3, -0.3, 0.1]) {
            assert!((found - wanted).abs() < 1e-14);
        }
    }

    #[test]
    fn units_do_not_matter() {
        let (columns, y) = line(1.0);
        let plain = LeastSquares::solve(columns, y);
        for scale in [libm::ldexp(1.0, 900), libm::ldexp(1.0, -900)] {
            let (columns, y) = line(scale);
            let found = LeastSquares::solve(columns, y);
            let back: Vec<f64> = found.coefficients.iter().map(|b| b * scale).collect();
            assert_eq!((found.residual, back), (plain.residual, plain.coefficients.clone()));
        }
    }

    #[test]
    fn dependent_columns_are_passed_over() {
        let (mut columns, y) = line(1.0);
        let sum: Vec<f64> = columns[0].iter().zip(&columns[1]).map(|(a, b)| 3.0 * a - b).collect();
        columns.insert(1, vec![0.0; 4]);
        columns.insert(3, sum);
        let found = LeastSquares::solve(columns, y);
        assert_eq!(found.kept, [0, 2]);
        assert!((found.residual - 5.9).abs() < 1e-13);
        let wide = LeastSquares::solve(vec![vec![1.0, 2.0], vec![0.0, 1.0], vec![5.0, 1.0]], vec![1.0, 3.0]);
        assert_eq!((wide.kept, wide.residual), (vec![0, 1], 0.0));
        let nothing = LeastSquares::solve(vec![], vec![3.0, 4.0]);
        assert_eq!((nothing.residual, nothing.kept.len()), (25.0, 0));
    }
}
