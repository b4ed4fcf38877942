//! Everything that a person sees of one release: every file, every message, every exit code.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;

use super::neighbours::Table;

/// What was written and said, by name.
pub(super) type Surface = BTreeMap<String, String>;

/// Releases a table with these options, samples from the release and checks it; charges go to a ledger.
pub(super) fn surface(
    schema: Option<&str>,
    table: &Table,
    ending: &str,
    options: &[&str],
    tape: Option<&Path>,
) -> Surface {
    surface_and((schema, table), ending, options, tape, &[])
}

/// The same, and what commands say and write that are given the release afterwards, and nothing else.
pub(super) fn surface_and(
    (schema, table): (Option<&str>, &Table),
    ending: &str,
    options: &[&str],
    tape: Option<&Path>,
    afterwards: &[&[&str]],
) -> Surface {
    let folder = tempfile::TempDir::new().unwrap();
    let private = format!("private.{ending}");
    table.write(&folder.path().join(&private));
    let mut surface = Surface::new();
    let mut run_with = |name: &str, arguments: &[&str], tape: Option<&Path>| {
        let mut command = Command::cargo_bin("indistinct").unwrap();
        command.current_dir(folder.path()).args(arguments);
        if let Some(tape) = tape {
            command.env("INDISTINCT_REPLAY", tape);
        }
        let output = command.output().unwrap();
        let said = [&output.stdout[..], b"\n", &output.stderr[..]].concat();
        surface.insert(name.to_owned(), format!("{:?} {}", output.status.code(), masked(&said)));
    };
    let mut run = |name: &str, arguments: &[&str]| run_with(name, arguments, tape);
    // A method comes first, and is a command of its own.
    let (command, options) = match options {
        ["--method", method, options @ ..] => (vec!["baseline", *method], options),
        options => (vec!["synth"], options),
    };
    let mut asked = [&command[..], &[&private, "--epsilon", "20", "--out", "release"]].concat();
    if let Some(schema) = schema {
        std::fs::write(folder.path().join("schema.toml"), schema).unwrap();
        asked.extend(["--schema", "schema.toml", "--ledger", "ledger"]);
    }
    run("ledger init", &["ledger", "init", "ledger", "--epsilon", "50", "--delta", "0.001"]);
    // A dry run draws nothing, and looks at no more than the number of rows.
    run("dry run", &[&asked[..], options, &["--dry-run"]].concat());
    run("synth", &[&asked[..], options].concat());
    run("verify", &["verify", "release"]);
    run("ledger show", &["ledger", "show", "ledger", "--json"]);
    for format in ["csv", "parquet", "arrow"] {
        let out = format!("more.{format}");
        run(&out.clone(), &["sample", "release/model.json", "--rows", "40", "--seed", "1", "--out", &out]);
    }
    // Their charges are no charges of the release, and must not be taken from its tape.
    for arguments in afterwards {
        run_with(arguments[0], arguments, None);
    }
    for (name, path) in files(folder.path(), folder.path()) {
        // The private table itself does not leave.
        if name != private {
            surface.insert(name, masked(&std::fs::read(path).unwrap()));
        }
    }
    surface
}

fn files(root: &Path, folder: &Path) -> Vec<(String, std::path::PathBuf)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                return files(root, &path);
            }
            vec![(path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), path)]
        })
        .collect()
}

/// Bytes as text, without times of day and the hashes that follow from them: two runs are made at two times.
fn masked(bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let characters: Vec<char> = text.chars().collect();
    let mut masked = String::with_capacity(text.len());
    let mut place = 0;
    while place < characters.len() {
        let rest = &characters[place..];
        let hexadecimal = rest.iter().take_while(|character| character.is_ascii_hexdigit()).count();
        let is_time = rest.len() >= 20
            && "dddd-dd-ddTdd:dd:ddZ".chars().zip(rest).all(|(pattern, character)| match pattern {
                'd' => character.is_ascii_digit(),
                other => other == *character,
            });
        if is_time {
            masked.push_str("TIME");
            place += 20;
        } else if hexadecimal >= 64 {
            masked.push_str("HASH");
            place += hexadecimal;
        } else {
            masked.push(rest[0]);
            place += 1;
        }
    }
    masked
}

/// The first difference of two surfaces, in words.
pub(super) fn difference(first: &Surface, second: &Surface) -> Option<String> {
    let names: Vec<&String> = first.keys().chain(second.keys()).collect();
    names.into_iter().find_map(|name| match (first.get(name), second.get(name)) {
        (Some(one), Some(other)) if one == other => None,
        (Some(one), Some(other)) => {
            let at = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
            let part = |text: &str| text.chars().skip(at.saturating_sub(80)).take(200).collect::<String>();
            Some(format!("{name}, at {at}: {:?} and {:?}", part(one), part(other)))
        }
        _ => Some(format!("{name} is in one of them only")),
    })
}
