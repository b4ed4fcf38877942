//! The release that tables belong to.

use std::path::{Path, PathBuf};

use indistinct::combine::{Noise, Origin};
use indistinct::privacy::Certificate;
use indistinct::table::Schema;

use crate::verify::release_failure;
use crate::{CERTIFICATE, Failure, FileState, ReleaseCheck, one_line, read_model};

/// Tables of one release.
pub(super) struct ReleasedTables {
    /// In the order of their draws.
    pub(super) tables: Vec<PathBuf>,
    /// The way they were made.
    pub(super) origin: Origin,
    pub(super) schema: Option<Schema>,
}

impl ReleasedTables {
    /// The release that was named, or that the files named lie in; none if they are other tables.
    pub(super) fn of(named: &[PathBuf]) -> Result<Option<Self>, Failure> {
        if let [folder] = named
            && folder.is_dir()
        {
            let check = ReleaseCheck::of(folder).map_err(|error| release_failure(&error))?;
            let tables = table_names(&check.certificate);
            if tables.is_empty() {
                return Err(Failure::failed(format!("{}: the release has no tables", folder.display()))
                    .advise("name the synthetic tables themselves"));
            }
            if let Some(odd) =
                check.files.iter().find(|file| file.state != FileState::Same && tables.contains(&file.name))
            {
                let what = one_line(&format!("{} is {}", odd.name, odd.state.word()));
                return Err(Failure::failed(format!("{}: not what was released: {what}", folder.display()))
                    .advise("see `indistinct verify`; to go on regardless, name the tables and a --rule"));
            }
            return Self::new(folder, &check, &tables).map(Some);
        }
        let parent = |path: &PathBuf| path.parent().map(Path::to_owned);
        let folder = named.first().and_then(parent).unwrap_or_default();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let together = named.iter().all(|path| parent(path) == parent(&named[0]));
        if !together || !folder.join(CERTIFICATE).is_file() {
            return Ok(None);
        }
        // A certificate that does not list the files as they are is that of something else.
        let Ok(check) = ReleaseCheck::of(&folder) else { return Ok(None) };
        let names = named.iter().filter_map(|path| path.file_name().and_then(|name| name.to_str()));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names.dedup();
        let unchanged = |name: &String| {
            check.files.iter().any(|file| file.name == *name && file.state == FileState::Same)
        };
        let belong = table_names(&check.certificate);
        let all =
            names.len() == named.len() && names.iter().all(|name| belong.contains(name) && unchanged(name));
        all.then(|| Self::new(&folder, &check, &names)).transpose()
    }

    fn new(folder: &Path, check: &ReleaseCheck, tables: &[String]) -> Result<Self, Failure> {
        let certificate = &check.certificate;
        let facts = certificate.facts();
        let per_draw = usize::try_from(facts.tables).unwrap_or(usize::MAX).max(1);
        let all = table_names(certificate);
        let draw_of = |name: &String| all.iter().position(|other| other == name).unwrap_or(0) / per_draw;
        let draw_of_each: Vec<usize> = tables.iter().map(draw_of).collect();
        let drawn: Vec<&[usize]> = draw_of_each.chunk_by(|a, b| a == b).collect();
        if drawn.iter().any(|tables| tables.len() != drawn[0].len()) {
            return Err(Failure::failed("there are not as many tables of every private draw")
                .advise(format!("name the folder {}, or as many tables of each draw", folder.display())));
        }
        let first = draw_of_each.first().copied().unwrap_or(0);
        let model = read_model(&folder.join("model.json")).ok();
        let drawn_model = model.as_ref().and_then(|model| model.draws.get(first));
        Ok(Self {
            tables: tables.iter().map(|name| folder.join(name)).collect(),
            origin: Origin {
                draws: drawn.len(),
                n: usize::try_from(facts.rows).unwrap_or(usize::MAX),
                noise: Noise::of(certificate, first, drawn_model),
            },
            schema: model.map(|model| model.schema),
        })
    }
}

/// The tables of a release, in order: their numbers have leading zeros.
fn table_names(certificate: &Certificate) -> Vec<String> {
    certificate.files().keys().filter(|name| name.starts_with("synthetic")).cloned().collect()
}
