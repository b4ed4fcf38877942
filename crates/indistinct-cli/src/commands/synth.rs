//! `indistinct synth`: everything that can fail is tried before the ledger is charged, and the ledger is charged before
//! anything is drawn.

mod bounds;
mod comparison;
mod failures;
mod mechanism;
mod options;
mod split;
mod work;

use std::path::Path;

use indistinct::privacy::{Certificate, Delta, Epsilon, Guarantee, Randomness, Rho, SchemaSource};
use indistinct::random::Seed;
use indistinct::release::{synthetic_table, table_of};
use indistinct::sampler::diagnostics::Diagnostics;
use indistinct::table::{Column, ColumnSchema, ColumnType, DEFAULT_MISSING, Family, Schema, Table};
use indistinct_io::{
    Draft, Format, LedgerFile, ModelFile, PlainColumn, PlainValues, ReleaseFolder, SchemaFingerprint, Source,
    WriteProblem, draft_schema, now, read_schema, write_to,
};
use indistinct_report::Progress;
use indistinct_report::page::{ReleasePage, release_page};

use super::ledger::ledger_failure;
use super::verify::release_failure;
use super::{open, rare_failure, read_failure};
use work::{Asked, Drawn, Outcome};

use crate::args::{Common, Synth};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json, tell};

/// Random streams of synthetic tables are numbered from here on, past those of the draws.
const TABLE_STREAMS: u64 = 1 << 32;
/// Bytes of the longest spelling of a number with its separator, and of what is written beside tables.
const LONGEST_CELL: u64 = 36;
const OTHER_FILES: u64 = 6 << 20;
/// The page of a release.
const PAGE: &str = "report.html";
/// Above this a guarantee says little.
const LARGE_EPSILON: f64 = 10.0;

pub(crate) fn run(arguments: &Synth, common: &Common) -> Result<(), Failure> {
    let asked = Asked::of(arguments)?;
    let warn = |text: &str| {
        if !common.quiet {
            tell(&format!("warning: {text}"));
        }
    };
    if asked.epsilon().to_f64() > LARGE_EPSILON {
        warn(&format!(
            "epsilon {} promises very little: values above {LARGE_EPSILON} are rarely defensible",
            asked.epsilon()
        ));
    }
    let source = open(&arguments.table)?;
    let format = format(arguments)?;
    let (schema, schema_source) = schema(arguments, &source, asked.is_of_numbers())?;
    if schema_source == SchemaSource::Drafted {
        warn("column types were read from the private data, outside the guarantee: give them with --schema");
    }
    let table = source.read(&schema).map_err(read_failure)?;
    let private_rows = table.rows();
    let drafted = (schema_source == SchemaSource::Drafted).then(|| Drafted::of(&table));
    let modelled = schema.without_identifiers().map_err(Failure::failed)?;
    let plan = asked.plan(&table, (&modelled, drafted), randomness(common)?)?;
    drop(table);
    if let Some(warning) = plan.warning() {
        warn(&warning);
    }
    if arguments.dry_run {
        return split::print_split(&plan, common);
    }
    let mut folder =
        ReleaseFolder::begin(&arguments.out, arguments.force).map_err(|error| release_failure(&error))?;
    let cells = arguments.rows.unwrap_or(private_rows) as u64 * modelled.columns().len() as u64;
    let (draws, tables) = plan.draws_and_tables();
    let count = draws * tables;
    folder
        .require_space(cells.saturating_mul(count).saturating_mul(LONGEST_CELL) + OTHER_FILES)
        .map_err(|error| release_failure(&error))?;
    if plan.delta().to_f64() * private_rows as f64 >= 1.0 {
        warn(
            "delta is not below one over the number of rows: such a guarantee allows publishing somebody's row",
        );
    }
    charge(arguments, (plan.epsilon(), plan.delta()), &schema)?;

    if !common.quiet {
        split::tell_split(&plan);
    }
    let mut facts = plan.facts(private_rows, modelled.columns(), schema_source);
    let bar = Bar::new(common.quiet, "drawing parameters");
    bar.expect(plan.stages());
    let released = plan.release(&|| bar.tick());
    bar.finish();
    let Outcome { mut drawn, diagnostics, score, budget } = released?;
    facts.score = score;
    if !common.quiet {
        diagnostics.iter().for_each(tell_diagnostics);
    }

    let write_failure = |error| release_failure(&error);
    let mut first = None;
    for number in 0..count {
        let synthetic = match &mut drawn {
            Drawn::Models(models) => {
                let mut random = budget.public_stream(TABLE_STREAMS + number);
                let wanted = arguments.rows.unwrap_or(private_rows);
                let model = &models[(number / tables) as usize];
                let bar = Bar::new(common.quiet, "making rows");
                bar.expect(wanted as u64);
                let reached = |rows: usize| bar.reach(rows as u64);
                let synthetic = synthetic_table(model, &modelled, None, wanted, &mut random, &reached);
                bar.finish();
                synthetic.map_err(|error| rare_failure(&error))?
            }
            Drawn::Tables(tables) => {
                table_of(std::mem::take(&mut tables[number as usize]), modelled.columns())
            }
        };
        let name = table_name(number + 1, count, format);
        folder.write(&name, |out| write_to(&synthetic, format, out)).map_err(write_failure)?;
        first.get_or_insert((name, synthetic));
    }
    // A histogram has no parameters to make more rows from: each of its rows is paid for.
    if let Drawn::Models(draws) = drawn {
        let model = ModelFile { schema: modelled, rows: private_rows, draws };
        let model = model.to_json().map_err(Failure::failed)?;
        folder
            .write("model.json", |out| out.write_all(model.as_bytes()).map_err(WriteProblem::from))
            .map_err(write_failure)?;
    }
    let certificate = Certificate::new(&budget, now(), facts);
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

fn randomness(common: &Common) -> Result<Randomness, Failure> {
    match common.seed {
        Some(seed) => Ok(Randomness::seeded(Seed(seed))),
        None => Randomness::from_system()
            .map_err(|error| Failure::failed(error).advise("the operating system gives no random numbers")),
    }
}

/// What a draft tells beyond the schema: whether a value is missing anywhere.
#[derive(Debug, Clone, Copy)]
struct Drafted {
    missing: bool,
}

impl Drafted {
    fn of(table: &Table) -> Self {
        let holes = |column: &Column| column.values().missing() > 0;
        let used = |column: &&Column| *column.schema().kind() != ColumnType::Identifier;
        Self { missing: table.columns().iter().filter(used).any(holes) }
    }
}

/// The schema given, or a draft; numbers as they are for what knows numbers only.
fn schema(arguments: &Synth, source: &Source, numbers_only: bool) -> Result<(Schema, SchemaSource), Failure> {
    if let Some(path) = &arguments.schema {
        let schema = read_schema(path).map_err(|error| Failure::failed(&error).advise(error.advice()))?;
        return Ok((schema, SchemaSource::User));
    }
    if numbers_only {
        return Ok((plain_schema(source)?, SchemaSource::Drafted));
    }
    let Draft { schema, .. } = draft_schema(source).map_err(read_failure)?;
    let names_rows = |column: &&ColumnSchema| *column.kind() == ColumnType::Identifier;
    if let Some(column) = schema.columns().iter().find(names_rows) {
        let what = format!("column `{}` is different in every row: it seems to name the rows", column.name());
        return Err(Failure::failed(what).advise(
            "draft a schema with `indistinct schema`, which declares it an identifier and leaves it out, and give it with \
             --schema; or drop the column",
        ));
    }
    // Numbers that look normal stay numbers as they are.
    let normal = |column: &ColumnSchema| {
        let number = matches!(column.kind(), ColumnType::Float | ColumnType::Integer);
        number && column.atoms().is_empty() && matches!(column.family(), None | Some(Family::Normal))
    };
    let schema = if schema.columns().iter().all(normal) { plain_schema(source)? } else { schema };
    Ok((schema, SchemaSource::Drafted))
}

/// A schema of numbers and categories as the data have them.
fn plain_schema(source: &Source) -> Result<Schema, Failure> {
    let columns = source.read_plain(&[]).map_err(read_failure)?;
    let declared = |column: PlainColumn| {
        let kind = match column.values {
            PlainValues::Integers(_) => ColumnType::Integer,
            PlainValues::Floats(_) => ColumnType::Float,
            PlainValues::Text { levels, .. } => ColumnType::Nominal { levels: levels.into() },
        };
        ColumnSchema::new(&column.name, kind)
    };
    Schema::new(DEFAULT_MISSING.map(str::to_owned).to_vec(), columns.into_iter().map(declared).collect())
        .map_err(Failure::failed)
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
fn charge(arguments: &Synth, cost: (Epsilon, Delta), schema: &Schema) -> Result<(), Failure> {
    let Some(ledger) = &arguments.ledger else { return Ok(()) };
    let what = format!("synth into {}", arguments.out.display());
    let fingerprint = SchemaFingerprint::of(schema);
    LedgerFile::charge(ledger, cost, &what, &fingerprint, arguments.ledger_id.as_deref())
        .map(|_| ())
        .map_err(ledger_failure)
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
    let mut text = format!("{}: {tables} synthetic {plural}\n", out.display());
    if let Some(comparison) = &certificate.facts().comparison {
        text += &format!("method: {}, for comparison\n", comparison.method);
    }
    text += &format!("guarantee: {guarantee}\n");
    let steps = certificate.spent();
    let spent = match certificate.composition() {
        None => format!("epsilon {}", total(steps)),
        Some(composition) => {
            let spent: Rho = steps.iter().filter_map(|step| step.rho).sum();
            format!("rho {spent} of {}", composition.rho)
        }
    };
    text += &format!("spent: {spent} in {} steps (see certificate.json)\n", steps.len());
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
