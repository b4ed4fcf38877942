//! Recognition of spellings.

use crate::cells::number::{Number, parse};

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

/// The truth of each spelling, if all are of one pair of words, or 0 and 1.
pub(crate) fn truths_of(levels: &[String]) -> Option<Vec<bool>> {
    let in_pair = |(when_false, when_true): &(&str, &str)| {
        let truth = |level: &String| {
            let word = level.trim();
            let is_true = word.eq_ignore_ascii_case(when_true);
            (is_true || word.eq_ignore_ascii_case(when_false)).then_some(is_true)
        };
        levels.iter().map(truth).collect()
    };
    TRUTHS.iter().chain(&[("0", "1")]).find_map(in_pair)
}

/// The mark between what seem to be several fields in the only column of a text: it is in the column's name and, as often
/// or once more (before it stand names of rows), in every value.
pub(super) fn hidden_separator(name: &str, levels: &[String]) -> Option<&'static str> {
    [(' ', "spaces"), (':', "colons"), ('\u{a6}', "broken bars"), ('~', "tildes"), ('^', "carets")]
        .into_iter()
        .find_map(|(mark, word)| {
            let fields = |text: &str| text.split(mark).filter(|field| !field.is_empty()).count();
            let named = fields(name);
            let fits = |level: &String| (named..=named + 1).contains(&fields(level));
            (named > 1 && !levels.is_empty() && levels.iter().all(fits)).then_some(word)
        })
}

/// Whether a text is a number of hours (or minutes), and minutes (or seconds): `39:02`, `100:00:30`.
pub(super) fn is_duration(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let sixtieths = |part: &str| digits(part) && part.len() == 2 && part.as_bytes()[0] < b'6';
    let parts: Vec<&str> = text.trim_start_matches('-').split(':').collect();
    match parts.as_slice() {
        [first, rest @ ..] => {
            (1..=2).contains(&rest.len()) && digits(first) && rest.iter().all(|part| sixtieths(part))
        }
        [] => false,
    }
}

/// Whether the spelling is a number.
pub(super) fn is_number(spelling: &str) -> bool {
    !matches!(parse(spelling), Number::Not)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_that_are_not_read() {
        let of = |name: &str, levels: &[&str]| {
            hidden_separator(name, &levels.iter().map(|&level| level.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of("age sex", &["31 F", "7   M"]), Some("spaces"));
        assert_eq!(of("\"age\" \"sex\"", &["\"1\" 31 \"F\""]), Some("spaces"));
        assert_eq!(of("age:sex", &["31:F"]), Some("colons"));
        assert_eq!(of("age", &["31", "7"]), None);
        assert_eq!(of("job title", &["clerk", "head of staff"]), None);
    }

    #[test]
    fn durations() {
        for text in ["39:02", "0:30", "100:00:30", "-1:15"] {
            assert!(is_duration(text), "{text}");
        }
        for text in ["39", "39:2", "39:60", ":30", "1:2:3:4", "a:30", ""] {
            assert!(!is_duration(text), "{text}");
        }
    }

    #[test]
    fn truths() {
        let pair = |a: &str, b: &str| truth(&[a.to_owned(), b.to_owned()]);
        assert_eq!(pair("Yes", "no"), Some(("no".to_owned(), "Yes".to_owned())));
        assert_eq!(pair("F", "T"), Some(("F".to_owned(), "T".to_owned())));
        assert_eq!(pair("F", "M"), None);
        assert_eq!(truth(&["yes".to_owned()]), None);
    }
}
