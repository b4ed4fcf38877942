//! Points that mark thousands, where other columns of the file show that decimals have commas.
//!
//! `1.593` by itself is a number with three decimals. In a file with `7.931,2` in another column it is a thousand.

use indistinct::table::Notation;

use super::understand::{Understood, numbers_of};
use crate::error::ReadError;
use crate::plain::{PlainValues, Wanted};
use crate::source::Source;

/// Takes the points in columns of numbers for marks of thousands where all can be, and decimals have commas elsewhere.
pub(super) fn mark_thousands(source: &Source, columns: &mut [Understood]) -> Result<(), ReadError> {
    if source.is_columnar() || !columns.iter().any(|column| column.notation.decimal_mark == ',') {
        return Ok(());
    }
    let wanted: Vec<Wanted> = columns
        .iter()
        .map(|column| if may_be_thousands(column) { Wanted::Text } else { Wanted::Nothing })
        .collect();
    if !wanted.contains(&Wanted::Text) {
        return Ok(());
    }
    for spelled in source.read_plain(&wanted)? {
        let Some(column) = columns.iter_mut().find(|column| column.column.name == spelled.name) else {
            continue;
        };
        // Words for missing values are out of it already.
        let text = column.spelled.clone().unwrap_or(spelled.values);
        let PlainValues::Text { levels, .. } = &text else { continue };
        if levels.iter().all(|level| is_grouped(level)) {
            column.notation = Notation { decimal_mark: ',', thousands: Some('.'), ..Notation::default() };
            column.column.values = numbers_of(&text, &column.notation);
            column.spelled = None;
        }
    }
    Ok(())
}

/// Whether all numbers could be thousands with a point: they have three decimals at most, and are not beyond a million.
fn may_be_thousands(column: &Understood) -> bool {
    let PlainValues::Floats(values) = &column.column.values else { return false };
    let is_whole = |value: f64| (value - value.round()).abs() <= 1e-9;
    let mut present = values.iter().filter(|value| !value.is_nan()).peekable();
    column.notation.is_plain()
        && present.peek().is_some()
        && present.all(|value| is_whole(value * 1000.0) && value.abs() < 1000.0)
}

/// Whether a text is a whole number of up to three digits, or one of groups of three between points.
fn is_grouped(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['-', '+', '\u{2212}']);
    let mut groups = digits.split('.');
    let first = groups.next().unwrap_or_default();
    let is_digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(first)
        && first.len() <= 3
        && (first == "0" && digits.len() == 1 || !first.starts_with('0'))
        && groups.all(|group| group.len() == 3 && is_digits(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        for text in ["1.593", "12", "999", "0", "-1.593", "100.000"] {
            assert!(is_grouped(text), "{text}");
        }
        for text in ["0.593", "1.59", "1593", "1.5930", "", ".593", "1.", "a.593"] {
            assert!(!is_grouped(text), "{text}");
        }
    }
}
