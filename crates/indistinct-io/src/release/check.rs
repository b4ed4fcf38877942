//! Checks that a release is what its certificate says.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use indistinct::privacy::{Certificate, Guarantee, Problem};

use super::contents::{Contradiction, compare};
use super::{CERTIFICATE, ReleaseError, ReleaseProblem, is_plain};
use crate::hash::sha256_of_file;

/// The results of checking a release.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleaseCheck {
    /// The certificate's claim.
    pub certificate: Certificate,
    /// The parts of the claim that do not follow from the certificate's own contents.
    pub problems: Vec<Problem>,
    /// Every file that the certificate lists or the folder contains, by name.
    pub files: Vec<FileCheck>,
    /// Contradictions between the files and the certificate.
    pub contradictions: Vec<Contradiction>,
}

/// The result of checking one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCheck {
    /// Its name.
    pub name: String,
    /// Whether it is the one that was released.
    pub state: FileState,
}

/// Whether a file is the one that was released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Unchanged: its hash is the one that the certificate lists.
    Same,
    /// Changed: its hash is another.
    Changed,
    /// Listed, but not there.
    Missing,
    /// There, but not listed.
    Extra,
    /// Unchanged, but without the contents that its name says.
    Unusable(String),
    /// Listed under a name that leads out of the folder, and not looked at.
    BadName,
    /// The system refused.
    Unreadable(String),
}

impl FileState {
    /// The state in one word, for scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Extra => "extra",
            Self::Unusable(_) => "unusable",
            Self::BadName => "bad-name",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

impl ReleaseCheck {
    /// Reads a release, repeats the arithmetic of its certificate, hashes its files, and compares their contents
    /// with the certificate.
    ///
    /// # Guarantee
    /// Every file whose state is [`FileState::Same`] is, byte for byte, the one that the certificate was written
    /// for; and if there are no contradictions, every file that a release has is listed, and rows, columns, draws
    /// and tables are those of the certificate. Nothing here can tell that a certificate was invented as a whole:
    /// see [`Certificate::check`].
    ///
    /// # Errors
    /// When there is no certificate in the folder, or none that can be read.
    pub fn of(folder: &Path) -> Result<Self, ReleaseError> {
        let path = folder.join(CERTIFICATE);
        let read = |error: &io::Error| ReleaseProblem::Read(error.to_string());
        if !folder.is_dir() {
            let there = folder.symlink_metadata().is_ok();
            let problem = if there { ReleaseProblem::NotAFolder } else { ReleaseProblem::NotFound };
            return Err(ReleaseError::new(folder, problem));
        }
        let text = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ReleaseError::new(folder, ReleaseProblem::NoCertificate),
            _ => ReleaseError::new(&path, read(&error)),
        })?;
        let certificate: Certificate = serde_json::from_slice(&text)
            .map_err(|error| ReleaseError::new(&path, ReleaseProblem::NotACertificate(error.to_string())))?;
        let mut files: Vec<FileCheck> = certificate
            .files()
            .iter()
            .map(|(name, hash)| FileCheck { name: name.clone(), state: state(folder, name, hash) })
            .collect();
        let extra = extra(folder, &certificate).map_err(|error| ReleaseError::new(folder, read(&error)))?;
        let contradictions = compare(folder, &certificate, &mut files);
        files.extend(extra.into_iter().map(|name| FileCheck { name, state: FileState::Extra }));
        Ok(Self { problems: certificate.check(), certificate, files, contradictions })
    }

    /// Whether the release is whole and its certificate follows. It may still promise nothing, and say so.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty() && self.contradictions.is_empty() && self.broken().next().is_none()
    }

    /// Whether the certificate claims more than its parts support.
    pub fn is_overclaim(&self) -> bool {
        let claims = !matches!(self.certificate.guarantee(), Guarantee::None { .. });
        self.problems.iter().any(|problem| is_overclaim(&self.certificate, problem))
            || (claims && self.contradictions.contains(&Contradiction::Levels))
    }

    /// Files that are not as released. Further files do no harm to the guarantee of those listed, but have none
    /// themselves.
    pub fn broken(&self) -> impl Iterator<Item = &FileCheck> {
        self.files.iter().filter(|file| !matches!(file.state, FileState::Same | FileState::Extra))
    }

    /// Files that the certificate does not list.
    pub fn extra(&self) -> impl Iterator<Item = &FileCheck> {
        self.files.iter().filter(|file| file.state == FileState::Extra)
    }
}

/// Whether a problem of a certificate is that it claims more than its parts support, rather than that it is
/// malformed.
pub fn is_overclaim(certificate: &Certificate, problem: &Problem) -> bool {
    problem.is_overclaim(matches!(certificate.guarantee(), Guarantee::None { .. }))
}

/// The state of a file that the certificate lists.
fn state(folder: &Path, name: &str, hash: &str) -> FileState {
    if !is_plain(name) || name == CERTIFICATE {
        return FileState::BadName;
    }
    let path = folder.join(name);
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return FileState::Missing,
        Err(error) => return FileState::Unreadable(error.to_string()),
        // A folder or a link is not the file that was written.
        Ok(there) if !there.is_file() => return FileState::Changed,
        Ok(_) => {}
    }
    match sha256_of_file(&path) {
        Ok(found) if found != hash => FileState::Changed,
        Ok(_) => FileState::Same,
        Err(error) => FileState::Unreadable(error.to_string()),
    }
}

/// Names in the folder that the certificate does not list; those of folders end in a slash.
fn extra(folder: &Path, certificate: &Certificate) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != CERTIFICATE && !certificate.files().contains_key(&name) {
            let slash = if entry.file_type()?.is_dir() { "/" } else { "" };
            names.insert(name + slash);
        }
    }
    Ok(names)
}
