//! Conditions on the values of a row, such as `age > 60 and sex == 'F'`, and values that are computed from them,
//! such as `if age < 18 then 0 else income / 12`: one small typed language.
//!
//! Columns, numbers, 'strings', `true` and `false` are compared by `== != < <= > >=`; `and`, `or`, `not` and
//! parentheses join comparisons; `x in ('a', 'b', 3)` and `x is missing` are further conditions, and `A when B`
//! means `not B or A`. `+ - * / ^` and functions compute with numbers, and `+ -` add days to dates. Dates are
//! strings in the column's format or in ISO form. Ordered categories compare by their order, others by equality
//! only. Names of columns that are not plain words are written in back-quotes.
//!
//! A comparison with a missing value is unknown, and `and`, `or`, `not` follow Kleene's logic: a row passes a
//! filter if the condition is true, and satisfies a constraint if it is not false. Values are compared as
//! doubles. A value computed from a missing value is missing.

mod contradiction;
mod cut_points;
mod derivation;
mod error;
mod evaluate;
mod expression;
mod fit;
mod function;
mod kind;
mod measured;
mod resolve;
mod syntax;
mod token;

pub(crate) use contradiction::contradiction_among;
pub use contradiction::{Contradiction, contradiction};
pub(crate) use cut_points::CutPoint;
pub(super) use derivation::Derivation;
pub use derivation::{Derive, Lookup, LookupValue};
pub use error::ConditionError;

use std::sync::Arc;

use super::{Column, ColumnSchema, ColumnType, Schema, Table};
use evaluate::{FALSE, Rows, TRUE, Truth};
use expression::{Node, Term};
use resolve::Resolver;
use token::Comparison;

/// A condition on the rows of tables with a certain schema.
///
/// ```
/// use indistinct::table::{Column, Condition, Schema, Table};
///
/// let table = Table::new(vec![
///     Column::float("age", vec![61.0, 44.0, f64::NAN]),
///     Column::nominal("sex", &["F", "M"], vec![0, 0, 1]),
/// ])?;
/// let schema = Schema::new(vec![], table.columns().iter().map(|column| column.schema().clone()).collect())?;
/// let condition = Condition::parse("age > 60 and sex == 'F'", &schema)?;
/// assert_eq!(condition.holds(&table), [Some(true), Some(false), Some(false)]);
/// assert_eq!(Condition::parse("agee > 60", &schema).unwrap_err().advice(), "did you mean `age`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    node: Node,
    uses: Vec<Use>,
    /// Terms of derived columns that the table does not have, each computed from the columns in `uses` and the
    /// terms before it. Their places come after those of `uses`.
    derived: Vec<Arc<Term>>,
}

/// A column that an expression uses.
#[derive(Debug, Clone, PartialEq)]
struct Use {
    name: String,
    kind: ColumnType,
    position: usize,
}

impl Use {
    /// The columns at these positions.
    fn all(positions: &[usize], columns: &[ColumnSchema]) -> Vec<Self> {
        let used = |&position: &usize| {
            let column = &columns[position];
            Self { name: column.name().to_owned(), kind: column.kind().clone(), position }
        };
        positions.iter().map(used).collect()
    }

    fn found_in<'t>(&self, table: &'t Table) -> &'t Column {
        match table.column(&self.name) {
            Some(column) if column.schema().kind() == &self.kind => column,
            _ => panic!("the table has column `{}` of the schema that it was read with", self.name),
        }
    }
}

impl Condition {
    /// Reads a condition on the columns of a schema.
    ///
    /// # Errors
    /// When the text is not a condition, names an unknown column or level, or compares what cannot be compared.
    pub fn parse(text: &str, schema: &Schema) -> Result<Self, ConditionError> {
        let syntax = syntax::parse(text)?;
        let mut resolver = Resolver::new(schema.columns());
        let node = resolver.node(&syntax)?;
        let uses = Use::all(&resolver.columns, schema.columns());
        Ok(Self { node, uses, derived: Vec::new() })
    }

    /// The positions in the schema of the columns that the condition uses, in the order of first use.
    pub fn columns(&self) -> Vec<usize> {
        self.uses.iter().map(|column| column.position).collect()
    }

    /// Whether the condition is true, false or unknown (`None`) in each row of a table. Columns are found by
    /// name.
    ///
    /// # Panics
    /// When the table does not have a column that the condition uses, or has it with another type.
    pub fn holds(&self, table: &Table) -> Vec<Option<bool>> {
        let option = |truth: Truth| match truth {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        };
        self.truths(table).into_iter().map(option).collect()
    }

    /// Whether the condition is true in each row, so that the row passes a filter.
    ///
    /// # Panics
    /// When [`Self::holds`] does.
    pub fn passing(&self, table: &Table) -> Vec<bool> {
        self.truths(table).into_iter().map(|truth| truth == TRUE).collect()
    }

    /// Whether the condition is not false in each row, so that the row satisfies a constraint.
    ///
    /// # Panics
    /// When [`Self::holds`] does.
    pub fn satisfied(&self, table: &Table) -> Vec<bool> {
        self.truths(table).into_iter().map(|truth| truth != FALSE).collect()
    }

    fn truths(&self, table: &Table) -> Vec<Truth> {
        let mut rows = Rows::new(table.rows(), self.uses.iter().map(|used| used.found_in(table)));
        for term in &self.derived {
            rows.compute(term);
        }
        rows.node(&self.node)
    }

    /// The condition for a schema in which columns have moved; `None` if one is no longer there.
    pub(super) fn moved(&self, position: impl Fn(&str) -> Option<usize>) -> Option<Self> {
        let moved = |used: &Use| Some(Use { position: position(&used.name)?, ..used.clone() });
        Some(Self { uses: self.uses.iter().map(moved).collect::<Option<_>>()?, ..self.clone() })
    }

    /// Positions in the schema of columns that the others decide: the condition says that a number or a date
    /// equals a value computed from them. Drawn rows hardly ever satisfy that.
    pub(super) fn decided_columns(&self) -> Vec<usize> {
        let parts = match &self.node {
            Node::And(nodes) => nodes.as_slice(),
            node => std::slice::from_ref(node),
        };
        let decided = |one: &Term, other: &Term| match one {
            Term::Column(place) if !other.is_constant() && !other.uses(*place) => {
                self.uses.get(*place).filter(|used| !used.kind.has_levels()).map(|used| used.position)
            }
            _ => None,
        };
        let both = parts.iter().filter_map(|part| match part {
            Node::Compare { comparison: Comparison::Equal, left, right } => {
                Some([decided(left, right), decided(right, left)])
            }
            _ => None,
        });
        both.flatten().flatten().collect()
    }
}
