//! Drafts of columns that are written with few digits: what they find, and what they must not take for persons.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::fmt::Write as _;

use common::csv;
use indistinct::random::Seed;
use indistinct_io::{Draft, draft_schema};
use rand::RngExt;

fn derived(draft: &Draft) -> Vec<(String, String)> {
    let derive = |column: &indistinct::table::ColumnSchema| {
        Some((column.name().to_owned(), column.derive()?.expression.clone()))
    };
    draft.schema.columns().iter().filter_map(derive).collect()
}

#[test]
fn squares_in_single_precision_roots_and_constants_are_found() {
    let mut random = Seed(8).stream(0);
    let mut text = "inc,incsq,born,age,lb,kg,inches,bmi,fahrenheit,celsius,price,root,log10\n".to_owned();
    for _ in 0..400 {
        let mut one = |most: u32| f64::from(random.random_range(0..most));
        let inc = (10_000.0 + one(190_000)) / 1000.0;
        let (born, lb, inches, warm) = (1930.0 + one(70), 90.0 + one(150), 58.0 + one(20), one(1200) / 10.0);
        let price = 0.5 + one(9000) / 100.0;
        writeln!(
            text,
            "{inc},{},{born},{},{lb},{:.1},{inches},{:.1},{warm},{:.1},{price},{},{}",
            (inc * inc) as f32,
            2020.0 - born,
            lb * 0.453_592_37,
            703.0 * lb / (inches * inches),
            (warm - 32.0) / 1.8,
            price.sqrt(),
            price.log10(),
        )
        .unwrap();
    }
    let draft = draft_schema(&csv(&text)).unwrap();
    let expected = [
        ("incsq", "inc ^ 2"),
        ("age", "2020 - born"),
        ("kg", "lb * 0.45359237"),
        ("bmi", "703 * lb / inches ^ 2"),
        ("celsius", "(fahrenheit - 32) / 1.8"),
        ("root", "sqrt(price)"),
        ("log10", "log(price) / log(10)"),
    ];
    assert_eq!(
        derived(&draft),
        expected.map(|(name, derive)| (name.to_owned(), derive.to_owned())),
        "{}",
        draft.to_toml()
    );
}

#[test]
fn dates_towns_and_incomes_are_no_persons() {
    let mut random = Seed(9).stream(0);
    let mut text =
        "admitted,year,month,town,province,zone,age,decade,generation,household_income,euros,cents\n"
            .to_owned();
    for _ in 0..1000 {
        let mut one = |most: u32| random.random_range(0..most);
        let (year, month, day, town, age) = (2015 + one(5), 1 + one(12), 1 + one(28), one(90), 20 + one(60));
        let (income, euros) = (1000 + one(300), one(400));
        writeln!(
            text,
            "{year}-{month:02}-{day:02},{year},{month},t{town:02},p{},z{},{age},{},{},{income},{euros},{}",
            town % 13,
            town * 7 % 5,
            age / 10,
            ["young", "middle", "old"][((age - 20) / 20) as usize],
            euros * 100,
        )
        .unwrap();
    }
    let draft = draft_schema(&csv(&text)).unwrap();
    for (column, notes) in draft.schema.columns().iter().zip(&draft.notes) {
        assert!(!notes.persons, "{}", column.name());
    }
}

#[test]
fn groups_of_a_computed_column_are_found() {
    let mut random = Seed(9).stream(0);
    let mut text = "kg,cm,bmi,obese,weight class\n".to_owned();
    for _ in 0..600 {
        let mut one = |most: u32| f64::from(random.random_range(0..most));
        let (kg, cm) = (45.0 + one(700) / 10.0, 150.0 + one(45));
        let bmi = (kg / (cm / 100.0_f64).powi(2) * 10.0).round() / 10.0;
        let class = if bmi < 18.5 {
            "under"
        } else if bmi < 25.0 {
            "usual"
        } else {
            "over"
        };
        writeln!(text, "{kg},{cm},{bmi:.1},{},{class}", ["no", "yes"][usize::from(bmi >= 30.0)]).unwrap();
    }
    let draft = draft_schema(&csv(&text)).unwrap();
    let expected =
        [("bmi", "kg / (cm / 100) ^ 2"), ("obese", "bmi >= 30"), ("weight class", "cut(bmi, 18.5, 25)")];
    assert_eq!(
        derived(&draft),
        expected.map(|(name, derive)| (name.to_owned(), derive.to_owned())),
        "{}",
        draft.to_toml()
    );
}

#[test]
fn persons_of_a_panel_are_seen_by_name() {
    let panel = |name: &str| {
        let mut text = format!("{name},wave,sex,score\n");
        for row in 0..5000_usize {
            let (person, wave) = (row / 10, row % 10);
            writeln!(text, "{person},{wave},{},{}", ["F", "M"][person % 2], row * 7919 % 613).unwrap();
        }
        draft_schema(&csv(&text)).unwrap()
    };
    assert!(panel("id").notes[0].persons && panel("PID").notes[0].persons);
    assert!(!panel("town").notes[0].persons);
}

#[test]
fn what_nearly_differs_is_told_by_its_looks() {
    let warning = |value: &dyn Fn(usize) -> String| {
        let mut text = "value,group\n".to_owned();
        for row in 0..200 {
            writeln!(text, "{},{}", value(row), row % 2).unwrap();
        }
        draft_schema(&csv(&text)).unwrap().notes.remove(0).warning.unwrap_or_default()
    };
    assert!(warning(&|row| format!("{}/{}", 100 + row, 60 + row % 7)).contains("as in 120/80"));
    let dates = |row: usize| match row % 2 {
        0 => format!("20{:02}-01-{:02}", row % 97, 1 + row % 28),
        _ => format!("{:02}/01/20{:02}", 1 + row % 28, row % 97),
    };
    assert!(warning(&dates).contains("one format"), "{}", warning(&dates));
    assert!(warning(&|row| format!("\"{row}{}5\"", [",", "."][row % 2])).contains("one decimal mark"));
    let sas = |row: usize| format!("{:02}JAN2015:10:20:{:02}", 1 + row % 28, row % 60);
    assert_eq!(warning(&sas), "");
}

#[test]
fn codes_and_months_are_not_numbers() {
    let mut text = "zip,level,month,account\n".to_owned();
    for row in 0..400_u64 {
        let month = 100 * (2010 + row / 12 % 3) + 1 + row % 12;
        let zip = ["01234", "90210", "02139", "10001"][row as usize % 4];
        writeln!(text, "{zip},0{},{month},{}", 1 + row % 5, 1_234_567_890_123_456 + row * 7).unwrap();
    }
    let draft = draft_schema(&csv(&text)).unwrap();
    let kinds: Vec<&str> = draft.schema.columns().iter().map(|column| column.kind().word()).collect();
    assert_eq!(kinds, ["nominal", "ordered", "ordered", "identifier"], "{}", draft.to_toml());
    let months = draft.schema.columns()[2].kind().levels().unwrap().to_vec();
    assert_eq!((months.len(), months[0].as_str(), months[12].as_str()), (36, "201001", "201101"));
}
