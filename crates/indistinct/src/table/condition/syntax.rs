//! From words to a tree, before anything is known about the columns.

mod values;

use super::ConditionError;
use super::function::Function;
use super::token::{Comparison, Placed, Token, tokens};

/// Deepest nesting of parentheses, `not` and signs: enough for people, and far from the end of the stack.
const DEEPEST: usize = 100;

/// Most bytes in a text: lists of thousands of values fit.
const LONGEST: usize = 1 << 20;

/// Keywords in capitals, as other languages write them.
const UPPER: [&str; 9] = ["AND", "OR", "NOT", "IN", "IS", "WHEN", "IF", "THEN", "ELSE"];

/// Message about an `if` within a sum or a comparison.
const IF_INSIDE: &str = "`if` cannot stand here";
const IF_ADVICE: &str = "put all of `if ... then ... else ...` in parentheses";

/// A part of a text and its place, in characters from 0.
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
    Missing,
    Name(String),
    Negative(Box<Part>),
    /// Summands; `true` for those that are subtracted.
    Sum(Vec<(bool, Part)>),
    /// Factors; `true` for those that divide.
    Product(Vec<(bool, Part)>),
    Power(Box<Part>, Box<Part>),
    Call(Function, Vec<Part>),
    /// Conditions with the value in each case, and the value in all others.
    If(Vec<(Part, Part)>, Box<Part>),
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
    let mut parser = Parser::new(text, Purpose::Condition)?;
    let then = parser.expression()?;
    if !parser.takes(&Token::Word("when")) {
        parser.end()?;
        return Ok(then);
    }
    let when = parser.disjunction()?;
    parser.end()?;
    let negated = Part { at: when.at, syntax: Syntax::Not(Box::new(when)) };
    Ok(Part { at: then.at, syntax: Syntax::Or(vec![negated, then]) })
}

/// Parses a whole text: the value of a derived column.
pub(super) fn parse_value(text: &str) -> Result<Part, ConditionError> {
    let mut parser = Parser::new(text, Purpose::Derivation)?;
    let value = parser.expression()?;
    parser.end()?;
    Ok(value)
}

/// The purpose of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Condition,
    Derivation,
}

impl Purpose {
    fn noun(self) -> &'static str {
        match self {
            Self::Condition => "condition",
            Self::Derivation => "expression",
        }
    }
}

struct Parser {
    /// Ends with [`Token::End`], which is never passed.
    tokens: Vec<Placed>,
    next: usize,
    depth: usize,
    purpose: Purpose,
}

type Parsed = Result<Part, ConditionError>;

impl Parser {
    fn new(text: &str, purpose: Purpose) -> Result<Self, ConditionError> {
        let noun = purpose.noun();
        if text.len() > LONGEST {
            let what = format!("the {noun} is longer than {LONGEST} bytes");
            return Err(ConditionError::new(0, what, "use several, or a column that says the same"));
        }
        let parser = Self { tokens: tokens(text)?, next: 0, depth: 0, purpose };
        if parser.token() == &Token::End {
            let example = match purpose {
                Purpose::Condition => "age > 60",
                Purpose::Derivation => "width * height",
            };
            let what = format!("the {noun} is empty");
            return Err(ConditionError::new(0, what, format!("write one, as in {example}")));
        }
        Ok(parser)
    }

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
            Token::Word("when") if self.purpose == Purpose::Derivation => {
                self.error("`when` stands in rules only", "write `if B then A else C`")
            }
            Token::Word("when") => {
                self.error("`when` stands once, and outside parentheses", "write `A when B and C`")
            }
            Token::Word("if") => self.error(IF_INSIDE, IF_ADVICE),
            Token::Word(word @ ("then" | "else")) => {
                let what = format!("`{word}` belongs to no `if`");
                self.error(&what, "write `if A then B else C`")
            }
            Token::Sign('(') => self.error("nothing is called here", "write functions as in round(x, 2)"),
            Token::Name(name) if UPPER.contains(&name.as_str()) => {
                let advice = format!("write `{}` in small letters", name.to_lowercase());
                self.error(&self.ended(), &advice)
            }
            _ => {
                let advice = match self.purpose {
                    Purpose::Condition => "join conditions by `and` or `or`",
                    Purpose::Derivation => "join values by + - * / ^, and conditions by `and` or `or`",
                };
                self.error(&self.ended(), advice)
            }
        }
    }

    fn ended(&self) -> String {
        match self.purpose {
            Purpose::Condition => "a condition ends before this".to_owned(),
            Purpose::Derivation => "the expression ends before this".to_owned(),
        }
    }

    /// Parses one level deeper, and returns to this level.
    fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth == DEEPEST {
            let what = format!("the {} is nested more than {DEEPEST} deep", self.purpose.noun());
            return self.error(&what, "use fewer parentheses, or several constraints or columns");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// One or more items parsed by `item`, with `word` between them.
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

    /// `if A then B else if C then D else E`, or anything else.
    fn expression(&mut self) -> Parsed {
        let at = self.at();
        let mut cases = Vec::new();
        while self.takes(&Token::Word("if")) {
            let condition = self.deeper(Self::disjunction)?;
            self.word("then", "a value")?;
            let value = self.deeper(Self::expression)?;
            self.word("else", "the value in all other cases")?;
            cases.push((condition, value));
        }
        if cases.is_empty() {
            return self.disjunction();
        }
        let otherwise = self.deeper(Self::disjunction)?;
        Ok(Part { at, syntax: Syntax::If(cases, Box::new(otherwise)) })
    }

    fn word(&mut self, word: &'static str, goal: &str) -> Result<(), ConditionError> {
        if self.takes(&Token::Word(word)) {
            return Ok(());
        }
        let what = format!("`if` goes on with `{word}` and {goal}");
        self.error(&what, "write `if A then B else C`")
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
}
