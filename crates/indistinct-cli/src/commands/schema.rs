//! `indistinct schema`: drafting a schema.

use indistinct_io::schema::{check_free, draft_json, save};
use indistinct_io::{TypedForm, draft_schema, open_named, read_failure};

use crate::args::{self, Common};
use crate::failure::Failure;
use crate::output::{print, print_json, tell};

pub(crate) fn run(arguments: &args::Schema, common: &Common) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        check_free(out, arguments.force)?;
    }
    let form = TypedForm { no_header: arguments.no_header, encoding: arguments.encoding.clone() };
    let source = open_named(&arguments.table, &form, None)?;
    let draft = draft_schema(&source).map_err(read_failure)?;
    if !common.quiet {
        source.said().iter().for_each(|said| tell(&format!("note: {said}")));
        for warning in draft.warnings() {
            tell(&format!("warning: {warning}"));
        }
    }
    if let Some(out) = &arguments.out {
        save(&draft.to_toml(), out)?;
    }
    match (common.json, &arguments.out) {
        (true, _) => print_json(&draft_json(&draft)),
        (false, None) => print(&draft.to_toml()),
        (false, Some(out)) => print(&format!(
            "{}: a draft of {} columns. Check every line marked as learned from the private data.\n",
            out.display(),
            draft.schema.columns().len()
        )),
    }
}
