//! Days and moments: parsed and written by a format in strftime's notation.

use std::fmt::Write as _;

use chrono::format::{Item, Parsed, StrftimeItems, parse};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc};

/// The format of days unless a schema says otherwise.
pub const ISO_DATE: &str = "%Y-%m-%d";
/// The format of moments unless a schema says otherwise.
pub const ISO_DATETIME: &str = "%Y-%m-%dT%H:%M:%S%.f";

/// Days from the first day of year 1 to 1970-01-01.
const EPOCH: i32 = 719_163;
/// Microseconds in a day.
pub const DAY: i64 = 86_400_000_000;

/// A format, parsed once.
#[derive(Debug, Clone)]
pub struct MomentFormat {
    items: Vec<Item<'static>>,
    /// Whether the format begins with an ISO date, which has a fast path.
    iso: bool,
}

impl MomentFormat {
    /// A format; `None` if strftime does not know all its parts.
    pub fn new(format: &str) -> Option<Self> {
        let items = StrftimeItems::new(format).parse_to_owned().ok()?;
        Some(Self { items, iso: format == ISO_DATE || format == ISO_DATETIME })
    }

    /// Whether text written in the format can be read back as a day.
    pub fn tells_days(&self) -> bool {
        let day = 11_356;
        let mut text = String::new();
        self.write_day(day, &mut text) && self.parse_day(&text) == Some(day)
    }

    /// Whether text written in the format can be read back as a moment, up to the hour; as one of 1970-01-01 if the
    /// format has times of day only.
    pub fn tells_moments(&self) -> bool {
        let (day, hour) = (11_356 * DAY, 16 * DAY / 24);
        let mut text = String::new();
        let written = self.write_moment(day + hour, &mut text);
        written && self.parse_moment(&text).is_some_and(|moment| moment == day + hour || moment == hour)
    }

    /// The day that a cell spells, counted from 1970-01-01.
    pub fn parse_day(&self, cell: &str) -> Option<i32> {
        if self.iso
            && let Some(day) = iso_day(cell.as_bytes())
        {
            return Some(day);
        }
        let mut parsed = Parsed::new();
        parse(&mut parsed, cell, self.items.iter()).ok()?;
        Some(parsed.to_naive_date().ok()?.num_days_from_ce() - EPOCH)
    }

    /// The moment that a cell spells, in microseconds from 1970-01-01T00:00:00; with an offset, that of UTC. A time of
    /// day is one of 1970-01-01.
    pub fn parse_moment(&self, cell: &str) -> Option<i64> {
        if self.iso
            && let Some(moment) = iso_moment(cell.as_bytes())
        {
            return Some(moment);
        }
        let mut parsed = Parsed::new();
        parse(&mut parsed, cell, self.items.iter()).ok()?;
        let moment = if parsed.offset().is_some() {
            parsed.to_datetime().ok()?.to_utc()
        } else {
            let moment = parsed.to_naive_datetime_with_offset(0).ok();
            moment.or_else(|| NaiveDate::default().and_time(time_of_day(&parsed)?).into())?.and_utc()
        };
        Some(moment.timestamp_micros())
    }

    /// Writes a day; false if the format needs something that a day does not have.
    pub fn write_day(&self, day: i32, out: &mut String) -> bool {
        date_of(day).is_some_and(|date| write!(out, "{}", date.format_with_items(self.items.iter())).is_ok())
    }

    /// Writes a moment; false if it cannot be written.
    pub fn write_moment(&self, moment: i64, out: &mut String) -> bool {
        let moment = DateTime::<Utc>::from_timestamp_micros(moment);
        moment.is_some_and(|moment| write!(out, "{}", moment.format_with_items(self.items.iter())).is_ok())
    }
}

/// The time of a text that says nothing about the day.
fn time_of_day(parsed: &Parsed) -> Option<NaiveTime> {
    let dated = [parsed.year().is_some(), parsed.month().is_some(), parsed.day().is_some()];
    if dated.contains(&true) { None } else { parsed.to_naive_time().ok() }
}

/// The date this many days after 1970-01-01.
pub(crate) fn date_of(day: i32) -> Option<NaiveDate> {
    day.checked_add(EPOCH).and_then(NaiveDate::from_num_days_from_ce_opt)
}

/// The day that a schema or a condition means: spelled in the column's own format, or else in ISO form.
pub fn declared_day(format: &str, text: &str) -> Option<i32> {
    [format, ISO_DATE].into_iter().find_map(|format| MomentFormat::new(format)?.parse_day(text))
}

/// The moment that a schema or a condition means: in the column's own format, or else in ISO form, with or without
/// seconds; a day is its midnight.
pub fn declared_moment(format: &str, text: &str) -> Option<i64> {
    let formats = [format, ISO_DATETIME, "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    let moment = formats.into_iter().find_map(|format| MomentFormat::new(format)?.parse_moment(text));
    moment.or_else(|| MomentFormat::new(ISO_DATE)?.parse_day(text).map(|day| i64::from(day) * DAY))
}

/// The number that these digits spell.
fn digits(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0')))
}

/// A day spelled exactly `2001-02-03`.
fn iso_day(bytes: &[u8]) -> Option<i32> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *bytes else { return None };
    let year = digits(&[y1, y2, y3, y4])?;
    let date = NaiveDate::from_ymd_opt(year.cast_signed(), digits(&[m1, m2])?, digits(&[d1, d2])?)?;
    Some(date.num_days_from_ce() - EPOCH)
}

/// A moment spelled exactly `2001-02-03T04:05:06`, with up to six digits of a fraction.
fn iso_moment(bytes: &[u8]) -> Option<i64> {
    let (day, time) = bytes.split_at_checked(10)?;
    let [b'T', h1, h2, b':', m1, m2, b':', s1, s2, fraction @ ..] = time else { return None };
    let (hour, minute, second) = (digits(&[*h1, *h2])?, digits(&[*m1, *m2])?, digits(&[*s1, *s2])?);
    let micros = match fraction {
        [] => 0,
        [b'.', places @ ..] if (1..=6).contains(&places.len()) => {
            digits(places)? * 10_u32.pow(6 - places.len() as u32)
        }
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = i64::from(hour * 3600 + minute * 60 + second);
    Some(i64::from(iso_day(day)?) * DAY + seconds * 1_000_000 + i64::from(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(format: &str, cell: &str) -> Option<i32> {
        MomentFormat::new(format)?.parse_day(cell)
    }

    fn moment(format: &str, cell: &str) -> Option<i64> {
        MomentFormat::new(format)?.parse_moment(cell)
    }

    #[test]
    fn days() {
        assert_eq!(day(ISO_DATE, "1970-01-02"), Some(1));
        assert_eq!(day("%d/%m/%Y", "31/12/1969"), Some(-1));
        assert_eq!(day(ISO_DATE, "2001-02-29"), None);
        assert_eq!(day(ISO_DATE, "2001-02-03x"), None);
        assert_eq!(day("%H:%M", "10:20"), None);
        assert!(MomentFormat::new("%Q").is_none());
    }

    #[test]
    fn moments_by_short_cut_and_by_format_agree() {
        let slow = "%Y-%m-%dT%H:%M:%S%.f%:z";
        for cell in ["2001-02-03T04:05:06", "2001-02-03T04:05:06.7", "1969-12-31T23:59:59.999999"] {
            let expected = moment(slow, &format!("{cell}+00:00"));
            assert!(expected.is_some());
            assert_eq!(moment(ISO_DATETIME, cell), expected, "{cell}");
        }
        assert_eq!(moment(ISO_DATETIME, "1970-01-01T00:00:00.1234567"), Some(123_456));
        assert_eq!(moment(ISO_DATETIME, "1970-01-01T24:00:00"), None);
        assert_eq!(moment(slow, "1970-01-01T02:00:00+02:00"), Some(0));
        assert_eq!(moment("%H:%M", "00:01"), Some(60_000_000));
        assert_eq!(moment("%I:%M %p", "11:59 PM"), Some(DAY - 60_000_000));
        assert_eq!(moment("%d %H:%M", "01 00:01"), None);
        assert_eq!(moment("%Y-%m-%d %H:%M", "1970-01-01 00:01"), Some(60_000_000));
        assert_eq!(moment("%Y-%m-%dT%H:%M:%SZ", "1970-01-01T00:00:01Z"), Some(1_000_000));
    }

    #[test]
    fn formats_that_cannot_be_read_back_are_known() {
        for (format, days, moments) in [
            (ISO_DATE, true, false),
            ("%d %b %y", true, false),
            (ISO_DATETIME, false, true),
            ("%d/%m/%Y %H:%M %z", false, true),
            ("%H:%M", false, true),
            ("%I:%M %p", false, true),
            ("%M:%S", false, false),
            ("day", false, false),
        ] {
            let format = MomentFormat::new(format).unwrap();
            assert!(!days || format.tells_days(), "{format:?}");
            assert_eq!(format.tells_moments(), moments, "{format:?}");
        }
    }

    #[test]
    fn written_moments_read_back() {
        let format = MomentFormat::new(ISO_DATETIME).unwrap();
        for moment in [0, 1, -1, 123_456_789_012_345, -123_456_789_012_345] {
            let mut text = String::new();
            assert!(format.write_moment(moment, &mut text));
            assert_eq!(format.parse_moment(&text), Some(moment), "{text}");
        }
        assert!(!format.write_moment(i64::MAX, &mut String::new()));
    }
}
