//! One run at a time: the lock on a ledger file.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::{LedgerFileError, LedgerFileProblem};

/// Pause between two tries: about as long as a charge takes on a fast disk.
const PAUSE: Duration = Duration::from_millis(2);

/// The kind of access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Reading, together with other readers.
    Shared,
    /// Writing, alone.
    Exclusive,
}

/// Opens the ledger and locks it, waiting at most `patience`. The lock ends with the file, or with the process.
///
/// # Guarantee
/// With [`Access::Exclusive`] no other run reads or writes *the file of that name* until this one is done: a file
/// that took its place between opening and locking is opened instead.
pub(super) fn locked(path: &Path, access: Access, patience: Duration) -> Result<File, LedgerFileError> {
    let fail = |problem| LedgerFileError::new(path, problem);
    let start = Instant::now();
    loop {
        let file = match access {
            Access::Shared => File::open(path),
            Access::Exclusive => File::options().read(true).write(true).open(path),
        };
        let file = file.map_err(|error| fail(opening(path, access, &error)))?;
        if file.metadata().is_ok_and(|about| about.is_dir()) {
            return Err(fail(LedgerFileProblem::IsFolder));
        }
        match lock(&file, access, start, patience) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(fail(LedgerFileProblem::Locked { seconds: patience.as_secs() }));
            }
            // Where there are no locks, reading does no harm: the chain shows a line that is being written as torn.
            Err(TryLockError::Error(_)) if access == Access::Shared => {}
            Err(TryLockError::Error(error)) => {
                return Err(fail(LedgerFileProblem::NoLocks(error.to_string())));
            }
        }
        if is_named(&file, path) {
            return Ok(file);
        }
        if start.elapsed() > patience {
            return Err(fail(LedgerFileProblem::Replaced));
        }
        std::thread::sleep(PAUSE);
    }
}

fn lock(file: &File, access: Access, start: Instant, patience: Duration) -> Result<(), TryLockError> {
    loop {
        let tried = match access {
            Access::Shared => file.try_lock_shared(),
            Access::Exclusive => file.try_lock(),
        };
        match tried {
            Err(TryLockError::WouldBlock) if start.elapsed() < patience => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
}

/// The reason why a ledger cannot be opened; for a charge it may exist and not be writable.
fn opening(path: &Path, access: Access, error: &io::Error) -> LedgerFileProblem {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::IsADirectory => LedgerFileProblem::reading(error),
        _ if path.is_dir() => LedgerFileProblem::IsFolder,
        _ if access == Access::Exclusive => LedgerFileProblem::writing(error),
        _ => LedgerFileProblem::reading(error),
    }
}

/// Whether the path still names this file. A charge to a file that lost its name would be forgotten.
#[cfg(unix)]
pub(super) fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(own), Ok(named)) => (own.dev(), own.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// Whether the path still names a file. Here an open file cannot be replaced.
#[cfg(not(unix))]
pub(super) fn is_named(_: &File, path: &Path) -> bool {
    fs::metadata(path).is_ok()
}
