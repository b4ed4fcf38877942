//! `indistinct ledger`: opening a privacy budget, looking at it, dividing it, checking it.

use indistinct_io::ledger::{self, InitOptions, InvalidLedger};
use indistinct_report::text::ledger::{as_json, as_text, opened, plan_text, verified};
use serde_json::json;

use crate::args::{self, Common, LedgerAction};
use crate::failure::Failure;
use crate::output::{print, print_json, tell};

pub(crate) fn run(arguments: &args::Ledger, common: &Common) -> Result<(), Failure> {
    match &arguments.action {
        LedgerAction::Init(arguments) => init(arguments, common),
        LedgerAction::Show(arguments) => show(arguments, common),
        LedgerAction::Plan(arguments) => plan(arguments, common),
        LedgerAction::Verify(arguments) => verify(arguments, common),
    }
}

fn init(arguments: &args::LedgerInit, common: &Common) -> Result<(), Failure> {
    let args::LedgerInit { file, epsilon, delta, id, neighbours } = arguments;
    let (epsilon, delta) = (ledger::total_epsilon_of(epsilon)?, ledger::total_delta_of(delta)?);
    let options = InitOptions { epsilon, delta, id: id.as_deref(), neighbours: *neighbours };
    let ledger = ledger::init(file, &options)?;
    if let Some(warning) = ledger::warning(&ledger)
        && !common.quiet
    {
        tell(&format!("warning: {warning}"));
    }
    if common.json { print_json(&as_json(&ledger)) } else { print(&opened(&ledger)) }
}

fn show(arguments: &args::LedgerShow, common: &Common) -> Result<(), Failure> {
    let ledger = ledger::read(&arguments.file)?;
    if common.json { print_json(&as_json(&ledger)) } else { print(&as_text(&ledger)) }
}

fn plan(arguments: &args::LedgerPlan, common: &Common) -> Result<(), Failure> {
    let delta = arguments.delta.as_deref().map(ledger::planned_delta_of).transpose()?;
    let plan = ledger::plan(&arguments.file, arguments.releases, delta)?;
    if common.json { print_json(&plan.as_json()) } else { print(&plan_text(&plan, &plan.command())) }
}

fn verify(arguments: &args::LedgerVerify, common: &Common) -> Result<(), Failure> {
    match ledger::verify(&arguments.file, arguments.head.as_deref()) {
        Ok(ledger) if common.json => {
            let mut document = as_json(&ledger);
            document["valid"] = json!(true);
            print_json(&document)
        }
        Ok(ledger) if !common.quiet => print(&verified(&ledger, arguments.head.is_some())),
        Ok(_) => Ok(()),
        Err(InvalidLedger { problem, advice, failure }) => {
            if common.json {
                let file = arguments.file.display().to_string();
                print_json(&json!({"file": file, "valid": false, "problem": problem, "advice": advice}))?;
            }
            Err(failure)
        }
    }
}
