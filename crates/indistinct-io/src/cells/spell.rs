//! Spelling of typed cells as text.

use std::fmt::Write as _;
use std::sync::LazyLock;

use indistinct::table::round_to_decimals;

use super::Cell;
use indistinct::table::moment::{ISO_DATE, ISO_DATETIME, MomentFormat};

static DATE: LazyLock<Option<MomentFormat>> = LazyLock::new(|| MomentFormat::new(ISO_DATE));
static DATETIME: LazyLock<Option<MomentFormat>> = LazyLock::new(|| MomentFormat::new(ISO_DATETIME));

/// Appends the spelling of a cell: shortest numbers, ISO dates, `false` and `true`, nothing for missing.
pub(crate) fn spell(cell: Cell<'_>, out: &mut String) {
    match cell {
        Cell::Missing => {}
        Cell::Text(text) => out.push_str(text),
        // Writing to a string cannot fail.
        Cell::Integer(value) => _ = write!(out, "{value}"),
        Cell::Float(value) => spell_float(value, out),
        Cell::Boolean(value) => out.push_str(if value { "true" } else { "false" }),
        Cell::Day(day) => {
            if !DATE.as_ref().is_some_and(|format| format.write_day(day, out)) {
                _ = write!(out, "day {day}");
            }
        }
        Cell::Moment(moment) => {
            if !DATETIME.as_ref().is_some_and(|format| format.write_moment(moment, out)) {
                _ = write!(out, "microsecond {moment}");
            }
        }
    }
}

/// Appends the shortest digits that read back as the same number, with an exponent where it would be long
/// without.
pub(crate) fn spell_float(value: f64, out: &mut String) {
    let size = value.abs();
    // Writing to a string cannot fail.
    if value == 0.0 || (1e-5..1e17).contains(&size) {
        _ = write!(out, "{value}");
    } else if !value.is_nan() {
        _ = write!(out, "{value:e}");
    }
}

/// Appends a number with this many decimals, or like [`spell_float`] where it would be long without an exponent.
pub(crate) fn spell_decimals(value: f64, decimals: u32, out: &mut String) {
    let rounded = round_to_decimals(value, decimals);
    if rounded == 0.0 {
        // Without the sign that rounding may leave.
        _ = write!(out, "{:.*}", decimals as usize, 0.0);
    } else if rounded.abs() < 1e17 {
        _ = write!(out, "{rounded:.*}", decimals as usize);
    } else {
        spell_float(rounded, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::number::{Number, parse};
    use proptest::prelude::*;

    #[test]
    fn short_where_possible() {
        for (value, expected) in
            [(5.0, "5"), (0.1, "0.1"), (-0.0, "-0"), (1e300, "1e300"), (1.5e-7, "1.5e-7"), (f64::NAN, "")]
        {
            let mut text = String::new();
            spell_float(value, &mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn numbers_have_the_declared_decimals() {
        for (value, decimals, expected) in [
            (5.0, 2, "5.00"),
            (0.126, 2, "0.13"),
            (-0.001, 2, "0.00"),
            (-7.6, 0, "-8"),
            (1e300, 2, "1e300"),
            (123_456_789_012_345.67, 2, "123456789012345.67"),
        ] {
            let mut text = String::new();
            spell_decimals(value, decimals, &mut text);
            assert_eq!(text, expected);
        }
    }

    proptest! {
        #[test]
        fn every_number_reads_back(value in any::<f64>()) {
            let mut text = String::new();
            spell_float(value, &mut text);
            match parse(&text) {
                Number::Whole(whole) => prop_assert_eq!(whole as f64, value),
                Number::Real(real) => prop_assert_eq!(real.to_bits(), value.to_bits()),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
