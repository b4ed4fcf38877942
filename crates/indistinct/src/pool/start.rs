//! The pool before any table is measured: columns distributed as their margins, to the row, and ordered ones
//! correlated as their scores.

use rand::seq::SliceRandom;
use rand_distr::{Distribution, StandardNormal};

use super::{Classes, Pool};
use crate::random::Generator;

/// A pool of this many rows. `block` are the columns with correlated scores, whose lower triangular factor is
/// `factor`.
pub(crate) fn start(
    classes: &[Classes],
    block: &[usize],
    factor: &[Vec<f64>],
    rows: usize,
    random: &mut Generator,
) -> Pool {
    let columns = classes.len();
    let mut all = vec![0; rows * columns];
    let mut put = |column: usize, order: &[u32], counts: &[usize]| {
        let classes = (0..).zip(counts).flat_map(|(class, &count)| std::iter::repeat_n(class, count));
        for (&row, class) in order.iter().zip(classes) {
            all[row as usize * columns + column] = class;
        }
    };
    let shuffled = |random: &mut Generator| {
        let mut order: Vec<u32> = (0..rows as u32).collect();
        order.shuffle(random);
        order
    };
    let mut latent: Vec<Vec<f64>> = Vec::with_capacity(block.len());
    for (&column, loadings) in block.iter().zip(factor) {
        latent.push((0..rows).map(|_| StandardNormal.sample(&mut *random)).collect());
        let score = |row: u32| -> f64 {
            loadings.iter().zip(&latent).map(|(loading, z)| loading * z[row as usize]).sum()
        };
        let counts = apportioned(classes[column].codes().probabilities(), rows);
        // Whether a value is missing does not depend on scores: nothing is known of that yet.
        let mut order = shuffled(random);
        let present = match counts.last() {
            Some(&missing) if classes[column].codes().has_missing() => rows - missing,
            _ => rows,
        };
        let mut scored: Vec<(f64, u32)> = order[..present].iter().map(|&row| (score(row), row)).collect();
        scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (place, (_, row)) in order.iter_mut().zip(scored) {
            *place = row;
        }
        put(column, &order, &counts);
    }
    for column in (0..columns).filter(|column| !block.contains(column)) {
        let counts = apportioned(classes[column].codes().probabilities(), rows);
        put(column, &shuffled(random), &counts);
    }
    Pool::new(all, columns)
}

/// Whole numbers that sum to `rows`, in proportion to probabilities: the largest remainders are rounded up.
pub(super) fn apportioned(probabilities: &[f64], rows: usize) -> Vec<usize> {
    let sum: f64 = probabilities.iter().sum();
    let exact: Vec<f64> = probabilities.iter().map(|p| rows as f64 * p / sum).collect();
    let mut counts: Vec<usize> = exact.iter().map(|count| *count as usize).collect();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    let remainder = |place: &usize| exact[*place] - exact[*place].floor();
    order.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)).then(a.cmp(b)));
    let left = rows.saturating_sub(counts.iter().sum());
    for &place in order.iter().cycle().take(left) {
        counts[place] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_and_sum_up() {
        assert_eq!(apportioned(&[0.5, 0.25, 0.25], 10), [5, 3, 2]);
        assert_eq!(apportioned(&[1.0], 7), [7]);
        assert_eq!(apportioned(&[1e-9, 1.0], 3), [0, 3]);
        for rows in [0, 1, 13, 1000] {
            assert_eq!(apportioned(&[0.1, 0.3, 0.2, 0.399_999], rows).iter().sum::<usize>(), rows);
        }
    }
}
