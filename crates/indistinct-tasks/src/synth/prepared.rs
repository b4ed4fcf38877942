//! From what was asked for to what was drawn, with the ledger between.

use std::fmt;

use indistinct::privacy::{Certificate, Delta, Guarantee, Neighbours, Rho, SchemaSource};
use indistinct::sampler::diagnostics::Diagnostics;
use indistinct::table::{
    Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Schema, Table, Values,
};
use indistinct_io::{ColumnPlace, Format, Invalid, ModelFile, Source, now, write_to};

use super::admission::LedgerTerms;
use super::columns::drafted;
use super::failures::decided_failure;
use super::persons::Persons;
use super::randomness;
use super::released::{Made, Released};
use super::split::Split;
use super::work::{Drawn, Outcome, Planned, Wanted, mixed_warnings};
use crate::{Failure, read_failure};

/// What is said of a schema that comes from the data.
const LEARNED: &str = "column types and levels were read from the private data, and the guarantee is conditional on that: give \
                       them with --schema";
const UNREVIEWED: &str = "the schema has lines that are marked as learned from the private data, and the guarantee is \
                          conditional on them: review them, and delete the marks";
/// Bytes of the longest spelling of a number with its separator, and of what is written beside tables.
const LONGEST_CELL: u64 = 36;
const OTHER_FILES: u64 = 6 << 20;

/// What is said of a delta that allows too much.
const LARGE_DELTA: &str =
    "delta is not below one over the number of rows: such a guarantee allows publishing somebody's row";

/// Whether a delta allows to publish a row of so many.
fn is_large(delta: Delta, rows: usize) -> bool {
    delta.to_f64() * rows as f64 >= 1.0
}

/// The private table and what is known about it.
#[derive(Debug)]
pub struct PrivateInput<'a> {
    /// The table.
    pub source: &'a Source,
    /// What its columns mean, and who says so; drafted if none is given.
    pub schema: Option<(Schema, SchemaSource)>,
    /// Where random numbers start; a release made with it carries no guarantee.
    pub seed: Option<u64>,
}

/// What was asked for, checked, before the table is known.
pub struct Asked {
    pub(super) wanted: Wanted,
    /// What tells persons apart, if they are.
    pub(super) persons: Option<Persons>,
    /// What becomes of cells that the schema does not allow.
    pub(super) invalid: Invalid,
    /// Rows of each synthetic table; as many as the private table has if none is given.
    pub(super) rows: Option<usize>,
}

/// A release that can be made: the table was read and everything fits. Nothing is charged, drawn or written.
pub struct Prepared {
    pub(super) plan: Planned,
    pub(super) schema: Schema,
    /// The schema of what is released.
    pub(super) modelled: Schema,
    pub(super) source: SchemaSource,
    persons: Option<Persons>,
    /// None if their number is private.
    private_rows: Option<usize>,
    /// Rows of each synthetic table; as many as are counted if none is given.
    rows: Option<usize>,
    pub(super) seed: Option<u64>,
}

/// One that was paid for, with what a ledger was charged for, if one was.
#[derive(Debug)]
pub struct Charged(Prepared, Option<ChargedFor>);

/// What the ledger relies on.
#[derive(Debug, PartialEq)]
struct ChargedFor {
    guarantee: Guarantee,
    /// Of the budget, if it has a delta.
    rho: Option<Rho>,
}

impl fmt::Debug for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Asked").field("epsilon", &self.wanted.epsilon()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It holds private rows.
        formatter.debug_struct("Prepared").field("schema", &self.modelled).finish_non_exhaustive()
    }
}

impl Asked {
    /// Reads the table and tries everything that can fail. `warn` hears what somebody should know. Where persons are told
    /// apart, the first thing is to choose which of their rows are kept: nothing else sees the others.
    ///
    /// # Errors
    /// When the table cannot be read, or the options do not fit it.
    pub fn prepare(self, table: PrivateInput<'_>, warn: &dyn Fn(&str)) -> Result<Prepared, Failure> {
        let PrivateInput { source, mut schema, seed } = table;
        let randomness = randomness(seed)?;
        let kept;
        let source = match &self.persons {
            None => source,
            Some(persons) => {
                if let Some((schema, _)) = &mut schema {
                    *schema = persons.left_out_of(schema)?;
                }
                let declared = schema.as_ref().map(|(schema, _)| schema);
                kept = persons.bounded(source, declared, self.invalid, &randomness)?;
                &kept
            }
        };
        let declared = schema.is_some();
        let (schema, schema_source) = match schema {
            Some(declared) => declared,
            None => (drafted(source, self.wanted.is_of_numbers())?, SchemaSource::Drafted),
        };
        if schema_source == SchemaSource::Drafted {
            warn(if declared { UNREVIEWED } else { LEARNED });
        }
        if let Some(decided) = schema.decided_column() {
            return Err(decided_failure(&decided, &schema));
        }
        let table = source.read_measured(&schema, self.invalid).map_err(read_failure)?;
        let modelled = schema.without_identifiers().map_err(Failure::failed)?;
        let measured = schema.measured().map_err(Failure::failed)?;
        let places = |name: &str| match source.place_of(name) {
            Some(place) if !declared => place,
            _ => ColumnPlace::Named(name.to_owned()),
        };
        let read_rows = table.rows();
        let plan = self.wanted.plan((table, &places), &measured, (self.rows, randomness))?;
        for warning in plan.warnings() {
            warn(&warning);
        }
        let private_rows = (plan.neighbours() == Neighbours::Substitute).then_some(read_rows);
        let rows = self.rows.or(private_rows);
        let Self { persons, .. } = self;
        Ok(Prepared { plan, schema, modelled, source: schema_source, persons, private_rows, rows, seed })
    }
}

impl Prepared {
    /// How the budget would be divided.
    pub fn split(&self) -> Split {
        Split::of(&self.plan)
    }

    /// The most bytes that the files of the release take, as far as that is known before rows are counted.
    pub fn bytes(&self) -> u64 {
        let cells = self.rows.unwrap_or(0) as u64 * self.modelled.columns().len() as u64;
        let (draws, tables) = self.plan.draws_and_tables();
        cells.saturating_mul(draws * tables).saturating_mul(LONGEST_CELL) + OTHER_FILES
    }

    /// Tries whether a table like those of the release can be written: names, levels and codes are the schema's, and noise can
    /// make missing values of any column.
    ///
    /// # Errors
    /// When the format cannot hold them.
    pub fn require_format(&self, format: Format) -> Result<(), Failure> {
        let missing = |column: &ColumnSchema| {
            let values = match column.kind() {
                ColumnType::Float | ColumnType::Identifier => Values::Float(vec![f64::NAN]),
                ColumnType::Integer => Values::Integer(vec![MISSING_INTEGER]),
                ColumnType::DateTime { .. } => Values::DateTime(vec![MISSING_INTEGER]),
                ColumnType::Date { .. } => Values::Date(vec![MISSING_DATE]),
                ColumnType::Nominal { .. } | ColumnType::Ordered { .. } | ColumnType::Boolean { .. } => {
                    Values::Code(vec![MISSING_CODE])
                }
            };
            Column::new(column.clone(), values)
        };
        let table =
            Table::new(self.modelled.columns().iter().map(missing).collect()).map_err(Failure::failed)?;
        write_to(&table, format, &mut std::io::sink())
            .map_err(|problem| Failure::failed(&problem).advise(problem.advice()))
    }

    /// What is to be said about a delta that allows too much.
    pub fn warning_of_delta(&self) -> Option<&'static str> {
        self.private_rows.filter(|rows| is_large(self.plan.delta(), *rows)).map(|_| LARGE_DELTA)
    }

    /// Charges a ledger, if one is named: from here on the budget is spent, whatever happens. `what` is what the ledger will
    /// say.
    ///
    /// # Errors
    /// When the ledger refuses, or cannot be used; then nothing is spent.
    pub fn charge(self, ledger: Option<&LedgerTerms<'_>>, what: &str) -> Result<Charged, Failure> {
        if let Some(terms) = ledger {
            self.charge_ledger(terms, what)?;
        }
        let charged = ledger.map(|_| ChargedFor { guarantee: self.guarantee(), rho: self.plan.rho() });
        Ok(Charged(self, charged))
    }
}

impl Charged {
    /// How the budget is divided.
    pub fn split(&self) -> Split {
        self.0.split()
    }

    /// Stages that report progress.
    pub fn stages(&self) -> u64 {
        self.0.plan.stages()
    }

    /// Draws. How chains went comes along, for the data holder: it is computed from the private rows, and not paid for. `warn`
    /// hears what is only known once rows were counted.
    ///
    /// # Errors
    /// When the mechanism fails; the budget is spent nevertheless.
    pub fn release(
        self,
        warn: &dyn Fn(&str),
        progress: &(dyn Fn() + Sync),
    ) -> Result<(Released, Vec<Diagnostics>), Failure> {
        let Self(Prepared { plan, modelled, source, persons, private_rows, rows, seed, .. }, charged) = self;
        let mut facts = plan.facts(private_rows, &modelled, (source, persons.as_ref()));
        let (delta, said) = (plan.delta(), plan.warnings());
        let Outcome { drawn, diagnostics, score, budget, counted, warnings } = plan.release(progress)?;
        facts.score = score;
        if let Some(plan) = &counted {
            (facts.rows, facts.measure_share) = (plan.rows() as u64, plan.measure_share());
            for warning in mixed_warnings(plan).iter().filter(|warning| !said.contains(warning)) {
                warn(warning);
            }
            if is_large(delta, plan.rows()) {
                warn(LARGE_DELTA);
            }
        }
        warnings.iter().for_each(|warning| warn(warning));
        let public_rows = facts.rows as usize;
        let rows = rows.unwrap_or(public_rows);
        let certificate = Certificate::new(&budget, now(), facts);
        // The ledger was charged for what options promise; the steps must have kept it.
        let kept = ChargedFor { guarantee: certificate.guarantee().clone(), rho: budget.total_rho() };
        if charged.is_some_and(|charged| charged != kept) {
            return Err(Failure::overclaim(
                "the release does not have the guarantee that its ledger was charged for",
            )
            .advise("report this: it should not happen"));
        }
        let made = match drawn {
            Drawn::Models(draws) => Made::Model(ModelFile { schema: modelled, rows: public_rows, draws }),
            // A histogram has no parameters to make more rows from: each of its rows is paid for.
            Drawn::Tables(tables) => Made::Tables { schema: modelled, tables },
        };
        Ok((Released::new(made, certificate, rows, seed), diagnostics))
    }
}
