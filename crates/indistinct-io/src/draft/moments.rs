//! Formats of dates and times, told by the spellings of a column.

use indistinct::table::moment::{DAY, ISO_DATETIME, MomentFormat};

use crate::cells::MIDNIGHT;
use crate::cells::number::trim_spaces;

/// Formats of days. Of those that all spellings fit, the first is taken.
const DAYS: [&str; 20] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d %b %Y",
    "%d %B %Y",
    "%d%b%Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%b %d %Y",
    COMPACT,
];
/// Days of eight digits, which are read as numbers where a file has no types.
const COMPACT: &str = "%Y%m%d";
/// Fewest different numbers that are taken for days.
const COMPACT_DAYS: usize = 20;
/// The first and last of them.
const COMPACT_RANGE: std::ops::Range<i64> = 19_000_101..21_000_101;
/// Fewest different numbers that are taken for months.
const COMPACT_MONTHS: usize = 12;
/// The first and last of them, as a year and a month of two digits.
const MONTHS_RANGE: std::ops::Range<i64> = 190_001..210_001;
/// Formats of times.
const TIMES: [&str; 5] = ["%H:%M", "%H:%M:%S%.f", "%I:%M %p", "%I:%M:%S %p", "%Hh%M"];
/// Zones of times in ISO form.
const ZONES: [&str; 5] = ["", "Z", "%:z", "%z", " %z"];
/// The first and last day of columns of dates, counted from 1970-01-01: the years 1800 to 2199.
const YEARS: (i64, i64) = (-62_091, 84_005);
/// 9999-12-31, which stands for *no end* in databases.
pub(super) const NO_END: i64 = 2_932_896;
/// Fewest different moments that are all at the full minute because seconds are not recorded.
const FULL_MINUTES: usize = 20;
/// Spellings on which formats are tried before all others.
const FIRST: usize = 40;

/// A format that fits all spellings of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MomentsFound {
    pub(crate) format: String,
    /// Whether values are days, dates with a time, or times of day.
    pub(crate) kind: MomentKind,
    /// Another order of day and month that fits as well.
    pub(crate) ambiguous: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MomentKind {
    Day,
    Moment,
    TimeOfDay,
}

/// Whether a spelling is a moment in some format.
pub(super) fn is_moment(spelling: &str) -> bool {
    found(std::slice::from_ref(&spelling)).is_some()
}

/// Whether different numbers in that range are days of eight digits (20240229): many, and all of them.
pub(super) fn are_compact_days(different: &[i64]) -> bool {
    let is_day = |format: &MomentFormat, number: &i64| format.parse_day(&number.to_string()).is_some();
    different.len() >= COMPACT_DAYS
        && MomentFormat::new(COMPACT).is_some_and(|format| {
            different.iter().all(|number| COMPACT_RANGE.contains(number) && is_day(&format, number))
        })
}

/// Whether different numbers are years and months (201003): many, of several years, and all of them.
pub(super) fn are_compact_months(different: &[i64]) -> bool {
    let years = different.iter().map(|number| number / 100);
    different.len() >= COMPACT_MONTHS
        && years.clone().min() < years.max()
        && different.iter().all(|number| MONTHS_RANGE.contains(number) && (1..=12).contains(&(number % 100)))
}

/// The format that fits all spellings, if there is one. `columnar` tells that they are those of moments with a type.
pub(crate) fn found(levels: &[&str]) -> Option<MomentsFound> {
    let levels: Vec<&str> = levels.iter().map(|level| trim_spaces(level)).collect();
    let first = levels.first()?;
    // Quickly seen in columns of text.
    if !first.bytes().any(|byte| byte.is_ascii_digit()) || first.len() > 40 {
        return None;
    }
    let fitting: Vec<(String, MomentKind)> =
        candidates(first).filter(|(format, kind)| fits(format, *kind, &levels)).collect();
    // Formats read more than they write (no space where they have one, for example): one that writes what was read
    // goes before those that do not.
    let exact = fitting.iter().find_map(|(format, kind)| {
        as_written(format, *kind, &levels).map(|written| (format, written, *kind))
    });
    let (format, written, kind) = match exact {
        Some(exact) => exact,
        None => fitting.first().map(|(format, kind)| (format, format.clone(), *kind))?,
    };
    let ambiguous = swap(format).filter(|other| kind != MomentKind::TimeOfDay && fits(other, kind, &levels));
    Some(MomentsFound { format: written, kind, ambiguous })
}

/// The format of days beside which all other spellings are days at midnight, as sheets have them where some dates are text.
pub(super) fn days_beside_midnights(levels: &[&str]) -> Option<MomentsFound> {
    let is_midnight = |level: &&&str| level.strip_suffix(MIDNIGHT).is_some_and(|day| day.len() == 10);
    let (midnights, days): (Vec<&str>, Vec<&str>) = levels.iter().partition(|level| is_midnight(level));
    let iso = found(&midnights)?;
    let found = found(&days).filter(|found| found.kind == MomentKind::Day)?;
    (iso.format == ISO_DATETIME).then_some(found)
}

/// All formats that a spelling may have.
fn candidates(first: &str) -> impl Iterator<Item = (String, MomentKind)> {
    let timed = first.contains(':') || is_hours_of_france(first);
    // Offsets with a colon are read without one, too.
    let colon = first.rsplit_once(':').is_some_and(|(before, minutes)| {
        minutes.len() == 2 && before.rfind(['+', '-']).is_some_and(|sign| sign + 3 == before.len())
    });
    let iso_zone = |between: &str| between == "T" || between == " ";
    let days = DAYS.into_iter().filter(move |_| !timed).map(|day| (day.to_owned(), MomentKind::Day));
    let moments = DAYS.into_iter().filter(move |_| timed).flat_map(move |day| {
        // SAS writes a colon between them.
        let colon_between = (day == "%d%b%Y").then_some(":");
        ["T", " ", ", "].into_iter().chain(colon_between).flat_map(move |between| {
            let zones = if day == "%Y-%m-%d" && iso_zone(between) { &ZONES[..] } else { &ZONES[..1] };
            TIMES.into_iter().flat_map(move |time| {
                let zones = zones.iter().filter(move |zone| colon || **zone != "%:z");
                zones.map(move |zone| (format!("{day}{between}{time}{zone}"), MomentKind::Moment))
            })
        })
    });
    let times = TIMES.into_iter().filter(move |_| timed).map(|time| (time.to_owned(), MomentKind::TimeOfDay));
    days.chain(times).chain(moments)
}

/// Whether a text ends with a time such as `8h30`.
fn is_hours_of_france(text: &str) -> bool {
    matches!(text.as_bytes(), [.., b'0'..=b'9', b'h', b'0'..=b'5', b'0'..=b'9'])
}

/// Whether all spellings have this format.
fn fits(format: &str, kind: MomentKind, levels: &[&str]) -> bool {
    let Some(parsed) = MomentFormat::new(format) else { return false };
    let one = |level: &&str| match kind {
        MomentKind::Day => parsed.parse_day(level).is_some_and(|day| is_usual(i64::from(day))),
        MomentKind::Moment => {
            parsed.parse_moment(level).is_some_and(|moment| is_usual(moment.div_euclid(DAY)))
        }
        MomentKind::TimeOfDay => parsed.parse_moment(level).is_some(),
    };
    let one = |level: &&str| (!format.contains("%y") || has_short_year(level)) && one(level);
    levels.iter().take(FIRST).all(one) && levels.iter().skip(FIRST).all(one)
}

/// Whether a date ends with two digits, as short years have: 1.2.3 is no date.
fn has_short_year(level: &str) -> bool {
    let date = level.split([' ', ',']).next().unwrap_or_default();
    date.bytes().rev().take_while(u8::is_ascii_digit).count() == 2
}

/// Whether a day is in a year that tables have: others are parts of dates read in the wrong order.
fn is_usual(day: i64) -> bool {
    (YEARS.0..=YEARS.1).contains(&day) || day == NO_END
}

/// The format with day and month exchanged, if both are numbers.
fn swap(format: &str) -> Option<String> {
    let both = format.contains("%d") && format.contains("%m") && !format.starts_with("%Y");
    both.then(|| format.replace("%d", "%x").replace("%m", "%d").replace("%x", "%m"))
}

/// The format that writes all spellings as they are: this one, or that without zeros in front of days, months and
/// hours.
fn as_written(format: &str, kind: MomentKind, levels: &[&str]) -> Option<String> {
    let short = ["%d", "%m", "%H", "%I"]
        .into_iter()
        .fold(format.to_owned(), |format, part| format.replace(part, &part.replace('%', "%-")));
    let same = |format: &str| {
        let Some(parsed) = MomentFormat::new(format) else { return false };
        levels.iter().all(|level| {
            let mut text = String::new();
            let written = match kind {
                MomentKind::Day => {
                    parsed.parse_day(level).is_some_and(|day| parsed.write_day(day, &mut text))
                }
                _ => parsed.parse_moment(level).is_some_and(|moment| parsed.write_moment(moment, &mut text)),
            };
            written && text.eq_ignore_ascii_case(level)
        })
    };
    if same(format) { Some(format.to_owned()) } else { same(&short).then_some(short) }
}

/// The format with which seconds are always written as they are here, if they are 0 in all of many moments.
pub(super) fn full_minutes(format: &str, levels: &[&str]) -> Option<String> {
    let whole = [("%S%.f", "00"), ("%S%.f", "00.000"), ("%S%.f", "00.0"), ("%S", "00")].into_iter().find_map(
        |(seconds, zeros)| {
            let whole = format.contains(seconds).then(|| format.replace(seconds, zeros))?;
            let parsed = MomentFormat::new(&whole)?;
            let fits = |level: &&str| parsed.parse_moment(trim_spaces(level)).is_some();
            levels.iter().all(fits).then_some(whole)
        },
    );
    whole.filter(|_| levels.len() >= FULL_MINUTES)
}

/// Whether a column has days that stand for *no end*.
pub(super) fn has_no_end(format: &str, levels: &[&str]) -> bool {
    MomentFormat::new(format).is_some_and(|format| {
        let day = |level: &&str| format.parse_moment(trim_spaces(level)).map(|moment| moment.div_euclid(DAY));
        levels.iter().any(|level| day(level) == Some(NO_END))
    })
}

/// The format of days of which all moments are the midnight, if all are spelled alike after the day.
pub(super) fn midnights(format: &str, levels: &[&str]) -> Option<String> {
    let parsed = MomentFormat::new(format)?;
    let all = levels
        .iter()
        .all(|level| parsed.parse_moment(trim_spaces(level)).is_some_and(|moment| moment % DAY == 0));
    let hour = ["%H", "%I", "%-H", "%-I"].into_iter().filter_map(|hour| format.find(hour)).min()?;
    if !all || format.contains("%z") || format.contains("%:z") {
        return None;
    }
    let day = &format[..hour];
    // What is behind the day is the same text everywhere.
    let first = trim_spaces(levels.first()?);
    // The shortest such text: a space is part of the day's format already, which reads any number of them.
    let behind = (0..=first.len()).rev().filter(|&at| first.is_char_boundary(at)).find_map(|at| {
        let written = format!("{day}{}", first[at..].replace('%', "%%"));
        let parsed = MomentFormat::new(&written)?;
        (at > 0 && parsed.parse_day(first).is_some()).then_some(written)
    })?;
    let parsed = MomentFormat::new(&behind)?;
    levels.iter().all(|level| parsed.parse_day(trim_spaces(level)).is_some()).then_some(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (levels, format, kind) in [
            (&["2001-02-03"][..], "%Y-%m-%d", MomentKind::Day),
            (&["02/13/2001", "12/01/1999"], "%m/%d/%Y", MomentKind::Day),
            (&["13/02/2001", "01/12/1999"], "%d/%m/%Y", MomentKind::Day),
            (&["2/13/2001", "12/1/1999"], "%-m/%-d/%Y", MomentKind::Day),
            (&["2/13/01", "12/1/99"], "%-m/%-d/%y", MomentKind::Day),
            (&["13.02.2001"], "%d.%m.%Y", MomentKind::Day),
            (&["13.2.2001", "1.12.2001"], "%-d.%-m.%Y", MomentKind::Day),
            (&["2001/02/13"], "%Y/%m/%d", MomentKind::Day),
            (&["13-Feb-2001"], "%d-%b-%Y", MomentKind::Day),
            (&["13FEB2001"], "%d%b%Y", MomentKind::Day),
            (&["20010213", "20011231"], "%Y%m%d", MomentKind::Day),
            (&["Feb 13, 2001"], "%b %d, %Y", MomentKind::Day),
            (&["08:30", "23:59"], "%H:%M", MomentKind::TimeOfDay),
            (&["8:30", "23:59"], "%-H:%M", MomentKind::TimeOfDay),
            (&["08:30:15"], "%H:%M:%S%.f", MomentKind::TimeOfDay),
            (&["08h30", "23h59"], "%Hh%M", MomentKind::TimeOfDay),
            (&["8h05", "23h59"], "%-Hh%M", MomentKind::TimeOfDay),
            (&["2001-02-03", "9999-12-31"], "%Y-%m-%d", MomentKind::Day),
            (&["08:30 AM", "11:15 PM"], "%I:%M %p", MomentKind::TimeOfDay),
            (&["2001-02-03T04:05:06"], "%Y-%m-%dT%H:%M:%S%.f", MomentKind::Moment),
            (&["2001-02-03 04:05:06.25"], "%Y-%m-%d %H:%M:%S%.f", MomentKind::Moment),
            (&["2001-02-03 04:05"], "%Y-%m-%d %H:%M", MomentKind::Moment),
            (&["2001-02-03T04:05:06Z"], "%Y-%m-%dT%H:%M:%S%.fZ", MomentKind::Moment),
            (&["2001-02-03T04:05:06.123456+02:00"], "%Y-%m-%dT%H:%M:%S%.f%:z", MomentKind::Moment),
            (&["2001-02-03T04:05:06-0500"], "%Y-%m-%dT%H:%M:%S%.f%z", MomentKind::Moment),
            (&["13FEB2001:14:05:06"], "%d%b%Y:%H:%M:%S%.f", MomentKind::Moment),
            (&["02/13/2001 14:05"], "%m/%d/%Y %H:%M", MomentKind::Moment),
        ] {
            let found = found(levels).unwrap_or_else(|| panic!("{levels:?}"));
            assert_eq!(
                (found.format.as_str(), found.kind, found.ambiguous),
                (format, kind, None),
                "{levels:?}"
            );
        }
        let ambiguous = found(&["01/02/2001", "11/12/2001"]).unwrap();
        assert_eq!(
            (ambiguous.format.as_str(), ambiguous.ambiguous.as_deref()),
            ("%m/%d/%Y", Some("%d/%m/%Y"))
        );
        for levels in [
            &[""][..],
            &["2001-02-30"],
            &["2001-02-03x"],
            &["20010230"],
            &["2001020"],
            &["2001-02-03T25:00:00"],
            &["ééééé"],
            &["1.2.3"],
            &["12:30", "120:30"],
            &["2001-02-03", "03/02/2001"],
            &["1-2-3"],
            &["10.5"],
            &["2001-02-03", "9998-12-31"],
            &["4h"],
        ] {
            assert_eq!(found(levels), None, "{levels:?}");
        }
    }

    #[test]
    fn numbers_that_are_months() {
        let months = |years: std::ops::Range<i64>| -> Vec<i64> {
            years.flat_map(|year| (1..=12).map(move |month| 100 * year + month)).collect()
        };
        assert!(are_compact_months(&months(2010..2012)));
        assert!(!are_compact_months(&months(2010..2011)), "one year");
        assert!(!are_compact_months(&[months(2010..2012), vec![201_113]].concat()));
        assert!(!are_compact_months(&[200_001, 200_102]), "few");
    }

    #[test]
    fn days_of_sheets_beside_days_of_text() {
        let of = |levels: &[&str]| days_beside_midnights(levels).map(|found| found.format);
        assert_eq!(of(&["2001-02-03T00:00:00", "2001-02-04"]).as_deref(), Some("%Y-%m-%d"));
        assert_eq!(of(&["2001-02-03T00:00:00", "14.02.2001"]).as_deref(), Some("%d.%m.%Y"));
        assert_eq!(of(&["2001-02-03T00:00:01", "2001-02-04"]), None);
        assert_eq!(of(&["2001-02-03T00:00:00", "x"]), None);
    }

    #[test]
    fn seconds_that_are_not_recorded_are_zeros() {
        let of = |seconds: &str, format: &str| {
            let levels: Vec<String> =
                (10..40).map(|minute| format!("2001-02-03 08:{minute}{seconds}")).collect();
            let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
            full_minutes(format, &levels)
        };
        assert_eq!(of(":00", "%Y-%m-%d %H:%M:%S%.f").as_deref(), Some("%Y-%m-%d %H:%M:00"));
        assert_eq!(of(":00.000", "%Y-%m-%d %H:%M:%S%.f").as_deref(), Some("%Y-%m-%d %H:%M:00.000"));
        assert_eq!(of(":01", "%Y-%m-%d %H:%M:%S%.f"), None);
        assert_eq!(of("", "%Y-%m-%d %H:%M"), None);
        assert_eq!(full_minutes("%H:%M:%S%.f", &["08:30:00"; 2]), None, "few");
    }

    #[test]
    fn midnights_are_days() {
        let format = "%Y-%m-%d %H:%M:%S%.f";
        let days = midnights(format, &["2001-02-03 00:00:00", "2001-02-04 00:00:00"]);
        assert_eq!(days.as_deref(), Some("%Y-%m-%d 00:00:00"));
        assert_eq!(midnights(format, &["2001-02-03 00:00:01"]), None);
        assert_eq!(midnights("%m/%d/%Y %H:%M", &["02/03/2001 00:00"]).as_deref(), Some("%m/%d/%Y 00:00"));
    }
}
