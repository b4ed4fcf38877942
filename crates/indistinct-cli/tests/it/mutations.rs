//! True releases of every kind, of which one thing is changed: `verify` notices it, whatever it is.

use std::fs;
use std::path::{Path, PathBuf};

use indistinct_io::{CERTIFICATE, ReleaseCheck};
use indistinct_report::text::verify::as_json;
use serde_json::{Value, json};

use super::Workbench;

/// Two numbers and who they are of: enough rows that no budget is hopeless.
fn numbers() -> String {
    let mut text = "who,x,y\n".to_owned();
    for row in 0..3000_u32 {
        let (a, b) = (row.wrapping_mul(2_654_435_761) >> 16, row.wrapping_mul(40_503) % 1009);
        let x = f64::from(a % 997) / 100.0 + f64::from(b) / 300.0;
        text += &format!("p{},{x:.2},{:.2}\n", row / 2, 2.0 * x + f64::from(a % 31) / 10.0);
    }
    text
}

const NUMBERS: &str = r#"version = 1
[[column]]
name = "who"
type = "identifier"
[[column]]
name = "x"
type = "float"
[[column]]
name = "y"
type = "float"
"#;

const ANY: &str = r#"version = 1
[[column]]
name = "x"
type = "float"
minimum = 0
maximum = 20
[[column]]
name = "k"
type = "integer"
minimum = 0
maximum = 9
[[column]]
name = "level"
type = "nominal"
levels = ["low", "high", "none"]
"#;

/// Every kind of release, by the options that make it.
const RELEASES: [(&str, &[&str]); 11] = [
    ("normal", &["numbers.csv", "--schema", "numbers.toml"]),
    (
        "normal, delta, score",
        &["numbers.csv", "--schema", "numbers.toml", "--delta", "1e-6", "--score-epsilon", "0.1"],
    ),
    (
        "normal, persons, draws, tables",
        &[
            "numbers.csv",
            "--schema",
            "numbers.toml",
            "--person",
            "who",
            "--rows-per-person",
            "2",
            "--draws",
            "2",
            "--tables",
            "2",
            "--score-epsilon",
            "0.1",
        ],
    ),
    (
        "normal, pmse, paper, several rows",
        &[
            "numbers.csv",
            "--schema",
            "numbers.toml",
            "--quality",
            "pmse",
            "--sensitivity",
            "paper",
            "--rows-per-person",
            "2",
            "--discriminator",
            "optimal",
            "--score-epsilon",
            "0.1",
        ],
    ),
    ("private tree", &["numbers.csv", "--schema", "numbers.toml", "--discriminator", "private-tree"]),
    (
        "chain",
        &[
            "numbers.csv",
            "--schema",
            "numbers.toml",
            "--sampler",
            "metropolis",
            "--steps",
            "30",
            "--chains",
            "1",
        ],
    ),
    ("mixed, score", &["any.csv", "--schema", "any.toml", "--score-epsilon", "0.1", "--format", "parquet"]),
    ("mixed, delta", &["any.csv", "--schema", "any.toml", "--delta", "1e-6", "--tables", "2"]),
    ("drafted", &["any.csv"]),
    (
        "comparison",
        &["numbers.csv", "--schema", "numbers.toml", "--method", "noisy-bayes", "--bounds", "-40:40"],
    ),
    (
        "comparison without a model",
        &[
            "numbers.csv",
            "--schema",
            "numbers.toml",
            "--method",
            "smooth-histogram",
            "--bounds",
            "-40:40",
            "--bins",
            "10",
            "--rows",
            "50",
        ],
    ),
];

/// A folder with the tables, in which releases can be made.
fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.file("numbers.csv", numbers());
    bench.file("numbers.toml", NUMBERS);
    bench.file("any.csv", super::small(3000, 3));
    bench.file("any.toml", ANY);
    bench
}

fn released(bench: &Workbench, options: &[&str]) -> PathBuf {
    let mut arguments = vec!["synth", "--epsilon", "8", "--out", "release", "--force", "--quiet"];
    arguments.extend(options);
    bench.done(&arguments);
    bench.path("release")
}

/// Whether `verify` has nothing to object to: a certificate that cannot be read is objected to.
fn passes(folder: &Path) -> bool {
    ReleaseCheck::of(folder).is_ok_and(|check| as_json(&check, "release")["valid"] == true)
}

/// A place in a document: names of fields, and `*` for any place in a list.
type Place = Vec<String>;

/// One change of a document, with its place and what was done there.
struct Mutation {
    place: Place,
    what: &'static str,
    document: Value,
}

/// Every change of one thing in `root`.
fn mutations(root: &Value) -> Vec<Mutation> {
    let mut found = Vec::new();
    visit(root, root, &mut Vec::new(), &mut found);
    for kind in [
        json!({"kind": "pure", "epsilon": root["epsilon"]}),
        json!({"kind": "approximate", "epsilon": root["epsilon"], "delta": 1e-6}),
        json!({"kind": "conditional", "epsilon": root["epsilon"], "provided": ["the weather"]}),
        json!({"kind": "conditional", "epsilon": root["epsilon"], "provided": []}),
        json!({"kind": "at-stationarity", "epsilon": root["epsilon"]}),
        json!({"kind": "none", "because": ["shy"]}),
        json!({"kind": "none", "because": []}),
    ] {
        if kind != root["guarantee"] {
            let mut document = root.clone();
            document["guarantee"] = kind;
            found.push(Mutation { place: vec!["guarantee".into()], what: "another guarantee", document });
        }
    }
    found
}

fn visit(root: &Value, here: &Value, pointer: &mut Vec<String>, found: &mut Vec<Mutation>) {
    let escaped = |name: &String| name.replace('~', "~0").replace('/', "~1");
    let path: String = pointer.iter().map(|name| format!("/{}", escaped(name))).collect();
    let place: Place = pointer
        .iter()
        .map(|name| if name.parse::<usize>().is_ok() { "*".to_owned() } else { name.clone() })
        .collect();
    let mut put = |what: &'static str, value: Value| {
        let mut document = root.clone();
        *document.pointer_mut(&path).unwrap() = value;
        let same_number =
            here.as_f64().is_some() && here.as_f64() == document.pointer(&path).and_then(Value::as_f64);
        if document != *root && !same_number {
            found.push(Mutation { place: place.clone(), what, document });
        }
    };
    match here {
        Value::Null => put("a word for nothing", json!("something")),
        Value::Bool(truth) => put("the contrary", json!(!truth)),
        Value::Number(number) => {
            if let Some(whole) = number.as_i64() {
                put("one more", json!(whole + 1));
                put("one less", json!(whole - 1));
            } else if let Some(real) = number.as_f64() {
                put("one more", json!(real + 1.0));
                put("one less", json!(real - 1.0));
                put("twice", json!(real * 2.0));
            }
            put("nothing", json!(0));
        }
        Value::String(text) => {
            put("other text", json!(format!("{text}x")));
            put("no text", json!(""));
            let digit = text.find(|sign: char| sign.is_ascii_digit() && sign != '9');
            if let Some(at) = digit {
                let mut other = text.clone().into_bytes();
                other[at] += 1;
                put("another number in the text", json!(String::from_utf8(other).unwrap()));
                other = text.clone().into_bytes();
                other[at] = b'0';
                put("a zero in the text", json!(String::from_utf8(other).unwrap()));
            }
        }
        Value::Array(list) => {
            put("an empty list", json!([]));
            for at in 0..list.len() {
                let mut less = list.clone();
                less.remove(at);
                put("one thing less in the list", json!(less));
            }
            if let Some(first) = list.first() {
                let mut more = list.clone();
                more.push(first.clone());
                put("one thing twice in the list", json!(more));
            }
        }
        Value::Object(fields) => {
            put("an empty object", json!({}));
            for field in fields.keys() {
                let mut less = fields.clone();
                less.remove(field);
                put("one field less", Value::Object(less));
            }
        }
    }
    match here {
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                pointer.push(at.to_string());
                visit(root, value, pointer, found);
                pointer.pop();
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                pointer.push(name.clone());
                visit(root, value, pointer, found);
                pointer.pop();
            }
        }
        _ => {}
    }
}

/// What nothing in the release can contradict, and why.
#[expect(clippy::match_same_arms, reason = "each has a reason of its own")]
fn is_free(original: &Value, mutation: &Mutation) -> bool {
    let place: Vec<&str> = mutation.place.iter().map(String::as_str).collect();
    match place.as_slice() {
        // When it was made, and by which version: nothing follows from either.
        ["created" | "version"] => true,
        // What a step is called, in words. The score's name is checked: it pays for the score.
        ["spent", "*", "step"] => true,
        // What is promised is the total, of which something may be left: a step may have cost less, not have been, or have been
        // twice. That it cost nothing, or more than there was, is noticed.
        ["spent", "*", "epsilon" | "rho"] => mutation.what != "nothing",
        ["spent"] => ["one thing less in the list", "one thing twice in the list"].contains(&mutation.what),
        // The column that tells persons apart is not released.
        ["person", "column"] => true,
        // A draw: any value can come out of it.
        ["score", "value"] => true,
        // The least part of the budget that counts have, not the part that they had.
        ["measure_share"] => mutation.what == "nothing",
        // How fine a histogram is, which its rows do not show.
        ["comparison", "bins"] => true,
        // What is not there is the same as null; and a certificate without a model is from before there was another than the
        // normal one.
        [] | ["comparison"] if mutation.what == "one field less" => {
            let (before, after) = match place.first() {
                None => (original, &mutation.document),
                Some(field) => (&original[*field], &mutation.document[*field]),
            };
            let lost = before.as_object().unwrap().iter().find(|(name, _)| after.get(name).is_none());
            lost.is_some_and(|(name, value)| value.is_null() || (name == "model" && value == "normal"))
        }
        _ => false,
    }
}

#[test]
fn no_change_of_a_certificate_goes_unnoticed() {
    let bench = bench();
    let (mut all, mut unnoticed, mut free) = (0, Vec::new(), 0);
    for (name, options) in RELEASES {
        let folder = released(&bench, options);
        assert!(passes(&folder), "{name}: {}", as_json(&ReleaseCheck::of(&folder).unwrap(), name));
        let path = folder.join(CERTIFICATE);
        let original: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for mutation in mutations(&original) {
            all += 1;
            fs::write(&path, mutation.document.to_string()).unwrap();
            if passes(&folder) {
                if is_free(&original, &mutation) {
                    free += 1;
                } else {
                    unnoticed.push(format!("{name}: {} at {}", mutation.what, mutation.place.join(".")));
                }
            }
        }
    }
    let mut kinds = unnoticed.clone();
    kinds.dedup();
    assert!(
        unnoticed.is_empty(),
        "{} of {all} changes go unnoticed, beside {free} that are free:\n{}",
        unnoticed.len(),
        kinds.join("\n")
    );
}

#[test]
fn no_other_model_passes_for_the_released_one() {
    let bench = bench();
    let mixed = ["any.csv", "--schema", "any.toml"];
    let another =
        fs::read(released(&bench, &["numbers.csv", "--schema", "numbers.toml"]).join("model.json")).unwrap();
    let two_draws = ["any.csv", "--schema", "any.toml", "--draws", "2"];
    let two_draws = fs::read(released(&bench, &two_draws).join("model.json")).unwrap();
    let folder = released(&bench, &mixed);
    let own = fs::read(folder.join("model.json")).unwrap();
    let renamed = String::from_utf8(own.clone()).unwrap().replace("level", "grade").into_bytes();
    for (what, model) in [
        ("a list", b"[]".to_vec()),
        ("an object", b"{}".to_vec()),
        ("nothing", Vec::new()),
        ("one that was cut", own[..own.len() / 2].to_vec()),
        ("that of another table", another),
        ("one of two draws", two_draws),
        ("one of other columns", renamed),
    ] {
        fs::write(folder.join("model.json"), model).unwrap();
        // With its hash in the certificate, as somebody would who wants it to pass.
        relist(&folder, "model.json");
        assert!(!passes(&folder), "{what}");
    }
}

#[test]
fn no_other_table_passes_for_the_released_one() {
    let bench = bench();
    let folder = released(&bench, &["any.csv", "--schema", "any.toml"]);
    for table in ["", "x,k\n1,2\n", "x,level,k\n1,low,2\n", "x,k,grade\n1,2,low\n"] {
        fs::write(folder.join("synthetic.csv"), table).unwrap();
        relist(&folder, "synthetic.csv");
        assert!(!passes(&folder), "{table}");
    }
}

#[test]
fn a_release_lists_and_has_its_files() {
    let bench = bench();
    let files = |edit: &dyn Fn(&Path, &mut Value)| {
        let folder = released(&bench, &["any.csv", "--schema", "any.toml"]);
        let path = folder.join(CERTIFICATE);
        let mut certificate: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        edit(&folder, &mut certificate["files"]);
        fs::write(&path, certificate.to_string()).unwrap();
        passes(&folder)
    };
    assert!(files(&|_, _| {}));
    assert!(!files(&|_, listed| *listed = json!({})));
    for name in ["synthetic.csv", "model.json", "report.html"] {
        assert!(
            !files(&|_, listed| drop(listed.as_object_mut().unwrap().remove(name))),
            "{name} is not listed"
        );
        let neither = |folder: &Path, listed: &mut Value| {
            fs::remove_file(folder.join(name)).unwrap();
            listed.as_object_mut().unwrap().remove(name);
        };
        assert!(!files(&neither), "{name} is neither listed nor there");
        assert!(!files(&|folder, _| fs::remove_file(folder.join(name)).unwrap()), "{name} is not there");
    }
    let one_more = |folder: &Path, listed: &mut Value| {
        fs::write(folder.join("private.csv"), "x\n1\n").unwrap();
        listed["private.csv"] = json!(indistinct_io::sha256_of_file(&folder.join("private.csv")).unwrap());
    };
    assert!(!files(&one_more), "a file that is not of a release is listed");
}

/// Writes the hash that a file has now into the certificate.
fn relist(folder: &Path, name: &str) {
    let path = folder.join(CERTIFICATE);
    let mut certificate: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    certificate["files"][name] = json!(indistinct_io::sha256_of_file(&folder.join(name)).unwrap());
    fs::write(&path, certificate.to_string()).unwrap();
}
