//! Options that fit together, before the table is known: the mechanism of this program, or another method.

use std::fmt;
use std::num::NonZeroU32;

use super::{Modelling, SynthOptions, normal::normal_options};
use crate::field::{Field, Message, OptionsError};
use crate::normal::NormalOptions;
use crate::privacy::{Epsilon, Guarantee, Neighbours, Person, Randomness, Rho, SchemaSource};
use crate::private::{PrivateRows, PrivateSource};
use crate::synthesis::{Plan, Planned, Synthesis, SynthesisError};
use crate::table::{Invalid, Schema, Table};
use crate::terms::{Terms, TermsError};

/// Above this a guarantee says little.
const LARGE_EPSILON: f64 = 10.0;

/// Options that were checked, before the table is known.
pub struct CheckedOptions {
    method: Method,
    /// The column that tells persons apart, if one does.
    person: Option<Person>,
    /// The treatment of cells that the schema does not allow.
    invalid: Invalid,
    /// Rows of each synthetic table; as many as the private table has if none is given.
    rows: Option<usize>,
}

/// The method of the release.
enum Method {
    /// The mechanism: the normal model if it has options, and columns of any type otherwise.
    Mechanism(Terms, Option<NormalOptions>),
    Other(Box<dyn CheckedMethod>),
}

/// A method for tables of numbers other than those of this library, checked.
pub trait CheckedMethod: Send {
    /// Its terms.
    fn terms(&self) -> &Terms;
    /// The guarantee that its steps will have, by the options.
    fn guarantee(&self) -> Guarantee;
    /// Makes a plan: everything that can fail is tried here, before a ledger is charged.
    ///
    /// # Errors
    /// When the method cannot be used for these rows.
    fn plan(self: Box<Self>, input: MethodInput<'_>) -> Result<Box<dyn Plan>, SynthesisError>;
}

/// The private rows of a table of numbers, for a [`CheckedMethod`].
pub struct MethodInput<'a> {
    /// The rows.
    pub rows: PrivateRows,
    /// The measured columns.
    pub schema: &'a Schema,
    /// The name of a column in messages: its name, or its place where nobody has declared its name.
    pub places: &'a dyn Fn(&str) -> String,
    /// The random numbers of the release.
    pub randomness: Randomness,
}

/// The terms of a charge to a ledger, as far as that is known without the table.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedCharge {
    /// The guarantee of the steps.
    pub guarantee: Guarantee,
    /// The rho of the budget, if it has a delta.
    pub rho: Option<Rho>,
    /// The kind of neighbouring tables.
    pub neighbours: Neighbours,
}

impl fmt::Debug for CheckedOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CheckedOptions").field("epsilon", &self.epsilon()).finish_non_exhaustive()
    }
}

impl SynthOptions {
    /// These options with some of them set, as in `options.with(|options| options.draws = 2)`. Fields may be added, so that
    /// other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }

    /// Turns what was asked for into something that can be planned, or says why not.
    ///
    /// # Errors
    /// When options do not fit together, or are out of range.
    pub fn check(&self) -> Result<CheckedOptions, SynthesisError> {
        let (terms, normal) = (self.terms()?, normal_options(self)?);
        let normal = self.requires_normal()?.then_some(normal);
        self.checked(Method::Mechanism(terms, normal))
    }

    /// The same with another method, which has been checked.
    ///
    /// # Errors
    /// When the number of rows, or of rows of a person, is zero.
    pub fn check_with(&self, method: Box<dyn CheckedMethod>) -> Result<CheckedOptions, SynthesisError> {
        self.checked(Method::Other(method))
    }

    fn checked(&self, method: Method) -> Result<CheckedOptions, SynthesisError> {
        if self.rows == Some(0) {
            return Err(TermsError::Zero(Field::Rows).into());
        }
        let person = match &self.person {
            None => None,
            Some(column) => {
                let most =
                    NonZeroU32::new(self.rows_per_person).ok_or(TermsError::Zero(Field::RowsPerPerson))?;
                Some(Person::new(column, most))
            }
        };
        Ok(CheckedOptions { method, person, invalid: self.invalid, rows: self.rows })
    }

    /// Whether the normal model was asked for, by name or by its options: by what was typed, and nothing else. The engine for
    /// columns of any type is the better one for numbers, too, unless they are normal indeed and many (docs/mixed.md).
    fn requires_normal(&self) -> Result<bool, OptionsError> {
        let option = self.normal_only();
        let is_normal = match (self.model, option) {
            (Modelling::Normal, _) | (Modelling::Auto, Some(_)) => true,
            (Modelling::Mixed | Modelling::Auto, None) => false,
            (Modelling::Mixed, Some(option)) => {
                let what = Message::of("{} means nothing to {} mixed", [option.into(), Field::Model.into()]);
                let advice = Message::of("leave it out, or use {} normal", [Field::Model.into()]);
                return Err(OptionsError::new(option, what).advise(advice));
            }
        };
        if is_normal && self.neighbours == Neighbours::AddRemove {
            let what = Message::of(
                "{} add-remove is not for the normal model: what a row more does to it is not proven",
                [Field::Neighbours.into()],
            );
            let normal = match option {
                Some(option) => Message::of("{}", [option.into()]),
                None => Message::of("{} normal", [Field::Model.into()]),
            };
            let advice = Message::from("leave out ").then(normal).then(Message::of(
                ", so that tables of any columns are modelled, or {} add-remove",
                [Field::Neighbours.into()],
            ));
            return Err(OptionsError::new(Field::Neighbours, what).advise(advice));
        }
        if is_normal && self.invalid == Invalid::Missing {
            let what = Message::of(
                "{} missing is not for the normal model, which has no missing values",
                [Field::Invalid.into()],
            );
            let advice = Message::of(
                "leave out {} normal and its options, or {} missing",
                [Field::Model.into(), Field::Invalid.into()],
            );
            return Err(OptionsError::new(Field::Invalid, what).advise(advice));
        }
        Ok(is_normal)
    }
}

impl CheckedOptions {
    fn epsilon(&self) -> Epsilon {
        match &self.method {
            Method::Mechanism(terms, _) => terms.epsilon,
            Method::Other(method) => method.terms().epsilon,
        }
    }

    /// Whether only tables of numbers can be released so, by the model, the options or the method that was asked for.
    pub fn requires_numeric(&self) -> bool {
        !matches!(self.method, Method::Mechanism(_, None))
    }

    /// The column that tells persons apart, if one does.
    pub fn person(&self) -> Option<&Person> {
        self.person.as_ref()
    }

    /// The treatment of cells that the schema does not allow.
    pub fn invalid(&self) -> Invalid {
        self.invalid
    }

    /// A warning of a budget that protects little.
    pub fn warning(&self) -> Option<String> {
        let epsilon = self.epsilon();
        (epsilon.to_f64() > LARGE_EPSILON).then(|| {
            format!(
                "epsilon {epsilon} promises very little: values above {LARGE_EPSILON} are rarely defensible"
            )
        })
    }

    /// The terms of a charge to a ledger, as far as that is known without the table.
    pub fn expected_charge(&self) -> ExpectedCharge {
        match &self.method {
            Method::Mechanism(terms, normal) => {
                let guarantee = match normal {
                    Some(options) => options.expected_guarantee(terms, None),
                    None => terms.exact_guarantee(),
                };
                ExpectedCharge { guarantee, rho: terms.rho(), neighbours: terms.neighbours }
            }
            Method::Other(method) => ExpectedCharge {
                guarantee: method.guarantee(),
                rho: None,
                neighbours: Neighbours::Substitute,
            },
        }
    }

    /// Makes a plan for a table with this schema: everything that can fail is tried here, before a ledger is charged, by options,
    /// schema and the number of rows if that is public. Messages call a column what `places` says.
    ///
    /// # Errors
    /// When the schema, the terms or the options cannot be used.
    pub fn plan(
        self,
        table: Table,
        schema: &Schema,
        source: SchemaSource,
        randomness: Randomness,
        places: &dyn Fn(&str) -> String,
    ) -> Result<Planned, SynthesisError> {
        let mut synthesis = self.synthesis(schema, source);
        match self.method {
            Method::Mechanism(terms, normal) => {
                synthesis = synthesis.terms(terms);
                if let Some(options) = normal {
                    synthesis = synthesis.normal(options);
                }
                synthesis.plan_of(table, randomness)
            }
            Method::Other(method) => {
                let rows = PrivateRows::new(&table)?;
                let (read_rows, seed) = (rows.rows(), randomness.seed());
                let measured = schema.measured()?;
                let input = MethodInput { rows, schema: &measured, places, randomness };
                synthesis.planned(method.plan(input)?, read_rows, seed)
            }
        }
    }

    /// Makes a plan like [`plan`](Self::plan) for rows that need not be in memory: see [`Synthesis::plan_from`].
    ///
    /// # Errors
    /// Those of [`Synthesis::plan_from`]; and for all that knows numbers only, which looks at rows again and again and
    /// needs them in memory.
    pub fn plan_from(
        self,
        rows: Box<dyn PrivateSource>,
        schema: &Schema,
        source: SchemaSource,
        randomness: Randomness,
    ) -> Result<Planned, SynthesisError> {
        let synthesis = self.synthesis(schema, source);
        match self.method {
            Method::Mechanism(terms, None) => synthesis.terms(terms).plan_from(rows, randomness),
            Method::Mechanism(_, Some(_)) | Method::Other(_) => Err(SynthesisError::RowsNotInMemory),
        }
    }

    /// The kind of neighbouring tables.
    pub fn neighbours(&self) -> Neighbours {
        self.expected_charge().neighbours
    }

    fn synthesis(&self, schema: &Schema, source: SchemaSource) -> Synthesis {
        let mut synthesis = Synthesis::declared_by(schema.clone(), source);
        if let Some(rows) = self.rows {
            synthesis = synthesis.rows(rows);
        }
        if let Some(person) = &self.person {
            synthesis = synthesis.of_persons(person.clone());
        }
        synthesis
    }
}
