//! The file of a privacy ledger: charged by one run at a time, and on the disk before anything is released.
//!
//! What the lines say, how they are chained and what a killed run leaves behind is
//! [`indistinct::privacy::ledger`]'s; here is the order of locking, writing and syncing that its promise rests on.

mod error;
mod lock;
#[cfg(test)]
mod tests;

pub use error::{LedgerFileError, LedgerFileProblem};

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

/// How long a charge waits for other runs: many times what fifty of them need.
const CHARGE_PATIENCE: Duration = Duration::from_secs(30);
/// How long somebody who looks waits.
const READ_PATIENCE: Duration = Duration::from_secs(3);

/// A ledger file that was read, and whose chain holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerFile {
    file: String,
    ledger: Ledger,
    /// The hash of every entry.
    heads: Vec<String>,
}

/// A ledger that is to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewLedger<'a> {
    /// All that may be spent.
    pub total: Total,
    /// What the data set is called, if it has a name.
    pub id: Option<&'a str>,
    /// Between which tables the sum of all guarantees holds.
    pub neighbours: Neighbours,
}

/// A release that is to be charged to a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerCharge<'a> {
    /// What it will promise, and so what it costs.
    pub guarantee: &'a Guarantee,
    /// The rho of the budget that it will be made from, if that has a delta.
    pub rho: Option<Rho>,
    /// Between which tables its guarantee holds.
    pub neighbours: Neighbours,
    /// Whether a conditional guarantee will do.
    pub accept_conditional: bool,
    /// What the ledger will say it was for.
    pub what: &'a str,
    /// Which columns it is about.
    pub schema: &'a SchemaFingerprint,
    /// The name that the ledger must have been opened with, if one is asked for.
    pub id: Option<&'a str>,
}

impl LedgerCharge<'_> {
    fn request<'a>(&'a self, time: &'a str) -> Request<'a> {
        let Self { guarantee, rho, neighbours, accept_conditional, what, schema, id } = *self;
        Request { time, guarantee, rho, neighbours, accept_conditional, what, schema: schema.as_str(), id }
    }
}

/// What a charge left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// When, as RFC 3339 text.
    pub time: String,
    /// Which entry it is; the opening is the first.
    pub entry: usize,
    /// What was charged.
    pub epsilon: Epsilon,
    /// What one more release may have.
    pub left: Left,
    /// The head of the chain: kept elsewhere, it shows whether the ledger was rewritten.
    pub head: String,
}

impl LedgerFile {
    /// Makes a ledger. It appears complete or not at all, and never in the place of another file.
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
    /// When there is no such file, it is no ledger, it was changed or cut, or a run that is charging it does not end.
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
    /// When it does not fit, is for another data set, the ledger was changed or cut, another run holds it too long, or the
    /// system refuses. Then nothing may be released; at most a charge that nobody uses was recorded.
    pub fn charge(path: &Path, charge: &LedgerCharge<'_>) -> Result<Receipt, LedgerFileError> {
        charge_within(path, &charge.request(&now()), CHARGE_PATIENCE)
    }

    /// What charging a release would leave behind, without doing it: the file is read and left as it is.
    ///
    /// # Errors
    /// Those of [`charge`](Self::charge), but for writing.
    pub fn try_charge(path: &Path, charge: &LedgerCharge<'_>) -> Result<Receipt, LedgerFileError> {
        let mut ledger = Self::read(path)?.ledger;
        let time = now();
        let request = charge.request(&time);
        ledger.charge(&request).map_err(|error| LedgerFileError::new(path, error))?;
        Ok(receipt(&ledger, &request))
    }

    /// The file, as it was named.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What it holds.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether a head of the chain that was noted earlier is the hash of one of its entries. If not, the whole file was
    /// rewritten, or cut and continued, which the chain alone does not show.
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

/// What the last charge left behind.
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

/// Writes text at a place, in one piece where the system does so, and waits until the disk has it.
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

/// Text, whose last line may have been torn in the middle of a letter. Nowhere else can other bytes be left by a kill.
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
