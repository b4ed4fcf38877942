//! The command as a user runs it. One binary: what is said and printed is tested here, the mathematics where it lives.

#![expect(clippy::unwrap_used, reason = "a test that cannot write its files has failed")]

mod audit;
mod bad_input;
mod combine;
mod comparison;
mod conditions;
mod derive;
mod evaluate;
mod evaluate_measures;
mod far;
mod help;
mod interval;
mod invalid;
mod ledger;
mod ledger_terms;
mod marks;
mod mixed;
mod mixed_edges;
mod mutations;
mod names;
mod neighbours;
mod person;
mod recorded;
mod reproduce;
mod schema;
mod shares;
mod synth;
mod texts;
mod threat_model;
mod verify;
mod whole_domain;

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// A private cell that no message may repeat.
const MARK: &str = "7310924";

/// A folder of its own for a test, and the command run in it.
struct Workbench {
    folder: TempDir,
}

impl Workbench {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// Writes a file into the folder.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names in the folder.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `indistinct` in the folder.
    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, "")
    }

    /// The same with text on standard input.
    fn run_with(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::cargo_bin("indistinct").unwrap();
        command
            .current_dir(self.folder.path())
            // Texts of the same width and without colours, wherever the tests run.
            .env("COLUMNS", "100")
            .env_remove("CLICOLOR_FORCE")
            .args(as_baseline(arguments))
            .write_stdin(input)
            .output()
            .unwrap()
    }

    /// Runs something that must succeed and gives its standard output.
    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// Runs something that must succeed and gives the JSON it prints.
    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.done(arguments)).unwrap()
    }
}

/// `synth --method M PRIVATE` is `baseline M PRIVATE`: so that lists of options can have both.
fn as_baseline<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = arguments.to_vec();
    if arguments.first() == Some(&"synth")
        && let Some(place) = arguments.iter().position(|word| *word == "--method")
    {
        let method = arguments.remove(place + 1);
        arguments.remove(place);
        arguments.splice(0..1, ["baseline", method]);
    }
    arguments
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs something that must fail with exit code 1, checks what must hold of every failure, and gives its two lines.
fn failure(bench: &Workbench, arguments: &[&str]) -> String {
    let before = bench.names();
    let output = bench.run(arguments);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
    assert_eq!(stdout(&output), "");
    assert!(text.starts_with("error: "), "{text}");
    assert!(text.contains("\n help: "), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(!text.contains(MARK), "a private value in a message: {text}");
    assert_eq!(bench.names(), before, "nothing is written");
    text
}

#[track_caller]
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

/// A file kept in the repository.
fn kept(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(name).to_str().unwrap().to_owned()
}

/// A small table: `rows` rows of a number, a whole number and a level.
fn small(rows: usize, shift: usize) -> String {
    let mut text = "x,k,level\n".to_owned();
    for row in 0..rows {
        let noise = (row * 7919 + shift * 104_729) % 1000;
        text += &format!("{}.{noise:03},{},{}\n", noise % 7 + shift, row % 5, ["low", "high"][noise % 2]);
    }
    text
}
