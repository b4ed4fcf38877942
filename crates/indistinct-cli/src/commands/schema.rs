//! `indistinct schema`: drafting a schema, and reading one.

use std::path::Path;

use indistinct::table::Schema;
use indistinct_io::{draft_schema, parse_schema, write_text};

use super::{open, read_failure};
use crate::args::{self, Common};
use crate::failure::Failure;
use crate::output::{print, print_json, tell};

pub(crate) fn run(arguments: &args::Schema, common: &Common) -> Result<(), Failure> {
    if let Some(out) = &arguments.out
        && out.exists()
        && !arguments.force
    {
        return Err(Failure::failed(format!("{} exists", out.display()))
            .advise("choose another name for --out, or say --force to replace it"));
    }
    let draft = draft_schema(&open(&arguments.table)?).map_err(read_failure)?;
    if !common.quiet {
        for warning in draft.warnings() {
            tell(&format!("warning: {warning}"));
        }
    }
    let text = draft.to_toml();
    if let Some(out) = &arguments.out {
        write_text(&text, out).map_err(|error| Failure::failed(&error).advise(error.advice()))?;
    }
    match (common.json, &arguments.out) {
        (true, _) => print_json(&draft.to_json()),
        (false, None) => print(&text),
        (false, Some(out)) => print(&format!(
            "{}: a draft of {} columns. Check every line marked as learned from the private data.\n",
            out.display(),
            draft.schema().columns().len()
        )),
    }
}

/// Reads a schema file.
pub(super) fn read(path: &Path) -> Result<Schema, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::failed(format!("{}: {error}", path.display())).advise("check the path of --schema")
    })?;
    parse_schema(&text)
        .map_err(|error| Failure::failed(format!("{}: {error}", path.display())).advise(error.advice()))
}
