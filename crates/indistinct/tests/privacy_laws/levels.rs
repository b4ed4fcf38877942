//! Choices from several lists with one charge: the splits of two nodes of a tree, enumerated on neighbouring tables.

use crate::charge;
use crate::laws::{self, SCALE, log_ratio};
use indistinct::privacy::{
    Budget, MechanismError, Randomness, Sensitivity, permute_and_flip, permute_and_flip_lists,
};
use indistinct::random::Seed;
use std::num::{NonZeroU32, NonZeroU64};

/// Rows in eight cells: the first four are one node, the others another.
type Cells = [i64; 8];

fn level() -> Sensitivity {
    Sensitivity::tree_level(NonZeroU64::new(SCALE as u64).unwrap())
}

/// For each node the utilities of its three thresholds.
fn utilities(a: Cells, b: Cells) -> [Vec<i64>; 2] {
    let share = |a: i64, b: i64| if a + b == 0 { 0 } else { SCALE * a * a / (a + b) };
    let side = |cells: &[i64]| cells.iter().sum::<i64>();
    [0, 4].map(|node| {
        let (a, b) = (&a[node..node + 4], &b[node..node + 4]);
        (1..4).map(|t| share(side(&a[..t]), side(&b[..t])) + share(side(&a[t..]), side(&b[t..]))).collect()
    })
}

/// The probabilities of all pairs of splits.
fn law(a: Cells, b: Cells, eta: f64) -> Vec<f64> {
    let [one, two] = utilities(a, b).map(|list| laws::permute_and_flip(&list, eta));
    one.iter().flat_map(|p| two.iter().map(move |q| p * q)).collect()
}

/// The largest log-ratio over all neighbouring tables of three rows and some synthetic ones.
fn worst(eta: f64) -> f64 {
    let synthetic: [Cells; 4] = [
        [1, 1, 1, 1, 1, 1, 1, 1],
        [9, 0, 0, 0, 0, 0, 0, 9],
        [0, 50, 0, 0, 1, 0, 0, 0],
        [30, 0, 0, 30, 40, 0, 0, 40],
    ];
    let mut worst = 0.0_f64;
    for a in synthetic {
        let table = |rows: [usize; 3]| {
            let mut cells = [0; 8];
            for cell in rows {
                cells[cell] += 1;
            }
            cells
        };
        for code in 0..512 {
            let rows = [code / 64, code / 8 % 8, code % 8];
            let before = law(a, table(rows), eta);
            for cell in 0..8 {
                worst = worst.max(log_ratio(&before, &law(a, table([rows[0], rows[1], cell]), eta)));
            }
        }
    }
    worst
}

#[test]
fn a_level_never_reveals_more_than_its_charge() {
    for epsilon in ["0.1", "1", "3"] {
        let charge = charge(epsilon, level());
        let promised = charge.epsilon().to_f64();
        let eta = promised / charge.bound().units().get() as f64;
        let found = worst(eta);
        assert!(found <= promised + 1e-9, "{found} > {promised}");
        assert!(worst(2.0 * eta) > promised + 1e-9, "half the noise passed at {epsilon}");
    }
}

#[test]
fn lists_are_chosen_from_independently_and_by_the_law() {
    let lists = vec![vec![0, SCALE, 3 * SCALE], vec![2 * SCALE, 0]];
    let mut counts = [[0.0; 2]; 3];
    let rounds = 40_000;
    let epsilon = "2".parse().unwrap();
    let mut budget = Budget::new("100000".parse().unwrap(), NonZeroU32::MIN, Randomness::seeded(Seed(7)));
    for _ in 0..rounds {
        let charge = budget.charge("splits", epsilon, level()).unwrap();
        let chosen = permute_and_flip_lists(charge, &lists).unwrap();
        counts[chosen[0]][chosen[1]] += 1.0;
    }
    let eta = 2.0 / (2 * SCALE) as f64;
    let laws: Vec<Vec<f64>> = lists.iter().map(|list| laws::permute_and_flip(list, eta)).collect();
    let mut square = 0.0;
    for (one, counts) in laws[0].iter().zip(&counts) {
        for (two, count) in laws[1].iter().zip(counts) {
            let expected = one * two * f64::from(rounds);
            square += (count - expected) * (count - expected) / expected;
        }
    }
    // 5 degrees of freedom: 21 is exceeded once in a thousand times.
    assert!(square < 21.0, "{square}");
}

#[test]
fn only_a_bound_over_lists_pays_for_lists() {
    let one = Sensitivity::pmae(NonZeroU64::MIN);
    let lists = [vec![1, 2], vec![3]];
    assert!(matches!(
        permute_and_flip_lists(charge("1", one), &lists),
        Err(MechanismError::WrongBound { .. })
    ));
    let counts = Sensitivity::counts(NonZeroU64::MIN);
    assert!(permute_and_flip_lists(charge("1", counts), &lists).is_err());
    assert!(permute_and_flip(charge("1", level()), &[1, 2]).is_err());
    assert_eq!(
        permute_and_flip_lists(charge("1", level()), &[Vec::new()]),
        Err(MechanismError::NoCandidates)
    );
    assert_eq!(permute_and_flip_lists(charge("1", level()), &[]), Ok(Vec::new()));
}
