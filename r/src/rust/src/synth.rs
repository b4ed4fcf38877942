//! A release from a private table: prepared, charged, made.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use extendr_api::prelude::*;
use indistinct::privacy::SchemaSource;
use indistinct::progress::Progress;
use indistinct_io::arguments::{Arguments, synth_options};
use indistinct_io::schema::source_of as who_says;
use indistinct_io::synth::{self, LedgerTerms, Prepared, PrivateInput, admit};
use indistinct_io::{Failure, schema_failure};
use indistinct_report::text::Split;

use crate::given::Given;
use crate::job::{begin, reply, start};
use crate::release::state_with_seed;
use crate::schema::schema_text;
use crate::table::source_of;
use crate::value::{in_words_of_r, to_r};

/// A prepared release. It holds the private rows until it is made, which happens once.
struct Preparation(Mutex<Option<Prepared>>);

/// A ledger, the name that it must have, and whether a conditional guarantee is accepted.
struct GivenLedger {
    file: PathBuf,
    id: Option<String>,
    accept_conditional: bool,
}

impl GivenLedger {
    fn of(options: &List) -> std::result::Result<Option<Self>, Failure> {
        let given = Given(options);
        let accept_conditional = given.truth("accept_conditional")?.unwrap_or(false);
        let id = given.text("ledger_id")?;
        match given.text("ledger")? {
            Some(file) => Ok(Some(Self { file: file.into(), id, accept_conditional })),
            None if id.is_some() => Err(Failure::usage("--ledger-id names a ledger that is not given")
                .advise("give its file as --ledger, too")),
            None => Ok(None),
        }
    }

    fn terms(&self) -> LedgerTerms<'_> {
        LedgerTerms { file: &self.file, id: self.id.as_deref(), accept_conditional: self.accept_conditional }
    }
}

/// Warnings in the words of R, in the order in which they were said.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Heard {
    fn hear(&self, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(in_words_of_r(text));
    }

    fn all(self) -> Vec<String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a private table and tries everything that can fail, before anything is charged. A dry run says whether the
/// ledger would take the charge; any other run is refused at once where its options have no guarantee that the
/// ledger can add up.
#[extendr]
fn start_prepare(table: Robj, schema: Robj, drafted: bool, options: List, dry_run: bool) -> Robj {
    let checked = || {
        let typed = synth_options(&Given(&options))?;
        Ok((source_of(&table)?, typed.check()?, Given(&options).whole("seed")?, GivenLedger::of(&options)?))
    };
    let schema = schema_text(&schema);
    begin(&options, checked(), move |(source, checked, seed, ledger), _| {
        let heard = Heard::default();
        if let Some(warning) = checked.warning() {
            heard.hear(&warning);
        }
        let declared = |text: &str| {
            let who = if drafted { SchemaSource::Drafted } else { who_says(text) };
            indistinct_io::parse_schema(text).map(|schema| (schema, who))
        };
        let schema = schema.as_deref().map(declared).transpose().map_err(schema_failure)?;
        let ledger = ledger.as_ref().map(GivenLedger::terms);
        if !dry_run {
            admit(&checked, ledger.as_ref(), seed, schema.as_ref().map(|(_, who)| *who))?;
        }
        let input = PrivateInput { source: &source, schema, seed, memory: None, progress: None };
        let prepared = synth::prepare(checked, input, &|text| heard.hear(text))?;
        let fit = ledger.filter(|_| dry_run).map(|terms| prepared.fit(&terms));
        let split = Split::of(prepared.planned()).with_ledger(fit);
        let (document, text) = (split.as_json(), in_words_of_r(&split.as_text()));
        if let Some(warning) = prepared.warning_of_delta().filter(|_| !dry_run) {
            heard.hear(warning);
        }
        let warnings = heard.all();
        Ok(Box::new(move || {
            let prepared = ExternalPtr::new(Preparation(Mutex::new(Some(prepared))));
            list!(prepared = prepared, split = to_r(&document), text = text, warnings = warnings).into()
        }))
    })
}

/// Charges the ledger and draws: the release as text, and warnings.
#[extendr]
fn start_release(prepared: Robj, options: List) -> Robj {
    let taken = || {
        let gone = || Failure::failed("this was released already");
        let prepared = ExternalPtr::<Preparation>::try_from(prepared.clone()).map_err(|_| gone())?;
        let taken = prepared.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok((taken.ok_or_else(gone)?, GivenLedger::of(&options)?))
    };
    let (prepared, ledger) = match taken() {
        Ok(taken) => taken,
        Err(failure) => return reply(Err(failure)),
    };
    start(&options, move |monitor| {
        let ledger = ledger.as_ref().map(GivenLedger::terms);
        let charged = prepared.charge(ledger.as_ref(), "synth in R")?;
        monitor.expect(charged.stages());
        let heard = Heard::default();
        let (release, _) = charged.release(&|text| heard.hear(text), monitor)?;
        let state = state_with_seed(Arc::new(release))?;
        let warnings = heard.all();
        Ok(Box::new(move || list!(state = state, warnings = warnings).into()))
    })
}

extendr_module! {
    mod synth;
    fn start_prepare;
    fn start_release;
}
