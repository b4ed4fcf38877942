//! The words and signs of a formula, with their places.

use super::FormulaError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    /// `0` (false) or `1`.
    Intercept(bool),
    Dot,
    /// One of `~ + - * : ( )`.
    Sign(char),
    End,
}

/// A token and the number of its first character, from 1.
pub(super) type Placed = (Token, usize);

/// Splits a formula into tokens; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, FormulaError> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let (start, letter) = (at, letters[at]);
        let position = start + 1;
        at += 1;
        let token = match letter {
            letter if letter.is_whitespace() => continue,
            '~' | '+' | '-' | '*' | ':' | '(' | ')' => Token::Sign(letter),
            '`' => {
                let Some(length) = letters[at..].iter().position(|&letter| letter == '`') else {
                    return Err(FormulaError::new(
                        position,
                        "a back quote opens a column name here, and none closes it",
                        "put back quotes around the whole name, as in `my column`",
                    ));
                };
                let name = letters[at..at + length].iter().collect();
                at += length + 1;
                Token::Name(name)
            }
            letter if letter.is_ascii_digit() => {
                at = end_of_word(&letters, at);
                match letters[start..at].iter().collect::<String>().as_str() {
                    "0" => Token::Intercept(false),
                    "1" => Token::Intercept(true),
                    _ => {
                        return Err(FormulaError::new(
                            position,
                            "only the numbers 0 and 1 have a meaning in a formula",
                            "`+ 0` or `- 1` leaves out the intercept; a column name that begins with a digit needs back \
                             quotes",
                        ));
                    }
                }
            }
            letter if letter == '.' || starts_word(letter) => {
                at = end_of_word(&letters, at);
                let word: String = letters[start..at].iter().collect();
                if word == "." { Token::Dot } else { Token::Name(word) }
            }
            '^' => {
                return Err(FormulaError::new(
                    position,
                    "powers are not understood",
                    "give them a column of their own: `derive = \"age * age\"` in the schema of the release, or computed in the \
                     tables",
                ));
            }
            _ => {
                return Err(FormulaError::new(
                    position,
                    "a sign that has no meaning here",
                    "use + - * : and ., log() and C(), and back quotes around column names with other characters",
                ));
            }
        };
        tokens.push((token, position));
    }
    tokens.push((Token::End, letters.len() + 1));
    Ok(tokens)
}

fn starts_word(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

fn end_of_word(letters: &[char], from: usize) -> usize {
    let belongs = |letter: &&char| letter.is_alphanumeric() || matches!(letter, '.' | '_');
    from + letters[from..].iter().take_while(belongs).count()
}

/// Whether R accepts it as a name without back quotes.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let starts = match letters.next() {
        Some('.') => !letters.clone().next().is_some_and(|second| second.is_ascii_digit()),
        Some(first) => first.is_alphabetic(),
        None => false,
    };
    starts && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_rs() {
        for (text, name) in [
            ("x", true),
            ("x.1_b", true),
            (".x", true),
            (".1", false),
            ("_x", false),
            ("a b", false),
            ("", false),
        ] {
            assert_eq!(is_name(text), name, "{text}");
        }
    }

    #[test]
    fn places_count_characters() {
        let found = tokens("é ~ `a b` + .").unwrap();
        let places: Vec<usize> = found.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [1, 3, 5, 11, 13, 14]);
        assert_eq!(found[2].0, Token::Name("a b".to_owned()));
        assert_eq!(found[4].0, Token::Dot);
    }
}
