//! A release as text, which is all that R keeps of it, and what is made of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use extendr_api::prelude::*;
use indistinct::Release;
use indistinct::privacy::Certificate;
use indistinct::progress::Progress;
use indistinct_io::arguments::Arguments;
use indistinct_io::sample::{SampleOptions, fresh_seed, sample_failure, sample_release};
use indistinct_io::schema::{check_free, released_schema, save};
use indistinct_io::synth::{load_release, parse_release, release_text, released_model_json};
use indistinct_io::verify::{release_failure, verdict};
use indistinct_io::{Failure, MODEL, ReleaseCheck, ReleaseFolder, format_of};
use indistinct_report::text::{summary, verify};
use indistinct_report::write_release;
use serde_json::Value;

use crate::given::Given;
use crate::job::{Answer, begin, reply, start};
use crate::value::{columns_of, in_words_of_r, to_r};

/// The release as text, with a seed for its tables, so that these are the same whenever they are looked at or written.
/// Rows are drawn from what was released; their seed has nothing to do with privacy.
pub(crate) fn state_with_seed(release: Arc<Release>) -> std::result::Result<String, Failure> {
    let seed = match release.seed() {
        Some(seed) => seed,
        None => fresh_seed()?,
    };
    let (source, certificate) = (release.source().clone(), release.certified().cloned());
    release_text(&Release::of_parts(source, certificate, release.rows(), Some(seed)))
}

fn document(value: &Certificate) -> std::result::Result<Value, Failure> {
    serde_json::to_value(value).map_err(Failure::failed)
}

/// The statements of a release about itself: certificate, schema, sizes, and the guarantee in words.
#[extendr]
fn release_facts(state: &str) -> Robj {
    let facts = || {
        let release = parse_release(state)?;
        let certificate = release.certified().map(document).transpose()?;
        let schema = released_schema(&release);
        let guarantee = release.certified().map(|certificate| certificate.guarantee().to_string());
        let said = release
            .certified()
            .map(|certificate| summary(certificate, release.schema(), Path::new("release"), release.count()));
        let (rows, tables) = (release.rows() as f64, release.count() as f64);
        Ok(Box::new(move || {
            let certificate = certificate.as_ref().map_or_else(|| ().into(), to_r);
            list!(
                certificate = certificate,
                guarantee = guarantee,
                text = said,
                schema = list!(text = schema.0, document = to_r(&schema.1), warnings = Vec::<String>::new()),
                rows = rows,
                tables = tables
            )
            .into()
        }) as Answer)
    };
    reply(facts())
}

/// Makes rows.
#[extendr]
fn start_sample(state: String, options: List) -> Robj {
    let asked = || {
        let given = Given(&options);
        let release = parse_release(&state)?;
        let rows = given.count("n")?.unwrap_or(release.rows());
        let seed = match given.whole("seed")? {
            Some(seed) => seed,
            None => fresh_seed()?,
        };
        let draw = given.count("draw")?.unwrap_or(1);
        Ok((release, SampleOptions { rows, draw, condition: given.text("where")? }, seed))
    };
    begin(&options, asked(), |(release, asked, seed), monitor| {
        monitor.expect(asked.rows as u64);
        let table = sample_release(&release, &asked, Some(seed), monitor)?;
        Ok(Box::new(move || columns_of(&table)))
    })
}

/// Makes one of the tables of a release, counted from 1.
#[extendr]
fn start_table(state: String, number: f64, options: List) -> Robj {
    start(&options, move |monitor| {
        let release = parse_release(&state)?;
        monitor.expect(release.rows() as u64);
        let failure = |error| sample_failure(&error);
        let streams = release.streams().map_err(failure)?;
        let table = release.table(number as u64 - 1, &streams, monitor).map_err(failure)?;
        Ok(Box::new(move || columns_of(&table)))
    })
}

/// The folder of a release, or its model file, as a release.
#[extendr]
fn start_open(path: String, options: List) -> Robj {
    start(&options, move |_| {
        let path = PathBuf::from(path);
        let model = if path.is_dir() { path.join(MODEL) } else { path };
        let state = state_with_seed(Arc::new(load_release(&model)?))?;
        Ok(Box::new(move || state.into()))
    })
}

/// Writes the model file.
#[extendr]
fn save_model(state: &str, path: &str, force: bool) -> Robj {
    let written = || {
        let path = Path::new(path);
        check_free(path, force)?;
        save(&released_model_json(&parse_release(state)?)?, path)
    };
    reply(written().map(|()| -> Answer { Box::new(|| true.into()) }))
}

/// Writes the folder of a release: its certificate.
#[extendr]
fn start_write(state: String, folder: String, force: bool, options: List) -> Robj {
    let given = Given(&options);
    let asked = given
        .text("format")
        .and_then(|format| Ok((format, given.count::<u64>("tables")?, given.count::<usize>("rehearsals")?)));
    begin(&options, asked, move |(format, tables, rehearsals), monitor| {
        let format = format_of(format.as_deref().unwrap_or("csv"))?;
        let release = parse_release(&state)?;
        let release = match tables {
            None => release,
            Some(tables) => release.with_tables(tables).map_err(|error| sample_failure(&error))?,
        };
        let folder =
            ReleaseFolder::begin(Path::new(&folder), force).map_err(|error| release_failure(&error))?;
        let certificate = document(&write_release(&release, folder, format, rehearsals, monitor)?)?;
        Ok(Box::new(move || to_r(&certificate)))
    })
}

/// Checks a release: the document, the command's text, and the reason of a failure, if it fails.
#[extendr]
fn start_verify(folder: String, options: List) -> Robj {
    begin(&options, Given(&options).word("require"), move |required, _| {
        let check = ReleaseCheck::of(Path::new(&folder)).map_err(|error| release_failure(&error))?;
        let problem = verdict(&check, &folder, required).err();
        let (document, text) = (verify::as_json(&check, &folder), verify::as_text(&check, &folder));
        Ok(Box::new(move || {
            let problem = problem.map_or_else(|| ().into(), |failure| reply(Err(failure)));
            list!(document = to_r(&document), text = in_words_of_r(&text), problem = problem).into()
        }))
    })
}

extendr_module! {
    mod release;
    fn release_facts;
    fn start_sample;
    fn start_table;
    fn start_open;
    fn save_model;
    fn start_write;
    fn start_verify;
}
