//! Exact verification where everything can be enumerated: the laws of private choices and noisy counts on all
//! tiny tables and all their neighbours.
//!
//! Utilities are integers, so that with t = e^(-eta), where eta is epsilon over the distance that one row can
//! move two candidates apart, every output probability is a ratio of polynomials in t with whole coefficients.
//! Whether P(output) exceeds e^epsilon P'(output) is then the sign of one polynomial at one t: no sampling, no
//! floats, and ties are seen as ties. The code under test is the library's own: cells, integer utilities and the
//! sensitivities with which charges are made. Choices in stages are taken together: the probabilities of whole
//! sequences of choices are compared.

mod law;
mod polynomial;
mod root;
mod search;
mod utilities;

pub use utilities::Case;

use std::collections::{HashMap, HashSet};

use indistinct::privacy::Epsilon;
use serde::Serialize;

use law::{Law, Outcome};
use root::Root;

/// The comparison of a worst ratio with the promise.
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

/// The result of an enumeration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// The name of the case.
    pub case: &'static str,
    /// Whether a certificate would promise epsilon for it.
    pub certified: bool,
    /// Rows of the tables.
    pub rows: usize,
    /// Number of tables.
    pub tables: usize,
    /// Number of ordered pairs of neighbours.
    pub pairs: usize,
    /// Bounds on the worst log-ratio of output probabilities.
    pub worst: (f64, f64),
    /// The promised, or assumed, epsilon.
    pub epsilon: f64,
    /// Their exact comparison.
    pub verdict: Verdict,
}

impl Found {
    /// Whether a certificate would promise more than holds.
    pub fn overclaims(&self) -> bool {
        self.certified && self.verdict == Verdict::Exceeds
    }
}

/// Distance from e^epsilon, in logarithms, within which or above which the sign of a polynomial decides: far more
/// than the width of bounds on logarithms.
const CLOSE: f64 = 1e-6;

/// Enumerates all tables with this many rows, all their neighbours and all outputs.
pub fn verify(case: Case, rows: usize, epsilon: Epsilon) -> Found {
    let (range, certified) = case.range(rows);
    let root = Root::new(epsilon, range);
    // Tables of which the mechanism sees the same integers have the same law.
    let (mut laws, mut numbers) = (Vec::new(), HashMap::new());
    let tables: HashMap<Vec<usize>, usize> = case
        .tables(rows)
        .into_iter()
        .map(|table| {
            let number = *numbers.entry(case.integers(&table)).or_insert_with_key(|integers| {
                laws.push(case.law(integers, rows));
                laws.len() - 1
            });
            (table, number)
        })
        .collect();
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
    let mut different: HashSet<(usize, usize)> = HashSet::new();
    for (table, &law) in &tables {
        let others = neighbours(table).filter_map(|neighbour| tables.get(&neighbour));
        different.extend(others.inspect(|_| found.pairs += 1).map(|&other| (law, other)));
    }
    let bounds: Vec<Vec<(f64, f64)>> = laws.iter().map(|law| logarithms(law, &root)).collect();
    for (law, other) in different {
        let probabilities = laws[law].outcomes.iter().zip(&laws[other].outcomes);
        for ((output, beside), (ours, theirs)) in probabilities.zip(bounds[law].iter().zip(&bounds[other])) {
            let (low, high) = (ours.0 - theirs.1, ours.1 - theirs.0);
            found.worst = (found.worst.0.max(low), found.worst.1.max(high));
            if high > found.epsilon - CLOSE {
                found.verdict = found.verdict.max(compare(output, beside, range, &root));
            }
        }
    }
    found
}

/// The tables, as counts of points, in which one row is another point.
fn neighbours(table: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let ends = (0..table.len()).flat_map(|from| (0..table.len()).map(move |to| (from, to)));
    ends.filter(|&(from, to)| from != to && table[from] > 0).map(|(from, to)| {
        let mut neighbour = table.to_vec();
        neighbour[from] -= 1;
        neighbour[to] += 1;
        neighbour
    })
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

/// Bounds on the logarithms of all probabilities.
fn logarithms(law: &Law, root: &Root) -> Vec<(f64, f64)> {
    let bounds = |outcome: &Outcome| {
        let (n, d) = (root.logarithm(&outcome.numerator), root.logarithm(&outcome.denominator));
        (n.0 - d.1, n.1 - d.0)
    };
    law.outcomes.iter().map(bounds).collect()
}

#[cfg(test)]
mod tests;
