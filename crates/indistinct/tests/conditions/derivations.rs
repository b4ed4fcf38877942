//! Derived columns: every construct on a full row and on a row of missing values, and rules that see them.

use indistinct::table::{ColumnSchema, ColumnType, Condition, Derive, LookupValue, Schema, Table, Values};
use proptest::prelude::*;

use super::{levels, schema, table};

/// The usual schema with more columns.
pub(crate) fn with(columns: Vec<ColumnSchema>) -> Result<Schema, indistinct::table::SchemaError> {
    let usual = schema();
    let missing = vec!["NA".to_owned()];
    Schema::new(missing, [usual.columns(), &columns].concat())
}

pub(crate) fn derived(name: &str, kind: ColumnType, expression: &str) -> ColumnSchema {
    let derive = Derive { expression: expression.to_owned(), ..Derive::default() };
    ColumnSchema::new(name, kind).with_derive(Some(derive))
}

pub(crate) fn ordered(names: &[&str]) -> ColumnType {
    ColumnType::Ordered { levels: levels(names) }
}

pub(crate) fn boolean() -> ColumnType {
    ColumnType::Boolean { when_false: "0".to_owned(), when_true: "1".to_owned() }
}

pub(crate) fn iso() -> ColumnType {
    ColumnType::Date { format: "%Y-%m-%d".to_owned() }
}

/// What a derived column is in the two rows; none where missing.
fn values(column: ColumnSchema) -> [Option<f64>; 2] {
    let name = column.name().to_owned();
    let shown = format!("{column:?}");
    let schema = with(vec![column]).unwrap_or_else(|error| panic!("{shown}: {error}"));
    let table = schema.with_derived(table());
    assert_eq!(table.columns().len(), schema.columns().len() - 1, "all but the identifier");
    let reals = table.column(&name).unwrap().values().to_reals();
    [reals[0], reals[1]].map(|value| (!value.is_nan()).then_some(value))
}

#[test]
fn numbers() {
    for (expression, full, missing) in [
        ("x * x", Some(2.25), None),
        ("x ^ 2", Some(2.25), None),
        ("-x ^ 2", Some(-2.25), None),
        ("(-x) ^ 2", Some(2.25), None),
        ("2 ^ -1 ^ 2", Some(0.5), Some(0.5)),
        ("x - y - 1", Some(2.5), None),
        ("12 / 2 / 3", Some(2.0), Some(2.0)),
        ("12 / 2 * 3", Some(18.0), Some(18.0)),
        ("age / (x * 2) ^ 2", Some(61.0 / 9.0), None),
        ("x / (y + 2)", None, None),
        ("0 / 0", None, None),
        ("sqrt(y)", None, None),
        ("log(x - 1.5)", None, None),
        ("exp(1000 * x)", None, None),
        ("x * 1e308 * 1e308", None, None),
        ("round(2.345 * x, 1)", Some(3.5), None),
        ("round(-2.5)", Some(-3.0), Some(-3.0)),
        ("floor(y / 3) + ceil(y / 3)", Some(-1.0), None),
        ("abs(y)", Some(2.0), None),
        ("min(x, y, age)", Some(-2.0), None),
        ("max(x, y, 3)", Some(3.0), None),
        ("log(exp(0)) + sqrt(16)", Some(4.0), Some(4.0)),
        ("died - born", Some(30.0), None),
        ("seen - born", Some(16.0 / 24.0), None),
        ("year(born) * 100 + month(seen)", Some(200_102.0), None),
        ("if age > 60 then x else y", Some(1.5), None),
        ("if age > 61 then x else if sex == 'M' then 0 else y", Some(-2.0), None),
        ("if x is missing then 0 else x", Some(1.5), Some(0.0)),
        ("if age > 60 then missing else 1", None, None),
        ("2 * (if smoker then 1 else 0) + 1", Some(3.0), None),
        ("-0 * x", Some(0.0), None),
        ("`odd name` * 2", Some(14.0), None),
    ] {
        assert_eq!(values(derived("z", ColumnType::Float, expression)), [full, missing], "{expression}");
    }
}

#[test]
fn results_are_what_the_column_holds() {
    let rounded = derived("z", ColumnType::Float, "age / 7").with_decimals(Some(2));
    assert_eq!(values(rounded), [Some(8.71), None]);
    assert_eq!(values(derived("z", ColumnType::Integer, "age * age - 2")), [Some(3719.0), None]);
    assert_eq!(values(derived("z", ColumnType::Integer, "age ^ 12")), [None, None], "beyond whole doubles");
    let far = derived("z", iso(), "born + 1000000000");
    assert_eq!(values(far), [None, None], "no such date");
}

#[test]
fn levels_truths_and_dates() {
    let groups = || ordered(&["child", "adult", "old"]);
    let text = |expression: &str| derived("z", groups(), expression);
    for (column, full, missing) in [
        (text("cut(age, 18, 65)"), Some(1.0), None),
        // A cut point belongs to the class above it.
        (text("cut(age, 18, 61)"), Some(2.0), None),
        (text("cut(age, 62, 63)"), Some(0.0), None),
        (text("cut(born, '2001-02-03', '2002-01-01')"), Some(1.0), None),
        (text("if age < 18 then 'child' else 'old'"), Some(2.0), None),
        (text("if age is missing then 'adult' else cut(age, 1, 2)"), Some(2.0), Some(1.0)),
        (derived("z", ordered(&["no", "F", "M"]), "sex"), Some(1.0), None),
        (derived("z", ordered(&["other", "F", "M"]), "if x > 1 then partner else sex"), Some(1.0), None),
        (derived("z", ordered(&["1", "2"]), "if x > 1 then 2 else 1"), Some(1.0), None),
        (derived("z", boolean(), "age >= 18 and sex == 'F'"), Some(1.0), None),
        (derived("z", boolean(), "x > 100 or x is missing"), Some(0.0), Some(1.0)),
        (derived("z", boolean(), "age > 18 or true"), Some(1.0), Some(1.0)),
        (derived("z", boolean(), "not smoker"), Some(0.0), None),
        (derived("z", boolean(), "smoker"), Some(1.0), None),
        (derived("z", boolean(), "if x > 1 then age > 70 else false"), Some(0.0), None),
        (derived("z", iso(), "born + 30"), Some(11_386.0), None),
        (derived("z", iso(), "max(born, died)"), Some(11_386.0), None),
        (derived("z", iso(), "if smoker then '1970-01-02' else born"), Some(1.0), None),
    ] {
        let shown = format!("{:?}", column.derive());
        assert_eq!(values(column), [full, missing], "{shown}");
    }
    let moment = ColumnType::DateTime { format: "%Y-%m-%dT%H:%M:%S".to_owned() };
    assert_eq!(values(derived("z", moment, "born + 0.5")), [Some((11_356.0 + 0.5) * 86_400e6), None]);
}

fn lookup(entries: &[(&str, LookupValue)]) -> Derive {
    let lookup = entries.iter().map(|(level, value)| ((*level).to_owned(), value.clone())).collect();
    Derive { expression: "lookup(grade)".to_owned(), lookup }
}

#[test]
fn lookups() {
    let number = |number: f64| LookupValue::Number(number);
    let text = |text: &str| LookupValue::Text(text.to_owned());
    let of = |kind: ColumnType, entries: &[(&str, LookupValue)]| {
        values(ColumnSchema::new("z", kind).with_derive(Some(lookup(entries))))
    };
    let numbers = [("low", number(1.5)), ("middle", number(-2.0)), ("high", text("NA"))];
    assert_eq!(of(ColumnType::Float, &numbers), [Some(-2.0), None]);
    let texts = [("low", text("a")), ("middle", text("b")), ("high", text("b"))];
    assert_eq!(of(ordered(&["a", "b"]), &texts), [Some(1.0), None]);
    let missing = [("low", text("a")), ("middle", text("NA")), ("high", text("b"))];
    assert_eq!(of(ordered(&["a", "b"]), &missing), [None, None]);
    let truths = ["low", "middle", "high"].map(|level| (level, LookupValue::Truth(level != "low")));
    assert_eq!(of(boolean(), &truths), [Some(1.0), None]);
    let days = ["low", "middle", "high"].map(|level| (level, text("1970-01-03")));
    assert_eq!(of(iso(), &days), [Some(2.0), None]);
}

#[test]
fn derived_columns_stand_where_they_are_declared_and_build_on_each_other() {
    let usual = schema();
    let columns = [
        &[derived("c", ColumnType::Float, "b + 1"), derived("b", ColumnType::Float, "x * 2")][..],
        usual.columns(),
    ]
    .concat();
    let schema = Schema::new(vec![], columns).unwrap();
    let whole = schema.with_derived(table());
    let names: Vec<&str> = whole.columns().iter().map(indistinct::table::Column::name).collect();
    assert_eq!(&names[..4], ["c", "b", "x", "y"]);
    assert_eq!(whole.columns()[0].values().to_reals()[0], 4.0);
    let measured = schema.measured().unwrap();
    assert_eq!(measured.columns(), &usual.columns()[..14]);
    // What is there stays as it is.
    let wrong = with(vec![derived("b", ColumnType::Float, "x * 2")]).unwrap();
    let own = indistinct::table::Column::new(wrong.columns()[15].clone(), Values::Float(vec![7.0, 8.0]));
    let mut columns = table().columns().to_vec();
    columns.push(own);
    let kept = wrong.with_derived(Table::new(columns).unwrap());
    assert_eq!(kept.column("b").unwrap().values(), &Values::Float(vec![7.0, 8.0]));
}

#[test]
fn rules_on_derived_columns_become_rules_on_what_is_measured() {
    let columns = vec![
        derived("group", ordered(&["young", "old"]), "cut(age, 50)"),
        derived("double", ColumnType::Float, "x * 2").with_decimals(Some(1)),
        derived("quadruple", ColumnType::Float, "double * 2"),
    ];
    let schema = with(columns).unwrap();
    let rules = [
        ("group == 'old' when x > 0", vec![2, 0]),
        ("quadruple > 5 and double < age", vec![0, 2]),
        ("quadruple is missing or double is not missing", vec![0]),
        ("group == 'young' or y > quadruple", vec![2, 1, 0]),
    ];
    let schema = schema.with_constraints(rules.iter().map(|(rule, _)| (*rule, None))).unwrap();
    let whole = schema.with_derived(table());
    let measured = schema.measured().unwrap();
    assert!(measured.columns().iter().all(ColumnSchema::is_measured));
    for ((own, moved), (rule, columns)) in schema.constraints().iter().zip(measured.constraints()).zip(&rules)
    {
        assert_eq!(own.condition().holds(&whole), moved.condition().holds(&table()), "{rule}");
        let mut used = moved.condition().columns();
        used.sort_unstable();
        let mut expected = columns.clone();
        expected.sort_unstable();
        assert_eq!(used, expected, "{rule}");
    }
    let filter = Condition::parse("double > 2.9 and sex == 'F'", &schema).unwrap();
    assert_eq!(schema.measured_condition(&filter).holds(&table()), filter.holds(&whole));
}

#[test]
fn rules_that_decide_a_column_are_found() {
    let schema = with(vec![derived("z", ColumnType::Float, "x * 2")]).unwrap();
    for (rule, column) in [
        ("x == y * age", Some("x")),
        ("y * age == x", Some("x")),
        ("x == y", Some("x")),
        ("age > 3 and x == 2 * y", Some("x")),
        ("died == born + 30", Some("died")),
        ("x == z + y", None),
        ("z == y", Some("y")),
        ("x == 3", None),
        ("x == 2 * y when age > 3", None),
        ("sex == partner", None),
        ("x == x * y", None),
        ("x <= y", None),
    ] {
        let found = schema.clone().with_constraint(rule, None).unwrap().decided_column();
        assert_eq!(found.map(|found| found.column).as_deref(), column, "{rule}");
    }
}

#[test]
fn many_columns_that_build_on_each_other_do_not_grow() {
    let step = |number: usize| {
        let before = if number == 0 { "x".to_owned() } else { format!("d{}", number - 1) };
        derived(&format!("d{number}"), ColumnType::Float, &format!("{before} + {before} - {before}"))
    };
    let schema = with((0..200).map(step).collect()).unwrap();
    let schema = schema.with_constraint("d199 > 1", None).unwrap();
    let measured = schema.measured().unwrap();
    assert_eq!(measured.constraints()[0].condition().holds(&table()), [Some(true), None]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// No expression makes anything panic, and rules on the result see what the column has.
    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(vec![
        "x", "y", "age", "sex", "grade", "smoker", "born", "seen", "1", "2.5", "'F'", "'2001-02-03'", "+", "-", "*", "/",
        "^", "(", ")", ",", "if", "then", "else", "missing", "is", "and", "not", "<", "==", "round(", "cut(", "min(",
        "year(", "log(", "true",
    ]), 1..12), kind in 0..5) {
        let kind = match kind {
            0 => ColumnType::Float,
            1 => ColumnType::Integer,
            2 => boolean(),
            3 => ordered(&["F", "M"]),
            _ => iso(),
        };
        let text = words.join(" ");
        match with(vec![derived("z", kind, &text)]) {
            Ok(schema) => {
                let whole = schema.with_derived(table());
                let filter = Condition::parse("z is missing", &schema).unwrap();
                prop_assert_eq!(schema.measured_condition(&filter).holds(&table()), filter.holds(&whole));
            }
            Err(indistinct::table::SchemaError::Derivation { error, .. }) => {
                prop_assert!(error.position() <= text.chars().count() + 1);
                prop_assert!(!error.what().is_empty() && !error.advice().is_empty());
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
