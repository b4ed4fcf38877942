//! Evaluations as a user of the library sees them.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

mod common;

use common::nearly_normal;
use indistinct::discriminator::cart::{CartOptions, CartParams};
use indistinct::discriminator::logistic;
use indistinct::discriminator::optimal::OptimalParams;
use indistinct::discriminator::partition::PartitionParams;
use indistinct::evaluate::{
    Discriminator, EvaluateParams, Evaluation, Null, PredictColumn, SampleSize, SampledRows, TableEvaluation,
    evaluate,
};
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::table::{Column, Table};

/// x, y = slope * x + noise, and a level that depends on x.
fn table(rows: usize, slope: f64, seed: u64) -> Table {
    let mut random = Seed(seed).stream(0);
    let x: Vec<f64> = (0..rows).map(|_| nearly_normal(&mut random)).collect();
    let y = x.iter().map(|x| slope * x + nearly_normal(&mut random)).collect();
    let level = x.iter().map(|x| u32::from(slope * x + nearly_normal(&mut random) > 0.0)).collect();
    Table::new(vec![
        Column::float("x", x),
        Column::float("y", y),
        Column::nominal("level", &["low", "high"], level),
    ])
    .unwrap()
}

fn params(discriminator: Discriminator, null: Null) -> EvaluateParams {
    EvaluateParams::default().with(|params| {
        params.discriminator = discriminator;
        params.null = null;
        params.replicates = 40;
    })
}

fn run(real: &Table, synthetic: &Table, params: &EvaluateParams) -> Evaluation {
    evaluate(real, &[("synthetic.csv".to_owned(), synthetic.clone())], params, &Silent).unwrap()
}

fn every_discriminator() -> Vec<Discriminator> {
    vec![
        Discriminator::Cart(CartOptions::default().with(|options| options.cp = Some(0.001)).check().unwrap()),
        Discriminator::Optimal(OptimalParams::default()),
        Discriminator::Partition(PartitionParams::default()),
        Discriminator::Logistic(logistic::Options::default().with(|options| options.interactions = true)),
    ]
}

#[test]
fn every_discriminator_sees_lost_dependence() {
    let real = table(1500, 1.0, 1);
    let (good, bad) = (table(1500, 1.0, 2), table(1500, 0.0, 3));
    for discriminator in every_discriminator() {
        let params = params(discriminator, Null::None);
        let (good, bad) = (run(&real, &good, &params), run(&real, &bad, &params));
        let (good, bad) = (&good.tables[0], &bad.tables[0]);
        let who = &params.discriminator;
        assert!(bad.pmse > 1.5 * good.pmse, "{who:?}: {} {}", bad.pmse, good.pmse);
        assert!(good.optimal_depth_2.pmse < good.independent_control.optimal_depth_2.pmse, "{who:?}");
        assert!(good.mean_pair_tvd < good.independent_control.mean_pair_tvd, "{who:?}");
        assert_eq!(good.pairs.len(), 3);
        assert_eq!(good.columns.len(), 3);
        assert_eq!(good.leaves.is_some(), good.coefficients.is_none());
    }
}

/// Two independent samples of one population are what trees and partitions are compared with: S_pMSE is near 1.
#[test]
fn two_samples_of_one_law_look_like_the_null() {
    let (real, synthetic) = (table(2000, 1.0, 1), table(2000, 1.0, 2));
    for (discriminator, null) in [
        (
            Discriminator::Cart(
                CartOptions::default().with(|options| options.cp = Some(0.0001)).check().unwrap(),
            ),
            Null::Permutation,
        ),
        (Discriminator::Optimal(OptimalParams::default()), Null::Permutation),
        (Discriminator::Partition(PartitionParams::default()), Null::Bootstrap),
        (Discriminator::Partition(PartitionParams::default()), Null::Permutation),
    ] {
        let params = params(discriminator, null);
        let ratio = run(&real, &synthetic, &params).tables[0].s_pmse.unwrap();
        assert!((0.5..1.75).contains(&ratio), "{:?}, {null:?}: {ratio}", params.discriminator);
    }
}

#[test]
fn analytic_null_agrees_with_permutations() {
    let (real, synthetic) = (table(2000, 1.0, 1), table(1000, 1.0, 2));
    let discriminator = || Discriminator::Logistic(logistic::Options::default());
    let mut simulated = params(discriminator(), Null::Permutation);
    simulated.replicates = 400;
    let simulated = run(&real, &synthetic, &simulated).tables[0].null.mean.unwrap();
    let analytic =
        run(&real, &synthetic, &params(discriminator(), Null::Analytic)).tables[0].null.mean.unwrap();
    assert!((simulated / analytic - 1.0).abs() < 0.2, "{simulated} {analytic}");
}

#[test]
fn results_depend_neither_on_threads_nor_on_time() {
    let (real, synthetic) = (table(400, 1.0, 1), table(300, 0.5, 2));
    let params = params(Discriminator::Cart(CartParams::default()), Null::Permutation);
    let json = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| serde_json::to_string(&run(&real, &synthetic, &params)).unwrap())
    };
    assert_eq!(json(1), json(4));
}

/// Options with everything that a sample has a part in.
fn sampled(discriminator: Discriminator, sample: SampleSize) -> EvaluateParams {
    let predict = Some(PredictColumn { name: "y".to_owned(), declared: true });
    params(discriminator, Null::Permutation).with(|params| {
        params.replicates = 5;
        params.predict = predict;
        params.sample = sample;
    })
}

#[test]
fn tables_within_the_limit_are_evaluated_whole() {
    let (real, synthetic) = (table(400, 1.0, 1), table(300, 0.5, 2));
    let json = |sample| {
        let params = sampled(Discriminator::Cart(CartParams::default()), sample);
        serde_json::to_string(&run(&real, &synthetic, &params)).unwrap()
    };
    let whole = json(SampleSize::All);
    assert_eq!(whole, json(SampleSize::default()));
    assert_eq!(whole, json(SampleSize::AtMost(400)));
    assert!(whole.contains("\"sampled\":null"));
    assert_ne!(whole, json(SampleSize::AtMost(399)));
}

/// S_pMSE of a sample has the null of the sample's size: everything that trees say is what they say of tables that have
/// no other rows. Only distances know the whole tables.
#[test]
fn trees_judge_a_sample_as_tables_of_its_size() {
    let (real, synthetic) = (table(900, 1.0, 1), table(700, 0.5, 2));
    let size = SampleSize::AtMost(500);
    for discriminator in every_discriminator() {
        let params = sampled(discriminator, size);
        let found = run(&real, &synthetic, &params).tables.remove(0);
        let parts = (size.of_real(&real, Seed(1)), size.of_synthetic(&synthetic, 0, Seed(1)));
        let alone = run(parts.0.table(), parts.1.table(), &params).tables.remove(0);
        assert_eq!((found.n_real, found.n_synthetic), (900, 700));
        assert_eq!(found.sampled, Some(SampledRows { real: 500, synthetic: 500 }));
        assert_eq!(alone.sampled, None);
        assert_eq!((found.pmse, found.pmae, found.s_pmse), (alone.pmse, alone.pmae, alone.s_pmse));
        assert_eq!((found.null.mean, found.null.sd), (alone.null.mean, alone.null.sd));
        assert_eq!(found.predict, alone.predict);
        assert_eq!(found.optimal_depth_2.pmse, alone.optimal_depth_2.pmse);
        assert_eq!(found.independent_control.pmse, alone.independent_control.pmse);
        for (found, alone) in found.pairs.iter().zip(&alone.pairs) {
            assert_eq!(found.pmse, alone.pmse);
        }
        let whole = run(&real, &synthetic, &sampled(params.discriminator, SampleSize::All)).tables.remove(0);
        let exact = |found: &TableEvaluation| {
            let (table, control) = (&found.distances, &found.independent_control.distances);
            let pairs: Vec<f64> = found.pairs.iter().map(|pair| pair.tvd).collect();
            (table.one_way, table.two_way, control.one_way, control.two_way, pairs)
        };
        assert_eq!(exact(&found), exact(&whole), "one-way and two-way distances count all rows");
        assert_ne!(found.distances.three_way, whole.distances.three_way);
    }
}

/// Estimates of 12 samples of a quarter of the rows are spread around what the whole tables have. A tree finds chance
/// differences too, more of them in fewer rows: that bias is what the null expects of either size.
#[test]
fn samples_estimate_what_whole_tables_have() {
    let (real, synthetic) = (table(16_000, 1.0, 1), table(16_000, 0.6, 2));
    let evaluate = |sample: SampleSize, seed: u64| {
        let discriminator = Discriminator::Partition(PartitionParams::default());
        let params = params(discriminator, Null::Permutation);
        let params = params.with(|params| {
            params.replicates = 10;
            params.seed = Seed(seed);
            params.sample = sample;
        });
        run(&real, &synthetic, &params).tables.remove(0)
    };
    let whole = evaluate(SampleSize::All, 1);
    let samples: Vec<_> = (1..=12).map(|seed| evaluate(SampleSize::AtMost(4000), seed)).collect();
    let estimates = |value: fn(&TableEvaluation) -> f64| {
        let found: Vec<f64> = samples.iter().map(value).collect();
        let mean = found.iter().sum::<f64>() / 12.0;
        let sd = (found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 11.0).sqrt();
        (mean - value(&whole), sd / 12f64.sqrt())
    };
    let (off, error) = estimates(|table| table.pmse - table.null.mean.unwrap());
    assert!(off.abs() < 4.0 * error, "pMSE beyond chance: {off} {error}");
    let (off, error) = estimates(|table| table.optimal_depth_2.pmse);
    assert!(off.abs() < 4.0 * error + 1e-4, "best tree of depth 2: {off} {error}");
    // Shares of cells differ by chance, which makes the distance larger by at most sqrt(cells (1/n + 1/m) / (2 pi)).
    let (off, _) = estimates(|table| table.distances.three_way.unwrap());
    let most = (20.0 * 20.0 * 2.0 * (2.0 / 4000.0) / std::f64::consts::TAU).sqrt();
    assert!((0.0..most).contains(&off), "three-way distance: {off} {most}");
    // With a quarter of the rows the null of a fixed number of cells is four times as large.
    let (mean, _) = estimates(|table| table.null.mean.unwrap());
    let ratio = 1.0 + mean / whole.null.mean.unwrap();
    assert!((3.6..4.4).contains(&ratio), "{ratio}");
}

#[test]
fn samples_do_not_depend_on_threads() {
    let (real, synthetic) = (table(900, 1.0, 1), table(300, 0.5, 2));
    let params = sampled(Discriminator::Cart(CartParams::default()), SampleSize::AtMost(400));
    let json = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| serde_json::to_string(&run(&real, &synthetic, &params)).unwrap())
    };
    assert_eq!(json(1), json(4));
    assert!(json(2).contains("\"sampled\":{\"real\":400,\"synthetic\":300}"));
}

#[test]
fn unequal_sizes_have_a_centred_measure_of_their_own() {
    let (real, synthetic) = (table(3000, 1.0, 1), table(1000, 1.0, 2));
    let params = params(Discriminator::Cart(CartParams::default()), Null::Permutation);
    let found = &run(&real, &synthetic, &params).tables[0];
    // With c = 1/4 a tree that sees nothing has p = 1/4 everywhere: (1/4 - 1/2)^2 = 1/16.
    assert!((found.pmse - found.pmse_centred - 0.0625).abs() < 1e-12);
    assert_eq!((found.n_real, found.n_synthetic), (3000, 1000));
}

#[test]
fn several_tables_have_a_mean() {
    let real = table(300, 1.0, 1);
    let synthetic: Vec<(String, Table)> =
        (2..5).map(|seed| (format!("{seed}.csv"), table(300, 0.5, seed))).collect();
    let params = params(Discriminator::Optimal(OptimalParams::default()), Null::Permutation);
    let all = evaluate(&real, &synthetic, &params, &Silent).unwrap();
    let mean: f64 = all.tables.iter().map(|table| table.pmse).sum::<f64>() / 3.0;
    assert!((all.mean.pmse - mean).abs() < 1e-15 && all.mean.s_pmse.is_some());
}

#[test]
fn constant_missing_and_single_columns_are_fine() {
    let table = |value: f64| Table::new(vec![Column::float("x", vec![value; 50])]).unwrap();
    for discriminator in every_discriminator() {
        for value in [1.0, f64::NAN] {
            let params = params(discriminator.clone(), Null::Permutation);
            let found = run(&table(value), &table(value), &params);
            let found = &found.tables[0];
            assert!(found.pmse.abs() < 1e-12 && found.pairs.is_empty() && found.mean_pair_tvd.is_none());
            assert_eq!(found.s_pmse, None, "nothing to standardise by");
        }
    }
}
