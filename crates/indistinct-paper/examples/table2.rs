//! The comparison methods of Table 2: mean pMSE of one released table, `table2 SIMULATIONS`.
//!
//! X1 ~ N(2, 10), X2 ~ N(-2.5 + 0.5 x1, 3), n = 5000, bounds of four standard deviations around zero; the pMSE is that of
//! rpart's class tree with cp = 0.001 and minbucket = 5. Noisy Bayes has epsilon / 10 for its table, as one of ten.
//! Below, the absolute errors of the two regressions at the whole epsilon, against least squares on the table.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measuring program, not a library")]

use std::num::NonZeroU32;

use indistinct::discriminator::Stacked;
use indistinct::discriminator::cart::{self, CartOptions, CartParams};
use indistinct::model::SequentialNormal;
use indistinct::privacy::{Budget, Epsilon, Randomness};
use indistinct::private::PrivateRows;
use indistinct::quality::Distinguishability;
use indistinct::random::{Generator, Seed};
use indistinct::synthesis::simulate;
use indistinct::table::{Column, Table};
use indistinct_paper::baseline::functional::Ridge;
use indistinct_paper::baseline::noisy_bayes::Repair;
use indistinct_paper::baseline::smooth_histogram::{Options, Smoothing};
use indistinct_paper::baseline::{
    Bounds, functional, k_norm, noisy_bayes, posterior_predictive, smooth_histogram,
};

const N: usize = 5000;
const EPSILONS: [&str; 5] = ["0.25", "0.5", "1", "2", "4"];
const METHODS: [&str; 11] = [
    "posterior predictive",
    "noisy Bayes, floored",
    "noisy Bayes, projected",
    "smooth histogram, matching",
    "smooth histogram, printed",
    "functional: intercept",
    "functional: slope",
    "without ridge: intercept",
    "without ridge: slope",
    "k-norm: intercept",
    "k-norm: slope",
];

fn table(columns: &[Vec<f64>]) -> Table {
    let named = columns.iter().zip(["x1", "x2"]).map(|(values, name)| Column::float(name, values.clone()));
    Table::new(named.collect()).unwrap()
}

fn pmse(real: &Table, synthetic: &[Vec<f64>], params: &CartParams) -> f64 {
    let stacked = Stacked::new(real, &table(synthetic)).unwrap();
    Distinguishability::of_cells(&cart::fit(&stacked, params).cells()).pmse
}

fn sd(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64).sqrt()
}

fn least_squares(columns: &[Vec<f64>]) -> [f64; 2] {
    let [x, y] = columns else { panic!("two columns") };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let slope = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
        / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>();
    [my - slope * mx, slope]
}

/// The measures of all methods for one simulated table.
fn measure(epsilon: Epsilon, random: &mut Generator, seed: u64) -> [f64; 11] {
    let truth = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    let columns = simulate(&truth, N, random);
    let real = table(&columns);
    let rows = PrivateRows::new(&real).unwrap();
    let bounds =
        Bounds::symmetric(&columns.iter().map(|column| 4.0 * sd(column)).collect::<Vec<f64>>()).unwrap();
    let params = CartOptions::default()
        .with(|options| {
            options.cp = Some(0.001);
            options.minbucket = Some(5);
        })
        .check()
        .unwrap();
    let total: Epsilon = "100".parse().unwrap();
    let budget = &mut Budget::new(total, NonZeroU32::MIN, Randomness::seeded(Seed(seed)));
    let tenth = epsilon.divided_by(10);

    let posterior = posterior_predictive::draw(&rows, budget, random).unwrap();
    let posterior = pmse(&real, &simulate(&posterior, N, random), &params);
    let mut bayes = |repair, budget: &mut Budget| {
        let model = noisy_bayes::draw(&rows, &bounds, repair, budget, tenth, random).unwrap();
        pmse(&real, &simulate(&model, N, random), &params)
    };
    let (floored, projected) = (bayes(Repair::Floored, budget), bayes(Repair::Projected, budget));
    let mut histogram = |smoothing, budget: &mut Budget| {
        let options = Options { bins: 50, smoothing, rows: N };
        let drawn = smooth_histogram::simulate(&rows, &bounds, &options, budget, epsilon, random).unwrap();
        pmse(&real, &drawn, &params)
    };
    let (matching, printed) = (histogram(Smoothing::Matching, budget), histogram(Smoothing::Printed, budget));
    let wanted = least_squares(&columns);
    let f = functional::regression(&rows, 1, &bounds, &mut *budget, epsilon).unwrap();
    let bare = functional::regression_with(Ridge::Absent, &rows, 1, &bounds, &mut *budget, epsilon).unwrap();
    let k = k_norm::regression(&rows, 1, &bounds, &mut *budget, epsilon).unwrap();
    let off = |found: &[f64], place: usize| (found[place] - wanted[place]).abs();
    let distances = [posterior, floored, projected, matching, printed];
    let errors = [&f, &bare, &k].into_iter().flat_map(|found| [off(found, 0), off(found, 1)]);
    std::array::from_fn(|place| distances.iter().copied().chain(errors.clone()).nth(place).unwrap())
}

fn main() {
    let simulations: u64 = std::env::args().nth(1).map_or(50, |typed| typed.parse().unwrap());
    let mut means = vec![[0.0; 11]; EPSILONS.len()];
    for (mean, epsilon) in means.iter_mut().zip(EPSILONS) {
        for simulation in 0..simulations {
            let mut random = Seed(1).stream(simulation);
            let found = measure(epsilon.parse().unwrap(), &mut random, simulation);
            mean.iter_mut().zip(found).for_each(|(mean, found)| *mean += found / simulations as f64);
        }
    }
    println!("{:28}{}", "epsilon", EPSILONS.map(|epsilon| format!("{epsilon:>9}")).concat());
    for (place, method) in METHODS.iter().enumerate() {
        let row: Vec<String> = means.iter().map(|mean| format!("{:9.4}", mean[place])).collect();
        println!("{method:28}{}", row.concat());
    }
}
