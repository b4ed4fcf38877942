//! A ledger as a person reads it, and as scripts do.

use std::collections::BTreeSet;
use std::fmt::Write;

use indistinct::privacy::ledger::{Ledger, Left, Posting, Total};
use indistinct::privacy::{Epsilon, Neighbours};
use indistinct_io::ledger::LedgerPlan;
use indistinct_io::{LedgerFile, one_line};
use serde_json::{Value, json};

use super::grid;

/// Significant digits of what is computed, rounded towards privacy.
const DIGITS: u32 = 4;
/// Digits of a fingerprint that tell schemas apart at a glance.
const FINGERPRINT: usize = 8;

/// A ledger that was just opened.
pub fn opened(file: &LedgerFile) -> String {
    let ledger = file.ledger();
    let opening = ledger.opening();
    let whose = opening.id.as_ref().map_or_else(String::new, |id| format!(" of `{}`", one_line(id)));
    let delta = if opening.delta.is_zero() { String::new() } else { format!(" and delta {}", opening.delta) };
    let neighbours = match opening.neighbours {
        Neighbours::Substitute => "",
        Neighbours::AddRemove => ", for rows that are added or removed",
    };
    format!(
        "{}: a ledger{whose} with epsilon {}{delta} to spend{neighbours}.\n\
         Charge it with `indistinct synth --ledger {}`; keep it with the private data, and back it up.\n\
         head {}\n",
        file.file(),
        opening.epsilon,
        file.file(),
        ledger.head()
    )
}

/// The charges, their total, what is left and what that would buy.
pub fn as_text(file: &LedgerFile) -> String {
    let ledger = file.ledger();
    let opening = ledger.opening();
    let mut text = String::new();
    let whose = opening.id.as_ref().map_or_else(String::new, |id| format!(" of `{}`", one_line(id)));
    let _ = writeln!(text, "{}: the privacy budget{whose}, opened {}", file.file(), one_line(&opening.time));
    let mut table =
        grid(&["entry", "time", "what", "schema", "epsilon", "delta", "rho", "neighbours"], &[1, 2, 3, 7]);
    table.add_row([
        "1",
        &one_line(&opening.time),
        "opened",
        "",
        &opening.epsilon.to_string(),
        &opening.delta.to_string(),
        "",
        opening.neighbours.name(),
    ]);
    for (posting, entry) in ledger.postings().iter().zip(2..) {
        table.add_row(row(posting, entry));
    }
    let _ = writeln!(text, "{table}");
    text += &sums(ledger);
    let conditional: BTreeSet<&String> =
        ledger.postings().iter().flat_map(|posting| &posting.provided).collect();
    if !conditional.is_empty() {
        let provided: Vec<String> = conditional.into_iter().map(|what| one_line(what)).collect();
        let _ = writeln!(
            text,
            "conditional charges hold provided that what was learned from the rows is public anyway: {}",
            provided.join("; ")
        );
    }
    let _ = writeln!(text, "head {}", ledger.head());
    text
}

/// A charge as a row of the table.
fn row(posting: &Posting, entry: usize) -> [String; 8] {
    let schema = posting.schema.strip_prefix("sha256:").unwrap_or(&posting.schema);
    let conditional = if posting.provided.is_empty() { "" } else { " (conditional)" };
    [
        format!("{entry}"),
        one_line(&posting.time),
        format!("{}{conditional}", one_line(&posting.what)),
        one_line(schema).chars().take(FINGERPRINT).collect(),
        posting.epsilon.to_string(),
        posting.delta.to_string(),
        posting.rho.map_or_else(String::new, |rho| rho.rounded_up_to(DIGITS).to_string()),
        posting.neighbours.name().to_owned(),
    ]
}

/// The total of all charges, and what is left.
fn sums(ledger: &Ledger) -> String {
    let mut text = String::new();
    let opening = ledger.opening();
    if let Some(last) = ledger.postings().last() {
        let together = ledger.together();
        let rho = match ledger.account().rho() {
            Some(rho) if !opening.delta.is_zero() => format!(", rho {}", rho.rounded_up_to(DIGITS)),
            _ => String::new(),
        };
        let _ = writeln!(text, "together: {}{rho}", promise(together));
        let _ = writeln!(text, "{}", of_total(ledger.spent(), opening.total()));
        let _ = writeln!(text, "left: {}", left_in_words(&ledger.left()));
        let _ = writeln!(
            text,
            "{}",
            match ledger.how_many_like(last) {
                0 => "no release like the last one fits".to_owned(),
                1 => "1 more release like the last one fits".to_owned(),
                more => format!("{more} more releases like the last one fit"),
            }
        );
    } else {
        let _ = writeln!(text, "{}", of_total(Epsilon::ZERO, opening.total()));
        let _ = writeln!(text, "left: {}", left_in_words(&ledger.left()));
    }
    text
}

/// The promise of all releases together.
fn promise(together: Total) -> String {
    let epsilon = together.epsilon.rounded_up_to(DIGITS);
    if together.delta.is_zero() {
        format!("{epsilon}-differential privacy")
    } else {
        format!("({epsilon}, {})-differential privacy", together.delta)
    }
}

/// The part of a total that is spent, at its delta.
fn of_total(spent: Epsilon, total: Total) -> String {
    let at = if total.delta.is_zero() { String::new() } else { format!(" at delta {}", total.delta) };
    // Rounding must not say more than there is.
    let spent = spent.rounded_up_to(DIGITS).min(total.epsilon);
    format!("epsilon {spent} of {} is spent{at}", total.epsilon)
}

/// The budget of one more release.
pub(super) fn left_in_words(left: &Left) -> String {
    let pure = left.pure.rounded_down_to(DIGITS);
    match left.with_delta {
        None => format!("epsilon {pure}"),
        Some(Total { epsilon, delta }) => {
            let epsilon = epsilon.rounded_down_to(DIGITS);
            format!("({epsilon}, {delta}) for one release, or epsilon {pure} for a pure one")
        }
    }
}

/// A ledger whose chain holds.
pub fn verified(file: &LedgerFile, head_was_noted: bool) -> String {
    let ledger = file.ledger();
    let entries = ledger.entries();
    let noted = if head_was_noted { ", the noted head among them" } else { "" };
    format!(
        "{}: in order. {entries} {} and all in the chain{noted}; {}.\nhead {}\n",
        file.file(),
        if entries == 1 { "entry" } else { "entries" },
        of_total(ledger.spent(), ledger.opening().total()),
        ledger.head()
    )
}

/// The ledger for scripts.
pub fn as_json(file: &LedgerFile) -> Value {
    let ledger = file.ledger();
    let opening = ledger.opening();
    let (together, left) = (ledger.together(), ledger.left());
    let charges = ledger.postings().iter().zip(ledger.accounts()).zip(2..);
    let charges = charges.map(|((posting, account), entry)| {
        json!({
            "entry": entry,
            "time": posting.time,
            "epsilon": posting.epsilon,
            "delta": posting.delta,
            "rho": posting.rho,
            "neighbours": posting.neighbours,
            "what": posting.what,
            "schema": posting.schema,
            "provided": posting.provided,
            "spent": ledger.counted(&account),
        })
    });
    json!({
        "file": file.file(),
        "id": opening.id,
        "opened": opening.time,
        "epsilon": opening.epsilon,
        "delta": opening.delta,
        "neighbours": opening.neighbours,
        "together": {"epsilon": together.epsilon, "delta": together.delta, "rho": ledger.account().rho()},
        "spent": ledger.spent(),
        "remaining": left.pure,
        "remaining_with_delta":
            left.with_delta.map(|total| json!({"epsilon": total.epsilon, "delta": total.delta})),
        "more_like_last": ledger.postings().last().map(|last| ledger.how_many_like(last)),
        "charges": charges.collect::<Vec<Value>>(),
        "entries": ledger.entries(),
        "head": ledger.head(),
    })
}

/// The plan of a ledger, as a person reads it, with what this person types for each release.
pub fn plan_text(plan: &LedgerPlan, typed: &str) -> String {
    let LedgerPlan { file, releases, each, pure, total, spent, .. } = plan;
    let (plural, all) = if *releases == 1 { ("release", "it") } else { ("releases", "them") };
    let mut text = format!(
        "{file}: room for {releases} more {plural} with\n  {typed}\n\
         After {all}, {}.\n",
        of_total(*spent, *total)
    );
    if !each.delta.is_zero() && !pure.is_zero() {
        text += &format!("If all of {all} are pure: --epsilon {pure}\n");
    }
    text
}
