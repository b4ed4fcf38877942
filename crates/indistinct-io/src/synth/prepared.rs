//! From what was asked for to what was drawn, with the ledger between.

use std::fmt;

use indistinct::normal::diagnostics::Diagnostics;
use indistinct::privacy::{Delta, Neighbours, SchemaSource};
use indistinct::private::PrivateSource;
use indistinct::progress::Progress;
use indistinct::synthesis::{CheckedOptions, Planned, Release, Released, SynthesisError};
use indistinct::table::{
    Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Schema, Table, Values,
};
use indistinct::{Message, Terms};

use super::admission::LedgerTerms;
use super::columns::drafted;
use super::failures::{decided_failure, failure_of, source_failure};
use super::{persons, randomness};
use crate::machine::{free_memory, require_memory};
use crate::passes::{FileInPasses, PassProgress, PersonChoice};
use crate::{ColumnPlace, Failure, Format, Source, in_flags, read_failure, write_to};

/// Warnings of a schema that comes from the data.
const LEARNED: &str = "column types and levels were read from the private data, and the guarantee is conditional on that: give \
                       them with --schema";
const UNREVIEWED: &str = "the schema has lines that are marked as learned from the private data, and the guarantee is \
                          conditional on them: review them, and delete the marks";
/// Bytes of the longest spelling of a number with its separator, and of what is written beside tables.
const LONGEST_CELL: u64 = 36;
const OTHER_FILES: u64 = 6 << 20;

/// The warning of a delta that allows too much.
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
    /// The meaning of its columns, and its source; drafted if none is given.
    pub schema: Option<(Schema, SchemaSource)>,
    /// The seed of random numbers; a release made with it carries no guarantee.
    pub seed: Option<u64>,
    /// Most bytes of memory for rows, if the table is to be read in passes instead of being kept in memory.
    pub memory: Option<usize>,
    /// The listener that hears how far passes are, if the table is read in passes.
    pub progress: Option<PassProgress>,
}

/// Private rows that are counted where they are, and what is known about them.
#[expect(missing_debug_implementations, reason = "it stands for private rows")]
pub struct RowsElsewhere {
    /// The rows: those that are kept of each person, where persons are told apart.
    pub source: Box<dyn PrivateSource>,
    /// The meaning of their columns, and its source. Nobody drafts a schema from rows that are elsewhere.
    pub schema: (Schema, SchemaSource),
    /// The seed of random numbers; a release made with it carries no guarantee.
    pub seed: Option<u64>,
}

/// A release that can be made: the table was read and everything fits. Nothing is charged, drawn or written.
pub struct Prepared {
    pub(super) planned: Planned,
    /// The schema that was declared or drafted, with what is not released.
    pub(super) schema: Schema,
    /// Warnings that were given beforehand.
    warned: Vec<Message>,
}

/// One that was paid for.
#[derive(Debug)]
pub struct Charged(Prepared);

impl fmt::Debug for Prepared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It holds private rows.
        formatter.debug_struct("Prepared").field("schema", self.planned.schema()).finish_non_exhaustive()
    }
}

/// Most bytes of memory for rows of a table that is read in passes because it would take more than half of the free
/// memory; `None` if it fits, or cannot be read in passes. The release is the same.
fn too_large(options: &CheckedOptions, source: &Source) -> Option<usize> {
    let free = free_memory().filter(|_| !options.requires_numeric())?;
    let memory = usize::try_from(free / 2).ok()?;
    (source.bytes_in_memory() > memory && FileInPasses::fits(source, memory)).then_some(memory)
}

/// Prepares a release from a file that is read in passes. Its columns must be declared.
fn prepare_in_passes(
    options: CheckedOptions,
    table: PrivateInput<'_>,
    memory: usize,
    warn: &dyn Fn(&str),
) -> Result<Prepared, Failure> {
    let PrivateInput { source, schema, seed, progress, .. } = table;
    let Some((declared, schema_source)) = schema else {
        let what = "a table that is read in passes needs a schema: nothing is learned from its rows";
        return Err(Failure::usage(what).advise(
            "draft one from some of the rows with `indistinct schema`, review it, and give it with --schema",
        ));
    };
    let person = options.person();
    let counted = match person {
        None => declared.clone(),
        Some(person) => persons::left_out_of(&person.column, &declared)?,
    };
    let invalid = options.invalid();
    let file = FileInPasses::new(source.again(), counted.clone(), invalid, memory, progress);
    let mut file = file.map_err(|error| source_failure(&error))?;
    if let Some(person) = person {
        file = persons::choosing(person, Some(&counted), invalid, seed, |choice| file.of_persons(choice))?;
    }
    let rows = RowsElsewhere { source: Box::new(file), schema: (declared, schema_source), seed };
    prepare_from(options, rows, warn)
}

/// Reads the table and tries everything that can fail. `warn` hears what somebody should know. Where persons are told
/// apart, the first thing is to choose which of their rows are kept: nothing else sees the others.
///
/// # Errors
/// When the table cannot be read, or the options do not fit it.
pub fn prepare(
    options: CheckedOptions,
    table: PrivateInput<'_>,
    warn: &dyn Fn(&str),
) -> Result<Prepared, Failure> {
    let large = table.schema.as_ref().and_then(|_| too_large(&options, table.source));
    if let Some(memory) = table.memory.or(large) {
        return prepare_in_passes(options, table, memory, warn);
    }
    let PrivateInput { source, mut schema, seed, .. } = table;
    let randomness = randomness(seed)?;
    let kept;
    let source = match options.person() {
        None => source,
        Some(person) => {
            if let Some((schema, _)) = &mut schema {
                *schema = persons::left_out_of(&person.column, schema)?;
            }
            let declared = schema.as_ref().map(|(schema, _)| schema);
            let bounded = |choice: &PersonChoice<'_>| persons::bounded(source, choice);
            kept = persons::choosing(person, declared, options.invalid(), seed, bounded)?;
            &kept
        }
    };
    let declared = schema.is_some();
    let (schema, schema_source) = match schema {
        Some(declared) => declared,
        None => (drafted(source, options.requires_numeric())?, SchemaSource::Drafted),
    };
    if schema_source == SchemaSource::Drafted {
        warn(if declared { UNREVIEWED } else { LEARNED });
    }
    if let Some(decided) = schema.decided_column() {
        return Err(decided_failure(&decided, &schema));
    }
    let table = source.read_measured(&schema, options.invalid()).map_err(read_failure)?;
    let places = |name: &str| match source.place_of(name) {
        Some(place) if !declared => place,
        _ => ColumnPlace::Named(name.to_owned()),
    };
    let planned = options
        .plan(table, &schema, schema_source, randomness, &|name| places(name).to_string())
        .map_err(|error| failure_of(&error, Some(&schema), &places))?;
    Ok(Prepared::new(planned, schema, warn))
}

/// Prepares a release from rows that are counted where they are, and tries everything that can fail: one pass reads all
/// cells, so that those that the schema does not allow end the run before anything is charged. `warn` hears what
/// somebody should know.
///
/// # Errors
/// When the rows cannot be read, or the options do not fit them.
pub fn prepare_from(
    options: CheckedOptions,
    rows: RowsElsewhere,
    warn: &dyn Fn(&str),
) -> Result<Prepared, Failure> {
    let RowsElsewhere { source, schema: (mut schema, schema_source), seed } = rows;
    if let Some(person) = options.person() {
        schema = persons::left_out_of(&person.column, &schema)?;
    }
    if schema_source == SchemaSource::Drafted {
        warn(UNREVIEWED);
    }
    if let Some(decided) = schema.decided_column() {
        return Err(decided_failure(&decided, &schema));
    }
    let failure = |error: &SynthesisError| {
        failure_of(error, Some(&schema), &|name| ColumnPlace::Named(name.to_owned()))
    };
    if options.neighbours() == Neighbours::AddRemove && !options.requires_numeric() {
        // Otherwise the first pass is that of the plan, which counts rows.
        source.count(&[]).map_err(|error| failure(&error.into()))?;
    }
    let planned = options
        .plan_from(source, &schema, schema_source, randomness(seed)?)
        .map_err(|error| failure(&error))?;
    Ok(Prepared::new(planned, schema, warn))
}

impl Prepared {
    fn new(planned: Planned, schema: Schema, warn: &dyn Fn(&str)) -> Self {
        let warned = planned.warnings();
        for warning in &warned {
            warn(&in_flags(warning));
        }
        Self { planned, schema, warned }
    }

    /// The plan, which says how the budget would be divided.
    pub fn planned(&self) -> &Planned {
        &self.planned
    }

    /// The most bytes that the files of the release take, as far as that is known before rows are counted.
    pub fn bytes(&self) -> u64 {
        let (rows, columns) = (self.planned.rows().unwrap_or(0), self.planned.schema().columns().len());
        let Terms { draws, tables, .. } = *self.planned.terms();
        [columns as u64, draws.into(), tables.into(), LONGEST_CELL]
            .into_iter()
            .fold(rows as u64, u64::saturating_mul)
            .saturating_add(OTHER_FILES)
    }

    /// Refuses a release whose tables would certainly not fit into memory.
    ///
    /// # Errors
    /// When the numbers of one of them would not.
    pub fn require_memory(&self) -> Result<(), Failure> {
        require_memory(self.planned.rows().unwrap_or(0), self.planned.schema().columns().len())
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
        let table = Table::new(self.planned.schema().columns().iter().map(missing).collect())
            .map_err(Failure::failed)?;
        write_to(&table, format.written(self.planned.schema()), &mut std::io::sink())
            .map_err(|problem| Failure::failed(&problem).advise(problem.advice()))
    }

    /// A warning of a delta that allows too much.
    pub fn warning_of_delta(&self) -> Option<&'static str> {
        self.planned
            .private_rows()
            .filter(|rows| is_large(self.planned.terms().delta, *rows))
            .map(|_| LARGE_DELTA)
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
        Ok(Charged(self))
    }
}

impl Charged {
    /// The plan, which says how the budget is divided.
    pub fn planned(&self) -> &Planned {
        self.0.planned()
    }

    /// Stages that report progress.
    pub fn stages(&self) -> u64 {
        self.0.planned.stages()
    }

    /// Draws. How chains went comes along, for the data holder: it is computed from the private rows, and not paid for. `warn`
    /// hears what is only known once rows were counted.
    ///
    /// # Errors
    /// When the mechanism fails; the budget is spent nevertheless.
    pub fn release(
        self,
        warn: &dyn Fn(&str),
        progress: &dyn Progress,
    ) -> Result<(Release, Vec<Diagnostics>), Failure> {
        let Self(Prepared { planned, schema, warned }) = self;
        let delta = planned.terms().delta;
        let named = |name: &str| ColumnPlace::Named(name.to_owned());
        let released =
            planned.release(progress).map_err(|error| failure_of(&error, Some(&schema), &named))?;
        for warning in released.warnings().iter().filter(|text| !warned.contains(text)) {
            warn(&in_flags(warning));
        }
        let Released { release, diagnostics, counted, .. } = released;
        if counted.is_some_and(|plan| is_large(delta, plan.rows())) {
            warn(LARGE_DELTA);
        }
        Ok((release, diagnostics))
    }
}
