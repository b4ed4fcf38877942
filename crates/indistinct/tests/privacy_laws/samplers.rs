//! Draws by charges, against the laws: chi-square with fixed seeds, and faults that it must notice.

use crate::laws;
use indistinct::privacy::{
    Bound, Budget, Charge, Epsilon, Proof, Randomness, Sensitivity, discrete_laplace,
    discrete_laplace_counts, exponential_mechanism, permute_and_flip,
};
use indistinct::random::Seed;
use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};

const DRAWS: usize = 40_000;

/// Draws with charge after charge of `epsilon`.
pub(crate) fn draws<T: Ord>(
    epsilon: &str,
    rows_per_person: u32,
    sensitivity: &Sensitivity,
    mut draw: impl FnMut(Charge) -> T,
) -> BTreeMap<T, usize> {
    let randomness = Randomness::seeded(Seed(7));
    let mut budget = Budget::new(Epsilon::MAX, NonZeroU32::new(rows_per_person).unwrap(), randomness);
    let mut counts = BTreeMap::new();
    for _ in 0..DRAWS {
        let charge = budget.charge("draw", epsilon.parse().unwrap(), sensitivity.clone()).unwrap();
        *counts.entry(draw(charge)).or_default() += 1;
    }
    counts
}

/// Pearson's statistic over its 0.9999 quantile (Wilson and Hilferty): above one is a failure.
///
/// Outcomes with an expectation below five are taken together.
pub(crate) fn misfit<T: Ord>(counts: &BTreeMap<T, usize>, law: impl IntoIterator<Item = (T, f64)>) -> f64 {
    let n = counts.values().sum::<usize>() as f64;
    let (mut statistic, mut cells) = (0.0, 0);
    let (mut rare_expected, mut seen) = (n, 0);
    for (outcome, p) in law {
        if n * p >= 5.0 {
            let count = counts.get(&outcome).copied().unwrap_or(0);
            statistic += (count as f64 - n * p).powi(2) / (n * p);
            cells += 1;
            rare_expected -= n * p;
            seen += count;
        }
    }
    let rare = n - seen as f64;
    if rare_expected >= 5.0 {
        statistic += (rare - rare_expected).powi(2) / rare_expected;
        cells += 1;
    } else if rare > 25.0 {
        return f64::INFINITY;
    }
    let df = f64::from(cells - 1).max(1.0);
    let c = 2.0 / (9.0 * df);
    statistic / (df * (1.0 - c + 3.719 * c.sqrt()).powi(3))
}

fn each(units: u64) -> Sensitivity {
    Sensitivity::pmae(NonZeroU64::new(units).unwrap())
}

const UTILITIES: [&[i64]; 5] =
    [&[0, 1, 2, 3, 3], &[0, 0, 0, 0], &[-40, 0, -1], &[9], &[-1, -2, -3, -4, -5, -6, -7]];

#[test]
fn permute_and_flip_follows_its_law() {
    for utilities in UTILITIES {
        for (epsilon, units) in [("2", 1), ("0.3", 1), ("1.5", 3)] {
            let eta = epsilon.parse::<f64>().unwrap() / (2 * units) as f64;
            let counts =
                draws(epsilon, 1, &each(units), |charge| permute_and_flip(charge, utilities).unwrap());
            let law = laws::permute_and_flip(utilities, eta);
            assert!(misfit(&counts, law.into_iter().enumerate()) < 1.0, "{utilities:?} at {epsilon}");
        }
    }
}

#[test]
fn exponential_mechanism_follows_its_law() {
    for utilities in UTILITIES {
        for (epsilon, units) in [("2", 1), ("0.3", 1), ("1.5", 3)] {
            let eta = epsilon.parse::<f64>().unwrap() / (2 * units) as f64;
            let counts =
                draws(epsilon, 1, &each(units), |charge| exponential_mechanism(charge, utilities).unwrap());
            let law = laws::exponential_mechanism(utilities, eta);
            assert!(misfit(&counts, law.into_iter().enumerate()) < 1.0, "{utilities:?} at {epsilon}");
        }
    }
}

#[test]
fn a_bound_between_candidates_needs_no_factor_of_two() {
    let bound = Bound::between_candidates(NonZeroU64::MIN, "a utility that only falls");
    let sensitivity = Sensitivity::Proven { bound, added: None, proof: Proof::PmaeSensitivity };
    let counts = draws("0.8", 1, &sensitivity, |charge| permute_and_flip(charge, &[0, 1, 2]).unwrap());
    assert!(misfit(&counts, laws::permute_and_flip(&[0, 1, 2], 0.8).into_iter().enumerate()) < 1.0);
    let counts = draws("0.8", 1, &sensitivity, |charge| exponential_mechanism(charge, &[0, 1, 2]).unwrap());
    assert!(misfit(&counts, laws::exponential_mechanism(&[0, 1, 2], 0.8).into_iter().enumerate()) < 1.0);
}

#[test]
fn discrete_laplace_follows_its_law() {
    for (epsilon, partitions) in [("4", 1), ("1", 1), ("0.7", 1), ("0.123456789012", 1), ("1", 3)] {
        let scale = (2 * partitions) as f64 / epsilon.parse::<f64>().unwrap();
        let sensitivity = Sensitivity::counts(NonZeroU64::new(partitions).unwrap());
        let law = || (-999..=999).map(|noise| (noise + 10, laws::discrete_laplace(noise, scale)));
        let counts = draws(epsilon, 1, &sensitivity, |charge| discrete_laplace(charge, 10).unwrap());
        assert!(misfit(&counts, law()) < 1.0, "at {epsilon} for {partitions}");
        // Both counts of a list, and their sum, whose law shows that they are independent.
        let list = draws(epsilon, 1, &sensitivity, |charge| {
            let noisy = discrete_laplace_counts(charge, &[10, 20]).unwrap();
            (noisy[0], noisy[1])
        });
        let marginal = |of: fn((i64, i64)) -> i64| {
            list.iter().fold(BTreeMap::new(), |mut sums, (&pair, count)| {
                *sums.entry(of(pair)).or_default() += count;
                sums
            })
        };
        assert!(misfit(&marginal(|(first, _)| first), law()) < 1.0);
        assert!(misfit(&marginal(|(_, second)| second - 10), law()) < 1.0);
        let sum = |total: i64| {
            let terms = (-400..=400i64)
                .map(|one| laws::discrete_laplace(one, scale) * laws::discrete_laplace(total - one, scale));
            terms.sum::<f64>()
        };
        assert!(
            misfit(&marginal(|(first, second)| first + second - 30), (-300..=300).map(|n| (n, sum(n)))) < 1.0
        );
    }
}

#[test]
fn people_with_several_rows_get_more_noise() {
    let sensitivity = Sensitivity::counts(NonZeroU64::MIN);
    let counts = draws("3", 3, &sensitivity, |charge| discrete_laplace(charge, 0).unwrap());
    let law = |scale| (-200..=200).map(move |noise| (noise, laws::discrete_laplace(noise, scale)));
    assert!(misfit(&counts, law(2.0)) < 1.0);
    assert!(misfit(&counts, law(2.0 / 3.0)) > 1.0, "noise for one row passed for that of three");
}

#[test]
fn half_the_noise_is_noticed() {
    // What is certified as 1 and drawn with 2 has half the noise.
    let counts =
        draws("2", 1, &Sensitivity::counts(NonZeroU64::MIN), |charge| discrete_laplace(charge, 0).unwrap());
    let certified = (-200..=200).map(|noise| (noise, laws::discrete_laplace(noise, 2.0)));
    assert!(misfit(&counts, certified) > 10.0);
    let utilities = [0, 1, 2, 3, 3];
    let counts = draws("2", 1, &each(1), |charge| permute_and_flip(charge, &utilities).unwrap());
    assert!(misfit(&counts, laws::permute_and_flip(&utilities, 0.5).into_iter().enumerate()) > 10.0);
    let counts = draws("2", 1, &each(1), |charge| exponential_mechanism(charge, &utilities).unwrap());
    assert!(misfit(&counts, laws::exponential_mechanism(&utilities, 0.5).into_iter().enumerate()) > 10.0);
    // And permute-and-flip is not the exponential mechanism.
    let counts = draws("2", 1, &each(1), |charge| permute_and_flip(charge, &utilities).unwrap());
    assert!(misfit(&counts, laws::exponential_mechanism(&utilities, 1.0).into_iter().enumerate()) > 10.0);
}
