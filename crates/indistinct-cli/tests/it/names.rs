//! Files without a header: refused where names would be taken from them, and named with `--no-header`.

use super::{Workbench, small, stderr};

#[test]
fn a_file_without_a_header_is_refused_with_advice_and_released_with_no_header() {
    let bench = Workbench::new();
    let text = small(400, 1);
    let (_, body) = text.split_once('\n').unwrap();
    bench.file("headless.csv", body);
    for arguments in [
        &["synth", "headless.csv", "--epsilon", "6"][..],
        &["schema", "headless.csv"],
        &["evaluate", "headless.csv", "headless.csv"],
    ] {
        let output = bench.run(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("the name of column 1 looks like a value"), "{}", stderr(&output));
        assert!(stderr(&output).contains("--no-header") && stderr(&output).contains("add a line"));
    }
    let release = ["synth", "headless.csv", "--no-header", "--epsilon", "6", "--quiet"];
    let certificate = bench.json(&[&release[..], &["--json"]].concat());
    assert_eq!(certificate["rows"], 400, "the first record is a row");
    let synthetic = std::fs::read_to_string(bench.path("release/synthetic.csv")).unwrap();
    assert!(synthetic.starts_with("column1,column2,column3\n"), "{}", &synthetic[..60]);
    bench.done(&["evaluate", "headless.csv", "release/synthetic.csv", "--no-header", "--null", "none"]);
    let draft = bench.done(&["schema", "headless.csv", "--no-header", "--quiet"]);
    assert!(draft.contains("name = \"column1\"\n"), "{draft}");
}

#[test]
fn with_a_schema_columns_are_named_in_its_order() {
    let bench = Workbench::new();
    let text = small(400, 1);
    let (_, body) = text.split_once('\n').unwrap();
    bench.file("headless.csv", body);
    bench.file("table.csv", &text);
    bench.file(
        "schema.toml",
        "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n[[column]]\nname = \"k\"\ntype = \"integer\"\n[[column]]\n\
         name = \"level\"\ntype = \"nominal\"\nlevels = [\"low\", \"high\"]\n",
    );
    let rest = ["--schema", "schema.toml", "--epsilon", "6", "--seed", "1", "--quiet", "--force"];
    let synthetic = |first: &[&str]| {
        bench.done(&[first, &rest[..]].concat());
        std::fs::read(bench.path("release/synthetic.csv")).unwrap()
    };
    assert_eq!(synthetic(&["synth", "headless.csv", "--no-header"]), synthetic(&["synth", "table.csv"]));
    bench.file("wide.csv", body.replace('\n', ",1\n"));
    let output = bench.run(&[&["synth", "wide.csv", "--no-header"][..], &rest].concat());
    assert!(
        stderr(&output).contains("no header and 4 columns, where the schema declares 3"),
        "{}",
        stderr(&output)
    );
}
