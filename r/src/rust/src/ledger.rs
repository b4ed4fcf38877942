//! Ledgers: the document, and the command's text.

use std::path::Path;

use extendr_api::prelude::*;
use indistinct::privacy::Neighbours;
use indistinct_io::arguments::Arguments;
use indistinct_io::ledger::{self, InitOptions, LedgerPlan};
use indistinct_io::{Failure, LedgerFile};
use indistinct_report::text::ledger::{as_json, as_text, plan_text};
use serde_json::Value;

use crate::given::Given;
use crate::job::{Answer, reply};
use crate::value::{in_words_of_r, to_r};

fn told(document: Value, text: String, warning: Option<String>) -> Answer {
    let warnings: Vec<String> = warning.iter().map(|text| in_words_of_r(text)).collect();
    Box::new(move || {
        list!(document = to_r(&document), text = in_words_of_r(&text), warnings = warnings).into()
    })
}

fn shown(file: &LedgerFile) -> Answer {
    told(as_json(file), as_text(file), None)
}

/// Opens a ledger.
#[extendr]
fn init_ledger(path: &str, options: List) -> Robj {
    let given = Given(&options);
    let opened = || {
        let epsilon = given.parsed("epsilon", ledger::total_epsilon_of)?;
        let epsilon = epsilon.ok_or_else(|| Failure::usage("--epsilon is missing"))?;
        let delta = ledger::total_delta_of(&given.text("delta")?.unwrap_or_else(|| "0".to_owned()))?;
        let neighbours = given.word::<Neighbours>("neighbours")?.unwrap_or(Neighbours::Substitute);
        let id = given.text("id")?;
        let options = InitOptions { epsilon, delta, id: id.as_deref(), neighbours };
        let opened = ledger::init(Path::new(path), &options)?;
        Ok(told(as_json(&opened), as_text(&opened), ledger::warning(&opened)))
    };
    reply(opened())
}

/// Reads a ledger and checks its chain.
#[extendr]
fn read_ledger(path: &str) -> Robj {
    reply(ledger::read(Path::new(path)).map(|file| shown(&file)))
}

/// Checks the chain of a ledger, and that a head noted earlier is still in it.
#[extendr]
fn verify_ledger(path: &str, options: List) -> Robj {
    let verified = || {
        let head = Given(&options).text("head")?;
        let file = ledger::verify(Path::new(path), head.as_deref()).map_err(|invalid| invalid.failure)?;
        Ok(shown(&file))
    };
    reply(verified())
}

/// The call of each release of a plan.
fn call_of(plan: &LedgerPlan) -> String {
    let LedgerPlan { file, each, neighbours, .. } = plan;
    let delta = if each.delta.is_zero() { String::new() } else { format!(", delta = {}", each.delta) };
    let neighbours = match neighbours {
        Neighbours::Substitute => "",
        Neighbours::AddRemove => ", neighbours = \"add-remove\"",
    };
    format!("synth(..., ledger = {file:?}, epsilon = {}{delta}{neighbours})", each.epsilon)
}

/// Divides the rest of a ledger's budget over equal releases.
#[extendr]
fn plan_ledger(path: &str, options: List) -> Robj {
    let planned = || {
        let given = Given(&options);
        let delta = given.parsed("delta", ledger::planned_delta_of)?;
        let plan = ledger::plan(Path::new(path), given.whole("releases")?.unwrap_or(1), delta)?;
        Ok(told(plan.as_json(), plan_text(&plan, &call_of(&plan)), None))
    };
    reply(planned())
}

extendr_module! {
    mod ledger;
    fn init_ledger;
    fn read_ledger;
    fn verify_ledger;
    fn plan_ledger;
}
