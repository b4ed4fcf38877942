//! Association of two columns of a table, from 0 to 1.

use std::collections::HashMap;

use indistinct::table::{Column, ColumnType, MISSING_CODE, Values};

/// The measure of association.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// The absolute rank correlation of two columns with an order.
    Spearman,
    /// The correlation ratio of ranks, where one column has no order.
    CorrelationRatio,
    /// Cramér's V, where neither column has an order.
    CramersV,
}

impl Measure {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Spearman => "rank correlation",
            Self::CorrelationRatio => "correlation ratio",
            Self::CramersV => "Cramér's V",
        }
    }
}

/// A prepared column: numbers, dates, ordered categories and booleans have an order, nominal categories do not.
pub(super) enum Prepared {
    Ordered {
        values: Vec<f64>,
        /// Ranks of all rows, if none is missing.
        ranks: Option<Vec<f64>>,
    },
    Nominal(Vec<u32>),
}

impl Prepared {
    /// All rows of a column.
    pub(super) fn of(column: &Column) -> Self {
        match (column.schema().kind(), column.values()) {
            (ColumnType::Nominal { .. }, Values::Code(codes)) => Self::Nominal(codes.clone()),
            (_, values) => {
                let values = values.to_reals();
                let ranks = values.iter().all(|value| !value.is_nan()).then(|| ranks(&values));
                Self::Ordered { values, ranks }
            }
        }
    }
}

/// The association over the rows that have both values; `None` if a column does not vary there.
pub(super) fn association(a: &Prepared, b: &Prepared) -> Option<(f64, Measure)> {
    let (value, measure) = signed(a, b)?;
    value.is_finite().then_some((value.abs().min(1.0), measure))
}

/// The association as a number that noise adds to and does not push away from zero: with its sign where it has one, and
/// squared where it has none. NaN if there is none.
pub(super) fn additive_association(a: &Prepared, b: &Prepared) -> f64 {
    match signed(a, b) {
        None => f64::NAN,
        Some((value, Measure::Spearman)) => value,
        Some((value, Measure::CorrelationRatio | Measure::CramersV)) => value * value,
    }
}

/// The association with its sign, if it has one.
fn signed(a: &Prepared, b: &Prepared) -> Option<(f64, Measure)> {
    Some(match (a, b) {
        (Prepared::Ordered { values: x, ranks: rx }, Prepared::Ordered { values: y, ranks: ry }) => {
            let found = if let (Some(rx), Some(ry)) = (rx, ry) {
                correlation(rx, ry)
            } else {
                let both = x.iter().zip(y).filter(|(x, y)| !x.is_nan() && !y.is_nan());
                let (x, y): (Vec<f64>, Vec<f64>) = both.map(|(x, y)| (*x, *y)).unzip();
                correlation(&ranks(&x), &ranks(&y))
            };
            (found?, Measure::Spearman)
        }
        (Prepared::Nominal(codes), Prepared::Ordered { values, .. })
        | (Prepared::Ordered { values, .. }, Prepared::Nominal(codes)) => {
            (correlation_ratio(codes, values)?, Measure::CorrelationRatio)
        }
        (Prepared::Nominal(a), Prepared::Nominal(b)) => (cramers_v(a, b)?, Measure::CramersV),
    })
}

/// Ranks from 1; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let same = order[start..].iter().take_while(|&&row| values[row] == values[order[start]]).count();
        // NaN equals nothing, and is not here.
        let end = start + same.max(1);
        for &row in &order[start..end] {
            ranks[row] = (start + 1 + end) as f64 / 2.0;
        }
        start = end;
    }
    ranks
}

fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (dx, dy) = (x - mx, y - my);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

/// The root of the share of the ranks' variance that lies between the levels.
fn correlation_ratio(codes: &[u32], values: &[f64]) -> Option<f64> {
    let both = codes.iter().zip(values).filter(|(code, value)| **code != MISSING_CODE && !value.is_nan());
    let (codes, values): (Vec<u32>, Vec<f64>) = both.map(|(code, value)| (*code, *value)).unzip();
    let ranks = ranks(&values);
    let mean = f64::midpoint(1.0, values.len() as f64);
    let total: f64 = ranks.iter().map(|rank| (rank - mean).powi(2)).sum();
    let mut groups: Vec<(f64, f64)> = Vec::new();
    for (&code, rank) in codes.iter().zip(&ranks) {
        let code = code as usize;
        if groups.len() <= code {
            groups.resize(code + 1, (0.0, 0.0));
        }
        groups[code].0 += 1.0;
        groups[code].1 += rank - mean;
    }
    let levels = groups.iter().filter(|(count, _)| *count > 0.0).count();
    let between: f64 =
        groups.iter().filter(|(count, _)| *count > 0.0).map(|(count, sum)| sum * sum / count).sum();
    (total > 0.0 && levels > 1).then(|| (between / total).sqrt())
}

fn cramers_v(a: &[u32], b: &[u32]) -> Option<f64> {
    let mut cells: HashMap<(u32, u32), f64> = HashMap::new();
    let (mut rows, mut columns): (HashMap<u32, f64>, HashMap<u32, f64>) = Default::default();
    let mut n = 0.0;
    for (&a, &b) in a.iter().zip(b).filter(|(a, b)| **a != MISSING_CODE && **b != MISSING_CODE) {
        *cells.entry((a, b)).or_default() += 1.0;
        *rows.entry(a).or_default() += 1.0;
        *columns.entry(b).or_default() += 1.0;
        n += 1.0;
    }
    let fewer = rows.len().min(columns.len());
    if fewer < 2 {
        return None;
    }
    // chi-squared / n = sum of n_ab^2 / (n_a n_b) - 1; sorted, so that the sum does not depend on a map's order.
    let mut terms: Vec<f64> =
        cells.iter().map(|((a, b), count)| count * count / (rows[a] * columns[b])).collect();
    terms.sort_unstable_by(f64::total_cmp);
    let phi = (terms.iter().sum::<f64>() - 1.0).max(0.0);
    (n > 0.0).then(|| (phi / (fewer as f64 - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(values: &[f64]) -> Prepared {
        Prepared::of(&Column::float("x", values.to_vec()))
    }

    fn nominal(codes: &[u32]) -> Prepared {
        Prepared::of(&Column::nominal("x", &["a", "b", "c"], codes.to_vec()))
    }

    const X: [f64; 10] = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0];
    const Y: [f64; 10] = [2.0, 7.0, 1.0, 8.0, 2.0, 8.0, 1.0, 8.0, 2.0, 8.0];
    const A: [u32; 10] = [0, 1, 2, 0, 1, 2, 0, 0, 1, 2];
    const B: [u32; 10] = [0, 1, 1, 0, 1, 0, 0, 0, 1, 2];

    fn near(found: Option<(f64, Measure)>, value: f64, measure: Measure) {
        let (got, by) = found.unwrap();
        assert!((got - value).abs() < 1e-9 && by == measure, "{got} {by:?}");
    }

    #[test]
    fn agrees_with_r_and_scipy() {
        // cor(x, y, method = "spearman"); with the first x missing, cor(x[-1], y[-1], method = "spearman")
        near(association(&ordered(&X), &ordered(&Y)), 0.134_715_062_810_913, Measure::Spearman);
        let mut holes = X;
        holes[0] = f64::NAN;
        near(association(&ordered(&holes), &ordered(&Y)), 0.155_019_084_340_381, Measure::Spearman);
        // r <- rank(x); sqrt(sum((ave(r, a) - mean(r))^2) / sum((r - mean(r))^2))
        near(association(&nominal(&A), &ordered(&X)), 0.339_450_051_478_21, Measure::CorrelationRatio);
        near(association(&ordered(&X), &nominal(&A)), 0.339_450_051_478_21, Measure::CorrelationRatio);
        // sqrt(chisq.test(table(a, b), correct = FALSE)$statistic / (10 * 2))
        near(association(&nominal(&A), &nominal(&B)), 0.718_795_288_428_261, Measure::CramersV);
    }

    #[test]
    fn what_noise_adds_to_has_a_sign_or_is_squared() {
        let turned: Vec<f64> = X.iter().map(|x| -x).collect();
        let (one, other) = (
            additive_association(&ordered(&X), &ordered(&Y)),
            additive_association(&ordered(&turned), &ordered(&Y)),
        );
        assert!((one - 0.134_715_062_810_913).abs() < 1e-9 && (one + other).abs() < 1e-12);
        let squared = additive_association(&nominal(&A), &nominal(&B));
        assert!((squared - 0.718_795_288_428_261_f64.powi(2)).abs() < 1e-9);
        assert!(additive_association(&nominal(&[0; 5]), &nominal(&[0, 1, 0, 1, 0])).is_nan());
    }

    #[test]
    fn constant_columns_have_none() {
        assert!(association(&ordered(&[1.0; 5]), &ordered(&[1.0, 2.0, 3.0, 4.0, 5.0])).is_none());
        assert!(association(&nominal(&[0; 5]), &ordered(&[1.0, 2.0, 3.0, 4.0, 5.0])).is_none());
        assert!(association(&nominal(&[0; 5]), &nominal(&[0, 1, 0, 1, 0])).is_none());
        assert!(association(&ordered(&[f64::NAN; 3]), &ordered(&[1.0, 2.0, 3.0])).is_none());
        assert!(association(&ordered(&[]), &nominal(&[])).is_none());
    }

    #[test]
    fn a_function_of_the_other_is_one() {
        let double: Vec<f64> = A.iter().map(|&code| f64::from(code) * 2.0).collect();
        assert!((association(&nominal(&A), &ordered(&double)).unwrap().0 - 1.0).abs() < 1e-12);
        assert!((association(&nominal(&A), &nominal(&A)).unwrap().0 - 1.0).abs() < 1e-12);
    }
}
