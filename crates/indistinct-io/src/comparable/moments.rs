//! Dates and times in columns without a schema, so that they are compared as times and not by their spelling.

use indistinct::table::moment::{DAY, ISO_DATE, ISO_DATETIME, MomentFormat};
use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_DATE, MISSING_INTEGER, Values};

use crate::draft::{MomentKind, moments_found};
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

/// The moments that spellings of a text column stand for, in all tables.
#[derive(Clone)]
pub(super) struct ColumnTimes {
    reader: MomentReader,
    /// Whether all of them are midnights, and so stand for days: not every library has a type for those.
    days: bool,
}

impl ColumnTimes {
    /// `None` if some spelling is no moment: in ISO form they may differ, and otherwise all have one format.
    pub(super) fn of(levels: &[String]) -> Option<Self> {
        let of_reader = |reader: MomentReader| {
            let moments = reader.of_levels(levels)?;
            let days = moments.iter().all(|moment| moment.rem_euclid(DAY) == 0);
            Some(Self { reader, days })
        };
        of_reader(MomentReader::iso()).or_else(|| of_reader(MomentReader::of_one_format(levels)?))
    }

    /// Those of several tables, each of which has a form of its own; `None` stands for a table without spellings.
    pub(super) fn of_each(tables: &[Option<&[String]>]) -> Option<Vec<Self>> {
        let found: Vec<Option<Self>> = tables
            .iter()
            .map(|levels| levels.map_or(Some(None), |levels| Self::of(levels).map(Some)))
            .collect::<Option<_>>()?;
        let any = found.iter().flatten().next()?.clone();
        // Times of day are no times of a calendar.
        let of_day = |times: &Self| matches!(times.reader, MomentReader::Moments { of_day: true, .. });
        if found.iter().flatten().any(|times| of_day(times) != of_day(&any)) {
            return None;
        }
        let days = found.iter().flatten().all(|times| times.days);
        let each = found.into_iter().map(|times| Self { days, ..times.unwrap_or_else(|| any.clone()) });
        Some(each.collect())
    }

    /// A text column as times.
    pub(super) fn read(&self, column: &PlainColumn) -> Option<Column> {
        let PlainValues::Text { levels, codes } = &column.values else { return None };
        let moments = self.reader.of_levels(levels)?;
        let of_code = |&code: &u32| moments.get(code as usize).copied();
        let (kind, values) = if self.days {
            let day = |moment: i64| i32::try_from(moment.div_euclid(DAY)).unwrap_or(MISSING_DATE);
            let days = codes.iter().map(|code| of_code(code).map_or(MISSING_DATE, day)).collect();
            (ColumnType::Date { format: ISO_DATE.to_owned() }, Values::Date(days))
        } else {
            let moments = codes.iter().map(|code| of_code(code).unwrap_or(MISSING_INTEGER)).collect();
            (ColumnType::DateTime { format: ISO_DATETIME.to_owned() }, Values::DateTime(moments))
        };
        Some(Column::new(ColumnSchema::new(&column.name, kind), values))
    }
}

/// Reads spellings of dates and times.
#[derive(Clone)]
enum MomentReader {
    /// In ISO form.
    Iso { day: Option<MomentFormat>, moments: Vec<MomentFormat> },
    /// Days in one format.
    Days(MomentFormat),
    /// Moments, or times of day, in one format.
    Moments { format: MomentFormat, of_day: bool },
}

impl MomentReader {
    fn iso() -> Self {
        Self::Iso {
            day: MomentFormat::new(ISO_DATE),
            moments: FORMATS.iter().filter_map(|format| MomentFormat::new(format)).collect(),
        }
    }

    /// The format that a draft would declare.
    fn of_one_format(levels: &[String]) -> Option<Self> {
        let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
        let found = moments_found(&levels)?;
        let format = MomentFormat::new(&found.format)?;
        let of_day = found.kind == MomentKind::TimeOfDay;
        Some(match found.kind {
            MomentKind::Day => Self::Days(format),
            MomentKind::Moment | MomentKind::TimeOfDay => Self::Moments { format, of_day },
        })
    }

    /// The moments that all spellings of a text column stand for, in microseconds; `None` if one is no moment.
    fn of_levels(&self, levels: &[String]) -> Option<Vec<i64>> {
        levels.iter().map(|level| self.moment(level.trim())).collect()
    }

    fn moment(&self, spelling: &str) -> Option<i64> {
        match self {
            // Most text is none, and is seen to be none by its beginning.
            Self::Iso { day, moments } => {
                let date = day.as_ref()?.parse_day(spelling.get(..ISO_LENGTH)?)?;
                if spelling.len() == ISO_LENGTH {
                    return i64::from(date).checked_mul(DAY);
                }
                moments.iter().find_map(|format| format.parse_moment(spelling))
            }
            Self::Days(format) => i64::from(format.parse_day(spelling)?).checked_mul(DAY),
            Self::Moments { format, .. } => format.parse_moment(spelling),
        }
    }
}

const ISO_LENGTH: usize = "2024-02-29".len();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_moment_are_the_same() {
        let read =
            |spelling: &str| MomentReader::iso().of_levels(&[spelling.to_owned()]).map(|found| found[0]);
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
    #[test]
    fn days_and_times_of_one_format_are_times() {
        let of = |levels: &[&str]| {
            let levels: Vec<String> = levels.iter().map(|&level| level.to_owned()).collect();
            let times = ColumnTimes::of(&levels)?;
            Some((times.days, times.reader.of_levels(&levels)?))
        };
        assert_eq!(of(&["02/13/2001", "02/14/2001"]), of(&["2001-02-13", "2001-02-14"]));
        let (days, moments) = of(&["1/31/1970 14:05", "2/1/1970 0:00"]).unwrap();
        assert!(!days && moments[1] - moments[0] == DAY - (14 * 60 + 5) * 60_000_000);
        assert!(of(&["14:05", "23:59"]).is_some_and(|(days, _)| !days));
        let each = |tables: &[&[&str]]| {
            let owned = |levels: &&[&str]| levels.iter().map(|&level| level.to_owned()).collect();
            let tables: Vec<Vec<String>> = tables.iter().map(owned).collect();
            let levels: Vec<Option<&[String]>> =
                tables.iter().map(|levels| Some(levels.as_slice())).collect();
            let times = ColumnTimes::of_each(&levels)?;
            let first = |(times, levels): (&ColumnTimes, &Vec<String>)| times.reader.of_levels(levels);
            times.iter().zip(&tables).map(first).collect::<Option<Vec<_>>>()
        };
        let read = each(&[&["2001-02-13", "2001-02-14"], &["02/13/2001", "02/14/2001"]]).unwrap();
        assert_eq!(read[0], read[1]);
        assert_eq!(each(&[&["2001-02-13"], &["14:05"]]), None);
        assert_eq!(each(&[&["2001-02-13"], &["x"]]), None);
        for none in [&["14.02.2001", "x"][..], &["2001-02-13", "14.02.2001"], &["a"]] {
            assert_eq!(of(none), None, "{none:?}");
        }
    }
}
