//! Rehearsals as files, for analyses of one's own: a folder that says what it is, and can be filled bit by bit.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use indistinct::interval::{FEWEST_REPLICATES, Rehearsal, RehearsalError, Rehearsals, Rehearsed};
use indistinct::progress::Progress;
use indistinct::table::{Schema, Table};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::OpenedRelease;
use crate::write::WriteProblem;
use crate::{Failure, Format, Source, one_line, read_failure, write, write_atomically};

/// The file that says what the folder is.
const MANIFEST: &str = "rehearsal.json";
/// Advice where files are missing or damaged.
const MAKE_AGAIN: &str = "make what is missing with `indistinct rehearse --resume`";
/// The contents of that file.
const WHAT: &str = "Rehearsals of a release, drawn from its published model. NOT a release: nothing here is private, \
                    certified or charged. rehearsal-population is the model in many rows; of rehearsal k, \
                    rehearsal-k-drawn are rows drawn from it, and rehearsal-k what the program made of them.";

/// Rehearsals as they are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RehearseOptions {
    /// Number of rehearsals.
    pub replicates: usize,
    /// The seed of random numbers.
    pub seed: u64,
    /// Whether a folder that was begun is gone on with.
    pub resume: bool,
    /// The format of tables.
    pub format: Format,
}

/// The contents of the file that says what the folder is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    tool: String,
    version: String,
    what: String,
    /// The SHA-256 of the certificate of the rehearsed release.
    release: String,
    seed: u64,
    replicates: usize,
    /// Tables of each rehearsal.
    tables: usize,
    /// The ending of all tables.
    ending: String,
    /// Rows of the tables, by which one that was cut short is found.
    rows: Rows,
}

/// Rows of each kind of table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Rows {
    population: usize,
    drawn: usize,
    synthetic: usize,
}

/// Rehearsals in a folder.
#[derive(Debug)]
pub struct KeptRehearsals {
    folder: PathBuf,
    manifest: Manifest,
    schema: Schema,
    population: Table,
}

fn population_name(ending: &str) -> String {
    format!("rehearsal-population{ending}")
}

fn drawn_name(number: u64, ending: &str) -> String {
    format!("rehearsal-{:04}-drawn{ending}", number + 1)
}

fn table_name(number: u64, table: usize, tables: usize, ending: &str) -> String {
    let which = if tables == 1 { String::new() } else { format!("-{}", table + 1) };
    format!("rehearsal-{:04}{which}{ending}", number + 1)
}

/// Rehearses a release into a folder, table by table. A run that was stopped goes on where it was with `resume`, and
/// gives the same files as one that was not.
///
/// # Errors
/// When the folder holds something else, a rehearsal fails, or a file cannot be written.
pub fn rehearse_into(
    opened: &OpenedRelease,
    folder: &Path,
    options: &RehearseOptions,
    progress: &dyn Progress,
) -> Result<usize, Failure> {
    if options.replicates == 0 {
        return Err(Failure::usage("--replicates must be at least 1")
            .advise(format!("intervals need at least {FEWEST_REPLICATES}")));
    }
    let ending = options.format.ending().to_owned();
    // Before there is a folder: what cannot be rehearsed leaves none.
    let rehearsal = opened.rehearsal(options.seed)?;
    let manifest = Manifest {
        tool: "indistinct".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        what: WHAT.to_owned(),
        release: opened.certificate_hash().to_owned(),
        seed: options.seed,
        replicates: options.replicates,
        tables: opened.tables().len(),
        ending: ending.clone(),
        rows: Rows {
            population: rehearsal.population().rows(),
            drawn: rehearsal.drawn_rows(),
            synthetic: opened.release().rows(),
        },
    };
    if !is_begun(folder, &manifest, options.resume)? {
        begin(folder, &manifest)?;
    }
    let put = |name: String, table: &Table| -> Result<(), Failure> {
        write(table, &folder.join(name)).map_err(|error| Failure::failed(&error).advise(error.advice()))
    };
    let kept = Kept { folder, manifest: &manifest, schema: rehearsal.schema() };
    if kept.population().is_err() {
        put(population_name(&ending), rehearsal.population())?;
    }
    progress.expect(options.replicates as u64);
    let one = |number: u64| -> Result<(), Failure> {
        if progress.stopped() {
            return Err(Failure::stopped());
        }
        if kept.rehearsed(number).is_err() {
            let rehearsed = rehearsed(&rehearsal, number)?;
            for (place, table) in rehearsed.tables.iter().enumerate() {
                put(table_name(number, place, rehearsed.tables.len(), &ending), table)?;
            }
            put(drawn_name(number, &ending), &rehearsed.drawn)?;
        }
        progress.tick();
        Ok(())
    };
    (0..options.replicates as u64).into_par_iter().try_for_each(one)?;
    Ok(options.replicates)
}

impl Manifest {
    /// The files of a rehearsal: its tables, and then the rows that were drawn.
    fn names(&self, number: u64) -> impl Iterator<Item = String> {
        let tables = (0..self.tables).map(move |table| table_name(number, table, self.tables, &self.ending));
        tables.chain([drawn_name(number, &self.ending)])
    }

    /// Whether it can be one of rehearsals of a release: anybody may have written it.
    fn fits(&self, opened: &OpenedRelease) -> bool {
        let known = |format: Format| format.ending() == self.ending;
        self.tables == opened.tables().len()
            && self.rows.synthetic == opened.release().rows()
            && self.replicates > 0
            && Format::of(Path::new(&population_name(&self.ending))).is_some_and(known)
    }

    /// The number of rehearsals of which a folder has all files.
    fn complete(&self, folder: &Path) -> usize {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let there: HashSet<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // There are no more rehearsals than files, however many were asked for.
        let most = self.replicates.min(there.len()) as u64;
        let is_complete = |number: &u64| self.names(*number).all(|name| there.contains(&name));
        (0..most).filter(is_complete).count()
    }
}

/// Tables in a folder of rehearsals.
struct Kept<'a> {
    folder: &'a Path,
    manifest: &'a Manifest,
    schema: &'a Schema,
}

impl Kept<'_> {
    fn population(&self) -> Result<Table, Failure> {
        self.read(&population_name(&self.manifest.ending), self.manifest.rows.population)
    }

    fn rehearsed(&self, number: u64) -> Result<Rehearsed, Failure> {
        let Rows { drawn, synthetic, .. } = self.manifest.rows;
        let mut names: Vec<String> = self.manifest.names(number).collect();
        let last = names.pop().unwrap_or_default();
        let tables = names.iter().map(|name| self.read(name, synthetic)).collect::<Result<_, _>>()?;
        Ok(Rehearsed { tables, drawn: self.read(&last, drawn)? })
    }

    /// A table of so many rows.
    fn read(&self, name: &str, rows: usize) -> Result<Table, Failure> {
        let path = self.folder.join(name);
        let table = Source::open(&path).and_then(|source| source.read(self.schema)).map_err(read_failure)?;
        if table.rows() == rows {
            return Ok(table);
        }
        let found = table.rows();
        Err(Failure::failed(format!("{} has {found} rows of {rows}", path.display())).advise(MAKE_AGAIN))
    }
}

fn rehearsed(rehearsal: &Rehearsal, number: u64) -> Result<Rehearsed, Failure> {
    rehearsal.rehearse(number).map_err(|error| {
        Failure::failed(one_line(&format!("rehearsal {}: {error}", number + 1))).advise(error.advice())
    })
}

/// Whether a folder is one of these rehearsals, which are to be gone on with. None is there otherwise.
fn is_begun(folder: &Path, manifest: &Manifest, resume: bool) -> Result<bool, Failure> {
    if folder.symlink_metadata().is_err() {
        return Ok(false);
    }
    match read_manifest(&folder.join(MANIFEST)) {
        Some(there) if there == *manifest && resume => Ok(true),
        Some(there) if there == *manifest => Err(Failure::failed(format!("{} exists", folder.display()))
            .advise("say --resume to go on with it, or choose another folder")),
        Some(_) => Err(Failure::failed(format!("{} has other rehearsals", folder.display()))
            .advise("use the same release, --seed, --replicates and --format, or choose another folder")),
        None => Err(Failure::failed(format!("{} exists and has no rehearsals", folder.display()))
            .advise("choose another folder for --out")),
    }
}

/// Makes the folder and the file that says what it is.
fn begin(folder: &Path, manifest: &Manifest) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(manifest).map_err(Failure::failed)? + "\n";
    let made = fs::create_dir_all(folder).map_err(WriteProblem::from);
    made.and_then(|()| {
        write_atomically(&folder.join(MANIFEST), |out| {
            out.write_all(text.as_bytes()).map_err(WriteProblem::from)
        })
    })
    .map_err(|error| Failure::failed(format!("{}: {error}", folder.display())))
}

fn read_manifest(file: &Path) -> Option<Manifest> {
    serde_json::from_str(&fs::read_to_string(file).ok()?).ok()
}

impl KeptRehearsals {
    /// Opens the rehearsals of a release, all of them.
    ///
    /// # Errors
    /// When the folder has none, has those of another release, or not yet all of them.
    pub fn open(folder: &Path, opened: &OpenedRelease) -> Result<Self, Failure> {
        let Some(manifest) = read_manifest(&folder.join(MANIFEST)) else {
            return Err(Failure::failed(format!("{} has no rehearsals", folder.display()))
                .advise("name a folder that `indistinct rehearse --out` made"));
        };
        if manifest.release != opened.certificate_hash() {
            return Err(Failure::failed(format!("{} has rehearsals of another release", folder.display()))
                .advise("name the release that they were made of"));
        }
        if !manifest.fits(opened) {
            let what = format!("{} does not fit the release", folder.join(MANIFEST).display());
            return Err(Failure::failed(what).advise("make the rehearsals again, into another folder"));
        }
        let there = manifest.complete(folder);
        if there < manifest.replicates {
            let all = manifest.replicates;
            return Err(Failure::failed(format!("{} has {there} of {all} rehearsals", folder.display()))
                .advise(MAKE_AGAIN));
        }
        let schema = opened.release().schema().clone();
        let kept = Kept { folder, manifest: &manifest, schema: &schema };
        let population = kept.population().map_err(|failure| failure.advise(MAKE_AGAIN))?;
        Ok(Self { folder: folder.to_owned(), manifest, schema, population })
    }

    /// Number of rehearsals.
    pub fn replicates(&self) -> usize {
        self.manifest.replicates
    }

    /// The seed that they were made with.
    pub fn seed(&self) -> u64 {
        self.manifest.seed
    }
}

impl Rehearsals for KeptRehearsals {
    fn population(&self) -> &Table {
        &self.population
    }

    fn rehearse(&self, number: u64) -> Result<Rehearsed, RehearsalError> {
        let kept = Kept { folder: &self.folder, manifest: &self.manifest, schema: &self.schema };
        kept.rehearsed(number).map_err(|error| RehearsalError::Kept(error.what().into()))
    }
}
