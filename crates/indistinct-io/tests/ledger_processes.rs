//! Many processes on one ledger, some of them killed. The processes are this test program, started again.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use indistinct::privacy::ledger::Total;
use indistinct::privacy::{Delta, Epsilon, Guarantee, Neighbours, Rho};
use indistinct::table::{ColumnSchema, ColumnType, Schema};
use indistinct_io::{LedgerCharge, LedgerFile, NewLedger, SchemaFingerprint};

/// What a started process charges, and how often.
const LEDGER: &str = "INDISTINCT_TEST_LEDGER";
const TIMES: &str = "INDISTINCT_TEST_TIMES";
/// The delta of each charge; pure without.
const DELTA: &str = "INDISTINCT_TEST_DELTA";

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

/// Not a test of its own: what a started process does. It says `charged` after every charge it has a receipt for.
#[test]
fn charge_in_a_process_of_its_own() {
    let (Ok(ledger), Ok(times)) = (std::env::var(LEDGER), std::env::var(TIMES)) else { return };
    let columns = vec![ColumnSchema::new("age", ColumnType::Integer)];
    let schema = SchemaFingerprint::of(&Schema::new(Vec::new(), columns).unwrap());
    let epsilon = epsilon("0.01");
    let delta: Delta = std::env::var(DELTA).map_or(Delta::ZERO, |delta| delta.parse().unwrap());
    let guarantee =
        if delta.is_zero() { Guarantee::Pure { epsilon } } else { Guarantee::Approximate { epsilon, delta } };
    for _ in 0..times.parse::<usize>().unwrap() {
        let charge = LedgerCharge {
            guarantee: &guarantee,
            rho: (!delta.is_zero()).then(|| Rho::largest(epsilon, delta)),
            neighbours: Neighbours::Substitute,
            accept_conditional: false,
            what: "a process",
            schema: &schema,
            id: None,
        };
        let charged = LedgerFile::charge(Path::new(&ledger), &charge);
        let word = match charged {
            Ok(_) => "charged",
            Err(error) if error.is_refusal() => "refused",
            Err(error) => panic!("{error}"),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{word}").unwrap();
        out.flush().unwrap();
        // Runs do other things between two charges; one that does not would keep the lock from all others.
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn start(ledger: &Path, times: usize, delta: Option<&str>) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .envs(delta.map(|delta| (DELTA, delta)))
        .args(["--exact", "charge_in_a_process_of_its_own", "--nocapture", "--test-threads=1"])
        .env(LEDGER, ledger)
        .env(TIMES, times.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn create(ledger: &Path, epsilon_of: &str, delta: &str) {
    let total = Total { epsilon: epsilon(epsilon_of), delta: delta.parse().unwrap() };
    LedgerFile::create(ledger, &NewLedger { total, id: None, neighbours: Neighbours::Substitute }).unwrap();
}

/// What a process says.
fn told(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok)
}

#[test]
fn fifty_processes_at_once_never_spend_more_than_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("patients.ledger");
    create(&ledger, "0.4", "0");
    let mut children: Vec<Child> = (0..50).map(|_| start(&ledger, 1, None)).collect();
    let receipts = children.iter_mut().flat_map(told).filter(|line| line == "charged").count();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(receipts, 40);
    let read = LedgerFile::read(&ledger).unwrap();
    assert_eq!(read.ledger().remaining(), Epsilon::ZERO);
    assert_eq!(read.ledger().entries(), 41);
}

#[test]
fn fifty_processes_at_once_never_spend_more_rho_than_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("patients.ledger");
    // Twenty releases of (0.01, 1e-6) fit, where five would by adding up epsilons.
    create(&ledger, "0.05", "1e-6");
    let [each, total] = ["0.01", "0.05"].map(|text| Rho::largest(epsilon(text), "1e-6".parse().unwrap()));
    let mut children: Vec<Child> = (0..50).map(|_| start(&ledger, 1, Some("1e-6"))).collect();
    let receipts = children.iter_mut().flat_map(told).filter(|line| line == "charged").count();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let read = LedgerFile::read(&ledger).unwrap();
    let rho = read.ledger().account().rho().unwrap();
    assert_eq!((receipts, read.ledger().postings().len()), (20, 20));
    assert!(rho <= total && rho.saturating_add(each) > total);
    assert!(read.ledger().spent() <= epsilon("0.05"));
}

#[test]
fn a_killed_process_loses_budget_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("patients.ledger");
    create(&ledger, "1000", "0");
    let (mut receipts, mut killed) = (0, 0);
    for round in 0..20_u64 {
        // Two at once, so that a kill also meets one who waits.
        let mut children = [start(&ledger, 10_000, None), start(&ledger, 10_000, None)];
        let mut lines: Vec<_> = children.iter_mut().map(told).collect();
        for lines in &mut lines {
            assert!(lines.any(|line| line == "charged"));
            receipts += 1;
        }
        std::thread::sleep(Duration::from_micros(1_000 + 137 * round));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
        }
        receipts += lines.into_iter().flatten().filter(|line| line == "charged").count();
        // Every receipt is in the ledger, and at most one charge without a receipt for each that was killed.
        let entries = LedgerFile::read(&ledger).unwrap().ledger().postings().len();
        assert!(
            entries >= receipts && entries - receipts <= killed,
            "{receipts} receipts, {entries} charges"
        );
    }
}
