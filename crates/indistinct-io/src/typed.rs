//! Reading with a schema: every column as declared.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table};

use crate::cells::{Collector, Invalid, Total, Typed, TypedPlan};
use crate::error::{Problem, ReadError};
use crate::source::Source;

/// The way a source reads its rows: with or without the demand that there be one.
type CollectRows<'a> = dyn Fn(&(dyn Fn(usize) -> Collector + Sync)) -> Result<Vec<Total>, ReadError> + 'a;

impl Source {
    /// Reads the table that the schema declares, its columns in the schema's order, without identifiers. The file
    /// need not have identifiers: released tables do not. Derived columns that the file does not have are
    /// computed.
    ///
    /// # Errors
    /// When the file is malformed, its columns are not those of the schema, or a cell does not fit its column.
    pub fn read(&self, schema: &Schema) -> Result<Table, ReadError> {
        self.read_with(schema, Invalid::Refuse)
    }

    /// Reads the table like [`Self::read`], with a choice of how to treat cells that do not fit their columns.
    /// Numbers beyond declared limits always fit, however large: those that cannot be stored are read as the
    /// limit.
    ///
    /// # Guarantee
    /// With [`Invalid::Missing`] the value of a cell follows from the cell and the schema alone, and nothing
    /// reveals that a cell was not allowed, nor how many were not.
    ///
    /// # Errors
    /// When the file is malformed, its columns are not those of the schema, or, with [`Invalid::Refuse`], a cell
    /// does not fit its column.
    pub fn read_with(&self, schema: &Schema, invalid: Invalid) -> Result<Table, ReadError> {
        let is_passed = |column: &ColumnSchema| column.kind() == &ColumnType::Identifier;
        self.read_columns(schema, invalid, &is_passed, &|collector| self.collect(collector))
    }

    /// Reads the measured columns only, like [`Self::read_with`]: derived ones are skipped, as identifiers are. A
    /// table may have no rows.
    ///
    /// # Guarantee
    /// That of [`Self::read_with`]; and nothing follows from what the file has in derived columns, if it has
    /// them. A table without rows is one of the tables that a table with one row must look like, so that it is
    /// read and not refused.
    ///
    /// # Errors
    /// Those of [`Self::read_with`].
    pub fn read_measured(&self, schema: &Schema, invalid: Invalid) -> Result<Table, ReadError> {
        self.read_columns(schema, invalid, &|column| !column.is_measured(), &|collector| {
            self.collect_any(collector)
        })
    }

    /// Reads the measured columns at these places only, like [`Self::read_measured`], or all of them if there are none: where
    /// nothing is asked but how many rows there are, every cell is checked. The source need not have other columns.
    ///
    /// # Guarantee
    /// That of [`Self::read_measured`].
    ///
    /// # Errors
    /// Those of [`Self::read_with`].
    pub fn read_asked(&self, schema: &Schema, invalid: Invalid, asked: &[usize]) -> Result<Table, ReadError> {
        if asked.is_empty() {
            return self.read_measured(schema, invalid);
        }
        let measured = schema.columns().iter().filter(|column| column.is_measured()).enumerate();
        let named: HashSet<&str> =
            measured.filter(|(place, _)| asked.contains(place)).map(|(_, column)| column.name()).collect();
        let is_passed = |column: &ColumnSchema| !named.contains(column.name());
        self.read_columns(schema, invalid, &is_passed, &|collector| self.collect_any(collector))
    }

    fn read_columns(
        &self,
        schema: &Schema,
        invalid: Invalid,
        is_passed: &dyn Fn(&ColumnSchema) -> bool,
        collect: &CollectRows<'_>,
    ) -> Result<Table, ReadError> {
        let places = self.places(schema, is_passed)?;
        let mut plans: Vec<Option<Arc<TypedPlan>>> = vec![None; self.names().len()];
        for &(column, place) in &places {
            if !is_passed(column) {
                let plan = TypedPlan::new(column, schema.missing(), invalid);
                let plan = plan.ok_or_else(|| self.error(Problem::BadFormat(column.name().to_owned())))?;
                plans[place] = Some(Arc::new(plan));
            }
        }
        let mut totals = collect(&|column| match &plans[column] {
            Some(plan) => Collector::Typed(Typed::new(Arc::clone(plan))),
            None => Collector::Nothing,
        })?;
        let mut columns = Vec::new();
        for (column, place) in places {
            if let Total::Typed(values) = std::mem::replace(&mut totals[place], Total::Nothing) {
                columns.push(Column::new(column.clone(), values));
            }
        }
        // Names differ and lengths agree: both were checked while reading.
        let table = Table::new(columns).map_err(|error| self.error(Problem::Io(error.to_string())))?;
        let computed = schema.columns().iter().any(|column| column.derive().is_some() && !is_passed(column));
        Ok(if computed { schema.with_derived(table) } else { table })
    }

    /// The columns of the schema that the file has, with their places in it. It need not have those that are passed over.
    fn places<'a>(
        &self,
        schema: &'a Schema,
        is_passed: &dyn Fn(&ColumnSchema) -> bool,
    ) -> Result<Vec<(&'a ColumnSchema, usize)>, ReadError> {
        let declared = schema.columns();
        let places: HashMap<&str, usize> = self.names().iter().map(String::as_str).zip(0..).collect();
        let named: HashSet<&str> = declared.iter().map(ColumnSchema::name).collect();
        let place = |name: &str| places.get(name).copied();
        let absent: Vec<String> = declared
            .iter()
            .filter(|column| column.is_measured() && !is_passed(column) && place(column.name()).is_none())
            .map(|column| column.name().to_owned())
            .collect();
        let unknown = self
            .names()
            .iter()
            .enumerate()
            .filter(|(_, name)| !named.contains(name.as_str()) && !self.is_unnamed(name));
        let undeclared: Vec<usize> = unknown.map(|(position, _)| self.place_in_file(position)).collect();
        match (absent.is_empty(), undeclared.is_empty()) {
            (true, true) => {
                Ok(declared.iter().filter_map(|column| Some((column, place(column.name())?))).collect())
            }
            (true, false) => Err(self.error(Problem::Undeclared(undeclared))),
            (false, true) => Err(self.error(Problem::Absent(absent))),
            (false, false) => Err(self.error(Problem::Differs { absent, undeclared })),
        }
    }
}
