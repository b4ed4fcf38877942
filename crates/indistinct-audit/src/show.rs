//! The results of an audit, as text.

use indistinct::privacy::Guarantee;
use indistinct_io::one_line;
use indistinct_report::text::grid;

use crate::audit::{Audited, Claim};
use crate::exact::{Found, Verdict};
use crate::sample::Side;

/// A table of worlds with the bound of each, and the conclusion.
pub fn as_text(audits: &[Audited]) -> String {
    let Some(first) = audits.first() else { return "no pair of tables was audited\n".to_owned() };
    let mut table =
        grid(&["world", "promised", "epsilon is at least", "on X", "on its neighbour", "by"], &[0, 5]);
    for audit in audits {
        let promised = audit.claim.epsilon.map_or("nothing".to_owned(), |epsilon| format!("{epsilon}"));
        let (x, neighbour, by) = match &audit.attack {
            None => ("-".to_owned(), "-".to_owned(), "nothing told the tables apart".to_owned()),
            Some(attack) => {
                let hits = |hits: crate::bound::Hits| format!("{}/{}", hits.hits, hits.releases);
                let (expected, other) = (hits(attack.expected), hits(attack.other));
                let (x, neighbour) =
                    if attack.side == Side::X { (expected, other) } else { (other, expected) };
                (x, neighbour, one_line(&format!("{} {}", attack.statistic, attack.event)))
            }
        };
        let found = format!("{:.3}{}", audit.epsilon_lower_bound, if audit.exceeds { " !" } else { "" });
        table.add_row([audit.world.clone(), promised, found, x, neighbour, by]);
    }
    format!(
        "{}: {} releases from each side of every pair\n{table}\n{}\n",
        claim_in_words(&first.claim),
        first.releases,
        conclusion(audits)
    )
}

/// The certificate's claim.
fn claim_in_words(claim: &Claim) -> String {
    match &claim.guarantee {
        Guarantee::Pure { epsilon } => format!("certified: pure differential privacy with epsilon {epsilon}"),
        Guarantee::Approximate { epsilon, delta } => {
            format!("certified: differential privacy with epsilon {epsilon} and delta {delta}")
        }
        guarantee @ Guarantee::Conditional { epsilon, .. } => one_line(&format!(
            "certified: differential privacy with epsilon {epsilon} and delta {}, {}",
            guarantee.delta(),
            guarantee.proviso().unwrap_or_default()
        )),
        Guarantee::AtStationarity { epsilon } => {
            format!(
                "certified: epsilon {epsilon} of the law that a chain tends to, and nothing of what it gave"
            )
        }
        Guarantee::None { .. } => "certified: nothing".to_owned(),
    }
}

/// The conclusion, in the last line.
fn conclusion(audits: &[Audited]) -> String {
    // Each of k pairs is tested at 1 - alpha / k.
    let confidence = 100.0 * (1.0 - audits.iter().map(|audit| 1.0 - audit.confidence).sum::<f64>());
    let most = audits.iter().map(|audit| audit.epsilon_lower_bound).fold(0.0, f64::max);
    let promised = audits.iter().filter_map(|audit| audit.claim.epsilon).reduce(f64::min);
    match promised {
        None => {
            format!("epsilon is at least {most:.3}, at {confidence:.0} % confidence; nothing is promised")
        }
        Some(promised) if most > promised => format!(
            "LEAK: epsilon is at least {most:.3}, at {confidence:.0} % confidence, and {promised} is promised"
        ),
        Some(promised) => format!(
            "no leak was found: epsilon is at least {most:.3}, at {confidence:.0} % confidence, and {promised} is promised.\n\
             That is a lower bound: it can show a leak, and cannot show that there is none"
        ),
    }
}

/// A table of the results of enumeration.
pub fn exact_as_text(found: &[Found]) -> String {
    let mut table =
        grid(&["enumerated", "rows", "tables", "pairs", "worst log-ratio", "epsilon", ""], &[0, 6]);
    for one in found {
        let verdict = match (one.verdict, one.certified) {
            (Verdict::Below, _) => "holds",
            (Verdict::Attained, _) => "holds, and is attained",
            (Verdict::Exceeds, false) => "does not hold, and is not certified",
            (Verdict::Exceeds, true) => "DOES NOT HOLD",
        };
        table.add_row([
            one.case.to_owned(),
            one.rows.to_string(),
            one.tables.to_string(),
            one.pairs.to_string(),
            format!("{:.9}", one.worst.1),
            format!("{}", one.epsilon),
            verdict.to_owned(),
        ]);
    }
    format!("{table}\nall neighbours of all tables over a few points, all outputs, in exact arithmetic\n")
}
