//! Files that are read in passes give the release of the table in memory, byte for byte.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use indistinct::privacy::SchemaSource;
use indistinct::progress::Silent;
use indistinct::synthesis::SynthOptions;
use indistinct_io::synth::{PrivateInput, prepare, released_model_json};
use indistinct_io::{Failure, Format, Source, parse_schema, write_to};

const SCHEMA: &str = r#"
version = 1
missing = ["", "NA"]

[[column]]
name = "age"
type = "integer"
minimum = 0
maximum = 120

[[column]]
name = "job"
type = "nominal"
levels = ["clerk", "say \"hi\", then go", "none"]

[[column]]
name = "income"
type = "float"
decimals = 2

[[column]]
name = "born"
type = "date"
format = "%Y-%m-%d"
"#;

/// A CSV text with quotes, line breaks of both kinds and missing values.
fn text(rows: usize) -> String {
    let mut text = "age,job,income,born\n".to_owned();
    for row in 0..rows {
        let job = ["clerk", "\"say \"\"hi\"\", then go\"", "none", ""][row * row % 4];
        let end = if row % 3 == 0 { "\r\n" } else { "\n" };
        let age = if row % 11 == 0 { "NA".to_owned() } else { (20 + row * 7 % 60).to_string() };
        text += &format!(
            "{age},{job},{:.2},19{:02}-0{}-11{end}",
            (row * 37 % 9000) as f64 / 8.0,
            row % 90 + 10,
            row % 9 + 1
        );
    }
    text
}

/// The model of a release with a seed.
fn model(path: &Path, memory: Option<usize>) -> Result<String, Failure> {
    let source = Source::open(path).unwrap();
    let options = SynthOptions { epsilon: Some("2".parse().unwrap()), ..SynthOptions::default() };
    let schema = Some((parse_schema(SCHEMA).unwrap(), SchemaSource::User));
    let input = PrivateInput { source: &source, schema, seed: Some(5), memory };
    let charged = prepare(options.check().unwrap(), input, &|_| {})?.charge(None, "a test")?;
    let (release, _) = charged.release(&|_| {}, &Silent)?;
    Ok(released_model_json(&release).unwrap())
}

/// The file in another format.
fn converted(folder: &Path, csv: &Path, name: &str, format: Format) -> PathBuf {
    let table = Source::open(csv).unwrap().read(&parse_schema(SCHEMA).unwrap()).unwrap();
    let path = folder.join(name);
    write_to(&table, format, &mut fs::File::create(&path).unwrap()).unwrap();
    path
}

#[test]
fn passes_over_any_format_give_the_release_of_the_table_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    // Several parts: the least that is read at once is a megabyte.
    fs::write(&csv, text(90_000)).unwrap();
    assert!(fs::metadata(&csv).unwrap().len() > 3 << 20);
    let whole = model(&csv, None).unwrap();
    assert_eq!(model(&csv, Some(1 << 24)).unwrap(), whole, "text");
    for (name, format) in [("people.parquet", Format::Parquet), ("people.arrow", Format::Arrow)] {
        let path = converted(folder.path(), &csv, name, format);
        assert_eq!(model(&path, None).unwrap(), whole, "{name} in memory");
        assert_eq!(model(&path, Some(1 << 28)).unwrap(), whole, "{name} in passes");
    }
}

#[test]
fn a_wrong_cell_is_told_with_its_row_in_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    let good = text(60_000);
    fs::write(&csv, format!("{good}31,astronaut,5.00,1990-01-01\n")).unwrap();
    let told = model(&csv, None).unwrap_err().to_string();
    assert!(told.contains("row 60001"), "{told}");
    assert_eq!(model(&csv, Some(1 << 24)).unwrap_err().to_string(), told);
    fs::write(&csv, format!("{good}31,clerk\n")).unwrap();
    let told = model(&csv, None).unwrap_err().to_string();
    assert_eq!(model(&csv, Some(1 << 24)).unwrap_err().to_string(), told, "a short row");
}

#[test]
fn what_cannot_be_read_in_passes_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    fs::write(&csv, text(3000)).unwrap();
    let source = Source::open(&csv).unwrap();
    let options = SynthOptions { epsilon: Some("2".parse().unwrap()), ..SynthOptions::default() };
    let input = PrivateInput { source: &source, schema: None, seed: Some(5), memory: Some(1 << 24) };
    let refused = prepare(options.check().unwrap(), input, &|_| {}).unwrap_err().to_string();
    assert!(refused.contains("needs a schema"), "{refused}");
    let parquet = converted(folder.path(), &csv, "people.parquet", Format::Parquet);
    let refused = model(&parquet, Some(100_000)).unwrap_err();
    assert!(refused.to_string().contains("groups of rows"), "{refused}");
    // A file that is cut short is damaged, in passes as in memory.
    let bytes = fs::read(&parquet).unwrap();
    fs::write(&parquet, &bytes[..bytes.len() - 9]).unwrap();
    assert!(Source::open(&parquet).is_err());
}
