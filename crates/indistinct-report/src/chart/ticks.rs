//! The labelled values of an axis.

use super::number;
use super::scale::{Range, Scale, threshold};

/// Fewest ticks of an axis of numbers.
pub(super) const FEWEST: usize = 3;
/// Most ticks of an axis of numbers.
pub(super) const MOST: usize = 9;

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// Ticks at readable numbers within the range, at most about `at_most` of them. `places`, if given, are the few
/// values that the marks have, which are then labelled themselves.
pub(super) fn ticks(range: &Range, at_most: usize, places: Option<Vec<f64>>) -> Vec<Tick> {
    if let Scale::Categories(names) = range.scale {
        let tick = |(place, name): (usize, &String)| Tick { value: place as f64, label: name.clone() };
        return names.iter().enumerate().map(tick).collect();
    }
    if range.empty {
        return Vec::new();
    }
    let values = places.unwrap_or_else(|| readable(range, at_most.clamp(FEWEST, MOST)));
    let labels = number::labels(&values, *range.scale == Scale::Linear);
    values.into_iter().zip(labels).map(|(value, label)| Tick { value, label }).collect()
}

fn readable(range: &Range, at_most: usize) -> Vec<f64> {
    let (first, last) = range.tick_ends();
    let (low, high) = (range.scale.value(first), range.scale.value(last));
    let within = |value: &f64| {
        let slack = 1e-9 * (last / 2.0 - first / 2.0);
        let place = range.scale.transform(*value);
        place.is_some_and(|place| first - slack <= place && place <= last + slack)
    };
    // From dense to sparse; the first that is not too dense is taken.
    let candidates: Vec<Vec<f64>> = match range.scale {
        Scale::Linear | Scale::Categories(_) => linear(low, high),
        Scale::Log => logarithmic(low, high),
        Scale::SymmetricLog { linear_within } => symmetric(low, high, threshold(*linear_within)),
    };
    let mut candidates: Vec<Vec<f64>> =
        candidates.into_iter().map(|values| values.into_iter().filter(within).collect()).collect();
    candidates.retain(|values| (FEWEST..=MOST).contains(&values.len()));
    let fitting = candidates.iter().position(|values| values.len() <= at_most);
    match fitting.or(candidates.len().checked_sub(1)) {
        Some(chosen) => candidates.swap_remove(chosen),
        // No round numbers in so odd a range: its ends and its middle.
        None => [range.low, range.low / 2.0 + range.high / 2.0, range.high]
            .map(|end| range.scale.value(end))
            .into(),
    }
}

/// Multiples of 1, 2 and 5 times powers of ten, from dense to sparse.
fn linear(low: f64, high: f64) -> Vec<Vec<f64>> {
    let half_width = high / 2.0 - low / 2.0;
    let exponent = decade(half_width);
    let steps = (-1..=1).flat_map(|shift| [1.0, 2.0, 5.0].map(|digit| (digit, exponent + shift)));
    steps
        .map(|(digit, exponent)| {
            let step = scaled(digit, exponent);
            // An end that is a multiple but for rounding counts as one.
            let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
            let count = if last >= first { (last - first + 1.0).min(100.0) as usize } else { 0 };
            (0..count).map(|k| scaled((first + k as f64) * digit, exponent)).collect()
        })
        .collect()
}

/// Digits 1, 2 and 5 of every decade, then every decade, every second one, and so on; plain steps for short ranges.
fn logarithmic(low: f64, high: f64) -> Vec<Vec<f64>> {
    let (first, last) = (decade(low), decade(high) + 1);
    let digits =
        (first..=last).take(MOST).flat_map(|k| [1.0, 2.0, 5.0].map(|digit| scaled(digit, k))).collect();
    let mut candidates = if high / low < 4.0 { linear(low, high) } else { Vec::new() };
    candidates.push(digits);
    candidates.extend(STRIDES.map(|stride| {
        (first..=last).filter(|k| k.rem_euclid(stride) == 0).map(|k| scaled(1.0, k)).collect()
    }));
    candidates
}

/// Zero, and decades of both signs beyond the linear part.
fn symmetric(low: f64, high: f64, linear_within: f64) -> Vec<Vec<f64>> {
    if low >= linear_within {
        return logarithmic(low, high);
    }
    if high <= -linear_within {
        let mirrored = |values: Vec<f64>| values.into_iter().rev().map(|value| -value).collect();
        return logarithmic(-high, -low).into_iter().map(mirrored).collect();
    }
    let largest = high.max(-low);
    if largest <= linear_within * 2.0 {
        return linear(low, high);
    }
    let (first, last) = (decade(linear_within * (1.0 - 1e-9)) + 1, decade(largest));
    let mut candidates: Vec<Vec<f64>> = STRIDES
        .iter()
        .map(|&stride| {
            let decades = (first..=last).filter(|k| (k - first) % stride == 0).map(|k| scaled(1.0, k));
            let positive: Vec<f64> = decades.collect();
            let negative = positive.iter().rev().map(|value| -value);
            negative.chain([0.0]).chain(positive.iter().copied()).collect()
        })
        .collect();
    candidates.extend(linear(low, high));
    candidates
}

const STRIDES: [i32; 10] = [1, 2, 3, 4, 5, 10, 20, 50, 100, 200];

/// The exponent of a positive number; for zero, that of the smallest number.
fn decade(value: f64) -> i32 {
    value.max(f64::MIN_POSITIVE).log10().floor() as i32
}

/// A whole number times 10^k as read from text: the nearest double.
fn scaled(whole: f64, k: i32) -> f64 {
    // Adding zero makes minus zero plain.
    format!("{:.0}e{k}", whole + 0.0).parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(scale: &Scale, values: &[f64], at_most: usize) -> Vec<String> {
        let range = Range::over(scale, values.iter().copied());
        ticks(&range, at_most, None).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn known_axes() {
        assert_eq!(labels(&Scale::Linear, &[1.0, 2500.0], 6), ["0", "500", "1000", "1500", "2000", "2500"]);
        assert_eq!(labels(&Scale::Linear, &[0.0, 0.3], 4), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(&Scale::Log, &[0.008, 1.2], 5), ["0.01", "0.1", "1"]);
        assert_eq!(labels(&Scale::Log, &[0.02, 0.6], 8), ["0.02", "0.05", "0.1", "0.2", "0.5"]);
        assert_eq!(labels(&Scale::Log, &[1e-8, 1.0], 6), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1"]);
        let scale = Scale::SymmetricLog { linear_within: 1e-4 };
        let expected = ["−0.01", "−0.001", "0", "0.001", "0.01"];
        assert_eq!(labels(&Scale::SymmetricLog { linear_within: 1e-3 }, &[-0.03, 0.03], 9), expected);
        let expected = ["−10⁻²", "−10⁻³", "−10⁻⁴", "0", "10⁻⁴", "10⁻³", "10⁻²"];
        assert_eq!(labels(&scale, &[-0.03, 0.03], 9), expected);
        assert_eq!(labels(&scale, &[-1e-4, 1e-4], 4), ["−10⁻⁴", "0", "10⁻⁴"]);
    }

    #[test]
    fn the_least_numbers_have_ticks() {
        let range = Range::over(&Scale::Log, [f64::MIN_POSITIVE, 1.246_263_505_314_917e-307].into_iter());
        let ticks = ticks(&range, 0, None);
        assert!(ticks.len() >= FEWEST && ticks.iter().all(|tick| Scale::Log.transform(tick.value).is_some()));
    }

    fn scales() -> impl Strategy<Value = Scale> {
        prop_oneof![
            Just(Scale::Linear),
            Just(Scale::Log),
            (-300i32..300).prop_map(|k| Scale::SymmetricLog { linear_within: 10f64.powi(k) * 1.7 }),
        ]
    }

    /// Numbers of every size, close ones and extreme ones.
    fn numbers() -> impl Strategy<Value = Vec<f64>> {
        let extremes = [0.0, -0.0, f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e300, 1e-300, 1.0];
        let number = prop_oneof![
            4 => any::<f64>(),
            4 => -1e3..1e3,
            2 => (0.0..1e-12).prop_map(|x| 1.0 + x),
            2 => proptest::sample::select(extremes.to_vec()),
        ];
        proptest::collection::vec(number, 1..5)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn three_to_nine_within_the_range_and_ascending(scale in scales(), values in numbers(), at_most in 0usize..20) {
            let range = Range::over(&scale, values.into_iter());
            let ticks = ticks(&range, at_most, None);
            prop_assert!(range.empty == ticks.is_empty());
            prop_assert!(range.empty || (FEWEST..=MOST).contains(&ticks.len()), "{ticks:?}");
            prop_assert!(ticks.windows(2).all(|pair| pair[0].value < pair[1].value), "{range:?} {ticks:?}");
            prop_assert!(ticks.windows(2).all(|pair| pair[0].label != pair[1].label), "{range:?} {ticks:?}");
            for tick in &ticks {
                let place = scale.transform(tick.value).unwrap();
                let (low, high) = range.tick_ends();
                let slack = 1e-9 * (low.abs().max(high.abs()));
                prop_assert!(low - slack <= place && place <= high + slack);
            }
        }
    }
}
