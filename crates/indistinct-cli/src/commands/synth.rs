//! `indistinct synth`: everything that can fail is tried before the ledger is charged, and the ledger is charged before
//! anything is drawn.

use indistinct::progress::Progress;
use indistinct_io::interval::check_rehearsals;
use indistinct_io::schema::source_of;
use indistinct_io::synth::{LedgerTerms, PrivateInput, admit, prepare};
use indistinct_io::verify::release_failure;
use indistinct_io::{
    Format, ReleaseFolder, TypedForm, format_of, open_table, read_schema_text, schema_failure,
};
use indistinct_paper::release::MethodArg;
use indistinct_report::Writing;
use indistinct_report::text::{Split, summary, told_diagnostics};

use crate::args::{Baseline, Common, Synth};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json, tell};

/// `indistinct baseline`: the same with a method that the mechanism is compared with.
pub(crate) fn run_baseline(arguments: Baseline, common: &Common) -> Result<(), Failure> {
    let Baseline { method, synth } = arguments;
    if method == MethodArg::Pmse || synth.method.is_some() {
        return Err(Failure::usage("baseline takes one method that the mechanism is compared with").advise(
            "`indistinct synth` is the mechanism itself; `indistinct baseline --help` has the methods",
        ));
    }
    release(&synth, method, common)
}

pub(crate) fn run(arguments: &Synth, common: &Common) -> Result<(), Failure> {
    if arguments.method.is_some() {
        return Err(Failure::usage("synth makes releases by the mechanism of this program only").advise(
            "use `indistinct baseline METHOD PRIVATE ...` for the methods that it is compared with",
        ));
    }
    release(arguments, MethodArg::Pmse, common)
}

fn release(arguments: &Synth, method: MethodArg, common: &Common) -> Result<(), Failure> {
    let checked = arguments.options.options(method)?.check()?;
    if let Some(replicates) = arguments.rehearsals {
        check_rehearsals("rehearsals", replicates)?;
    }
    let warn = |text: &str| {
        if !common.quiet {
            tell(&format!("warning: {text}"));
        }
    };
    if let Some(warning) = checked.warning() {
        warn(&warning);
    }
    let schema = arguments.schema.as_deref().map(read_schema_text).transpose().map_err(schema_failure)?;
    let schema = schema.map(|(text, schema)| (schema, source_of(&text)));
    let ledger = arguments.ledger.as_deref().map(|file| LedgerTerms {
        file,
        id: arguments.ledger_id.as_deref(),
        accept_conditional: arguments.accept_conditional,
    });
    if !arguments.dry_run {
        admit(&checked, ledger.as_ref(), common.seed, schema.as_ref().map(|(_, source)| *source))?;
    }
    let declared = schema.as_ref().map(|(schema, _)| schema);
    let form = TypedForm { no_header: arguments.no_header, encoding: arguments.encoding.clone() };
    let source = open_table(&arguments.private, &form, declared)?;
    if !common.quiet {
        source.said().iter().for_each(|said| tell(&format!("note: {said}")));
    }
    let format = match &arguments.format {
        None => {
            let usual = if source.is_columnar() { Format::Parquet } else { Format::CSV };
            arguments.private.first().and_then(|path| Format::of(path)).unwrap_or(usual)
        }
        Some(typed) => format_of(typed)?,
    };
    let bar = Bar::new(common.quiet, "drawing parameters");
    let (memory, progress) = (arguments.memory, Some(bar.passes()));
    let table = PrivateInput { source: &source, schema, seed: common.seed, memory, progress };
    let prepared = prepare(checked, table, &warn);
    bar.finish();
    let prepared = prepared?;
    drop(source);
    prepared.require_format(format)?;
    if arguments.dry_run {
        let split =
            Split::of(prepared.planned()).with_ledger(ledger.as_ref().map(|terms| prepared.fit(terms)));
        if common.json { print_json(&split.as_json()) } else { print(&split.as_text()) }?;
        return split.refusal().map_or(Ok(()), |refusal| Err(refusal.clone()));
    }
    let folder =
        ReleaseFolder::begin(&arguments.out, arguments.force).map_err(|error| release_failure(&error))?;
    folder.require_space(prepared.bytes()).map_err(|error| release_failure(&error))?;
    prepared.require_memory()?;
    if let Some(warning) = prepared.warning_of_delta() {
        warn(warning);
    }
    let charged = prepared.charge(ledger.as_ref(), &format!("synth into {}", arguments.out.display()))?;

    if !common.quiet {
        tell(&Split::of(charged.planned()).in_short());
    }
    bar.restart();
    bar.expect(charged.stages());
    let released = charged.release(&warn, &bar);
    bar.finish();
    let (release, diagnostics) = released?;
    if !common.quiet {
        for one in &diagnostics {
            tell(&told_diagnostics(one));
        }
    }
    let mut writing = Writing::begin(&release, folder, format)?;
    for _ in 0..release.count() {
        let bar = Bar::new(common.quiet, "making rows");
        bar.expect(release.rows() as u64);
        let written = writing.next_table(&bar);
        bar.finish();
        written?;
    }
    if let Some(replicates) = arguments.rehearsals {
        let bar = Bar::new(common.quiet, "rehearsing");
        let failed = writing.rehearse(replicates, &bar);
        bar.finish();
        if let Some(failure) = failed {
            warn(&format!("the page has no error bars: {}", failure.what()));
        }
    }
    let certificate = writing.finish()?;
    let count = release.count();
    let said = || summary(&certificate, release.schema(), &arguments.out, count);
    if common.json { print_json(&certificate) } else { print(&said()) }
}
