//! Totals of charges to a ledger: against mechanisms whose composition is known, and against the formulas in floats.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use indistinct::privacy::ledger::{Account, Ledger, LedgerError, Opening, Price, Request, Total};
use indistinct::privacy::{Delta, Epsilon, Guarantee, Neighbours, Rho};
use proptest::prelude::*;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::from_f64(value).unwrap()
}

fn delta(value: f64) -> Delta {
    value.to_string().parse().unwrap()
}

fn account(prices: &[Price]) -> Account {
    prices.iter().fold(Account::default(), |account, price| account.with(price, 1))
}

/// The delta at `epsilon` of releases that are as bad as these prices allow: randomized responses of the pure epsilons, and
/// Gaussian noise of the rhos. Their losses under P are e with probability e^e / (1 + e^e) and otherwise -e, and normal with mean
/// rho and variance 2 rho.
fn true_delta(prices: &[Price], epsilon: f64) -> f64 {
    let mut losses = vec![(0.0, 1.0)];
    for price in prices.iter().filter(|price| price.delta.is_zero()) {
        let e = price.epsilon.to_f64();
        let likely = 1.0 / (1.0 + (-e).exp());
        losses = losses
            .iter()
            .flat_map(|&(loss, p)| [(loss + e, p * likely), (loss - e, p * (1.0 - likely))])
            .collect();
    }
    let rho: f64 = prices
        .iter()
        .filter(|price| !price.delta.is_zero())
        .filter_map(|price| price.rho)
        .sum::<Rho>()
        .to_f64();
    losses.iter().map(|&(loss, p)| p * gaussian_delta(rho, epsilon - loss)).sum()
}

/// The integral of max(0, 1 - e^(epsilon - z)) over the normal law with mean rho and variance 2 rho, by Simpson's rule.
fn gaussian_delta(rho: f64, epsilon: f64) -> f64 {
    const STEPS: usize = 400;
    if rho == 0.0 {
        return (1.0 - epsilon.exp()).max(0.0);
    }
    let sd = (2.0 * rho).sqrt();
    let (low, high) = (epsilon.max(rho - 12.0 * sd), (rho + 12.0 * sd).max(epsilon + 12.0 * sd));
    let step = (high - low) / STEPS as f64;
    let at = |z: f64| {
        let density = (-0.5 * ((z - rho) / sd).powi(2)).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt());
        density * -(epsilon - z).exp_m1().min(0.0)
    };
    let weight = |i: usize| if i == 0 || i == STEPS { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
    (0..=STEPS).map(|i| weight(i) * at(low + i as f64 * step)).sum::<f64>() * step / 3.0
}

/// The least epsilon of a rho at a delta, in floats and by another search.
fn converted(rho: f64, delta: f64) -> f64 {
    let at = |log: f64| {
        let (beta, alpha) = (log.exp(), 1.0 + log.exp());
        alpha * rho - (delta.ln() + log - alpha * (-1.0 / alpha).ln_1p()) / beta
    };
    let (mut low, mut high) = (-12.0, 25.0);
    for _ in 0..200 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(left) > at(right) { low = left } else { high = right }
    }
    if rho == 0.0 { 0.0 } else { at(low).max(0.0) }
}

/// The least of the three bounds, in floats.
fn least_bound(prices: &[Price], delta: f64) -> f64 {
    let sum = |pure: bool, value: &dyn Fn(&Price) -> f64| {
        prices.iter().filter(|price| price.delta.is_zero() == pure).map(value).sum::<f64>()
    };
    let epsilon_of = |price: &Price| price.epsilon.to_f64();
    let rho_of = |price: &Price| price.concentrated().unwrap().to_f64();
    let (pure, rho) = (sum(true, &epsilon_of), sum(false, &rho_of));
    let added = if sum(false, &|price| price.delta.to_f64()) <= delta * (1.0 + 1e-12) {
        pure + sum(false, &epsilon_of)
    } else {
        f64::INFINITY
    };
    added.min(pure + converted(rho, delta)).min(converted(rho + sum(true, &rho_of), delta))
}

fn price() -> impl Strategy<Value = Price> {
    let with_delta = (-4.0..1.0f64, -12.0..-2.0f64)
        .prop_map(|(log, power)| Price::of_budget(epsilon(log.exp()), delta(10f64.powf(power))));
    prop_oneof![
        (-5.0..0.5f64).prop_map(|log| Price::pure(epsilon(log.exp()))),
        with_delta.clone(),
        with_delta
    ]
}

#[test]
fn the_true_composition_is_computed_right() {
    // One Gaussian at sensitivity 1 and standard deviation s has rho = 1 / (2 s^2); (1, delta) by its closed form.
    assert!((gaussian_delta(0.5, 1.0) - 0.126_936_737_507).abs() < 1e-9, "{}", gaussian_delta(0.5, 1.0));
    // Randomized response keeps its epsilon exactly, and breaks any less.
    let pure = [Price::pure(epsilon(1.0))];
    assert!(true_delta(&pure, 1.0).abs() < 1e-15 && true_delta(&pure, 0.9) > 0.05);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn never_below_the_true_composition(prices in prop::collection::vec(price(), 1..8), power in -12.0..-2.0f64) {
        let at = delta(10f64.powf(power));
        let found = account(&prices).epsilon_at(at).unwrap().to_f64();
        let exact = least_bound(&prices, at.to_f64());
        prop_assert!(found >= exact - 1e-9 && found <= exact * (1.0 + 1e-6) + 1e-9, "{} {}", found, exact);
        let actual = true_delta(&prices, found);
        prop_assert!(actual <= at.to_f64() * (1.0 + 1e-9), "delta {} at epsilon {}, not {:?}", actual, found, at);
    }

    #[test]
    fn order_does_not_matter(prices in prop::collection::vec(price(), 1..8), seed in any::<u64>()) {
        let mut shuffled = prices.clone();
        let count = shuffled.len() as u64;
        for i in 0..shuffled.len() {
            shuffled.swap(i, (seed.rotate_left(7 * i as u32) % count) as usize);
        }
        prop_assert_eq!(account(&prices), account(&shuffled));
    }

    #[test]
    fn what_fits_by_sums_of_deltas_fits_by_rho(prices in prop::collection::vec(price(), 1..8)) {
        let epsilon = prices.iter().map(|price| price.epsilon).sum();
        let delta = prices.iter().map(|price| price.delta).fold(Delta::ZERO, Delta::saturating_add);
        let total = Total { epsilon, delta };
        prop_assert!(account(&prices).fits(total));
    }

    #[test]
    fn fitting_and_counting_agree(prices in prop::collection::vec(price(), 1..6), log in -3.0..2.0f64, power in -9.0..-3.0f64) {
        let (all, total) = (account(&prices), Total { epsilon: epsilon(log.exp()), delta: delta(10f64.powf(power)) });
        let bound = least_bound(&prices, total.delta.to_f64());
        if all.fits(total) {
            prop_assert!(bound <= total.epsilon.to_f64() * (1.0 + 1e-9));
        } else {
            prop_assert!(bound >= total.epsilon.to_f64() * (1.0 - 1e-6) - 1e-9);
        }
    }

    #[test]
    fn a_ledger_never_takes_more_than_its_total(
        prices in prop::collection::vec((price(), any::<bool>()), 1..12), power in -9.0..-4.0f64, add_remove in any::<bool>(),
    ) {
        let neighbours = if add_remove { Neighbours::AddRemove } else { Neighbours::Substitute };
        let opening = Opening { time: String::new(), id: None, epsilon: epsilon(1.5), delta: delta(10f64.powf(power)), neighbours };
        let mut ledger = Ledger::parse(&Ledger::open_text(&opening).unwrap()).unwrap();
        let mut taken = Vec::new();
        for (price, other) in prices {
            let Price { epsilon, delta, rho } = price;
            let guarantee = if delta.is_zero() { Guarantee::Pure { epsilon } } else { Guarantee::Approximate { epsilon, delta } };
            let of = if other { Neighbours::AddRemove } else { Neighbours::Substitute };
            let request = Request {
                time: "", guarantee: &guarantee, rho, neighbours: of, accept_conditional: false, what: "", schema: "", id: None,
            };
            match (ledger.charge(&request), price.between(of, neighbours)) {
                (Ok(_), Some(converted)) => taken.push(converted),
                (Err(LedgerError::OtherNeighbours), None) => {}
                (Err(LedgerError::Exhausted { left, .. }), Some(_)) => prop_assert!(left < epsilon),
                (outcome, _) => prop_assert!(false, "{:?}", outcome),
            }
        }
        prop_assert!(least_bound(&taken, opening.delta.to_f64()) <= 1.5 * (1.0 + 1e-9));
        prop_assert!(true_delta(&taken, 1.5) <= opening.delta.to_f64() * (1.0 + 1e-9));
        prop_assert!(ledger.spent() <= opening.epsilon);
    }

    #[test]
    fn what_is_left_fits_and_hardly_more_does(
        prices in prop::collection::vec(price(), 0..4), power in -9.0..-4.0f64, releases in 1u64..50, pure in any::<bool>(),
    ) {
        let opening = Opening {
            time: String::new(), id: None, epsilon: epsilon(8.0), delta: delta(10f64.powf(power)), neighbours: Neighbours::Substitute,
        };
        let mut ledger = Ledger::parse(&Ledger::open_text(&opening).unwrap()).unwrap();
        for price in &prices {
            let guarantee = Guarantee::Approximate { epsilon: price.epsilon, delta: price.delta };
            let _ = ledger.charge(&Request {
                time: "", guarantee: &guarantee, rho: price.rho, neighbours: Neighbours::Substitute, accept_conditional: false,
                what: "", schema: "", id: None,
            });
        }
        let each = if pure { Delta::ZERO } else { delta(10f64.powf(power) / releases as f64) };
        let left = ledger.remaining_for(releases, each);
        let fits = |epsilon: Epsilon| {
            ledger.account().with(&Price::of_budget(epsilon, each), releases).fits(opening.total())
        };
        prop_assert!(left.is_zero() || fits(left));
        prop_assert!(!fits(Epsilon::from_f64(left.to_f64() * 1.000_01 + 1e-6).unwrap()));
    }
}
