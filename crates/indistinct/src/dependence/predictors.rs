//! The columns that each column may depend on: as declared in the schema, or all.

use super::correlations::PlacePair;
use crate::linear::{Cholesky, Symmetric};
use crate::table::ColumnSchema;

/// For every column, the columns that it may depend on; `None` for all.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Predictors(Vec<Option<Vec<usize>>>);

impl Predictors {
    /// The declarations of columns; predictors that are not among the columns (identifiers) are left out.
    pub(crate) fn new(columns: &[&ColumnSchema]) -> Self {
        let place = |name: &String| columns.iter().position(|column| column.name() == name);
        let of = |column: &&ColumnSchema| {
            column.predictors().map(|names| names.iter().filter_map(place).collect::<Vec<usize>>())
        };
        Self(columns.iter().map(of).collect())
    }

    /// Whether a table of these columns may be measured: one of them may depend on all others directly. (A column
    /// that declares its predictors may still be a predictor of an undeclared one.)
    pub(crate) fn allow(&self, columns: &[usize]) -> bool {
        let depends = |&column: &usize| {
            columns.iter().filter(|other| **other != column).all(|&other| self.may(column, other))
        };
        columns.iter().any(depends)
    }

    /// Whether there are two columns of which one may depend on the other.
    pub(crate) fn allow_any(&self) -> bool {
        let columns = self.0.len();
        (0..columns).any(|second| (0..second).any(|first| self.allow(&[first, second])))
    }

    /// The given columns in an order in which predictors come first.
    pub(crate) fn ordered(&self, mut left: Vec<usize>) -> Vec<usize> {
        let mut ordered = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let waits = |column: usize| match &self.0[column] {
                None => false,
                Some(predictors) => predictors.iter().any(|predictor| left.contains(predictor)),
            };
            // A schema has no circles of declared predictors: somebody never waits.
            let next = left.iter().position(|&column| !waits(column)).unwrap_or(0);
            ordered.push(left.remove(next));
        }
        ordered
    }

    /// Pairs of a block in which the later column may depend on the earlier one, by places.
    pub(crate) fn pairs(&self, block: &[usize]) -> Vec<PlacePair> {
        let later = 0..block.len();
        let pairs = later.flat_map(|second| (0..second).map(move |first| (first, second)));
        pairs.filter(|&(first, second)| self.may(block[second], block[first])).collect()
    }

    fn may(&self, column: usize, other: usize) -> bool {
        self.0[column].as_ref().is_none_or(|predictors| predictors.contains(&other))
    }
}

/// All correlations, from those of the pairs: the others are implied by regressions on the columns of the pairs.
pub(super) fn completed(order: usize, known: &[(PlacePair, f64)]) -> Symmetric {
    let mut all = Symmetric::zeros(order);
    for second in 0..order {
        all.set(second, second, 1.0);
        let of: Vec<(usize, f64)> =
            known.iter().filter(|((_, own), _)| *own == second).map(|((first, _), r)| (*first, *r)).collect();
        let slopes = slopes(&all, &of);
        for first in 0..second {
            let measured = of.iter().find(|(other, _)| *other == first).map(|(_, r)| *r);
            let implied =
                || of.iter().zip(&slopes).map(|((other, _), slope)| slope * all.get(*other, first)).sum();
            all.set(second, first, measured.unwrap_or_else(implied));
        }
    }
    all
}

/// The slopes of the regression on columns with these correlations.
fn slopes(all: &Symmetric, of: &[(usize, f64)]) -> Vec<f64> {
    let mut among = Symmetric::zeros(of.len());
    for (j, (own, _)) in of.iter().enumerate() {
        for (k, (other, _)) in of.iter().enumerate().take(j + 1) {
            // A little ridge, as noisy correlations need not be possible ones.
            among.set(j, k, all.get(*own, *other) + if j == k { 0.01 } else { 0.0 });
        }
    }
    let right: Vec<f64> = of.iter().map(|(_, r)| *r).collect();
    Cholesky::new(&among).map_or_else(|| vec![0.0; of.len()], |factor| factor.solve(&right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ColumnType;

    fn predictors(declared: &[Option<&[&str]>]) -> Predictors {
        let names = ["a", "b", "c", "d"];
        let columns: Vec<ColumnSchema> = declared
            .iter()
            .zip(names)
            .map(|(predictors, name)| {
                let predictors = predictors.map(|names| names.iter().map(|&name| name.to_owned()).collect());
                ColumnSchema::new(name, ColumnType::Float).with_predictors(predictors)
            })
            .collect();
        Predictors::new(&columns.iter().collect::<Vec<_>>())
    }

    #[test]
    fn predictors_come_first_and_only_they_count() {
        let declared = predictors(&[Some(&["c"]), Some(&[]), None, Some(&["a", "b"])]);
        let order = declared.ordered(vec![0, 1, 2, 3]);
        assert_eq!(order, [1, 2, 0, 3]);
        // c may depend on b; a on c only; d on a and b, not on c.
        let pairs: Vec<(usize, usize)> =
            declared.pairs(&order).into_iter().map(|(j, k)| (order[j], order[k])).collect();
        assert_eq!(pairs, [(1, 2), (2, 0), (1, 3), (0, 3)]);
        assert!(declared.allow(&[2, 3]) && declared.allow(&[1, 2, 3]), "c is free to depend on anything");
        assert!(declared.allow(&[0, 1, 3]), "d depends on a and b");
        assert!(!declared.allow(&[0, 1]));
        let none = predictors(&[None, None, None, None]);
        assert_eq!(none.pairs(&none.ordered(vec![0, 1, 2, 3])).len(), 6);
    }

    #[test]
    fn unmeasured_correlations_follow_from_measured_ones() {
        // A chain: each depends on the one before alone.
        let all = completed(3, &[((0, 1), 0.8), ((1, 2), 0.5)]);
        assert_eq!((all.get(1, 0), all.get(2, 1)), (0.8, 0.5));
        assert!((all.get(2, 0) - 0.4).abs() < 0.01, "{}", all.get(2, 0));
        assert_eq!(completed(2, &[]).get(1, 0), 0.0);
    }
}
