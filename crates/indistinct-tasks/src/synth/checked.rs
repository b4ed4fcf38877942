//! Options as typed, checked before the table is known: the mechanism of this program, or a method that it is compared with.

use std::fmt;

use indistinct::normal::NormalOptions;
use indistinct::privacy::{Epsilon, Guarantee, Neighbours, Randomness, Rho, SchemaSource};
use indistinct::private::PrivateRows;
use indistinct::synthesis::Planned;
use indistinct::table::{Schema, Table};
use indistinct::{Field, Synthesis, Terms, TermsError};
use indistinct_io::Invalid;

use super::comparison;
use super::failures::{Places, failure_of, terms_failure};
use super::options::{normal_only_flags, normal_options, terms};
use super::persons::Persons;
use super::typed::{Modelling, SynthOptions};
use crate::Failure;

/// Above this a guarantee says little.
const LARGE_EPSILON: f64 = 10.0;

/// What was asked for, checked, before the table is known.
pub struct CheckedOptions {
    method: Method,
    /// What tells persons apart, if they are.
    pub(super) persons: Option<Persons>,
    /// What becomes of cells that the schema does not allow.
    pub(super) invalid: Invalid,
    /// Rows of each synthetic table; as many as the private table has if none is given.
    rows: Option<usize>,
}

/// What makes the release.
enum Method {
    /// The mechanism: the normal model if it has options, and columns of any type otherwise.
    Mechanism(Terms, Option<NormalOptions>),
    Baseline(comparison::Checked),
}

impl fmt::Debug for CheckedOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CheckedOptions").field("epsilon", &self.epsilon()).finish_non_exhaustive()
    }
}

impl SynthOptions {
    /// Turns what was typed into something that can be planned, or says why not.
    ///
    /// # Errors
    /// When options do not fit together, or are out of range.
    pub fn check(&self) -> Result<CheckedOptions, Failure> {
        if self.rows == Some(0) {
            return Err(terms_failure(&TermsError::Zero(Field::Rows)));
        }
        let method = if let Some(baseline) = comparison::checked(self)? {
            Method::Baseline(baseline)
        } else {
            let (terms, normal) = (terms(self)?, normal_options(self)?);
            Method::Mechanism(terms, self.requires_normal()?.then_some(normal))
        };
        Ok(CheckedOptions {
            method,
            persons: Persons::checked(self)?,
            invalid: self.invalid,
            rows: self.rows,
        })
    }

    /// Whether the normal model was asked for, by name or by its options: by what was typed, and nothing else. The engine for
    /// columns of any type is the better one for numbers, too, unless they are normal indeed and many (docs/mixed.md).
    fn requires_normal(&self) -> Result<bool, Failure> {
        let flag = normal_only_flags(self).into_iter().find(|(_, given)| *given).map(|(flag, _)| flag);
        let is_normal = match (self.model, flag) {
            (Modelling::Normal, _) | (Modelling::Auto, Some(_)) => true,
            (Modelling::Mixed | Modelling::Auto, None) => false,
            (Modelling::Mixed, Some(flag)) => {
                return Err(Failure::usage(format!("{flag} means nothing to --model mixed"))
                    .advise("leave it out, or use --model normal"));
            }
        };
        if is_normal && self.neighbours == Neighbours::AddRemove {
            let flag = flag.unwrap_or("--model normal");
            return Err(Failure::usage(
                "--neighbours add-remove is not for the normal model: what a row more does to it is not proven",
            )
            .advise(format!(
                "leave out {flag}, so that tables of any columns are modelled, or --neighbours add-remove"
            )));
        }
        if is_normal && self.invalid == Invalid::Missing {
            return Err(Failure::usage(
                "--invalid missing is not for the normal model, which has no missing values",
            )
            .advise("leave out --model normal and its options, or --invalid missing"));
        }
        Ok(is_normal)
    }
}

impl CheckedOptions {
    fn epsilon(&self) -> Epsilon {
        match &self.method {
            Method::Mechanism(terms, _) => terms.epsilon,
            Method::Baseline(baseline) => baseline.terms.epsilon,
        }
    }

    /// Whether only tables of numbers can be released so, by the model, the options or the method that was asked for.
    pub fn requires_numeric(&self) -> bool {
        !matches!(self.method, Method::Mechanism(_, None))
    }

    /// What is to be said about a budget that protects little.
    pub fn warning(&self) -> Option<String> {
        let epsilon = self.epsilon();
        (epsilon.to_f64() > LARGE_EPSILON).then(|| {
            format!(
                "epsilon {epsilon} promises very little: values above {LARGE_EPSILON} are rarely defensible"
            )
        })
    }

    /// What a ledger would be charged for, as far as that is known without the table: the guarantee of the steps, the rho of the
    /// budget and the relation.
    pub(super) fn charge(&self) -> (Guarantee, Option<Rho>, Neighbours) {
        match &self.method {
            Method::Mechanism(terms, normal) => {
                let guarantee = match normal {
                    Some(options) => options.expected_guarantee(terms, None),
                    None => terms.exact_guarantee(),
                };
                (guarantee, terms.rho(), terms.neighbours)
            }
            Method::Baseline(baseline) => (baseline.guarantee(), None, Neighbours::Substitute),
        }
    }

    /// Everything that can fail is tried here, before a ledger is charged: by options, schema and the number of rows if that is
    /// public.
    pub(super) fn plan(
        self,
        (table, places): (Table, Places<'_>),
        (schema, source): (&Schema, SchemaSource),
        randomness: Randomness,
    ) -> Result<Planned, Failure> {
        let failure = |error| failure_of(&error, schema, places);
        let mut synthesis = Synthesis::declared_by(schema.clone(), source);
        if let Some(rows) = self.rows {
            synthesis = synthesis.rows(rows);
        }
        if let Some(persons) = self.persons {
            synthesis = synthesis.of_persons(persons.into_person());
        }
        match self.method {
            Method::Mechanism(terms, normal) => {
                synthesis = synthesis.terms(terms);
                if let Some(options) = normal {
                    synthesis = synthesis.normal(options);
                }
                synthesis.plan_of(table, randomness).map_err(failure)
            }
            Method::Baseline(baseline) => {
                let rows = PrivateRows::new(&table).map_err(|error| failure(error.into()))?;
                let (read_rows, seed) = (rows.rows(), randomness.seed());
                let measured = schema.measured().map_err(Failure::failed)?;
                let planned = baseline.plan(rows, (&measured, places), randomness)?;
                synthesis.planned(Box::new(planned), read_rows, seed).map_err(failure)
            }
        }
    }
}
