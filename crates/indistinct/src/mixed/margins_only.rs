//! Releases that measured no table of several columns.

use crate::dependence::CHOICE_STEP;
use crate::privacy::Certificate;

/// Whether a release of several columns measured none of their tables, by its certificate: every round chose to
/// measure nothing, or there was no round. Its columns are then independent, apart from correlations of ordered
/// ones.
pub fn is_margins_only(certificate: &Certificate) -> bool {
    let facts = certificate.facts();
    // A table is counted right after it was chosen.
    let counted = certificate
        .spent()
        .windows(2)
        .any(|steps| steps[0].step.starts_with(CHOICE_STEP) && !steps[1].step.starts_with(CHOICE_STEP));
    facts.model == "mixed" && facts.columns > 1 && !counted
}
