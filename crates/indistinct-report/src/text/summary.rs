//! A release in a few lines.

use std::path::Path;

use indistinct::mixed::{is_margins_only, mostly_noise};
use indistinct::normal::diagnostics::Diagnostics;
use indistinct::number::number_of;
use indistinct::privacy::{Certificate, Epsilon, Neighbours, Person, Rho, Spent};
use indistinct::table::Schema;
use indistinct_io::one_line;

use super::expected::INDEPENDENT;

/// Diagnostics of the chains, for the data holder: computed from the private rows, and not paid for.
pub fn told_diagnostics(diagnostics: &Diagnostics) -> String {
    format!(
        "chains (for the data holder, not to be published): acceptance {}, largest split R-hat {:.3}, smallest effective \
         sample size {:.0}",
        diagnostics.acceptance.iter().map(|rate| format!("{rate:.2}")).collect::<Vec<_>>().join(" "),
        diagnostics.worst_rhat(),
        diagnostics.least_effective_size()
    )
}

/// Summary of a release: what was written, where, and what that promises.
pub fn summary(certificate: &Certificate, schema: &Schema, out: &Path, tables: u64) -> String {
    let guarantee = one_line(&certificate.guarantee().to_string());
    let plural = if tables == 1 { "table" } else { "tables" };
    let mut text = format!("{}: {tables} synthetic {plural}\n", out.display());
    if let Some(comparison) = &certificate.facts().comparison {
        text += &format!("method: {}, for comparison\n", comparison.method);
    }
    text += &format!("guarantee: {guarantee}\n");
    if let Some(Person { column, rows_per_person, .. }) = &certificate.facts().person {
        text += &match rows_per_person.get() {
            1 => format!("for: every person in column `{column}`, by one row of each\n"),
            most => {
                let kept = match certificate.neighbours() {
                    Neighbours::Substitute => "; how many of them were kept is not hidden",
                    Neighbours::AddRemove => "",
                };
                format!("for: every person in column `{column}`, by at most {most} rows of each{kept}\n")
            }
        };
    }
    if certificate.neighbours() == Neighbours::AddRemove {
        let rows = certificate.facts().rows;
        text += &format!(
            "between: tables of which one has a row more; the number of rows is private, about {rows}\n"
        );
    }
    let steps = certificate.spent();
    let spent = match certificate.composition() {
        None => total(steps).to_f64() / certificate.epsilon().to_f64(),
        Some(composition) => {
            let spent: Rho = steps.iter().filter_map(|step| step.rho).sum();
            spent.to_f64() / composition.rho.to_f64()
        }
    };
    let steps = number_of(steps.len(), "step");
    text += &format!("spent: {:.1} % of the budget in {steps} (see certificate.json)\n", 100.0 * spent);
    if is_margins_only(certificate) {
        text += &format!("no tables of several columns were measured: {INDEPENDENT}\n");
    }
    let noisy = mostly_noise(certificate, &schema.columns().iter().collect::<Vec<_>>());
    if !noisy.is_empty() {
        text += &format!("mostly noise: {}\n", noisy.join(", "));
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
