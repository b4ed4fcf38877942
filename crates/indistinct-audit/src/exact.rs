//! Exact verification where everything can be enumerated: the laws of private choices and noisy counts on all tiny tables and
//! all their neighbours.
//!
//! Utilities are integers, so that with t = e^(-eta), eta being epsilon over how far one row can move two candidates apart,
//! every output probability is a ratio of polynomials in t with whole coefficients. Whether P(output) exceeds e^epsilon
//! P'(output) is then the sign of one polynomial at one t: no sampling, no floats, and ties are seen as ties. The code
//! under test is the library's own: cells, integer utilities and the sensitivities that charges are made with.

mod law;
mod polynomial;
mod root;
mod utilities;

pub use utilities::Case;

use indistinct::privacy::Epsilon;
use serde::Serialize;

use law::{Law, Outcome};
use root::Root;

/// How a worst ratio stands to what is promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Below e^epsilon.
    Below,
    /// Exactly e^epsilon: the bound is attained.
    Attained,
    /// Above: not epsilon-differentially private.
    Exceeds,
}

/// What enumeration found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// What was enumerated.
    pub case: &'static str,
    /// Whether a certificate would promise epsilon for it.
    pub certified: bool,
    /// Rows of the tables.
    pub rows: usize,
    /// Tables.
    pub tables: usize,
    /// Ordered pairs of neighbours.
    pub pairs: usize,
    /// The worst log-ratio of output probabilities lies between these.
    pub worst: (f64, f64),
    /// What is promised, or assumed.
    pub epsilon: f64,
    /// How they compare, exactly.
    pub verdict: Verdict,
}

impl Found {
    /// Whether a certificate would promise more than holds.
    pub fn overclaims(&self) -> bool {
        self.certified && self.verdict == Verdict::Exceeds
    }
}

/// Enumerates all tables of so many rows, all their neighbours and all outputs.
pub fn verify(case: Case, rows: usize, epsilon: Epsilon) -> Found {
    let tables = Case::tables(rows);
    let laws: Vec<Law> = tables.iter().map(|table| case.law(table)).collect();
    let (range, certified) = case.range(rows);
    let root = Root::new(epsilon, range);
    let mut found = Found {
        case: case.name(),
        certified,
        rows,
        tables: tables.len(),
        pairs: 0,
        worst: (0.0, 0.0),
        epsilon: epsilon.to_f64(),
        verdict: Verdict::Below,
    };
    for (x, law) in tables.iter().zip(&laws) {
        for (neighbour, other) in tables.iter().zip(&laws) {
            if differing(x, neighbour) != 1 {
                continue;
            }
            found.pairs += 1;
            for (output, beside) in law.outcomes.iter().zip(&other.outcomes) {
                let (low, high) = ratio(output, beside, &root);
                found.worst = (found.worst.0.max(low), found.worst.1.max(high));
                found.verdict = found.verdict.max(compare(output, beside, range, &root));
            }
        }
    }
    found
}

/// Rows, as counts of the points of a grid, that differ between two tables of one size.
fn differing(x: &[usize], neighbour: &[usize]) -> usize {
    x.iter().zip(neighbour).map(|(a, b)| a.saturating_sub(*b)).sum()
}

/// The sign of e^epsilon P' - P, with e^epsilon = t^-range.
fn compare(output: &Outcome, beside: &Outcome, range: u64, root: &Root) -> Verdict {
    let ours = output.numerator.times(&beside.denominator).shifted(range);
    let theirs = beside.numerator.times(&output.denominator);
    let difference = theirs.minus(&ours);
    if difference.is_zero() {
        return Verdict::Attained;
    }
    if root.is_positive(&difference) { Verdict::Below } else { Verdict::Exceeds }
}

/// Bounds on ln P - ln P'.
fn ratio(output: &Outcome, beside: &Outcome, root: &Root) -> (f64, f64) {
    let [n, d, other_n, other_d] =
        [&output.numerator, &output.denominator, &beside.numerator, &beside.denominator]
            .map(|polynomial| root.logarithm(polynomial));
    (n.0 - d.1 - other_n.1 + other_d.0, n.1 - d.0 - other_n.0 + other_d.1)
}

#[cfg(test)]
mod tests;
