//! `partition`: cells that halve the synthetic rows repeatedly, whatever the real rows are.
//!
//! A k-d partition: the synthetic rows are halved at the median of the first column, both halves at their medians of
//! the second, and so on around the columns. Six halvings make 64 cells of equal synthetic mass; the real rows show how
//! well the two tables agree by how evenly they fall into them. It sees all directions a little, where an optimal tree
//! sees the worst one best.
//!
//! Missing counts as lower than every value. Levels of a nominal column are taken in the order of their numbers, so
//! that a cell holds a run of levels. Where values repeat, the cut closest to the middle is taken; a cell that no
//! column can divide stays as it is.
//!
//! # Guarantee
//! Substituting one real row changes pMSE and pMAE of the cells by at most 1/N over N stacked rows: 1/(2n), if
//! there are n rows of either kind. This is the theorem for fixed partitions, which applies because cuts are made
//! from the synthetic rows alone. The real rows are only counted.

use super::{Predictor, Stacked};
use crate::quality::{Cell, Distinguishability};
use crate::table::MISSING_CODE;

/// The most halvings: more than a million cells.
pub const MAX_HALVINGS: u32 = 20;

/// The fineness of a partition, checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartitionParams {
    halvings: u32,
}

/// A number of halvings that is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a partition is halved at most {MAX_HALVINGS} times, not {0}")]
pub struct HalvingsError(u32);

impl PartitionParams {
    /// Parameters for up to 2^`halvings` cells.
    ///
    /// # Errors
    /// With more than [`MAX_HALVINGS`].
    pub fn new(halvings: u32) -> Result<Self, HalvingsError> {
        if halvings <= MAX_HALVINGS { Ok(Self { halvings }) } else { Err(HalvingsError(halvings)) }
    }

    /// Number of times that the synthetic rows are halved.
    pub fn halvings(&self) -> u32 {
        self.halvings
    }
}

impl Default for PartitionParams {
    /// Parameters for six halvings: 64 cells.
    fn default() -> Self {
        Self { halvings: 6 }
    }
}

/// The place at which a cell was divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Halving {
    /// The column.
    pub predictor: usize,
    /// The highest value (or level number) on the low side; minus infinity when only missing values lie there.
    pub at_most: f64,
    low: Next,
    high: Next,
}

/// The cell or further halving on one side of a halving.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Next {
    Cell(usize),
    Halving(usize),
}

/// Cells of about equal synthetic mass.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    root: Next,
    halvings: Vec<Halving>,
    cells: Vec<Cell>,
}

/// Divides the synthetic rows, and counts the real rows in the cells.
pub fn fit(stacked: &Stacked, params: PartitionParams) -> Partition {
    let mut rows: Vec<usize> = (stacked.real_rows()..stacked.rows()).collect();
    let mut partition = Partition { root: Next::Cell(0), halvings: Vec::new(), cells: Vec::new() };
    partition.root = partition.divide(stacked.predictors(), &mut rows, 0, params.halvings);
    // Only here, when all cuts are made, are the real rows looked at.
    for row in 0..stacked.real_rows() {
        let cell = partition.cell_of(stacked.predictors(), row);
        partition.cells[cell].real += 1.0;
    }
    partition
}

impl Partition {
    /// The cells, from the lowest.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cuts, parents before children.
    pub fn halvings(&self) -> &[Halving] {
        &self.halvings
    }

    /// The unevenness of real rows over the cells.
    pub fn distinguishability(&self) -> Distinguishability {
        Distinguishability::of_cells(&self.cells)
    }

    /// The cell that a row falls into, as a position in [`Partition::cells`]: a function of this row and of the
    /// cuts.
    ///
    /// # Panics
    /// When the predictors are not those that the partition was made for.
    pub fn cell_of(&self, predictors: &[Predictor], row: usize) -> usize {
        let mut next = self.root;
        loop {
            match next {
                Next::Cell(cell) => return cell,
                Next::Halving(position) => {
                    let halving = &self.halvings[position];
                    let low = key(&predictors[halving.predictor], row) <= halving.at_most;
                    next = if low { halving.low } else { halving.high };
                }
            }
        }
    }

    /// Divides synthetic rows, trying columns from `first` on, and returns the resulting cell or halving.
    fn divide(&mut self, predictors: &[Predictor], rows: &mut [usize], first: usize, levels: u32) -> Next {
        let columns = (0..predictors.len()).map(|step| (first + step) % predictors.len());
        let mut cuts = columns.filter_map(|column| Some((column, middle(&predictors[column], rows)?)));
        let found = if levels == 0 { None } else { cuts.next() };
        let Some((predictor, at_most)) = found else {
            self.cells.push(Cell { synthetic: rows.len() as f64, real: 0.0 });
            return Next::Cell(self.cells.len() - 1);
        };
        let position = self.halvings.len();
        let unknown = Next::Halving(position);
        self.halvings.push(Halving { predictor, at_most, low: unknown, high: unknown });
        // Low rows to the front; their order does not matter.
        let mut low_rows = 0;
        for place in 0..rows.len() {
            if key(&predictors[predictor], rows[place]) <= at_most {
                rows.swap(low_rows, place);
                low_rows += 1;
            }
        }
        let (low, high) = rows.split_at_mut(low_rows);
        let low = self.divide(predictors, low, predictor + 1, levels - 1);
        let high = self.divide(predictors, high, predictor + 1, levels - 1);
        self.halvings[position] = Halving { predictor, at_most, low, high };
        Next::Halving(position)
    }
}

/// A value by its order: missing is lowest, levels are their numbers.
fn key(predictor: &Predictor, row: usize) -> f64 {
    match predictor {
        Predictor::Ordered(values) if values[row].is_nan() => f64::NEG_INFINITY,
        Predictor::Ordered(values) => values[row],
        Predictor::Nominal { codes, .. } if codes[row] == MISSING_CODE => f64::NEG_INFINITY,
        Predictor::Nominal { codes, .. } => f64::from(codes[row]),
    }
}

/// The value at which "at most" divides the rows most evenly, the lower one of two; `None` if all are equal.
fn middle(predictor: &Predictor, rows: &[usize]) -> Option<f64> {
    let mut keys: Vec<f64> = rows.iter().map(|&row| key(predictor, row)).collect();
    let half = keys.len().checked_sub(1)? / 2;
    let (_, &mut median, _) = keys.select_nth_unstable_by(half, f64::total_cmp);
    // Either the median goes with the low rows, or it does not, and the next lower value is the highest of them.
    let below = keys.iter().copied().filter(|&key| key < median);
    let lower =
        below.clone().fold(None, |highest: Option<f64>, key| Some(highest.map_or(key, |high| high.max(key))));
    let (without, with) = (below.count(), keys.iter().filter(|&&key| key <= median).count());
    let unevenness = |low: usize| (2 * low).abs_diff(keys.len());
    match lower {
        Some(lower) if with == keys.len() || unevenness(without) <= unevenness(with) => Some(lower),
        _ if with < keys.len() => Some(median),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::table::Column;
    use crate::testing::stacked;
    use rand::Rng;

    fn uniform_columns(rows: usize, columns: usize, stream: u64) -> Vec<Column> {
        let mut generator = Seed(5).stream(stream);
        let mut values = || (0..rows).map(|_| generator.next_u64() as f64).collect();
        (0..columns).map(|column| Column::float(&format!("x{column}"), values())).collect()
    }

    #[test]
    fn continuous_rows_are_halved_evenly() {
        let stacked = stacked(uniform_columns(800, 3, 0), uniform_columns(1000, 3, 1));
        let partition = fit(&stacked, PartitionParams::default());
        assert_eq!(partition.cells().len(), 64);
        assert!(partition.cells().iter().all(|cell| [15.0, 16.0].contains(&cell.synthetic)));
        assert_eq!(partition.cells().iter().map(|cell| cell.real).sum::<f64>(), 800.0);
        let cycle = |halving: &Halving| halving.predictor;
        assert_eq!(partition.halvings().iter().map(cycle).take(6).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
        let mut routed = vec![0.0; 64];
        for row in stacked.real_rows()..stacked.rows() {
            routed[partition.cell_of(stacked.predictors(), row)] += 1.0;
        }
        assert!(routed.iter().zip(partition.cells()).all(|(&rows, cell)| rows == cell.synthetic));
    }

    #[test]
    fn real_rows_do_not_change_the_cuts() {
        let synthetic = || uniform_columns(500, 2, 1);
        let fit = |real| fit(&stacked(real, synthetic()), PartitionParams::default());
        let one = fit(uniform_columns(300, 2, 2));
        let constant = (0..2).map(|column| Column::float(&format!("x{column}"), vec![1.0; 700])).collect();
        let other = fit(constant);
        assert_eq!(one.halvings, other.halvings);
        let synthetic = |partition: &Partition| -> Vec<f64> {
            partition.cells.iter().map(|cell| cell.synthetic).collect()
        };
        assert_eq!(synthetic(&one), synthetic(&other));
        assert_ne!(one.cells, other.cells);
    }

    #[test]
    fn repeated_values_and_levels_go_to_the_most_even_cut() {
        let predictor = |values: &[f64]| Predictor::Ordered(values.to_vec());
        let cut = |values: &[f64]| middle(&predictor(values), &(0..values.len()).collect::<Vec<_>>());
        let missing = f64::NAN;
        assert_eq!(cut(&[3.0, 1.0, 2.0, 4.0]), Some(2.0));
        assert_eq!(cut(&[0.0, 1.0, 1.0, 1.0]), Some(0.0));
        assert_eq!(cut(&[0.0, 0.0, 0.0, 1.0]), Some(0.0));
        assert_eq!(cut(&[missing, missing, missing, 1.0]), Some(f64::NEG_INFINITY));
        assert_eq!(cut(&[missing, 1.0, 1.0]), Some(f64::NEG_INFINITY));
        assert_eq!((cut(&[7.0, 7.0]), cut(&[missing, missing]), cut(&[])), (None, None, None));

        let levels = ["a", "b", "c"];
        let nominal = |codes: Vec<u32>| Column::nominal("c", &levels, codes);
        let constant = || Column::float("x", vec![1.0; 6]);
        let synthetic = vec![constant(), nominal(vec![MISSING_CODE, 0, 0, 1, 2, 2])];
        let real = vec![constant(), nominal(vec![2, 2, 2, 2, 1, MISSING_CODE])];
        let partition = fit(&stacked(real, synthetic), PartitionParams::default());
        let cell = |synthetic, real| Cell { synthetic, real };
        assert_eq!(partition.cells(), [cell(1.0, 1.0), cell(2.0, 0.0), cell(1.0, 1.0), cell(2.0, 4.0)]);
        assert_eq!(partition.halvings()[0].predictor, 1);
    }

    #[test]
    fn halvings_are_limited() {
        assert_eq!(PartitionParams::new(6), Ok(PartitionParams::default()));
        assert!(PartitionParams::new(21).unwrap_err().to_string().contains("at most 20"));
        let stacked = stacked(uniform_columns(9, 1, 0), uniform_columns(9, 1, 1));
        let whole = fit(&stacked, PartitionParams::new(0).unwrap());
        assert_eq!(whole.cells(), [Cell { synthetic: 9.0, real: 9.0 }]);
    }

    /// Tries all tables of three rows over a tiny domain, and all substitutions.
    #[test]
    fn one_row_changes_the_quality_by_at_most_half_over_n() {
        const N: usize = 3;
        let domain = [(f64::NAN, 0), (0.0, 0), (0.0, MISSING_CODE), (1.0, 1), (2.0, 0)];
        let decode = |code: usize| (0..N as u32).map(move |k| domain[code / 5_usize.pow(k) % 5]);
        let tables = 5_usize.pow(N as u32);
        let columns = |code: usize| {
            let ordered = Column::float("x", decode(code).map(|row| row.0).collect());
            vec![ordered, Column::nominal("c", &["a", "b"], decode(code).map(|row| row.1).collect())]
        };
        let (mut pmse, mut pmae) = (0.0_f64, 0.0_f64);
        for synthetic in 0..tables {
            let found: Vec<Distinguishability> = (0..tables)
                .map(|real| fit(&stacked(columns(real), columns(synthetic)), PartitionParams::default()))
                .map(|partition| partition.distinguishability())
                .collect();
            for (real, before) in found.iter().enumerate() {
                for value in 0..5 {
                    // Order does not matter: substitute the first row.
                    let after = &found[real - real % 5 + value];
                    pmse = pmse.max((before.pmse - after.pmse).abs());
                    pmae = pmae.max((before.pmae - after.pmae).abs());
                }
            }
        }
        assert!(pmse <= 1.0 / (2.0 * (N as f64 + 1.0)) + 1e-12, "{pmse}");
        assert!(pmae <= 1.0 / (2.0 * N as f64) + 1e-12 && pmae > 0.16, "{pmae}");
    }
}
