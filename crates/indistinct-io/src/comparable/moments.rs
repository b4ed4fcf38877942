//! Dates and times in columns without a schema, so that they are compared as times and not by their spelling.

use indistinct::table::moment::{DAY, ISO_DATE, ISO_DATETIME, MomentFormat};
use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_DATE, MISSING_INTEGER, Values};

use crate::plain::{PlainColumn, PlainValues};

/// Spellings of moments: ISO 8601 with `T` or a space, with or without seconds and a zone.
const FORMATS: [&str; 8] = [
    ISO_DATETIME,
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S%.fZ",
    "%Y-%m-%d %H:%M:%S%.fZ",
    "%Y-%m-%dT%H:%M:%S%.f%#z",
    "%Y-%m-%d %H:%M:%S%.f%#z",
];

/// Reads spellings of dates and times in ISO form.
pub(super) struct MomentReader {
    day: Option<MomentFormat>,
    moments: Vec<MomentFormat>,
}

impl MomentReader {
    pub(super) fn new() -> Self {
        Self {
            day: MomentFormat::new(ISO_DATE),
            moments: FORMATS.iter().filter_map(|format| MomentFormat::new(format)).collect(),
        }
    }

    /// The moments that all spellings of a text column stand for, in microseconds; `None` if one is no moment.
    pub(super) fn of_levels(&self, levels: &[String]) -> Option<Vec<i64>> {
        levels.iter().map(|level| self.moment(level.trim())).collect()
    }

    fn moment(&self, spelling: &str) -> Option<i64> {
        // Most text is none, and is seen to be none by its beginning.
        let date = spelling.get(..ISO_LENGTH)?;
        let day = self.day.as_ref()?.parse_day(date)?;
        if spelling.len() == ISO_LENGTH {
            return i64::from(day).checked_mul(DAY);
        }
        self.moments.iter().find_map(|format| format.parse_moment(spelling))
    }
}

const ISO_LENGTH: usize = "2024-02-29".len();

/// Whether all moments are midnights, and so stand for days: not every library has a type for those.
pub(super) fn are_days(moments: &[i64]) -> bool {
    moments.iter().all(|moment| moment.rem_euclid(DAY) == 0)
}

/// A text column as times, given the moments of its spellings.
pub(super) fn as_moments(column: &PlainColumn, moments: &[i64], days: bool) -> Option<Column> {
    let PlainValues::Text { codes, .. } = &column.values else { return None };
    let of_code = |&code: &u32| moments.get(code as usize).copied();
    let (kind, values) = if days {
        let day = |moment: i64| i32::try_from(moment.div_euclid(DAY)).unwrap_or(MISSING_DATE);
        let days = codes.iter().map(|code| of_code(code).map_or(MISSING_DATE, day)).collect();
        (ColumnType::Date { format: ISO_DATE.to_owned() }, Values::Date(days))
    } else {
        let moments = codes.iter().map(|code| of_code(code).unwrap_or(MISSING_INTEGER)).collect();
        (ColumnType::DateTime { format: ISO_DATETIME.to_owned() }, Values::DateTime(moments))
    };
    Some(Column::new(ColumnSchema::new(&column.name, kind), values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_moment_are_the_same() {
        let read =
            |spelling: &str| MomentReader::new().of_levels(&[spelling.to_owned()]).map(|found| found[0]);
        let moment = read("2024-02-29T12:30:00").unwrap();
        for spelling in [
            "2024-02-29 12:30",
            "2024-02-29T12:30",
            "2024-02-29 12:30:00.000",
            "2024-02-29T12:30:00Z",
            "2024-02-29T14:30:00+02:00",
            "2024-02-29 07:30:00-0500",
        ] {
            assert_eq!(read(spelling), Some(moment), "{spelling}");
        }
        assert_eq!(read("2024-02-29"), Some(moment / DAY * DAY));
        for none in
            ["", "2024", "2024-02-30", "2024-02-29T", "2024-02-29x", "02/29/2024", "20240229", "é024-02-29"]
        {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
