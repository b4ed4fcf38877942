//! From the name of an experiment to files: CSV, SVG and a page.

use std::fs;
use std::path::{Path, PathBuf};

use indistinct::progress::Progress;

use crate::page::{ReportedRun, page};
use crate::regression::Errors;
use crate::simulations::Simulations;
use crate::store::{ExperimentError, Run};
use crate::table1::Table1;
use crate::table2::Table2;
use crate::{csv, figures, regression, table1, table2};

/// The paper's experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experiment {
    /// Violations of the bound by greedy trees.
    Table1,
    /// The pMSE of released tables.
    Table2,
    /// Regression coefficients.
    Regression,
}

impl Experiment {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Table1, Self::Table2, Self::Regression];

    fn blocks(self, simulations: &Simulations) -> u64 {
        match self {
            Self::Table1 => table1::blocks(simulations.table1),
            Self::Table2 => table2::blocks(simulations),
            Self::Regression => regression::blocks(simulations),
        }
    }
}

/// Settings of experiments.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The folder of results.
    pub folder: &'a Path,
    /// Go on with what is there.
    pub resume: bool,
    /// The seed of random numbers.
    pub seed: u64,
    /// Simulations of every setting.
    pub simulations: Simulations,
    /// Hears of progress.
    pub progress: &'a dyn Progress,
}

/// The results.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// Table 1, if it was asked for.
    pub table1: Option<Table1>,
    /// Table 2, if it was asked for.
    pub table2: Option<Table2>,
    /// The regression study, if it was asked for.
    pub regression: Option<Vec<Errors>>,
}

/// Runs experiments.
///
/// # Errors
/// See [`ExperimentError`].
pub fn reproduce(experiments: &[Experiment], options: &Options) -> Result<Results, ExperimentError> {
    let simulations = &options.simulations;
    let run = Run::new(options.folder, options.resume, options.seed, 0, options.progress)?;
    options.progress.expect(experiments.iter().map(|experiment| experiment.blocks(simulations)).sum());
    let mut results = Results::default();
    for &experiment in experiments {
        match experiment {
            Experiment::Table1 => {
                results.table1 = Some(table1::run(&run.with_simulations(simulations.table1))?);
            }
            Experiment::Table2 => results.table2 = Some(table2::run(&run, simulations)?),
            Experiment::Regression => results.regression = Some(regression::run(&run, simulations)?),
        }
    }
    Ok(results)
}

impl Results {
    /// Writes CSV files, figures and `summary.md` into the folder, and the page once more where `page` says, with links
    /// to the figures; returns what was written.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(
        &self,
        folder: &Path,
        also: Option<&Path>,
        reported: &ReportedRun,
    ) -> Result<Vec<PathBuf>, ExperimentError> {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        let mut add = |name: &str, text: String| files.push((folder.join(name), text));
        if let Some(table) = &self.table1 {
            add("table1.csv", csv::table1(table));
            add("figure1.svg", figures::figure1(table).to_svg());
        }
        if let Some(table) = &self.table2 {
            add("table2.csv", csv::table2(table));
            add("table2.svg", figures::table2(table).to_svg());
        }
        if let Some(errors) = &self.regression {
            add("regression.csv", csv::regression(errors));
            add("figure2.svg", figures::figure2(errors).to_svg());
            add("appendix.svg", figures::appendix(errors).to_svg());
        }
        add("summary.md", page(self, reported));
        if let Some(also) = also {
            let figures = link(also, folder);
            files.push((also.to_owned(), page(self, &ReportedRun { figures, ..reported.clone() })));
        }
        for (path, text) in &files {
            write(path, text).map_err(|error| ExperimentError::io(path, error))?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

/// Under another name first, so that a file that is there is whole.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    fs::write(&part, text)?;
    fs::rename(&part, path)
}

/// The path by which a page refers to the files of a folder: relative to its own folder if they are below it.
fn link(page: &Path, folder: &Path) -> String {
    let own = page.parent().unwrap_or(Path::new(""));
    let relative = folder.strip_prefix(own).unwrap_or(folder);
    if relative.as_os_str().is_empty() { String::new() } else { format!("{}/", relative.display()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_to_the_page() {
        let link = |page: &str, folder: &str| link(Path::new(page), Path::new(folder));
        assert_eq!(link("docs/reproduction.md", "docs/reproduction"), "reproduction/");
        assert_eq!(link("results/page.md", "results"), "");
        assert_eq!(link("page.md", "results"), "results/");
        assert_eq!(link("docs/page.md", "/tmp/results"), "/tmp/results/");
    }
}
