//! Ten columns without limits in one table, of every type, at offsets and scales all over: what is released of each lies where the
//! real values are, or somebody was told.

use super::fixtures::{Spread, normal_column, share_inside};
use super::options;
use indistinct::margin::RangeOutlook;
use indistinct::mixed::{DoubtfulBecause, DoubtfulColumn, MixedError, release};
use indistinct::privacy::Randomness;
use indistinct::private::PrivateTable;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table};

const ROWS: usize = 3000;

/// A column: what it is called, its type, the value in its middle and its standard deviation.
type Kind = (&'static str, ColumnType, i64, f64);

fn tables() -> Vec<(&'static str, Vec<Kind>)> {
    let date = || ColumnType::Date { format: "%Y-%m-%d".to_owned() };
    let time = || ColumnType::DateTime { format: "%Y-%m-%d %H:%M:%S".to_owned() };
    let (whole, real) = (|| ColumnType::Integer, || ColumnType::Float);
    vec![
        (
            "integers",
            vec![
                ("0 and 20", whole(), 0, 20.0),
                ("40 and 12", whole(), 40, 12.0),
                ("1e6 and 1", whole(), 1_000_000, 1.0),
                ("1e6 and 1e3", whole(), 1_000_000, 1e3),
                ("1.7e9 and 1e4", whole(), 1_700_000_000, 1e4),
                ("1.7e9 and 1e7", whole(), 1_700_000_000, 1e7),
                ("1e12 and 1", whole(), 1_000_000_000_000, 1.0),
                ("-1e12 and 1e6", whole(), -1_000_000_000_000, 1e6),
                ("2^60 and 1", whole(), 1 << 60, 1.0),
                ("2^60 and 1e6", whole(), 1 << 60, 1e6),
            ],
        ),
        (
            "decimals",
            vec![
                ("0 and 0.5", real(), 0, 0.5),
                ("40 and 12", real(), 40, 12.0),
                ("1e6 and 1", real(), 1_000_000, 1.0),
                ("1e6 and 1e3", real(), 1_000_000, 1e3),
                ("1.7e9 and 1e4", real(), 1_700_000_000, 1e4),
                ("1.7e9 and 1e7", real(), 1_700_000_000, 1e7),
                ("1e12 and 1", real(), 1_000_000_000_000, 1.0),
                ("-1e12 and 1e6", real(), -1_000_000_000_000, 1e6),
                ("2^60 and 1e3", real(), 1 << 60, 1e3),
                ("2^60 and 1e6", real(), 1 << 60, 1e6),
            ],
        ),
        (
            "dates",
            vec![
                ("a fortnight", date(), 19_675, 4.0),
                ("a year", date(), 19_675, 100.0),
                ("births", date(), 5_000, 6000.0),
                ("1696", date(), -100_000, 100.0),
                ("2517", date(), 200_000, 1.0),
                ("a minute", time(), 1_700_000_000, 15.0),
                ("a day", time(), 1_700_000_000, 2e4),
                ("a year of seconds", time(), 1_700_000_000, 7e6),
                ("1653", time(), -10_000_000_000, 1e5),
                ("5138", time(), 100_000_000_000, 1.0),
            ],
        ),
    ]
}

fn column((name, declared, middle, sd): &Kind, stream: u64) -> Column {
    let spread = Spread { middle: *middle, sd: *sd, decimals: Some(2) };
    normal_column(ColumnSchema::new(name, declared.clone()), spread, ROWS, &mut Seed(7).stream(stream))
}

/// What became of one column in one release.
struct Outcome {
    name: &'static str,
    /// The share of its values that are within the real range.
    inside: f64,
    /// Whether somebody was warned of it by name, before or after.
    is_told: bool,
}

/// A column that is found only if it is less far from zero, in doublings of its width, is warned of before anything is spent.
const FAR: u32 = 20;

fn outcomes(kinds: &[Kind], delta: &str, seeds: std::ops::Range<u64>) -> Vec<Outcome> {
    let columns: Vec<Column> =
        kinds.iter().enumerate().map(|(place, kind)| column(kind, place as u64)).collect();
    let schemas = columns.iter().map(|column| column.schema().clone()).collect();
    let schema = Schema::new(Vec::new(), schemas).unwrap();
    let table = Table::new(columns.clone()).unwrap();
    let plan = match options("1", delta).plan_mixed(ROWS, &schema) {
        Ok(plan) => plan,
        Err(MixedError::HopelessColumns { columns, .. }) => {
            assert_eq!(columns.len(), kinds.len(), "all columns have the same share");
            return kinds.iter().map(|kind| Outcome { name: kind.0, inside: 0.0, is_told: true }).collect();
        }
        Err(error) => panic!("{error}"),
    };
    let warned: Vec<String> = plan
        .outlooks()
        .into_iter()
        .filter(|outlook| match outlook.range {
            RangeOutlook::Known => false,
            RangeOutlook::Searched(found) => found < FAR,
            RangeOutlook::AroundZero | RangeOutlook::Lost => true,
        })
        .map(|outlook| outlook.column)
        .collect();
    let of_seed = |seed: u64| {
        let private = PrivateTable::new(table.clone());
        let released = release(&private, &plan, Randomness::seeded(Seed(seed)), &Silent).unwrap();
        let fake = released.models[0].simulate(&schema, ROWS, &mut Seed(seed).stream(1));
        let told: Vec<String> =
            released.doubtful.into_iter().map(|one| one.column).chain(warned.clone()).collect();
        let outcome = |(place, fake): (usize, &Column)| {
            let name = kinds[place].0;
            let is_told = told.iter().any(|told| told == name);
            Outcome { name, inside: share_inside(&columns[place], fake), is_told }
        };
        fake.columns().iter().enumerate().map(outcome).collect::<Vec<_>>()
    };
    seeds.flat_map(of_seed).collect()
}

#[expect(clippy::print_stderr, reason = "the long form has a table to fill in")]
fn check(found: &[Outcome], what: &str) {
    let is_good = |outcome: &&Outcome| outcome.inside >= 0.9;
    let silent: Vec<_> =
        found.iter().filter(|one| !is_good(one) && !one.is_told).map(|one| (one.name, one.inside)).collect();
    // One in twenty may fail without a word.
    assert!(silent.len() * 20 <= found.len(), "{what}: silently wrong: {silent:?}");
    let good = found.iter().filter(is_good).count();
    let told = found.iter().filter(|one| one.is_told).count();
    eprintln!("{what}: {good} of {} inside, {told} told, {} silently wrong", found.len(), silent.len());
}

/// Wherever a column lies, its values do so too, or somebody was told: with three thousand rows and ten columns at epsilon 1.
#[test]
fn columns_without_limits_are_found_or_told() {
    for (what, kinds) in tables() {
        for (delta, least) in [("0", 0.5), ("0.000001", 0.95)] {
            let found = outcomes(&kinds, delta, 0..2);
            check(&found, &format!("{what}, delta {delta}"));
            let good = found.iter().filter(|one| one.inside >= 0.9).count();
            assert!(good as f64 >= least * found.len() as f64, "{what}, delta {delta}: {good}");
        }
    }
}

/// A search that ends before it has found how narrow a column is, or leaves too little to count with, is known to have; one that has
/// enough is not.
#[test]
fn a_search_that_is_cut_short_is_told() {
    let (_, integers) = tables().swap_remove(0);
    let columns: Vec<Column> =
        integers.iter().enumerate().map(|(place, kind)| column(kind, place as u64)).collect();
    let schemas = columns.iter().map(|column| column.schema().clone()).collect();
    let schema = Schema::new(Vec::new(), schemas).unwrap();
    let private = PrivateTable::new(Table::new(columns).unwrap());
    let doubtful = |delta: &str, seed: u64| {
        let plan = options("1", delta).plan_mixed(ROWS, &schema).unwrap();
        release(&private, &plan, Randomness::seeded(Seed(seed)), &Silent).unwrap().doubtful
    };
    let found: Vec<Vec<DoubtfulColumn>> = (1..=8).map(|seed| doubtful("0", seed)).collect();
    let of_column = |found: &&Vec<DoubtfulColumn>| found.iter().any(|one| one.column.starts_with("2^60"));
    assert!(found.iter().filter(of_column).count() >= 6, "{found:?}");
    let is_cut_short = |one: &DoubtfulColumn| one.because == DoubtfulBecause::CutShort;
    assert!(found.iter().flatten().any(is_cut_short), "{found:?}");
    assert_eq!(doubtful("0.000001", 1), []);
}

/// The table of docs/mixed.md: columns whose values are inside the real range, of twenty releases each.
#[test]
#[ignore = "takes minutes"]
fn columns_without_limits_in_long() {
    println!("| column | pure | delta 1e-6 |\n|---|---|---|");
    for (what, kinds) in tables() {
        let found = ["0", "0.000001"].map(|delta| outcomes(&kinds, delta, 0..20));
        for (name, ..) in &kinds {
            let of = |found: &[Outcome]| {
                let own = || found.iter().filter(|one| one.name == *name);
                let count = |wanted: fn(&&Outcome) -> bool| own().filter(wanted).count();
                let good = count(|one| one.inside >= 0.9);
                format!("{good} of {}", own().count())
            };
            println!("| {what}, {name} | {} | {} |", of(&found[0]), of(&found[1]));
        }
        for (found, delta) in found.iter().zip(["0", "0.000001"]) {
            check(found, &format!("{what}, delta {delta}"));
        }
    }
}
