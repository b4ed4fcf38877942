//! Recognition of spellings.

use crate::cells::number::{Number, parse, trim_spaces};
use indistinct::table::moment::{ISO_DATE, MomentFormat};

/// Pairs of words for false and true, in lower case.
const TRUTHS: [(&str, &str); 4] = [("false", "true"), ("no", "yes"), ("n", "y"), ("f", "t")];

/// The two spellings as (false, true), if they are such a pair.
pub(super) fn truth(levels: &[String]) -> Option<(String, String)> {
    let [a, b] = levels else { return None };
    let is = |spelling: &str, word: &str| spelling.eq_ignore_ascii_case(word);
    TRUTHS.iter().find_map(|(when_false, when_true)| {
        if is(a, when_false) && is(b, when_true) {
            Some((a.clone(), b.clone()))
        } else if is(b, when_false) && is(a, when_true) {
            Some((b.clone(), a.clone()))
        } else {
            None
        }
    })
}

/// Whether the spelling is a number.
pub(super) fn is_number(spelling: &str) -> bool {
    !matches!(parse(spelling), Number::Not)
}

/// The format of a date or date-time in ISO form, and whether it has a time.
pub(super) fn moment_format(spelling: &str) -> Option<(String, bool)> {
    let spelling = trim_spaces(spelling);
    let (day, time) = spelling.split_at_checked(10)?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let separated = day.as_bytes()[4] == b'-' && day.as_bytes()[7] == b'-';
    if !separated || !digits(day.get(..4)?) || !digits(day.get(5..7)?) || !digits(day.get(8..)?) {
        return None;
    }
    let format = match time.as_bytes().first() {
        None => ISO_DATE.to_owned(),
        Some(between @ (b'T' | b' ')) => {
            let (clock, zone) = zone(&time[1..]);
            let seconds = if clock.len() > 5 { ":%S%.f" } else { "" };
            format!("{ISO_DATE}{}%H:%M{seconds}{zone}", char::from(*between))
        }
        Some(_) => return None,
    };
    parses(&format, spelling).then_some((format, !time.is_empty()))
}

/// Whether a spelling is a moment in this format.
fn parses(format: &str, spelling: &str) -> bool {
    MomentFormat::new(format).is_some_and(|parsed| {
        if format == ISO_DATE {
            parsed.parse_day(spelling).is_some()
        } else {
            parsed.parse_moment(spelling).is_some()
        }
    })
}

/// A time of day without its zone, and the format of the zone.
fn zone(time: &str) -> (&str, &'static str) {
    if let Some(clock) = time.strip_suffix('Z') {
        return (clock, "Z");
    }
    match time.rfind(['+', '-']) {
        Some(sign) if time[sign..].contains(':') => (&time[..sign], "%:z"),
        Some(sign) => (&time[..sign], "%z"),
        None => (time, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths() {
        let pair = |a: &str, b: &str| truth(&[a.to_owned(), b.to_owned()]);
        assert_eq!(pair("Yes", "no"), Some(("no".to_owned(), "Yes".to_owned())));
        assert_eq!(pair("F", "T"), Some(("F".to_owned(), "T".to_owned())));
        assert_eq!(pair("F", "M"), None);
        assert_eq!(truth(&["yes".to_owned()]), None);
    }

    #[test]
    fn moments() {
        for (spelling, format) in [
            ("2001-02-03", "%Y-%m-%d"),
            ("2001-02-03T04:05:06", "%Y-%m-%dT%H:%M:%S%.f"),
            ("2001-02-03 04:05:06.25", "%Y-%m-%d %H:%M:%S%.f"),
            ("2001-02-03 04:05", "%Y-%m-%d %H:%M"),
            ("2001-02-03T04:05:06Z", "%Y-%m-%dT%H:%M:%S%.fZ"),
            ("2001-02-03T04:05:06.123456+02:00", "%Y-%m-%dT%H:%M:%S%.f%:z"),
            ("2001-02-03T04:05:06-0500", "%Y-%m-%dT%H:%M:%S%.f%z"),
        ] {
            let found = moment_format(spelling);
            assert_eq!(found.as_ref().map(|(format, _)| format.as_str()), Some(format), "{spelling}");
        }
        for spelling in
            ["", "2001-02-30", "2001-02-03x", "2001/02/03", "20010203", "2001-02-03T25:00:00", "ééééé"]
        {
            assert_eq!(moment_format(spelling), None, "{spelling}");
        }
    }
}
