//! `indistinct verify`: whether a release is what its certificate says.

use indistinct_io::ReleaseCheck;
use indistinct_io::verify::{release_failure, verdict};
use indistinct_report::text::verify::{as_json, as_text};

use crate::args::{self, Common};
use crate::failure::Failure;
use crate::output::{print, print_json};

pub(crate) fn run(arguments: &args::Verify, common: &Common) -> Result<(), Failure> {
    let folder = arguments.folder.display().to_string();
    let check = ReleaseCheck::of(&arguments.folder).map_err(|error| release_failure(&error))?;
    if common.json {
        print_json(&as_json(&check, &folder))?;
    } else if !common.quiet {
        print(&as_text(&check, &folder))?;
    }
    verdict(&check, &folder, arguments.require)
}
