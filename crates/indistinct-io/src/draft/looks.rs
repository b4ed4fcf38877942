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

/// Whether the spelling is a number.
pub(super) fn is_number(spelling: &str) -> bool {
    !matches!(parse(spelling), Number::Not)
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
}
