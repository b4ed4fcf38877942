//! `indistinct sample`: more rows from a released model.

use indistinct::number::number_of;
use indistinct::progress::Progress;
use indistinct_io::sample::{SampleOptions, random, read_model, sample};
use indistinct_io::schema::check_free;
use indistinct_io::write_declared;

use crate::args::{Common, Sample};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json};

pub(crate) fn run(arguments: &Sample, common: &Common) -> Result<(), Failure> {
    let Sample { model, rows, draw, condition, out, force } = arguments;
    let options = SampleOptions { rows: *rows, draw: *draw, condition: condition.clone() };
    check_free(out, *force)?;
    options.check()?;
    let model = read_model(model)?;
    let bar = Bar::new(common.quiet, "making rows");
    bar.expect(options.rows as u64);
    let table = sample(&model, &options, &mut random(common.seed)?, &bar);
    bar.finish();
    let table = table?;
    write_declared(&table, &model.schema, out)
        .map_err(|error| Failure::failed(&error).advise(error.advice()))?;
    if common.json {
        print_json(&serde_json::json!({
            "file": out,
            "rows": options.rows,
            "draw": options.draw,
            "where": options.condition,
        }))
    } else {
        print(&format!("{}: {}, at no cost to privacy\n", out.display(), number_of(options.rows, "row")))
    }
}
