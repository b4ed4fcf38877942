//! `indistinct sample`: more rows from a released model.

use indistinct::privacy::Randomness;
use indistinct::random::Seed;
use indistinct::release::synthetic_table;
use indistinct::table::condition::contradiction;
use indistinct::table::{Condition, Schema};
use indistinct_io::{ModelFile, write};
use indistinct_report::Progress;

use super::rare_failure;
use crate::args::{Common, Sample};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json};

pub(crate) fn run(arguments: &Sample, common: &Common) -> Result<(), Failure> {
    if arguments.out.exists() && !arguments.force {
        return Err(Failure::failed(format!("{} exists", arguments.out.display()))
            .advise("choose another name for --out, or say --force to replace it"));
    }
    if arguments.rows == 0 {
        return Err(Failure::failed("--rows must be at least 1").advise("say how many rows to make"));
    }
    let model =
        ModelFile::read(&arguments.model).map_err(|error| Failure::failed(&error).advise(error.advice()))?;
    let Some(theta) = arguments.draw.checked_sub(1).and_then(|draw| model.draws.get(draw)) else {
        return Err(Failure::failed(format!("the model has {} draws, counted from 1", model.draws.len()))
            .advise("choose one of them with --draw"));
    };
    let mut random = match common.seed {
        Some(seed) => Seed(seed).stream(0),
        None => Randomness::from_system().map_err(Failure::failed)?.public_stream(0),
    };
    let filter = arguments.condition.as_ref().map(|text| filter(text, &model.schema)).transpose()?;
    let bar = Bar::new(common.quiet, "making rows");
    bar.expect(arguments.rows as u64);
    let progress = |rows: usize| bar.reach(rows as u64);
    let table =
        synthetic_table(theta, &model.schema, filter.as_ref(), arguments.rows, &mut random, &progress);
    bar.finish();
    let table = table.map_err(|error| rare_failure(&error))?;
    write(&table, &arguments.out).map_err(|error| Failure::failed(&error).advise(error.advice()))?;
    if common.json {
        print_json(&serde_json::json!({
            "file": arguments.out,
            "rows": arguments.rows,
            "draw": arguments.draw,
            "where": arguments.condition,
        }))
    } else {
        print(&format!("{}: {} rows, at no cost to privacy\n", arguments.out.display(), arguments.rows))
    }
}

/// The condition that rows must pass.
fn filter(text: &str, schema: &Schema) -> Result<Condition, Failure> {
    let condition = Condition::parse(text, schema)
        .map_err(|error| Failure::failed(format!("--where, {error}")).advise(error.advice()))?;
    match contradiction(std::slice::from_ref(&condition), schema) {
        None => Ok(condition),
        Some(found) => Err(Failure::failed(format!("--where: no row can pass: {}", found.what))
            .advise("ask for more: wider limits, fewer conditions joined by `and`")),
    }
}
