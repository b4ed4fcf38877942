//! Drafts that find what holds between columns, and releases that rest on it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::fmt::Write as _;

use common::csv;
use indistinct::Synthesis;
use indistinct::discriminator::cart::CartOptions;
use indistinct::evaluate::Discriminator;
use indistinct::evaluate::distances::{Counts, Distances};
use indistinct::privacy::Randomness;
use indistinct::random::Seed;
use indistinct::table::{ColumnSchema, Invalid, Schema, Table, Values};
use indistinct_io::{Draft, Source, draft_schema, evaluate};
use rand::RngExt;

/// A table about pensions: squares, a body-mass index and age groups are columns of their own.
fn pensions(rows: usize) -> Source {
    let mut random = Seed(401).stream(0);
    let mut uniform = || random.random::<f64>();
    let mut text =
        "inc,age,marr,fsize,weight,height,incsq,agesq,bmi,agegroup,older,eligible,nettfa\n".to_owned();
    for _ in 0..rows {
        let normal = |u: f64, v: f64| (-2.0 * u.max(1e-12).ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        let age = 25 + (uniform() * 40.0) as i64;
        let inc = (10.0 + 30.0 * (-(uniform().max(1e-9)).ln())).min(200.0);
        let inc = (inc * 10.0).round() / 10.0;
        let marr = usize::from(uniform() < 0.3 + 0.008 * age as f64);
        let fsize = 1 + marr + (uniform() * 3.0) as usize;
        let height = (170.0 + 9.0 * normal(uniform(), uniform())).round();
        let weight = ((height - 100.0) * (0.95 + 0.12 * normal(uniform(), uniform())) * 10.0).round() / 10.0;
        let bmi = weight / (height / 100.0_f64).powi(2);
        let group = ["25-34", "35-44", "45-54", "55-64"][((age - 25) / 10) as usize];
        let eligible = usize::from(uniform() < (0.2 + inc / 200.0).min(0.9));
        let nettfa = (inc * 0.4 + 20.0 * normal(uniform(), uniform()) + eligible as f64 * 10.0).round();
        writeln!(
            text,
            "{inc:.1},{age},{marr},{fsize},{weight:.1},{height},{:.2},{},{bmi:.1},{group},{},{eligible},{nettfa}",
            inc * inc,
            age * age,
            if age >= 50 { "yes" } else { "no" },
        )
        .unwrap();
    }
    csv(&text)
}

fn derived(draft: &Draft) -> Vec<(String, String)> {
    let derive =
        |column: &ColumnSchema| Some((column.name().to_owned(), column.derive()?.expression.clone()));
    draft.schema.columns().iter().filter_map(derive).collect()
}

fn numbers(table: &Table, name: &str) -> Vec<f64> {
    match table.columns().iter().find(|column| column.name() == name).unwrap().values() {
        Values::Float(values) => values.clone(),
        Values::Integer(values) => values.iter().map(|&value| value as f64).collect(),
        Values::Code(values) => values.iter().map(|&value| f64::from(value)).collect(),
        other => panic!("{other:?}"),
    }
}

/// A synthetic table at epsilon 1 and delta 10^-6.
fn release(source: &Source, schema: &Schema, seed: u64) -> Table {
    let table = source.read_measured(schema, Invalid::Refuse).unwrap();
    let synthesis = Synthesis::of(schema.clone()).epsilon("1").unwrap().delta("1e-6").unwrap();
    let release = synthesis.release(&table, &mut Randomness::seeded(Seed(seed))).unwrap();
    release.sample(table.rows()).unwrap()
}

#[test]
fn a_table_of_pensions_has_its_squares_derived_and_exact() {
    let source = pensions(9000);
    let draft = draft_schema(&source).unwrap();
    let expected = [
        ("incsq", "inc ^ 2"),
        ("agesq", "age * age"),
        ("bmi", "weight / (height / 100) ^ 2"),
        ("agegroup", "cut(age, 35, 45, 55)"),
        ("older", "age >= 50"),
    ];
    assert_eq!(
        derived(&draft),
        expected.map(|(name, derive)| (name.to_owned(), derive.to_owned())),
        "{}",
        draft.to_toml()
    );
    let real = source.read(&draft.schema).unwrap();
    let made = release(&source, &draft.schema, 7);
    let cart = Discriminator::Cart(CartOptions::default().check().unwrap());
    let pmse = evaluate::judged(&real, &made, &cart).unwrap().pmse;
    assert!(pmse < 0.01, "{pmse}");
    let of = |name: &str| numbers(&made, name);
    let rounded = |value: f64, places: f64| (value * places).round() / places;
    for (row, inc) in of("inc").into_iter().enumerate() {
        let (age, weight, height) = (of("age")[row], of("weight")[row], of("height")[row]);
        assert_eq!(of("incsq")[row], rounded(inc * inc, 100.0));
        assert_eq!(of("agesq")[row], age * age);
        assert_eq!(of("bmi")[row], rounded(weight / (height / 100.0).powi(2), 10.0));
        assert_eq!(of("agegroup")[row], ((age - 25.0) / 10.0).floor().clamp(0.0, 3.0));
        assert_eq!(of("older")[row] == 1.0, age >= 50.0);
        if row > 300 {
            break;
        }
    }
}

/// A survey about health: fifteen columns, of which some are asked of some persons only.
fn survey(rows: usize) -> Source {
    let mut random = Seed(1518).stream(0);
    let mut uniform = || random.random::<f64>();
    let mut text = "age,sex,region,education,employed,income,smoker,cigarettes,first,last,visits,hospital,children,pregnant,rating\n".to_owned();
    for _ in 0..rows {
        let age = (uniform() * 85.0) as i64;
        let sex = ["F", "M"][usize::from(uniform() < 0.49)];
        let region = ["north", "south", "east", "west"][(uniform() * uniform() * 4.0) as usize];
        let adult = age >= 15;
        let asked = |value: String| if adult { value } else { "N".to_owned() };
        let education = asked(((1.0 + uniform() * 5.0) as i64).to_string());
        let employed = asked(((1.0 + uniform() * 2.6) as i64).to_string());
        let income = asked(((-(uniform().max(1e-9)).ln() * 2000.0) as i64).to_string());
        let smokes = adult && uniform() < 0.3;
        let cigarettes = if smokes { ((1.0 + uniform() * 25.0) as i64).to_string() } else { String::new() };
        let first = (uniform() * 200.0) as i64;
        let last = first + (uniform() * uniform() * 160.0) as i64;
        let visits = (-(uniform().max(1e-9)).ln() * 3.0) as i64;
        let hospital = usize::from(uniform() < 0.1);
        let children = asked(((uniform() * uniform() * 5.0) as i64).to_string());
        let pregnant = if sex == "F" { ["no", "yes"][usize::from(uniform() < 0.1)] } else { "" };
        let rating = 1 + (uniform() * 5.0) as i64;
        let smoker = if smokes { "yes" } else { "no" };
        writeln!(text, "{age},{sex},{region},{education},{employed},{income},{smoker},{cigarettes},{first},{last},{visits},{hospital},{children},{pregnant},{rating}").unwrap();
    }
    csv(&text)
}

#[test]
fn rules_of_a_survey_are_found_and_cost_nothing() {
    let source = survey(6000);
    let draft = draft_schema(&source).unwrap();
    let rules: Vec<&str> =
        draft.schema.constraints().iter().map(indistinct::table::Constraint::rule).collect();
    for expected in [
        "first <= last",
        "education is missing when age < 15",
        "pregnant is missing when sex == 'M'",
        "cigarettes is missing when smoker == false",
    ] {
        assert!(rules.contains(&expected), "{rules:?}");
    }
    assert!(rules.len() <= 9, "{rules:?}");
    let marked = draft.to_toml();
    assert_eq!(marked.matches("[[constraint]]\n# learned from the private data").count(), rules.len());
    let plain = Schema::new(draft.schema.missing().to_vec(), draft.schema.columns().to_vec()).unwrap();
    let real = source.read(&draft.schema).unwrap();
    let one_way = |schema: &Schema, seed| {
        let made = release(&source, schema, seed);
        let distances = Distances::of_tables(&real, &made).unwrap();
        let mut counts = Counts::default();
        let columns = real.columns().len();
        (0..columns).map(|column| distances.column(column, &mut counts)).sum::<f64>() / columns as f64
    };
    let seeds = [1, 2, 3];
    let mean =
        |schema: &Schema| seeds.iter().map(|&seed| one_way(schema, seed)).sum::<f64>() / seeds.len() as f64;
    let (with, without) = (mean(&draft.schema), mean(&plain));
    // Chance moves the mean of three by about a tenth of itself.
    assert!(with <= 1.1 * without, "{with} with rules, {without} without");
}

#[test]
fn persons_with_several_rows_are_seen() {
    let mut text = "patient,visit,sex,weight\n".to_owned();
    for row in 0..900_usize {
        let person = row * 2 / 3;
        writeln!(
            text,
            "{},{},{},{}",
            10_000 + person * 7,
            row % 4,
            ["F", "M"][person % 2],
            50 + (row * 31) % 57
        )
        .unwrap();
    }
    let draft = draft_schema(&csv(&text)).unwrap();
    assert_eq!(draft.schema.columns()[0].kind().word(), "identifier");
    assert!(draft.notes[0].persons && draft.to_toml().contains("--person"), "{}", draft.to_toml());
}

#[test]
fn chance_is_not_taken_for_a_rule() {
    let mut random = Seed(3).stream(0);
    let mut text = "a,b,c,d,e,f\n".to_owned();
    for _ in 0..300 {
        let mut one = |most: u32| random.random_range(0..most);
        let (a, b, c, d, e, f) = (one(50), one(50), one(3), one(4), one(2), one(100));
        writeln!(text, "{a},{b},x{c},y{d},z{e},{}", if f < 95 { String::new() } else { f.to_string() })
            .unwrap();
    }
    let draft = draft_schema(&csv(&text)).unwrap();
    assert!(derived(&draft).is_empty() && draft.schema.constraints().is_empty(), "{}", draft.to_toml());
}

#[test]
fn lookups_copies_and_codes_are_found() {
    let mut random = Seed(5).stream(0);
    let mut text = "town,province,sex,gender,euros,cents,total,part,rest,top\n".to_owned();
    for _ in 0..500 {
        let mut one = |most: usize| random.random_range(0..most);
        let (town, sex, euros, part, rest, top) = (one(8), one(2), one(900), one(300), one(200), one(60));
        writeln!(
            text,
            "t{town},{},{},{},{euros},{},{},{part},{rest},{}",
            ["east", "west", "north"][town % 3],
            ["F", "M"][sex],
            ["2", "1"][sex],
            euros * 100,
            part + rest,
            if top > 50 { 99 } else { top }
        )
        .unwrap();
    }
    let draft = draft_schema(&csv(&text)).unwrap();
    let found = derived(&draft);
    for (name, derive) in [
        ("province", "lookup(town)"),
        ("gender", "lookup(sex)"),
        ("cents", "euros * 100"),
        ("rest", "total - part"),
    ] {
        assert!(found.contains(&(name.to_owned(), derive.to_owned())), "{found:?}");
    }
    let top = draft.schema.columns().iter().find(|column| column.name() == "top").unwrap();
    assert_eq!(top.atoms(), [99.0]);
}
