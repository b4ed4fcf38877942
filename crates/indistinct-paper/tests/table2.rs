//! The paper's Table 2, at epsilon 1: what the published columns fit, on a few tables.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::num::NonZeroU32;

use indistinct::discriminator::Stacked;
use indistinct::discriminator::cart::{self, CartOptions};
use indistinct::model::SequentialNormal;
use indistinct::privacy::{Budget, Randomness};
use indistinct::private::PrivateRows;
use indistinct::random::Seed;
use indistinct::synthesis::simulate;
use indistinct::table::{Column, Table};
use indistinct_paper::baseline::noisy_bayes::Repair;
use indistinct_paper::baseline::smooth_histogram::{Options, Smoothing};
use indistinct_paper::baseline::{Bounds, noisy_bayes, posterior_predictive, smooth_histogram};

const N: usize = 5000;
const TABLES: u64 = 30;

fn table(columns: &[Vec<f64>]) -> Table {
    let named = columns.iter().zip(["x1", "x2"]).map(|(values, name)| Column::float(name, values.clone()));
    Table::new(named.collect()).unwrap()
}

#[test]
fn published_columns_are_met() {
    let truth = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    // Four standard deviations: 10, and the root of 25 + 9.
    let bounds = Bounds::symmetric(&[40.0, 4.0 * 34f64.sqrt()]).unwrap();
    let params = CartOptions::default()
        .with(|options| {
            options.cp = Some(0.001);
            options.minbucket = Some(5);
        })
        .check()
        .unwrap();
    let mut means = [0.0; 4];
    for seed in 0..TABLES {
        let random = &mut Seed(2).stream(seed);
        let real = table(&simulate(&truth, N, random));
        let rows = PrivateRows::new(&real).unwrap();
        let randomness = Randomness::seeded(Seed(seed));
        let budget = &mut Budget::new("10".parse().unwrap(), NonZeroU32::MIN, randomness);
        let (one, tenth) = ("1".parse().unwrap(), "0.1".parse().unwrap());
        let posterior = posterior_predictive::draw(&rows, budget, random).unwrap();
        let mut bayes = |repair, budget: &mut Budget| {
            let model = noisy_bayes::draw(&rows, &bounds, repair, budget, tenth, random).unwrap();
            simulate(&model, N, random)
        };
        let (floored, projected) = (bayes(Repair::Floored, budget), bayes(Repair::Projected, budget));
        let options = Options { bins: 50, smoothing: Smoothing::Matching, rows: N };
        let matching = smooth_histogram::simulate(&rows, &bounds, &options, budget, one, random).unwrap();
        let drawn = [simulate(&posterior, N, random), floored, projected, matching];
        for (mean, synthetic) in means.iter_mut().zip(drawn) {
            let stacked = Stacked::new(&real, &table(&synthetic)).unwrap();
            *mean += cart::fit(&stacked, &params).distinguishability().pmse / TABLES as f64;
        }
    }
    // Published: .0066, .144 (one table varies by about .09) and .0328; projecting is much better.
    let [posterior, floored, projected, matching] = means;
    assert!((posterior - 0.0066).abs() < 0.0015, "{posterior}");
    assert!((floored - 0.144).abs() < 0.06, "{floored}");
    assert!(projected < 0.05 && projected < floored / 2.0, "{projected}");
    assert!((matching - 0.0328).abs() < 0.002, "{matching}");
}
