//! Files that are read in passes give the release of the table in memory, byte for byte.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use indistinct::privacy::SchemaSource;
use indistinct::progress::Silent;
use indistinct::synthesis::SynthOptions;
use indistinct::table::Table;
use indistinct_io::synth::{PrivateInput, prepare, released_model_json};
use indistinct_io::{Failure, Format, Invalid, Source, draft_schema, parse_schema, read_failure, write_to};

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
    model_of(path, memory, &SynthOptions::default())
}

/// The model of a release of persons, of whom two rows are kept.
fn model_of_persons(path: &Path, memory: Option<usize>) -> Result<String, Failure> {
    let options = SynthOptions::default().with(|options| {
        options.person = Some("who".to_owned());
        options.rows_per_person = 2;
    });
    model_of(path, memory, &options)
}

fn model_of(path: &Path, memory: Option<usize>, options: &SynthOptions) -> Result<String, Failure> {
    let source = Source::open(path).map_err(read_failure)?;
    let options = options.clone().with(|options| options.epsilon = Some("2".parse().unwrap()));
    let schema = Some((parse_schema(SCHEMA).unwrap(), SchemaSource::User));
    let input = PrivateInput { source: &source, schema, seed: Some(5), memory, progress: None };
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
    let options = SynthOptions::default().with(|options| options.epsilon = Some("2".parse().unwrap()));
    let (seed, memory) = (Some(5), Some(1 << 24));
    let input = PrivateInput { source: &source, schema: None, seed, memory, progress: None };
    let refused = prepare(options.check().unwrap(), input, &|_| {}).unwrap_err().to_string();
    assert!(refused.contains("needs a schema"), "{refused}");
    let arrow = converted(folder.path(), &csv, "people.arrow", Format::Arrow);
    let refused = model(&arrow, Some(100_000)).unwrap_err();
    assert!(refused.to_string().contains("batches of rows"), "{refused}");
    let parquet = converted(folder.path(), &csv, "people.parquet", Format::Parquet);
    // A file that is cut short is damaged, in passes as in memory.
    let bytes = fs::read(&parquet).unwrap();
    fs::write(&parquet, &bytes[..bytes.len() - 9]).unwrap();
    assert!(Source::open(&parquet).is_err());
}

/// The text with a column of persons, spelled in several ways, who have up to six rows each, far apart.
fn text_of_persons(rows: usize) -> String {
    let persons = rows / 3;
    let row = |(row, line): (usize, &str)| {
        let person = row * row % persons + 1;
        let spelled = match row % 3 {
            0 => format!("{person}"),
            1 => format!(" {person}.0 "),
            _ => format!("{person}e0"),
        };
        if row == 0 { format!("who,{line}") } else { format!("{spelled},{line}") }
    };
    text(rows).split_inclusive('\n').enumerate().map(row).collect()
}

#[test]
fn the_same_rows_of_persons_are_kept_in_memory_and_in_passes() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    fs::write(&csv, text_of_persons(40_000)).unwrap();
    let whole = model_of_persons(&csv, None).unwrap();
    // So little that persons are chosen by several passes.
    for memory in [1 << 18, 1 << 20, 1 << 28] {
        assert_eq!(model_of_persons(&csv, Some(memory)).unwrap(), whole, "{memory} bytes");
    }
    let with_persons = format!("{SCHEMA}\n[[column]]\nname = \"who\"\ntype = \"float\"\n");
    let table = Source::open(&csv).unwrap().read(&parse_schema(&with_persons).unwrap()).unwrap();
    let parquet = folder.path().join("people.parquet");
    write_to(&table, Format::Parquet, &mut fs::File::create(&parquet).unwrap()).unwrap();
    assert_eq!(model_of_persons(&parquet, None).unwrap(), whole, "Parquet in memory");
    assert_eq!(model_of_persons(&parquet, Some(1 << 20)).unwrap(), whole, "Parquet in passes");
    // The order of rows does not matter either.
    let text = text_of_persons(40_000);
    let (header, rows) = text.split_once('\n').unwrap();
    let table = Source::open(&csv).unwrap().read(&parse_schema(&with_persons).unwrap()).unwrap();
    assert_eq!(rows.matches('\n').count(), table.rows());
    let backwards: Vec<u32> = (0..table.rows() as u32).rev().collect();
    let other = folder.path().join("backwards.csv");
    write_to(&table.take(&backwards), Format::CSV, &mut fs::File::create(&other).unwrap()).unwrap();
    assert!(header.starts_with("who"));
    assert_eq!(model_of_persons(&other, None).unwrap(), whole, "backwards");
    // Nobody's rows.
    fs::write(&csv, format!("{text}NA,31,clerk,5.00,1990-01-01\n")).unwrap();
    let told = model_of_persons(&csv, None).unwrap_err().to_string();
    assert!(told.contains("row 40001") && told.contains("person"), "{told}");
    assert_eq!(model_of_persons(&csv, Some(1 << 20)).unwrap_err().to_string(), told);
}

#[test]
fn groups_of_rows_are_read_in_slices() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    fs::write(&csv, text(30_000)).unwrap();
    let whole = model(&csv, None).unwrap();
    let parquet = converted(folder.path(), &csv, "people.parquet", Format::Parquet);
    // A thirtieth of what the only group of rows takes.
    assert_eq!(model(&parquet, Some(100_000)).unwrap(), whole);
}

#[test]
fn folders_and_patterns_of_parquet_files_are_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    let lines = text(9000);
    fs::write(&csv, &lines).unwrap();
    let whole = model(&csv, None).unwrap();
    let table = Source::open(&csv).unwrap().read(&parse_schema(SCHEMA).unwrap()).unwrap();
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).unwrap();
    let part = |name: &str, rows: std::ops::Range<u32>| {
        let mut file = fs::File::create(parts.join(name)).unwrap();
        write_to(&table.take(&rows.collect::<Vec<u32>>()), Format::Parquet, &mut file).unwrap();
    };
    part("part-0.parquet", 0..4000);
    part("part-1.parquet", 4000..4001);
    part("part-2.parquet", 4001..9000);
    fs::write(parts.join("_SUCCESS"), "").unwrap();
    fs::write(parts.join(".part-0.parquet.crc"), "x").unwrap();
    for memory in [None, Some(1 << 20)] {
        assert_eq!(model(&parts, memory).unwrap(), whole, "{memory:?}");
        assert_eq!(model(&parts.join("part-*.parquet"), memory).unwrap(), whole, "{memory:?}");
    }
    let refusal = || model(&parts, Some(1 << 20)).unwrap_err().to_string();
    // Cut short.
    let bytes = fs::read(parts.join("part-1.parquet")).unwrap();
    fs::write(parts.join("part-1.parquet"), &bytes[..bytes.len() - 9]).unwrap();
    let told = refusal();
    assert!(told.contains("file 2 by name") && told.contains("damaged"), "{told}");
    // Other columns.
    let other = Source::open(&csv).unwrap().read(&parse_schema(SCHEMA).unwrap()).unwrap().into_columns();
    let mut file = fs::File::create(parts.join("part-1.parquet")).unwrap();
    write_to(&Table::new(other[1..].to_vec()).unwrap(), Format::Parquet, &mut file).unwrap();
    let told = refusal();
    assert!(told.contains("file 2 by name") && told.contains("columns have other names"), "{told}");
    fs::remove_file(parts.join("part-1.parquet")).unwrap();
    // Something else.
    fs::write(parts.join("part-3.csv"), "x\n1\n").unwrap();
    assert!(refusal().contains("not a Parquet file"), "{}", refusal());
    let nowhere = model(&parts.join("claims-*.parquet"), None).unwrap_err().to_string();
    assert!(nowhere.contains("no such file"), "{nowhere}");
}

/// A cluster writes thousands of files, and a process may have some hundreds open.
#[cfg(target_os = "linux")]
#[test]
fn of_many_files_few_are_open() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    fs::write(&csv, text(1000)).unwrap();
    let whole = model(&csv, None).unwrap();
    let table = Source::open(&csv).unwrap().read(&parse_schema(SCHEMA).unwrap()).unwrap();
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).unwrap();
    for part in 0..100 {
        let mut file = fs::File::create(parts.join(format!("part-{part:02}.parquet"))).unwrap();
        let rows: Vec<u32> = (10 * part..10 * part + 10).collect();
        write_to(&table.take(&rows), Format::Parquet, &mut file).unwrap();
    }
    let source = Source::open(&parts).unwrap();
    let open = fs::read_dir("/proc/self/fd").unwrap();
    let inside = |path: &PathBuf| path.starts_with(parts.canonicalize().unwrap());
    assert_eq!(open.filter_map(|file| fs::read_link(file.ok()?.path()).ok()).filter(inside).count(), 0);
    for memory in [None, Some(1 << 20)] {
        assert_eq!(model(&parts, memory).unwrap(), whole, "{memory:?}");
    }
    // They must stay as they were.
    fs::write(parts.join("part-50.parquet"), fs::read(parts.join("part-51.parquet")).unwrap()).unwrap();
    let told = source.read(&parse_schema(SCHEMA).unwrap()).unwrap_err().to_string();
    assert!(told.contains("the file changed while it was read"), "{told}");
}

#[test]
fn tables_without_rows_are_read_where_columns_are_declared() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("people.csv");
    fs::write(&csv, text(0)).unwrap();
    let schema = parse_schema(SCHEMA).unwrap();
    let empty = Source::open(&csv).unwrap().read_measured(&schema, Invalid::Refuse).unwrap();
    assert_eq!((empty.rows(), empty.columns().len()), (0, 4));
    let written = |name: &str, format: Format| {
        let path = folder.path().join(name);
        write_to(&empty, format, &mut fs::File::create(&path).unwrap()).unwrap();
        path
    };
    fs::create_dir(folder.path().join("parts")).unwrap();
    written("parts/part-0.parquet", Format::Parquet);
    written("parts/part-1.parquet", Format::Parquet);
    let files = [
        written("a.parquet", Format::Parquet),
        written("a.arrow", Format::Arrow),
        folder.path().join("parts"),
        csv,
    ];
    for path in files {
        let source = Source::open(&path).unwrap();
        assert_eq!(source.read_measured(&schema, Invalid::Refuse).unwrap().rows(), 0, "{path:?}");
        // Nothing can be learned from no rows, or compared with them.
        let refused =
            [source.read(&schema).unwrap_err().to_string(), draft_schema(&source).unwrap_err().to_string()];
        for told in refused {
            assert!(told.contains("no rows"), "{path:?}: {told}");
        }
        for memory in [None, Some(1 << 20)] {
            let told = model(&path, memory).unwrap_err().to_string();
            assert!(told.contains("the table has 0 rows; at least 50"), "{path:?}, {memory:?}: {told}");
        }
    }
}

#[test]
fn only_columns_that_are_asked_about_are_read() {
    let schema = parse_schema(SCHEMA).unwrap();
    let read = |text: &str, asked: &[usize]| {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        fs::write(&file, text).unwrap();
        let table = Source::open(file.path()).unwrap().read_asked(&schema, Invalid::Refuse, asked);
        let names = |table: Table| -> Vec<String> {
            table.columns().iter().map(|column| column.name().to_owned()).collect()
        };
        table.map(names).map_err(drop)
    };
    let names = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let odd = "age,job,income,born\n3,nobody,2.50,1999-01-11\n";
    assert_eq!(read(odd, &[0, 2]), names(&["age", "income"]));
    assert_eq!(read(odd, &[1]), Err(()));
    assert_eq!(read(odd, &[]), Err(()), "every cell is checked where nothing is asked");
    // Columns that nothing is asked about need not be there.
    assert_eq!(read("born,age\n1999-01-11,3\n", &[0, 3]), names(&["age", "born"]));
    assert_eq!(read("born,age\n1999-01-11,3\n", &[0, 1]), Err(()));
}
