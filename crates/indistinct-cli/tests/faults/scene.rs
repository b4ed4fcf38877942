//! A folder with a table, a ledger and releases; what happens to it; and what must be true whatever happened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};

use serde_json::Value;

/// The ledger's budget in runs of epsilon 1.
pub(crate) const BUDGET: usize = 20;
/// The part of a command line that makes a release of epsilon 1 and charges it; `--out NAME` is left to say.
pub(crate) const SYNTH: [&str; 8] =
    ["synth", "table.csv", "--schema", "schema.toml", "--epsilon", "1", "--ledger", "budget.ledger"];

/// A folder where releases are made and go wrong.
pub(crate) struct Scene {
    folder: PathBuf,
}

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self { status: output.status, stderr: String::from_utf8_lossy(&output.stderr).into_owned() }
    }
}

impl Scene {
    /// Sets the scene in an empty folder: a table, its schema and a ledger for twenty releases.
    pub(crate) fn set(folder: &Path) -> Self {
        let mut table = String::from("x\n");
        for row in 0..300 {
            table.push_str(&format!("{}\n", 100 + (row * 37) % 61));
        }
        std::fs::write(folder.join("table.csv"), table).unwrap();
        let schema = "version = 1\n[[column]]\nname = \"x\"\ntype = \"integer\"\n";
        std::fs::write(folder.join("schema.toml"), schema).unwrap();
        let scene = Self { folder: folder.to_owned() };
        scene.done(&["ledger", "init", "budget.ledger", "--epsilon", &BUDGET.to_string()]);
        scene
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The command, to be run here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_indistinct"));
        command.current_dir(&self.folder).args(arguments).args(["--threads", "1"]);
        command
    }

    /// Runs something that nothing is in the way of.
    pub(crate) fn done(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Charges in the ledger, which must be readable, whole and within its budget.
    pub(crate) fn charges(&self) -> usize {
        self.done(&["ledger", "verify", "budget.ledger"]);
        let shown: Value =
            serde_json::from_slice(&self.done(&["ledger", "show", "budget.ledger", "--json"])).unwrap();
        let charges = shown["charges"].as_array().unwrap().len();
        assert!(charges <= BUDGET, "{charges} charges of 1 to a budget of {BUDGET}");
        charges
    }

    /// Names of the releases under their final names, each of which must be whole.
    pub(crate) fn releases(&self) -> Vec<String> {
        let names = self.names().into_iter().filter(|name| name.starts_with("release"));
        names.inspect(|name| _ = self.done(&["verify", name])).collect()
    }

    /// What is there under names that a user would look at, and what is hidden.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Unfinished work that a killed run may leave, and no other may.
    pub(crate) fn leftovers(&self) -> Vec<String> {
        self.names().into_iter().filter(|name| name.starts_with('.')).collect()
    }

    /// What must hold whatever happened: the ledger is whole and not overspent, every release is whole, and each was
    /// charged.
    pub(crate) fn holds(&self, released_before: usize) -> usize {
        let charges = self.charges();
        let releases = self.releases().len();
        assert!(releases + released_before <= charges, "{releases} releases, {charges} charges");
        charges
    }

    /// The bytes of every file under a release's name.
    pub(crate) fn content(&self, release: &str) -> BTreeMap<String, Vec<u8>> {
        let Ok(entries) = std::fs::read_dir(self.path(release)) else { return BTreeMap::new() };
        let entry = |path: PathBuf| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap())
        };
        entries.map(|found| entry(found.unwrap().path())).collect()
    }
}

/// A run that something stood in the way of says so as every failure is told, in two lines, and does not panic.
pub(crate) fn failed_politely(ended: &Ended) {
    let text = &ended.stderr;
    assert_eq!(ended.status.code(), Some(1), "{text}");
    assert!(text.contains("error: ") && text.contains("\n help: "), "{text}");
    assert!(!text.contains("panicked"), "{text}");
}
