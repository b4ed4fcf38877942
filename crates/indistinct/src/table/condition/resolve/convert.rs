//! Conversion of values to a certain kind.

use std::collections::HashMap;
use std::sync::Arc;

use super::value::{Form, Value};
use super::{Resolved, error};
use crate::table::condition::expression::Term;
use crate::table::condition::kind::{Kind, Literal};
use crate::table::moment::DAY;
use crate::table::nearest;

/// Codes of one list of levels in another, by the addresses of both lists: computed once, however often columns
/// are compared.
pub(in crate::table::condition) type Recodings = HashMap<[*const String; 2], Arc<[Option<f64>]>>;

/// The condition on the levels of a column that is converted to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Some levels are levels of the other column: the columns are compared.
    Common,
    /// All levels are levels of the other column, which is to hold them.
    Declared,
}

/// Converts values to terms of a kind.
pub(super) struct Converter<'a> {
    pub(super) recodings: &'a mut Recodings,
    pub(super) strictness: Strictness,
}

impl<'a> Converter<'a> {
    pub(super) fn comparing(recodings: &'a mut Recodings) -> Self {
        Self { recodings, strictness: Strictness::Common }
    }

    /// The value as a term of this kind.
    pub(super) fn convert(&mut self, value: Value, target: &Kind) -> Resolved<Term> {
        let Value { at, form, kind, name, .. } = value;
        match form {
            Form::Literal(literal) => match target.read(&literal) {
                Some(Ok(number)) => Ok(Term::Constant(number)),
                Some(Err((what, advice))) => error(at, what, advice),
                None => self.unlike(at, &name, &kind, target),
            },
            Form::Missing => Ok(Term::Missing),
            Form::If(cases, otherwise) => {
                let mut converted = Vec::with_capacity(cases.len());
                for (node, value) in cases {
                    converted.push((node, self.convert(value, target)?));
                }
                Ok(Term::If(converted, Box::new(self.convert(*otherwise, target)?)))
            }
            Form::Lookup { column, entries } => {
                let read = |entry: Option<Literal>| -> Resolved<Option<f64>> {
                    let Some(literal) = entry else { return Ok(None) };
                    match target.read(&literal) {
                        Some(Ok(number)) => Ok(Some(number)),
                        Some(Err((what, advice))) => error(at, format!("the lookup: {what}"), advice),
                        None => {
                            let name = format!("{} of the lookup", literal.name());
                            self.unlike(at, &name, &literal.kind(), target)
                        }
                    }
                };
                Ok(Term::Mapped { column, values: entries.into_iter().map(read).collect::<Resolved<_>>()? })
            }
            Form::Class(term) => match (&kind, target) {
                (Kind::Class { count }, Kind::Level { levels, .. }) if levels.len() == *count => Ok(term),
                (Kind::Class { count }, Kind::Level { levels, .. }) => {
                    let what = format!(
                        "these cut points make {count} classes, and there are {} levels",
                        levels.len()
                    );
                    error(at, what, "declare one level more than there are cut points, lowest first")
                }
                _ => self.unlike(at, &name, &kind, target),
            },
            Form::Term(term) => match (&kind, target) {
                (Kind::Number, Kind::Number)
                | (Kind::Day { .. }, Kind::Day { .. })
                | (Kind::Moment { .. }, Kind::Moment { .. })
                | (Kind::Truth { .. }, Kind::Truth { .. }) => Ok(term),
                (Kind::Day { .. }, Kind::Moment { .. }) => Ok(in_microseconds(term)),
                (Kind::Level { levels: own, .. }, Kind::Level { levels, .. }) => {
                    self.recoded(at, term, own, levels)
                }
                _ => self.unlike(at, &name, &kind, target),
            },
        }
    }

    /// A categorical term in the codes of another list; levels that are not in that list get codes beyond its
    /// end.
    fn recoded(
        &mut self,
        at: usize,
        term: Term,
        own: &Arc<[String]>,
        levels: &Arc<[String]>,
    ) -> Resolved<Term> {
        if own == levels {
            return Ok(term);
        }
        let beyond = Some(levels.len() as f64);
        let codes = self.recodings.entry([own.as_ptr(), levels.as_ptr()]).or_insert_with(|| {
            let known: HashMap<&String, f64> =
                levels.iter().enumerate().map(|(code, level)| (level, code as f64)).collect();
            own.iter().map(|level| known.get(level).copied().or(beyond)).collect()
        });
        if let Some(code) = codes.iter().position(|code| *code == beyond)
            && self.strictness == Strictness::Declared
        {
            let what = format!("`{}` can be given, and is not a level of the column", own[code]);
            return error(at, what, nearest(&own[code], levels.iter().map(String::as_str)));
        }
        if codes.iter().all(|code| *code == beyond) {
            return error(
                at,
                "the two columns have no level in common",
                "compare columns with the same levels",
            );
        }
        let Term::Column(column) = term else {
            return error(at, "a computed value has no levels", "compare the column itself");
        };
        Ok(Term::Mapped { column, values: Arc::clone(codes) })
    }

    fn unlike<T>(&self, at: usize, name: &str, own: &Kind, target: &Kind) -> Resolved<T> {
        let what = format!("{name}, {}, does not go with {}", own.words(), target.words());
        let advice = match (self.strictness, own, target) {
            (Strictness::Declared, Kind::Truth { .. }, Kind::Number) => {
                "write `if ... then 1 else 0` to make numbers of it".to_owned()
            }
            (Strictness::Declared, Kind::Number, Kind::Level { .. }) => {
                "name levels, as in `if ... then 'a' else 'b'` or by cut points, or correct the type"
                    .to_owned()
            }
            (Strictness::Declared, Kind::Text, _) | (Strictness::Common, ..) => target.advice(),
            (Strictness::Declared, ..) => "correct the expression, or the type of the column".to_owned(),
        };
        error(at, what, advice)
    }
}

/// Converts days to microseconds.
pub(super) fn in_microseconds(days: Term) -> Term {
    Term::Product(vec![(false, days), (false, Term::Constant(DAY as f64))])
}
