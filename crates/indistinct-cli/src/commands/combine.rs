//! `indistinct combine`: a regression over synthetic tables.

use indistinct_io::combine::{RehearsedOptions, of_files, of_rehearsals};
use indistinct_io::{read_schema, schema_failure};
use indistinct_report::text::{combination_document, combination_text};

use crate::args::{Combine, Common};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json};

pub(crate) fn run(arguments: &Combine, common: &Common) -> Result<(), Failure> {
    let Combine { synthetic, formula, .. } = arguments;
    let options = arguments.options.options();
    let found = if arguments.rehearse {
        if arguments.schema.is_some() {
            return Err(
                Failure::usage("--rehearse uses the schema of the release").advise("leave out --schema")
            );
        }
        let rehearsed =
            RehearsedOptions { replicates: arguments.replicates, seed: common.seed.unwrap_or_default() };
        let bar = Bar::new(common.quiet, "rehearsing");
        let found = of_rehearsals(synthetic, formula, &options, rehearsed, &bar);
        bar.finish();
        found?
    } else {
        let schema = arguments.schema.as_deref().map(read_schema).transpose().map_err(schema_failure)?;
        of_files(synthetic, formula, schema, &options)?
    };
    if common.json {
        print_json(&combination_document(&found))
    } else {
        print(&combination_text(&found, common.quiet))
    }
}
