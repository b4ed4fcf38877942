//! From words to a tree, before anything is known of the columns.

use super::ConditionError;
use super::token::{Comparison, Placed, Token, tokens};

/// So deep may parentheses, `not` and signs be nested: enough for people, and far from the end of the stack.
const DEEPEST: usize = 100;

/// Bytes of the longest condition: lists of thousands of values fit.
const LONGEST: usize = 1 << 20;

/// A part of a condition and its place, in characters from 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) at: usize,
    pub(super) syntax: Syntax,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Syntax {
    Number(f64),
    Text(String),
    Truth(bool),
    Name(String),
    Negative(Box<Part>),
    /// Summands, each with whether it is subtracted.
    Sum(Vec<(bool, Part)>),
    Product(Vec<Part>),
    Compare(Comparison, Box<Part>, Box<Part>),
    Member {
        value: Box<Part>,
        list: Vec<Part>,
    },
    IsMissing(Box<Part>),
    Not(Box<Part>),
    And(Vec<Part>),
    Or(Vec<Part>),
}

/// Parses a whole text: a condition, or `A when B`, which is `not B or A`.
pub(super) fn parse(text: &str) -> Result<Part, ConditionError> {
    if text.len() > LONGEST {
        let what = format!("the condition is longer than {LONGEST} bytes");
        return Err(ConditionError::new(0, what, "use several constraints, or a column that says the same"));
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, next: 0, depth: 0 };
    if parser.token() == &Token::End {
        return Err(ConditionError::new(0, "the condition is empty", "write one, as in age > 60"));
    }
    let then = parser.disjunction()?;
    if !parser.takes(&Token::Word("when")) {
        parser.end()?;
        return Ok(then);
    }
    let when = parser.disjunction()?;
    parser.end()?;
    let negated = Part { at: when.at, syntax: Syntax::Not(Box::new(when)) };
    Ok(Part { at: then.at, syntax: Syntax::Or(vec![negated, then]) })
}

struct Parser {
    /// Ends with [`Token::End`], which is never passed.
    tokens: Vec<Placed>,
    next: usize,
    depth: usize,
}

type Parsed = Result<Part, ConditionError>;

impl Parser {
    fn token(&self) -> &Token {
        &self.tokens[self.next].token
    }

    fn at(&self) -> usize {
        self.tokens[self.next].at
    }

    fn takes(&mut self, token: &Token) -> bool {
        let found = self.token() == token;
        self.next += usize::from(found && self.next + 1 < self.tokens.len());
        found
    }

    fn error<T>(&self, what: &str, advice: &str) -> Result<T, ConditionError> {
        Err(ConditionError::new(self.at(), what, advice))
    }

    fn end(&self) -> Result<(), ConditionError> {
        match self.token() {
            Token::End => Ok(()),
            Token::Sign(')') => {
                self.error("this parenthesis closes nothing", "remove it, or open one before")
            }
            Token::Word("when") => {
                self.error("`when` stands once, and outside parentheses", "write `A when B and C`")
            }
            Token::Name(name) if ["AND", "OR", "NOT", "IN", "IS", "WHEN"].contains(&name.as_str()) => {
                let advice = format!("write `{}` in small letters", name.to_lowercase());
                self.error("a condition ends before this", &advice)
            }
            _ => self.error("a condition ends before this", "join conditions by `and` or `or`"),
        }
    }

    /// Goes one level down, and up again after.
    fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth == DEEPEST {
            let what = format!("the condition is nested more than {DEEPEST} deep");
            return self.error(&what, "use fewer parentheses, or several constraints");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// One or more of what `item` parses, with `word` between them.
    fn joined(
        &mut self,
        word: &'static str,
        item: fn(&mut Self) -> Parsed,
        make: fn(Vec<Part>) -> Syntax,
    ) -> Parsed {
        let first = item(self)?;
        if self.token() != &Token::Word(word) {
            return Ok(first);
        }
        let at = first.at;
        let mut parts = vec![first];
        while self.takes(&Token::Word(word)) {
            parts.push(item(self)?);
        }
        Ok(Part { at, syntax: make(parts) })
    }

    fn disjunction(&mut self) -> Parsed {
        self.joined("or", Self::conjunction, Syntax::Or)
    }

    fn conjunction(&mut self) -> Parsed {
        self.joined("and", Self::negation, Syntax::And)
    }

    fn negation(&mut self) -> Parsed {
        let at = self.at();
        if !self.takes(&Token::Word("not")) {
            return self.comparison();
        }
        let inner = self.deeper(Self::negation)?;
        Ok(Part { at, syntax: Syntax::Not(Box::new(inner)) })
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let at = left.at;
        let value = Box::new(left);
        let negated = |negated: bool, part: Part| {
            if negated { Part { at, syntax: Syntax::Not(Box::new(part)) } } else { part }
        };
        if let &Token::Compare(comparison) = self.token() {
            let place = self.at();
            self.takes(&Token::Compare(comparison));
            let right = self.sum()?;
            if matches!(self.token(), Token::Compare(_)) {
                return self.error("comparisons do not chain", "write `a < b and b < c`");
            }
            return Ok(Part { at: place, syntax: Syntax::Compare(comparison, value, Box::new(right)) });
        }
        if self.takes(&Token::Word("is")) {
            let not = self.takes(&Token::Word("not"));
            if !self.takes(&Token::Word("missing")) {
                return self.error("`is` asks for missing values only", "write `is missing`, or use ==");
            }
            return Ok(negated(not, Part { at, syntax: Syntax::IsMissing(value) }));
        }
        let not = self.takes(&Token::Word("not"));
        if self.takes(&Token::Word("in")) {
            let list = self.list()?;
            return Ok(negated(not, Part { at, syntax: Syntax::Member { value, list } }));
        }
        if not {
            return self.error("`not` stands before a condition, or before `in`", "write `not (...)`");
        }
        Ok(*value)
    }

    /// Literals in parentheses.
    fn list(&mut self) -> Result<Vec<Part>, ConditionError> {
        let advice = "write a list, as in ('a', 'b', 3)";
        if !self.takes(&Token::Sign('(')) {
            return self.error("a list in parentheses is missing here", advice);
        }
        let mut list = Vec::new();
        loop {
            let at = self.at();
            let negative = self.takes(&Token::Sign('-'));
            let syntax = match (self.token(), negative) {
                (&Token::Number(number), false) => Syntax::Number(number),
                (&Token::Number(number), true) => Syntax::Number(-number),
                (Token::Text(text), false) => Syntax::Text(text.clone()),
                (Token::Word("true"), false) => Syntax::Truth(true),
                (Token::Word("false"), false) => Syntax::Truth(false),
                _ => return self.error("a list holds numbers, strings, true and false", advice),
            };
            self.next += 1;
            list.push(Part { at, syntax });
            if self.takes(&Token::Sign(')')) {
                return Ok(list);
            }
            if !self.takes(&Token::Sign(',')) {
                return self.error("the list does not go on with a comma or end", advice);
            }
        }
    }

    fn sum(&mut self) -> Parsed {
        let first = self.product()?;
        let at = first.at;
        let mut summands = vec![(false, first)];
        loop {
            if self.takes(&Token::Sign('+')) {
                summands.push((false, self.product()?));
            } else if self.takes(&Token::Sign('-')) {
                summands.push((true, self.product()?));
            } else {
                break;
            }
        }
        Ok(match <[_; 1]>::try_from(summands) {
            Ok([(_, only)]) => only,
            Err(summands) => Part { at, syntax: Syntax::Sum(summands) },
        })
    }

    fn product(&mut self) -> Parsed {
        let first = self.signed()?;
        let at = first.at;
        let mut factors = vec![first];
        while self.takes(&Token::Sign('*')) {
            factors.push(self.signed()?);
        }
        Ok(match <[_; 1]>::try_from(factors) {
            Ok([only]) => only,
            Err(factors) => Part { at, syntax: Syntax::Product(factors) },
        })
    }

    fn signed(&mut self) -> Parsed {
        let at = self.at();
        if !self.takes(&Token::Sign('-')) {
            return self.primary();
        }
        let inner = self.deeper(Self::signed)?;
        // A negative number is a literal too.
        let syntax = match inner.syntax {
            Syntax::Number(number) => Syntax::Number(-number),
            _ => Syntax::Negative(Box::new(inner)),
        };
        Ok(Part { at, syntax })
    }

    fn primary(&mut self) -> Parsed {
        let at = self.at();
        if self.takes(&Token::Sign('(')) {
            let inner = self.deeper(Self::disjunction)?;
            if !self.takes(&Token::Sign(')')) {
                self.end()?;
                return Err(ConditionError::new(at, "this parenthesis is never closed", "close it with )"));
            }
            return Ok(inner);
        }
        let syntax = match self.token() {
            &Token::Number(number) => Syntax::Number(number),
            Token::Text(text) => Syntax::Text(text.clone()),
            Token::Name(name) => Syntax::Name(name.clone()),
            Token::Word("true") => Syntax::Truth(true),
            Token::Word("false") => Syntax::Truth(false),
            Token::End => {
                return self
                    .error("the condition ends too early", "go on with a column, a number or a 'string'");
            }
            Token::Word(word) => {
                let what = format!("a value is missing before `{word}`");
                let advice = format!("write a column there; if `{word}` is one, put it in back-quotes");
                return self.error(&what, &advice);
            }
            _ => return self.error("a value is missing here", "write a column, a number or a 'string'"),
        };
        self.next += 1;
        Ok(Part { at, syntax })
    }
}
