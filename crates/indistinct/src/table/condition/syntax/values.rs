//! Values: sums, products, powers, calls and their parts.

use super::{IF_ADVICE, IF_INSIDE, Parsed, Parser, Part, Purpose, Syntax};
use crate::table::condition::ConditionError;
use crate::table::condition::function::Function;
use crate::table::condition::token::Token;
use crate::table::nearest;

impl Parser {
    /// Literals in parentheses.
    pub(super) fn list(&mut self) -> Result<Vec<Part>, ConditionError> {
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

    pub(super) fn sum(&mut self) -> Parsed {
        self.chain(['+', '-'], Self::product, Syntax::Sum)
    }

    fn product(&mut self) -> Parsed {
        self.chain(['*', '/'], Self::signed, Syntax::Product)
    }

    /// One or more items parsed by `item`, with one of two signs between them; `true` for items after the second
    /// sign.
    fn chain(
        &mut self,
        [first, second]: [char; 2],
        item: fn(&mut Self) -> Parsed,
        make: fn(Vec<(bool, Part)>) -> Syntax,
    ) -> Parsed {
        let start = item(self)?;
        let at = start.at;
        let mut parts = vec![(false, start)];
        loop {
            if self.takes(&Token::Sign(first)) {
                parts.push((false, item(self)?));
            } else if self.takes(&Token::Sign(second)) {
                parts.push((true, item(self)?));
            } else {
                break;
            }
        }
        Ok(match <[_; 1]>::try_from(parts) {
            Ok([(_, only)]) => only,
            Err(parts) => Part { at, syntax: make(parts) },
        })
    }

    fn signed(&mut self) -> Parsed {
        let at = self.at();
        if !self.takes(&Token::Sign('-')) {
            return self.power();
        }
        let inner = self.deeper(Self::signed)?;
        // A negative number is a literal too.
        let syntax = match inner.syntax {
            Syntax::Number(number) => Syntax::Number(-number),
            _ => Syntax::Negative(Box::new(inner)),
        };
        Ok(Part { at, syntax })
    }

    /// `x ^ y`, which binds closer than a sign before x, and allows any signed value after `^`: `-x ^ -y ^ z` is
    /// `-(x ^ (-(y ^ z)))`.
    fn power(&mut self) -> Parsed {
        let base = self.primary()?;
        if !self.takes(&Token::Sign('^')) {
            return Ok(base);
        }
        let exponent = self.deeper(Self::signed)?;
        Ok(Part { at: base.at, syntax: Syntax::Power(Box::new(base), Box::new(exponent)) })
    }

    fn primary(&mut self) -> Parsed {
        let at = self.at();
        if self.takes(&Token::Sign('(')) {
            let inner = self.deeper(Self::expression)?;
            if !self.takes(&Token::Sign(')')) {
                self.end()?;
                return Err(ConditionError::new(at, "this parenthesis is never closed", "close it with )"));
            }
            return Ok(inner);
        }
        let syntax = match self.token() {
            &Token::Number(number) => Syntax::Number(number),
            Token::Text(text) => Syntax::Text(text.clone()),
            Token::Name(name) => {
                let name = name.clone();
                self.next += 1;
                if self.token() == &Token::Sign('(') {
                    return self.call(at, &name);
                }
                return Ok(Part { at, syntax: Syntax::Name(name) });
            }
            Token::Quoted(name) => Syntax::Name(name.clone()),
            Token::Word("true") => Syntax::Truth(true),
            Token::Word("false") => Syntax::Truth(false),
            Token::Word("missing") if self.purpose == Purpose::Derivation => Syntax::Missing,
            Token::End => {
                let what = format!("the {} ends too early", self.purpose.noun());
                return self.error(&what, "go on with a column, a number or a 'string'");
            }
            Token::Word("if") => return self.error(IF_INSIDE, IF_ADVICE),
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

    /// Arguments in parentheses, after the name of a function.
    fn call(&mut self, at: usize, name: &str) -> Parsed {
        let Some(function) = Function::named(name) else {
            let advice = nearest(name, Function::ALL.map(Function::name));
            return Err(ConditionError::new(at, format!("there is no function `{name}`"), advice));
        };
        self.takes(&Token::Sign('('));
        let mut arguments = Vec::new();
        while !self.takes(&Token::Sign(')')) {
            if !arguments.is_empty() && !self.takes(&Token::Sign(',')) {
                let what = format!("the arguments of `{name}` do not go on with a comma or end");
                return self.error(&what, &format!("write it as in {}", function.example()));
            }
            arguments.push(self.deeper(Self::expression)?);
        }
        if !function.arguments().contains(&arguments.len()) {
            let what = format!("`{name}` does not take {}", counted(arguments.len()));
            return Err(ConditionError::new(at, what, format!("write it as in {}", function.example())));
        }
        Ok(Part { at, syntax: Syntax::Call(function, arguments) })
    }
}

fn counted(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_owned(),
        1 => "one argument only".to_owned(),
        more => format!("{more} arguments"),
    }
}
