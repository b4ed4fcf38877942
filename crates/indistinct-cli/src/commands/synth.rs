//! `indistinct synth`: everything that can fail is tried before the ledger is charged, and the ledger is charged before
//! anything is drawn.

mod options;

use std::path::Path;

use indistinct::privacy::{Certificate, Epsilon, Facts, Guarantee, Randomness, SchemaSource};
use indistinct::private::{PrivateRows, PrivateRowsError};
use indistinct::quality::Quality;
use indistinct::random::Seed;
use indistinct::release::{ReleaseError, ReleasePlan, Released, release, synthetic_table};
use indistinct::sampler::diagnostics::Diagnostics;
use indistinct::table::{ColumnSchema, ColumnType, DEFAULT_MISSING, Schema};
use indistinct_io::{
    Format, LedgerFile, ModelFile, PlainValues, ReleaseFolder, SchemaFingerprint, Source, WriteProblem, now,
    read_schema, write_to,
};
use indistinct_report::Progress;
use indistinct_report::page::{ReleasePage, release_page};

use super::ledger::ledger_failure;
use super::verify::release_failure;
use super::{open, read_failure};
use crate::args::{Common, Synth};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json, tell};

/// Random streams of synthetic tables are numbered from here on, past those of the draws.
const TABLE_STREAMS: u64 = 1 << 32;
/// Bytes of the longest spelling of a number with its separator, and of what is written beside tables.
const LONGEST_CELL: u64 = 26;
const OTHER_FILES: u64 = 6 << 20;
/// The page of a release.
const PAGE: &str = "report.html";
/// Above this a guarantee says little.
const LARGE_EPSILON: f64 = 10.0;

pub(crate) fn run(arguments: &Synth, common: &Common) -> Result<(), Failure> {
    let options = options::options(arguments)?;
    let warn = |text: &str| {
        if !common.quiet {
            tell(&format!("warning: {text}"));
        }
    };
    if options.epsilon.to_f64() > LARGE_EPSILON {
        warn(&format!(
            "epsilon {} promises very little: values above {LARGE_EPSILON} are rarely defensible",
            options.epsilon
        ));
    }
    let source = open(&arguments.table)?;
    let format = format(arguments)?;
    let (schema, schema_source) = schema(arguments, &source)?;
    if schema_source == SchemaSource::Drafted {
        warn("column types were read from the private data, outside the guarantee: give them with --schema");
    }
    let table = source.read(&schema).map_err(read_failure)?;
    let rows = PrivateRows::new(&table).map_err(|error| rows_failure(&error))?;
    let modelled: Vec<ColumnSchema> = table.columns().iter().map(|column| column.schema().clone()).collect();
    drop(table);
    let plan = options.plan(rows.rows(), rows.columns()).map_err(|error| plan_failure(&error))?;
    if let Some(warning) = plan.warning() {
        warn(&warning);
    }
    let randomness = match common.seed {
        Some(seed) => Randomness::seeded(Seed(seed)),
        None => Randomness::from_system()
            .map_err(|error| Failure::failed(error).advise("the operating system gives no random numbers"))?,
    };
    let mut folder =
        ReleaseFolder::begin(&arguments.out, arguments.force).map_err(|error| release_failure(&error))?;
    let cells = arguments.rows.unwrap_or(rows.rows()) as u64 * modelled.len() as u64;
    let tables = u64::from(plan.options().draws) * u64::from(plan.options().tables);
    folder
        .require_space(cells.saturating_mul(tables).saturating_mul(LONGEST_CELL) + OTHER_FILES)
        .map_err(|error| release_failure(&error))?;
    charge(arguments, &plan, &schema)?;

    let bar = Bar::new(common.quiet, "drawing parameters");
    bar.expect(plan.stages());
    let released = release(&rows, &plan, randomness, &|| bar.tick());
    bar.finish();
    let released = released.map_err(|error| plan_failure(&error))?;
    let private_rows = rows.rows();
    drop(rows);
    if !common.quiet {
        released.diagnostics.iter().for_each(tell_diagnostics);
    }

    let asked = plan.options();
    let count = u64::from(asked.draws) * u64::from(asked.tables);
    let write_failure = |error| release_failure(&error);
    let mut first = None;
    for number in 0..count {
        let model = &released.models[(number / u64::from(asked.tables)) as usize];
        let mut random = released.budget.public_stream(TABLE_STREAMS + number);
        let synthetic =
            synthetic_table(model, &modelled, arguments.rows.unwrap_or(private_rows), &mut random);
        let name = table_name(number + 1, count, format);
        folder.write(&name, |out| write_to(&synthetic, format, out)).map_err(write_failure)?;
        first.get_or_insert((name, synthetic));
    }
    let model = ModelFile {
        schema: Schema::new(schema.missing().to_vec(), modelled).map_err(Failure::failed)?,
        rows: private_rows,
        draws: released.models.clone(),
    };
    let model = model.to_json().map_err(Failure::failed)?;
    folder
        .write("model.json", |out| out.write_all(model.as_bytes()).map_err(WriteProblem::from))
        .map_err(write_failure)?;
    let facts = facts(&plan, private_rows, model_columns(&released.models), schema_source, &released);
    let certificate = Certificate::new(&released.budget, now(), facts);
    if let Some((name, table)) = first {
        let so_far = certificate.clone().with_files(folder.files().clone());
        let page = ReleasePage { certificate: &so_far, table: &table, table_name: &name };
        let page = release_page(page).map_err(Failure::failed)?;
        folder
            .write(PAGE, |out| out.write_all(page.as_bytes()).map_err(WriteProblem::from))
            .map_err(write_failure)?;
    }
    let certificate = folder.finish(certificate).map_err(write_failure)?;
    if common.json { print_json(&certificate) } else { print(&summary(&certificate, &arguments.out, count)) }
}

fn model_columns(models: &[indistinct::model::SequentialNormal]) -> u64 {
    models.first().map_or(0, |model| model.location().len() as u64)
}

/// The schema given, or one of numbers and categories as the data have them.
fn schema(arguments: &Synth, source: &Source) -> Result<(Schema, SchemaSource), Failure> {
    if let Some(path) = &arguments.schema {
        let schema = read_schema(path).map_err(|error| Failure::failed(&error).advise(error.advice()))?;
        return Ok((schema, SchemaSource::User));
    }
    let columns = source.read_plain(&[]).map_err(read_failure)?;
    let columns = columns
        .into_iter()
        .map(|column| {
            let kind = match column.values {
                PlainValues::Integers(_) => ColumnType::Integer,
                PlainValues::Floats(_) => ColumnType::Float,
                PlainValues::Text { levels, .. } => ColumnType::Nominal { levels: levels.into() },
            };
            ColumnSchema::new(&column.name, kind)
        })
        .collect();
    let schema = Schema::new(DEFAULT_MISSING.map(str::to_owned).to_vec(), columns);
    Ok((schema.map_err(Failure::failed)?, SchemaSource::Drafted))
}

fn format(arguments: &Synth) -> Result<Format, Failure> {
    match &arguments.format {
        None => Ok(Format::of(&arguments.table).unwrap_or(Format::CSV)),
        Some(typed) => Format::of(Path::new(&format!("table.{typed}"))).ok_or_else(|| {
            Failure::usage("--format is not a known format").advise("use csv, csv.gz, tsv, parquet or arrow")
        }),
    }
}

/// Charges the ledger, if one was named: from here on the budget is spent, whatever happens.
fn charge(arguments: &Synth, plan: &ReleasePlan, schema: &Schema) -> Result<(), Failure> {
    let Some(ledger) = &arguments.ledger else { return Ok(()) };
    let what = format!("synth into {}", arguments.out.display());
    let fingerprint = SchemaFingerprint::of(schema);
    LedgerFile::charge(ledger, plan.options().epsilon, &what, &fingerprint, arguments.ledger_id.as_deref())
        .map(|_| ())
        .map_err(ledger_failure)
}

fn facts(
    plan: &ReleasePlan,
    rows: usize,
    columns: u64,
    schema_source: SchemaSource,
    released: &Released,
) -> Facts {
    let options = plan.options();
    let mut outside = vec![format!("the number of rows, {rows}")];
    if schema_source == SchemaSource::Drafted {
        outside.push("column names and types, read from the data".to_owned());
    }
    Facts {
        rows: rows as u64,
        columns,
        quality: match options.quality {
            Quality::Pmae => "pmae".to_owned(),
            Quality::Pmse => "pmse".to_owned(),
        },
        discriminator: options.discriminator.name().to_owned(),
        sampler: options.sampler.name().to_owned(),
        measure_share: plan.measure_share(),
        sensitivity: if options.paper_sensitivity { "paper" } else { "tight" }.to_owned(),
        draws: u64::from(options.draws),
        tables: u64::from(options.tables),
        schema_source,
        outside_the_guarantee: outside,
        score: released.score,
    }
}

/// How the chains went, for the data holder: computed from the private rows, and not paid for.
fn tell_diagnostics(diagnostics: &Diagnostics) {
    tell(&format!(
        "chains (for the data holder, not to be published): acceptance {}, largest split R-hat {:.3}, smallest effective \
         sample size {:.0}",
        diagnostics.acceptance.iter().map(|rate| format!("{rate:.2}")).collect::<Vec<_>>().join(" "),
        diagnostics.worst_rhat(),
        diagnostics.least_effective_size()
    ));
}

fn table_name(number: u64, count: u64, format: Format) -> String {
    let ending = format.ending();
    if count == 1 {
        return format!("synthetic{ending}");
    }
    let digits = count.to_string().len().max(2);
    format!("synthetic-{number:0digits$}{ending}")
}

fn summary(certificate: &Certificate, out: &Path, tables: u64) -> String {
    let guarantee = match certificate.guarantee() {
        Guarantee::Pure { epsilon } => format!("pure differential privacy with epsilon {epsilon}"),
        Guarantee::Approximate { epsilon, delta } => format!("({epsilon}, {delta})-differential privacy"),
        Guarantee::AtStationarity { epsilon } => {
            format!("epsilon {epsilon} at stationarity only: a chain that has run for ever")
        }
        Guarantee::None { because } => format!("none, because {}", because.join("; ")),
    };
    let plural = if tables == 1 { "table" } else { "tables" };
    let mut text = format!("{}: {tables} synthetic {plural}\nguarantee: {guarantee}\n", out.display());
    let steps = certificate.spent();
    text += &format!("spent: epsilon {} in {} steps (see certificate.json)\n", total(steps), steps.len());
    if let Some(score) = &certificate.facts().score {
        text += &format!(
            "quality: {} {:.4}, with noise of scale {:.4}\n",
            certificate.facts().quality,
            score.value,
            score.scale
        );
    }
    text
}

fn total(steps: &[indistinct::privacy::Spent]) -> Epsilon {
    steps.iter().map(|step| step.epsilon).sum()
}

fn rows_failure(error: &PrivateRowsError) -> Failure {
    Failure::failed(error).advise(match error {
        PrivateRowsError::NotNumeric { .. } => {
            "only numbers can be synthesised for now: declare the column `type = \"identifier\"` in a schema to leave it out"
        }
        PrivateRowsError::Missing { .. } => "fill or remove missing values first: they cannot be synthesised yet",
        PrivateRowsError::Empty => "declare at least one numeric column",
    })
}

fn plan_failure(error: &ReleaseError) -> Failure {
    Failure::failed(error).advise(match error {
        ReleaseError::TooFewRows(_) => "differential privacy has nothing to hide so few persons behind",
        ReleaseError::Zero(_) => "leave the option out for the usual 1",
        ReleaseError::MeasureShare(_) => "leave --measure-share out, or give a number such as 0.6",
        ReleaseError::MeasuredMetropolis => "leave --measure-share out, or use --sampler zoom",
        ReleaseError::PriorSd => "leave --prior-sd out, or give a positive number",
        ReleaseError::ScoreTakesAll { .. } => "give the score a small part, as in --score-epsilon 0.05",
        ReleaseError::Hopeless { .. } => {
            "raise --epsilon, release fewer columns (see `indistinct schema`), or use fewer --draws"
        }
        ReleaseError::Sampler(_) => "raise --epsilon",
    })
}
