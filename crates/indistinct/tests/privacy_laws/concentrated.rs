//! Budgets with a delta: Renyi divergences of output laws on neighbouring tables, alone and composed, never exceed what
//! was charged; samplers follow their laws; and faults that must be noticed.

use crate::laws::{self, Counts, neighbouring, neighbours, tables};
use crate::samplers::misfit;
use indistinct::privacy::{
    Accounting, Bound, Budget, BudgetError, Cost, Delta, Epsilon, Guarantee, Proof, Randomness, Rho,
    Sensitivity, choose, noisy_counts,
};
use indistinct::random::Seed;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};

const ORDERS: [f64; 6] = [1.01, 1.5, 2.0, 4.0, 16.0, 64.0];
const SLACK: f64 = 1e-9;
const DRAWS: usize = 40_000;

fn budget(epsilon: &str, delta: &str, rows: u32, randomness: Randomness) -> Budget {
    Budget::with_delta(
        epsilon.parse().unwrap(),
        delta.parse().unwrap(),
        NonZeroU32::new(rows).unwrap(),
        randomness,
    )
}

fn counts() -> Sensitivity {
    Sensitivity::counts(NonZeroU64::MIN)
}

fn choice() -> Sensitivity {
    Sensitivity::pmae(NonZeroU64::MIN)
}

/// The largest D_alpha / alpha of two laws over all orders, in both directions: the rho that they show. Outputs that are
/// too rare for floats are left out.
fn shown(law: &[f64], other: &[f64]) -> f64 {
    let one = |p: &[f64], q: &[f64], alpha: f64| {
        let seen = p.iter().zip(q).filter(|(p, q)| **p > 0.0 && **q > 0.0);
        let logs: Vec<f64> = seen.map(|(p, q)| alpha * p.ln() + (1.0 - alpha) * q.ln()).collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
        (largest + sum.ln()) / (alpha - 1.0) / alpha
    };
    ORDERS.iter().flat_map(|&alpha| [one(law, other, alpha), one(other, law, alpha)]).fold(0.0, f64::max)
}

/// A discrete Gaussian around `centre` on -60..=60.
fn gaussian(centre: i64, sigma: f64) -> Vec<f64> {
    let weights: Vec<f64> =
        (-60..=60i64).map(|y| (-((y - centre) as f64).powi(2) / (2.0 * sigma * sigma)).exp()).collect();
    let all: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / all).collect()
}

#[test]
fn squared_moves_of_counts_are_at_most_two() {
    for n in 1..7 {
        for (table, other) in neighbouring(n) {
            let moved: i64 = table.iter().zip(&other).map(|(a, b)| (a - b).pow(2)).sum();
            assert!(moved <= 2, "{table:?} {other:?}");
        }
    }
    // Two partitions of the same rows, of which the second joins cells: 4, attained.
    let both = |[a, b, c]: Counts| [a, b, c, a + b, c];
    let moves = neighbouring(4)
        .into_iter()
        .map(|(table, other)| both(table).iter().zip(both(other)).map(|(a, b)| (a - b).pow(2)).sum::<i64>());
    assert_eq!(moves.max(), Some(4));
    // People with three rows: nine times as much.
    let mut worst = 0;
    for table in tables(4) {
        let far = neighbours(table).into_iter().flat_map(neighbours).flat_map(neighbours);
        worst = far
            .map(|other| table.iter().zip(&other).map(|(a, b)| (a - b).pow(2)).sum::<i64>())
            .fold(worst, i64::max);
    }
    assert_eq!(worst, 18);
}

#[test]
fn noisy_counts_diverge_by_no_more_than_their_rho() {
    for (epsilon, rows) in [("0.5", 1), ("2", 1), ("8", 1), ("8", 3)] {
        let mut budget = budget(epsilon, "1e-6", rows, Randomness::seeded(Seed(1)));
        let cost = budget.portion(0.5);
        let Cost::Rho(rho) = cost else { panic!("a pure cost of a budget with a delta") };
        let sigma = budget.charge_counts("counts", cost, counts()).unwrap().noise_sd().max(0.3);
        // Coordinates are independent: their divergences add up. A person's rows all leave one cell for another.
        let k = i64::from(rows);
        let moved = 2.0 * shown(&gaussian(0, sigma), &gaussian(k, sigma));
        assert!(moved <= rho.to_f64() + SLACK, "{moved} {rho}");
        assert!(moved > 0.99 * rho.to_f64() || sigma < 1.0, "{moved} {rho}");
        // Noise for one row is not enough for three.
        if rows == 3 {
            assert!(2.0 * shown(&gaussian(0, sigma / 3.0), &gaussian(k, sigma / 3.0)) > rho.to_f64() + SLACK);
        }
    }
}

#[test]
fn choices_diverge_by_no_more_than_their_rho() {
    let synthetic = [1, 2, 1];
    for (epsilon, rows) in [("1", 1), ("4", 1), ("4", 2)] {
        let mut budget = budget(epsilon, "1e-6", rows, Randomness::seeded(Seed(1)));
        let Cost::Rho(rho) = budget.portion(1.0) else { panic!("a pure cost") };
        let _ = budget.charge_choice("choice", Cost::Rho(rho), choice()).unwrap();
        let spend = &budget.spends()[0];
        assert_eq!(spend.concentrated.map(|spend| spend.accounting), Some(Accounting::BoundedRange));
        let eta = spend.epsilon.to_f64() / f64::from(rows) / 2.0;
        let utilities = |table: Counts| -> Vec<i64> {
            [synthetic, [4, 0, 0], [0, 0, 4], [2, 2, 0]]
                .iter()
                .map(|a| -laws::total_variation(*a, table))
                .collect()
        };
        let law = |table: Counts| laws::exponential_mechanism(&utilities(table), eta);
        let mut worst = 0.0f64;
        for table in tables(4) {
            let near = neighbours(table);
            let far = if rows == 2 { near.into_iter().flat_map(neighbours).collect() } else { near };
            worst = far.into_iter().map(|other| shown(&law(table), &law(other))).fold(worst, f64::max);
        }
        assert!(worst <= rho.to_f64() + SLACK, "{worst} {rho}");
        assert!(worst > 0.3 * rho.to_f64(), "the bound is loose: {worst} {rho}");
    }
}

#[test]
fn permute_and_flip_would_cost_more_than_the_exponential_mechanism() {
    // Why choices of a budget with a delta are made by another law: this one exceeds epsilon^2 / 8.
    let epsilon = 0.5;
    let (before, after) = ([0, 0], [-1, 1]);
    let law = |utilities: &[i64]| laws::permute_and_flip(utilities, epsilon / 2.0);
    let flips = shown(&law(&before), &law(&after));
    let exponential = shown(
        &laws::exponential_mechanism(&before, epsilon / 2.0),
        &laws::exponential_mechanism(&after, epsilon / 2.0),
    );
    assert!(exponential <= epsilon * epsilon / 8.0 + SLACK);
    assert!(flips > epsilon * epsilon / 8.0, "{flips}");
    assert!(flips <= epsilon * epsilon / 2.0 + SLACK);
}

#[test]
fn a_pipeline_keeps_epsilon_and_delta() {
    // Choose the fullest of three cells, then count the rows in it: the whole law of (choice, noisy count), enumerated.
    let mut budget = budget("2", "0.001", 1, Randomness::seeded(Seed(1)));
    let (first, second) = (budget.portion(0.3), budget.portion(0.7));
    let of_cell = Bound::each_candidate(NonZeroU64::MIN, "rows in a cell");
    let of_cell = Sensitivity::Proven { bound: of_cell, added: None, proof: Proof::IntervalSearch };
    let _ = budget.charge_choice("fullest", first, of_cell).unwrap();
    let bound = Bound::sum(NonZeroU64::MIN, "rows in the cell");
    let of_count = Sensitivity::Proven { bound, added: None, proof: Proof::IntervalSearch };
    let sigma = budget.charge_counts("count", second, of_count).unwrap().noise_sd();
    let eta = budget.spends()[0].epsilon.to_f64() / 2.0;
    let law = |table: Counts, sigma: f64| -> Vec<f64> {
        let chosen = laws::exponential_mechanism(&table, eta);
        let each = |cell: usize| {
            gaussian(table[cell], sigma).into_iter().map(|p| p * chosen[cell]).collect::<Vec<f64>>()
        };
        (0..3).flat_map(each).collect()
    };
    let worst = |sigma: f64| {
        let delta = |(table, other): (Counts, Counts)| -> f64 {
            let (p, q) = (law(table, sigma), law(other, sigma));
            p.iter().zip(&q).map(|(p, q)| (p - 2f64.exp() * q).max(0.0)).sum()
        };
        let rho = |(table, other): (Counts, Counts)| shown(&law(table, sigma), &law(other, sigma));
        let pairs = neighbouring(5);
        let largest =
            |of: &dyn Fn((Counts, Counts)) -> f64| pairs.iter().copied().map(of).fold(0.0, f64::max);
        (largest(&delta), largest(&rho))
    };
    let (delta, rho) = worst(sigma);
    assert!(delta <= 0.001 && rho <= budget.total_rho().unwrap().to_f64() + SLACK, "{delta} {rho}");
    // A third of the noise is found out.
    let (delta, rho) = worst(sigma / 3.0);
    assert!(delta > 0.001 && rho > budget.total_rho().unwrap().to_f64());
}

/// What charges of a budget with a delta draw.
fn draws<T: Ord>(cost: Rho, rows: u32, mut draw: impl FnMut(&mut Budget, Cost) -> T) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    let mut most = budget("1000000", "0.5", rows, Randomness::seeded(Seed(8)));
    for _ in 0..DRAWS {
        *counts.entry(draw(&mut most, Cost::Rho(cost))).or_default() += 1;
    }
    counts
}

#[test]
fn charges_draw_by_the_laws_that_are_accounted() {
    // rho 0.125: sigma^2 = 2 / (2 * 0.125) = 8, and an exponential mechanism of epsilon 1.
    let eighth = Rho::of_bounded_range("1".parse().unwrap());
    for rows in [1, 2] {
        let sigma = 8f64.sqrt() * f64::from(rows);
        let law = || (-60..=60).zip(gaussian(0, sigma)).map(|(y, p)| (y + 100, p));
        let found = draws(eighth, rows, |budget, cost| {
            let charge = budget.charge_counts("draw", cost, counts()).unwrap();
            assert!((charge.noise_sd() / sigma - 1.0).abs() < 1e-6);
            noisy_counts(charge, &[100]).unwrap()[0]
        });
        assert!(misfit(&found, law()) < 1.0);
        let wrong = (-60..=60).zip(gaussian(0, 0.9 * sigma)).map(|(y, p)| (y + 100, p));
        assert!(misfit(&found, wrong) > 3.0, "a tenth less noise passed");
        let utilities = [0, 1, 2, 3, 3];
        let found = draws(eighth, rows, |budget, cost| {
            choose(budget.charge_choice("draw", cost, choice()).unwrap(), &utilities).unwrap()
        });
        let eta = 0.5 / f64::from(rows);
        assert!(misfit(&found, laws::exponential_mechanism(&utilities, eta).into_iter().enumerate()) < 1.0);
        assert!(misfit(&found, laws::permute_and_flip(&utilities, eta).into_iter().enumerate()) > 3.0);
    }
}

#[test]
fn a_budget_with_a_delta_refuses_what_does_not_fit() {
    let mut one = budget("1", "1e-6", 1, Randomness::from_system().unwrap());
    assert!(one.total_rho().unwrap().to_f64() > 0.0243 && one.delta() == "1e-6".parse::<Delta>().unwrap());
    let half = one.portion(0.5);
    let _ = one.charge_counts("first", half, counts()).unwrap();
    let _ = one.charge_choice("second", half, choice()).unwrap();
    let more = one.portion(0.001);
    assert!(matches!(one.charge_counts("third", more, counts()), Err(BudgetError::ExceededRho { .. })));
    // Of rho one unit may be left by rounding; of epsilon nothing can be paid.
    assert!(matches!(one.left(), Cost::Rho(left) if left.units() <= 1));
    assert_eq!(one.remaining(), Epsilon::ZERO);
    let refused = one.charge("pure", "0.1".parse().unwrap(), choice()).unwrap_err();
    assert!(matches!(refused, BudgetError::ExceededRho { .. }));
    assert_eq!(one.spends().len(), 2);
    assert_eq!(
        one.guarantee(),
        Guarantee::Approximate { epsilon: "1".parse().unwrap(), delta: "1e-6".parse().unwrap() }
    );
    // Costs of one kind of budget are not paid to the other, nor bounds mistaken.
    let mut pure = budget("1", "0", 1, Randomness::from_system().unwrap());
    assert!(pure.total_rho().is_none() && pure.delta().is_zero());
    assert!(matches!(pure.charge_counts("rho", half, counts()), Err(BudgetError::AnotherKind { .. })));
    assert!(matches!(pure.charge_choice("rho", half, choice()), Err(BudgetError::AnotherKind { .. })));
    let mut fresh = budget("1", "1e-6", 1, Randomness::from_system().unwrap());
    let epsilon = pure.portion(0.1);
    assert!(matches!(
        fresh.charge_choice("epsilon", epsilon, choice()),
        Err(BudgetError::AnotherKind { .. })
    ));
    assert!(matches!(
        fresh.charge_counts("epsilon", epsilon, counts()),
        Err(BudgetError::AnotherKind { .. })
    ));
    for budget in [&mut pure, &mut fresh] {
        let cost = budget.portion(0.1);
        assert!(matches!(budget.charge_counts("bound", cost, choice()), Err(BudgetError::WrongBound { .. })));
        assert!(matches!(budget.charge_choice("bound", cost, counts()), Err(BudgetError::WrongBound { .. })));
        assert!(budget.spends().is_empty());
        let nothing = budget.portion(0.0);
        assert!(matches!(budget.charge_counts("none", nothing, counts()), Err(BudgetError::Nothing { .. })));
        assert!(matches!(budget.charge_choice("none", nothing, choice()), Err(BudgetError::Nothing { .. })));
    }
    // Something of pure epsilon costs epsilon^2 / 2.
    let _ = fresh.charge("pure", "0.2".parse().unwrap(), choice()).unwrap();
    assert_eq!(fresh.spent_rho(), Some(Rho::of_pure("0.2".parse().unwrap())));
    // People with several rows are promised the same.
    let mut shared = budget("1", "1e-6", 7, Randomness::from_system().unwrap());
    let _ = shared.charge_counts("counts", half, counts()).unwrap();
    assert!(matches!(shared.guarantee(), Guarantee::Approximate { .. }));
}

proptest! {
    #[test]
    fn whatever_is_charged_the_sum_stays_within(
        shares in prop::collection::vec((0.0..0.4f64, 0..3u8), 1..20),
        epsilon in 0.01..20.0f64,
        digits in 1..14i32,
    ) {
        let delta: Delta = 10f64.powi(-digits).to_string().parse().unwrap();
        let epsilon = Epsilon::from_f64(epsilon).unwrap();
        let randomness = Randomness::seeded(Seed(1));
        let mut budget = Budget::with_delta(epsilon, delta, NonZeroU32::new(2).unwrap(), randomness);
        for (share, kind) in shares {
            let cost = budget.portion(share);
            let _ = match kind {
                0 => budget.charge_counts("counts", cost, counts()).map(drop),
                1 => budget.charge_choice("choice", cost, choice()).map(drop),
                _ => budget.charge("pure", epsilon.share((share * 1e6) as u64, 1_000_000), choice()).map(drop),
            };
            let sum: Rho = budget.spends().iter().map(|spend| spend.concentrated.unwrap().rho).sum();
            prop_assert_eq!(Some(sum), budget.spent_rho());
            prop_assert!(sum <= Rho::largest(epsilon, delta));
        }
    }

    #[test]
    fn parts_of_epsilon_are_worth_their_part_of_rho(
        weights in prop::collection::vec(1..1000u64, 1..30),
        epsilon in 0.01..20.0f64,
    ) {
        let epsilon = Epsilon::from_f64(epsilon).unwrap();
        for delta in ["0", "1e-6"] {
            let mut budget =
                Budget::with_delta(epsilon, delta.parse().unwrap(), NonZeroU32::MIN, Randomness::seeded(Seed(1)));
            let mut planned = Epsilon::ZERO;
            for part in epsilon.split(&weights) {
                // A plan that fits can be paid for, and what it leaves is known.
                let charge = budget.charge_counts("part", budget.worth(part), counts());
                prop_assert!(charge.is_ok() || budget.worth(part) == Cost::Rho(Rho::ZERO));
                planned = planned.saturating_add(part);
                prop_assert!(budget.spent_worth() <= planned);
            }
            let lost = 1e-11 * weights.len() as f64;
            prop_assert!(budget.spent_worth().to_f64() > epsilon.to_f64() * (1.0 - 1e-6) - lost);
            let rest = epsilon.saturating_sub(budget.spent_worth());
            let last = budget.worth(rest);
            let charged = budget.charge_counts("rest", last, counts());
            let fits = matches!(charged, Ok(_) | Err(BudgetError::Nothing { .. }));
            prop_assert!(fits, "the rest does not fit");
        }
    }
}
