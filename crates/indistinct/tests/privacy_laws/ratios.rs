//! Output laws of neighbouring tables, enumerated: no log-ratio exceeds the epsilon that was charged.

use crate::laws::{
    self, Counts, SCALE, integer_pmse, log_ratio, neighbouring, neighbours, one_row_apart, tables,
    total_variation,
};
use indistinct::privacy::{
    Budget, BudgetError, Charge, Epsilon, Movement, Neighbours, Randomness, Sensitivity,
};
use indistinct::random::Seed;
use std::num::{NonZeroU32, NonZeroU64};

/// Rounding of the floats here.
const SLACK: f64 = 1e-9;

fn budget(total: &str, rows_per_person: u32) -> Budget {
    let rows_per_person = NonZeroU32::new(rows_per_person).unwrap();
    Budget::new(total.parse().unwrap(), rows_per_person, Randomness::seeded(Seed(1)))
}

fn pmae() -> Sensitivity {
    Sensitivity::pmae(NonZeroU64::MIN)
}

fn pmse() -> Sensitivity {
    Sensitivity::pmse(NonZeroU64::new(SCALE as u64).unwrap())
}

/// The exponent that a choice with this charge uses; that it does is what `samplers` shows.
fn eta(charge: &Charge) -> f64 {
    charge.epsilon().to_f64() / (2.0 * charge.bound().units().get() as f64)
}

/// The scale of the noise that counts get with this charge.
fn scale(charge: &Charge) -> f64 {
    charge.bound().units().get() as f64 / charge.epsilon().to_f64()
}

/// Utilities of all candidates: distance from the private table, negated.
fn utilities(candidates: &[Counts], b: Counts, distance: fn(Counts, Counts) -> i64) -> Vec<i64> {
    candidates.iter().map(|&a| -distance(a, b)).collect()
}

/// The largest log-ratio of a choice among all small candidates, over all neighbouring tables of up to four rows.
fn worst_choice(eta: f64, distance: fn(Counts, Counts) -> i64, law: fn(&[i64], f64) -> Vec<f64>) -> f64 {
    let mut worst = 0.0f64;
    for n in 1..=4 {
        let all = tables(n);
        // Every pair of candidates, and all candidates together.
        let mut sets: Vec<Vec<Counts>> =
            all.iter().flat_map(|&a| all.iter().map(move |&b| vec![a, b])).collect();
        sets.push(all.clone());
        for candidates in &sets {
            for (b, other) in neighbouring(n) {
                let [one, two] = [b, other].map(|table| law(&utilities(candidates, table, distance), eta));
                worst = worst.max(log_ratio(&one, &two));
            }
        }
    }
    worst
}

#[test]
fn a_choice_never_reveals_more_than_its_charge() {
    for epsilon in ["0.1", "1", "3"] {
        for (sensitivity, distance) in [(pmae(), total_variation as fn(_, _) -> _), (pmse(), integer_pmse)] {
            for law in [laws::permute_and_flip as fn(&[i64], f64) -> Vec<f64>, laws::exponential_mechanism] {
                let epsilon: Epsilon = epsilon.parse().unwrap();
                let charge = budget("10", 1).charge("choose", epsilon, sensitivity.clone()).unwrap();
                let worst = worst_choice(eta(&charge), distance, law);
                assert!(worst <= epsilon.to_f64() + SLACK, "{worst} > {epsilon}");
                // Not by a wide margin: with half the noise the same check fails.
                let faulty = worst_choice(2.0 * eta(&charge), distance, law);
                if sensitivity == pmae() {
                    assert!(
                        faulty > epsilon.to_f64() + SLACK,
                        "half the noise passed: {faulty} at {epsilon}"
                    );
                }
            }
        }
    }
}

/// The largest log-ratio of noisy counts over all outputs near the tables.
fn worst_counts(scale: f64) -> f64 {
    let outputs: Vec<Counts> =
        (-3..=7).flat_map(|x| (-3..=7).flat_map(move |y| (-3..=7).map(move |z| [x, y, z]))).collect();
    let mut worst = 0.0f64;
    for (b, other) in (1..=4).flat_map(neighbouring) {
        let [one, two] = [b, other]
            .map(|t| outputs.iter().map(|out| laws::noisy_counts(&t, out, scale)).collect::<Vec<_>>());
        worst = worst.max(log_ratio(&one, &two));
    }
    worst
}

#[test]
fn noisy_counts_never_reveal_more_than_their_charge() {
    for epsilon in ["0.1", "1", "3"] {
        let epsilon: Epsilon = epsilon.parse().unwrap();
        let charge =
            budget("10", 1).charge("measure", epsilon, Sensitivity::counts(NonZeroU64::MIN)).unwrap();
        let worst = worst_counts(scale(&charge));
        assert!((worst - epsilon.to_f64()).abs() < SLACK, "{worst} for {epsilon}, which is attained");
        assert!(worst_counts(scale(&charge) / 2.0) > epsilon.to_f64() + SLACK, "half the noise passed");
    }
}

/// The largest log-ratio of a choice among candidates whose masses do not depend on the number of rows, and one that does not
/// look, over all tables of up to four rows of which one has a row more.
fn worst_choice_with_a_row_more(eta: f64, law: fn(&[i64], f64) -> Vec<f64>) -> f64 {
    let mut worst = 0.0f64;
    let all: Vec<Counts> = (0..=4).flat_map(tables).collect();
    for (place, &a) in all.iter().enumerate() {
        for &b in &all[..place] {
            for (one, two) in one_row_apart(4) {
                let laws = [one, two].map(|rows| {
                    let mut found = utilities(&[a, b], rows, total_variation);
                    found.push(-2);
                    law(&found, eta)
                });
                worst = worst.max(log_ratio(&laws[0], &laws[1]));
            }
        }
    }
    worst
}

#[test]
fn a_row_more_is_hidden_with_half_the_noise_of_a_substituted_one() {
    for epsilon in ["0.1", "1", "3"] {
        let epsilon: Epsilon = epsilon.parse().unwrap();
        let mut budget = budget("10", 1).between(Neighbours::AddRemove);
        let charge = budget.charge("choose", epsilon, pmae()).unwrap();
        assert_eq!(charge.bound().movement(), Movement::SameWay);
        // All move the same way: the range is the bound, not twice that.
        let eta = charge.epsilon().to_f64() / charge.bound().units().get() as f64;
        for law in [laws::permute_and_flip as fn(&[i64], f64) -> Vec<f64>, laws::exponential_mechanism] {
            let worst = worst_choice_with_a_row_more(eta, law);
            assert!(worst <= epsilon.to_f64() + SLACK, "{worst} > {epsilon}");
        }
        let faulty = worst_choice_with_a_row_more(2.0 * eta, laws::permute_and_flip);
        assert!(faulty > epsilon.to_f64() + SLACK, "half the noise passed: {faulty} at {epsilon}");

        let counts = budget.charge("measure", epsilon, Sensitivity::counts(NonZeroU64::MIN)).unwrap();
        assert_eq!(counts.bound().units().get(), 1);
        let outputs: Vec<Counts> =
            (-2..=6).flat_map(|x| (-2..=6).flat_map(move |y| (-2..=6).map(move |z| [x, y, z]))).collect();
        let mut worst = 0.0f64;
        for (one, two) in one_row_apart(4) {
            let [one, two] = [one, two].map(|rows| {
                outputs.iter().map(|out| laws::noisy_counts(&rows, out, scale(&counts))).collect::<Vec<_>>()
            });
            worst = worst.max(log_ratio(&one, &two));
        }
        assert!((worst - epsilon.to_f64()).abs() < SLACK, "{worst} for {epsilon}, which is attained");
    }
}

#[test]
fn what_is_proven_of_substituted_rows_only_cannot_be_charged_otherwise() {
    let mut budget = budget("10", 1).between(Neighbours::AddRemove);
    let of = |units: u64| NonZeroU64::new(units).unwrap();
    let refused = [
        pmse(),
        Sensitivity::optimal(of(2), "2 * n * TV of the best tree"),
        Sensitivity::tree_level(of(7)),
        Sensitivity::cell_count(),
        pmae().with_number_of_rows(),
        Sensitivity::counts(of(3)).with_number_of_rows().doubled(),
    ];
    for sensitivity in refused {
        let refusal = budget.charge("step", "1".parse().unwrap(), sensitivity);
        assert!(matches!(refusal, Err(BudgetError::OtherNeighbours { .. })));
    }
    assert!(budget.spends().is_empty());
}

/// A pipeline as in a release: choose a candidate, measure cells that depend on the choice, release both.
struct Pipeline {
    choose: f64,
    measure: f64,
}

impl Pipeline {
    /// Charged to `budget`: two fifths and three fifths.
    fn charged(budget: &mut Budget) -> Self {
        let parts = budget.total().split(&[2, 3]);
        let choose = budget.charge("locate", parts[0], pmae()).unwrap();
        let measure = budget.charge("measure", parts[1], Sensitivity::counts(NonZeroU64::MIN)).unwrap();
        Self { choose: eta(&choose), measure: scale(&measure) }
    }

    /// The probabilities of all outputs: the choice, and two noisy counts.
    fn law(&self, b: Counts) -> Vec<f64> {
        let candidates = [[3, 0, 0], [0, 3, 0], [1, 1, 1]];
        let choice = laws::permute_and_flip(&utilities(&candidates, b, total_variation), self.choose);
        let mut law = Vec::new();
        for (chosen, p) in choice.into_iter().enumerate() {
            // The located model decides which two cells are counted as one.
            let merged = [b[chosen], b[(chosen + 1) % 3] + b[(chosen + 2) % 3]];
            for x in -4..=7 {
                law.extend((-4..=7).map(|y| p * laws::noisy_counts(&merged, &[x, y], self.measure)));
            }
        }
        law
    }

    /// The largest log-ratio over tables of three rows that differ in up to `rows` of them.
    fn worst(&self, rows: u32) -> f64 {
        let mut worst = 0.0f64;
        for b in tables(3) {
            let mut others = vec![b];
            for _ in 0..rows {
                others = others.into_iter().flat_map(neighbours).collect();
            }
            worst = others
                .into_iter()
                .map(|other| log_ratio(&self.law(b), &self.law(other)))
                .fold(worst, f64::max);
        }
        worst
    }
}

#[test]
fn a_composed_pipeline_never_reveals_more_than_its_budget() {
    for total in ["0.1", "1", "4"] {
        let mut budget = budget(total, 1);
        let worst = Pipeline::charged(&mut budget).worst(1);
        let promised = budget.total().to_f64();
        assert!(worst <= promised + SLACK, "{worst} > {promised}");
        assert!(worst > 0.7 * promised, "{worst} says little about {promised}");
    }
}

#[test]
fn people_with_two_rows_are_covered_when_that_is_declared() {
    let mut declared = budget("1", 2);
    assert!(Pipeline::charged(&mut declared).worst(2) <= 1.0 + SLACK);
    let mut undeclared = budget("1", 1);
    assert!(Pipeline::charged(&mut undeclared).worst(2) > 1.0 + SLACK, "two rows passed for one");
}

#[test]
fn planted_faults_are_found() {
    let honest = || Pipeline::charged(&mut budget("1", 1));
    let half_the_noise = Pipeline { measure: honest().measure / 2.0, ..honest() };
    assert!(half_the_noise.worst(1) > 1.0 + SLACK);
    let twice_the_exponent = Pipeline { choose: honest().choose * 2.0, ..honest() };
    assert!(twice_the_exponent.worst(1) > 1.0 + SLACK);

    // A charge of half the epsilon that is used: the other half of the noise is missing.
    let mut short = budget("1", 1);
    let half = short.total().divided_by(2);
    let charge = short.charge("measure", half, Sensitivity::counts(NonZeroU64::MIN)).unwrap();
    let used = scale(&charge) / 2.0;
    assert!(worst_counts(used) > short.spent().to_f64() + SLACK);

    // A stage that was not charged: the certificate would state the measurement alone.
    let mut forgetful = budget("0.6", 1);
    let charge =
        forgetful.charge("measure", forgetful.total(), Sensitivity::counts(NonZeroU64::MIN)).unwrap();
    let uncharged = Pipeline { choose: honest().choose, measure: scale(&charge) };
    assert!(uncharged.worst(1) > forgetful.spent().to_f64() + SLACK);
}
