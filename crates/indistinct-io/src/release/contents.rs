//! The files of a release, compared with its certificate.

use std::collections::BTreeSet;
use std::path::Path;

use indistinct::privacy::{Certificate, GuaranteeCondition, SchemaSource};
use indistinct::synthesis::Model;
use indistinct::table::ColumnSchema;

use super::{FileCheck, FileState};
use crate::format::Format;
use crate::model_file::read_model;
use crate::source::Source;
use indistinct::synthesis::ReleasedModel;

/// The file that `sample` reads.
pub const MODEL: &str = "model.json";
/// The page of a release.
pub const PAGE: &str = "report.html";

/// The beginning of the names of synthetic tables.
const TABLE: &str = "synthetic";
/// Prefix of methods whose tables are drawn themselves, without a model.
const WITHOUT_MODEL: &str = "smooth-histogram";

/// A disagreement between the certificate and the files of a release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// The number of tables is not that of draws times tables of each.
    #[error("the certificate lists {listed} synthetic tables, and its draws and tables make {expected}")]
    Tables {
        /// Number in the list of files.
        listed: usize,
        /// Number by the certificate's settings.
        expected: u64,
    },
    /// A file that every such release has is not in the list.
    #[error("the certificate does not list {0}")]
    Unlisted(&'static str),
    /// The list has a file that no such release has.
    #[error("the certificate lists {0}, which is not a file of such a release")]
    Foreign(String),
    /// A number in the certificate is not that of the model.
    #[error("the certificate states {stated} {what}, and the model has {found}")]
    Model {
        /// The number's name.
        what: &'static str,
        /// The number in the certificate.
        stated: u64,
        /// The number in the model.
        found: u64,
    },
    /// The model is of another kind.
    #[error("the model is not of the kind that the certificate states")]
    Kind,
    /// The column of persons, or the columns of bounds, are not those of the release.
    #[error("the columns that the certificate names are not those of the release")]
    Columns,
    /// The columns stated as computed from others are not those of the model or of the tables.
    #[error("the derived columns that the certificate names are not those of the release")]
    Derived,
    /// Levels that were read from the rows are not named, or levels are named and there are none.
    #[error("whether levels were read from the private rows is not what the model's columns say")]
    Levels,
}

/// The name of synthetic table `number`, from one, of `count`.
pub fn table_name(number: u64, count: u64, format: Format) -> String {
    let ending = format.ending();
    if count == 1 {
        return format!("{TABLE}{ending}");
    }
    let digits = count.to_string().len().max(2);
    format!("{TABLE}-{number:0digits$}{ending}")
}

/// Compares the list of files, the model and the headers of the tables with the certificate. Files whose contents
/// cannot be what their names say are marked.
pub(super) fn compare(
    folder: &Path,
    certificate: &Certificate,
    files: &mut [FileCheck],
) -> Vec<Contradiction> {
    let facts = certificate.facts();
    let mut found = Vec::new();
    let with_model = !facts.comparison.as_ref().is_some_and(|one| one.method.starts_with(WITHOUT_MODEL));
    listed(certificate, with_model, &mut found);

    let released = facts.columns.saturating_add(facts.derived.len() as u64);
    let mut names: Option<Vec<String>> = None;
    if let Some(file) = files.iter_mut().find(|file| file.name == MODEL && file.state == FileState::Same) {
        match read_model(&folder.join(MODEL)) {
            Err(error) => file.state = FileState::Unusable(error.what().to_owned()),
            Ok(model) => {
                modelled(certificate, &model, &mut found);
                names = Some(model.schema.columns().iter().map(|column| column.name().to_owned()).collect());
            }
        }
    }
    let tables =
        files.iter_mut().filter(|file| file.name.starts_with(TABLE) && file.state == FileState::Same);
    for file in tables {
        match Source::open(&folder.join(&file.name)) {
            Err(error) => file.state = FileState::Unusable(error.problem().to_string()),
            Ok(source) => {
                let columns = names.get_or_insert_with(|| source.names().to_vec());
                if source.names() != columns.as_slice() || columns.len() as u64 != released {
                    file.state = FileState::Unusable("its columns are not those of the release".to_owned());
                }
            }
        }
    }
    if let Some(names) = names {
        let bounded = facts.comparison.iter().flat_map(|comparison| &comparison.bounds);
        let bounded: Vec<&String> = bounded.map(|bounds| &bounds.column).collect();
        let measured = names.iter().filter(|name| !facts.derived.contains(name));
        let in_order = bounded.is_empty() || measured.eq(bounded.iter().copied());
        let released = facts.person.as_ref().is_some_and(|person| names.contains(&person.column));
        if !in_order || released {
            found.push(Contradiction::Columns);
        }
        if !facts.derived.iter().all(|derived| names.contains(derived))
            && !found.contains(&Contradiction::Derived)
        {
            found.push(Contradiction::Derived);
        }
    }
    found
}

/// Compares the list with the files of a release with such numbers.
fn listed(certificate: &Certificate, with_model: bool, found: &mut Vec<Contradiction>) {
    let facts = certificate.facts();
    let names: BTreeSet<&str> = certificate.files().keys().map(String::as_str).collect();
    let tables: Vec<&&str> = names.iter().filter(|name| name.starts_with(TABLE)).collect();
    let expected = facts.draws.saturating_mul(facts.tables);
    if tables.len() as u64 != expected {
        found.push(Contradiction::Tables { listed: tables.len(), expected });
    }
    let format = tables.first().and_then(|name| Format::of(Path::new(name)));
    // Numbers are those of a claim: no more names are made than are listed.
    let places = 1..=expected.min(tables.len() as u64);
    let own: BTreeSet<String> = format
        .map(|format| places.map(|number| table_name(number, expected, format)).collect())
        .unwrap_or_default();
    for name in &names {
        let known = *name == PAGE || (*name == MODEL && with_model) || own.contains(*name);
        if !known {
            found.push(Contradiction::Foreign((*name).to_owned()));
        }
    }
    for (name, needed) in [(MODEL, with_model), (PAGE, true)] {
        if needed && !names.contains(name) {
            found.push(Contradiction::Unlisted(name));
        }
    }
}

/// Compares the numbers of the model with those of the certificate.
fn modelled(certificate: &Certificate, model: &ReleasedModel, found: &mut Vec<Contradiction>) {
    let facts = certificate.facts();
    let columns: Vec<&ColumnSchema> =
        model.schema.columns().iter().filter(|column| column.is_measured()).collect();
    if !model.schema.derived().map(ColumnSchema::name).eq(facts.derived.iter().map(String::as_str)) {
        found.push(Contradiction::Derived);
    }
    for (what, stated, in_model) in [
        ("rows", facts.rows, model.rows as u64),
        ("columns", facts.columns, columns.len() as u64),
        ("draws", facts.draws, model.draws.len() as u64),
    ] {
        if stated != in_model {
            found.push(Contradiction::Model { what, stated, found: in_model });
        }
    }
    let kind = |draw: &Model| match draw {
        Model::Normal(_) => "normal",
        Model::Mixed(_) | Model::VersionOne(_) => "mixed",
    };
    if model.draws.iter().any(|draw| kind(draw) != facts.model) {
        found.push(Contradiction::Kind);
    }
    if facts.schema_source == SchemaSource::Drafted {
        let named = facts.conditions().contains(&GuaranteeCondition::ObservedLevels);
        if named != columns.iter().any(|column| column.kind().has_levels()) {
            found.push(Contradiction::Levels);
        }
    }
}
