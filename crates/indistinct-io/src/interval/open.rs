//! A release in a folder, opened for analyses.

use std::path::{Path, PathBuf};

use indistinct::synthesis::{Release, RowSource};
use indistinct::table::Table;

use crate::sample::model_failure;
use crate::verify::release_failure;
use crate::{Failure, FileState, MODEL, ReleaseCheck, Source, one_line, read_failure};

/// A release with its tables as they were released.
#[derive(Debug)]
pub struct OpenedRelease {
    folder: PathBuf,
    release: Release,
    tables: Vec<Table>,
    certificate_hash: String,
}

/// Opens the folder of a release: certificate, model and tables, all as they were released.
///
/// # Errors
/// When it is no release, or a file of it was changed or is missing.
pub fn open_release(folder: &Path) -> Result<OpenedRelease, Failure> {
    if !folder.is_dir() {
        let what = if folder.exists() { "is not a folder" } else { "does not exist" };
        return Err(Failure::failed(format!("{} {what}", folder.display()))
            .advise("name the folder of a release, which `indistinct synth --out` made"));
    }
    let check = ReleaseCheck::of(folder).map_err(|error| release_failure(&error))?;
    let names: Vec<&String> =
        check.certificate.files().keys().filter(|name| name.starts_with("synthetic")).collect();
    let needed = |name: &String| name == MODEL || names.contains(&name);
    if let Some(odd) = check.files.iter().find(|file| needed(&file.name) && file.state != FileState::Same) {
        let what = one_line(&format!("{} is {}", odd.name, odd.state.word()));
        return Err(Failure::failed(format!("{}: not what was released: {what}", folder.display()))
            .advise("see `indistinct verify`, and get the release again"));
    }
    if !check.certificate.files().contains_key(MODEL) {
        return Err(Failure::failed(format!(
            "{}: the release has no model that rows could be drawn from",
            folder.display()
        ))
        .advise("a smooth histogram has none: each of its rows is paid for, and it cannot be rehearsed"));
    }
    let model = crate::read_model(&folder.join(MODEL)).map_err(|error| model_failure(&error))?;
    let mut tables = Vec::with_capacity(names.len());
    for name in names {
        let source = Source::open(&folder.join(name)).map_err(read_failure)?;
        tables.push(source.read(&model.schema).map_err(read_failure)?);
    }
    let Some(first) = tables.first() else {
        return Err(Failure::failed(format!("{}: the release has no tables", folder.display()))
            .advise("get the whole release"));
    };
    let rows = first.rows();
    let certificate_hash = crate::hash::sha256_of_file(&folder.join(crate::CERTIFICATE))
        .map_err(|error| Failure::failed(format!("{}: {error}", folder.display())))?;
    let release = Release::of_parts(RowSource::Model(model), Some(check.certificate), rows, None);
    Ok(OpenedRelease { folder: folder.to_owned(), release, tables, certificate_hash })
}

impl OpenedRelease {
    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Model and certificate.
    pub fn release(&self) -> &Release {
        &self.release
    }

    /// The tables as they were released.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The SHA-256 of its certificate, by which rehearsals know whose they are.
    pub(super) fn certificate_hash(&self) -> &str {
        &self.certificate_hash
    }
}
