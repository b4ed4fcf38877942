//! Total variation distance between binned margins: what cells of one or two columns say without any classifier.

use indistinct::discriminator::{Predictor, Stacked};
use indistinct::interrupt;
use indistinct::table::MISSING_CODE;
use rustc_hash::FxHashMap;

/// Bins per ordered column: as many equal-mass intervals of the real rows.
const BINS: usize = 20;

/// Dense tables of two columns are used up to this many cells.
const DENSE: usize = 1 << 20;

/// A column cut into bins, one of them for missing values.
struct Binned {
    codes: Vec<u32>,
    bins: usize,
}

/// Both tables, binned.
pub(crate) struct Distances {
    columns: Vec<Binned>,
    real_rows: usize,
    synthetic_rows: usize,
}

impl Distances {
    pub(crate) fn new(stacked: &Stacked) -> Self {
        let real_rows = stacked.real_rows();
        let binned = |predictor| {
            interrupt::check();
            bin(predictor, real_rows)
        };
        let columns = stacked.predictors().iter().map(binned).collect();
        Self { columns, real_rows, synthetic_rows: stacked.synthetic_rows() }
    }

    /// Distance between the margins of one column.
    pub(crate) fn column(&self, column: usize) -> f64 {
        let Binned { codes, bins } = &self.columns[column];
        self.distance(codes.iter().map(|&code| code as usize), *bins)
    }

    /// Distance between the joint margins of two columns.
    pub(crate) fn pair(&self, first: usize, second: usize) -> f64 {
        interrupt::check();
        let (first, second) = (&self.columns[first], &self.columns[second]);
        let joint = first.codes.iter().zip(&second.codes);
        let cells = joint.map(|(&a, &b)| a as usize * second.bins + b as usize);
        self.distance(cells, first.bins * second.bins)
    }

    /// Half the sum of |p - q| over cells, where rows of the real table come first.
    fn distance(&self, cells: impl Iterator<Item = usize>, count: usize) -> f64 {
        // Scaled by both sizes, the difference of two shares is a whole number: exact in any order.
        // Both have at most 2^31 rows.
        let (real, synthetic) = (i64::from(self.synthetic_rows as u32), i64::from(self.real_rows as u32));
        let weights = std::iter::repeat_n(real, self.real_rows).chain(std::iter::repeat(-synthetic));
        let weighted = cells.zip(weights);
        let sum: i64 = if count <= DENSE {
            let mut table = vec![0i64; count];
            weighted.for_each(|(cell, weight)| table[cell] += weight);
            table.into_iter().map(i64::abs).sum()
        } else {
            let mut table: FxHashMap<usize, i64> = FxHashMap::default();
            weighted.for_each(|(cell, weight)| *table.entry(cell).or_default() += weight);
            table.into_values().map(i64::abs).sum()
        };
        sum as f64 / (2.0 * real as f64 * synthetic as f64)
    }
}

fn bin(predictor: &Predictor, real_rows: usize) -> Binned {
    match predictor {
        Predictor::Nominal { codes, levels } => Binned {
            codes: codes
                .iter()
                .map(|&code| if code == MISSING_CODE { *levels as u32 } else { code })
                .collect(),
            bins: levels + 1,
        },
        Predictor::Ordered(values) => {
            let edges = quantiles(&values[..real_rows]);
            let code = |value: &f64| {
                if value.is_nan() { edges.len() + 1 } else { edges.partition_point(|edge| edge <= value) }
            };
            Binned { codes: values.iter().map(|value| code(value) as u32).collect(), bins: edges.len() + 2 }
        }
    }
}

/// The distinct inner quantiles of the present values.
fn quantiles(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    if sorted.is_empty() {
        return Vec::new();
    }
    let mut edges: Vec<f64> = (1..BINS).map(|k| sorted[k * sorted.len() / BINS]).collect();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::table::{Column, Table};

    fn distances(real: Vec<Column>, synthetic: Vec<Column>) -> Distances {
        let stacked = Stacked::new(&Table::new(real).unwrap(), &Table::new(synthetic).unwrap()).unwrap();
        Distances::new(&stacked)
    }

    fn count(to: u32) -> Column {
        Column::float("x", (0..to).map(f64::from).collect())
    }

    #[test]
    fn extremes() {
        assert_eq!(distances(vec![count(100)], vec![count(100)]).column(0), 0.0);
        assert_eq!(distances(vec![count(100)], vec![Column::float("x", vec![-1.0; 50])]).column(0), 0.95);
        let missing = Column::float("x", vec![f64::NAN; 7]);
        assert_eq!(distances(vec![count(100)], vec![missing]).column(0), 1.0);
    }

    #[test]
    fn sizes_do_not_matter() {
        let column = |rows: u32| Column::nominal("x", &["a", "b"], (0..rows).map(|row| row % 2).collect());
        assert_eq!(distances(vec![column(10)], vec![column(1000)]).column(0), 0.0);
    }

    #[test]
    fn a_pair_sees_dependence_that_columns_do_not() {
        let column = |name: &str, period: u32| {
            Column::nominal(name, &["a", "b"], (0..400).map(|row| row / period % 2).collect())
        };
        let alike =
            vec![column("x", 1), Column::nominal("y", &["a", "b"], (0..400).map(|row| row % 2).collect())];
        let independent = vec![column("x", 1), column("y", 2)];
        let distances = distances(alike, independent);
        assert_eq!((distances.column(0), distances.column(1)), (0.0, 0.0));
        assert_eq!(distances.pair(0, 1), 0.5);
    }

    #[test]
    fn many_levels_are_counted_sparsely() {
        let levels: Vec<String> = (0..1500).map(|level| format!("{level:04}")).collect();
        let names: Vec<&str> = levels.iter().map(String::as_str).collect();
        let column = |name: &str, shift: u32| {
            Column::nominal(name, &names, (0..1500).map(|c| (c + shift) % 1500).collect())
        };
        let found = distances(vec![column("x", 0), column("y", 0)], vec![column("x", 0), column("y", 1)]);
        assert_eq!((found.column(1), found.pair(0, 1)), (0.0, 1.0));
    }
}
