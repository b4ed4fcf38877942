//! `indistinct combine`: a regression over synthetic tables.

use indistinct_io::combine::of_files;
use indistinct_io::{read_schema, schema_failure};
use indistinct_report::text::{combination_document, combination_text};

use crate::args::{Combine, Common};
use crate::failure::Failure;
use crate::output::{print, print_json};

pub(crate) fn run(arguments: &Combine, common: &Common) -> Result<(), Failure> {
    let schema = arguments.schema.as_deref().map(read_schema).transpose().map_err(schema_failure)?;
    let found = of_files(&arguments.synthetic, &arguments.formula, schema, &arguments.options.options())?;
    if common.json {
        print_json(&combination_document(&found))
    } else {
        print(&combination_text(&found, common.quiet))
    }
}
