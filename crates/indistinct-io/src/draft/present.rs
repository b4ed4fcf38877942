//! The values of a column as numbers.

use indistinct::table::MISSING_INTEGER;
use indistinct::table::moment::MomentFormat;

use crate::cells::MIDNIGHT;
use crate::cells::number::trim_spaces;
use crate::plain::PlainValues;

/// The values as numbers, NaN where they are missing: numbers themselves, or the days that text spells in a format.
pub(super) fn numbers(values: &PlainValues, days: Option<&MomentFormat>) -> Vec<f64> {
    match values {
        PlainValues::Integers(values) => values
            .iter()
            .map(|&value| if value == MISSING_INTEGER { f64::NAN } else { value as f64 })
            .collect(),
        PlainValues::Floats(values) => values.clone(),
        PlainValues::Text { levels, codes } => {
            // Typed sources spell moments at midnight with their time.
            let day = |level: &String| {
                let text = trim_spaces(level);
                let text = text.strip_suffix(MIDNIGHT).filter(|day| day.len() == 10).unwrap_or(text);
                days.and_then(|format| {
                    format.parse_day(trim_spaces(level)).or_else(|| format.parse_day(text))
                })
                .map_or(f64::NAN, f64::from)
            };
            let of_level: Vec<f64> = levels.iter().map(day).collect();
            codes.iter().map(|&code| of_level.get(code as usize).copied().unwrap_or(f64::NAN)).collect()
        }
    }
}
