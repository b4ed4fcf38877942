//! Several draws: as many as the budget can locate.

use super::*;

/// Draws of releases at n = 5000 whose slope is off by more than a quarter, half of what it is, in all and by release.
fn astray(draws: u32, epsilon: f64, releases: u64) -> (usize, usize) {
    let strays: Vec<usize> = (0..releases)
        .map(|seed| {
            let real = simulate(&paper(), 5000, &mut Seed(1000 + seed).stream(0));
            let found = run(&real, Asked { draws, ..options(epsilon) }, seed).models;
            assert_eq!(found.len(), draws as usize);
            let off = |model: &&SequentialNormal| (model.regressions()[1].slopes[0] - 0.5).abs() > 0.25;
            found.iter().filter(off).count()
        })
        .collect();
    (strays.iter().sum(), strays.iter().filter(|&&strays| strays > 0).count())
}

/// As many draws as the plan allows do not go astray; more are refused, with the number that would do.
#[test]
fn draws_that_the_budget_cannot_locate_are_refused() {
    let several = |draws: u32, epsilon: f64| Asked { draws, ..options(epsilon) }.plan(5000, 2);
    match several(10, 1.0) {
        Err(NormalError::StarvedDraws { draws: 10, columns: 2, most, epsilon }) => {
            assert_eq!(most, 7);
            assert!((1.3..1.5).contains(&epsilon), "{epsilon}");
            assert!(several(most, 1.0).is_ok() && several(most + 1, 1.0).is_err());
            assert!(several(10, epsilon + 0.01).is_ok());
        }
        other => panic!("{other:?}"),
    }
    // A single draw that starves is warned of, and made.
    assert!(several(1, 0.1).expect("a plan").warning().is_some());
    assert!(matches!(several(2, 0.1), Err(NormalError::StarvedDraws { most: 1, .. })));
    assert!(several(u32::MAX, 1.0).is_err());
    assert_eq!(astray(7, 1.0, 6).0, 0);
}

/// The long form: `cargo test --release -p indistinct --test release -- --ignored --nocapture astray`.
#[test]
#[ignore = "minutes"]
fn astray_draws_in_long() {
    let (draws, releases) = astray(7, 1.0, 150);
    println!("7 draws, epsilon 1, n 5000: {draws} of 1050 draws astray, in {releases} of 150 releases");
    assert!(releases <= 3, "{releases}");
}

/// Single draws of short walks, 2 chains of 6000 steps, with what each of two draws must have at least and with half of that: the
/// long form, `cargo test --release -p indistinct --test release -- --ignored --nocapture walks_at_the_limit`.
#[test]
#[ignore = "minutes"]
fn walks_at_the_limit() {
    let (mut enough, mut half) = (0, 0);
    for quality in [Quality::Pmse, Quality::Pmae] {
        let prior_scale = PriorScale::Sd;
        let sampler =
            Sampler::Metropolis { chains: 2, steps: 6000, prior_sd: 316.0, prior_scale, fresh_tables: false };
        let walks = |draws, epsilon| Asked { quality, sampler, draws, ..options(epsilon) };
        let Err(NormalError::StarvedDraws { epsilon, .. }) = walks(2, 0.04).plan(5000, 2) else {
            panic!("a refusal")
        };
        let astray = |part: f64| {
            let of_seed = |seed: &u64| {
                let real = simulate(&paper(), 5000, &mut Seed(1000 + seed).stream(0));
                let found = run(&real, walks(1, epsilon / 2.0 * part), *seed).models;
                (found[0].regressions()[1].slopes[0] - 0.5).abs() > 0.25
            };
            (0..10).filter(of_seed).count()
        };
        enough += astray(1.0);
        half += astray(0.5);
    }
    println!("walks astray, of 20: {enough} with what is asked for, {half} with half of it");
    assert!(enough <= 5 && half >= 9, "{enough} {half}");
}
