//! The folder of a release: it appears with everything that belongs to it, or not at all.

mod check;
mod contents;
mod error;
#[cfg(test)]
mod tests;

pub use check::{FileCheck, FileState, ReleaseCheck, is_overclaim};
pub use contents::{Contradiction, MODEL, PAGE, table_name};
pub use error::{ReleaseError, ReleaseProblem};

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use indistinct::privacy::Certificate;
use tempfile::TempDir;

use crate::hash::Hashing;
use crate::write::{PartFolder, WriteProblem, folder_of, sync_folder};

/// The file that states the promise of a release, and lists all others.
pub const CERTIFICATE: &str = "certificate.json";

/// A release that is being written, in a hidden folder beside its place. Dropped before [`finish`](Self::finish),
/// it is gone.
///
/// # Guarantee
/// The folder appears under its name in one step, when every file in it is on the disk and the certificate lists
/// their hashes. A run that is killed leaves at most a hidden folder `.NAME.part-...`, which the next run to the
/// same name removes.
#[derive(Debug)]
pub struct ReleaseFolder {
    path: PathBuf,
    force: bool,
    part: PartFolder,
    files: BTreeMap<String, String>,
}

impl ReleaseFolder {
    /// Prepares to release into the folder `path`. Whether that is possible is checked now, *before* any budget
    /// is charged. With `force` an existing release will be replaced by [`finish`](Self::finish), and stays until
    /// then.
    ///
    /// # Errors
    /// When the folder exists and `force` is not set, or contains something other than a release, or cannot be
    /// written.
    pub fn begin(path: &Path, force: bool) -> Result<Self, ReleaseError> {
        let fail = |problem| ReleaseError::new(path, problem);
        if path.file_name().is_none() {
            return Err(fail(ReleaseProblem::BadName));
        }
        check_place(path, force).map_err(fail)?;
        let part = PartFolder::begin(path).map_err(|error| fail(WriteProblem::from(error).into()))?;
        let folder = Self { path: path.to_owned(), force, part, files: BTreeMap::new() };
        // A folder that can be made may still be on a disk that takes no files.
        let probe = folder.part.content().join(CERTIFICATE);
        let write =
            || File::create(&probe).and_then(|mut file| file.write_all(b"\n").and_then(|()| file.sync_all()));
        write()
            .and_then(|()| fs::remove_file(&probe))
            .map_err(|error| fail(WriteProblem::from(error).into()))?;
        Ok(folder)
    }

    /// Checks that the disk has room for a release of this size, *before* any budget is charged. Room is assumed
    /// where the system does not tell.
    ///
    /// # Errors
    /// When there is not.
    pub fn require_space(&self, needed: u64) -> Result<(), ReleaseError> {
        #[cfg(unix)]
        if let Ok(disk) = rustix::fs::statvfs(self.part.content()) {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            if free < needed {
                return Err(ReleaseError::new(&self.path, ReleaseProblem::NoSpace { needed, free }));
            }
        }
        Ok(())
    }

    /// The name that the folder will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file of the release, syncs it, and notes its hash for the certificate.
    ///
    /// # Errors
    /// Those of `fill` and of the system; or when the name is not that of a plain file, or not new.
    pub fn write<E: Into<WriteProblem>>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
    ) -> Result<(), ReleaseError> {
        let fail = |problem| ReleaseError::new(&self.path.join(name), problem);
        if !is_plain(name) || name == CERTIFICATE || self.files.contains_key(name) {
            return Err(fail(ReleaseProblem::BadFileName));
        }
        let hash = self.put(name, fill).map_err(|problem| fail(problem.into()))?;
        self.files.insert(name.to_owned(), hash);
        Ok(())
    }

    fn put<E: Into<WriteProblem>>(
        &self,
        name: &str,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
    ) -> Result<String, WriteProblem> {
        let file = File::create_new(self.part.content().join(name))?;
        let mut out = BufWriter::with_capacity(1 << 18, Hashing::new(file));
        fill(&mut out).map_err(Into::into)?;
        let hashing = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let (file, hash) = hashing.finish();
        file.sync_all()?;
        Ok(hash)
    }

    /// The files so far, with their SHA-256.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// Adds the files to the certificate, writes it, and gives the folder its name. Returns the certificate as
    /// written.
    ///
    /// # Guarantee
    /// No release without a certificate, and none whose certificate does not follow from its own parts.
    ///
    /// # Errors
    /// When the certificate has a [`Problem`](indistinct::privacy::Problem), or the system refuses. Then no
    /// folder appears, and one that was to be replaced stays as it was.
    pub fn finish(self, certificate: Certificate) -> Result<Certificate, ReleaseError> {
        let fail = |problem| ReleaseError::new(&self.path, problem);
        let certificate = certificate.with_files(self.files.clone());
        if let Some(problem) = certificate.check().into_iter().next() {
            return Err(fail(ReleaseProblem::Overclaim(problem)));
        }
        self.put(CERTIFICATE, |out| {
            serde_json::to_writer_pretty(&mut *out, &certificate).map_err(io::Error::from)?;
            out.write_all(b"\n")
        })
        .map_err(|problem| fail(problem.into()))?;
        sync_folder(&self.part.content()).map_err(|error| fail(WriteProblem::from(error).into()))?;
        check_place(&self.path, self.force).map_err(fail)?;
        self.place().map_err(fail)?;
        Ok(certificate)
    }

    /// Gives the folder its name. With `force` an existing folder changes places with it, where the system can do
    /// that in one step, and is then removed. Without `force` renaming fails, even if the other folder appeared
    /// only after the check.
    fn place(&self) -> Result<(), ReleaseProblem> {
        let replaced = |error: io::Error| ReleaseProblem::from(WriteProblem::from(error));
        match fs::rename(self.part.content(), &self.path) {
            Ok(()) => {}
            Err(_) if self.force && self.path.symlink_metadata().is_ok() => {
                if !exchange(&self.part.content(), &self.path).map_err(replaced)? {
                    self.replace_in_two_steps().map_err(replaced)?;
                }
            }
            Err(_) if self.path.symlink_metadata().is_ok() => return Err(ReleaseProblem::Exists),
            Err(error) => return Err(replaced(error)),
        }
        // The folder is there: lost in a power cut, it was charged and not released.
        _ = sync_folder(folder_of(&self.path));
        Ok(())
    }

    /// Moves the existing folder aside first, and back again if the new folder cannot be placed.
    fn replace_in_two_steps(&self) -> io::Result<()> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let aside = beside(&self.path, &format!(".{name}.old-"))?;
        let old = aside.path().join("release");
        fs::rename(&self.path, &old)?;
        fs::rename(self.part.content(), &self.path).inspect_err(|_| {
            if fs::rename(&old, &self.path).is_err() {
                // Better a folder under an odd name than none.
                _ = aside.keep();
            }
        })
    }
}

/// Exchanges two folders; returns whether the system can do that.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Exchanging two folders, which this system cannot do in one step.
#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Checks that a release may take this place.
fn check_place(path: &Path, force: bool) -> Result<(), ReleaseProblem> {
    let there = match path.symlink_metadata() {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(WriteProblem::from(error).into()),
    };
    if !force {
        return Err(ReleaseProblem::Exists);
    }
    if !there.is_dir() {
        return Err(ReleaseProblem::NotAFolder);
    }
    // `--force` with a mistyped name must not remove somebody's home.
    let empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if empty || path.join(CERTIFICATE).is_file() { Ok(()) } else { Err(ReleaseProblem::NotARelease) }
}

/// A new hidden folder beside `path`, with the permissions of any new folder.
fn beside(path: &Path, prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    builder.tempdir_in(folder_of(path))
}

/// Whether a name is that of a file in the folder itself, on any system.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0'])
}
