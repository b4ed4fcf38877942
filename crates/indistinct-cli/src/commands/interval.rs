//! `indistinct interval` and `indistinct rehearse`: error bars for statistics of a release.

use std::path::Path;

use indistinct_io::interval::{KeptRehearsals, RehearseOptions, intervals, open_release, rehearse_into};
use indistinct_io::{WriteProblem, check_page, format_of, write_atomically};
use indistinct_report::page::{IntervalPage, interval_page};
use indistinct_report::text::{interval_document, interval_text};

use crate::args::{Common, Interval, Rehearse};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json};

pub(crate) fn run(arguments: &Interval, common: &Common) -> Result<(), Failure> {
    let options = arguments.options.options(common.seed);
    options.check()?;
    if arguments.rehearsed.is_some() && common.seed.is_some() {
        return Err(Failure::usage("--seed says nothing about rehearsals that were made before")
            .advise("leave out --seed, or --rehearsed"));
    }
    if let Some(page) = &arguments.html {
        check_page(page, arguments.force)?;
    }
    let opened = open_release(&arguments.release)?;
    let kept =
        arguments.rehearsed.as_deref().map(|folder| KeptRehearsals::open(folder, &opened)).transpose()?;
    let bar = Bar::new(common.quiet, "rehearsing");
    let found = intervals(&opened, &arguments.statistics, &options, kept.as_ref(), &bar);
    bar.finish();
    let found = found?;
    if let Some(path) = &arguments.html {
        let release = arguments.release.display().to_string();
        let page =
            interval_page(IntervalPage { found: &found, release: &release }).map_err(Failure::failed)?;
        write_page(path, &page)?;
    }
    if common.json {
        print_json(&interval_document(&found))
    } else {
        print(&interval_text(&found, common.quiet))
    }
}

fn write_page(path: &Path, page: &str) -> Result<(), Failure> {
    write_atomically(path, |out| out.write_all(page.as_bytes()).map_err(WriteProblem::from)).map_err(
        |error| {
            Failure::failed(format!("{}: {error}", path.display()))
                .advise("check that the folder exists, that you may write there, and the free space")
        },
    )
}

pub(crate) fn rehearse(arguments: &Rehearse, common: &Common) -> Result<(), Failure> {
    let options = RehearseOptions {
        replicates: arguments.replicates,
        seed: common.seed.unwrap_or_default(),
        resume: arguments.resume,
        format: format_of(&arguments.format)?,
    };
    let opened = open_release(&arguments.release)?;
    let bar = Bar::new(common.quiet, "rehearsing");
    let done = rehearse_into(&opened, &arguments.out, &options, &bar);
    bar.finish();
    let done = done?;
    if common.json {
        print_json(&serde_json::json!({
            "folder": arguments.out,
            "replicates": done,
            "seed": options.seed,
            "release": false,
        }))
    } else {
        print(&format!(
            "{}: {done} rehearsals of {}; no release, nothing is certified or charged\n",
            arguments.out.display(),
            arguments.release.display()
        ))
    }
}
