//! Predictors as columns of numbers: standardised values, indicators of levels and of missing values.

use super::term::Factor;
use crate::discriminator::Predictor;
use crate::table::MISSING_CODE;

/// A predictor with all that is needed to write its columns for any block of rows.
#[derive(Debug, Clone)]
pub(super) enum Encoder<'a> {
    Ordered {
        values: &'a [f64],
        standard: Standard,
        /// Whether a column marks missing values.
        missing: bool,
    },
    Nominal {
        codes: &'a [u32],
        /// For each level the column of its indicator, counted from the predictor's first.
        column: Vec<Option<usize>>,
        missing: Option<usize>,
        width: usize,
    },
}

/// One column of a predictor: f = (g - centre) / scale, where g is the value of its factor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Main {
    pub(super) factor: Factor,
    pub(super) centre: f64,
    pub(super) scale: f64,
}

impl<'a> Encoder<'a> {
    /// The encoder of predictor number `position`, and its columns.
    pub(super) fn new(position: usize, predictor: &'a Predictor) -> (Self, Vec<Main>) {
        let indicator = |factor| Main { factor, centre: 0.0, scale: 1.0 };
        let absent = indicator(Factor::Missing { predictor: position });
        match predictor {
            Predictor::Ordered(values) => {
                let standard = Standard::of(values);
                let missing = values.iter().any(|value| value.is_nan());
                let mut mains = vec![Main {
                    factor: Factor::Value { predictor: position },
                    centre: standard.centre / standard.unit,
                    scale: standard.scale / standard.unit,
                }];
                mains.extend(missing.then_some(absent));
                (Self::Ordered { values, standard, missing }, mains)
            }
            Predictor::Nominal { codes, levels } => {
                let mut present = vec![false; *levels];
                let mut any_missing = false;
                for &code in codes {
                    match present.get_mut(code as usize) {
                        Some(seen) => *seen = true,
                        None => any_missing |= code == MISSING_CODE,
                    }
                }
                // The first level that occurs is the reference, and missing is the last level.
                let mut mains = Vec::new();
                let mut column = vec![None; *levels];
                let shown = present.iter().enumerate().filter(|&(_, &seen)| seen).skip(1);
                for (level, _) in shown {
                    column[level] = Some(mains.len());
                    mains.push(indicator(Factor::Level { predictor: position, code: level as u32 }));
                }
                let missing = (any_missing && present.contains(&true)).then_some(mains.len());
                mains.extend(missing.map(|_| absent));
                (Self::Nominal { codes, column, missing, width: mains.len() }, mains)
            }
        }
    }

    /// Number of columns.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Ordered { missing, .. } => 1 + usize::from(*missing),
            Self::Nominal { width, .. } => *width,
        }
    }

    /// Writes the predictor's columns for the `rows` rows from `first` on, one after the other, into `block`,
    /// which must be all zero; marks those that are not zero throughout.
    pub(super) fn write(&self, first: usize, rows: usize, block: &mut [f64], nonzero: &mut [bool]) {
        match self {
            Self::Ordered { values, standard, missing } => {
                nonzero[0] = true;
                for (row, &value) in values[first..first + rows].iter().enumerate() {
                    if !value.is_nan() {
                        block[row] = standard.apply(value);
                    } else if *missing {
                        block[rows + row] = 1.0;
                        nonzero[1] = true;
                    }
                }
            }
            Self::Nominal { codes, column, missing, .. } => {
                for (row, &code) in codes[first..first + rows].iter().enumerate() {
                    if let Some(column) = *column.get(code as usize).unwrap_or(missing) {
                        block[column * rows + row] = 1.0;
                        nonzero[column] = true;
                    }
                }
            }
        }
    }
}

/// Standardisation to mean 0 and standard deviation 1; a constant becomes 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standard {
    /// A power of two that keeps squares of huge or tiny values finite; nearly always 1.
    unit: f64,
    centre: f64,
    scale: f64,
}

impl Standard {
    fn of(values: &[f64]) -> Self {
        let present = || values.iter().copied().filter(|value| !value.is_nan());
        let (low, high) = present()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low >= high {
            // All values are the same, or there are none: no rounding error may pass for variation.
            return Self { unit: 1.0, centre: if low == high { low } else { 0.0 }, scale: 1.0 };
        }
        let largest = low.abs().max(high.abs());
        let unit = match largest {
            huge if huge > 1e100 => 2f64.powi(-600),
            tiny if tiny < 1e-100 => 2f64.powi(600),
            _ => 1.0,
        };
        // Deviations from one of the values: dates in microseconds would lose digits in a plain sum.
        let origin = low * unit;
        let count = present().count() as f64;
        let centre = origin + present().map(|value| value * unit - origin).sum::<f64>() / count;
        let squares: f64 = present().map(|value| (value * unit - centre).powi(2)).sum();
        Self { unit, centre, scale: (squares / count).sqrt() }
    }

    fn apply(self, value: f64) -> f64 {
        (value * self.unit - self.centre) / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_standardised_whatever_their_size() {
        for size in [1.0, 1e300, 1e-300, 1.7e15] {
            let values: Vec<f64> = [1.0, 2.0, 3.0, f64::NAN].iter().map(|value| value * size).collect();
            let standard = Standard::of(&values);
            let wanted = 1.5f64.sqrt();
            assert!((standard.apply(values[0]) + wanted).abs() < 1e-9, "{size}");
            assert!(standard.apply(values[1]).abs() < 1e-9, "{size}");
        }
        let late = [1.7e15, 1.7e15 + 1.0, 1.7e15 + 2.0];
        assert!((Standard::of(&late).apply(late[2]) - 1.5f64.sqrt()).abs() < 1e-12);
        let constant = [0.1; 7];
        assert_eq!(Standard::of(&constant).apply(0.1), 0.0);
    }

    #[test]
    fn the_first_level_that_occurs_is_the_reference_and_missing_a_level() {
        let predictor = Predictor::Nominal { codes: vec![2, 1, MISSING_CODE, 4], levels: 6 };
        let (encoder, mains) = Encoder::new(3, &predictor);
        let factors: Vec<Factor> = mains.iter().map(|main| main.factor).collect();
        let level = |code| Factor::Level { predictor: 3, code };
        assert_eq!(factors, [level(2), level(4), Factor::Missing { predictor: 3 }]);
        let (mut block, mut nonzero) = (vec![0.0; 9], vec![false; 3]);
        encoder.write(1, 3, &mut block, &mut nonzero);
        assert_eq!(block, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        assert_eq!(nonzero, [false, true, true]);
    }

    #[test]
    fn a_column_of_missing_values_has_one_level() {
        let nominal = Predictor::Nominal { codes: vec![MISSING_CODE; 3], levels: 2 };
        assert_eq!(Encoder::new(0, &nominal).1.len(), 0);
        let ordered = Predictor::Ordered(vec![f64::NAN; 3]);
        assert_eq!(Encoder::new(0, &ordered).1.len(), 2);
    }
}
