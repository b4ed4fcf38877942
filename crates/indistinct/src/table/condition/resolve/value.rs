//! Values while they are resolved.

use crate::table::condition::expression::{Node, Term};
use crate::table::condition::kind::{Kind, Literal};

/// A value of known kind, or one that takes the kind of what it is compared with or assigned to.
pub(super) struct Value {
    pub(super) at: usize,
    pub(super) form: Form,
    /// The value's kind; for a value without a kind of its own, the kind that it has if nothing says otherwise.
    pub(super) kind: Kind,
    /// Whether a number, or the number of a date's days, is known to be whole.
    pub(super) whole: bool,
    /// The value's name in messages.
    pub(super) name: String,
}

pub(super) enum Form {
    Term(Term),
    Literal(Literal),
    Missing,
    If(Vec<(Node, Value)>, Box<Value>),
    /// The value in a lookup for each code of a column.
    Lookup {
        column: usize,
        entries: Vec<Option<Literal>>,
    },
    /// One of several classes, which the levels of a column name.
    Class(Term),
}

impl Value {
    pub(super) fn literal(at: usize, literal: Literal) -> Self {
        let whole = literal.is_whole();
        Self { at, kind: literal.kind(), whole, name: literal.name(), form: Form::Literal(literal) }
    }

    pub(super) fn computed(at: usize, term: Term, kind: Kind, whole: bool) -> Self {
        Self { at, form: Form::Term(term), kind, whole, name: "a computed value".to_owned() }
    }

    pub(super) fn is_literal(&self) -> bool {
        matches!(self.form, Form::Literal(_))
    }

    /// Whether it takes its kind from what is next to it.
    pub(super) fn is_open(&self) -> bool {
        match &self.form {
            Form::Term(_) => false,
            Form::If(cases, otherwise) => {
                cases.iter().map(|(_, value)| value).chain([&**otherwise]).all(Self::is_open)
            }
            Form::Literal(_) | Form::Missing | Form::Lookup { .. } | Form::Class(_) => true,
        }
    }
}
