//! Pages as strict readers meet them: well-formed, complete, bounded, and deaf to whatever names say.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its page has failed")]

#[path = "page/html.rs"]
mod html;

use html::assert_sound;
use indistinct::discriminator::cart::CartParams;
use indistinct::discriminator::logistic;
use indistinct::discriminator::optimal::OptimalParams;
use indistinct::evaluate::{Discriminator, EvaluateParams, Null, evaluate};
use indistinct::privacy::Certificate;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::table::{
    Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Table, Values,
};
use indistinct_report::page::{EvaluationPage, ReleasePage, evaluation_page, release_page};
use proptest::prelude::*;
use serde_json::{Value, json};

const BANNER: &str = "Computed from the private data: do not publish";

/// Uniform numbers that are the same every time.
fn uniform(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    }
}

/// A table with a column of every type, whose names and levels are given.
fn mixed(rows: usize, seed: u64, names: &[String], levels: &[String]) -> Table {
    let mut random = uniform(seed);
    let mut pick = |most: f64| (random() * most) as i64;
    let kinds = [
        ColumnType::Float,
        ColumnType::Integer,
        ColumnType::Nominal { levels: levels.into() },
        ColumnType::Ordered { levels: levels.into() },
        ColumnType::Boolean { when_false: "no".to_owned(), when_true: "yes".to_owned() },
        ColumnType::Date { format: "%Y-%m-%d".to_owned() },
        ColumnType::DateTime { format: "%Y-%m-%dT%H:%M:%S".to_owned() },
    ];
    let columns = names.iter().enumerate().map(|(place, name)| {
        let kind = &kinds[place % kinds.len()];
        let mut drawn = |most: f64| (0..rows).map(|_| pick(most)).collect::<Vec<i64>>();
        let hole = |value: &i64| value % 11 == 3;
        let values = match kind {
            ColumnType::Float => {
                let number = |value: i64| if hole(&value) { f64::NAN } else { value as f64 / 7.0 };
                Values::Float(drawn(1000.0).into_iter().map(number).collect())
            }
            ColumnType::Integer => {
                let number = |value: i64| if hole(&value) { MISSING_INTEGER } else { value };
                Values::Integer(drawn(60.0).into_iter().map(number).collect())
            }
            ColumnType::Date { .. } => {
                let day = |value: i64| if hole(&value) { MISSING_DATE } else { value as i32 };
                Values::Date(drawn(20_000.0).into_iter().map(day).collect())
            }
            ColumnType::DateTime { .. } => Values::DateTime(drawn(1e15).into_iter().collect()),
            ColumnType::Boolean { .. } => {
                Values::Code(drawn(2.0).into_iter().map(|code| code as u32).collect())
            }
            _ => {
                let code = |value: i64| if hole(&value) { MISSING_CODE } else { value as u32 };
                Values::Code(drawn(levels.len() as f64).into_iter().map(code).collect())
            }
        };
        Column::new(ColumnSchema::new(name, kind.clone()), values)
    });
    Table::new(columns.collect()).unwrap()
}

fn certificate(guarantee: &Value, steps: usize) -> Certificate {
    let step = |k: usize| {
        json!({"step": format!("scale of x{k}"), "epsilon": 0.001, "sensitivity": "1 (rows)",
               "proof": "interval_search", "exactness": "exact"})
    };
    let mut spent: Vec<Value> = (1..=steps).map(step).collect();
    spent.push(json!({"step": "quality score", "epsilon": 0.05, "sensitivity": "1", "proof": null,
                      "exactness": {"no-guarantee": {"why": "<b>because</b>"}}}));
    let fixture = include_str!("../../indistinct/tests/fixtures/certificate.json");
    let mut value: Value = serde_json::from_str(fixture).unwrap();
    (value["guarantee"], value["spent"]) = (guarantee.clone(), spent.into());
    serde_json::from_value(value).unwrap()
}

fn pure() -> Value {
    json!({"kind": "pure", "epsilon": 1.0})
}

fn of_release(certificate: &Certificate, table: &Table) -> String {
    release_page(ReleasePage { certificate, table, table_name: "synthetic.csv", bars: None }).unwrap()
}

fn of_evaluation(real: &Table, synthetic: &[(String, Table)], discriminator: Discriminator) -> String {
    let params = EvaluateParams::default().with(|params| {
        params.discriminator = discriminator;
        params.null = Null::None;
        params.reference = None;
        params.replicates = 2;
        params.seed = Seed(1);
    });
    let evaluation = evaluate(real, synthetic, &params, &Silent).unwrap();
    evaluation_page(EvaluationPage { real, synthetic, evaluation: &evaluation, params: &params }).unwrap()
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

const NAMES: [&str; 7] = ["height", "visits", "region", "education", "smoker", "admitted", "seen"];
const LEVELS: [&str; 4] = ["north", "east", "south", "west"];

#[test]
fn a_release_page_says_what_is_promised() {
    let table = mixed(300, 1, &named(&NAMES), &named(&LEVELS));
    let page = of_release(&certificate(&pure(), 12), &table);
    assert_sound(&page);
    // e, and e / (1 + e).
    for part in
        ["Differential privacy with epsilon 1", "2.718 times", "73.1\u{2009}%", "the number of rows, 5000"]
    {
        assert!(page.contains(part), "{part}");
    }
    // 12 steps of one kind and the score.
    assert!(page.contains("scale of a column") && page.contains(">0.012<") && page.contains("1.2\u{2009}%"));
    // The score, and where it lies with 95 %: 0.0213 -+ 0.002 ln 20.
    assert!(page.contains("0.01531 to 0.02729"), "the interval of the score");
    assert!(
        page.contains(&"0123456789abcdef".repeat(4))
            && page.contains("indistinct verify .")
            && page.contains("--out more.csv")
    );
    for measure in ["rank correlation", "correlation ratio", "Cramér"] {
        assert!(page.contains(measure));
    }
    assert!(!page.contains(BANNER) && !page.contains("class=\"warning"));
    assert_eq!(page, of_release(&certificate(&pure(), 12), &table), "the same bytes for the same release");
}

#[test]
fn what_is_no_guarantee_is_a_big_warning() {
    let table = mixed(100, 1, &named(&["x"]), &named(&LEVELS));
    let none =
        json!({"kind": "none", "because": ["seeded: <i>who</i> knows the seed can take the noise away"]});
    let page = of_release(&certificate(&none, 3), &table);
    assert_sound(&page);
    assert!(page.contains("class=\"warning none\"") && page.contains("no privacy guarantee"));
    assert!(page.contains("&lt;i&gt;who&lt;") && !page.contains("Promised to"));
    let chain = json!({"kind": "at-stationarity", "epsilon": 1.0});
    let page = of_release(&certificate(&chain, 3), &table);
    assert!(page.contains("class=\"warning weak\"") && page.contains("Nothing is proven about these files"));
    let large = json!({"kind": "pure", "epsilon": 20.0});
    let page = of_release(&certificate(&large, 3), &table);
    assert!(page.contains("class=\"warning weak\"") && page.contains("promises very little"));
    let delta = json!({"kind": "approximate", "epsilon": 1.0, "delta": 1e-9});
    let page = of_release(&certificate(&delta, 3), &table);
    assert!(page.contains("a delta of") && !page.contains("class=\"warning"));
}

#[test]
fn a_condition_stands_in_the_sentence_of_the_promise() {
    let table = mixed(100, 1, &named(&["x"]), &named(&LEVELS));
    for (delta, numbers) in
        [(None, "epsilon 1, provided that"), (Some(1e-6), "epsilon 1 and delta 0.000001, provided that")]
    {
        let mut conditional = json!({"kind": "conditional", "epsilon": 1.0, "provided": ["the schema was <i>drafted</i> from these rows"]});
        if let Some(delta) = delta {
            conditional["delta"] = json!(delta);
        }
        let page = of_release(&certificate(&conditional, 3), &table);
        assert_sound(&page);
        let between = |open: &str, close: &str| {
            page.split(open).nth(1).unwrap().split(close).next().unwrap().to_owned()
        };
        for place in [
            between("<title>", "</title>"),
            between("<h1>", "</h1>"),
            between("class=\"warning weak\"", "</div>"),
        ] {
            assert!(place.contains(numbers) && place.contains("&lt;i&gt;drafted"), "{place}");
        }
        assert!(
            between("class=\"promise weak\"", "</p>").contains("provided that"),
            "amber, and the condition first"
        );
        assert!(!page.contains("class=\"promise good\""));
    }
}

#[test]
fn an_evaluation_page_has_the_numbers_of_the_evaluation() {
    let (names, levels) = (named(&NAMES), named(&LEVELS));
    let real = mixed(400, 1, &names, &levels);
    let synthetic = [("fake.csv".to_owned(), mixed(300, 2, &names, &levels))];
    for discriminator in [
        Discriminator::Cart(CartParams::default()),
        Discriminator::Optimal(OptimalParams::default()),
        Discriminator::Logistic(logistic::Options::default()),
    ] {
        let params = EvaluateParams::default().with(|params| {
            params.discriminator = discriminator;
            params.null = Null::Permutation;
            params.reference = None;
            params.replicates = 5;
            params.seed = Seed(1);
        });
        let evaluation = evaluate(&real, &synthetic, &params, &Silent).unwrap();
        let page = evaluation_page(EvaluationPage {
            real: &real,
            synthetic: &synthetic,
            evaluation: &evaluation,
            params: &params,
        })
        .unwrap();
        let elements = assert_sound(&page);
        let cells: Vec<&str> = elements.iter().filter(|e| e.name == "td").map(|e| e.text.as_str()).collect();
        let table = &evaluation.tables[0];
        for value in [
            table.pmae,
            table.columns[0].tvd,
            table.pairs[5].tvd,
            table.independent_control.mean_pair_tvd.unwrap(),
        ] {
            // Four significant digits, trailing zeros dropped.
            let digits = format!("{value:.*}", (3 - value.log10().floor() as i32) as usize);
            let digits = digits.trim_end_matches('0');
            assert!(cells.contains(&digits), "{digits}");
        }
        assert!(page.contains("400 real rows") && page.contains("300 synthetic rows"));
        // On screens and on sheets.
        assert_eq!(page.matches(BANNER).count(), 2);
        // Seven columns, two measures for the table and the control, six pairs; and a tree if one splits.
        let figures = elements.iter().filter(|element| element.name == "figure").count();
        assert!((7 + 4 + 6..=7 + 4 + 6 + 1).contains(&figures), "{figures}");
    }
}

#[test]
fn several_tables_have_a_section_each_with_links() {
    let (names, levels) = (named(&NAMES[..3]), named(&LEVELS));
    let real = mixed(120, 1, &names, &levels);
    let synthetic: Vec<(String, Table)> =
        (2..9).map(|seed| (format!("fake-{seed}.csv"), mixed(100, seed, &names, &levels))).collect();
    let page = of_evaluation(&real, &synthetic, Discriminator::Cart(CartParams::default()));
    assert_sound(&page);
    assert!(page.contains("mean of 7 tables") && page.contains("href=\"#table-5\""));
    assert!(page.contains("2 further ones have these numbers only") && !page.contains("#table-6"));
}

#[test]
fn two_hundred_columns_stay_below_five_megabytes() {
    let names: Vec<String> =
        (0..200).map(|column| format!("a rather long name of column {column}")).collect();
    let levels: Vec<String> = (0..300).map(|level| format!("a rather long level {level}")).collect();
    let (real, fake) = (mixed(150, 1, &names, &levels), mixed(150, 2, &names, &levels));
    let page = of_release(&certificate(&pure(), 5000), &real);
    assert!(page.len() < 5_000_000, "{}", page.len());
    assert!(
        !page.contains("have no figure")
            && page.contains(
                "Further columns: a rather long name of column 180 to a rather long name of column 199 (20)"
            )
            && page.contains("120 further columns are in the table of partners")
            && page.contains("further steps are in certificate.json")
    );
    assert_sound(&page);
    let synthetic: Vec<(String, Table)> = (0..3).map(|k| (format!("{k}.csv"), fake.clone())).collect();
    let partition =
        Discriminator::Partition(indistinct::discriminator::partition::PartitionParams::new(2).unwrap());
    let page = of_evaluation(&real, &synthetic, partition);
    assert!(page.len() < 5_000_000, "{}", page.len());
    assert!(page.contains("further pairs are in the output of --json"));
    assert_sound(&page);
}

#[test]
fn one_column_and_few_rows_have_pages_too() {
    let one = Table::new(vec![Column::float("x", vec![1.0, 1.0])]).unwrap();
    assert_sound(&of_release(&certificate(&pure(), 1), &one));
    let page =
        of_evaluation(&one, &[("x".to_owned(), one.clone())], Discriminator::Cart(CartParams::default()));
    assert_sound(&page);
    assert!(page.contains("One column") && page.contains("No tree splits"));
    let missing = Table::new(vec![
        Column::float("x", vec![f64::NAN; 3]),
        Column::nominal("c", &["a"], vec![MISSING_CODE; 3]),
    ])
    .unwrap();
    assert_sound(&of_release(&certificate(&pure(), 1), &missing));
    assert_sound(&of_evaluation(
        &missing,
        &[("x".to_owned(), missing.clone())],
        Discriminator::Cart(CartParams::default()),
    ));
}

/// Names that would break a page that trusts them.
fn hostile() -> impl Strategy<Value = String> {
    let known = [
        "<script>alert(1)</script>",
        "</style><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "</title></svg></text>",
        "<!--",
        "]]>",
        "&lt;b&gt; &amp; &#60;",
        "{{ 7 * 7 }}{% raw %}",
        "\u{202e}txet desrever",
        "مرحبا بالعالم",
        "\0\u{1}\u{7f}\u{fffe}",
        "javascript:alert(1)",
        "a\nb\tc",
    ];
    prop_oneof![
        3 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
        2 => any::<String>(),
        1 => "[<>&\"'/={}%# a-z]{0,40}",
        1 => (1usize..5000).prop_map(|length| "<wide>".repeat(length)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn hostile_names_never_break_a_page(
        names in proptest::collection::vec(hostile(), 7), levels in proptest::collection::vec(hostile(), 3), file in hostile(),
    ) {
        // Names must differ; what makes them differ stands at the end, where shortening keeps it.
        let distinct = |names: Vec<String>| -> Vec<String> {
            names.into_iter().enumerate().map(|(place, name)| format!("{name}{place}")).collect()
        };
        let (names, levels) = (distinct(names), distinct(levels));
        let (real, fake) = (mixed(60, 1, &names, &levels), mixed(60, 2, &names, &levels));
        let table_name = format!("{file}.csv");
        let certificate = certificate(&pure(), 3);
        let page = release_page(ReleasePage { certificate: &certificate, table: &real, table_name: &table_name, bars: None }).unwrap();
        assert_sound(&page);
        prop_assert!(page.len() < 1_000_000);
        let page = of_evaluation(&real, &[(file, fake)], Discriminator::Cart(CartParams::default()));
        assert_sound(&page);
        let turned = page.contains(['\0', '\u{202e}']);
        prop_assert!(!turned);
        prop_assert!(page.len() < 1_500_000);
    }
}
