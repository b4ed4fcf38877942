//! `indistinct combine`: a regression over synthetic tables.

use indistinct_io::read_schema;
use indistinct_tasks::combine::of_files;
use indistinct_tasks::schema_failure;

use crate::args::{Combine, Common};
use crate::failure::Failure;
use crate::output::{print, print_json};

pub(crate) fn run(arguments: &Combine, common: &Common) -> Result<(), Failure> {
    let schema = arguments.schema.as_deref().map(read_schema).transpose().map_err(schema_failure)?;
    let found = of_files(&arguments.synthetic, &arguments.formula, schema, &arguments.options.options())?;
    if common.json { print_json(&found.document()) } else { print(&found.as_text(common.quiet)) }
}
