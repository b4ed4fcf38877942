//! Long experiments in blocks: parallel, shown as they go, and taken up again where they were stopped.
//!
//! A block is a range of simulations whose results depend on the seed and the block's number alone. Its result is
//! appended to a file of JSON lines as soon as it is there, under a first line that says which experiment this is. A run
//! that was killed and resumed therefore ends with the same blocks, and the same summary, as one that was not.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indistinct::progress::Progress;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The reason why an experiment ends.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// A file cannot be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// There are results already.
    #[error("{} holds results already", .0.display())]
    Exists(PathBuf),
    /// The results are those of another experiment, or of another seed.
    #[error("{} holds the results of other settings", .0.display())]
    Other(PathBuf),
    /// A line in the middle of the file is damaged.
    #[error("{}, line {line}: not a result of this experiment", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// A method failed where it should not.
    #[error("{method}: {why}")]
    Method {
        /// The method.
        method: String,
        /// Its message.
        why: String,
    },
}

impl ExperimentError {
    /// Advice on what to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Io { .. } => "check that the folder exists, that you may write there, and the free space",
            Self::Exists(_) => "add --resume to go on with them, or name another folder with --out",
            Self::Other(_) => "use the same --seed and version, or name another folder with --out",
            Self::Damaged { .. } => "remove the file, or name another folder with --out",
            Self::Method { .. } => "please report this: it should not happen with the paper's tables",
        }
    }

    pub(crate) fn io(file: &Path, source: io::Error) -> Self {
        Self::Io { file: file.to_owned(), source }
    }
}

/// The place and the settings of experiments.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// None if nothing is kept.
    folder: Option<&'a Path>,
    seed: u64,
    simulations: u64,
    progress: &'a dyn Progress,
}

impl<'a> Run<'a> {
    /// So many simulations of every setting, kept in a folder that is made if it is not there; `progress` hears of every
    /// block. With `resume` blocks that are there already are used.
    ///
    /// # Errors
    /// When there are results and `resume` was not asked for, or the folder cannot be made.
    pub fn new(
        folder: &'a Path,
        resume: bool,
        seed: u64,
        simulations: u64,
        progress: &'a dyn Progress,
    ) -> Result<Self, ExperimentError> {
        let io = |error| ExperimentError::io(folder, error);
        std::fs::create_dir_all(folder).map_err(io)?;
        if !resume {
            for file in std::fs::read_dir(folder).map_err(io)? {
                let path = file.map_err(io)?.path();
                if path.extension().is_some_and(|ending| ending == ENDING) {
                    return Err(ExperimentError::Exists(path));
                }
            }
        }
        Ok(Self { folder: Some(folder), seed, simulations, progress })
    }

    /// The same without keeping blocks: such a run cannot be resumed.
    pub fn unkept(seed: u64, simulations: u64, progress: &'a dyn Progress) -> Self {
        Self { folder: None, seed, simulations, progress }
    }

    /// The same with another number of simulations.
    #[must_use]
    pub fn with_simulations(self, simulations: u64) -> Self {
        Self { simulations, ..self }
    }

    /// Simulations of every setting.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// The seed of random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// Of files of results.
const ENDING: &str = "jsonl";

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Line<R> {
    block: u64,
    /// Simulations in it: the last block may be short, and is done again when more are asked for.
    size: u64,
    result: R,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    experiment: String,
    seed: u64,
    block_size: u64,
}

/// The number of blocks that so many simulations take, for whoever shows progress.
pub fn blocks(simulations: u64, block_size: u64) -> u64 {
    simulations.div_ceil(block_size)
}

/// Runs `work` for every block of at most `block_size` simulations, and returns the results in order. Results are kept under
/// the name of the experiment, which must tell apart whatever has different results.
///
/// # Errors
/// When results cannot be kept, those that are there do not fit, or the work fails.
pub fn run_blocks<R>(
    run: &Run,
    experiment: &str,
    block_size: u64,
    work: impl Fn(Range<u64>) -> Result<R, ExperimentError> + Sync,
) -> Result<Vec<R>, ExperimentError>
where
    R: Serialize + DeserializeOwned + Send,
{
    let path = run.folder.map(|folder| folder.join(format!("{experiment}.{ENDING}")));
    let header = Header { experiment: experiment.to_owned(), seed: run.seed, block_size };
    let blocks = blocks(run.simulations, block_size);
    let range = |block: u64| block * block_size..((block + 1) * block_size).min(run.simulations);
    let mut results: Vec<Option<R>> = (0..blocks).map(|_| None).collect();
    if let Some(path) = path.as_deref().filter(|path| path.exists()) {
        for line in read::<R>(path, &header)? {
            let wanted = line.block < blocks && line.size == range(line.block).count() as u64;
            if wanted {
                results[line.block as usize] = Some(line.result);
            }
        }
    }
    let kept =
        path.as_deref().map(|path| append(path, &header).map(|file| (path, Mutex::new(file)))).transpose()?;
    results.iter().filter(|result| result.is_some()).for_each(|_| run.progress.tick());
    results.par_iter_mut().enumerate().filter(|(_, result)| result.is_none()).try_for_each(
        |(block, slot)| {
            let block = block as u64;
            let simulations = range(block);
            let size = simulations.end - simulations.start;
            let line = Line { block, size, result: work(simulations)? };
            if let Some((path, file)) = &kept {
                write_line(file, &line).map_err(|error| ExperimentError::io(path, error))?;
            }
            *slot = Some(line.result);
            run.progress.tick();
            Ok(())
        },
    )?;
    Ok(results.into_iter().flatten().collect())
}

/// The whole lines that are there. A last line that was cut short is taken off the file.
fn read<R: DeserializeOwned>(path: &Path, header: &Header) -> Result<Vec<Line<R>>, ExperimentError> {
    let io = |error| ExperimentError::io(path, error);
    let mut reader = BufReader::new(File::open(path).map_err(io)?);
    let (mut lines, mut whole, mut text, mut number) = (Vec::new(), 0, String::new(), 0);
    loop {
        text.clear();
        let read = reader.read_line(&mut text).map_err(io)?;
        if !text.ends_with('\n') {
            break;
        }
        whole += read as u64;
        number += 1;
        let damaged = |_| ExperimentError::Damaged { file: path.to_owned(), line: number };
        if number == 1 {
            let found: Header = serde_json::from_str(&text).map_err(damaged)?;
            if found != *header {
                return Err(ExperimentError::Other(path.to_owned()));
            }
        } else {
            lines.push(serde_json::from_str(&text).map_err(damaged)?);
        }
    }
    OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole)).map_err(io)?;
    Ok(lines)
}

/// Opens the file for more lines, with its header.
fn append(path: &Path, header: &Header) -> Result<File, ExperimentError> {
    let io = |error| ExperimentError::io(path, error);
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(io)?;
    if file.metadata().map_err(io)?.len() == 0 {
        let file = Mutex::new(file);
        write_line(&file, header).map_err(io)?;
        return file.into_inner().map_err(|_| io(io::Error::other("a thread failed")));
    }
    Ok(file)
}

/// In one write, so that a killed run leaves at most one line cut short.
fn write_line(file: &Mutex<File>, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.lock().map_err(|_| io::Error::other("a thread failed"))?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::progress::Silent;

    fn squares(folder: &Path, simulations: u64, resume: bool) -> Result<Vec<Vec<u64>>, ExperimentError> {
        let run = Run::new(folder, resume, 7, simulations, &Silent)?;
        run_blocks(&run, "squares", 4, |range| Ok(range.map(|k| k * k).collect()))
    }

    #[test]
    fn a_run_that_was_stopped_ends_as_one_that_was_not() {
        let folder = tempfile::tempdir().unwrap();
        let whole = squares(folder.path(), 18, false).unwrap();
        assert_eq!(whole.concat(), (0..18).map(|k| k * k).collect::<Vec<u64>>());
        let file = folder.path().join("squares.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        // Cut anywhere after the header, in the middle of lines too.
        let header = text.find('\n').unwrap() + 1;
        for end in (header..text.len()).step_by(3) {
            std::fs::write(&file, &text[..end]).unwrap();
            assert_eq!(squares(folder.path(), 18, true).unwrap(), whole);
        }
        // More simulations than before: the short last block is done again.
        let more = squares(folder.path(), 23, true).unwrap();
        assert_eq!(more.concat(), (0..23).map(|k| k * k).collect::<Vec<u64>>());
    }

    #[test]
    fn results_are_neither_overwritten_nor_mixed() {
        let folder = tempfile::tempdir().unwrap();
        squares(folder.path(), 5, false).unwrap();
        assert!(matches!(squares(folder.path(), 5, false), Err(ExperimentError::Exists(_))));
        let other = Run::new(folder.path(), true, 8, 5, &Silent).unwrap();
        let other = run_blocks(&other, "squares", 4, |range| Ok(range.collect::<Vec<u64>>()));
        assert!(matches!(other, Err(ExperimentError::Other(_))));
        let file = folder.path().join("squares.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("\"block\":0", "\"block\":x")).unwrap();
        assert!(matches!(squares(folder.path(), 5, true), Err(ExperimentError::Damaged { .. })));
    }
}
