//! Releases with a delta, which pay in rho.

use super::*;

fn with_delta(epsilon: f64) -> Asked {
    Asked { delta: "1e-6".parse().expect("a delta"), ..options(epsilon) }
}

#[test]
fn a_delta_pays_for_every_stage_in_rho() {
    let trees = BinnedTrees::new(OptimalParams::default()).expect("usual settings");
    let columns = simulate(&paper(), 3000, &mut Seed(3).stream(1));
    for (discriminator, share) in [
        (CandidateDiscriminator::Partition, None),
        (CandidateDiscriminator::Optimal(trees), Some(0.3)),
        (CandidateDiscriminator::PrivateTree, Some(0.0)),
    ] {
        let asked = Asked {
            discriminator,
            measure_share: share,
            candidates: Some(30),
            draws: 2,
            score_epsilon: Epsilon::from_f64(0.2).expect("positive"),
            rows_per_person: 2,
            ..with_delta(4.0)
        };
        let rows = private(&columns);
        let plan = asked.plan(rows.rows(), rows.columns()).expect("a plan");
        let randomness = Randomness::from_system().expect("entropy");
        let released = release(&rows, &plan, randomness, &Silent).expect("a release");
        let (spent, total) = (released.budget.spent_rho(), released.budget.total_rho());
        assert!(spent <= total && spent.map(Rho::to_f64) > total.map(|total| 0.9 * total.to_f64()));
        assert!(matches!(released.budget.guarantee(), Guarantee::Approximate { .. }));
        let of = |accounting: Accounting| {
            let spends = released.budget.spends().iter().filter_map(|spend| spend.concentrated);
            spends.filter(|spend| spend.accounting == accounting).count()
        };
        assert!(of(Accounting::BoundedRange) >= 14, "choices are made by the exponential mechanism");
        assert_eq!(of(Accounting::Gaussian), if share == Some(0.0) { 0 } else { 2 });
        assert_eq!(of(Accounting::PureEpsilon), 1, "the score");
        let score = released.score.expect("asked for");
        assert!(released.budget.spends().iter().any(|spend| spend.epsilon == score.epsilon));
        assert!((0.0..0.5).contains(&score.value.abs()));
    }
    let sampler = Sampler::Metropolis {
        chains: 2,
        steps: 30,
        prior_sd: 10.0,
        prior_scale: PriorScale::Sd,
        fresh_tables: false,
    };
    let refused = Asked { sampler, ..with_delta(1.0) }.plan(3000, 2);
    assert_eq!(refused, Err(NormalError::DeltaMetropolis));
}

#[test]
fn a_delta_pays_off_where_there_are_many_columns() {
    // Six independent columns, fifteen pairs: how far the correlations of the model are from nought.
    let model = SequentialNormal::new(
        vec![0.0; 6],
        (0..6).map(|j| (0..=j).map(|k| if j == k { 1.0 } else { 0.0 }).collect()).collect(),
    );
    let error = |asked: Asked| -> f64 {
        let of_seed = |seed: u64| {
            let columns = simulate(&model, 5000, &mut Seed(seed).stream(1));
            let released = run(&columns, asked.clone(), seed);
            let loadings = released.models[0].factor().iter().flat_map(|row| row[..row.len() - 1].to_vec());
            loadings.map(|loading| loading * loading).sum::<f64>() / 15.0
        };
        ((0..3).map(of_seed).sum::<f64>() / 3.0).sqrt()
    };
    let (pure, delta) = (error(options(1.0)), error(with_delta(1.0)));
    assert!(delta < 0.8 * pure && delta < 0.1, "pure {pure}, with delta {delta}");
    // What would be hopeless as a sum of epsilons is not as a sum of rhos.
    assert!(matches!(options(1.0).plan(5000, 20), Err(NormalError::Hopeless { .. })));
    assert!(with_delta(1.0).plan(5000, 20).is_ok());
}
