//! Marked private values reach nothing but what they are declared for: every command, and many ways to fail.
//!
//! Searched is every byte of standard output, standard error and every file that a run leaves, under whatever name. What the
//! schema declares (levels, limits) is public, and may stand where synthetic values stand. Not searched is what is for the data
//! holder only, and says so: what `schema` and `evaluate` *find*. What they say when they fail is.

use std::collections::BTreeMap;
use std::process::Output;

use assert_cmd::Command;

use super::Workbench;

mod unlisted;

/// What no output may hold: numbers, text, dates and persons.
const MARKS: [&str; 5] = ["918273645", "91827364", "MARK-7f3a", "2093-07-31", "PERSON-4c"];
/// Parts of them, which synthetic numbers and dates may have by chance and nothing else may.
const PARTS: [&str; 3] = ["0x7f3a", "/2093", "2093-"];
/// A level that is declared, so that synthetic values may be it.
const DECLARED: &str = "LEVEL-9e1d";

const SCHEMA: &str = r#"version = 1
[[column]]
name = "amount"
type = "float"
decimals = 3
[[column]]
name = "visits"
type = "integer"
[[column]]
name = "seen"
type = "date"
format = "%Y-%m-%d"
[[column]]
name = "at"
type = "datetime"
format = "%Y-%m-%dT%H:%M:%S"
[[column]]
name = "flag"
type = "boolean"
false = "no"
true = "yes"
[[column]]
name = "group"
type = "nominal"
levels = ["a", "b", "LEVEL-9e1d"]
[[column]]
name = "grade"
type = "ordered"
levels = ["low", "mid", "high"]
"#;
const NUMBERS: &str =
    "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n[[column]]\nname = \"y\"\ntype = \"float\"\n";
const HEADER: &str = "id,amount,visits,seen,at,flag,group,grade\n";

/// Rows of every type. Row 17 has a mark in every column that needs no declaration, and each person is a mark.
fn rows(count: usize) -> Vec<[String; 8]> {
    let row = |row: usize| {
        let noise = row * 7919 % 1000;
        let mut cells = [
            format!("PERSON-4c{}", row / 2),
            format!("{}.{:03}", noise / 10, noise),
            (noise % 7).to_string(),
            format!("2021-{:02}-{:02}", noise % 12 + 1, noise % 28 + 1),
            format!("2021-{:02}-{:02}T{:02}:00:00", noise % 12 + 1, noise % 28 + 1, noise % 24),
            ["no", "yes"][noise % 2].to_owned(),
            ["a", "b", DECLARED][noise % 3].to_owned(),
            ["low", "mid", "high"][noise / 3 % 3].to_owned(),
        ];
        if row == 17 {
            for (cell, mark) in
                [(1, "918273645.125"), (2, "91827364"), (3, "2093-07-31"), (4, "2093-07-31T23:59:57")]
            {
                mark.clone_into(&mut cells[cell]);
            }
        }
        cells
    };
    (0..count).map(row).collect()
}

fn text(rows: &[[String; 8]]) -> String {
    rows.iter().fold(HEADER.to_owned(), |text, row| text + &row.join(",") + "\n")
}

/// The table with something else in one cell of row 17.
fn with(column: usize, cell: &str) -> String {
    let mut rows = rows(300);
    cell.clone_into(&mut rows[17][column]);
    text(&rows)
}

/// The same as numbers only.
fn numbers(count: usize) -> String {
    let row = |row: usize| match row {
        17 => "918273645.125,-918273645.125\n".to_owned(),
        _ => format!("{}.5,{}.25\n", row * 7919 % 101, row * 7919 % 101 + row * 31 % 17),
    };
    (0..count).map(row).fold("x,y\n".to_owned(), |text, row| text + &row)
}

/// A schema that also knows the column of persons.
fn declared() -> String {
    format!("{SCHEMA}[[column]]\nname = \"id\"\ntype = \"identifier\"\n")
}

/// All files below the folder with their content.
fn files(bench: &Workbench) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![bench.path("")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn holds(bytes: &[u8], mark: &str) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark.as_bytes())
}

/// Runs the command in the folder, with everything that would make a panic talk.
fn run(bench: &Workbench, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("indistinct").unwrap();
    command
        .current_dir(bench.path(""))
        .args(super::as_baseline(arguments))
        .env("RUST_BACKTRACE", "full")
        .env("RUST_LIB_BACKTRACE", "1");
    command.output().unwrap()
}

/// No mark in what was printed, unless it was `found` for the data holder, nor in files that were not there before.
fn nothing_is_told(
    bench: &Workbench,
    arguments: &[&str],
    output: &Output,
    before: &BTreeMap<String, Vec<u8>>,
    found: bool,
) {
    let everything = [&MARKS[..], &PARTS[..], &[DECLARED]].concat();
    for mark in &everything {
        assert!(!holds(&output.stderr, mark), "{arguments:?}: {mark} on standard error");
        assert!(found || !holds(&output.stdout, mark), "{arguments:?}: {mark} on standard output");
    }
    for (name, content) in files(bench) {
        if before.get(&name) == Some(&content) {
            continue;
        }
        let last = name.rsplit('/').next().unwrap();
        // Declared levels are public, and are where synthetic values are or are made.
        let kinds = ["synthetic", "model.json", "report.html", "more"];
        let synthetic = kinds.iter().any(|kind| last.starts_with(kind)) || last.ends_with(".model.json");
        for mark in if synthetic { &MARKS[..] } else { &everything[..] } {
            assert!(!holds(&content, mark) && !name.contains(mark), "{arguments:?}: {mark} in {name}");
        }
    }
}

#[test]
fn what_succeeds_tells_no_private_value() {
    let bench = Workbench::new();
    bench.file("private.csv", text(&rows(1200)));
    bench.file(
        "plain.csv",
        text(&rows(1200))
            .lines()
            .map(|line| line.split_once(',').unwrap().1.to_owned() + "\n")
            .collect::<String>(),
    );
    bench.file("numbers.csv", numbers(1200));
    bench.file("schema.toml", SCHEMA);
    bench.file("declared.toml", declared());
    bench.file("numbers.toml", NUMBERS);
    let mixed =
        ["synth", "private.csv", "--schema", "schema.toml", "--person", "id", "--rows-per-person", "2"];
    let rest = ["--epsilon", "6", "--force", "--ledger", "ledger"];
    let synth = |more: &[&'static str]| [&mixed[..], &rest[..], more].concat();
    let normal = |more: &[&'static str]| {
        [
            &[
                "synth",
                "numbers.csv",
                "--schema",
                "numbers.toml",
                "--epsilon",
                "6",
                "--out",
                "other",
                "--force",
            ][..],
            more,
        ]
        .concat()
    };
    let one = |arguments: &[&'static str]| arguments.to_vec();
    // What is found for the data holder only is not searched.
    for (found, arguments) in [
        (false, one(&["ledger", "init", "ledger", "--epsilon", "100", "--delta", "0.001"])),
        (false, synth(&["--dry-run"])),
        (false, synth(&["--dry-run", "--json"])),
        (false, synth(&["--score-epsilon", "0.1"])),
        (false, synth(&["--json", "--delta", "1e-6", "--draws", "2", "--tables", "2"])),
        (false, synth(&["--format", "parquet"])),
        (false, synth(&[])),
        (false, [&mixed[..], &["--epsilon", "6", "--out", "seeded", "--seed", "3"]].concat()),
        (
            false,
            one(&["synth", "private.csv", "--schema", "declared.toml", "--epsilon", "6", "--out", "by-rows"]),
        ),
        // A schema that is drafted: dates and levels of the private table are then outside the guarantee, so only numbers here.
        (false, one(&["synth", "numbers.csv", "--epsilon", "6", "--out", "drafted"])),
        (false, normal(&["--score-epsilon", "0.1", "--json"])),
        (false, normal(&["--discriminator", "optimal", "--measure-share", "0.5", "--candidates", "50"])),
        (false, normal(&["--discriminator", "private-tree", "--measure-share", "0.5", "--candidates", "50"])),
        (false, normal(&["--sampler", "metropolis", "--steps", "300", "--chains", "2"])),
        (false, normal(&["--method", "posterior-predictive"])),
        (false, normal(&["--method", "noisy-bayes", "--bounds", "0:200"])),
        (false, normal(&["--method", "smooth-histogram", "--bounds", "0:200", "--bins", "8"])),
        (false, one(&["ledger", "show", "ledger"])),
        (false, one(&["ledger", "show", "ledger", "--json"])),
        (false, one(&["ledger", "verify", "ledger"])),
        (false, one(&["verify", "release"])),
        (false, one(&["verify", "release", "--json"])),
        (false, one(&["sample", "release/model.json", "--rows", "50", "--out", "more.csv"])),
        (
            false,
            one(&[
                "sample",
                "release/model.json",
                "--rows",
                "50",
                "--out",
                "more.parquet",
                "--where",
                "amount > 5",
            ]),
        ),
        (false, one(&["combine", "release/synthetic.csv", "--formula", "amount ~ visits + flag"])),
        (
            true,
            one(&[
                "evaluate",
                "plain.csv",
                "release/synthetic.csv",
                "--schema",
                "schema.toml",
                "--null",
                "none",
            ]),
        ),
        (true, one(&["schema", "private.csv"])),
    ] {
        let before = files(&bench);
        let output = run(&bench, &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        nothing_is_told(&bench, &arguments, &output, &before, found);
        // What may tell does: the search would find it elsewhere, too.
        assert!(arguments[0] != "schema" || holds(&output.stdout, DECLARED));
    }
    assert!(holds(&files(&bench)[&bench.path("release/model.json").display().to_string()], DECLARED));
}

/// Private tables that cannot be released, by name, with the schema for them.
fn damaged() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let line = |row: &str| [text(&rows(300)).as_bytes(), row.as_bytes()].concat();
    let parquet = || [b"PAR1 MARK-7f3a 918273645.125".as_slice(), &[7, 0, 0, 0], b"PAR1"].concat();
    let csv = |text: String| text.into_bytes();
    vec![
        ("date.csv", csv(with(3, "31/07/2093")), "schema.toml"),
        ("datetime.csv", csv(with(4, "2093-07-31 MARK-7f3a")), "schema.toml"),
        ("level.csv", csv(with(6, "MARK-7f3a")), "schema.toml"),
        ("ordered.csv", csv(with(7, "MARK-7f3a")), "schema.toml"),
        ("boolean.csv", csv(with(5, "MARK-7f3a")), "schema.toml"),
        ("infinite.csv", csv(with(1, "918273645e999")), "schema.toml"),
        ("text.csv", csv(with(1, "MARK-7f3a")), "schema.toml"),
        ("payload.csv", csv(with(1, "nan(0x7f3a)")), "schema.toml"),
        ("fraction.csv", csv(with(2, "918273645.125")), "schema.toml"),
        ("large.csv", csv(with(2, "9182736459182736459182736459")), "schema.toml"),
        ("nobody.csv", csv(with(0, "")), "schema.toml"),
        ("short.csv", line("PERSON-4c,918273645.125,2\n"), "schema.toml"),
        (
            "long.csv",
            line("PERSON-4c,918273645.125,2,2093-07-31,MARK-7f3a,yes,a,low,MARK-7f3a\n"),
            "schema.toml",
        ),
        ("open.csv", line("PERSON-4c,\"918273645.125\n"), "schema.toml"),
        ("stray.csv", line("PERSON-4c,918273645\".125\n"), "schema.toml"),
        ("after.csv", line("PERSON-4c,\"MARK-7f3a\"918273645,\n"), "schema.toml"),
        ("nul.csv", line("PERSON-4c,\0MARK-7f3a\n"), "schema.toml"),
        ("latin.csv", [line("MARK-7f3a,").as_slice(), b"\xff\n"].concat(), "schema.toml"),
        ("damaged.csv.gz", [b"\x1f\x8b\x08\0".as_slice(), b"MARK-7f3a918273645.125"].concat(), "schema.toml"),
        ("damaged.parquet", parquet(), "schema.toml"),
        (
            "damaged.arrow",
            [b"ARROW1\0\0MARK-7f3a".as_slice(), &[9, 0, 0, 0], b"ARROW1"].concat(),
            "schema.toml",
        ),
        ("misnamed.xlsx", line("PERSON-4c,918273645.125,2\n"), "schema.toml"),
        ("page.xls", b"<table><tr><td>MARK-7f3a</td></tr></table>".to_vec(), "schema.toml"),
        ("undrafted.csv", csv(with(1, "MARK-7f3a")), ""),
        ("drafted-infinite.csv", csv(with(1, "918273645e999")), ""),
        (
            "names.csv",
            csv(text(&rows(300)).replace("amount", "PERSON").replace("PERSON-4c", "MARK-7f3a")),
            "schema.toml",
        ),
    ]
}

/// What is refused though the files are as they should be, and files in each other's place.
fn refused() -> Vec<Vec<&'static str>> {
    let private = ["synth", "private.csv", "--schema", "schema.toml", "--person", "id"];
    let normal = ["synth", "numbers.csv", "--schema", "numbers.toml"];
    let more = |first: &[&'static str], rest: &[&'static str]| [first, rest].concat();
    vec![
        more(&private, &["--epsilon", "9", "--ledger", "spent"]),
        more(&private, &["--epsilon", "0.0001"]),
        // Columns that are hopeless.
        more(&private, &["--epsilon", "1.6"]),
        more(&private, &["--epsilon", "9", "--model", "normal"]),
        more(&private, &["--epsilon", "9", "--out", "private.csv"]),
        more(&private, &["--epsilon", "9", "--out", "no/such/folder"]),
        more(&["synth", "private.csv", "--person", "id"], &["--epsilon", "9", "--schema", "twice.toml"]),
        more(&["synth", "private.csv", "--person", "id"], &["--epsilon", "9", "--schema", "rare.toml"]),
        more(&["synth", "private.csv", "--person", "id"], &["--epsilon", "9", "--schema", "numbers.toml"]),
        more(&["synth", "private.csv", "--person", "group"], &["--epsilon", "9", "--schema", "schema.toml"]),
        more(&normal, &["--epsilon", "0.0001"]),
        more(&normal, &["--epsilon", "9", "--method", "noisy-bayes", "--bounds", "5:1"]),
        more(
            &["synth", "constant.csv", "--schema", "numbers.toml"],
            &["--epsilon", "9", "--method", "posterior-predictive"],
        ),
        more(
            &["synth", "constant.csv", "--schema", "numbers.toml"],
            &["--epsilon", "9", "--method", "noisy-bayes", "--bounds", "4sd"],
        ),
        // Files in each other's place.
        more(&["synth", "numbers.csv", "--schema", "private.csv"], &["--epsilon", "9"]),
        more(&["synth", "numbers.csv", "--schema", "private.json"], &["--epsilon", "9"]),
        more(&["synth", "numbers.csv", "--ledger", "private.csv"], &["--epsilon", "9"]),
        more(&["synth", "private.json"], &["--epsilon", "9"]),
        more(&["sample", "private.csv"], &["--rows", "5", "--out", "more.csv"]),
        more(&["sample", "private.json"], &["--rows", "5", "--out", "more.csv"]),
        more(&["ledger", "show"], &["private.csv"]),
        more(&["ledger", "verify"], &["private.json"]),
        more(&["verify"], &["private.csv"]),
        more(&["combine", "private.csv"], &["--formula", "group ~ amount"]),
        more(&["combine", "numbers.csv"], &["--formula", "x ~ nothing"]),
        more(&["evaluate", "private.csv"], &["numbers.csv"]),
        more(&["evaluate", "private.csv", "private.csv"], &["--predict", "nothing"]),
        more(&["evaluate", "constant.csv", "constant.csv"], &["--predict", "x"]),
        more(&["evaluate", "private.csv", "private.csv"], &["--predict", "amount", "--sample", "9"]),
        more(&["schema", "undrafted.csv"], &[]),
    ]
}

#[test]
fn what_fails_tells_no_private_value_and_leaves_nothing() {
    let bench = Workbench::new();
    bench.file("schema.toml", SCHEMA);
    bench.file("numbers.toml", NUMBERS);
    bench.file(
        "twice.toml",
        format!("{SCHEMA}[[constraint]]\nrule = \"visits < 3\"\n[[constraint]]\nrule = \"visits > 4\"\n"),
    );
    bench.file(
        "rare.toml",
        format!("{SCHEMA}[[constraint]]\nrule = \"visits > 99999 and visits < 99990 + amount\"\n"),
    );
    bench.file("private.csv", text(&rows(300)));
    bench.file("private.json", "[{\"amount\": 918273645.125, \"group\": \"MARK-7f3a\"}]");
    bench.file("numbers.csv", numbers(300));
    bench.file("constant.csv", "x,y\n".to_owned() + &"918273645.125,91827364\n".repeat(300));
    run(&bench, &["ledger", "init", "spent", "--epsilon", "0.5"]);
    run(&bench, &["ledger", "init", "ledger", "--epsilon", "1000"]);
    let mut cases: Vec<Vec<&str>> = Vec::new();
    let broken = damaged();
    for (name, content, schema) in &broken {
        bench.file(name, content);
        let schema: &[&str] = if schema.is_empty() { &[] } else { &["--schema", schema] };
        cases.push(
            [&["synth", *name, "--epsilon", "9", "--person", "id", "--rows-per-person", "2"], schema]
                .concat(),
        );
        // What evaluates and drafts says as little when it fails, though what it finds is for the data holder.
        if !schema.is_empty() && *name != "nobody.csv" {
            cases.push([&["evaluate", *name, "private.csv"], schema].concat());
        }
    }
    let headless = unlisted::headless();
    for (name, content) in &headless {
        bench.file(name, content);
        cases.push(vec!["synth", name, "--epsilon", "9"]);
        cases.push(vec!["synth", name, "--epsilon", "9", "--person", "id"]);
        cases.push(vec!["synth", name, "--epsilon", "9", "--model", "normal"]);
        cases.push(vec!["synth", name, "--epsilon", "9", "--method", "noisy-bayes", "--bounds", "x=0:1"]);
        cases.push(vec!["synth", name, "--epsilon", "9", "--schema", "schema.toml"]);
        cases.push(vec!["schema", name]);
        cases.push(vec!["evaluate", name, "private.csv"]);
        cases.push(vec!["evaluate", "private.csv", name]);
        cases.push(vec!["audit", name, "--epsilon", "9", "--releases", "200"]);
    }
    cases.push(vec!["synth", "headless.csv", "--no-header", "--epsilon", "9", "--schema", "schema.toml"]);
    cases.extend(refused());
    for arguments in cases {
        let variants: &[&[&str]] = match arguments[0] {
            "synth" => &[&[], &["--json"], &["--dry-run"], &["--ledger", "ledger"]],
            _ => &[&[], &["--json"]],
        };
        for variant in variants {
            if variant.contains(&"--ledger") && arguments.contains(&"--ledger") {
                continue;
            }
            let arguments = [&arguments[..], variant].concat();
            let before = files(&bench);
            let output = run(&bench, &arguments);
            let error = String::from_utf8_lossy(&output.stderr);
            // A dry run stops before a ledger, a folder and rows that satisfy constraints are needed.
            let late = ["spent", "private.csv", "no/such/folder", "rare.toml"];
            if variant.contains(&"--dry-run") && arguments[2..].iter().any(|argument| late.contains(argument))
            {
                assert!(output.status.code().is_some(), "{arguments:?}: {error}");
            } else {
                assert!(matches!(output.status.code(), Some(1..=3)), "{arguments:?}: {error}");
                assert!(
                    !error.contains("internal error") && error.contains("error: "),
                    "{arguments:?}: {error}"
                );
                // What `verify` finds wrong is what it was asked for.
                assert!(output.stdout.is_empty() || arguments.contains(&"verify"), "{arguments:?}");
            }
            nothing_is_told(&bench, &arguments, &output, &before, false);
            let charged = |name: &str| name.ends_with("/ledger") || name.ends_with("/ledger.lock");
            // A model that was paid for is kept where its rows cannot obey.
            let obeys = !arguments.contains(&"rare.toml");
            let kept = |name: &str| name.ends_with(".model.json") || name.ends_with(".certificate.json");
            for name in files(&bench).keys() {
                let expected = before.contains_key(name) || charged(name) || (!obeys && kept(name));
                assert!(expected, "{arguments:?} left {name}");
            }
        }
    }
}

/// A disk that is full: files may not grow, and the signal that says so is ignored.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing() {
    let bench = Workbench::new();
    bench.file("private.csv", text(&rows(1200)));
    bench.file("schema.toml", SCHEMA);
    let binary = assert_cmd::cargo::cargo_bin("indistinct");
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; {} synth private.csv --schema schema.toml --person id --epsilon 9",
        binary.display()
    );
    let before = files(&bench);
    let output = Command::new("sh").current_dir(bench.path("")).args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(holds(&output.stderr, "error: "));
    nothing_is_told(&bench, &["a full disk"], &output, &before, false);
    assert_eq!(files(&bench), before, "no part of a release is left");
}
