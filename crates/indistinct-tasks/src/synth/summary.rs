//! A release in a few lines.

use std::path::Path;

use indistinct::mixed::is_margins_only;
use indistinct::privacy::{Certificate, Epsilon, Guarantee, Person, Rho, Spent};
use indistinct::sampler::diagnostics::Diagnostics;

use super::expected::INDEPENDENT;

/// How the chains went, for the data holder: computed from the private rows, and not paid for.
pub fn told_diagnostics(diagnostics: &Diagnostics) -> String {
    format!(
        "chains (for the data holder, not to be published): acceptance {}, largest split R-hat {:.3}, smallest effective \
         sample size {:.0}",
        diagnostics.acceptance.iter().map(|rate| format!("{rate:.2}")).collect::<Vec<_>>().join(" "),
        diagnostics.worst_rhat(),
        diagnostics.least_effective_size()
    )
}

/// What was released, where, and what that promises.
pub fn summary(certificate: &Certificate, out: &Path, tables: u64) -> String {
    let promised = certificate.guarantee();
    let guarantee = match promised {
        Guarantee::Pure { epsilon } => format!("pure differential privacy with epsilon {epsilon}"),
        Guarantee::Approximate { epsilon, delta } => format!("({epsilon}, {delta})-differential privacy"),
        Guarantee::Conditional { .. } => crate::words::conditional_promise(promised),
        Guarantee::AtStationarity { epsilon } => {
            format!("epsilon {epsilon} at stationarity only: a chain that has run for ever")
        }
        Guarantee::None { because } => format!("none, because {}", because.join("; ")),
    };
    let plural = if tables == 1 { "table" } else { "tables" };
    let mut text = format!("{}: {tables} synthetic {plural}\n", out.display());
    if let Some(comparison) = &certificate.facts().comparison {
        text += &format!("method: {}, for comparison\n", comparison.method);
    }
    text += &format!("guarantee: {guarantee}\n");
    if let Some(Person { column, rows_per_person, .. }) = &certificate.facts().person {
        text += &match rows_per_person.get() {
            1 => format!("for: every person in column `{column}`, by one row of each\n"),
            most => format!(
                "for: every person in column `{column}`, by at most {most} rows of each; how many of them were kept is not hidden\n"
            ),
        };
    }
    let steps = certificate.spent();
    let spent = match certificate.composition() {
        None => format!("epsilon {}", total(steps)),
        Some(composition) => {
            let spent: Rho = steps.iter().filter_map(|step| step.rho).sum();
            format!("rho {spent} of {}", composition.rho)
        }
    };
    text += &format!("spent: {spent} in {} steps (see certificate.json)\n", steps.len());
    if is_margins_only(certificate) {
        text += &format!("no tables of several columns were measured: {INDEPENDENT}\n");
    }
    if let Some(score) = &certificate.facts().score {
        text += &format!(
            "quality: {} {:.4}, with noise of scale {:.4}\n",
            certificate.facts().quality,
            score.value,
            score.scale
        );
    }
    text
}

fn total(steps: &[Spent]) -> Epsilon {
    steps.iter().map(|step| step.epsilon).sum()
}
