//! Columns cut into classes.

use super::{CLASSES, MANY_VALUES};
use crate::discriminator::Predictor;
use crate::table::MISSING_CODE;

/// One column of both tables: the class of each row, real rows first.
#[derive(Debug)]
pub(super) struct Classes {
    pub(super) codes: Vec<u32>,
    /// Number of classes.
    pub(super) count: usize,
}

impl Classes {
    /// The classes of a stacked column. Levels of an ordered category (`has_levels`) are values, however many there are.
    pub(super) fn of(stacked: &Predictor, has_levels: bool, real_rows: usize) -> Self {
        match stacked {
            Predictor::Nominal { codes, levels } => {
                let code = |&code: &u32| if code == MISSING_CODE { *levels as u32 } else { code };
                Self { codes: codes.iter().map(code).collect(), count: levels + 1 }
            }
            Predictor::Ordered(values) => {
                let mut real: Vec<f64> = present(&values[..real_rows]).collect();
                real.sort_unstable_by(f64::total_cmp);
                let different = real.chunk_by(|a, b| a == b).count();
                if different > MANY_VALUES && !has_levels {
                    Self::cut(values, &quantiles(&real))
                } else {
                    Self::by_value(values)
                }
            }
        }
    }

    /// A class between any two neighbouring cuts, and one for missing.
    fn cut(values: &[f64], cuts: &[f64]) -> Self {
        let code = |value: &f64| {
            if value.is_nan() { cuts.len() + 1 } else { cuts.partition_point(|cut| cut <= value) }
        };
        Self { codes: values.iter().map(|value| code(value) as u32).collect(), count: cuts.len() + 2 }
    }

    /// A class for each value of either table, and one for missing.
    fn by_value(values: &[f64]) -> Self {
        let mut different: Vec<f64> = present(values).collect();
        different.sort_unstable_by(f64::total_cmp);
        different.dedup();
        let code = |value: &f64| {
            if value.is_nan() { different.len() } else { different.partition_point(|other| other < value) }
        };
        Self { codes: values.iter().map(|value| code(value) as u32).collect(), count: different.len() + 1 }
    }
}

/// Values that are not missing. Adding 0 makes 0 of -0, which is the same value.
fn present(values: &[f64]) -> impl Iterator<Item = f64> + '_ {
    values.iter().filter(|value| !value.is_nan()).map(|value| value + 0.0)
}

/// The distinct quantiles k/20 of sorted values, interpolated between neighbours (type 7 of Hyndman and Fan) with
/// the rounding of numpy, so that both programs have the same classes.
fn quantiles(sorted: &[f64]) -> Vec<f64> {
    let last = sorted.len() - 1;
    let quantile = |k: usize| {
        let place = last as f64 * (k as f64 / CLASSES as f64);
        let (below, part) = (place.floor() as usize, place.fract());
        let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
        let step = high - low;
        if part >= 0.5 { high - step * (1.0 - part) } else { low + step * part }
    };
    let mut cuts: Vec<f64> = (1..CLASSES).map(quantile).collect();
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_numpy() {
        // np.quantile(np.arange(50) ** 1.5, np.arange(1, 20) / 20), the first, the tenth and the last.
        let sorted: Vec<f64> = (0..50).map(|x| f64::from(x).powf(1.5)).collect();
        let cuts = quantiles(&sorted);
        assert_eq!(cuts.len(), 19);
        for (place, expected) in
            [(0, 3.893_903_508_828_389_5), (9, 121.287_753_826_796_26), (18, 317.612_902_071_06)]
        {
            assert!((cuts[place] / expected - 1.0f64).abs() < 1e-14, "{place}: {}", cuts[place]);
        }
        assert_eq!(quantiles(&[3.0; 9]), [3.0]);
    }

    #[test]
    fn zero_and_minus_zero_are_one_value() {
        let classes = Classes::by_value(&[0.0, -0.0, f64::NAN, 2.0]);
        assert_eq!(classes.codes, [0, 0, 2, 1]);
    }
}
