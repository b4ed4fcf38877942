//! Every method against what it should give, and against input that it must refuse.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::num::NonZeroU32;

use indistinct::linear::Symmetric;
use indistinct::privacy::{Budget, Epsilon, Guarantee, Randomness};
use indistinct::private::PrivateRows;
use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, Table};
use indistinct_paper::baseline::functional::Ridge;
use indistinct_paper::baseline::noisy_bayes::Repair;
use indistinct_paper::baseline::smooth_histogram::{Options, Smoothing};
use indistinct_paper::baseline::{
    BaselineError, Bounds, functional, k_norm, noisy_bayes, posterior_predictive, smooth_histogram,
};
use rand_distr::{Distribution, StandardNormal};

fn normal(random: &mut Generator) -> f64 {
    StandardNormal.sample(random)
}

/// The paper's table, by column.
fn paper(n: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Seed(seed).stream(0);
    let x: Vec<f64> = (0..n).map(|_| 2.0 + 10.0 * normal(&mut random)).collect();
    let y = x.iter().map(|x| -2.5 + 0.5 * x + 3.0 * normal(&mut random)).collect();
    vec![x, y]
}

/// Three dependent columns far from zero and of different scales.
fn three(n: usize) -> Vec<Vec<f64>> {
    let mut random = Seed(9).stream(0);
    let rows: Vec<[f64; 3]> = (0..n)
        .map(|_| {
            let a = 100.0 + 2.0 * normal(&mut random);
            let b = 7.0 + 30.0 * (a - 100.0) + 40.0 * normal(&mut random);
            [a, b, 0.5 - 0.01 * (a - 100.0) + 0.001 * b + 0.05 * normal(&mut random)]
        })
        .collect();
    (0..3).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

fn private(columns: &[Vec<f64>]) -> PrivateRows {
    let columns =
        columns.iter().enumerate().map(|(j, values)| Column::float(&format!("x{j}"), values.clone()));
    PrivateRows::new(&Table::new(columns.collect()).unwrap()).unwrap()
}

fn budget(epsilon: &str, seed: u64) -> Budget {
    Budget::new(epsilon.parse().unwrap(), NonZeroU32::MIN, Randomness::seeded(Seed(seed)))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sd(values: &[f64]) -> f64 {
    let centre = mean(values);
    (values.iter().map(|x| (x - centre).powi(2)).sum::<f64>() / (values.len() - 1) as f64).sqrt()
}

fn four_sd(columns: &[Vec<f64>]) -> Bounds {
    Bounds::symmetric(&columns.iter().map(|column| 4.0 * sd(column)).collect::<Vec<f64>>()).unwrap()
}

/// Least squares by its normal equations, of columns clipped to the bounds.
fn least_squares(columns: &[Vec<f64>], response: usize, bounds: &Bounds) -> Vec<f64> {
    let clip = |(column, &(low, high)): (&Vec<f64>, &(f64, f64))| -> Vec<f64> {
        column.iter().map(|x| x.clamp(low, high)).collect()
    };
    let clipped: Vec<Vec<f64>> = columns.iter().zip(bounds.intervals()).map(clip).collect();
    let means: Vec<f64> = clipped.iter().map(|column| mean(column)).collect();
    let product = |j: usize, k: usize| -> f64 {
        clipped[j].iter().zip(&clipped[k]).map(|(x, y)| (x - means[j]) * (y - means[k])).sum()
    };
    let predictors: Vec<usize> = (0..columns.len()).filter(|&j| j != response).collect();
    let mut gram = Symmetric::zeros(predictors.len());
    for (j, &one) in predictors.iter().enumerate() {
        for (k, &other) in predictors[..=j].iter().enumerate() {
            gram.set(j, k, product(one, other));
        }
    }
    let right: Vec<f64> = predictors.iter().map(|&j| product(j, response)).collect();
    let slopes = indistinct::linear::Cholesky::new(&gram).unwrap().solve(&right);
    let intercept =
        means[response] - slopes.iter().zip(&predictors).map(|(slope, &j)| slope * means[j]).sum::<f64>();
    [vec![intercept], slopes].concat()
}

#[test]
fn the_posterior_is_that_of_least_squares() {
    let columns = three(400);
    let rows = private(&columns);
    let wide = Bounds::symmetric(&[1e6; 3]).unwrap();
    let wanted = least_squares(&columns, 2, &wide);
    let mut budget = budget("1", 1);
    let mut random = Seed(5).stream(0);
    let draws: Vec<Vec<f64>> = (0..4000)
        .map(|_| {
            let model = posterior_predictive::draw(&rows, &mut budget, &mut random).unwrap();
            let last = model.regressions().remove(2);
            [vec![last.intercept], last.slopes, vec![last.sd]].concat()
        })
        .collect();
    let of = |place: usize| -> Vec<f64> { draws.iter().map(|draw| draw[place]).collect() };
    for (place, wanted) in wanted.iter().enumerate() {
        let drawn = of(place);
        assert!((mean(&drawn) - wanted).abs() < 4.0 * sd(&drawn) / 4000f64.sqrt(), "{place}");
    }
    // Known standard errors: of slopes sigma / sqrt(residual sum of squares of the predictor given the other).
    let residual = |response: usize, on: usize| -> f64 {
        let pair = [columns[on].clone(), columns[response].clone()];
        let fit = least_squares(&pair, 1, &Bounds::symmetric(&[1e6; 2]).unwrap());
        let rows = columns[on].iter().zip(&columns[response]);
        rows.map(|(x, y)| (y - fit[0] - fit[1] * x).powi(2)).sum()
    };
    let rss: f64 = (0..400)
        .map(|row| {
            let fitted = wanted[0] + wanted[1] * columns[0][row] + wanted[2] * columns[1][row];
            (columns[2][row] - fitted).powi(2)
        })
        .sum();
    // E sigma^2 = RSS / (n - p - 2), n - p = 397.
    let variance = rss / 395.0;
    let drawn_variance = mean(&of(3).iter().map(|sd| sd * sd).collect::<Vec<f64>>());
    assert!((drawn_variance / variance - 1.0).abs() < 0.01, "{drawn_variance} {variance}");
    for (place, wanted) in [(1, residual(0, 1)), (2, residual(1, 0))] {
        let error = (variance / wanted).sqrt();
        assert!((sd(&of(place)) / error - 1.0).abs() < 0.05, "{place}");
    }
    let Guarantee::None { because } = budget.guarantee() else { panic!("nothing was promised") };
    assert!(because.iter().any(|why| why.contains("without noise")), "{because:?}");
}

#[test]
fn with_much_budget_noisy_bayes_is_the_posterior_of_clipped_rows() {
    for columns in [paper(4000, 1), three(4000)] {
        let rows = private(&columns);
        let bounds =
            Bounds::new(columns.iter().map(|x| (mean(x) - 6.0 * sd(x), mean(x) + 5.0 * sd(x))).collect());
        let bounds = bounds.unwrap();
        for repair in [Repair::Projected, Repair::Floored] {
            let mut budget = budget("100000", 2);
            let random = &mut Seed(5).stream(1);
            let epsilon = budget.total();
            let model = noisy_bayes::draw(&rows, &bounds, repair, &mut budget, epsilon, random).unwrap();
            let last = columns.len() - 1;
            let wanted = least_squares(&columns, last, &bounds);
            let found = &model.regressions()[last];
            for (slope, wanted) in found.slopes.iter().zip(&wanted[1..]) {
                assert!((slope - wanted).abs() < 0.1 * wanted.abs(), "{repair:?}: {slope} for {wanted}");
            }
            assert!((model.location()[0] - mean(&columns[0])).abs() < 5.0 * sd(&columns[0]) / 4000f64.sqrt());
            assert!((model.factor()[0][0] / sd(&columns[0]) - 1.0).abs() < 0.05);
        }
    }
}

#[test]
fn noisy_bayes_is_finite_whatever_the_noise_is() {
    let constant = vec![vec![3.0; 60], vec![-1e300; 60], (0..60).map(f64::from).collect()];
    let (paper, three) = (paper(50, 3), three(50));
    for columns in [&constant, &paper, &three] {
        let rows = private(columns);
        let bounds = Bounds::new(vec![(-1e100, 1.0); columns.len()]).unwrap();
        for repair in [Repair::Projected, Repair::Floored] {
            for epsilon in ["0.000001", "0.01", "1", "100"] {
                let mut budget = budget(epsilon, 4);
                let random = &mut Seed(6).stream(0);
                let all = budget.total();
                let model = noisy_bayes::draw(&rows, &bounds, repair, &mut budget, all, random).unwrap();
                assert!(
                    model.location().iter().chain(model.factor().iter().flatten()).all(|x| x.is_finite())
                );
                assert!((0..columns.len()).all(|j| model.factor()[j][j] > 0.0));
            }
        }
    }
}

#[test]
fn with_much_budget_regressions_are_least_squares_of_clipped_rows() {
    for columns in [paper(3000, 7), three(3000)] {
        let rows = private(&columns);
        let bounds =
            Bounds::new(columns.iter().map(|x| (mean(x) - 2.0 * sd(x), mean(x) + 3.0 * sd(x))).collect());
        let bounds = bounds.unwrap();
        for response in 0..columns.len() {
            let wanted = least_squares(&columns, response, &bounds);
            let all: Epsilon = "1000000".parse().unwrap();
            let functional =
                functional::regression(&rows, response, &bounds, &mut budget("1000000", 1), all).unwrap();
            let cube = k_norm::regression(&rows, response, &bounds, &mut budget("1000000", 1), all).unwrap();
            for (name, found) in [("functional", functional), ("k-norm", cube)] {
                assert_eq!(found.len(), columns.len());
                for (found, wanted) in found.iter().zip(&wanted) {
                    assert!(
                        (found - wanted).abs() < 1e-3 * (1.0 + wanted.abs()),
                        "{name}: {found} for {wanted}"
                    );
                }
            }
        }
    }
}

#[test]
fn k_norm_errs_little_at_epsilon_one_and_the_functional_mechanism_more() {
    let (mut cube, mut bare, mut ridged) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..30 {
        let columns = paper(5000, seed);
        let (rows, bounds) = (private(&columns), four_sd(&columns));
        let wanted = least_squares(&columns, 1, &bounds);
        let one: Epsilon = "1".parse().unwrap();
        let found = k_norm::regression(&rows, 1, &bounds, &mut budget("1", seed), one).unwrap();
        cube.push((found[1] - wanted[1]).abs());
        for (ridge, errors) in [(Ridge::Published, &mut ridged), (Ridge::Absent, &mut bare)] {
            let mut budget = budget("1", seed);
            let found = functional::regression_with(ridge, &rows, 1, &bounds, &mut budget, one).unwrap();
            errors.push(found[1] - wanted[1]);
        }
    }
    assert!(mean(&cube) < 0.02, "{}", mean(&cube));
    let size = |errors: &[f64]| mean(&errors.iter().map(|error| error.abs()).collect::<Vec<f64>>());
    assert!(size(&bare) < 0.06 && size(&bare) > mean(&cube), "{}", size(&bare));
    // Without a ridge the error has either sign; with it the slope is drawn to zero.
    assert!(mean(&bare).abs() < 4.0 * sd(&bare) / 30f64.sqrt());
    assert!(mean(&ridged) < -0.08 && mean(&ridged) > -0.25, "{}", mean(&ridged));
}

#[test]
fn one_column_and_many_columns_will_do() {
    let many: Vec<Vec<f64>> = (0..12).map(|seed| paper(500, seed).remove(0)).collect();
    for columns in [&many[..1], &many] {
        let rows = private(columns);
        let bounds = Bounds::new(vec![(-60.0, 60.0); columns.len()]).unwrap();
        let random = &mut Seed(1).stream(0);
        let all: Epsilon = "1000".parse().unwrap();
        let posterior = posterior_predictive::draw(&rows, &mut budget("1", 1), random).unwrap();
        let mut models = vec![posterior];
        for repair in [Repair::Projected, Repair::Floored] {
            models.push(
                noisy_bayes::draw(&rows, &bounds, repair, &mut budget("1000", 1), all, random).unwrap(),
            );
        }
        for model in models {
            assert_eq!(model.location().len(), columns.len());
            assert!(model.location().iter().all(|mean| (mean - 2.0).abs() < 4.0), "{:?}", model.location());
        }
        let options = Options { bins: 2, smoothing: Smoothing::Printed, rows: 10 };
        let drawn = smooth_histogram::simulate(&rows, &bounds, &options, &mut budget("1000", 1), all, random)
            .unwrap();
        assert!(drawn.len() == columns.len() && drawn.iter().all(|column| column.len() == 10));
    }
}

#[test]
fn regressions_are_finite_whatever_the_noise_is() {
    let constant = vec![vec![3.0; 60], vec![-1e300; 60], (0..60).map(f64::from).collect()];
    let rows = private(&constant);
    let bounds = Bounds::symmetric(&[10.0; 3]).unwrap();
    for epsilon in ["0.000001", "0.01", "1", "100"] {
        for response in 0..3 {
            let all: Epsilon = epsilon.parse().unwrap();
            for found in [
                functional::regression(&rows, response, &bounds, &mut budget(epsilon, 1), all).unwrap(),
                k_norm::regression(&rows, response, &bounds, &mut budget(epsilon, 1), all).unwrap(),
            ] {
                assert!(found.iter().all(|coefficient| coefficient.is_finite()), "{found:?}");
            }
        }
    }
}

#[test]
fn rows_of_a_histogram_lie_in_cells_as_often_as_the_law_says() {
    // 1000 rows in the low half of the first column.
    let columns = vec![vec![-1.0; 1000], (0..1000).map(|k| f64::from(k % 2)).collect()];
    let rows = private(&columns);
    let bounds = Bounds::new(vec![(-2.0, 2.0), (0.0, 1.0)]).unwrap();
    for (smoothing, epsilon, weight) in [
        // A row weighs e^(epsilon / n_s) - 1 cells, or epsilon.
        (Smoothing::Printed, "40", (40.0f64 / 20_000.0).exp_m1()),
        (Smoothing::Matching, "0.002", 0.002),
    ] {
        let options = Options { bins: 4, smoothing, rows: 20_000 };
        let mut budget = budget(epsilon, 3);
        let all = budget.total();
        let random = &mut Seed(1).stream(0);
        let drawn = smooth_histogram::simulate(&rows, &bounds, &options, &mut budget, all, random).unwrap();
        assert!(
            drawn[0].iter().all(|x| (-2.0..=2.0).contains(x))
                && drawn[1].iter().all(|x| (0.0..=1.0).contains(x))
        );
        let lambda = 16.0 / (16.0 + 1000.0 * weight);
        let share = drawn[0].iter().filter(|&&x| (-1.0..0.0).contains(&x)).count() as f64 / 20_000.0;
        let wanted = (1.0 - lambda) + lambda / 4.0;
        assert!((share - wanted).abs() < 4.0 * (0.25f64 / 20_000.0).sqrt(), "{share} for {wanted}");
        // Uniform within the cell.
        let inside: Vec<f64> = drawn[0].iter().copied().filter(|x| (-1.0..0.0).contains(x)).collect();
        assert!((mean(&inside) + 0.5).abs() < 0.02);
        match (smoothing, budget.guarantee()) {
            (_, Guarantee::None { because }) => {
                let said = because.iter().any(|why| why.contains("ln(1 + epsilon)"));
                assert_eq!(said, smoothing == Smoothing::Matching, "{because:?}");
            }
            (_, other) => panic!("a seeded run promised {other:?}"),
        }
    }
}

#[test]
fn guarantees_are_what_the_methods_carry() {
    let columns = paper(200, 1);
    let (rows, bounds) = (private(&columns), four_sd(&columns));
    let fresh = || Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::from_system().unwrap());
    let one: Epsilon = "1".parse().unwrap();
    let random = &mut Seed(1).stream(0);
    let pure = Guarantee::Pure { epsilon: one };
    for repair in [Repair::Projected, Repair::Floored] {
        let mut budget = fresh();
        noisy_bayes::draw(&rows, &bounds, repair, &mut budget, one, random).unwrap();
        assert_eq!(budget.guarantee(), pure);
    }
    for (smoothing, is_pure) in [(Smoothing::Printed, true), (Smoothing::Matching, false)] {
        let (mut budget, options) = (fresh(), Options { bins: 10, smoothing, rows: 100 });
        smooth_histogram::simulate(&rows, &bounds, &options, &mut budget, one, random).unwrap();
        assert_eq!(budget.guarantee() == pure, is_pure);
    }
    let mut budget = fresh();
    functional::regression(&rows, 1, &bounds, &mut budget, one).unwrap();
    assert_eq!(budget.guarantee(), pure);
    let mut budget = fresh();
    k_norm::regression(&rows, 1, &bounds, &mut budget, one).unwrap();
    assert_eq!(budget.guarantee(), pure);
    let mut budget = fresh();
    posterior_predictive::draw(&rows, &mut budget, random).unwrap();
    assert!(matches!(budget.guarantee(), Guarantee::None { .. }));
}

#[test]
fn what_cannot_be_done_is_refused_and_costs_nothing() {
    let columns = paper(100, 1);
    let rows = private(&columns);
    let bounds = four_sd(&columns);
    let one_bound = Bounds::symmetric(&[1.0]).unwrap();
    let mut budget = budget("1", 1);
    let one = budget.total();
    let random = &mut Seed(1).stream(0);
    let wrong = BaselineError::Bounds { bounds: 1, columns: 2 };
    let bayes = |rows: &PrivateRows, bounds: &Bounds, budget: &mut Budget, random: &mut Generator| {
        noisy_bayes::draw(rows, bounds, Repair::Projected, budget, one, random)
    };
    assert_eq!(bayes(&rows, &one_bound, &mut budget, random), Err(wrong.clone()));
    assert_eq!(functional::regression(&rows, 0, &one_bound, &mut budget, one), Err(wrong.clone()));
    assert_eq!(k_norm::regression(&rows, 0, &one_bound, &mut budget, one), Err(wrong.clone()));
    let no_response = BaselineError::Response { response: 2, columns: 2 };
    assert_eq!(functional::regression(&rows, 2, &bounds, &mut budget, one), Err(no_response.clone()));
    assert_eq!(k_norm::regression(&rows, 2, &bounds, &mut budget, one), Err(no_response));
    let single = private(&columns[..1]);
    assert!(k_norm::regression(&single, 0, &one_bound, &mut budget, one).is_err());
    let few = private(&[vec![1.0, 2.0], vec![2.0, 1.0]]);
    assert!(matches!(bayes(&few, &bounds, &mut budget, random), Err(BaselineError::TooFewRows { .. })));
    let mut simulate = |bins, rows_drawn, bounds: &Bounds| {
        let options = Options { bins, smoothing: Smoothing::Printed, rows: rows_drawn };
        smooth_histogram::simulate(&rows, bounds, &options, &mut budget, one, &mut Seed(1).stream(0))
    };
    assert_eq!(simulate(5, 10, &one_bound), Err(wrong));
    assert_eq!(simulate(0, 10, &bounds), Err(BaselineError::NoBins));
    assert_eq!(simulate(5, 0, &bounds), Err(BaselineError::NoRows));
    assert!(matches!(simulate(4097, 10, &bounds), Err(BaselineError::TooManyCells { .. })));
    assert_eq!(budget.spent(), Epsilon::ZERO, "a refusal costs nothing");
    assert!(matches!(
        noisy_bayes::draw(&rows, &bounds, Repair::Floored, &mut budget, "2".parse().unwrap(), random),
        Err(BaselineError::Sampler(_))
    ));
    let constant = private(&[vec![1.0; 20], (0..20).map(f64::from).collect()]);
    assert_eq!(posterior_predictive::draw(&constant, &mut budget, random), Err(BaselineError::Determined(0)));
    let twice = private(&[(0..20).map(f64::from).collect(), (0..20).map(|k| f64::from(2 * k + 1)).collect()]);
    assert_eq!(posterior_predictive::draw(&twice, &mut budget, random), Err(BaselineError::Determined(1)));
}
