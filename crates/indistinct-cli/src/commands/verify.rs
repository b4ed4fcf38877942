//! `indistinct verify`: whether a release is what its certificate says.

mod show;

use indistinct_io::{ReleaseCheck, ReleaseError};

use crate::args::{self, Common};
use crate::failure::Failure;
use crate::output::{one_line, print, print_json};

pub(crate) fn run(arguments: &args::Verify, common: &Common) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let check = ReleaseCheck::of(folder).map_err(|error| release_failure(&error))?;
    if common.json {
        print_json(&show::as_json(&check, &folder.display().to_string()))?;
    } else if !common.quiet {
        print(&show::as_text(&check, &folder.display().to_string()))?;
    }
    verdict(&check, &folder.display().to_string())
}

/// The first thing that is wrong decides: a claim that does not hold, then files, then what is merely odd.
fn verdict(check: &ReleaseCheck, folder: &str) -> Result<(), Failure> {
    if check.is_overclaim() {
        let problems = listed(check.problems.iter());
        return Err(Failure::refused(format!(
            "{folder}: the certificate claims more than its parts carry: {problems}"
        ))
        .advise("do not rely on it: ask for the release again where it came from"));
    }
    let broken: Vec<String> =
        check.broken().map(|file| format!("{} is {}", file.name, show::state(&file.state))).collect();
    if !broken.is_empty() {
        let broken = one_line(&broken.join(", "));
        return Err(Failure::failed(format!("{folder}: not what was released: {broken}"))
            .advise("copy the release again from where it came; what differs has no guarantee"));
    }
    if !check.problems.is_empty() {
        let problems = listed(check.problems.iter());
        return Err(Failure::failed(format!("{folder}: the certificate contradicts itself: {problems}"))
            .advise("ask for the release again where it came from"));
    }
    Ok(())
}

fn listed(problems: impl Iterator<Item = impl ToString>) -> String {
    one_line(&problems.map(|problem| problem.to_string()).collect::<Vec<_>>().join("; "))
}

/// What is said when a release cannot be written or read.
pub(crate) fn release_failure(error: &ReleaseError) -> Failure {
    // It may quote a certificate that anybody wrote.
    let what = one_line(&error.to_string());
    if error.is_refusal() { Failure::refused(what) } else { Failure::failed(what) }.advise(error.advice())
}
