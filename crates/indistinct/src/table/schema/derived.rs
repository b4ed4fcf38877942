//! Derived columns: computed from others, never measured.

use super::order::order;
use super::{ColumnSchema, Constraint, Schema, SchemaError};
use crate::table::condition::Derivation;
use crate::table::{Column, Condition, Table};

/// Most derived columns in a schema: each may build on all others.
pub(super) const MOST_DERIVED: usize = 1000;

/// A measured column that a constraint decides, so that it should be derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedColumn {
    /// Number of the constraint, counted from 1.
    pub constraint: usize,
    /// The column.
    pub column: String,
}

/// The derivations of columns, in an order in which they can be computed.
pub(super) fn derivations(
    missing: &[String],
    columns: &[ColumnSchema],
) -> Result<Vec<Derivation>, SchemaError> {
    let mut found = Vec::new();
    if columns.iter().filter(|column| column.derive.is_some()).count() > MOST_DERIVED {
        return Err(SchemaError::TooManyDerived);
    }
    for column in columns {
        if let Some(derive) = &column.derive {
            let derivation = Derivation::parse(column, derive, columns, missing);
            let error = |error| SchemaError::Derivation { column: column.name.clone(), error };
            found.push(derivation.map_err(error)?);
        }
    }
    if !found.is_empty() && !columns.iter().any(ColumnSchema::is_measured) {
        return Err(SchemaError::NothingMeasured);
    }
    let place = |name: &str| found.iter().position(|derivation| derivation.column == name);
    let depends_on: Vec<Vec<usize>> =
        found.iter().map(|derivation| derivation.uses().filter_map(place).collect()).collect();
    match order(&depends_on) {
        Ok(order) => Ok(order.into_iter().map(|place| found[place].clone()).collect()),
        Err(circle) => Err(SchemaError::DerivedCircle {
            columns: circle.into_iter().map(|place| found[place].column.clone()).collect(),
        }),
    }
}

impl Schema {
    /// The schema of the measured columns: without identifiers and derived columns. Constraints on derived
    /// columns become constraints on the columns they are computed from, so that code that makes rows need not
    /// know of derived ones.
    ///
    /// # Errors
    /// When no column is left.
    pub fn measured(&self) -> Result<Self, SchemaError> {
        if self.derivations.is_empty() {
            return self.without_identifiers();
        }
        let columns: Vec<ColumnSchema> =
            self.columns.iter().filter(|column| column.is_measured()).cloned().collect();
        if columns.is_empty() {
            return Err(SchemaError::NothingMeasured);
        }
        let position = |name: &str| columns.iter().position(|column| column.name == name);
        let kept = |constraint: &Constraint| {
            let condition = constraint.condition.measured(&self.derivations, position)?;
            Some(Constraint { condition, ..constraint.clone() })
        };
        let constraints = self.constraints.iter().filter_map(kept).collect();
        let (missing, delimiter) = (self.missing.clone(), self.delimiter);
        Ok(Self { missing, delimiter, columns, constraints, derivations: Vec::new() })
    }

    /// A condition on the columns of this schema, rewritten for those of [`Self::measured`].
    ///
    /// # Panics
    /// When the condition was read with another schema.
    pub fn measured_condition(&self, condition: &Condition) -> Condition {
        let position = |name: &str| {
            self.columns.iter().filter(|column| column.is_measured()).position(|column| column.name == name)
        };
        match condition.measured(&self.derivations, position) {
            Some(measured) => measured,
            None => panic!("a condition on columns of another schema"),
        }
    }

    /// Computes the derived columns that a table does not have, and puts all columns in the order of the schema.
    /// Columns that the schema does not declare are left out.
    ///
    /// Values are computed from the other columns as they are in the table, on their grids and in double
    /// precision: computing them again from a file of the table gives the same values.
    ///
    /// # Panics
    /// When the table lacks a column from which another is computed.
    #[must_use]
    pub fn with_derived(&self, table: Table) -> Table {
        let mut table = table;
        for derivation in &self.derivations {
            let name = &derivation.column;
            let declared = self.columns.iter().find(|column| column.name == *name);
            if let (Some(declared), None) = (declared, table.column(name)) {
                let column = derivation.computed(declared, &table);
                table = table.with_column(column);
            }
        }
        table.arranged(self.columns.iter().map(ColumnSchema::name))
    }

    /// The derived columns, in the order of the schema.
    pub fn derived(&self) -> impl Iterator<Item = &ColumnSchema> {
        self.columns.iter().filter(|column| column.derive.is_some())
    }

    /// A measured column that some constraint sets equal to a value of other columns. Hardly any drawn row
    /// satisfies such a constraint: the column should be derived.
    pub fn decided_column(&self) -> Option<DecidedColumn> {
        self.constraints.iter().zip(1..).find_map(|(constraint, number)| {
            let condition = &constraint.condition;
            let decided = condition.decided_columns().into_iter().map(|place| &self.columns[place]);
            let used = condition.columns();
            // What is computed from the column itself cannot decide it.
            let is_circle = |column: &ColumnSchema| {
                let others = used.iter().map(|&place| self.columns[place].name());
                self.sources(others.filter(|name| *name != column.name)).contains(&column.name())
            };
            let mut measured = decided.filter(|column| column.is_measured() && !is_circle(column));
            measured.next().map(|column| DecidedColumn { constraint: number, column: column.name.clone() })
        })
    }

    /// The given columns, and all columns from which the derived ones among them are computed.
    fn sources<'s>(&'s self, names: impl Iterator<Item = &'s str>) -> Vec<&'s str> {
        let mut all: Vec<&str> = names.collect();
        for derivation in self.derivations.iter().rev() {
            if all.contains(&derivation.column.as_str()) {
                all.extend(derivation.uses());
            }
        }
        all
    }
}

impl Table {
    /// The table with one more column of the same number of rows.
    fn with_column(self, column: Column) -> Self {
        let mut columns = self.columns;
        columns.push(column);
        Self::of_columns(columns)
    }

    /// The table's columns with these names, in this order.
    fn arranged<'n>(mut self, names: impl Iterator<Item = &'n str>) -> Self {
        let mut columns = Vec::with_capacity(self.columns.len());
        for name in names {
            if let Some(place) = self.columns.iter().position(|column| column.name() == name) {
                columns.push(self.columns.swap_remove(place));
            }
        }
        Self { rows: self.rows, columns }
    }
}
