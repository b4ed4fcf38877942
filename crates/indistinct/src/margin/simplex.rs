//! Projection of noisy counts to counts that are not negative and sum to a known number.

/// The nearest counts, in the least-squares sense with these variances, that are not negative and sum to `total`.
///
/// Clipping and rescaling would leave every empty cell half of its noise; here a common amount, in proportion to
/// the variance, is subtracted from all cells until the sum is right.
pub(super) fn project(counts: &[f64], variances: &[f64], total: f64) -> Vec<f64> {
    let total = total.max(0.0);
    // A cell stays above zero until the amount reaches counts / variance.
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_unstable_by(|&a, &b| (counts[b] / variances[b]).total_cmp(&(counts[a] / variances[a])));
    let (mut sum, mut variance, mut amount) = (0.0, 0.0, 0.0);
    for &cell in &order {
        let next = (sum + counts[cell] - total) / (variance + variances[cell]);
        if variance > 0.0 && next >= counts[cell] / variances[cell] {
            break;
        }
        sum += counts[cell];
        variance += variances[cell];
        amount = next;
    }
    counts.iter().zip(variances).map(|(count, variance)| (count - amount * variance).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn valid_counts_stay_as_they_are() {
        assert_eq!(project(&[3.0, 0.0, 2.0], &[1.0; 3], 5.0), [3.0, 0.0, 2.0]);
        assert_eq!(project(&[4.0, -1.0, 0.5], &[1.0; 3], 4.0), [3.75, 0.0, 0.25]);
        assert_eq!(project(&[4.0, 1.0], &[3.0, 1.0], 3.0), [2.5, 0.5]);
        assert_eq!(project(&[], &[], 3.0), Vec::<f64>::new());
        assert_eq!(project(&[-5.0], &[2.0], 3.0), [3.0]);
    }

    proptest! {
        #[test]
        fn no_move_within_the_simplex_is_nearer(
            cells in prop::collection::vec((-20.0..20.0f64, 0.1..5.0f64), 1..12), total in 0.5..40.0f64,
        ) {
            let (counts, variances): (Vec<f64>, Vec<f64>) = cells.into_iter().unzip();
            let found = project(&counts, &variances, total);
            prop_assert!((found.iter().sum::<f64>() - total).abs() < 1e-9);
            // At the optimum the gradient is equal where there is mass, and no smaller where there is none.
            let gradient: Vec<f64> = (0..counts.len()).map(|c| (found[c] - counts[c]) / variances[c]).collect();
            let least = gradient.iter().copied().fold(f64::INFINITY, f64::min);
            for (mass, gradient) in found.iter().zip(&gradient) {
                prop_assert!(*mass == 0.0 || *gradient < least + 1e-9);
            }
        }
    }
}
