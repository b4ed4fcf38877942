//! Coverage of 95 % intervals on releases of the model for tables of any columns, of the paper's pair of columns.
//!
//! One draw has noise that no rule knows: intervals by `raab` are far too narrow, which is why `combine` gives none.
//! Several draws show their noise.

use super::common::paper;
use indistinct::Terms;
use indistinct::combine::{Formula, Ols, Rule, Target, combine, fit};
use indistinct::mixed::{MixedError, release};
use indistinct::privacy::{Epsilon, Randomness};
use indistinct::private::PrivateTable;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::synthesis::{Model, simulate, synthetic_table};
use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table, Values};

const TRUTH: [f64; 2] = [-2.5, 0.5];

fn options(epsilon: f64, draws: u32) -> Terms {
    Terms::of(Epsilon::from_f64(epsilon).unwrap()).with(|terms| terms.draws = draws)
}

/// Shares of simulations in which the intervals for intercept and slope held the truth.
fn covered(simulations: u64, n: usize, epsilon: f64, draws: u32) -> [f64; 2] {
    let population = paper();
    let columns = ["x1", "x2"].map(|name| ColumnSchema::new(name, ColumnType::Float));
    let schema = Schema::new(Vec::new(), columns.to_vec()).unwrap();
    let formula = Formula::parse("x2 ~ x1").unwrap();
    let rule = match draws {
        1 => Rule::Raab { n },
        _ => Rule::PrivateDraws { n, draws: draws as usize, loss: None },
    };
    let plan = options(epsilon, draws).plan_mixed(n, &schema).unwrap();
    let mut hits = [0.0; 2];
    for simulation in 0..simulations {
        let random = &mut Seed(31).stream(simulation);
        let original = simulate(&population, n, random);
        let typed = columns.iter().cloned().zip(original);
        let real = Table::new(typed.map(|(schema, x)| Column::new(schema, Values::Float(x))).collect());
        let real = real.unwrap();
        let randomness = Randomness::seeded(Seed(simulation));
        let released = release(&PrivateTable::new(real.clone()), &plan, randomness, &Silent).unwrap();
        let fits: Vec<Ols> = released
            .models
            .into_iter()
            .map(|model| {
                let table = synthetic_table(&Model::Mixed(model), &schema, None, n, random, &Silent);
                fit(&table.unwrap(), &formula).unwrap()
            })
            .collect();
        let found = combine(&fits, &rule, Target::Population, 0.95).unwrap();
        for (hits, (coefficient, truth)) in hits.iter_mut().zip(found.coefficients.iter().zip(TRUTH)) {
            if (coefficient.low..=coefficient.high).contains(&truth) {
                *hits += 1.0 / simulations as f64;
            }
        }
    }
    hits
}

#[test]
fn one_draw_has_no_usable_intervals_and_those_of_several_are_better() {
    let one = covered(24, 2000, 1.0, 1);
    assert!(one.iter().any(|share| *share < 0.75), "{one:?}");
    let several = covered(24, 2000, 10.0, 5);
    // Not what they should hold: the slope of so strong a dependence is a little too small in every draw.
    assert!(several.iter().all(|share| *share > 0.4) && several[0] > 0.79, "{several:?}");
}

#[test]
#[ignore = "takes minutes"]
fn coverage_of_mixed_releases() {
    for (epsilon, draws, simulations) in [(4.0, 1, 60), (5.0, 5, 40), (1.0, 1, 100)] {
        let n = 5000;
        let [intercept, slope] = covered(simulations, n, epsilon, draws);
        println!("| {n} | {epsilon} | {draws} | {intercept:.2} | {slope:.2} |");
    }
}

/// Of so many single draws with a part of what each of several must have at least: how many had the middle half of a column
/// stretched or shrunk by a factor of 2.5 or more, and how many the slope off by half of itself or more. With n = 2000.
fn astray(simulations: u64, part: f64) -> [usize; 2] {
    let population = paper();
    // Without limits, a single draw with so little is refused as well.
    let declared = |name| ColumnSchema::new(name, ColumnType::Float).with_limits(Some(-100.0), Some(100.0));
    let columns = ["x1", "x2"].map(declared);
    let schema = Schema::new(Vec::new(), columns.to_vec()).unwrap();
    let Err(MixedError::StarvedDraws { epsilon, .. }) = options(0.2, 2).plan_mixed(2000, &schema) else {
        panic!("a refusal")
    };
    let plan = options(epsilon / 2.0 * part, 1).plan_mixed(2000, &schema).unwrap();
    let middle = |table: &Table, column: usize| {
        let Values::Float(values) = table.columns()[column].values() else { panic!("numbers") };
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() * 3 / 4] - sorted[sorted.len() / 4]
    };
    let (mut scales, mut slopes) = (0, 0);
    for simulation in 0..simulations {
        let random = &mut Seed(32).stream(simulation);
        let typed = columns.iter().cloned().zip(simulate(&population, 2000, random));
        let real = Table::new(typed.map(|(schema, x)| Column::new(schema, Values::Float(x))).collect());
        let real = real.unwrap();
        let randomness = Randomness::seeded(Seed(simulation));
        let released = release(&PrivateTable::new(real.clone()), &plan, randomness, &Silent).unwrap();
        let model = Model::Mixed(released.models[0].clone());
        let table = synthetic_table(&model, &schema, None, 2000, random, &Silent).unwrap();
        let ratio = |column: usize| middle(&table, column) / middle(&real, column);
        scales += usize::from((0..2).any(|column| !(0.4..2.5).contains(&ratio(column))));
        let slope = fit(&table, &Formula::parse("x2 ~ x1").unwrap()).unwrap().coefficients()[1];
        slopes += usize::from((slope - TRUTH[1]).abs() >= TRUTH[1] / 2.0);
    }
    [scales, slopes]
}

#[test]
fn draws_that_are_refused_would_be_noise() {
    let [enough, less] = [1.0, 0.3].map(|part| astray(16, part));
    assert!(enough[0] <= 2 && enough[1] <= 8, "{enough:?}");
    assert!(less[1] >= 12, "{less:?}");
}

#[test]
#[ignore = "takes minutes"]
fn draws_at_the_limit() {
    for part in [0.3, 0.5, 0.7, 1.0, 3.0] {
        let [scales, slopes] = astray(80, part);
        println!(
            "{part} of what is asked for: scale of a column astray in {scales} of 80, slope in {slopes}"
        );
    }
}
