//! `indistinct ledger`: opening a privacy budget, looking at it, checking it.

mod show;

use indistinct::privacy::{Delta, Epsilon};
use indistinct_io::{LedgerFile, LedgerFileError};
use serde_json::json;

use crate::args::{self, Common, LedgerAction};
use crate::failure::Failure;
use crate::output::{print, print_json, tell};

/// Above this a guarantee says little: the odds of a guess about a person may grow by e^10.
const LARGE_UNITS: u64 = 10 * Epsilon::UNITS_PER_ONE;

pub(crate) fn run(arguments: &args::Ledger, common: &Common) -> Result<(), Failure> {
    match &arguments.action {
        LedgerAction::Init(arguments) => init(arguments, common),
        LedgerAction::Show(arguments) => show(arguments, common),
        LedgerAction::Verify(arguments) => verify(arguments, common),
    }
}

fn init(arguments: &args::LedgerInit, common: &Common) -> Result<(), Failure> {
    let epsilon: Epsilon = arguments.epsilon.parse().map_err(|error| {
        Failure::usage(format!("--epsilon: {error}"))
            .advise("say how much may be spent over all releases together, as in --epsilon 3")
    })?;
    let delta: Delta = arguments.delta.parse().map_err(|error| {
        Failure::usage(format!("--delta: {error}")).advise("leave --delta away for pure differential privacy")
    })?;
    if arguments.id.as_deref().is_some_and(|id| id.trim().is_empty()) {
        return Err(Failure::usage("--id: the name is empty").advise("name the data set, or leave --id away"));
    }
    let ledger = LedgerFile::create(&arguments.file, epsilon, delta, arguments.id.as_deref())
        .map_err(ledger_failure)?;
    if epsilon.units() > LARGE_UNITS && !common.quiet {
        tell(&format!("warning: a total epsilon of {epsilon} protects little; below 10 is usual"));
    }
    if common.json { print_json(&show::as_json(&ledger)) } else { print(&show::opened(&ledger)) }
}

fn show(arguments: &args::LedgerShow, common: &Common) -> Result<(), Failure> {
    let ledger = LedgerFile::read(&arguments.file).map_err(ledger_failure)?;
    if common.json { print_json(&show::as_json(&ledger)) } else { print(&show::as_text(&ledger)) }
}

fn verify(arguments: &args::LedgerVerify, common: &Common) -> Result<(), Failure> {
    let file = arguments.file.display().to_string();
    let checked = LedgerFile::read(&arguments.file).map_err(|error| {
        let (what, advice) = (error.problem().to_string(), error.advice());
        (what, advice, ledger_failure(error))
    });
    let checked = checked.and_then(|ledger| match &arguments.head {
        Some(head) if !ledger.has_head(head.trim()) => {
            let what = "the ledger was rewritten: the head that was noted is not in its chain".to_owned();
            let advice =
                "restore the file from a backup; if there is none, count everything released so far as spent";
            let failure = Failure::failed(format!("{file}: {what}")).advise(advice);
            Err((what, advice, failure))
        }
        _ => Ok(ledger),
    });
    match checked {
        Ok(ledger) if common.json => {
            let mut document = show::as_json(&ledger);
            document["valid"] = json!(true);
            print_json(&document)
        }
        Ok(ledger) if !common.quiet => print(&show::verified(&ledger, arguments.head.is_some())),
        Ok(_) => Ok(()),
        Err((what, advice, failure)) => {
            if common.json {
                print_json(&json!({"file": file, "valid": false, "problem": what, "advice": advice}))?;
            }
            Err(failure)
        }
    }
}

/// What is said when a ledger cannot be used, or refuses.
pub(crate) fn ledger_failure(error: LedgerFileError) -> Failure {
    let advice = error.advice();
    if error.is_refusal() { Failure::refused(error) } else { Failure::failed(error) }.advise(advice)
}
