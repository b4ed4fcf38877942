//! From tokens to pieces: `response ~ piece + piece - piece`.

use super::lexer::{Placed, Token, tokens};
use super::{Content, FormulaError, Piece, Transform, Variable};

pub(super) fn parse(text: &str) -> Result<(Variable, Vec<Piece>), FormulaError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let response = parser.variable("the response, which is a column name")?;
    if response.transform == Transform::Category {
        return Err(FormulaError::new(
            response.position,
            "the response must be a number, not a category",
            "put a numeric or boolean column on the left of ~",
        ));
    }
    parser.expect(
        '~',
        "write the formula as y ~ x + z, with back quotes around column names with other signs",
    )?;
    let mut pieces = Vec::new();
    let mut minus = parser.take_sign(&['+', '-']) == Some('-');
    loop {
        pieces.push(parser.piece(minus)?);
        minus = match parser.take_sign(&['+', '-']) {
            Some(sign) => sign == '-',
            None => break,
        };
    }
    match parser.next() {
        (Token::End, _) => Ok((response, pieces)),
        (token, position) => Err(unexpected(&token, position, "+ or - or the end")),
    }
}

struct Parser {
    tokens: Vec<Placed>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> (&Token, usize) {
        // The last token is the end, which is never passed.
        let (token, position) = &self.tokens[self.at.min(self.tokens.len() - 1)];
        (token, *position)
    }

    fn next(&mut self) -> Placed {
        let (token, position) = self.peek();
        let placed = (token.clone(), position);
        self.at += 1;
        placed
    }

    /// The sign at this place, if it is one of these.
    fn take_sign(&mut self, signs: &[char]) -> Option<char> {
        match self.peek() {
            (Token::Sign(sign), _) if signs.contains(sign) => {
                let sign = *sign;
                self.at += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn expect(&mut self, sign: char, advice: &str) -> Result<(), FormulaError> {
        if self.take_sign(&[sign]).is_some() {
            return Ok(());
        }
        let (token, position) = self.peek();
        Err(FormulaError::new(position, format!("expected {sign}, not {}", describe(token)), advice))
    }

    fn piece(&mut self, minus: bool) -> Result<Piece, FormulaError> {
        let (token, position) = self.peek();
        let content = match *token {
            Token::Intercept(one) => Content::Intercept(one),
            Token::Dot => Content::Dot,
            _ => {
                let mut crossed = vec![self.interaction()?];
                while self.take_sign(&['*']).is_some() {
                    crossed.push(self.interaction()?);
                }
                return Ok(Piece { minus, position, content: Content::Crossed(crossed) });
            }
        };
        self.at += 1;
        if let (Token::Sign(sign @ ('*' | ':')), position) = self.peek() {
            return Err(FormulaError::new(
                position,
                format!("{sign} stands between column names only"),
                "name the columns that interact",
            ));
        }
        Ok(Piece { minus, position, content })
    }

    fn interaction(&mut self) -> Result<Vec<Variable>, FormulaError> {
        let mut variables = vec![self.variable("a column name, log(), C() or .")?];
        while self.take_sign(&[':']).is_some() {
            variables.push(self.variable("a column name, log() or C()")?);
        }
        Ok(variables)
    }

    /// `x`, `log(x)` or `C(x)`.
    fn variable(&mut self, expected: &str) -> Result<Variable, FormulaError> {
        let (token, position) = self.next();
        let Token::Name(name) = token else { return Err(unexpected(&token, position, expected)) };
        if self.take_sign(&['(']).is_none() {
            return Ok(Variable { column: name, transform: Transform::AsItIs, position });
        }
        let transform = match name.as_str() {
            "log" => Transform::Log,
            "C" => Transform::Category,
            _ => {
                return Err(FormulaError::new(
                    position,
                    "this function is not known",
                    "log() and C() are; compute other columns before, in the tables",
                ));
            }
        };
        let (token, inside) = self.next();
        let Token::Name(column) = token else { return Err(unexpected(&token, inside, "a column name")) };
        self.expect(')', "close the parenthesis after the column name, as in log(x)")?;
        Ok(Variable { column, transform, position })
    }
}

fn describe(token: &Token) -> String {
    match token {
        Token::Name(_) => "a name".to_owned(),
        Token::Intercept(one) => u8::from(*one).to_string(),
        Token::Dot => ".".to_owned(),
        Token::Sign(sign) => sign.to_string(),
        Token::End => "the end".to_owned(),
    }
}

fn unexpected(token: &Token, position: usize, expected: &str) -> FormulaError {
    let advice = match token {
        Token::Sign('(' | ')') => {
            "parentheses stand only in log() and C(): write a*b for a + b + a:b, and interactions one by one"
        }
        _ => "write the formula as `y ~ x + z`",
    };
    FormulaError::new(position, format!("expected {expected}, not {}", describe(token)), advice)
}

#[cfg(test)]
mod tests {
    use crate::combine::Formula;
    use proptest::prelude::*;

    #[test]
    fn errors_point_at_their_place() {
        for (text, position, part) in [
            ("", 1, "the response"),
            ("y", 2, "expected ~"),
            ("y ~", 4, "a column name"),
            ("y ~ x +", 8, "a column name"),
            ("y ~ x z", 7, "+ or -"),
            ("y ~ (x + z)", 5, "not ("),
            ("y ~ exp(x)", 5, "function"),
            ("y ~ log(x", 10, "expected )"),
            ("y ~ log(log(x))", 12, "expected )"),
            ("y ~ x / z", 7, "no meaning"),
            ("y ~ x^2", 6, "powers"),
            ("y ~ I(x^2)", 8, "powers"),
            ("y ~ 2", 5, "0 and 1"),
            ("y ~ `x", 5, "back quote"),
            ("y ~ .:x", 6, "between column names"),
            ("C(y) ~ x", 1, "must be a number"),
            ("y ~ x ~ z", 7, "+ or -"),
            ("y ~ x:1", 7, "a column name"),
        ] {
            let error = Formula::parse(text).unwrap_err();
            assert_eq!(error.position(), position, "{text}: {error}");
            assert!(error.to_string().contains(part) && !error.advice().is_empty(), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in ".{0,60}") {
            let _ = Formula::parse(&text);
        }

        #[test]
        fn parsing_signs_never_panics(
            text in proptest::collection::vec(
                proptest::sample::select(vec!["y", "x", "~", "+", "-", "*", ":", "(", ")", ".", "0", "1", "log", "C", "`", " "]),
                0..24,
            )
        ) {
            let text = text.concat();
            if let Err(error) = Formula::parse(&text) {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.position()));
            }
        }
    }
}
