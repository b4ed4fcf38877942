//! Suggestions for misspelled words: "did you mean ...?"

/// Number of words listed where none is near.
const LISTED: usize = 12;

/// Longer words are not compared: the work is a product of lengths, and nobody mistypes them.
const LONGEST: usize = 100;

/// Number of letters that turn one word into the other, ignoring case; `None` if they are too long to compare.
pub(crate) fn edits(one: &str, other: &str) -> Option<usize> {
    let short = one.len() <= LONGEST && other.len() <= LONGEST;
    short.then(|| strsim::damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase()))
}

/// Advice that names the nearest known word, or lists the first known words if none is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let best = known.iter().filter_map(|known| Some((edits(word, known)?, known))).min();
    match best {
        Some((distance, near)) if distance <= 2.max(near.len() / 3) && distance < near.chars().count() => {
            format!("did you mean `{near}`?")
        }
        _ if known.len() > LISTED => format!("use one of {}, ...", known[..LISTED].join(", ")),
        _ => format!("use one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested() {
        let known = ["levels", "missing", "format"];
        assert_eq!(nearest("level", known), "did you mean `levels`?");
        assert_eq!(nearest("Misisng", known), "did you mean `missing`?");
        assert_eq!(nearest("colour", known), "use one of levels, missing, format");
        assert_eq!(nearest("AGE", ["Age", "b"]), "did you mean `Age`?");
        assert_eq!(nearest("zzz", ["b", "c"]), "use one of b, c");
        let long = "x".repeat(100_000);
        assert_eq!(nearest(&long, [long.as_str(), "y"]), format!("use one of {long}, y"));
        let many: Vec<String> = (0..40).map(|number| format!("column {number}")).collect();
        assert!(nearest("x", many.iter().map(String::as_str)).ends_with("column 11, ..."));
    }
}
