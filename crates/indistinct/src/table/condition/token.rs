//! The words of conditions and derivations, which are one language.

use super::ConditionError;

/// A comparison of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(String),
    /// The name of a column, or that of a function before a parenthesis.
    Name(String),
    /// A column's name in back-quotes.
    Quoted(String),
    /// One of [`KEYWORDS`].
    Word(&'static str),
    Compare(Comparison),
    /// One of `( ) , + - * / ^`.
    Sign(char),
    End,
}

/// Words that are column names only in back-quotes.
pub(super) const KEYWORDS: [&str; 12] =
    ["and", "or", "not", "in", "is", "missing", "true", "false", "when", "if", "then", "else"];

/// A word with its place, in characters from 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) at: usize,
    pub(super) token: Token,
}

/// Splits a text into tokens; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, ConditionError> {
    let characters: Vec<char> = text.chars().collect();
    let mut reader = Reader { characters: &characters, at: 0 };
    let mut found = Vec::new();
    loop {
        while reader.peek().is_some_and(char::is_whitespace) {
            reader.at += 1;
        }
        let at = reader.at;
        let token = reader.token()?;
        let end = token == Token::End;
        found.push(Placed { at, token });
        if end {
            return Ok(found);
        }
    }
}

struct Reader<'a> {
    characters: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn second(&self) -> Option<char> {
        self.characters.get(self.at + 1).copied()
    }

    fn token(&mut self) -> Result<Token, ConditionError> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        match first {
            '(' | ')' | ',' | '+' | '-' | '*' | '/' | '^' => {
                self.at += 1;
                Ok(Token::Sign(first))
            }
            '\'' | '"' => Ok(Token::Text(self.quoted(first, "string")?)),
            '`' => Ok(Token::Quoted(self.quoted(first, "name")?)),
            '=' | '!' | '<' | '>' => self.comparison(first),
            '0'..='9' => self.number(),
            '.' if self.second().is_some_and(|next| next.is_ascii_digit()) => self.number(),
            _ if is_name(first) => Ok(self.word()),
            _ => {
                let advice = match first {
                    '&' | '|' => "write `and` and `or`",
                    _ => {
                        "names with other signs than letters, digits, _ and . stand in back-quotes, as in `odd name`"
                    }
                };
                Err(ConditionError::new(self.at, format!("`{first}` means nothing here"), advice))
            }
        }
    }

    /// The text between two marks; a doubled mark stands for that mark.
    fn quoted(&mut self, mark: char, what: &str) -> Result<String, ConditionError> {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            match self.peek() {
                None => {
                    return Err(ConditionError::new(
                        start,
                        format!("the {what} that begins here never ends"),
                        format!("close it with {mark}"),
                    ));
                }
                Some(found) if found == mark && self.second() == Some(mark) => self.at += 1,
                Some(found) if found == mark => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(_) => {}
            }
            text.extend(self.peek());
            self.at += 1;
        }
    }

    fn comparison(&mut self, first: char) -> Result<Token, ConditionError> {
        let second = self.second();
        let (comparison, length) = match (first, second) {
            ('=', Some('=')) => (Comparison::Equal, 2),
            ('!', Some('=')) => (Comparison::Unequal, 2),
            ('<', Some('=')) => (Comparison::AtMost, 2),
            ('>', Some('=')) => (Comparison::AtLeast, 2),
            ('<', Some('>')) => {
                return Err(ConditionError::new(self.at, "`<>` means nothing here", "write != for unequal"));
            }
            ('<', _) => (Comparison::Less, 1),
            ('>', _) => (Comparison::Greater, 1),
            ('=', _) => {
                return Err(ConditionError::new(self.at, "`=` means nothing here", "write == for equal"));
            }
            _ => {
                return Err(ConditionError::new(self.at, "`!` means nothing here", "write `not`, or !="));
            }
        };
        self.at += length;
        Ok(Token::Compare(comparison))
    }

    fn number(&mut self) -> Result<Token, ConditionError> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            while reader.peek().is_some_and(|next| next.is_ascii_digit()) {
                reader.at += 1;
            }
        };
        digits(self);
        if self.peek() == Some('.') {
            self.at += 1;
            digits(self);
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            let signed = matches!(self.second(), Some('+' | '-'));
            let first = self.characters.get(self.at + 1 + usize::from(signed));
            if first.is_some_and(char::is_ascii_digit) {
                self.at += 1 + usize::from(signed);
                digits(self);
            }
        }
        let spelled: String = self.characters[start..self.at].iter().collect();
        if self.peek().is_some_and(is_name) {
            let advice = "names that begin with a digit stand in back-quotes, text in quotes";
            return Err(ConditionError::new(start, "this is neither a number nor a name", advice));
        }
        match spelled.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Token::Number(number)),
            _ => Err(ConditionError::new(start, "the number is too large", "use numbers below 1e308")),
        }
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        while self.peek().is_some_and(is_name) {
            self.at += 1;
        }
        let word: String = self.characters[start..self.at].iter().collect();
        match KEYWORDS.into_iter().find(|keyword| *keyword == word) {
            Some(keyword) => Token::Word(keyword),
            None => Token::Name(word),
        }
    }
}

/// Whether a name may contain the character without back-quotes.
fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '.'
}
