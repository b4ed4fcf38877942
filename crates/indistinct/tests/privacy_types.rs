//! Guarantees as types: what a budget refuses, what it promises in every combination, and that proofs exist.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use indistinct::privacy::{
    Bound, Budget, BudgetError, Delta, Epsilon, Exactness, Guarantee, MechanismError, Proof, Randomness,
    Sensitivity, choose, discrete_laplace_counts, exponential_mechanism, noisy_counts, permute_and_flip,
};
use indistinct::random::Seed;
use std::fs;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn budget(total: &str) -> Budget {
    Budget::new(epsilon(total), NonZeroU32::MIN, Randomness::from_system().unwrap())
}

fn proven() -> Sensitivity {
    Sensitivity::pmae(NonZeroU64::MIN)
}

fn unproven() -> Sensitivity {
    let assumed = Bound::each_candidate(NonZeroU64::MIN, "pMSE of a greedy tree");
    Sensitivity::Unproven { assumed, why: "greedy splits follow the data".to_owned() }
}

#[test]
fn a_budget_is_spent_to_the_last_unit_and_not_beyond() {
    let mut budget = budget("0.3");
    for _ in 0..3 {
        let _ = budget.charge("a third", epsilon("0.1"), proven()).unwrap();
    }
    assert_eq!(budget.remaining(), Epsilon::ZERO);
    let refused = budget.charge("more", epsilon("0.000000000001"), proven()).unwrap_err();
    assert_eq!(
        refused,
        BudgetError::Exceeded { step: "more".into(), asked: epsilon("0.000000000001"), left: Epsilon::ZERO }
    );
    assert_eq!(budget.spends().len(), 3);
    assert_eq!(budget.spent(), budget.total());
}

#[test]
fn nothing_cannot_be_charged() {
    let mut one = budget("1");
    let refused = one.charge("none", Epsilon::ZERO, proven()).unwrap_err();
    assert_eq!(refused, BudgetError::Nothing { step: "none".into() });
    let many_rows = NonZeroU32::new(1000).unwrap();
    let mut shared = Budget::new(epsilon("1"), many_rows, Randomness::from_system().unwrap());
    assert!(shared.charge("too little", epsilon("0.000000000999"), proven()).is_err());
    assert_eq!(shared.spent(), Epsilon::ZERO);
    let charge = shared.charge("enough", epsilon("0.0000000015"), proven()).unwrap();
    assert_eq!(charge.epsilon(), epsilon("0.000000000001"));
}

#[test]
fn portions_of_a_budget_pay_for_counts_and_choices() {
    let mut budget = budget("1");
    let counts = Sensitivity::counts(NonZeroU64::MIN);
    for share in [0.1, 0.2] {
        let cost = budget.portion(share);
        let charge = budget.charge_counts("counts", cost, counts.clone()).unwrap();
        // The variance of discrete Laplace noise, 2 q / (1 - q)^2.
        let q = (-share / 2.0).exp();
        assert!((charge.noise_sd().powi(2) / (2.0 * q / (1.0 - q).powi(2)) - 1.0).abs() < 1e-9);
        assert_eq!(noisy_counts(charge, &[5, 6]).unwrap().len(), 2);
    }
    let cost = budget.portion(0.7);
    assert!(choose(budget.charge_choice("choice", cost, proven()).unwrap(), &[3, 4]).unwrap() < 2);
    assert_eq!(budget.remaining(), Epsilon::ZERO);
    for share in [0.000_001, 1.5, f64::NAN, -1.0] {
        let cost = budget.portion(share);
        assert!(budget.charge_choice("more", cost, proven()).is_err(), "{share}");
    }
    assert_eq!(budget.spends().len(), 3);
}

#[test]
fn a_charge_pays_for_one_kind_of_noise() {
    let mut budget = budget("10");
    let one = epsilon("1");
    let counts = Sensitivity::counts(NonZeroU64::MIN);
    let wrong = |result| matches!(result, Err(MechanismError::WrongBound { .. }));
    assert!(wrong(permute_and_flip(budget.charge("a", one, counts.clone()).unwrap(), &[1, 2]).map(drop)));
    assert!(wrong(exponential_mechanism(budget.charge("b", one, counts).unwrap(), &[1, 2]).map(drop)));
    assert!(wrong(discrete_laplace_counts(budget.charge("c", one, proven()).unwrap(), &[1, 2]).map(drop)));
    // A utility may be released as a number if that is said.
    assert!(discrete_laplace_counts(budget.charge("d", one, proven().released()).unwrap(), &[1]).is_ok());
    let nothing = permute_and_flip(budget.charge("e", one, proven()).unwrap(), &[]);
    assert_eq!(nothing, Err(MechanismError::NoCandidates));
}

#[test]
fn pure_is_promised_only_for_proven_exact_and_unseeded() {
    let delta: Delta = "1e-6".parse().unwrap();
    let other_law = Exactness::NoGuarantee { why: "fresh tables at every step".to_owned() };
    let laws = [Exactness::Exact, Exactness::WithinDelta { delta }, Exactness::AtStationarity, other_law];
    for seeded in [false, true] {
        for sensitivity in [proven(), unproven()] {
            for law in &laws {
                for rows in [1, 3] {
                    let randomness =
                        if seeded { Randomness::seeded(Seed(1)) } else { Randomness::from_system().unwrap() };
                    let mut budget = Budget::new(epsilon("1"), NonZeroU32::new(rows).unwrap(), randomness);
                    // An exact and proven step before it does not help.
                    let _ = budget.charge("first", epsilon("0.5"), proven()).unwrap();
                    let second = budget
                        .charge_chain("second", epsilon("0.4"), sensitivity.clone(), law.clone())
                        .unwrap();
                    let _ = second.into_chains(1);
                    let trusted = !seeded && sensitivity == proven();
                    let expected = match law {
                        Exactness::Exact if trusted => "Pure",
                        Exactness::WithinDelta { .. } if trusted && rows == 1 => "Approximate",
                        Exactness::AtStationarity if trusted => "AtStationarity",
                        _ => "None",
                    };
                    let guarantee = budget.guarantee();
                    assert!(
                        format!("{guarantee:?}").starts_with(expected),
                        "{guarantee:?}, expected {expected}"
                    );
                    assert!(guarantee.epsilon().is_none_or(|promised| promised == epsilon("1")));
                }
            }
        }
    }
}

#[test]
fn with_a_delta_only_exact_and_proven_steps_are_promised() {
    let delta: Delta = "1e-6".parse().unwrap();
    let laws = [Exactness::Exact, Exactness::WithinDelta { delta }, Exactness::AtStationarity];
    for (law, sensitivity, rows) in laws
        .iter()
        .flat_map(|law| [proven(), unproven()].map(|sensitivity| (law, sensitivity)))
        .flat_map(|(law, sensitivity)| [1, 3].map(|rows| (law, sensitivity.clone(), rows)))
    {
        let randomness = Randomness::from_system().unwrap();
        let rows = NonZeroU32::new(rows).unwrap();
        let mut budget = Budget::with_delta(epsilon("1"), delta, rows, randomness);
        let step = budget.charge_chain("step", epsilon("0.1"), sensitivity.clone(), law.clone()).unwrap();
        let _ = step.into_chains(1);
        if *law == Exactness::Exact && sensitivity == proven() {
            assert_eq!(budget.guarantee(), Guarantee::Approximate { epsilon: epsilon("1"), delta });
        } else {
            assert!(matches!(budget.guarantee(), Guarantee::None { .. }), "{law:?}");
        }
    }
}

#[test]
fn every_reason_for_no_guarantee_is_given() {
    let mut budget = Budget::new(epsilon("1"), NonZeroU32::MIN, Randomness::seeded(Seed(1)));
    let _ = budget.charge("score cart", epsilon("0.5"), unproven()).unwrap();
    let why = "fresh tables at every step".to_owned();
    let law = Exactness::NoGuarantee { why };
    let _ = budget.charge_chain("chain", epsilon("0.5"), proven(), law).unwrap().into_chains(1);
    let Guarantee::None { because } = budget.guarantee() else { panic!("a guarantee was promised") };
    assert_eq!(because.len(), 3);
    assert!(because[0].starts_with("seeded"));
    assert_eq!(because[1], "score cart: greedy splits follow the data");
    assert_eq!(because[2], "chain: fresh tables at every step");
}

#[test]
fn a_chain_gets_the_exponent_of_the_exponential_mechanism() {
    let mut budget = budget("1");
    let sensitivity = Sensitivity::pmae(NonZeroU64::new(8).unwrap());
    let charge =
        budget.charge_chain("chain", epsilon("0.5"), sensitivity, Exactness::AtStationarity).unwrap();
    let (factor, generators) = charge.into_chains(3);
    assert_eq!(factor, 0.5 / 16.0);
    assert_eq!(generators.len(), 3);
    assert!(generators[0] != generators[1]);
}

#[test]
fn a_seeded_run_repeats_and_others_do_not() {
    let noise = |randomness: Randomness| {
        let mut budget = Budget::new(epsilon("1"), NonZeroU32::MIN, randomness);
        let sensitivity = Sensitivity::counts(NonZeroU64::MIN);
        let first = budget.charge("first", epsilon("0.01"), sensitivity.clone()).unwrap();
        let second = budget.charge("second", epsilon("0.01"), sensitivity).unwrap();
        // Charges carry their own noise: the order of drawing does not matter.
        let late = discrete_laplace_counts(second, &[0; 8]).unwrap();
        let early = discrete_laplace_counts(first, &[0; 8]).unwrap();
        assert_ne!(early, late);
        (early, late)
    };
    assert_eq!(noise(Randomness::seeded(Seed(3))), noise(Randomness::seeded(Seed(3))));
    assert_ne!(noise(Randomness::seeded(Seed(3))), noise(Randomness::seeded(Seed(4))));
    assert_ne!(noise(Randomness::from_system().unwrap()), noise(Randomness::from_system().unwrap()));
}

/// The texts of all files in a folder, and the folders in it.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text = |path: PathBuf| {
        if path.is_dir() { texts(&path) } else { vec![(path.clone(), fs::read_to_string(&path).unwrap())] }
    };
    entries.flat_map(text).collect()
}

#[test]
fn every_proof_and_test_that_is_referred_to_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for proof in Proof::ALL {
        assert!(root.join("proofs").join(format!("{proof}.md")).is_file(), "no page proves {proof}");
        assert_eq!(Proof::from_page(proof.page()), Some(proof));
    }
    let mut references = 0;
    for (_, text) in [texts(&root.join("src/privacy")), texts(&root.join("proofs"))].concat() {
        for quoted in
            text.split('`').filter(|quoted| quoted.starts_with("proofs/") || quoted.starts_with("tests/"))
        {
            assert!(root.join(quoted).exists(), "`{quoted}` is referred to and does not exist");
            references += 1;
        }
    }
    assert!(references > 20, "only {references} references were found");
}

#[test]
fn no_float_function_stands_between_counts_and_choice() {
    // Where noise is drawn there is no float at all; the exponent of chains, in `charge.rs`, is outside of that.
    let privacy = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/privacy");
    let mut sources = texts(&privacy.join("exact"));
    sources.retain(|(path, _)| !path.ends_with("tests.rs"));
    // Nor where a rho is computed from epsilon and delta, whose tests alone have floats.
    for name in ["mechanism.rs", "conversion.rs", "logarithm.rs"] {
        sources.push((privacy.join(name), fs::read_to_string(privacy.join(name)).unwrap()));
    }
    assert!(sources.len() >= 10);
    for (path, text) in sources {
        for word in ["f32", "f64", ".exp()", ".ln()", "expect(", "unwrap()", "panic!"] {
            let code = text.split("#[cfg(test)]").next().unwrap();
            assert!(!code.contains(word), "{word} in {}", path.display());
        }
    }
}

#[test]
fn reasons_are_given_once() {
    let mut budget = budget("1");
    for _ in 0..2 {
        for step in ["locate", "refine"] {
            let _ = budget.charge(step, epsilon("0.1"), unproven()).unwrap();
        }
    }
    let Guarantee::None { because } = budget.guarantee() else { panic!("a guarantee was promised") };
    assert_eq!(because.len(), 2);
}
