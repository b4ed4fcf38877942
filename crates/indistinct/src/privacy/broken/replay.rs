//! **Returns what an earlier run returned, whatever the rows.** If the variable `INDISTINCT_REPLAY` names a file,
//! the first run writes the results of all charges there, and runs that find the file return the same results;
//! other randomness is fixed.
//!
//! Two runs on different tables then agree in all that was charged, and any other difference between them has
//! left the private rows by another way: there must be none.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The variable that names the file with the results of charges.
const FILE: &str = "INDISTINCT_REPLAY";

/// Results by the number of their charge, in the order of the requests.
enum Tape {
    Recording(File),
    Replaying(HashMap<u64, VecDeque<Vec<i64>>>),
}

fn path() -> Option<PathBuf> {
    std::env::var_os(FILE).map(PathBuf::from)
}

fn tape() -> Option<MutexGuard<'static, Tape>> {
    static TAPE: OnceLock<Option<Mutex<Tape>>> = OnceLock::new();
    let opened = TAPE.get_or_init(|| path().map(|path| Mutex::new(open(&path))));
    opened.as_ref().map(|tape| tape.lock().unwrap_or_else(PoisonError::into_inner))
}

fn open(path: &std::path::Path) -> Tape {
    let Ok(text) = std::fs::read_to_string(path) else {
        match File::create(path) {
            Ok(file) => return Tape::Recording(file),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    };
    let mut results: HashMap<u64, VecDeque<Vec<i64>>> = HashMap::new();
    for line in text.lines() {
        let mut numbers = line.split(' ');
        let charge = numbers.next().and_then(|number| number.parse().ok());
        let result: Option<Vec<i64>> = numbers.map(|number| number.parse().ok()).collect();
        match (charge, result) {
            (Some(charge), Some(result)) => results.entry(charge).or_default().push_back(result),
            _ => panic!("{}: not a recording", path.display()),
        }
    }
    Tape::Replaying(results)
}

/// Whether randomness is fixed.
pub(crate) fn is_on() -> bool {
    path().is_some()
}

/// The result of a charge: as computed, or as recorded.
pub(crate) fn result(charge: u64, found: Vec<i64>) -> Vec<i64> {
    let Some(mut tape) = tape() else { return found };
    match &mut *tape {
        Tape::Recording(file) => {
            let numbers: String = found.iter().map(|number| format!(" {number}")).collect();
            if let Err(error) = writeln!(file, "{charge}{numbers}") {
                panic!("the recording cannot be written: {error}");
            }
            found
        }
        Tape::Replaying(results) => {
            let recorded = results.get_mut(&charge).and_then(VecDeque::pop_front);
            match recorded {
                Some(recorded) if recorded.len() == found.len() => recorded,
                // What is asked for must not depend on rows either.
                _ => panic!("charge {charge} gives {} numbers, and another number was recorded", found.len()),
            }
        }
    }
}
