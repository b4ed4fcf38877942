//! Everything that leaves the command, on neighbouring tables: with all that was charged replayed from the first run, nothing
//! at all may differ. Only with the feature `broken`, which has the recorder:
//!
//!     cargo nextest run --workspace --features indistinct-cli/broken --test surface
//!
//! What differs without the recorder is downstream of noise and choices that were paid for; whatever differs with it has
//! left the private rows by another way: a type, a level, a message, a refusal, a file's metadata.

#![expect(clippy::unwrap_used, reason = "a test that cannot write its files has failed")]

mod neighbours;
mod run;
#[path = "../../../indistinct-io/tests/sheets/mod.rs"]
mod sheets;

use neighbours::{NUMBERS, ONLY, PEOPLE, PERSONS, SHEET, Table};
use run::{Surface, difference, surface, surface_and};

/// What differs between the surfaces of two neighbouring tables, if anything does.
fn leak(
    schema: Option<&str>,
    before: &Table,
    after: &Table,
    ending: &str,
    options: &[&str],
) -> Option<String> {
    leak_and(schema, before, after, ending, options, &[])
}

/// The same with commands that are given the release afterwards.
fn leak_and(
    schema: Option<&str>,
    before: &Table,
    after: &Table,
    ending: &str,
    options: &[&str],
    afterwards: &[&[&str]],
) -> Option<String> {
    let tape = tempfile::NamedTempFile::new().unwrap();
    std::fs::remove_file(tape.path()).unwrap();
    let shown = |table: &Table| surface_and((schema, table), ending, options, Some(tape.path()), afterwards);
    let (first, second): (Surface, Surface) = (shown(before), shown(after));
    assert!(first.contains_key("release/certificate.json"), "{options:?}: {:?}", first.get("synth"));
    difference(&first, &second)
}

#[test]
fn tables_of_any_columns() {
    for after in PEOPLE.neighbours() {
        for (ending, options) in [
            ("csv", &[][..]),
            ("csv", &["--delta", "0.00001", "--score-epsilon", "0.5", "--draws", "2", "--tables", "2"]),
            ("csv.gz", &["--rows", "50"]),
            ("tsv", &[]),
            ("parquet", &[]),
            ("arrow", &["--delta", "0.00001"]),
        ] {
            let found = leak(Some(PEOPLE.schema), &PEOPLE.table(), &after, ending, options);
            assert_eq!(found, None, "{ending} {options:?}");
        }
    }
}

#[test]
fn tables_of_numbers() {
    for after in NUMBERS.neighbours() {
        for (ending, options) in [
            ("csv", &[][..]),
            ("parquet", &["--delta", "0.00001", "--score-epsilon", "0.5", "--draws", "2"]),
            ("csv", &["--discriminator", "optimal", "--candidates", "30", "--measure-share", "0"]),
            ("csv", &["--discriminator", "private-tree", "--candidates", "30"]),
            ("csv", &["--quality", "pmse"]),
            ("csv", &["--model", "normal"]),
            ("csv", &["--method", "noisy-bayes", "--bounds", "-40:40"]),
            ("csv", &["--method", "smooth-histogram", "--bounds", "-40:40", "--bins", "5"]),
        ] {
            let found = leak(Some(NUMBERS.schema), &NUMBERS.table(), &after, ending, options);
            assert_eq!(found, None, "{ending} {options:?}");
        }
    }
}

/// What is told from the rows of a sheet or an archive: the cells of a row follow from this row alone.
#[test]
fn sheets_and_archives() {
    for after in SHEET.neighbours() {
        for ending in ["xlsx", "ods", "zip"] {
            let options = ["--invalid", "missing"];
            let found = leak(Some(SHEET.schema), &SHEET.table(), &after, ending, &options);
            assert_eq!(found, None, "{ending}");
        }
    }
}

#[test]
fn missing_values_of_an_only_column() {
    for after in ONLY.neighbours() {
        for (ending, more) in [("csv", &[][..]), ("tsv", &[]), ("zip", &[]), ("csv", &["--memory", "64MB"])] {
            let options = [&["--invalid", "missing"], more].concat();
            let found = leak(Some(ONLY.schema), &ONLY.table(), &after, ending, &options);
            assert_eq!(found, None, "{ending} {more:?}");
        }
    }
}

/// What rehearsals write and say of a release follows from the release.
#[test]
fn rehearsals_and_bars() {
    let cases: [(_, &[&str], _); 2] = [
        (&NUMBERS, &["--neighbours", "add-remove"], "mean(k)"),
        (&PERSONS, &["--person", "id", "--rows-per-person", "2"], "share(ward == 'a')"),
    ];
    for (case, options, statistic) in cases {
        let after = case.neighbours().pop().unwrap();
        let afterwards: [&[&str]; 2] = [
            &["interval", "release", statistic, "--replicates", "20", "--json", "--html", "bars.html"],
            &["rehearse", "release", "--replicates", "2", "--out", "rehearsals"],
        ];
        let found = leak_and(Some(case.schema), &case.table(), &after, "csv", options, &afterwards);
        assert_eq!(found, None, "{options:?}");
    }
}

#[test]
fn rows_of_persons() {
    for after in PERSONS.neighbours() {
        for (ending, more) in [("csv", &[][..]), ("tsv", &[]), ("xlsx", &[]), ("csv", &["--memory", "64MB"])]
        {
            let options = [&["--person", "id", "--rows-per-person", "2"], more].concat();
            let found = leak(Some(PERSONS.schema), &PERSONS.table(), &after, ending, &options);
            assert_eq!(found, None, "{ending} {more:?}");
        }
    }
}

/// Where rows may be added or removed, not even their number shows.
#[test]
fn tables_with_a_row_more() {
    let shortened = [&PEOPLE, &NUMBERS].map(|case| (case, vec![case.shortened()]));
    let persons = (&PERSONS, PERSONS.neighbours());
    for (case, tables) in shortened.into_iter().chain([persons, (&PERSONS, vec![PERSONS.shortened()])]) {
        for after in &tables {
            let of_persons: &[&str] = if case.schema == PERSONS.schema {
                &["--person", "id", "--rows-per-person", "3"]
            } else {
                &[]
            };
            for (ending, options) in [
                ("csv", &[][..]),
                ("tsv", &["--delta", "0.00001", "--score-epsilon", "0.5", "--draws", "2"]),
                ("csv", &["--rows", "50"]),
            ] {
                let options = [options, of_persons, &["--neighbours", "add-remove"]].concat();
                let found = leak(Some(case.schema), &case.table(), after, ending, &options);
                assert_eq!(found, None, "{ending} {options:?}");
            }
        }
    }
}

/// A table without rows is a neighbour of a table of one: neither is refused before the number of rows is charged.
#[test]
fn tables_without_rows() {
    for (case, of_persons) in
        [(&PEOPLE, &[][..]), (&NUMBERS, &[]), (&PERSONS, &["--person", "id", "--rows-per-person", "3"])]
    {
        for ending in ["csv", "tsv"] {
            let tape = tempfile::NamedTempFile::new().unwrap();
            std::fs::remove_file(tape.path()).unwrap();
            let options = [of_persons, &["--neighbours", "add-remove"]].concat();
            let shown =
                |table: &Table| surface(Some(case.schema), table, ending, &options, Some(tape.path()));
            let found = difference(&shown(&case.one_row()), &shown(&case.no_rows()));
            assert_eq!(found, None, "{ending} {options:?}");
        }
    }
}

/// What a draft learns shows, and the certificate says so in the promise itself.
#[test]
fn what_differs_without_a_schema_is_a_condition_of_the_guarantee() {
    let mut differ = 0;
    for after in PEOPLE.neighbours() {
        let tape = tempfile::NamedTempFile::new().unwrap();
        std::fs::remove_file(tape.path()).unwrap();
        // Another number of cells may be asked for: what was recorded would not fit.
        let first = surface(None, &PEOPLE.table(), "csv", &[], None);
        let second = surface(None, &after, "csv", &[], None);
        let Some(second) = second.contains_key("release/certificate.json").then_some(second) else {
            continue;
        };
        for shown in [first, second] {
            let certificate: serde_json::Value =
                serde_json::from_str(&shown["release/certificate.json"]).unwrap();
            let guarantee = &certificate["guarantee"];
            assert_eq!(guarantee["kind"], "conditional", "{guarantee}");
            let provided = guarantee["provided"].as_array().unwrap();
            assert!(provided.iter().any(|condition| condition.as_str().unwrap().contains("drafted")));
            differ += 1;
        }
    }
    assert!(differ > 0);
}

/// The recorder hides nothing: other rows give other releases where charges are not replayed, and the test has something to see.
#[test]
fn without_the_recorder_releases_differ() {
    let shown = |table: &Table| surface(Some(PEOPLE.schema), table, "csv", &[], None);
    assert!(difference(&shown(&PEOPLE.table()), &shown(&PEOPLE.table())).is_some());
    let short = PEOPLE.shortened();
    let tape = tempfile::NamedTempFile::new().unwrap();
    std::fs::remove_file(tape.path()).unwrap();
    let shown = |table: &Table| surface(Some(PEOPLE.schema), table, "csv", &[], Some(tape.path()));
    let found = difference(&shown(&PEOPLE.table()), &shown(&short));
    assert!(found.is_some(), "the number of rows is public, and is seen");
}
