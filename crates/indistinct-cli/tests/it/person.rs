//! `indistinct synth --person`: rows of a person are told by a column, and bounded in number before anything else looks.

use super::synth::certificate;
use super::{MARK, Workbench, stderr, stdout};

const SCHEMA: &str =
    "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n[[column]]\nname = \"k\"\ntype = \"integer\"\n";
const LEVELS: &str = "[[column]]\nname = \"level\"\ntype = \"nominal\"\nlevels = [\"low\", \"high\"]\n";

/// Visits of persons who have one to five rows each, mixed up: person, number, whole number, level.
fn visits(persons: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for visit in 0..5 {
        for person in (0..persons).filter(|person| person % 5 >= visit) {
            let noise = (person * 7919 + visit * 104_729) % 1000;
            let x = noise as f64 / 37.0;
            rows.push(format!("{MARK}{person},{x:.3},{},{}", noise % 9 + visit, ["low", "high"][noise % 2]));
        }
    }
    rows
}

fn table(rows: &[String]) -> String {
    format!("id,x,k,level\n{}\n", rows.join("\n"))
}

/// The same without the first column.
fn without_persons(table: &str) -> String {
    table.lines().map(|line| format!("{}\n", line.split_once(',').unwrap().1)).collect()
}

fn read(bench: &Workbench, name: &str) -> String {
    std::fs::read_to_string(bench.path(name)).unwrap()
}

#[test]
fn the_guarantee_is_for_persons_and_says_so() {
    let bench = Workbench::new();
    let rows = visits(603);
    bench.file("visits.csv", table(&rows));
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    // Persons have 1, 2, 3, 4 and 5 rows, about 120 of each: 121 + 2 * 482 of 1806 are kept.
    assert_eq!(rows.len(), 1806);
    let first = ["synth", "visits.csv", "--schema", "visits.toml", "--epsilon", "8", "--person", "id"];
    let rest = ["--rows-per-person", "2", "--score-epsilon", "0.4"];
    let output = bench.run(&[&first[..], &rest[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("every person in column `id`, by at most 2 rows of each"), "{said}");
    assert!(said.contains("how many of them were kept is not hidden"), "{said}");

    let found = certificate(&bench, "release");
    assert_eq!((&found["rows"], &found["columns"]), (&1085.into(), &3.into()));
    assert_eq!(found["guarantee"]["kind"], "pure");
    let proven = "substitute all rows of one person by rows of which as many are kept, at most 2";
    assert_eq!(found["neighbours"], proven);
    assert_eq!(
        found["person"],
        serde_json::json!({"column": "id", "rows_per_person": 2, "proof": "rows_of_a_person"})
    );
    assert_eq!(found["rows_per_person"], 2);
    let outside = found["outside_the_guarantee"][0].as_str().unwrap();
    assert!(outside.contains("rows that were kept, 1085, at most 2 of each person"), "{outside}");
    let text = read(&bench, "release/synthetic.csv");
    assert!(text.starts_with("x,k,level\n") && text.lines().count() == 1086);

    let verified = bench.done(&["verify", "release"]);
    assert!(
        verified.contains("all rows of one person in column `id`, up to 2 of which were kept"),
        "{verified}"
    );
    assert_eq!(bench.json(&["verify", "release", "--json"])["person"], found["person"]);
    let page = read(&bench, "release/report.html");
    for part in [
        "every person in column id",
        "all rows of one person were substituted by rows of which as many are kept",
        "rows kept, 3 columns",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // Neither who they are, nor how many persons or rows there were, is told anywhere.
    let tells = |text: &str, number: &str| {
        let mut words = text.split(|letter: char| !letter.is_ascii_digit() && !".,-".contains(letter));
        words.any(|word| word == number)
    };
    // Hashes hold any digits.
    let mut without_hashes = found.clone();
    without_hashes["files"] = serde_json::Value::Null;
    let found = without_hashes;
    for text in [&said, &stderr(&output), &verified, &found.to_string()] {
        assert!(["603", "721"].iter().all(|number| !tells(text, number)), "{text}");
    }
    for text in
        [said, stderr(&output), verified, page, text, found.to_string(), read(&bench, "release/model.json")]
    {
        assert!(!text.contains(MARK), "{text}");
        assert!(!tells(&text, "1806") && !tells(&text, "1,806"));
    }
    // A certificate that forgets whose rows it is about claims something else.
    let changed = read(&bench, "release/certificate.json").replace("all rows of one person", "one row");
    bench.file("release/certificate.json", changed);
    assert_eq!(bench.run(&["verify", "release"]).status.code(), Some(3));
}

#[test]
fn where_all_rows_are_kept_everything_is_as_without_the_column() {
    let bench = Workbench::new();
    let all = table(&visits(500));
    bench.file("visits.csv", &all);
    bench.file("plain.csv", without_persons(&all));
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    let identifier = "[[column]]\nname = \"id\"\ntype = \"identifier\"\n";
    bench.file("identifier.toml", format!("{SCHEMA}{LEVELS}{identifier}"));
    let run = |table: &str, more: &[&str], out: &str| {
        let common = ["--epsilon", "20", "--seed", "5", "--rows-per-person", "5", "--quiet"];
        bench.done(&[&["synth", table, "--out", out], more, &common[..]].concat());
    };
    run("plain.csv", &["--schema", "visits.toml"], "plain");
    run("visits.csv", &["--schema", "visits.toml", "--person", "id"], "persons");
    run("visits.csv", &["--schema", "identifier.toml", "--person", "id"], "identifier");
    for other in ["persons", "identifier"] {
        for file in ["synthetic.csv", "model.json"] {
            assert!(
                read(&bench, &format!("plain/{file}")) == read(&bench, &format!("{other}/{file}")),
                "{file}"
            );
        }
    }
    // The schema that reads past persons is good for comparing, too: synthetic tables do not have them.
    let first = ["evaluate", "visits.csv", "identifier/synthetic.csv", "--schema", "identifier.toml"];
    bench.done(&[&first[..], &["--null", "none"]].concat());
    // Also where the schema is drafted.
    run("plain.csv", &[], "drafted");
    run("visits.csv", &["--person", "id"], "drafted-persons");
    assert!(read(&bench, "drafted/model.json") == read(&bench, "drafted-persons/model.json"));
    assert_eq!(certificate(&bench, "drafted-persons")["columns"], 3);
}

#[test]
fn a_seed_repeats_the_choice_and_others_choose_otherwise() {
    let bench = Workbench::new();
    bench.file("visits.csv", table(&visits(600)));
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    let run = |seed: &str, out: &str| {
        let first = ["synth", "visits.csv", "--schema", "visits.toml", "--epsilon", "4", "--quiet"];
        bench.done(&[&first[..], &["--person", "id", "--seed", seed, "--out", out]].concat());
        read(&bench, &format!("{out}/model.json"))
    };
    assert!(run("1", "one") == run("1", "again"));
    assert!(run("2", "two") != run("1", "once more"));
    assert_eq!(certificate(&bench, "one")["rows"], 600);
}

#[test]
fn rows_that_are_left_out_are_seen_by_nothing() {
    let bench = Workbench::new();
    let mut rows = visits(400);
    // One person has forty rows, half of which are not as declared.
    for visit in 0..40 {
        let level = if visit % 2 == 0 { MARK } else { "low" };
        rows.insert(10 * visit, format!("{MARK}x,{visit}.5,1,{level}"));
    }
    bench.file("visits.csv", table(&rows));
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    let (mut fine, mut refused) = (0, Vec::new());
    for seed in 0..12 {
        let seed = seed.to_string();
        let first = ["synth", "visits.csv", "--schema", "visits.toml", "--epsilon", "4", "--person", "id"];
        let output = bench.run(&[&first[..], &["--dry-run", "--quiet", "--seed", &seed]].concat());
        if output.status.success() {
            fine += 1;
        } else {
            refused.push(stderr(&output));
        }
    }
    assert!(fine > 0 && !refused.is_empty(), "{fine}");
    for text in refused {
        assert!(text.contains("column `level`: the value is not one of the declared levels"), "{text}");
        assert!(!text.contains(MARK), "{text}");
        let row: usize = text.split("row ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        assert!(rows[row - 1].ends_with(MARK), "the row is counted as in the file: {text}");
    }
}

#[test]
fn comparison_methods_and_dry_runs_know_persons() {
    let bench = Workbench::new();
    let numbers =
        visits(600).iter().map(|row| row.rsplit_once(',').unwrap().0.to_owned()).collect::<Vec<_>>();
    bench.file("visits.csv", format!("id,x,k\n{}\n", numbers.join("\n")));
    bench.file("visits.toml", SCHEMA);
    let first =
        ["synth", "visits.csv", "--schema", "visits.toml", "--epsilon", "8", "--person", "id", "--quiet"];
    let bayes = ["--method", "noisy-bayes", "--bounds", "0:50", "--rows-per-person", "3", "--json"];
    let found = bench.json(&[&first[..], &bayes[..]].concat());
    assert_eq!(found["person"]["rows_per_person"], 3);
    assert_eq!(found["rows"], 120 + 2 * 120 + 3 * 360);
    assert_eq!(found["guarantee"]["kind"], "pure");
    bench.done(&["verify", "release"]);
    let names = bench.names();
    let split = bench.json(&[&first[..], &["--model", "normal", "--dry-run", "--json"]].concat());
    assert_eq!(split["model"], "normal");
    assert_eq!(bench.names(), names);
}

#[test]
fn a_ledger_knows_the_table_with_and_without_its_persons() {
    let bench = Workbench::new();
    let all = table(&visits(500));
    bench.file("visits.csv", &all);
    bench.file("plain.csv", without_persons(&all));
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "30"]);
    let run = |more: &[&str]| {
        let common =
            ["--schema", "visits.toml", "--epsilon", "12", "--ledger", "ledger", "--force", "--quiet"];
        bench.run(&[&["synth"], more, &common[..]].concat())
    };
    assert_eq!(run(&["visits.csv", "--person", "id"]).status.code(), Some(0));
    assert_eq!(run(&["plain.csv"]).status.code(), Some(0), "the same columns are released");
    let output = run(&["visits.csv", "--person", "id"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(!read(&bench, "ledger").contains(MARK));
}

#[test]
fn what_cannot_tell_persons_apart_is_refused() {
    let bench = Workbench::new();
    let mut rows = visits(300);
    bench.file("visits.csv", table(&rows));
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    let float = "[[column]]\nname = \"id\"\ntype = \"integer\"\n";
    bench.file("declared.toml", format!("{SCHEMA}{LEVELS}{float}"));
    rows[16] = rows[16].split_once(',').unwrap().1.to_owned();
    rows[16].insert_str(0, "NA,");
    bench.file("hole.csv", table(&rows));
    bench.file("ids.csv", "id\n1\n2\n");
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let (ledger, names) = (read(&bench, "ledger"), bench.names());
    for (table, schema, more, parts) in [
        (
            "hole.csv",
            "visits.toml",
            &["--person", "id"][..],
            ["row 17, column `id`", "the person is missing"],
        ),
        ("visits.csv", "visits.toml", &["--person", "pid"], ["no column `pid`", "spelling"]),
        (
            "visits.csv",
            "declared.toml",
            &["--person", "id"],
            ["the schema declares column `id`", "identifier"],
        ),
        (
            "visits.csv",
            "visits.toml",
            &["--person", "id", "--rows-per-person", "0"],
            ["the rows of a person", "1"],
        ),
        (
            "visits.csv",
            "visits.toml",
            &["--person", "x"],
            ["the schema declares column `x` as", "not released"],
        ),
        ("visits.csv", "visits.toml", &[], ["does not declare column 1 of the file", "identifier"]),
        ("ids.csv", "visits.toml", &["--person", "id"], ["no columns", "right table"]),
    ] {
        let first = ["synth", table, "--schema", schema, "--epsilon", "4", "--ledger", "ledger", "--quiet"];
        let output = bench.run(&[&first[..], more].concat());
        let text = stderr(&output);
        let code = if more.contains(&"0") { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{text}");
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in: {text}");
        }
        assert!(!text.contains(MARK) && text.lines().count() == 2, "{text}");
    }
    assert_eq!((read(&bench, "ledger"), bench.names()), (ledger, names), "nothing charged, nothing written");
}

#[test]
fn a_person_is_one_however_the_number_is_spelled() {
    let bench = Workbench::new();
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    let rows = |spelled: &dyn Fn(usize, usize) -> String| {
        let row = |row: usize| {
            let noise = row * 7919 % 1000;
            format!(
                "{},{}.5,{},{}\n",
                spelled(100_000 + row / 2, row % 2),
                noise % 50,
                noise % 9,
                ["low", "high"][noise % 2]
            )
        };
        (0..600).map(row).fold("id,x,k,level\n".to_owned(), |text, row| text + &row)
    };
    // Two rows of each of 300 persons: the second time as R writes large numbers.
    bench.file(
        "visits.csv",
        rows(&|person, time| {
            if time == 0 { person.to_string() } else { format!("{}e+05", person as f64 / 1e5) }
        }),
    );
    bench.file("same.csv", rows(&|person, _| person.to_string()));
    let synth = |file: &str| {
        let first =
            ["synth", file, "--schema", "visits.toml", "--epsilon", "8", "--person", "id", "--seed", "4"];
        let certificate = bench.json(&[&first[..], &["--force", "--quiet", "--json"]].concat());
        assert_eq!(certificate["rows"], 300);
        std::fs::read(bench.path("release/synthetic.csv")).unwrap()
    };
    assert_eq!(synth("visits.csv"), synth("same.csv"));
}

#[test]
fn rows_of_nobody_are_left_out_where_invalid_cells_are_missing() {
    let bench = Workbench::new();
    bench.file("visits.toml", format!("{SCHEMA}{LEVELS}"));
    let all = visits(300);
    let mut with = all.clone();
    with.insert(40, format!("NA,{}", all[40].split_once(',').unwrap().1));
    bench.file("visits.csv", table(&with));
    bench.file("without.csv", table(&all));
    let synth = |file: &str| {
        let first =
            ["synth", file, "--schema", "visits.toml", "--epsilon", "8", "--person", "id", "--seed", "4"];
        bench.done(&[&first[..], &["--force", "--quiet", "--invalid", "missing"]].concat());
        std::fs::read(bench.path("release/synthetic.csv")).unwrap()
    };
    assert_eq!(synth("visits.csv"), synth("without.csv"));
}
