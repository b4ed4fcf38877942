//! The rest of a ledger, divided over equal releases.

use std::path::Path;

use indistinct::privacy::ledger::{Price, Total};
use indistinct::privacy::{Delta, Epsilon, Neighbours};
use serde_json::{Value, json};

use super::open::read;
use crate::Failure;

/// Significant digits of what is computed, rounded towards privacy.
const DIGITS: u32 = 4;
/// Significant digits of a delta that is chosen here.
const DELTA_DIGITS: u32 = 2;
/// More releases than a ledger has room for.
const TOO_MANY: u64 = 1_000_000;

/// Equal releases that use up what is left of a ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerPlan {
    /// The ledger's file.
    pub file: String,
    /// Number of releases.
    pub releases: u64,
    /// The cost of each.
    pub each: Price,
    /// Between which tables the ledger's sum holds.
    pub neighbours: Neighbours,
    /// The cost of each, if all are pure.
    pub pure: Epsilon,
    /// The ledger's total.
    pub total: Total,
    /// The part of the total that is spent after them.
    pub spent: Epsilon,
}

/// Divides what is left of a ledger over so many releases, each with the delta that was typed, or else with an equal part of the
/// ledger's.
///
/// # Guarantee
/// What is planned fits, all releases together: it is found by charging as many to the ledger's account.
///
/// # Errors
/// When the ledger cannot be read, there are no or too many releases, or nothing is left to divide.
pub fn plan(path: &Path, releases: u64, delta: Option<Delta>) -> Result<LedgerPlan, Failure> {
    let file = read(path)?;
    let ledger = file.ledger();
    if releases == 0 || releases >= TOO_MANY {
        return Err(Failure::usage("--releases must be from 1 to 999999")
            .advise("say how many releases are still to come, as in --releases 3"));
    }
    let delta = delta.unwrap_or_else(|| part(ledger.remaining_delta(), releases));
    if !delta.is_zero() && ledger.remaining_delta().is_zero() {
        return Err(Failure::refused(format!("{}: the ledger has no delta left", file.file()))
            .advise("leave --delta out for pure releases"));
    }
    let rounded = |delta: Delta| ledger.remaining_for(releases, delta).rounded_down_to(DIGITS);
    let each = Price::of_budget(rounded(delta), delta);
    if each.epsilon.is_zero() {
        let plural = if releases == 1 { "release" } else { "releases" };
        return Err(Failure::refused(format!(
            "{}: nothing is left for {releases} more {plural}",
            file.file()
        ))
        .advise("plan fewer releases, or use `indistinct sample` on a released model, which costs nothing"));
    }
    Ok(LedgerPlan {
        file: file.file().to_owned(),
        releases,
        each,
        neighbours: ledger.opening().neighbours,
        pure: rounded(Delta::ZERO),
        total: ledger.opening().total(),
        spent: ledger.counted(&ledger.account().with(&each, releases)),
    })
}

/// The delta of planned releases as text.
///
/// # Errors
/// When it is no probability.
pub fn planned_delta_of(text: &str) -> Result<Delta, Failure> {
    text.parse().map_err(|error| {
        Failure::usage(format!("--delta: {error}"))
            .advise("leave --delta away for an equal part of the ledger's")
    })
}

/// An equal part of a delta, as somebody would type it; all of it where parts are too small to be written.
fn part(delta: Delta, releases: u64) -> Delta {
    let part = delta.divided_by(releases).rounded_down_to(DELTA_DIGITS);
    if part.is_zero() { delta } else { part }
}

impl LedgerPlan {
    /// The command for each release.
    pub fn command(&self) -> String {
        format!("indistinct synth ... --ledger {} {}", self.file, self.options())
    }

    /// The options of each release.
    pub fn options(&self) -> String {
        let Price { epsilon, delta, .. } = self.each;
        let delta = if delta.is_zero() { String::new() } else { format!(" --delta {delta}") };
        let neighbours = match self.neighbours {
            Neighbours::Substitute => "",
            Neighbours::AddRemove => " --neighbours add-remove",
        };
        format!("--epsilon {epsilon}{delta}{neighbours}")
    }

    /// The plan as a script reads it.
    pub fn as_json(&self) -> Value {
        json!({
            "file": self.file,
            "releases": self.releases,
            "epsilon": self.each.epsilon,
            "delta": self.each.delta,
            "rho": self.each.rho,
            "neighbours": self.neighbours,
            "options": self.options(),
            "pure_epsilon": self.pure,
            "spent": self.spent,
            "total": {"epsilon": self.total.epsilon, "delta": self.total.delta},
        })
    }
}
