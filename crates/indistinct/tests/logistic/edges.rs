//! Separable tables, columns that say nothing, and models that are too large.

use std::time::{Duration, Instant};

use indistinct::discriminator::Stacked;
use indistinct::discriminator::logistic::{Design, Logistic, LogisticError, Options, fit};
use indistinct::random::Seed;
use indistinct::table::{Column, MISSING_CODE, Table};

use super::{normals, stack};

/// Options with all pairwise interactions.
fn pairs() -> Options {
    Options::default().with(|options| options.interactions = true)
}

fn plain(stacked: &Stacked) -> Logistic {
    fit(stacked, &Options::default()).unwrap()
}

fn names(fit: &Logistic) -> Vec<&str> {
    fit.coefficients.iter().map(|coefficient| coefficient.name.as_str()).collect()
}

#[test]
fn perfect_separation_is_nearly_a_quarter() {
    for rows in [4, 100, 5000] {
        // A gap of one unit between the tables, and none but the spacing of the values.
        for gap in [1.0, 1.0 / rows as f64] {
            let half = rows / 2;
            let value = |row: usize| {
                if row < half { row as f64 / half as f64 } else { row as f64 / half as f64 + gap }
            };
            let found = plain(&stack(vec![Column::float("x", (0..rows).map(value).collect())], half));
            assert!(found.ridge.is_some_and(|penalty| penalty <= 1e-6), "{rows} {gap}");
            assert!(found.converged, "{rows} {gap}");
            let pmse = found.distinguishability().pmse;
            assert!(0.25 - pmse < 1e-4 && pmse <= 0.25, "{rows} {gap}: {pmse} {}", found.iterations);
            assert!(found.scores[..half].iter().all(|&score| score < 0.5));
            assert!(found.scores[half..].iter().all(|&score| score > 0.5));
        }
    }
}

#[test]
fn a_level_of_one_table_alone_is_recognised_and_the_rest_left_as_it_was() {
    // Level c occurs in the real table only; where it does not, the scores are the shares in each level.
    let codes = [vec![0; 10], vec![1; 20], vec![2; 10], vec![0; 30], vec![1; 10]].concat();
    let found = plain(&stack(vec![Column::nominal("g", &["a", "b", "c"], codes)], 40));
    assert_eq!(found.ridge, Some(1e-6));
    assert!(found.converged);
    for (row, wanted, tolerance) in
        [(0, 0.75, 1e-5), (10, 1.0 / 3.0, 1e-5), (30, 0.0, 3e-5), (79, 1.0 / 3.0, 1e-5)]
    {
        assert!((found.scores[row] - wanted).abs() < tolerance, "{row}: {}", found.scores[row]);
    }
}

#[test]
fn a_single_row_that_stands_apart_is_noticed_in_a_large_table() {
    // R's deviance settles here with a score of 1e-4 or so, without a warning.
    let rows = 20_000;
    let mut codes: Vec<u32> = (0..rows).map(|row| row % 2).collect();
    codes[3] = 2;
    let x = normals(rows as usize, &mut Seed(2).stream(0));
    let columns = vec![Column::nominal("g", &["a", "b", "c"], codes), Column::float("x", x)];
    let found = plain(&stack(columns, rows as usize / 2));
    assert_eq!((found.ridge, found.converged), (Some(1e-6), true));
    assert!(found.scores[3] < 2e-5, "{}", found.scores[3]);
    assert!(found.scores.iter().enumerate().all(|(row, score)| row == 3 || (score - 0.5).abs() < 0.05));
}

#[test]
fn columns_without_information_are_dropped() {
    let x = vec![1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 4.0, 5.0];
    let columns = vec![
        Column::float("constant", vec![0.1; 8]),
        Column::float("absent", vec![f64::NAN; 8]),
        Column::nominal("one", &["a", "b"], vec![1; 8]),
        Column::nominal("none", &["a", "b"], vec![MISSING_CODE; 8]),
        Column::float("x", x.clone()),
        Column::float("again", x.iter().map(|x| 3.0 - 2.0 * x).collect()),
    ];
    let found = plain(&stack(columns.clone(), 4));
    assert_eq!(names(&found), ["(intercept)", "x"]);
    let alone = plain(&stack(vec![Column::float("x", x)], 4));
    for (with, without) in found.scores.iter().zip(&alone.scores) {
        assert!((with - without).abs() < 1e-12);
    }
    // With interactions x squared comes in, as x:again.
    let found = fit(&stack(columns.clone(), 4), &pairs()).unwrap();
    assert_eq!(names(&found), ["(intercept)", "x", "x:again"]);

    let nothing = plain(&stack(columns[..4].to_vec(), 2));
    assert_eq!((nothing.k(), nothing.converged, nothing.ridge), (1, true, None));
    assert!(nothing.scores.iter().all(|score| (score - 0.75).abs() < 1e-8));
    assert!(nothing.distinguishability().pmse_centred < 1e-15);
}

#[test]
fn terms_are_named_and_missing_values_marked() {
    let mut generator = Seed(3).stream(0);
    let mut age = normals(200, &mut generator);
    age[7] = f64::NAN;
    age[150] = f64::NAN;
    age[151] = f64::NAN;
    let mut sex: Vec<u32> = (0..200).map(|row| row % 2).collect();
    for row in [5, 15, 26, 120, 131, 180] {
        sex[row] = MISSING_CODE;
    }
    let stacked = stack(vec![Column::float("age", age), Column::nominal("sex", &["F", "M"], sex)], 100);
    let found = plain(&stacked);
    assert_eq!(names(&found), ["(intercept)", "age", "age missing", "sex=M", "sex missing"]);
    // The score of a missing age is the share of synthetic rows among those, given the sexes.
    let mean = (found.scores[7] + found.scores[150] + found.scores[151]) / 3.0;
    assert!((mean - 2.0 / 3.0).abs() < 1e-6);
    let spelled =
        found.coefficients[3].term.name(stacked.names(), &|_, code| ["F", "M"][code as usize].to_owned());
    assert_eq!(spelled, "sex=M");
    let pairs = Design::new(&stacked, &pairs()).unwrap();
    assert_eq!(pairs.coefficients() + pairs.aliased().len(), 9);
}

#[test]
fn more_columns_than_rows() {
    let mut generator = Seed(4).stream(0);
    let columns = (0..30).map(|number| Column::float(&format!("x{number}"), normals(12, &mut generator)));
    let found = plain(&stack(columns.collect(), 5));
    assert_eq!((found.k(), found.aliased.len()), (12, 19));
    assert!(found.ridge.is_some() && found.converged);
    assert!(0.25 - found.distinguishability().pmse < 1e-4);
}

#[test]
fn an_outlier_on_a_finite_slope_keeps_its_scores() {
    let mut generator = Seed(5).stream(0);
    let mut x = normals(400, &mut generator);
    x[200..].iter_mut().for_each(|x| *x += 1.0);
    let without = plain(&stack(vec![Column::float("x", x.clone())], 200));
    assert_eq!(without.ridge, None);
    x.push(60.0);
    let with = plain(&stack(vec![Column::float("x", x)], 200));
    assert_eq!((with.ridge, with.converged), (None, true));
    assert!(with.scores[400] > 1.0 - 1e-8);
    assert!(with.scores.iter().zip(&without.scores).all(|(a, b)| (a - b).abs() < 0.01));
}

#[test]
fn heavy_tails_do_not_hide_a_separation() {
    // Most values lie within a thousandth of a standard deviation: the slope needed is far beyond 1000.
    let x = (0..100).map(|row| (f64::from(row) / 10.0).exp()).collect();
    let found = plain(&stack(vec![Column::float("x", x)], 20));
    assert!(found.ridge.is_some_and(|penalty| penalty < 1e-7) && found.converged);
    assert!(0.25 - found.distinguishability().pmse < 1e-3);
}

#[test]
fn values_of_any_size() {
    let base: Vec<f64> = vec![1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 4.0, 5.0];
    let wanted = plain(&stack(vec![Column::float("x", base.clone())], 4)).scores;
    for size in [1e-300, 1e300, 1e15] {
        let x = base.iter().map(|x| x * size).collect();
        let found = plain(&stack(vec![Column::float("x", x)], 4));
        assert!(found.scores.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{size}");
    }
}

#[test]
fn too_many_columns_fail_fast() {
    let levels: Vec<String> = (0..900).map(|level| level.to_string()).collect();
    let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
    let codes: Vec<u32> = (0..1800).map(|row| row % 900).collect();
    let column = |name: &str| Column::nominal(name, &levels, codes.clone());
    let one = Table::new(vec![column("a"), column("b"), column("c")]).unwrap();
    let stacked = Stacked::new(&one, &one).unwrap();
    let before = Instant::now();
    let error = fit(&stacked, &pairs()).unwrap_err();
    let columns = 1 + 3 * 899 + 3 * 899 * 899;
    assert_eq!(error, LogisticError::TooManyColumns { columns, limit: 1000, interactions: true });
    assert_eq!(
        error.to_string(),
        "the logistic model would have 2427301 columns; at most 1000 are allowed: drop interactions"
    );
    let error = fit(&stacked, &Options::default()).unwrap_err().to_string();
    assert!(error.ends_with("drop columns with many levels, or merge levels"), "{error}");
    assert!(before.elapsed() < Duration::from_secs(1));
}

#[test]
fn labels_are_checked() {
    let stacked = stack(vec![Column::float("x", vec![1.0, 2.0, 3.0, 4.0])], 2);
    let design = Design::new(&stacked, &Options::default()).unwrap();
    assert_eq!(design.fit(&[true]), Err(LogisticError::Labels { labels: 1, rows: 4 }));
    assert_eq!(design.fit(&[true; 4]), Err(LogisticError::OneKind));
    // Labels need not be in stacked order: permutations are fitted this way.
    let swapped = design.fit(&[true, false, true, false]).unwrap();
    assert_eq!(swapped.synthetic_share, 0.5);
}
