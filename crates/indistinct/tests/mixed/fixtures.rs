//! Columns for tests, and how many values of one lie where those of another do.

use indistinct::random::Generator;
use indistinct::table::{
    Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Values,
};
use rand_distr::{Distribution, StandardNormal};

/// A column of these values, which are days for dates and positions for levels; NaN is missing.
pub(crate) fn column_of(schema: ColumnSchema, values: impl IntoIterator<Item = f64>) -> Column {
    fn present<T>(missing: T, value: f64, convert: impl Fn(f64) -> T) -> T {
        if value.is_nan() { missing } else { convert(value) }
    }
    let values = values.into_iter();
    let values = match schema.kind() {
        ColumnType::Float => Values::Float(values.collect()),
        ColumnType::Integer => Values::Integer(
            values.map(|value| present(MISSING_INTEGER, value, |value| value as i64)).collect(),
        ),
        ColumnType::Date { .. } => {
            Values::Date(values.map(|value| present(MISSING_DATE, value, |value| value as i32)).collect())
        }
        _ => Values::Code(values.map(|value| present(MISSING_CODE, value, |value| value as u32)).collect()),
    };
    Column::new(schema, values)
}

/// Where the values of a column lie: in days for dates, in seconds for date-times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) middle: i64,
    pub(crate) sd: f64,
    /// Decimals of the distance from the middle, for floats; all of them without.
    pub(crate) decimals: Option<i32>,
}

/// A column of normal values, none further than four standard deviations from the middle: dates have years of four digits.
pub(crate) fn normal_column(
    schema: ColumnSchema,
    Spread { middle, sd, decimals }: Spread,
    rows: usize,
    random: &mut Generator,
) -> Column {
    const MICROSECONDS: i64 = 1_000_000;
    let normal = |_| -> f64 { StandardNormal.sample(random) };
    let distances: Vec<f64> = (0..rows).map(normal).map(|z| sd * z.clamp(-4.0, 4.0)).collect();
    let rounded = |distance: &f64| match decimals {
        Some(decimals) => (distance * 10_f64.powi(decimals)).round() / 10_f64.powi(decimals),
        None => *distance,
    };
    let whole = || distances.iter().map(|distance| middle + distance.round() as i64);
    let values = match schema.kind() {
        ColumnType::Float => {
            Values::Float(distances.iter().map(|distance| middle as f64 + rounded(distance)).collect())
        }
        ColumnType::Date { .. } => Values::Date(whole().map(|day| day as i32).collect()),
        ColumnType::DateTime { .. } => {
            Values::DateTime(whole().map(|second| second * MICROSECONDS).collect())
        }
        _ => Values::Integer(whole().collect()),
    };
    Column::new(schema, values)
}

/// The share of the values of one column that are within the range of another of its type.
pub(crate) fn share_inside(real: &Column, fake: &Column) -> f64 {
    fn share<T: PartialOrd + Copy>(real: &[T], fake: &[T], is_missing: impl Fn(&T) -> bool) -> f64 {
        let low = real.iter().copied().reduce(|a, b| if b < a { b } else { a }).unwrap();
        let high = real.iter().copied().reduce(|a, b| if b > a { b } else { a }).unwrap();
        let there: Vec<&T> = fake.iter().filter(|value| !is_missing(value)).collect();
        there.iter().filter(|value| (low..=high).contains(**value)).count() as f64 / there.len() as f64
    }
    match (real.values(), fake.values()) {
        (Values::Float(real), Values::Float(fake)) => share(real, fake, |value| value.is_nan()),
        (Values::Date(real), Values::Date(fake)) => share(real, fake, |value| *value == MISSING_DATE),
        (Values::Integer(real), Values::Integer(fake)) | (Values::DateTime(real), Values::DateTime(fake)) => {
            share(real, fake, |value| *value == MISSING_INTEGER)
        }
        _ => panic!("a synthetic column has the type of the real one"),
    }
}
