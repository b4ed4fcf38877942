//! Contradictions: what is reported as one is one, and the plain ones are reported.

use indistinct::table::condition::{Contradiction, contradiction};
use indistinct::table::{Column, ColumnSchema, ColumnType, Condition, Schema, SchemaError, Table, Values};
use proptest::prelude::*;

use super::{levels, schema};

fn found(rules: &[&str]) -> Option<Contradiction> {
    let schema = schema();
    let conditions: Vec<Condition> =
        rules.iter().map(|rule| Condition::parse(rule, &schema).unwrap()).collect();
    contradiction(&conditions, &schema)
}

#[test]
fn plain_contradictions_are_found_with_those_who_make_them() {
    for (rules, conditions, what) in [
        (&["x > 3", "y > 1", "x < 3"][..], &[0, 2][..], "`x`"),
        (&["x > 3 and x < 2"], &[0], "`x`"),
        (&["x >= 3", "x <= 3", "x != 3"], &[0, 1, 2], "`x`"),
        (&["age > 3", "age < 4"], &[0, 1], "`age`"),
        (&["age == 3.5"], &[0], "`age`"),
        (&["born > '2001-01-01'", "born < '2001-01-02'"], &[0, 1], "`born`"),
        (&["sex == 'F'", "sex != 'F' and sex != 'M' or sex == 'M'"], &[0, 1], "`sex`"),
        (&["grade > 'high'"], &[0], "`grade`"),
        (&["grade in ('low', 'middle')", "grade >= 'high'"], &[0, 1], "`grade`"),
        (&["smoker", "not smoker"], &[0, 1], "`smoker`"),
        (&["x < 1 or x > 2", "x > 1 and x < 2"], &[0, 1], "`x`"),
        (&["not (x < 5 or y > 3)", "x < 4"], &[0, 1], "`x`"),
        (&["x < y", "y < x"], &[0, 1], "less than itself"),
        (&["x < y", "y <= x"], &[0, 1], "less than itself"),
        (&["x < y", "y == age", "age <= x"], &[0, 1, 2], "less than itself"),
        (&["x < x"], &[0], "`x`"),
        (&["born < died", "not born <= died"], &[0, 1], "less than itself"),
        (&["x >= 5", "x <= y", "y <= 4"], &[0, 1, 2], "is left"),
        (&["x >= 5", "x < y", "y <= 5"], &[0, 1, 2], "is left"),
        (&["grade == 'high'", "grade < target"], &[0, 1], "is left"),
        (&["x > 1", "1 > 2"], &[1], "false in every row"),
        (&["x > 3 when true", "x < 3"], &[0, 1], "`x`"),
    ] {
        let found = found(rules).unwrap_or_else(|| panic!("{rules:?}"));
        assert_eq!(found.conditions, conditions, "{rules:?}");
        assert!(found.what.contains(what), "{rules:?}: {}", found.what);
    }
}

#[test]
fn what_can_be_satisfied_is_left_alone() {
    for rules in [
        &["x > 3", "x < 3.0000001"][..],
        &["x <= y", "y <= x"],
        &["age > 3", "age < 5"],
        &["x > 3 when sex == 'M'", "x < 2"],
        &["x > 3 or y > 3", "x < 2"],
        // By algebra a contradiction, in doubles not: 1e300 + 1 is 1e300.
        &["x + 1 <= y", "y <= x"],
        // A missing value satisfies all of these.
        &["x is missing", "x > 3", "x < 2"],
        &["x is missing or x > 3", "x < 2"],
        &["x is missing", "x < x"],
        &["sex == 'F' when age > 18", "sex == 'M'"],
        &["grade < target"],
    ] {
        assert_eq!(found(rules), None, "{rules:?}");
    }
}

#[test]
fn declared_limits_count_and_atoms_are_beside_them() {
    let column = ColumnSchema::new("x", ColumnType::Float).with_limits(Some(0.0), Some(10.0));
    let check = |column: ColumnSchema, rule: &str| {
        Schema::new(Vec::new(), vec![column]).unwrap().with_constraint(rule, None).map(|_| ())
    };
    assert!(check(column.clone(), "x >= 10").is_ok());
    assert!(matches!(check(column.clone(), "x > 10"), Err(SchemaError::Contradiction { .. })));
    assert!(check(column.with_atoms(vec![-8.0]), "x < 0").is_ok());
}

/// The few values that small columns can have: numbers from 0 to 2, three levels.
fn every_row(schema: &Schema) -> Table {
    let rows = 81;
    let columns = schema.columns().iter().enumerate().map(|(position, column)| {
        let value = move |row: u32| row / 3_u32.pow(position as u32) % 3;
        let values = match column.kind() {
            ColumnType::Integer => Values::Integer((0..rows).map(|row| i64::from(value(row))).collect()),
            _ => Values::Code((0..rows).map(value).collect()),
        };
        Column::new(column.clone(), values)
    });
    Table::new(columns.collect()).unwrap()
}

fn small_schema() -> Schema {
    let integer = |name: &str| ColumnSchema::new(name, ColumnType::Integer).with_limits(Some(0.0), Some(2.0));
    let ordered =
        |name: &str| ColumnSchema::new(name, ColumnType::Ordered { levels: levels(&["a", "b", "c"]) });
    Schema::new(Vec::new(), vec![integer("i"), integer("j"), ordered("k"), ordered("l")]).unwrap()
}

fn rule() -> impl Strategy<Value = String> {
    let operator = || prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let number = || prop::sample::select(vec!["i", "j"]);
    let level = || prop::sample::select(vec!["k", "l"]);
    let leaf = prop_oneof![
        (number(), operator(), -1..4).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        (number(), operator(), number()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        (level(), operator(), level()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        (level(), operator(), "[abc]").prop_map(|(a, op, b)| format!("'{b}' {op} {a}")),
        (number(), -1..4, -1..4).prop_map(|(a, b, c)| format!("{a} in ({b}, {c})")),
        (number(), number(), operator(), -1..4).prop_map(|(a, b, op, c)| format!("{a} + {b} {op} {c}")),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| format!("not ({inner})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a}) or ({b})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Over all rows of a small world: no reported set has a row that satisfies it.
    #[test]
    fn nothing_that_can_be_satisfied_is_reported(rules in prop::collection::vec(rule(), 1..6)) {
        let schema = small_schema();
        let table = every_row(&schema);
        let conditions: Vec<Condition> = rules.iter().map(|rule| Condition::parse(rule, &schema).unwrap()).collect();
        if let Some(found) = contradiction(&conditions, &schema) {
            let mut satisfied = vec![true; table.rows()];
            for &place in &found.conditions {
                for (all, one) in satisfied.iter_mut().zip(conditions[place].satisfied(&table)) {
                    *all &= one;
                }
            }
            prop_assert!(!satisfied.contains(&true), "{:?}: {:?}", rules, found);
        }
    }
}
