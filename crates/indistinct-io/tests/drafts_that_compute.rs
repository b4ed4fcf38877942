//! Drafts that find how columns are computed from others: exactly, or not at all.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::fmt::Write as _;

use common::csv;
use indistinct::random::Seed;
use indistinct_io::draft_schema;
use rand::RngExt;

/// A table of 400 rows, each made of a source of whole numbers below a limit.
fn table(header: &str, mut row: impl FnMut(&mut dyn FnMut(i64) -> i64) -> String) -> String {
    let mut random = Seed(23).stream(0);
    let mut text = format!("{header}\n");
    for _ in 0..400 {
        writeln!(text, "{}", row(&mut |most| random.random_range(0..most))).unwrap();
    }
    text
}

/// The derivation of each column, or nothing.
fn derivations(text: &str) -> Vec<String> {
    let draft = draft_schema(&csv(text)).unwrap();
    let derive = draft.schema.columns().iter().map(|column| column.derive());
    derive.map(|derive| derive.map(|derive| derive.expression.clone()).unwrap_or_default()).collect()
}

#[test]
fn what_is_nearly_computed_is_not_said_to_hold() {
    let text = table("yob,age,z,z2,c,even,noise", |below| {
        let (year, z, c) = (1930 + below(60), below(900), below(300));
        let halves = (c / 2) + (c % 2) * (c / 2 % 2);
        let age = 2019 - year + below(2);
        format!(
            "{year},{age},{:.1},{:.1},{c},{halves},{}",
            z as f64 / 10.0,
            (z + below(2)) as f64 / 10.0,
            c + below(2)
        )
    });
    assert_eq!(derivations(&text), [""; 7]);
}

#[test]
fn whole_parts_are_found_exactly() {
    let text = table("yob,age,c,half,decade,x,whole,rounded", |below| {
        let (year, c, x) = (1930 + below(60), below(300), below(90_000) as f64 / 1000.0);
        format!("{year},{},{c},{},{},{x:.3},{},{}", 2019 - year, c / 2, c / 10, x.floor(), x.round())
    });
    let expected = ["", "2019 - yob", "", "floor(c / 2)", "floor(c / 10)", "", "floor(x)", "round(x)"];
    assert_eq!(derivations(&text), expected);
}

#[test]
fn dates_are_sources() {
    let text = table("admitted,discharged,los,year,month,era,due,age,born", |below| {
        let day =
            |days: i64| chrono::DateTime::from_timestamp((16_436 + days) * 86_400, 0).unwrap().date_naive();
        let (admitted, los) = (below(1200), below(40));
        let date = day(admitted);
        let born = day(admitted - 9000 - below(20_000));
        format!(
            "{date},{},{los},{},{},{},{},{},{born}",
            day(admitted + los),
            date.format("%Y"),
            date.format("%-m"),
            if date < day(400) { "early" } else { "late" },
            day(admitted + 30),
            (date - born).num_days() * 4 / 1461,
        )
    });
    let expected = [
        "",
        "",
        "discharged - admitted",
        "cut(admitted, '2016-01-01', '2017-01-01', '2018-01-01')",
        "month(admitted)",
        "cut(admitted, '2016-02-05')",
        "admitted + 30",
        "floor((admitted - born) / 365.25)",
        "",
    ];
    let found = derivations(&text);
    assert_eq!(found[..5], expected[..5]);
    assert!(found[5].starts_with("cut(admitted, '2016-02-0"), "{}", found[5]);
    assert_eq!(found[6..], expected[6..]);
}

#[test]
fn numbers_on_a_line_are_found() {
    let text = table("c,lb,packs,centred,z,pounds,s,d,map,mark,exam,grade", |below| {
        let (c, s, d, mark, exam) = (below(300), 90 + below(90), 50 + below(60), below(100), below(100));
        let x = c as f64;
        format!(
            "{c},{},{},{},{},{},{s},{d},{:.1},{mark},{exam},{:.1}",
            x / 16.0,
            x / 20.0,
            x - 147.381_234_567_891,
            (x - 147.381_234_567_891) / 86.123_456_789_012,
            (x * 2.2).round(),
            (s + 2 * d) as f64 / 3.0,
            0.4 * mark as f64 + 0.6 * exam as f64,
        )
    });
    let found = derivations(&text);
    for (place, expected) in [
        (1, "c / 16"),
        (2, "c / 20"),
        (3, "c - 147.381234567891"),
        (5, "round(c * 2.2)"),
        (8, "(s + 2 * d) / 3"),
        (11, "0.4 * mark + 0.6 * exam"),
    ] {
        assert_eq!(found[place], expected, "{found:?}");
    }
    let z = |unit: &str| found[4].starts_with(unit) && found[4].contains(" - 1.7112786");
    assert!(z("c * 0.01161123") || z("c / 86.1234567"), "{found:?}");
    for place in [0, 6, 7, 9, 10] {
        assert_eq!(found[place], "", "{found:?}");
    }
}

#[test]
fn single_precision_is_seen_through() {
    let single = |value: f64| f64::from(value as f32);
    let mut row = 0;
    let text = table("inc,incsq,wide,widesq,noise", |below| {
        row += 1;
        let inc = (10_000 + below(190_000)) as f64 / 1000.0;
        // As numpy spells a square that is as near to 489.51563.
        if row == 7 {
            return format!("22.125,489.51562,{},{},0.1", single(22.125), single(489.515_625));
        }
        format!(
            "{inc},{},{},{},{}",
            inc as f32 * inc as f32,
            single(inc),
            single((inc as f32 * inc as f32).into()),
            0.1 * below(300) as f64
        )
    });
    let draft = draft_schema(&csv(&text)).unwrap();
    let decimals: Vec<Option<u32>> =
        draft.schema.columns().iter().map(indistinct::table::ColumnSchema::decimals).collect();
    assert_eq!((decimals[0], decimals[4]), (Some(3), Some(1)));
    assert_eq!(derivations(&text)[1], "inc ^ 2");
    assert_eq!(derivations(&text)[2], "inc", "a copy once its grid is known");
}
