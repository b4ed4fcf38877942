//! A release on its way into its folder: tables, model, page and certificate.

use indistinct::progress::{After, Progress};
use std::path::{Path, PathBuf};

use indistinct::privacy::{Certificate, Randomness};
use indistinct::synthesis::{Release, RowSource};
use indistinct::table::Table;
use indistinct_io::interval::check_rehearsals;
use indistinct_io::synth::{released_model_json, sample_failure};
use indistinct_io::verify::release_failure;
use indistinct_io::{
    CERTIFICATE, Failure, Format, MODEL, PAGE, ReleaseFolder, WriteProblem, table_name, write_atomically,
    write_to,
};

use crate::page::{ReleaseBars, ReleasePage, release_page};

/// Models that are kept beside one folder, at most.
const MOST_KEPT: usize = 1000;

/// A release on its way into a folder, table by table.
#[derive(Debug)]
pub struct Writing<'a> {
    release: &'a Release,
    certificate: &'a Certificate,
    folder: ReleaseFolder,
    format: Format,
    streams: Randomness,
    written: u64,
    first: Option<(String, Table)>,
    bars: Option<ReleaseBars>,
}

/// Writes a release into its folder, which appears complete or not at all, with error bars on its page by so many
/// rehearsals, if any. Gives the certificate as it was written.
///
/// # Errors
/// Those of [`Writing`]; also when the release cannot be rehearsed: it is still in hand, and can be written without bars.
pub fn write_release(
    release: &Release,
    folder: ReleaseFolder,
    format: Format,
    rehearsals: Option<usize>,
    progress: &dyn Progress,
) -> Result<Certificate, Failure> {
    if let Some(replicates) = rehearsals {
        check_rehearsals("rehearsals", replicates)?;
    }
    let mut writing = Writing::begin(release, folder, format)?;
    progress.expect(release.count() * release.rows() as u64);
    for number in 0..release.count() {
        writing.next_table(&After { progress, done: number * release.rows() as u64 })?;
    }
    if let Some(failure) = rehearsals.and_then(|replicates| writing.rehearse(replicates, progress)) {
        return Err(failure);
    }
    writing.finish()
}

impl<'a> Writing<'a> {
    /// Begins to write a release.
    ///
    /// # Errors
    /// When it has no certificate, without which there is no release.
    pub fn begin(release: &'a Release, folder: ReleaseFolder, format: Format) -> Result<Self, Failure> {
        let format = format.written(release.schema());
        let Some(certificate) = release.certified() else {
            return Err(Failure::failed("the model came without the certificate of its release")
                .advise("load the model.json in the folder of its release, as it was made"));
        };
        let streams = release.streams().map_err(|error| sample_failure(&error))?;
        Ok(Self { release, certificate, folder, format, streams, written: 0, first: None, bars: None })
    }
}

impl Writing<'_> {
    /// Makes the next table and writes it.
    ///
    /// # Errors
    /// When its rows cannot be made as demanded, or the file cannot be written. In the first case the model, which was paid
    /// for, is kept beside the folder.
    pub fn next_table(&mut self, progress: &dyn Progress) -> Result<(), Failure> {
        let table = self.release.table(self.written, &self.streams, progress);
        let table = table.map_err(|error| self.with_model_kept(sample_failure(&error)))?;
        self.written += 1;
        let name = table_name(self.written, self.release.count(), self.format);
        let format = self.format;
        self.folder
            .write(&name, |out| write_to(&table, format, out))
            .map_err(|error| release_failure(&error))?;
        self.first.get_or_insert((name, table));
        Ok(())
    }

    /// Rehearses the release, so that its page has error bars. Where it cannot be, or bars are not worth a release that was
    /// paid for, the page goes without: gives the reason.
    pub fn rehearse(&mut self, replicates: usize, progress: &dyn Progress) -> Option<Failure> {
        let tables = match self.tables(progress) {
            Ok(tables) => tables,
            Err(failure) => return Some(failure),
        };
        match ReleaseBars::of(self.release, &tables, replicates, progress) {
            Ok(found) => {
                self.bars = Some(found);
                None
            }
            Err(failure) => Some(failure),
        }
    }

    /// All tables, as they were written: those after the first are made again, the same for the same streams.
    fn tables(&self, progress: &dyn Progress) -> Result<Vec<Table>, Failure> {
        let mut tables: Vec<Table> = self.first.iter().map(|(_, table)| table.clone()).collect();
        for number in tables.len() as u64..self.written {
            let table = self.release.table(number, &self.streams, progress);
            tables.push(table.map_err(|error| sample_failure(&error))?);
        }
        Ok(tables)
    }

    /// Keeps model and certificate beside the folder of a release whose rows cannot be made, and says so.
    fn with_model_kept(&self, failure: Failure) -> Failure {
        let beside = |number: usize, name: &str| {
            let mut path = self.folder.path().as_os_str().to_owned();
            path.push(if number == 1 { format!(".{name}") } else { format!("-{number}.{name}") });
            PathBuf::from(path)
        };
        // What an earlier run kept was paid for, too.
        let is_free =
            |number: &usize| !beside(*number, MODEL).exists() && !beside(*number, CERTIFICATE).exists();
        let Some(number) = (1..=MOST_KEPT).find(is_free) else { return failure };
        let write = |path: &Path, text: &str| {
            write_atomically(path, |out| out.write_all(text.as_bytes()).map_err(WriteProblem::from))
        };
        let (model, certificate) = (beside(number, MODEL), beside(number, CERTIFICATE));
        let Ok(model_text) = released_model_json(self.release) else { return failure };
        let Ok(certificate_text) = serde_json::to_string_pretty(self.certificate) else { return failure };
        match write(&model, &model_text).and_then(|()| write(&certificate, &certificate_text)) {
            Err(_) => failure,
            Ok(()) => failure.advise(format!(
                "the budget is spent; the model is kept in {}: take the rule out of its schema, and make rows with `indistinct sample`",
                model.display()
            )),
        }
    }

    /// Writes model, page and certificate, and gives the folder its name. Gives the certificate as it was written.
    ///
    /// # Errors
    /// When a file cannot be written; then no folder appears.
    pub fn finish(mut self) -> Result<Certificate, Failure> {
        if let RowSource::Model(_) = self.release.source() {
            let model = released_model_json(self.release)?;
            self.put(MODEL, &model)?;
        }
        if let Some((name, table)) = self.first.take() {
            let so_far = self.certificate.clone().with_files(self.folder.files().clone());
            let bars = self.bars.as_ref();
            let page = ReleasePage { certificate: &so_far, table: &table, table_name: &name, bars };
            let page = release_page(page).map_err(Failure::failed)?;
            self.put(PAGE, &page)?;
        }
        self.folder.finish(self.certificate.clone()).map_err(|error| release_failure(&error))
    }

    fn put(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        self.folder
            .write(name, |out| out.write_all(text.as_bytes()).map_err(WriteProblem::from))
            .map_err(|error| release_failure(&error))
    }
}
