//! Proportional fitting of a table to the sums of its rows and columns.

/// Sweeps over rows and columns, each made to sum to what it should; the last sweep ends with the columns. What is empty
/// stays empty.
pub(crate) fn fit_proportionally(table: &mut [f64], rows: &[f64], columns: &[f64], sweeps: usize) {
    let width = columns.len();
    for _ in 0..sweeps {
        for (row, target) in table.chunks_mut(width).zip(rows) {
            let factor = ratio(*target, row.iter().sum());
            for cell in row {
                *cell *= factor;
            }
        }
        for (column, target) in columns.iter().enumerate() {
            let factor = ratio(*target, table.iter().skip(column).step_by(width).sum());
            table.iter_mut().skip(column).step_by(width).for_each(|cell| *cell *= factor);
        }
    }
}

/// A part of a whole; nothing of nothing.
pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_reached_and_odds_stay() {
        let mut table = [1.0, 2.0, 0.0, 3.0, 1.0, 0.0];
        fit_proportionally(&mut table, &[0.4, 0.6], &[0.7, 0.3, 0.0], 50);
        assert!((table[..3].iter().sum::<f64>() - 0.4).abs() < 1e-9, "{table:?}");
        assert!((table[1] + table[4] - 0.3).abs() < 1e-12 && table[2] == 0.0);
        let odds = table[0] * table[4] / (table[1] * table[3]);
        assert!((odds - 1.0 / 6.0).abs() < 1e-12, "{odds}");
    }
}
