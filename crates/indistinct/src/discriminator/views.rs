//! `partition` in probability space: fixed cells of known probability, seen in views of one or two columns.
//!
//! A model sends a row to independent standard normal z (see [`crate::model::SequentialModel`]); each axis is cut
//! at points that never change. A view is one column by itself or a pair; its cells are the products of the axes'
//! intervals, and their synthetic mass is exact: n times a product of normal probabilities. Nothing is simulated.
//!
//! # Guarantee
//! Cells depend on theta and public constants, never on private rows. For each view the theorem for fixed partitions
//! holds: pMSE and pMAE move by at most 1/(2n) when one row is substituted; so does their mean over views.

use crate::model::{distribution, quantile};

/// Views over the columns of a table, all with the same cuts on every axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Views {
    /// Cut points on the z axis, ascending.
    cuts: Vec<f64>,
    /// A column, and for pairs a second one.
    views: Vec<(usize, Option<usize>)>,
}

impl Views {
    /// Views of these single columns, cut into `intervals` of equal probability.
    pub fn singles(columns: impl IntoIterator<Item = usize>, intervals: usize) -> Self {
        Self::new(equal_cuts(intervals), columns.into_iter().map(|column| (column, None)).collect())
    }

    /// Views of these pairs, each axis cut into `intervals` of equal probability.
    pub fn pairs(pairs: impl IntoIterator<Item = (usize, usize)>, intervals: usize) -> Self {
        let views = pairs.into_iter().map(|(first, second)| (first, Some(second))).collect();
        Self::new(equal_cuts(intervals), views)
    }

    /// Views of every pair of `columns` columns, or of the only column.
    pub fn of_table(columns: usize, cuts: Vec<f64>) -> Self {
        let pairs = (0..columns).flat_map(|second| (0..second).map(move |first| (first, Some(second))));
        Self::new(cuts, if columns == 1 { vec![(0, None)] } else { pairs.collect() })
    }

    fn new(cuts: Vec<f64>, views: Vec<(usize, Option<usize>)>) -> Self {
        Self { cuts, views }
    }

    /// The views: a column and, for pairs, a second one.
    pub fn views(&self) -> &[(usize, Option<usize>)] {
        &self.views
    }

    /// Cut points of every axis.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// Number of intervals of every axis.
    pub fn intervals(&self) -> usize {
        self.cuts.len() + 1
    }

    /// Number of cells of one view.
    pub fn cells_of(&self, view: usize) -> usize {
        let (_, second) = self.views[view];
        if second.is_some() { self.intervals() * self.intervals() } else { self.intervals() }
    }

    /// Number of cells of all views together: the length of a list of counts.
    pub fn cells(&self) -> usize {
        (0..self.views.len()).map(|view| self.cells_of(view)).sum()
    }

    /// The probability of every interval of an axis when the model is right.
    pub fn interval_probabilities(&self) -> Vec<f64> {
        let mut below = 0.0;
        let ends = self.cuts.iter().map(|&cut| distribution(cut)).chain(std::iter::once(1.0));
        ends.map(|end| end - std::mem::replace(&mut below, end)).collect()
    }

    /// Adds rows, given as innovations by column, to the counts of all views.
    pub fn count(&self, z: &[Vec<f64>], counts: &mut [u64]) {
        let place = |value: f64| self.cuts.iter().map(|&cut| usize::from(value > cut)).sum::<usize>();
        let mut offset = 0;
        for (view, &(first, second)) in self.views.iter().enumerate() {
            let counts = &mut counts[offset..offset + self.cells_of(view)];
            match second {
                None => z[first].iter().for_each(|&value| counts[place(value)] += 1),
                Some(second) => {
                    for (&first, &second) in z[first].iter().zip(&z[second]) {
                        counts[place(first) * self.intervals() + place(second)] += 1;
                    }
                }
            }
            offset += counts.len();
        }
    }
}

/// The cut points of intervals of equal probability.
pub fn equal_cuts(intervals: usize) -> Vec<f64> {
    (1..intervals).map(|k| quantile(k as f64 / intervals as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one() {
        let views = Views::of_table(3, vec![-1.0, 0.0, 2.0]);
        let sum: f64 = views.interval_probabilities().iter().sum();
        assert!((sum - 1.0).abs() < 1e-15);
        assert_eq!((views.views().len(), views.cells()), (3, 48));
        assert_eq!(Views::of_table(1, vec![0.0]).cells(), 2);
        let equal = Views::singles([0], 8).interval_probabilities();
        assert!(equal.iter().all(|p| (p - 0.125).abs() < 1e-12));
    }

    #[test]
    fn rows_fall_into_their_cells() {
        let views = Views::pairs([(0, 1)], 2);
        let mut counts = vec![0; 4];
        let z = [vec![-1.0, 1.0, 1.0, f64::NAN], vec![-1.0, -1.0, 1.0, 5.0]];
        views.count(&z, &mut counts);
        assert_eq!(counts, [1, 1, 1, 1], "NaN is in the lowest interval");
    }
}
