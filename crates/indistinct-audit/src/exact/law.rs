//! Output laws of the mechanisms as polynomials in t = e^(-eta), where eta is the exponent of one unit of utility.

use super::polynomial::Polynomial;

/// The probability of one output.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    pub(super) numerator: Polynomial,
    pub(super) denominator: Polynomial,
}

impl Outcome {
    /// The probability of this outcome followed by another.
    fn and(&self, then: &Self) -> Self {
        Self {
            numerator: self.numerator.times(&then.numerator),
            denominator: self.denominator.times(&then.denominator),
        }
    }
}

/// The probabilities of all outputs, in an order that does not depend on the table. Noise on counts has
/// infinitely many outputs: there they are the worst ones, which share a constant factor that is left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Law {
    pub(super) outcomes: Vec<Outcome>,
}

impl Law {
    /// Permute-and-flip: w_r times the integral over x from 0 to 1 of the product of 1 - x w_s over the others, with
    /// w = t^(best - utility), times the least common multiple of 1 to the number of candidates.
    pub(super) fn permute_and_flip(utilities: &[i64]) -> Self {
        let behind = behind(utilities);
        let multiple = (1..=behind.len() as i64).fold(1, least_common_multiple);
        let chance = |r: usize| {
            // The product by powers of x.
            let mut powers = vec![Polynomial::constant(1)];
            for (_, &exponent) in behind.iter().enumerate().filter(|(s, _)| *s != r) {
                let mut next = vec![Polynomial::default(); powers.len() + 1];
                for (power, polynomial) in powers.iter().enumerate() {
                    next[power] = std::mem::take(&mut next[power]).plus(polynomial);
                    next[power + 1] =
                        std::mem::take(&mut next[power + 1]).minus(&polynomial.shifted(exponent));
                }
                powers = next;
            }
            let integral =
                powers.iter().enumerate().fold(Polynomial::default(), |sum, (power, polynomial)| {
                    sum.plus(&polynomial.times(&Polynomial::constant(multiple / (power as i64 + 1))))
                });
            Outcome { numerator: integral.shifted(behind[r]), denominator: Polynomial::constant(multiple) }
        };
        Self { outcomes: (0..behind.len()).map(chance).collect() }
    }

    /// The exponential mechanism: proportional to t^(best - utility).
    pub(super) fn exponential(utilities: &[i64]) -> Self {
        let behind = behind(utilities);
        let weight = |&exponent: &u64| Polynomial::monomial(1, exponent);
        let all = behind.iter().map(weight).fold(Polynomial::default(), |sum, term| sum.plus(&term));
        let chance = |exponent| Outcome { numerator: weight(exponent), denominator: all.clone() };
        Self { outcomes: behind.iter().map(chance).collect() }
    }

    /// Permute-and-flip in stages: the first has one list to choose from; every output of a stage leads to a list
    /// of its own in the next, in order. All choices are released.
    pub(super) fn in_stages(stages: &[Vec<Vec<i64>>]) -> Self {
        let certain = Outcome { numerator: Polynomial::constant(1), denominator: Polynomial::constant(1) };
        let mut reached = vec![certain];
        for lists in stages {
            let chosen = reached.iter().zip(lists).flat_map(|(before, list)| {
                Self::permute_and_flip(list).outcomes.into_iter().map(|here| before.and(&here))
            });
            reached = chosen.collect();
        }
        Self { outcomes: reached }
    }

    /// Discrete Laplace noise on counts of at most `rows` rows: t^(sum of distances), at outputs from zero to
    /// `rows` in every cell. Outputs beyond have the ratios of the nearest of these.
    pub(super) fn noisy_counts(counts: &[i64], rows: i64) -> Self {
        let mut distances: Vec<u64> = vec![0];
        for &count in counts {
            let each = |so_far: u64| (0..=rows).map(move |output| so_far + output.abs_diff(count));
            distances = distances.into_iter().flat_map(each).collect();
        }
        let chance = |distance| Outcome {
            numerator: Polynomial::monomial(1, distance),
            denominator: Polynomial::constant(1),
        };
        Self { outcomes: distances.into_iter().map(chance).collect() }
    }
}

/// The distance of each candidate's utility from the best.
fn behind(utilities: &[i64]) -> Vec<u64> {
    let best = utilities.iter().copied().max().unwrap_or_default();
    utilities.iter().map(|utility| best.abs_diff(*utility)).collect()
}

fn least_common_multiple(a: i64, b: i64) -> i64 {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a / divisor * b
}
