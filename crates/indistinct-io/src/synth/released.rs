//! A release in memory as text and from files.

use std::path::Path;

use indistinct::privacy::Certificate;
use indistinct::synthesis::{Release, RowSource, SampleError};
use serde::{Deserialize, Serialize};

use super::failures::sample_failure;
use crate::sample::model_failure;
use crate::{Failure, FileState, ReleaseCheck, model_json, parse_model, read_model};

/// A release as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    model: String,
    certificate: Option<Certificate>,
    rows: usize,
    seed: Option<u64>,
}

/// A released model from its file, with the certificate of its release where that lies beside it and lists the file as it is.
///
/// # Errors
/// When it cannot be read or is no model.
pub fn load_release(path: &Path) -> Result<Release, Failure> {
    let model = read_model(path).map_err(|error| model_failure(&error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let listed = |check: &ReleaseCheck| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        check.files.iter().any(|file| file.name == name && file.state == FileState::Same)
    };
    let certificate = ReleaseCheck::of(folder).ok().filter(listed);
    // Its tables are not those that will be made from here on.
    let certificate = certificate.map(|check| check.certificate.without_files());
    let rows = model.rows;
    Ok(Release::of_parts(RowSource::Model(model), certificate, rows, None))
}

/// The release that [`release_text`] wrote.
///
/// # Errors
/// When the text is none.
pub fn parse_release(text: &str) -> Result<Release, Failure> {
    let document: Document = serde_json::from_str(text)
        .map_err(|_| Failure::failed("this is no release").advise("make it again from its model.json"))?;
    let Document { model, certificate, rows, seed } = document;
    let model = parse_model("model", &model).map_err(|error| model_failure(&error))?;
    Ok(Release::of_parts(RowSource::Model(model), certificate, rows, seed))
}

/// All of a release as text.
///
/// # Errors
/// When there is no model.
pub fn release_text(release: &Release) -> Result<String, Failure> {
    let document = Document {
        model: released_model_json(release)?,
        certificate: release.certified().cloned(),
        rows: release.rows(),
        seed: release.seed(),
    };
    serde_json::to_string(&document).map_err(Failure::failed)
}

/// The text of its model file.
///
/// # Errors
/// When there is no model.
pub fn released_model_json(release: &Release) -> Result<String, Failure> {
    match release.source() {
        RowSource::Model(model) => model_json(model).map_err(Failure::failed),
        RowSource::Tables { .. } => Err(sample_failure(&SampleError::NoModel)),
    }
}
