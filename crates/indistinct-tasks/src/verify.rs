//! `verify`: whether a release is what its certificate says.

mod show;

pub use show::{as_json, as_text};

use indistinct::privacy::Certificate;
use indistinct_io::{ReleaseCheck, ReleaseError, is_overclaim};
use serde_json::{Value, json};

use crate::{Failure, one_line};

/// Whether the arithmetic of a certificate holds, for scripts: its problems, as [`as_json`] lists them.
///
/// # Errors
/// When the text is no certificate.
pub fn certificate_problems(text: &str) -> Result<Vec<Value>, Failure> {
    let certificate: Certificate = serde_json::from_str(text).map_err(|error| {
        Failure::failed(one_line(&format!("this is not a certificate: {error}")))
            .advise("give the certificate.json of a release")
    })?;
    Ok(problems(&certificate, &certificate.check()))
}

/// Problems of a certificate, for scripts.
fn problems(certificate: &Certificate, problems: &[indistinct::privacy::Problem]) -> Vec<Value> {
    let told = problems.iter().map(
        |problem| json!({"problem": problem.to_string(), "overclaim": is_overclaim(certificate, problem)}),
    );
    told.collect()
}

/// The first thing that is wrong decides: a claim that does not hold, then files, then what is merely odd.
///
/// # Errors
/// When anything is wrong.
pub fn verdict(check: &ReleaseCheck, folder: &str) -> Result<(), Failure> {
    if check.is_overclaim() {
        let problems = listed(check.problems.iter());
        return Err(Failure::overclaim(format!(
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
pub fn release_failure(error: &ReleaseError) -> Failure {
    // It may quote a certificate that anybody wrote.
    let what = one_line(&error.to_string());
    if error.is_refusal() { Failure::overclaim(what) } else { Failure::failed(what) }.advise(error.advice())
}
