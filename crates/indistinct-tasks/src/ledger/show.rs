//! A ledger as a person reads it, and as scripts do.

use std::collections::BTreeSet;
use std::fmt::Write;

use indistinct::privacy::Epsilon;
use indistinct::privacy::ledger::Posting;
use indistinct_io::LedgerFile;
use serde_json::{Value, json};

use crate::{grid, one_line};

/// What is left after each charge.
fn balances(ledger: &LedgerFile) -> impl Iterator<Item = Epsilon> {
    let ledger = ledger.ledger();
    ledger.postings().iter().scan(ledger.opening().epsilon, |left, posting| {
        *left = left.saturating_sub(posting.epsilon);
        Some(*left)
    })
}

/// A ledger that was just opened.
pub fn opened(file: &LedgerFile) -> String {
    let ledger = file.ledger();
    let opening = ledger.opening();
    let whose = opening.id.as_ref().map_or_else(String::new, |id| format!(" of `{}`", one_line(id)));
    format!(
        "{}: a ledger{whose} with epsilon {}{} to spend.\n\
         Charge it with `indistinct synth --ledger {}`; keep it with the private data, and back it up.\n\
         head {}\n",
        file.file(),
        opening.epsilon,
        delta(file),
        file.file(),
        ledger.head()
    )
}

/// What was charged and what is left.
pub fn as_text(file: &LedgerFile) -> String {
    let ledger = file.ledger();
    let opening = ledger.opening();
    let mut text = String::new();
    let whose = opening.id.as_ref().map_or_else(String::new, |id| format!(" of `{}`", one_line(id)));
    let _ = writeln!(text, "{}: the privacy budget{whose}, opened {}", file.file(), one_line(&opening.time));
    let mut table = grid(&["entry", "time", "epsilon", "what", "remaining"], &[1, 3]);
    let total = opening.epsilon.to_string();
    table.add_row([
        "1",
        &one_line(&opening.time),
        "",
        &format!("opened with {total}{}", delta(file)),
        &total,
    ]);
    for ((posting, left), entry) in ledger.postings().iter().zip(balances(file)).zip(2..) {
        let row = [
            format!("{entry}"),
            one_line(&posting.time),
            price(posting),
            format!(
                "{}{}",
                one_line(&posting.what),
                if posting.provided.is_empty() { "" } else { " (conditional)" }
            ),
            left.to_string(),
        ];
        table.add_row(row);
    }
    let _ = writeln!(text, "{table}");
    let _ = writeln!(text, "{} of {total} spent, {} left", ledger.spent(), ledger.remaining());
    if !opening.delta.is_zero() {
        let (spent, left) = (ledger.spent_delta(), ledger.remaining_delta());
        let _ = writeln!(text, "of delta {}, {spent} spent, {left} left", opening.delta);
    }
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
    match ledger.schema() {
        Some(schema) => _ = writeln!(text, "table {}", one_line(schema)),
        None => text.push_str("table: not known before the first charge\n"),
    }
    let _ = writeln!(text, "head {}", ledger.head());
    text
}

/// A ledger whose chain holds.
pub fn verified(file: &LedgerFile, head_was_noted: bool) -> String {
    let ledger = file.ledger();
    let entries = ledger.entries();
    let noted = if head_was_noted { ", the noted head among them" } else { "" };
    format!(
        "{}: in order. {entries} {} and all in the chain{noted}; {} of {} spent, {} left.\nhead {}\n",
        file.file(),
        if entries == 1 { "entry" } else { "entries" },
        ledger.spent(),
        ledger.opening().epsilon,
        ledger.remaining(),
        ledger.head()
    )
}

/// The ledger for scripts.
pub fn as_json(file: &LedgerFile) -> Value {
    let ledger = file.ledger();
    let opening = ledger.opening();
    let charges = ledger.postings().iter().zip(balances(file)).zip(2..);
    let charges = charges.map(|((posting, left), entry)| {
        json!({
            "entry": entry,
            "time": posting.time,
            "epsilon": posting.epsilon,
            "delta": posting.delta,
            "what": posting.what,
            "schema": posting.schema,
            "provided": posting.provided,
            "remaining": left,
        })
    });
    json!({
        "file": file.file(),
        "id": opening.id,
        "opened": opening.time,
        "epsilon": opening.epsilon,
        "delta": opening.delta,
        "schema": ledger.schema(),
        "spent": ledger.spent(),
        "remaining": ledger.remaining(),
        "spent_delta": ledger.spent_delta(),
        "remaining_delta": ledger.remaining_delta(),
        "charges": charges.collect::<Vec<Value>>(),
        "entries": ledger.entries(),
        "head": ledger.head(),
    })
}

/// What a charge cost.
fn price(posting: &Posting) -> String {
    let Posting { epsilon, delta, .. } = posting;
    if delta.is_zero() { epsilon.to_string() } else { format!("{epsilon}, delta {delta}") }
}

fn delta(file: &LedgerFile) -> String {
    let delta = file.ledger().opening().delta;
    if delta.is_zero() { String::new() } else { format!(" and delta {delta}") }
}
