//! Symmetric matrices, and cross-products of tall matrices added up block by block.

/// Columns handled together: they share each load of the column they are multiplied with.
const TILE: usize = 4;
/// Partial sums per product: enough for the compiler to use vector instructions.
const LANES: usize = 4;

/// A symmetric matrix; its lower triangle is stored row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric {
    order: usize,
    lower: Vec<f64>,
}

impl Symmetric {
    /// The zero matrix with that many rows.
    pub fn zeros(order: usize) -> Self {
        Self { order, lower: vec![0.0; order * (order + 1) / 2] }
    }

    /// Number of rows.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The entry in that row and column.
    ///
    /// # Panics
    /// When either is out of range.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (row, column) = if row < column { (column, row) } else { (row, column) };
        self.lower[row * (row + 1) / 2 + column]
    }

    /// Sets the entry in that row and column, and with it its mirror image.
    ///
    /// # Panics
    /// When either is out of range.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        let (row, column) = if row < column { (column, row) } else { (row, column) };
        self.lower[row * (row + 1) / 2 + column] = value;
    }

    /// Row `row` up to and including its diagonal entry.
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.lower[row * (row + 1) / 2..][..=row]
    }

    /// Adds `amount` to a diagonal entry.
    ///
    /// # Panics
    /// When it is out of range.
    pub fn add_to_diagonal(&mut self, position: usize, amount: f64) {
        self.lower[position * (position + 1) / 2 + position] += amount;
    }

    /// Adds another matrix of the same order.
    pub fn add(&mut self, other: &Self) {
        for (sum, term) in self.lower.iter_mut().zip(&other.lower) {
            *sum += term;
        }
    }

    /// Adds X'WX for a block of rows: column `j` of the block is `block[j * weights.len()..][..weights.len()]`,
    /// and `active` lists, in increasing order, the columns that are not all zero (others are skipped).
    ///
    /// # Panics
    /// When an active column is not in the block or not in the matrix.
    pub fn add_cross_product(&mut self, block: &[f64], weights: &[f64], active: &[usize]) {
        let rows = weights.len();
        let mut weighted = vec![0.0; TILE * rows];
        for (tile, left) in active.chunks(TILE).enumerate() {
            for (slot, &column) in left.iter().enumerate() {
                let values = &block[column * rows..][..rows];
                for ((product, value), weight) in weighted[slot * rows..].iter_mut().zip(values).zip(weights)
                {
                    *product = value * weight;
                }
            }
            for (place, &right) in active[..tile * TILE + left.len()].iter().enumerate() {
                let sums = dots(&weighted, &block[right * rows..][..rows]);
                for (slot, &column) in left.iter().enumerate() {
                    if place <= tile * TILE + slot {
                        self.lower[column * (column + 1) / 2 + right] += sums[slot];
                    }
                }
            }
        }
    }
}

/// The products of each of the `TILE` columns of `tile` with `column`, summed in a fixed order.
fn dots(tile: &[f64], column: &[f64]) -> [f64; TILE] {
    let rows = column.len();
    let mut sums = [[0.0; LANES]; TILE];
    let whole = rows - rows % LANES;
    let (a, rest) = tile.split_at(rows);
    let (b, rest) = rest.split_at(rows);
    let (c, d) = rest.split_at(rows);
    for start in (0..whole).step_by(LANES) {
        let values = &column[start..start + LANES];
        for (sum, left) in sums.iter_mut().zip([a, b, c, d]) {
            let left = &left[start..start + LANES];
            for lane in 0..LANES {
                sum[lane] += left[lane] * values[lane];
            }
        }
    }
    let mut totals = sums.map(|lanes| lanes.iter().sum());
    for row in whole..rows {
        for (total, left) in totals.iter_mut().zip([a, b, c, d]) {
            *total += left[row] * column[row];
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares with the definition, for every shape of block and with columns left out.
        #[test]
        fn cross_product(
            rows in 0usize..11,
            columns in 1usize..11,
            values in proptest::collection::vec(-2.0..2.0f64, 110),
            skip in 0usize..11,
        ) {
            let weights: Vec<f64> = (0..rows).map(|row| 0.5 + row as f64).collect();
            let active: Vec<usize> = (0..columns).filter(|&column| column != skip).collect();
            let mut found = Symmetric::zeros(columns);
            found.add_cross_product(&values[..rows * columns], &weights, &active);
            for i in 0..columns {
                for j in 0..columns {
                    let wanted: f64 = if i == skip || j == skip { 0.0 } else {
                        (0..rows).map(|row| weights[row] * values[i * rows + row] * values[j * rows + row]).sum()
                    };
                    prop_assert!((found.get(i, j) - wanted).abs() < 1e-9);
                }
            }
        }
    }
}
