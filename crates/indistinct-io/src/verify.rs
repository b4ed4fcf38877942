//! `verify`: whether a release is what its certificate says.

use indistinct::privacy::{Certificate, Guarantee};
use indistinct::{Word, words};
use serde_json::{Value, json};

use crate::{Failure, FileState, ReleaseCheck, ReleaseError, is_overclaim, one_line};

/// Whether the arithmetic of a certificate holds, for scripts: its problems, as `indistinct verify --json` lists them.
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
pub fn problems(certificate: &Certificate, problems: &[indistinct::privacy::Problem]) -> Vec<Value> {
    let told = problems.iter().map(
        |problem| json!({"problem": problem.to_string(), "overclaim": is_overclaim(certificate, problem)}),
    );
    told.collect()
}

/// The weakest guarantee that will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// Pure differential privacy
    Pure,
    /// Differential privacy with a delta, or pure
    Approximate,
}

words!(Requirement {
    "pure" => Pure: "Pure differential privacy",
    "approximate" => Approximate: "Differential privacy with a delta, or pure",
});

impl Requirement {
    /// Whether a guarantee is no weaker. One that is conditional, of a chain at stationarity, or none, never is.
    fn is_met(self, guarantee: &Guarantee) -> bool {
        match guarantee {
            Guarantee::Pure { .. } => true,
            Guarantee::Approximate { .. } => self == Self::Approximate,
            Guarantee::Conditional { .. } | Guarantee::AtStationarity { .. } | Guarantee::None { .. } => {
                false
            }
        }
    }
}

/// The first thing that is wrong decides: a claim that does not hold, then files, then what is merely odd; then a release that
/// promises nothing, or less than is required.
///
/// # Errors
/// When anything is wrong, when the release promises nothing, or when it promises less than `required`.
pub fn verdict(check: &ReleaseCheck, folder: &str, required: Option<Requirement>) -> Result<(), Failure> {
    if check.is_overclaim() {
        let problems = listed(all_problems(check));
        return Err(Failure::overclaim(format!(
            "{folder}: the certificate claims more than its parts carry: {problems}"
        ))
        .advise("do not rely on it: ask for the release again where it came from"));
    }
    let broken: Vec<String> =
        check.broken().map(|file| format!("{} is {}", file.name, state_in_words(&file.state))).collect();
    if !broken.is_empty() {
        let broken = one_line(&broken.join(", "));
        return Err(Failure::failed(format!("{folder}: not what was released: {broken}"))
            .advise("copy the release again from where it came; what differs has no guarantee"));
    }
    if !check.is_valid() {
        let problems = listed(all_problems(check));
        return Err(Failure::failed(format!(
            "{folder}: the certificate contradicts itself or its files: {problems}"
        ))
        .advise("ask for the release again where it came from"));
    }
    let guarantee = check.certificate.guarantee();
    if let Guarantee::None { because } = guarantee {
        let because = listed(because.iter());
        return Err(Failure::no_guarantee(format!(
            "{folder}: the release is whole, and promises nothing: {because}"
        ))
        .advise("handle it as you would handle the private data"));
    }
    match required {
        Some(required) if !required.is_met(guarantee) => {
            let kind = guarantee.kind();
            let proviso = guarantee.proviso().map(|proviso| format!(", {proviso}")).unwrap_or_default();
            Err(Failure::no_guarantee(one_line(&format!(
                "{folder}: the guarantee is {kind}, which is weaker than {}{proviso}",
                required.word()
            )))
            .advise("ask for a release with the guarantee that you need, or require less"))
        }
        _ => Ok(()),
    }
}

/// Everything that does not agree, in words.
pub fn all_problems(check: &ReleaseCheck) -> impl Iterator<Item = String> {
    let problems = check.problems.iter().map(ToString::to_string);
    problems.chain(check.contradictions.iter().map(ToString::to_string))
}

fn listed(problems: impl Iterator<Item = impl ToString>) -> String {
    one_line(&problems.map(|problem| problem.to_string()).collect::<Vec<_>>().join("; "))
}

/// The failure when a release cannot be written or read.
pub fn release_failure(error: &ReleaseError) -> Failure {
    // It may quote a certificate that anybody wrote.
    let what = one_line(&error.to_string());
    if error.is_refusal() { Failure::overclaim(what) } else { Failure::failed(what) }.advise(error.advice())
}

/// The state of a file, in words.
pub fn state_in_words(state: &FileState) -> String {
    match state {
        FileState::Same => "as released".to_owned(),
        FileState::Changed => "changed".to_owned(),
        FileState::Missing => "missing".to_owned(),
        FileState::Extra => "not of the release".to_owned(),
        FileState::Unusable(why) => format!("as listed, but not usable ({why})"),
        FileState::BadName => "not a name in this folder, and not looked at".to_owned(),
        FileState::Unreadable(why) => format!("not readable ({why})"),
    }
}
