//! Tests of what a ledger file allows and refuses, and of what kills leave in it. Many runs at once, and runs
//! that are really killed, are in `tests/ledger_processes.rs`.

use std::path::PathBuf;

use indistinct::privacy::Delta;
use indistinct::table::{ColumnSchema, ColumnType, Schema};
use tempfile::TempDir;

use super::*;

struct Bench {
    folder: TempDir,
}

impl Bench {
    /// A ledger of epsilon 1 for `patients`.
    fn new() -> Self {
        let bench = Self { folder: TempDir::new().unwrap() };
        LedgerFile::create(&bench.path(), &new_ledger("1", Some("patients"))).unwrap();
        bench
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("patients.ledger")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path()).unwrap()
    }

    fn charge(&self, amount: &str) -> Result<Receipt, LedgerFileProblem> {
        charge(&self.path(), amount, "synth → release", "age", None).map_err(|error| error.problem)
    }

    fn read(&self) -> Result<LedgerFile, LedgerFileProblem> {
        LedgerFile::read(&self.path()).map_err(|error| error.problem)
    }

    fn spent(&self) -> Epsilon {
        self.read().unwrap().ledger().spent()
    }
}

fn new_ledger<'a>(amount: &str, id: Option<&'a str>) -> NewLedger<'a> {
    let total = Total { epsilon: epsilon(amount), delta: Delta::ZERO };
    NewLedger { total, id, neighbours: Neighbours::Substitute }
}

fn charge(
    path: &Path,
    amount: &str,
    what: &str,
    column: &str,
    id: Option<&str>,
) -> Result<Receipt, LedgerFileError> {
    let guarantee = Guarantee::Pure { epsilon: amount.parse().unwrap_or(Epsilon::ZERO) };
    let schema = table(column);
    let charge = LedgerCharge {
        guarantee: &guarantee,
        rho: None,
        neighbours: Neighbours::Substitute,
        accept_conditional: false,
        what,
        schema: &schema,
        id,
    };
    let before = LedgerFile::try_charge(path, &charge).map(|receipt| receipt.left.pure);
    let charged = LedgerFile::charge(path, &charge);
    if let (Ok(tried), Ok(charged)) = (&before, &charged) {
        // Others may have charged in between.
        assert!(charged.left.pure <= *tried, "trying says what charging does");
    }
    charged
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn table(column: &str) -> SchemaFingerprint {
    let columns = vec![ColumnSchema::new(column, ColumnType::Integer)];
    SchemaFingerprint::of(&Schema::new(Vec::new(), columns).unwrap())
}

#[test]
fn charges_add_up_and_leave_receipts() {
    let bench = Bench::new();
    let first = bench.charge("0.25").unwrap();
    assert_eq!((first.entry, first.epsilon, first.left.pure), (2, epsilon("0.25"), epsilon("0.75")));
    let second = bench.charge("0.75").unwrap();
    assert_eq!((second.entry, second.left.pure), (3, Epsilon::ZERO));
    let read = bench.read().unwrap();
    assert_eq!(read.ledger().head(), second.head);
    assert!(read.has_head(&first.head) && read.has_head(&second.head));
    assert!(!read.has_head("") && !read.has_head(&first.head[1..]));
    assert_eq!(read.ledger().postings()[0].what, "synth → release");
    assert_eq!(read.ledger().postings()[0].schema, table("age").as_str());
    let names: Vec<_> = std::fs::read_dir(bench.folder.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing else is left in the folder");
}

#[test]
fn a_refused_charge_changes_nothing() {
    let bench = Bench::new();
    bench.charge("0.5").unwrap();
    let before = bench.text();
    let refuse = |charged: Result<Receipt, LedgerFileError>, expected: &LedgerError| {
        let error = charged.unwrap_err();
        assert_eq!(error.problem, LedgerFileProblem::Ledger(expected.clone()));
        assert!(error.is_refusal() && !error.advice().to_string().is_empty());
        assert!(error.to_string().starts_with(error.file()));
        assert_eq!(bench.text(), before);
    };
    let path = bench.path();
    let asked = epsilon("0.500000000001");
    let exhausted = LedgerError::Exhausted { asked, left: epsilon("0.5"), delta: Delta::ZERO };
    refuse(charge(&path, "0.500000000001", "", "age", None), &exhausted);
    let another = LedgerError::AnotherDataSet { own: "patients".into(), asked: "staff".into() };
    refuse(charge(&path, "0.1", "", "age", Some("staff")), &another);
    refuse(charge(&path, "0", "", "age", None), &LedgerError::Nothing);
    charge(&path, "0.1", "", "age", Some("patients")).unwrap();
    charge(&path, "0.1", "other columns", "height", None).unwrap();
}

#[test]
fn a_ledger_never_replaces_a_file() {
    let bench = Bench::new();
    let before = bench.text();
    let again = LedgerFile::create(&bench.path(), &new_ledger("9", None)).unwrap_err();
    assert_eq!(again.problem, LedgerFileProblem::Exists);
    assert_eq!(bench.text(), before);
    let nowhere = bench.folder.path().join("no/folder/x.ledger");
    let nowhere = LedgerFile::create(&nowhere, &new_ledger("1", None)).unwrap_err();
    assert!(matches!(nowhere.problem, LedgerFileProblem::Write(_)));
}

#[test]
fn a_torn_line_is_healed_by_the_next_charge() {
    let bench = Bench::new();
    bench.charge("0.1").unwrap();
    let before = bench.text();
    bench.charge("0.2").unwrap();
    let after = bench.text();
    let line = &after.as_bytes()[before.len()..];
    // Killed in the middle of the line, also in the middle of the arrow in it: the header is the old one.
    for written in 0..=line.len() {
        std::fs::write(bench.path(), [before.as_bytes(), &line[..written]].concat()).unwrap();
        let whole = written >= line.len() - 1;
        assert_eq!(bench.spent(), epsilon(if whole { "0.3" } else { "0.1" }), "{written}");
        bench.charge("0.4").unwrap();
        assert_eq!(bench.spent(), epsilon(if whole { "0.7" } else { "0.5" }), "{written}");
        assert_eq!(bench.text().lines().count(), if whole { 6 } else { 5 });
    }
}

#[test]
fn tampering_and_cuts_are_found_by_reading_and_charging() {
    let bench = Bench::new();
    bench.charge("0.1").unwrap();
    bench.charge("0.2").unwrap();
    let text = bench.text();
    let wrong = |content: &[u8], expected: LedgerError| {
        std::fs::write(bench.path(), content).unwrap();
        assert_eq!(bench.read().unwrap_err(), LedgerFileProblem::Ledger(expected.clone()));
        assert_eq!(bench.charge("0.1").unwrap_err(), LedgerFileProblem::Ledger(expected));
        assert_eq!(std::fs::read(bench.path()).unwrap(), content, "the evidence was touched");
    };
    wrong(
        text.replacen("\"epsilon\":0.1,", "\"epsilon\":0.01,", 1).as_bytes(),
        LedgerError::Tampered { entry: 2 },
    );
    let lines: Vec<&str> = text.lines().collect();
    let cut = lines[..4].join("\n") + "\n";
    wrong(cut.as_bytes(), LedgerError::Truncated { counted: 3, found: 2 });
    wrong(&text.as_bytes()[..text.len() - 9], LedgerError::Truncated { counted: 3, found: 2 });
    // Bytes that are no text.
    let mut bytes = text.clone().into_bytes();
    let place = text.find("0.1,").unwrap();
    bytes[place] = 0xff;
    wrong(&bytes, LedgerError::Tampered { entry: 2 });
    wrong(b"PAR1\xff\xfe\n", LedgerError::NotALedger);
    wrong(b"", LedgerError::NotALedger);
    wrong(b"age,sex\n1,F\n", LedgerError::NotALedger);
}

#[test]
fn a_rewritten_ledger_does_not_know_the_noted_head() {
    let bench = Bench::new();
    let noted = bench.charge("0.9").unwrap().head;
    std::fs::remove_file(bench.path()).unwrap();
    LedgerFile::create(&bench.path(), &new_ledger("1", Some("patients"))).unwrap();
    bench.charge("0.1").unwrap();
    assert!(!bench.read().unwrap().has_head(&noted));
}

#[test]
fn a_locked_ledger_is_waited_for_and_then_reported() {
    let bench = Bench::new();
    let file = File::options().read(true).write(true).open(bench.path()).unwrap();
    file.lock().unwrap();
    let short = Duration::from_millis(30);
    let table = table("age");
    let request = Request {
        time: &now(),
        guarantee: &Guarantee::Pure { epsilon: epsilon("0.1") },
        rho: None,
        neighbours: Neighbours::Substitute,
        accept_conditional: false,
        what: "",
        schema: table.as_str(),
        id: None,
    };
    let error = charge_within(&bench.path(), &request, short).unwrap_err();
    assert_eq!(error.problem, LedgerFileProblem::Locked { seconds: 0 });
    assert!(!error.is_refusal());
    let error = LedgerFile::read_within(&bench.path(), short).unwrap_err();
    assert_eq!(error.problem, LedgerFileProblem::Locked { seconds: 0 });
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| bench.charge("0.1"));
        std::thread::sleep(Duration::from_millis(50));
        assert!(!waiting.is_finished());
        file.unlock().unwrap();
        assert_eq!(waiting.join().unwrap().unwrap().entry, 2);
    });
}

#[cfg(unix)]
#[test]
fn a_ledger_replaced_while_waiting_is_the_one_charged() {
    let bench = Bench::new();
    let old = File::options().read(true).write(true).open(bench.path()).unwrap();
    old.lock().unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| bench.charge("0.1"));
        std::thread::sleep(Duration::from_millis(50));
        // As an editor saves: a new file under the old name.
        let copy = bench.folder.path().join("copy");
        std::fs::write(&copy, bench.text()).unwrap();
        std::fs::rename(&copy, bench.path()).unwrap();
        old.unlock().unwrap();
        waiting.join().unwrap().unwrap();
    });
    assert_eq!(bench.spent(), epsilon("0.1"));
}

#[test]
fn rejects_paths_that_are_not_files() {
    let bench = Bench::new();
    let folder = bench.folder.path();
    let problem = |name: &Path| LedgerFile::read(name).unwrap_err().problem;
    assert_eq!(problem(folder), LedgerFileProblem::IsFolder);
    assert_eq!(problem(&folder.join("nothing")), LedgerFileProblem::NotFound);
    let charge = |name: &Path| charge(name, "0.1", "", "age", None).unwrap_err().problem;
    assert_eq!(charge(folder), LedgerFileProblem::IsFolder);
    assert_eq!(charge(&folder.join("nothing")), LedgerFileProblem::NotFound);
    assert!(!folder.join("nothing").exists());
}

#[test]
fn threads_share_one_budget() {
    let bench = Bench::new();
    let done: usize = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..50).map(|_| scope.spawn(|| bench.charge("0.03").is_ok())).collect();
        runs.into_iter().map(|run| usize::from(run.join().unwrap())).sum()
    });
    assert_eq!(done, 33);
    assert_eq!(bench.spent(), epsilon("0.99"));
}
