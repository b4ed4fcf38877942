//! Eigenvalues and eigenvectors of small symmetric matrices, by Jacobi's rotations.

use super::Symmetric;

/// Sweeps after which rotations stop: convergence is quadratic, ten are plenty.
const SWEEPS: usize = 60;

/// The eigenvalues with an eigenvector of length one for each.
pub fn eigenvectors(matrix: &Symmetric) -> Vec<(f64, Vec<f64>)> {
    let order = matrix.order();
    let mut a: Vec<Vec<f64>> = (0..order).map(|i| (0..order).map(|j| matrix.get(i, j)).collect()).collect();
    let mut v: Vec<Vec<f64>> =
        (0..order).map(|i| (0..order).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..order {
            for q in p + 1..order {
                // Too small to change either eigenvalue.
                if a[p][q].abs() <= f64::EPSILON * 1e-2 * (a[p][p].abs() + a[q][q].abs()) {
                    continue;
                }
                rotated = true;
                let angle = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = angle.signum() / (angle.abs() + angle.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                rotate(&mut a, &mut v, p, q, c, t * c);
            }
        }
        if !rotated {
            break;
        }
    }
    (0..order).map(|j| (a[j][j], v.iter().map(|row| row[j]).collect())).collect()
}

/// Rotates coordinates p and q by the angle with cosine c and sine s.
fn rotate(a: &mut [Vec<f64>], v: &mut [Vec<f64>], p: usize, q: usize, c: f64, s: f64) {
    let turn = |row: &mut Vec<f64>| {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    };
    a.iter_mut().for_each(turn);
    let (above, below) = a.split_at_mut(q);
    for (one, other) in above[p].iter_mut().zip(&mut below[0]) {
        (*one, *other) = (c * *one - s * *other, s * *one + c * *other);
    }
    v.iter_mut().for_each(turn);
}

/// The matrix with every eigenvalue moved into [`low`, `high`]: the nearest such matrix, in the sum of squares.
pub fn clamped_eigenvalues(matrix: &Symmetric, low: f64, high: f64) -> Symmetric {
    let mut nearest = Symmetric::zeros(matrix.order());
    for (value, vector) in eigenvectors(matrix) {
        let value = value.clamp(low, high);
        for j in 0..vector.len() {
            for k in 0..=j {
                nearest.set(j, k, nearest.get(j, k) + value * vector[j] * vector[k]);
            }
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use rand::RngExt;

    #[test]
    fn vectors_are_orthonormal_and_give_the_matrix_back() {
        let mut random = Seed(3).stream(0);
        for order in 1..8 {
            for _ in 0..20 {
                let mut matrix = Symmetric::zeros(order);
                for j in 0..order {
                    for k in 0..=j {
                        matrix.set(j, k, random.random_range(-2.0..2.0));
                    }
                }
                let found = eigenvectors(&matrix);
                for (place, (value, vector)) in found.iter().enumerate() {
                    for j in 0..order {
                        let product: f64 = (0..order).map(|k| matrix.get(j, k) * vector[k]).sum();
                        assert!((product - value * vector[j]).abs() < 1e-10);
                    }
                    for (other, (_, second)) in found.iter().enumerate() {
                        let product: f64 = vector.iter().zip(second).map(|(x, y)| x * y).sum();
                        assert!((product - f64::from(u8::from(place == other))).abs() < 1e-10);
                    }
                }
            }
        }
    }

    #[test]
    fn clamping_changes_only_eigenvalues_outside_the_limits() {
        let mut matrix = Symmetric::zeros(2);
        for (row, column, value) in [(0, 0, 1.0), (1, 1, 1.0), (0, 1, 2.0)] {
            matrix.set(row, column, value);
        }
        // Eigenvalues 3 and -1.
        let nearest = clamped_eigenvalues(&matrix, 0.5, 10.0);
        assert!((nearest.get(0, 0) - 1.75).abs() < 1e-12 && (nearest.get(0, 1) - 1.25).abs() < 1e-12);
        assert!((clamped_eigenvalues(&matrix, -5.0, 5.0).get(0, 1) - 2.0).abs() < 1e-12);
    }
}
