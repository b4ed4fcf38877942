//! `indistinct schema`.

use super::{Workbench, kept, stderr};

#[test]
fn a_draft_says_what_it_learned_and_can_be_used_as_it_is() {
    let bench = Workbench::new();
    let (real, synthetic) = (kept("examples/patients.csv"), kept("examples/patients-synthetic.csv"));
    let text = bench.done(&["schema", &real]);
    assert!(text.contains("learned from the private data"), "{text}");
    for (column, kind) in [
        ("age", "integer"),
        ("sex", "nominal"),
        ("smoker", "boolean"),
        ("bmi", "float"),
        ("visits", "ordered"),
        ("admitted", "date"),
    ] {
        let at = text.find(&format!("name = \"{column}\"")).unwrap_or_else(|| panic!("{column}: {text}"));
        let kind = format!("type = \"{kind}\"");
        assert!(text[at..].find(&kind).is_some_and(|distance| distance < 200), "{column}: {text}");
    }
    bench.done(&["schema", &real, "--out", "schema.toml"]);
    assert_eq!(std::fs::read_to_string(bench.path("schema.toml")).unwrap(), text);
    let found = bench.json(&["evaluate", &real, &synthetic, "--schema", "schema.toml", "--json"]);
    assert_eq!(found["tables"][0]["columns"].as_array().unwrap().len(), 10);
}

#[test]
fn a_draft_is_the_word_of_the_data_until_its_marks_are_deleted() {
    let bench = Workbench::new();
    let real = kept("examples/patients.csv");
    let draft = bench.done(&["schema", &real]);
    let (mark, note) =
        (" # learned from the private data:", "the schema has lines that are marked as learned");
    let without =
        |line: &str| line.split(mark.trim_start()).next().unwrap_or_default().trim_end().to_owned() + "\n";
    let reviewed: String = draft.lines().map(without).collect();
    assert!(draft.contains(mark) && !reviewed.contains(mark));
    for (schema, source, is_told) in [(&draft, "drafted from the data", true), (&reviewed, "user", false)] {
        bench.file("schema.toml", schema);
        let arguments = ["synth", &real, "--epsilon", "4", "--schema", "schema.toml", "--json", "--force"];
        let output = bench.run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains(note), is_told, "{}", stderr(&output));
        let certificate = std::fs::read_to_string(bench.path("release").join("certificate.json"));
        let certificate: serde_json::Value = serde_json::from_str(&certificate.unwrap()).unwrap();
        assert_eq!(certificate["schema_source"], source);
        assert_eq!(certificate["guarantee"]["kind"], if is_told { "conditional" } else { "pure" });
        let outside = certificate["outside_the_guarantee"].to_string();
        assert_eq!(outside.contains("read from the data"), is_told, "{outside}");
        bench.done(&["verify", "release"]);
    }
}

#[test]
fn an_existing_file_is_kept_unless_forced() {
    let bench = Workbench::new();
    bench.file("schema.toml", "precious");
    let real = kept("examples/patients.csv");
    let output = bench.run(&["schema", &real, "--out", "schema.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--force"));
    assert_eq!(std::fs::read_to_string(bench.path("schema.toml")).unwrap(), "precious");
    bench.done(&["schema", &real, "--out", "schema.toml", "--force"]);
    assert!(std::fs::read_to_string(bench.path("schema.toml")).unwrap().contains("version = 1"));
}

#[test]
fn identifiers_are_warned_of_and_left_out() {
    let bench = Workbench::new();
    let rows: String = (0..50).map(|row| format!("person {row},{}\n", row % 7 * 3 % 5)).collect();
    bench.file("table.csv", format!("name,score\n{rows}"));
    let output = bench.run(&["schema", "table.csv", "--out", "schema.toml"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stderr(&output).contains("warning: ") && stderr(&output).contains("`name`"),
        "{}",
        stderr(&output)
    );
    assert!(!stderr(&output).contains("person 1"));
    let found = bench.json(&["evaluate", "table.csv", "table.csv", "--schema", "schema.toml", "--json"]);
    assert_eq!(found["tables"][0]["columns"].as_array().unwrap().len(), 1);
    let quiet = bench.run(&["schema", "table.csv", "--quiet"]);
    assert_eq!(stderr(&quiet), "");
}

#[test]
fn json_lists_the_columns() {
    let bench = Workbench::new();
    let found = bench.json(&["schema", &kept("examples/patients.csv"), "--json"]);
    let columns = found["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 10);
    assert_eq!(columns[0]["name"], "age");
    assert_eq!(columns[0]["type"], "integer");
    assert_eq!(columns[1]["levels"], serde_json::json!(["F", "M"]));
    assert_eq!((&columns[5]["decimals"], &columns[5]["family"]), (&1.into(), &"normal".into()));
    let learned = columns[5]["learned"].to_string();
    assert!(learned.contains("decimals: ") && learned.contains("family: "), "{learned}");
}
