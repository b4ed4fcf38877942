//! The file of a privacy ledger: charged by one run at a time, and on the disk before anything is released.
//!
//! [`indistinct::privacy::ledger`] defines the lines, their chain, and what a killed run leaves behind; this
//! module has the order of locking, writing and syncing on which its promise rests.

mod error;
mod lock;
mod open;
mod options;
mod plan;
#[cfg(test)]
mod tests;

pub use error::{LedgerFileError, LedgerFileProblem};
pub(crate) use open::ledger_error_failure;
pub use open::{InvalidLedger, init, ledger_failure, read, verify, warning};
pub use options::{InitOptions, total_delta_of, total_epsilon_of};
pub use plan::{LedgerPlan, plan, planned_delta_of};

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use indistinct::privacy::ledger::{Append, Ledger, LedgerError, Left, Opening, Request, Total};
use indistinct::privacy::{Epsilon, Guarantee, Neighbours, Rho};

use crate::clock::now;
use crate::fingerprint::SchemaFingerprint;
use crate::write::create_atomically;
use lock::{Access, is_named, locked};

/// Longest time that a charge waits for other runs: many times what fifty of them need.
const CHARGE_PATIENCE: Duration = Duration::from_secs(30);
/// Longest time that a reader waits.
const READ_PATIENCE: Duration = Duration::from_secs(3);

/// A ledger file that was read, and whose chain is intact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerFile {
    file: String,
    ledger: Ledger,
    /// The hash of every entry.
    heads: Vec<String>,
}

/// The settings of a new ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewLedger<'a> {
    /// The total budget.
    pub total: Total,
    /// The name of the data set, if it has one.
    pub id: Option<&'a str>,
    /// The kind of neighbouring tables between which the sum of all guarantees holds.
    pub neighbours: Neighbours,
}

/// A release to be charged to a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerCharge<'a> {
    /// The guarantee of the release, from which its price follows.
    pub guarantee: &'a Guarantee,
    /// The rho of the release's budget, if that has a delta.
    pub rho: Option<Rho>,
    /// The kind of neighbouring tables between which its guarantee holds.
    pub neighbours: Neighbours,
    /// Whether a conditional guarantee is accepted.
    pub accept_conditional: bool,
    /// A description of the release, for the ledger.
    pub what: &'a str,
    /// The fingerprint of the released columns.
    pub schema: &'a SchemaFingerprint,
    /// The name that the ledger must have, if one is requested.
    pub id: Option<&'a str>,
}

impl LedgerCharge<'_> {
    fn request<'a>(&'a self, time: &'a str) -> Request<'a> {
        let Self { guarantee, rho, neighbours, accept_conditional, what, schema, id } = *self;
        Request { time, guarantee, rho, neighbours, accept_conditional, what, schema: schema.as_str(), id }
    }
}

/// The receipt of a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The time, as RFC 3339 text.
    pub time: String,
    /// The number of the entry; the opening is the first.
    pub entry: usize,
    /// The charged epsilon.
    pub epsilon: Epsilon,
    /// The budget for one more release.
    pub left: Left,
    /// The head of the chain: kept elsewhere, it shows whether the ledger was rewritten.
    pub head: String,
}

impl LedgerFile {
    /// Makes a ledger. It appears complete or not at all, and never replaces another file.
    ///
    /// # Errors
    /// When the file exists or the system refuses.
    pub fn create(path: &Path, new: &NewLedger<'_>) -> Result<Self, LedgerFileError> {
        let fail = |problem| LedgerFileError::new(path, problem);
        let NewLedger { total: Total { epsilon, delta }, id, neighbours } = *new;
        let opening = Opening { time: now(), id: id.map(str::to_owned), epsilon, delta, neighbours };
        let text = Ledger::open_text(&opening).map_err(|error| fail(error.into()))?;
        create_atomically(path, text.as_bytes()).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => fail(LedgerFileProblem::Exists),
            _ => fail(LedgerFileProblem::writing(&error)),
        })?;
        Self::read(path)
    }

    /// Reads a ledger and checks its chain.
    ///
    /// # Errors
    /// When there is no such file, it is not a ledger, it was changed or cut, or a run that is charging it does
    /// not end.
    pub fn read(path: &Path) -> Result<Self, LedgerFileError> {
        Self::read_within(path, READ_PATIENCE)
    }

    fn read_within(path: &Path, patience: Duration) -> Result<Self, LedgerFileError> {
        let mut file = locked(path, Access::Shared, patience)?;
        let (ledger, text) = parsed(path, &mut file)?;
        let body = text.lines().skip(2).take(ledger.entries());
        let heads = body.filter_map(|line| Some(line.strip_suffix("\"}")?.rsplit_once('"')?.1.to_owned()));
        Ok(Self { file: path.display().to_string(), heads: heads.collect(), ledger })
    }

    /// Charges a release. Call this before anything is released, and release nothing if it fails.
    ///
    /// # Guarantee
    /// When this returns a receipt the charge is on the disk, entry and count, and all charges together are within the
    /// ledger's budget, whatever other runs charge at the same moment and wherever any of them is killed: budget may be
    /// lost, never privacy. That is the promise of [`indistinct::privacy::ledger`], whose order is followed, under an
    /// exclusive lock. `ledger/tests.rs` has many runs at once, and kills them.
    ///
    /// # Errors
    /// When it does not fit, is for another data set, the ledger was changed or cut, another run holds it too
    /// long, or the system refuses. Then nothing may be released; at most a charge that nobody uses was recorded.
    pub fn charge(path: &Path, charge: &LedgerCharge<'_>) -> Result<Receipt, LedgerFileError> {
        charge_within(path, &charge.request(&now()), CHARGE_PATIENCE)
    }

    /// The receipt that charging a release would give, without charging: the file is read and not changed.
    ///
    /// # Errors
    /// Those of [`charge`](Self::charge), except those of writing.
    pub fn try_charge(path: &Path, charge: &LedgerCharge<'_>) -> Result<Receipt, LedgerFileError> {
        let mut ledger = Self::read(path)?.ledger;
        let time = now();
        let request = charge.request(&time);
        ledger.charge(&request).map_err(|error| LedgerFileError::new(path, error))?;
        Ok(receipt(&ledger, &request))
    }

    /// The file's name, as given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The ledger in the file.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether a head of the chain that was noted earlier is the hash of one of its entries. If not, the whole
    /// file was rewritten, or cut and continued, which the chain alone does not show.
    pub fn has_head(&self, head: &str) -> bool {
        self.heads.iter().any(|own| own == head)
    }
}

fn charge_within(path: &Path, request: &Request<'_>, patience: Duration) -> Result<Receipt, LedgerFileError> {
    let fail = |problem| LedgerFileError::new(path, problem);
    let mut file = locked(path, Access::Exclusive, patience)?;
    let (mut ledger, _) = parsed(path, &mut file)?;
    let append = ledger.charge(request).map_err(|error| fail(error.into()))?;
    write(&mut file, &append).map_err(|error| fail(LedgerFileProblem::writing(&error)))?;
    // Locks bind only those who ask: an editor, or a backup that was put back, may have taken the name meanwhile.
    if !is_named(&file, path) {
        return Err(fail(LedgerFileProblem::Replaced));
    }
    // Others need not wait for the arithmetic.
    drop(file);
    Ok(receipt(&ledger, request))
}

/// The receipt of the last charge.
fn receipt(ledger: &Ledger, request: &Request<'_>) -> Receipt {
    Receipt {
        time: request.time.to_owned(),
        entry: ledger.entries(),
        epsilon: request.guarantee.epsilon().unwrap_or(Epsilon::ZERO),
        left: ledger.left(),
        head: ledger.head().to_owned(),
    }
}

/// Writes in the order that the ledger's promise needs, syncing between the steps.
fn write(file: &mut File, append: &Append) -> io::Result<()> {
    if let Some(repair) = &append.repair {
        put(file, append.header_at, repair)?;
    }
    file.set_len(append.keep)?;
    put(file, append.keep, &append.text)?;
    put(file, append.header_at, &append.header)
}

/// Writes text at a place, in one piece where the system does so, and waits until it is on the disk.
fn put(file: &mut File, at: u64, text: &str) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// The ledger in a file that was just opened, and its text.
fn parsed(path: &Path, file: &mut File) -> Result<(Ledger, String), LedgerFileError> {
    let fail = |problem| LedgerFileError::new(path, problem);
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| fail(LedgerFileProblem::reading(&error)))?;
    let text = as_text(bytes).map_err(|error| fail(error.into()))?;
    let ledger = Ledger::parse(&text).map_err(|error| fail(error.into()))?;
    Ok((ledger, text))
}

/// The text, whose last line may have been torn in the middle of a letter. A kill can leave other bytes nowhere
/// else.
fn as_text(bytes: Vec<u8>) -> Result<String, LedgerError> {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let valid = error.utf8_error().valid_up_to();
    let mut bytes = error.into_bytes();
    if bytes[valid..].contains(&b'\n') {
        // Two lines come before the first entry.
        return match memchr::memchr_iter(b'\n', &bytes[..valid]).count() {
            0 | 1 => Err(LedgerError::NotALedger),
            lines => Err(LedgerError::Tampered { entry: lines - 1 }),
        };
    }
    bytes.truncate(valid);
    String::from_utf8(bytes).map_err(|_| LedgerError::NotALedger)
}
