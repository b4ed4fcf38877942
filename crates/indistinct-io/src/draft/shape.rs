//! The shape of a numeric column: decimals, atoms, and the family of the margin.

use indistinct::model::distribution;
use indistinct::table::{Family, round_to_decimals};

use super::counts;
use super::moments::NO_END;

/// Most decimals of values on a grid: with more, they are measurements without one.
pub(super) const MOST_DECIMALS: u32 = 9;
/// Units in the last place that a number may lose where it is computed.
const LOST: f64 = 4.0;
/// A step of the grid is so many times that, at least: of others chance is as near.
const FINER: f64 = 1e4;
/// Most distinct values among which there are no atoms.
const FEW: usize = 20;
/// An atom holds at least one in this many rows.
const ATOM_SHARE: usize = 20;
/// An atom holds this many times the rows of the values next to it: the top of a smooth hill is not an atom.
const STANDS_OUT: usize = 2;
/// Fewest rows of a code for all values beyond it (a top-code), and one in this many rows.
const CODE_ROWS: usize = 20;
const CODE_SHARE: usize = 500;
/// Values next to a top-code, each of which has less than a fifth of its rows.
const CODE_NEIGHBOURS: usize = 5;
/// Fewest days from one wave to the next, on average.
const WAVE_DAYS: f64 = 7.0;
/// Fewest values that have a shape.
const FEWEST: usize = 50;
/// Whole numbers with a median below this may count something.
const SMALL_COUNT: f64 = 20.0;
/// Largest distance of a distribution function from the normal one at which it counts as normal.
const NEAR_NORMAL: f64 = 0.05;
/// Largest distance of a distribution function from that of the law of counts at which small whole numbers count something.
const NEAR_COUNTS: f64 = 0.05;
/// More skewness than this (an exponential distribution has 2) is a long tail.
const LONG_TAIL: f64 = 1.0;
/// With more values than this their own frequencies tell more than a law that only nearly fits them.
const ENOUGH: usize = 2000;
/// Doubles tell all whole numbers up to here apart.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The kind of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    Real,
    Whole,
    Days,
}

/// The shape of the values.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Shape {
    pub(super) decimals: Option<u32>,
    pub(super) atoms: Vec<f64>,
    pub(super) family: Option<Family>,
}

/// Looks at the present values of a column.
pub(super) fn shape(mut values: Vec<f64>, numbers: Numbers) -> Shape {
    values.sort_by(f64::total_cmp);
    if values.iter().any(|value| value.abs() > EXACT) && numbers != Numbers::Real {
        return Shape::default();
    }
    let decimals = if numbers == Numbers::Real { decimals(&values) } else { None };
    if let Some(decimals) = decimals {
        for value in &mut values {
            *value = round_to_decimals(*value, decimals);
        }
    }
    let runs: Vec<&[f64]> = values.chunk_by(|a, b| a == b).collect();
    let rows = |place: Option<usize>| place.and_then(|place| runs.get(place)).map_or(0, |run| run.len());
    let waves = numbers == Numbers::Days && are_waves(&runs, values.len());
    let is_atom = |place: usize| {
        let beside = rows(place.checked_sub(1)).max(rows(Some(place + 1)));
        let own = runs[place].len();
        let frequent = own * ATOM_SHARE >= values.len() && own >= STANDS_OUT * beside;
        let no_end = numbers == Numbers::Days && runs[place][0] == NO_END as f64;
        no_end || waves || runs.len() > FEW && (frequent || is_code(&runs, place, values.len()))
    };
    let atoms: Vec<f64> =
        (0..runs.len()).filter(|&place| is_atom(place)).map(|place| runs[place][0]).collect();
    let others: Vec<&[f64]> = runs.into_iter().filter(|run| !atoms.contains(&run[0])).collect();
    Shape { decimals, family: family(&others, numbers), atoms }
}

/// Whether days are few and far from each other, each with many rows: those of the waves of a survey, or ends of quarters.
fn are_waves(runs: &[&[f64]], rows: usize) -> bool {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return false };
    (2..=FEW).contains(&runs.len())
        && rows >= CODE_ROWS * runs.len()
        && last[0] - first[0] >= WAVE_DAYS * runs.len() as f64
}

/// Whether the lowest or highest value stands for all beyond it: it has many rows, and those next to it have few.
fn is_code(runs: &[&[f64]], place: usize, rows: usize) -> bool {
    let own = runs[place].len();
    let near: &[&[f64]] = if place == 0 {
        &runs[1..runs.len().min(1 + CODE_NEIGHBOURS)]
    } else if place + 1 == runs.len() {
        &runs[place.saturating_sub(CODE_NEIGHBOURS)..place]
    } else {
        return false;
    };
    own >= CODE_ROWS && own * CODE_SHARE >= rows && near.iter().all(|run| run.len() * CODE_NEIGHBOURS <= own)
}

/// The most decimals of any value, up to the error of the precision in which all were kept.
fn decimals(values: &[f64]) -> Option<u32> {
    let single = values.iter().all(|&value| f64::from(value as f32) == value);
    let mut most = 0;
    for &value in values {
        let digits = if single { shortest_single(value) } else { value };
        while !is_on_grid(digits, most) {
            most += 1;
            if most > MOST_DECIMALS {
                return None;
            }
        }
    }
    (!values.is_empty()).then_some(most)
}

/// The number that the shortest spelling of a number in single precision is: 85.60547 for 85.60546875.
fn shortest_single(value: f64) -> f64 {
    (value as f32).to_string().parse().unwrap_or(value)
}

/// Whether a number has at most so many decimals, but for what was lost in computing it: 0.30000000000000004 has one.
fn is_on_grid(value: f64, decimals: u32) -> bool {
    let rounded = round_to_decimals(value, decimals);
    let step = 10_f64.powi(-decimals.cast_signed());
    let lost = LOST * f64::EPSILON * value.abs();
    rounded == value || (rounded - value).abs() <= lost && lost * FINER <= step
}

/// The family that values resemble, given as runs of equal values in ascending order.
fn family(runs: &[&[f64]], numbers: Numbers) -> Option<Family> {
    let n = runs.iter().map(|run| run.len()).sum::<usize>();
    if n < FEWEST || runs.len() < 2 {
        return None;
    }
    let count = n as f64;
    let moment =
        |of: &dyn Fn(f64) -> f64| runs.iter().map(|run| of(run[0]) * run.len() as f64).sum::<f64>() / count;
    let mean = moment(&|value| value);
    let sd = moment(&|value| (value - mean).powi(2)).sqrt();
    let (mut before, mut median, mut farthest) = (0.0, None, 0.0_f64);
    for run in runs {
        let within = run.len() as f64 / count;
        if before + within >= 0.5 {
            median = median.or(Some(run[0]));
        }
        // In the middle of a jump, so that a grid of values is no departure from normality.
        farthest = farthest.max((before + within / 2.0 - distribution((run[0] - mean) / sd)).abs());
        before += within;
    }
    let few = numbers == Numbers::Whole && runs[0][0] >= 0.0 && median.is_some_and(|m| m < SMALL_COUNT);
    let skewness = moment(&|value| ((value - mean) / sd).powi(3));
    let chance = 1.0 / count.sqrt();
    let normal = farthest <= NEAR_NORMAL.max(chance);
    if n > ENOUGH {
        return (few || !normal).then_some(Family::Histogram);
    }
    Some(if few && counts::distance(runs, mean, sd * sd) <= NEAR_COUNTS.max(chance) {
        Family::Count
    } else if few {
        Family::Histogram
    } else if normal {
        Family::Normal
    } else if skewness.abs() > LONG_TAIL {
        Family::Skewed
    } else {
        Family::Histogram
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::model::quantile;

    /// A thousand quantiles.
    fn quantiles(of: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..1000).map(|k| of((f64::from(k) + 0.5) / 1000.0)).collect()
    }

    #[test]
    fn families() {
        let of = |values: Vec<f64>, numbers| shape(values, numbers).family;
        let rounded = |values: Vec<f64>| values.into_iter().map(f64::round).collect::<Vec<f64>>();
        assert_eq!(of(quantiles(|p| 5.0 + quantile(p)), Numbers::Real), Some(Family::Normal));
        let ages = rounded(quantiles(|p| 50.0 + 3.0 * quantile(p)));
        assert_eq!(of(ages, Numbers::Whole), Some(Family::Normal));
        assert_eq!(of(quantiles(|p| -p.ln()), Numbers::Real), Some(Family::Skewed));
        assert_eq!(of(quantiles(|p| p), Numbers::Real), Some(Family::Histogram));
        assert_eq!(of(rounded(quantiles(|p| -3.0 * p.ln())), Numbers::Whole), Some(Family::Count));
        assert_eq!(of(rounded(quantiles(|p| -3.0 * p.ln())), Numbers::Days), Some(Family::Skewed));
        assert_eq!(
            of(rounded(quantiles(|p| 30.0 * p)), Numbers::Whole),
            Some(Family::Histogram),
            "no counts"
        );
        assert_eq!(of(vec![1.0; 200], Numbers::Real), None);
        let thrice = |values: Vec<f64>| [values.clone(), values.clone(), values].concat();
        assert_eq!(of(thrice(quantiles(|p| 5.0 + quantile(p))), Numbers::Real), None, "normal by itself");
        assert_eq!(of(thrice(quantiles(|p| -p.ln())), Numbers::Real), Some(Family::Histogram));
        assert_eq!(of(vec![], Numbers::Real), None);
    }

    #[test]
    fn atoms_are_common_values_among_many() {
        let with = |zeros: usize, others: usize| {
            let middle = (others / 2) as f64;
            let values = (0..others).map(|k| k as f64 - middle + 0.25).chain(vec![0.0; zeros]).collect();
            shape(values, Numbers::Real).atoms
        };
        assert_eq!(with(50, 950), [0.0]);
        assert_eq!(with(49, 951), [0.0_f64; 0]);
        assert_eq!(with(50, 20), [0.0]);
        assert_eq!(with(50, 19), [0.0_f64; 0], "20 different values");
        let top_coded = (0..990).map(|k| f64::from(k) / 10.0).chain(vec![99.0; 20]).collect();
        assert_eq!(shape(top_coded, Numbers::Real).atoms, [99.0], "a top-code");
        let bottom_coded = (0..951).map(|k| f64::from(k) + 0.25).chain(vec![0.0; 49]).collect();
        assert_eq!(shape(bottom_coded, Numbers::Real).atoms, [0.0], "a bottom-code");
        let days = |days: &[f64]| shape(days.repeat(20), Numbers::Days).atoms;
        assert_eq!(days(&[17_955.0, 18_321.0, 19_782.0]), [17_955.0, 18_321.0, 19_782.0], "waves");
        assert!(days(&[17_955.0, 17_956.0, 17_957.0]).is_empty(), "one day after the other");
        let no_end = shape(vec![16_000.0, 17_000.0, NO_END as f64], Numbers::Days);
        assert_eq!(no_end.atoms, [NO_END as f64]);
        assert!(shape(vec![16_000.0, NO_END as f64], Numbers::Whole).atoms.is_empty());
        let hill = quantiles(|p| (50.0 + 3.0 * quantile(p)).round());
        assert_eq!(shape(hill, Numbers::Whole).atoms, [0.0_f64; 0], "the top of a hill");
    }

    #[test]
    fn the_most_decimals_count() {
        assert_eq!(decimals(&[1.0, 2.5, -3.25]), Some(2));
        assert_eq!(decimals(&[0.1 + 0.2, 0.1 * 3.0]), Some(1));
        assert_eq!(decimals(&[1.0 / 3.0]), None);
        assert_eq!(decimals(&[1e6 / 3.0]), None);
        let single = |value: f32| f64::from(value);
        assert_eq!(decimals(&[single(13.17), single(61.23)]), Some(2));
        assert_eq!(decimals(&[single(85.605_47), 2.0]), Some(5));
        assert_eq!(decimals(&[single(13.17), 0.1]), None, "double precision");
        assert_eq!(decimals(&[1e300, 0.001]), Some(3));
        assert_eq!(decimals(&[]), None);
    }
}
