//! Unfinished work under hidden names, locked while its run lives, so that a later run can tell what is
//! abandoned.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::atomic::folder_of;

/// The beginning of the names of unfinished files.
const FILE_PREFIX: &str = ".indistinct.part-";
/// Random letters and digits at the end of a name that make it new.
const RANDOM: usize = 6;
/// The locked file in an unfinished folder.
const LOCK: &str = "lock";
/// The folder inside it that will get a name.
const CONTENT: &str = "content";
/// Most tries of a run whose unfinished work was taken for abandoned before it was locked.
const TRIES: usize = 100;

/// A new hidden file in a folder, with the permissions of any new file, which is removed unless it is given a
/// name. Removes those that killed runs have left there.
///
/// # Guarantee
/// No other run removes it while this one lives, where the system has locks; where it has none, nothing is
/// removed.
pub(super) fn part_file(folder: &Path) -> io::Result<NamedTempFile> {
    for path in parts(folder, FILE_PREFIX) {
        if let Some(_lock) = abandoned(&path) {
            _ = fs::remove_file(&path);
        }
    }
    for _ in 0..TRIES {
        let mut builder = tempfile::Builder::new();
        builder.prefix(FILE_PREFIX).rand_bytes(RANDOM);
        #[cfg(unix)]
        {
            // As any new file: the process's umask decides.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        if is_ours(file.as_file(), file.path()) {
            return Ok(file);
        }
    }
    Err(lost())
}

/// A hidden folder beside the place of a release, in which it is prepared. Dropped, it is removed with all its
/// contents.
///
/// # Guarantee
/// No other run removes it while this one lives, where the system has locks; where it has none, nothing is
/// removed.
#[derive(Debug)]
pub(crate) struct PartFolder {
    path: PathBuf,
    lock: Option<File>,
}

impl PartFolder {
    /// A new hidden folder for a release at `place`. Removes those that killed runs have left for that place.
    pub(crate) fn begin(place: &Path) -> io::Result<Self> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!(".{name}.part-");
        let folder = folder_of(place);
        for path in parts(folder, &prefix) {
            remove_abandoned(&path);
        }
        for _ in 0..TRIES {
            let path = tempfile::Builder::new().prefix(&prefix).rand_bytes(RANDOM).tempdir_in(folder)?.keep();
            let mut part = Self { path, lock: None };
            match File::create_new(part.path.join(LOCK)) {
                Ok(file) if is_ours(&file, &part.path.join(LOCK)) => {
                    part.lock = Some(file);
                    fs::create_dir(part.content())?;
                    return Ok(part);
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Err(lost())
    }

    /// The folder inside that will be the release.
    pub(crate) fn content(&self) -> PathBuf {
        self.path.join(CONTENT)
    }
}

impl Drop for PartFolder {
    fn drop(&mut self) {
        remove(&self.path, self.lock.take());
    }
}

/// Removes an unfinished folder whose run is gone. A folder without a lock is new or nearly removed, and empty: a
/// run that has just made it makes another.
fn remove_abandoned(path: &Path) {
    let lock = path.join(LOCK);
    if let Some(lock) = abandoned(&lock) {
        remove(path, Some(lock));
    } else if lock.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        _ = fs::remove_dir(path);
    }
}

/// Removes an unfinished folder, its lock last: if killed in between, this leaves what the next run removes.
fn remove(path: &Path, lock: Option<File>) {
    let content = path.join(CONTENT);
    if fs::remove_dir_all(&content).is_err() && content.symlink_metadata().is_ok() {
        return;
    }
    // Not every system removes what is open.
    drop(lock);
    _ = fs::remove_file(path.join(LOCK));
    _ = fs::remove_dir(path);
}

/// The lock of a file that no living run has locked.
fn abandoned(path: &Path) -> Option<File> {
    // Opening a pipe would wait for ever.
    let file =
        path.symlink_metadata().ok().filter(fs::Metadata::is_file).and_then(|_| File::open(path).ok())?;
    file.try_lock().ok().map(|()| file)
}

/// Locks a file that was just made; returns whether it still exists: another run may have removed it before it
/// was locked.
fn is_ours(file: &File, path: &Path) -> bool {
    match file.try_lock() {
        Ok(()) => path.symlink_metadata().is_ok(),
        Err(TryLockError::WouldBlock) => false,
        // Where there are no locks, no run removes another's.
        Err(TryLockError::Error(_)) => true,
    }
}

/// The unfinished files in a folder whose names begin with this prefix.
fn parts(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let is_part = |name: &OsStr| {
        let rest = name.to_str().and_then(|name| name.strip_prefix(prefix));
        rest.is_some_and(|rest| rest.len() == RANDOM && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().filter(|entry| is_part(&entry.file_name())).map(|entry| entry.path()).collect()
}

fn lost() -> io::Error {
    io::Error::other("another run removes what this one begins to write")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn removes_abandoned_parts_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("release");
        // What kills leave at every moment: nothing but the folder, with a lock, with some content, without a lock again.
        for (name, with_lock, with_content) in
            [("aaaaaa", false, false), ("bbbbbb", true, false), ("cccccc", true, true)]
        {
            let part = folder.path().join(format!(".release.part-{name}"));
            fs::create_dir(&part).unwrap();
            if with_lock {
                fs::write(part.join(LOCK), "").unwrap();
            }
            if with_content {
                fs::create_dir(part.join(CONTENT)).unwrap();
                fs::write(part.join(CONTENT).join("synthetic.csv"), "half").unwrap();
            }
        }
        fs::write(folder.path().join(".indistinct.part-dddddd"), "half").unwrap();
        // Not ours: other releases, and names that only look similar.
        let foreign = [".other.part-aaaaaa", ".release.part-b.part-aaaaaa", ".release.part-"];
        for name in foreign {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let living = PartFolder::begin(&place).unwrap();
        let other = PartFolder::begin(&place).unwrap();
        assert!(living.content().is_dir() && other.content().is_dir());
        let file = part_file(folder.path()).unwrap();
        let second = part_file(folder.path()).unwrap();
        assert!(file.path().exists() && second.path().exists());
        assert_eq!(names(folder.path()).len(), foreign.len() + 4);
        drop((living, other, file, second));
        let mut left = names(folder.path());
        left.sort_unstable();
        assert_eq!(left, [".other.part-aaaaaa", ".release.part-", ".release.part-b.part-aaaaaa"]);
    }

    #[test]
    fn many_runs_at_once_do_not_harm_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("release");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let part = PartFolder::begin(&place).unwrap();
                        fs::write(part.content().join("half"), "").unwrap();
                        let file = part_file(folder.path()).unwrap();
                        std::thread::yield_now();
                        assert!(part.content().join("half").exists() && file.path().exists());
                    }
                });
            }
        });
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
