use rand::RngExt;

use super::*;
use crate::table::{Column, ColumnSchema, ColumnType, Table, Values};

#[derive(Debug, PartialEq)]
enum Ended {
    Refused(PredictError),
    Stopped,
}

impl From<PredictError> for Ended {
    fn from(error: PredictError) -> Self {
        Self::Refused(error)
    }
}

fn predicted(
    real: &Table,
    synthetic: &Table,
    column: &str,
    declared_number: bool,
) -> Result<Prediction, Ended> {
    let stacked = Stacked::new(real, synthetic).unwrap();
    let options = PredictOptions::of(column).with(|options| options.declared_number = declared_number);
    predict(&stacked, &options, Seed(1), || Ok(()))
}

/// A number that depends on x and a level that depends on x and y together; or on nothing, if they are not
/// `tied`.
fn table(rows: usize, seed: u64, tied: bool) -> Table {
    let mut random = Seed(seed).stream(0);
    let mut draw = || (0..rows).map(|_| random.random_range(0.0..1.0)).collect::<Vec<f64>>();
    let (x, y, other_x, other_y, other) = (draw(), draw(), draw(), draw(), draw());
    let (by_x, by_y, of_number) = if tied { (&x, &y, &x) } else { (&other_x, &other_y, &other) };
    let level = by_x.iter().zip(by_y).map(|(x, y)| u32::from(*x > 0.5) + 2 * u32::from(*y > 0.5)).collect();
    let number = of_number.iter().map(|x| 5.0 * x * x).collect();
    Table::new(vec![
        Column::float("number", number),
        Column::nominal("level", &["a", "b", "c", "d"], level),
        Column::float("x", x),
        Column::float("y", y),
    ])
    .unwrap()
}

#[test]
fn forests_learn_from_good_synthetic_rows_only() {
    let real = table(900, 1, true);
    for (column, metric, chance) in [("level", Metric::Accuracy, 0.25), ("number", Metric::R2, 0.0)] {
        let good = predicted(&real, &table(900, 2, true), column, true).unwrap();
        assert_eq!((good.metric, good.test_rows), (metric, 300));
        assert!(good.real > 0.9 && good.synthetic > 0.9, "{good:?}");
        let bad = predicted(&real, &table(900, 3, false), column, true).unwrap();
        assert_eq!(bad.real, good.real);
        assert!(bad.synthetic < chance + 0.15, "{bad:?}");
    }
}

#[test]
fn few_whole_numbers_are_classes_unless_a_schema_says_otherwise() {
    let coded = |seed| {
        let table = table(300, seed, true);
        let x = table.column("x").unwrap().values().to_reals();
        let code = x.iter().map(|x| (x * 4.0).floor() + 1.0).collect();
        Table::new(vec![Column::float("code", code), table.column("x").unwrap().clone()]).unwrap()
    };
    let found = |declared| predicted(&coded(1), &coded(2), "code", declared).unwrap();
    assert_eq!(found(false).metric, Metric::Accuracy);
    assert_eq!(found(true).metric, Metric::R2);
    assert!(found(false).synthetic > 0.95);
    let halves = |seed| {
        let table = coded(seed);
        let code = table.columns()[0].values().to_reals().iter().map(|code| code / 2.0).collect();
        Table::new(vec![Column::float("code", code), table.columns()[1].clone()]).unwrap()
    };
    assert_eq!(predicted(&halves(1), &halves(2), "code", false).unwrap().metric, Metric::R2);
    // Ordered levels are classes however many there are, declared or not.
    let ordered = |seed| {
        let levels: Vec<String> = (0..12).map(|level| format!("level {level}")).collect();
        let schema = ColumnSchema::new("code", ColumnType::Ordered { levels: levels.into() });
        let x = coded(seed).columns()[1].clone();
        let codes = x.values().to_reals().iter().map(|x| (x * 12.0) as u32).collect();
        Table::new(vec![Column::new(schema, Values::Code(codes)), x]).unwrap()
    };
    assert_eq!(predicted(&ordered(1), &ordered(2), "code", true).unwrap().metric, Metric::Accuracy);
}

#[test]
fn predictions_depend_on_the_seed_and_not_on_threads() {
    let stacked = Stacked::new(&table(200, 1, true), &table(200, 2, true)).unwrap();
    let options = PredictOptions::of("number").with(|options| options.declared_number = true);
    let with = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| predict::<Ended>(&stacked, &options, Seed(seed), || Ok(())).unwrap())
    };
    assert_eq!(with(1, 1), with(4, 1));
    assert_ne!(with(1, 1), with(1, 2));
}

#[test]
fn columns_that_cannot_be_predicted_are_refused() {
    let real = table(60, 1, true);
    let refused = |real: &Table, synthetic: &Table, column: &str| {
        let Err(Ended::Refused(error)) = predicted(real, synthetic, column, true) else { panic!() };
        assert!(!error.advice().to_string().is_empty());
        error.to_string()
    };
    assert_eq!(refused(&real, &real, "income"), "the tables have no column `income` to predict");
    let alone = Table::new(vec![real.columns()[0].clone()]).unwrap();
    assert!(refused(&alone, &alone, "number").contains("nothing to predict it from"));
    let with = |values: Vec<f64>| {
        Table::new(vec![Column::float("v", values), real.column("x").unwrap().clone()]).unwrap()
    };
    let varied = with((0..60).map(f64::from).collect());
    let missing = with(vec![f64::NAN; 60]);
    assert!(refused(&missing, &varied, "v").contains("missing in every row of the real table"));
    assert!(refused(&varied, &missing, "v").contains("missing in every row of the synthetic table"));
    assert!(refused(&with(vec![7.0; 60]), &varied, "v").contains("the same value in all real rows"));
    let few = with((0..60).map(|row| if row < 29 { f64::from(row) } else { f64::NAN }).collect());
    assert_eq!(
        refused(&few, &varied, "v"),
        "column `v` has a value in 29 rows of the real table; at least 30 are needed to predict it"
    );
    let short = |rows: &[u32]| varied.take(rows);
    assert!(refused(&varied, &short(&[0; 19]), "v").contains("19 rows of the synthetic table; at least 20"));
    // A synthetic column of one value is no error: it teaches nothing, and that is the answer.
    let found = predicted(&varied, &with(vec![7.0; 60]), "v", true).unwrap();
    assert!(found.synthetic <= 0.0, "{found:?}");
}

#[test]
fn work_ends_when_it_is_no_longer_wanted() {
    let stacked = Stacked::new(&table(60, 1, true), &table(60, 2, true)).unwrap();
    let options = PredictOptions::of("level");
    assert_eq!(predict(&stacked, &options, Seed(1), || Err(Ended::Stopped)), Err(Ended::Stopped));
}
