//! From a schema and a budget to a release: [`Synthesis`], [`Planned`], [`Release`].
//!
//! Everything that can fail is tried when a plan is made, by public quantities only. A [`Planned`] release says
//! how the budget is divided and which guarantee it will have, so that a ledger can be charged; it is released
//! once. More rows of a [`Release`] cost nothing.

mod error;
mod model;
mod options;
mod plan;
mod planned;
mod rejection;
mod release;
mod tables;
mod warnings;

pub use error::{SampleError, SynthesisError};
pub use model::Model;
pub use options::{
    CandidateDiscriminatorName, CheckedMethod, CheckedOptions, ExpectedCharge, MethodInput, Modelling,
    RowEffect, SamplerName, SynthOptions, delta_of, epsilon_of, score_epsilon_of,
};
pub use plan::{Drawn, DrawnRows, Method, Plan};
pub use planned::{Planned, Released};
pub use rejection::{Demand, TooRare, demanded_rows};
pub use release::{Release, ReleasedModel, RowSource, Sample};
pub use tables::{simulate, synthetic_table, table_of};

use crate::progress::Silent;
use std::num::NonZeroU32;

use crate::field::Field;
use crate::normal::NormalOptions;
use crate::privacy::{Epsilon, Guarantee, Neighbours, Person, Randomness, SchemaSource};
use crate::private::{PrivateRows, PrivateSource, PrivateTable, public_rows};
use crate::table::{Column, Schema, Table};
use crate::terms::{Terms, TermsError};

/// A requested release: a schema, a budget and all other settings that differ from their defaults.
///
/// ```
/// use indistinct::Synthesis;
/// use indistinct::privacy::Randomness;
/// use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table};
///
/// let age = ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(18.0), Some(95.0));
/// let schema = Schema::new(Vec::new(), vec![age.clone()])?;
/// let ages = (0..1000).map(|row| 18 + row % 60).collect();
/// let table = Table::new(vec![Column::new(age, indistinct::table::Values::Integer(ages))])?;
///
/// let planned = Synthesis::of(schema).epsilon("1")?.delta("1e-6")?.plan(&table, &mut Randomness::from_system()?)?;
/// assert!(planned.parts().iter().map(|part| part.share).sum::<f64>() < 1.001);
/// let release = planned.release(&indistinct::progress::Silent)?.release;
/// assert_eq!(release.certificate().guarantee().to_string(), "(1, 0.000001)-differential privacy");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "nothing is released before `release` is called"]
pub struct Synthesis {
    schema: Schema,
    schema_source: SchemaSource,
    epsilon: Option<Epsilon>,
    /// The terms; their epsilon is ignored.
    terms: Terms,
    normal: Option<NormalOptions>,
    person: Option<Person>,
    rows: Option<usize>,
}

impl Synthesis {
    /// A release of the columns that a schema declares. The caller vouches for the schema: it must not be derived
    /// from the rows.
    pub fn of(schema: Schema) -> Self {
        Self::declared_by(schema, SchemaSource::User)
    }

    /// A release with a schema from this source: if it is the private table itself, the guarantee is conditional
    /// on that.
    pub fn declared_by(schema: Schema, schema_source: SchemaSource) -> Self {
        let terms = Terms::of(Epsilon::ZERO);
        Self { schema, schema_source, epsilon: None, terms, normal: None, person: None, rows: None }
    }

    /// Sets the whole budget, as decimal text: `"0.5"`.
    ///
    /// # Errors
    /// When it is not a positive number.
    pub fn epsilon(mut self, epsilon: &str) -> Result<Self, SynthesisError> {
        self.epsilon = Some(epsilon_of(epsilon)?);
        Ok(self)
    }

    /// Sets the probability with which the guarantee may fail, as decimal text: `"1e-6"`. Zero by default.
    ///
    /// # Errors
    /// When it is not a number from 0 to 1, or so small that it would be rounded to zero.
    pub fn delta(mut self, delta: &str) -> Result<Self, SynthesisError> {
        self.terms.delta = delta_of(delta)?;
        Ok(self)
    }

    /// Sets the part of the budget for a noisy quality score on the certificate; `"0"`, the default, is none.
    ///
    /// # Errors
    /// When it is neither a positive number nor zero.
    pub fn score_epsilon(mut self, epsilon: &str) -> Result<Self, SynthesisError> {
        self.terms.score_epsilon = score_epsilon_of(epsilon)?;
        Ok(self)
    }

    /// Sets all terms at once.
    pub fn terms(mut self, terms: Terms) -> Self {
        self.epsilon = Some(terms.epsilon);
        self.terms = terms;
        self
    }

    /// Sets the kind of neighbouring tables between which the guarantee holds.
    pub fn neighbours(mut self, neighbours: Neighbours) -> Self {
        self.terms.neighbours = neighbours;
        self
    }

    /// Sets the most rows that one person owns.
    pub fn rows_per_person(mut self, rows: u32) -> Self {
        self.terms.rows_per_person = rows;
        self
    }

    /// Sets the number of private draws, each with an equal part of the budget.
    pub fn draws(mut self, draws: u32) -> Self {
        self.terms.draws = draws;
        self
    }

    /// Sets the number of synthetic tables for each draw.
    pub fn tables(mut self, tables: u32) -> Self {
        self.terms.tables = tables;
        self
    }

    /// Sets the number of rows of each synthetic table; by default that of the private table.
    pub fn rows(mut self, rows: usize) -> Self {
        self.rows = Some(rows);
        self
    }

    /// Uses the normal model of the paper instead of the engine for columns of any type.
    pub fn normal(mut self, options: NormalOptions) -> Self {
        self.normal = Some(options);
        self
    }

    /// States whose rows they are, for the certificate.
    ///
    /// # Guarantee
    /// Only for a table to which [`rows_of_persons`](crate::private::rows_of_persons) was applied, which is not
    /// checked here.
    pub fn of_persons(mut self, person: Person) -> Self {
        self.terms.rows_per_person = person.rows_per_person.get();
        self.person = Some(person);
        self
    }

    /// The terms, with the given epsilon.
    ///
    /// # Errors
    /// When none was given.
    pub fn checked_terms(&self) -> Result<Terms, SynthesisError> {
        let epsilon = self.epsilon.ok_or(SynthesisError::NoEpsilon)?;
        if self.rows == Some(0) {
            return Err(TermsError::Zero(Field::Rows).into());
        }
        Ok(Terms { epsilon, ..self.terms.clone() })
    }

    /// The guarantee that the steps will have, as far as it is known without the table: without a seed, and with
    /// a schema that someone vouches for.
    ///
    /// # Errors
    /// When no epsilon was given.
    pub fn steps_guarantee(&self) -> Result<Guarantee, SynthesisError> {
        let terms = self.checked_terms()?;
        Ok(match &self.normal {
            Some(options) => options.expected_guarantee(&terms, None),
            None => terms.exact_guarantee(),
        })
    }

    /// Makes a plan for the measured columns of a table, and tries everything that can fail: by schema, terms and
    /// the number of rows if that is public. Nothing is drawn.
    ///
    /// # Errors
    /// When the schema, the terms or the options cannot be used.
    pub fn plan(self, table: &Table, entropy: &mut Randomness) -> Result<Planned, SynthesisError> {
        self.plan_of(table.clone(), entropy.split()?)
    }

    /// Makes a plan like [`plan`](Self::plan), and takes the table.
    ///
    /// # Errors
    /// Those of [`plan`](Self::plan).
    pub fn plan_of(self, table: Table, randomness: Randomness) -> Result<Planned, SynthesisError> {
        let terms = self.checked_terms()?;
        let measured = self.schema.measured()?;
        let table = of_schema(table, &measured)?;
        let read_rows = table.rows();
        let seed = randomness.seed();
        let method: Box<dyn Plan> = if let Some(options) = &self.normal {
            let rows = PrivateRows::new(&table)?;
            let plan = options.clone().plan(terms, rows.rows(), rows.columns())?;
            Box::new(plan::Normal { plan, rows, randomness })
        } else {
            let rows = (terms.neighbours == Neighbours::Substitute).then_some(read_rows);
            self.plan_mixed(Box::new(PrivateTable::new(table)), rows, &measured, terms, randomness)?
        };
        self.planned(method, read_rows, seed)
    }

    /// Makes a plan like [`plan`](Self::plan) for rows that need not be in memory. Its columns are the measured ones of
    /// the schema, in their order. Where the number of rows is public, one pass counts them.
    ///
    /// # Errors
    /// Those of [`plan`](Self::plan); when rows cannot be read; and for the normal model, which looks at rows again and
    /// again and needs them in memory.
    pub fn plan_from(
        self,
        source: Box<dyn PrivateSource>,
        randomness: Randomness,
    ) -> Result<Planned, SynthesisError> {
        let terms = self.checked_terms()?;
        if self.normal.is_some() {
            return Err(SynthesisError::RowsNotInMemory);
        }
        let measured = self.schema.measured()?;
        let seed = randomness.seed();
        let rows = match terms.neighbours {
            Neighbours::Substitute => Some(public_rows(&*source)?),
            Neighbours::AddRemove => None,
        };
        let method = self.plan_mixed(source, rows, &measured, terms, randomness)?;
        self.planned(method, rows.unwrap_or(0), seed)
    }

    /// A plan by any method, for a table with this many rows.
    ///
    /// # Errors
    /// When the schema cannot be released.
    pub fn planned(
        self,
        method: Box<dyn Plan>,
        private_rows: usize,
        seed: Option<u64>,
    ) -> Result<Planned, SynthesisError> {
        if let Some(decided) = self.schema.decided_column() {
            return Err(SynthesisError::Decided(decided));
        }
        let private_rows = (method.terms().neighbours == Neighbours::Substitute).then_some(private_rows);
        Ok(Planned {
            method,
            schema: self.schema.without_identifiers()?,
            schema_source: self.schema_source,
            person: self.person,
            private_rows,
            rows: self.rows.or(private_rows),
            seed,
        })
    }

    /// A plan for columns of any type; `rows` is their number if that is public.
    fn plan_mixed(
        &self,
        source: Box<dyn PrivateSource>,
        rows: Option<usize>,
        schema: &Schema,
        terms: Terms,
        randomness: Randomness,
    ) -> Result<Box<dyn Plan>, SynthesisError> {
        let Some(rows) = rows else {
            terms.check_mixed(schema)?;
            let supposed = self.rows.and_then(|rows| terms.clone().plan_mixed(rows, schema).ok());
            let schema = schema.clone();
            return Ok(Box::new(plan::Counted { terms, schema, supposed, source, randomness }));
        };
        let plan = terms.plan_mixed(rows, schema)?;
        Ok(Box::new(plan::Mixed { plan, source, randomness }))
    }

    /// Makes a plan and releases.
    ///
    /// # Guarantee
    /// That of the release's certificate.
    ///
    /// # Errors
    /// When no plan can be made, or the mechanism fails.
    pub fn release(&self, table: &Table, entropy: &mut Randomness) -> Result<Release, SynthesisError> {
        Ok(self.clone().plan(table, entropy)?.release(&Silent)?.release)
    }
}

/// The columns of a table in the order of a schema that declares them: plans and bounds hold for no others.
fn of_schema(table: Table, schema: &Schema) -> Result<Table, SynthesisError> {
    let mut columns = table.into_columns();
    let taken = schema.columns().iter().map(|declared| {
        let place = columns.iter().position(|column| column.schema() == declared);
        place.map(|place| columns.swap_remove(place)).ok_or(SynthesisError::OtherColumns)
    });
    Ok(Table::of_columns(taken.collect::<Result<Vec<Column>, _>>()?))
}

/// The most rows of a person, for certificates.
fn rows_of_a_person(terms: &Terms) -> NonZeroU32 {
    NonZeroU32::new(terms.rows_per_person).unwrap_or(NonZeroU32::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ColumnSchema, ColumnType, Values};

    #[test]
    fn a_table_of_other_columns_is_refused() {
        let column = |name: &str, highest: f64| {
            ColumnSchema::new(name, ColumnType::Integer).with_limits(Some(0.0), Some(highest))
        };
        let of = |schema: ColumnSchema| Column::new(schema, Values::Integer((0..60).collect()));
        let schema = Schema::new(Vec::new(), vec![column("x", 60.0)]).unwrap();
        let planned = |columns: Vec<Column>| {
            let synthesis = Synthesis::of(schema.clone()).epsilon("20").unwrap();
            synthesis.plan(&Table::new(columns).unwrap(), &mut Randomness::from_system().unwrap())
        };
        // A column more is left out; another name, and other limits, are no column of the schema.
        assert!(planned(vec![of(column("y", 60.0)), of(column("x", 60.0))]).is_ok());
        for other in [column("y", 60.0), column("x", 61.0)] {
            assert!(matches!(planned(vec![of(other)]), Err(SynthesisError::OtherColumns)));
        }
    }
}
