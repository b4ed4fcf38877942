//! Values of derived columns, such as `weight / (height / 100) ^ 2`: the language of conditions, for values.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::evaluate::Rows;
use super::expression::Term;
use super::fit::Fit;
use super::resolve::Resolver;
use super::{ConditionError, Use, syntax};
use crate::table::{Column, ColumnSchema, Table};

/// The value of a derived column for each level of another column.
pub type Lookup = BTreeMap<String, LookupValue>;

/// A value in a lookup, as it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum LookupValue {
    /// A number.
    Number(f64),
    /// A level, a date, or a spelling of missing values.
    Text(String),
    /// True or false.
    Truth(bool),
}

/// The declaration of a column that is computed from others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Derive {
    /// The expression.
    pub expression: String,
    /// The values that `lookup` looks up; empty if there are none.
    pub lookup: Lookup,
}

/// A resolved derivation: it computes a column in rows that have the columns it uses.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::table) struct Derivation {
    /// The derived column.
    pub(in crate::table) column: String,
    pub(super) fit: Fit,
    pub(super) term: Arc<Term>,
    pub(super) uses: Vec<Use>,
}

impl Derivation {
    /// Parses the derivation of a column from others of a schema.
    ///
    /// # Errors
    /// When the text is not an expression, uses an unknown name, or gives values that the column cannot hold.
    pub(in crate::table) fn parse(
        column: &ColumnSchema,
        derive: &Derive,
        columns: &[ColumnSchema],
        missing: &[String],
    ) -> Result<Self, ConditionError> {
        let syntax = syntax::parse_value(&derive.expression)?;
        let mut resolver = Resolver::new(columns);
        resolver.lookup = (!derive.lookup.is_empty()).then_some(&derive.lookup);
        resolver.missing = missing.iter().chain(column.missing()).map(String::as_str).collect();
        let term = resolver.derived(&syntax, column)?;
        if resolver.lookup.is_some() && !resolver.lookup_used {
            return Err(ConditionError::new(
                0,
                "the column has a lookup that the expression does not use",
                "write lookup(...) with the column whose levels it has, or remove the lookup",
            ));
        }
        let fit = Fit::of(column);
        Ok(Self {
            column: column.name().to_owned(),
            fit,
            term: Arc::new(Term::Fitted(Box::new(term), fit)),
            uses: Use::all(&resolver.columns, columns),
        })
    }

    /// The derivation for a schema in which columns have moved.
    pub(in crate::table) fn moved(&self, position: impl Fn(&str) -> Option<usize>) -> Self {
        let moved =
            |used: &Use| Use { position: position(&used.name).unwrap_or(used.position), ..used.clone() };
        Self { uses: self.uses.iter().map(moved).collect(), ..self.clone() }
    }

    /// The names of the columns that it uses.
    pub(in crate::table) fn uses(&self) -> impl Iterator<Item = &str> {
        self.uses.iter().map(|used| used.name.as_str())
    }

    /// Computes the column for the rows of a table that has the columns it uses.
    ///
    /// # Panics
    /// When the table does not have one of them, or has it with another type.
    pub(in crate::table) fn computed(&self, column: &ColumnSchema, table: &Table) -> Column {
        let rows = Rows::new(table.rows(), self.uses.iter().map(|used| used.found_in(table)));
        Column::new(column.clone(), self.fit.values(rows.reals(&self.term)))
    }
}
