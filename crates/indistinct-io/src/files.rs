//! Tables in several Parquet files: a folder, a pattern, or a list of files.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::columnar::{Columnar, FileBytes};
use crate::error::{Problem, ReadError};
use crate::expansion::Expansion;
use crate::format::Format;
use crate::source::{Header, Source, io_problem};

/// Most files that are open at the same time. Systems let a process have some hundreds, and clusters write thousands.
const MOST_OPEN: usize = 64;

impl Source {
    /// Opens a table that is in several Parquet files, with the same columns and types in each; their rows follow each
    /// other in this order.
    ///
    /// # Errors
    /// When there are none, one cannot be read, is of another format, or has other columns than the first.
    pub fn open_files(paths: &[PathBuf], header: Header) -> Result<Self, ReadError> {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let label = names.first().map_or_else(String::new, |first| format!("{first} and others"));
        Self::of_files(&label, paths, header, &|place| names[place].clone())
    }

    /// Opens the files of a folder or pattern, which messages number in the order of their names.
    pub(crate) fn open_folder(path: &Path, files: &[PathBuf], header: Header) -> Result<Self, ReadError> {
        let label = path.display().to_string();
        Self::of_files(&label, files, header, &|place| format!("{label}, file {} by name", place + 1))
    }

    fn of_files(
        label: &str,
        paths: &[PathBuf],
        header: Header,
        name: &dyn Fn(usize) -> String,
    ) -> Result<Self, ReadError> {
        let mut files = Vec::new();
        for (place, path) in paths.iter().enumerate() {
            let problem = |problem| ReadError::new(&name(place), problem);
            if header == Header::Absent {
                return Err(problem(Problem::AlwaysNamed(Format::Parquet)));
            }
            if Format::of(path) != Some(Format::Parquet) {
                let found = path.try_exists().unwrap_or(true);
                return Err(problem(if found { Problem::NotOneTable } else { Problem::NotFound }));
            }
            let opened = match paths.len() {
                0..=MOST_OPEN => File::open(path).and_then(FileBytes::open),
                _ => FileBytes::closed(path),
            };
            files.push(opened.map_err(|error| problem(io_problem(&error)))?);
        }
        let table = Columnar::of_parquet_files(files, Expansion::from_environment());
        let table = table.map_err(|(place, problem)| ReadError::new(&name(place), problem))?;
        Self::of_columnar(label, table)
    }
}

/// The files that a folder or a pattern with `*` in its last part stands for, in order of their names; `None` for the
/// path of one file. Names that begin with a dot or an underscore are passed over, as Spark writes marks under them.
pub(crate) fn files_of(path: &Path) -> Result<Option<Vec<PathBuf>>, Problem> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (folder, pattern) = if path.is_dir() {
        (path, "*")
    } else if name.contains('*') && !path.exists() {
        (path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")), name.as_str())
    } else {
        return Ok(None);
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| io_problem(&error))? {
        let path = entry.map_err(|error| io_problem(&error))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.starts_with(['.', '_']) && matches(pattern, &name) {
            files.push(path);
        }
    }
    files.sort();
    match (files.is_empty(), pattern) {
        (true, "*") => Err(Problem::EmptyFolder),
        (true, _) => Err(Problem::NotFound),
        (false, _) => Ok(Some(files)),
    }
}

/// Whether a name fits a pattern in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some(at) = left.find(piece) else { return false };
        left = &left[at + piece.len()..];
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_names() {
        for (pattern, name, fits) in [
            ("*", "part-0.parquet", true),
            ("*.parquet", "part-0.parquet", true),
            ("part-*.parquet", "part-.parquet", true),
            ("part-*.parquet", "apart-0.parquet", false),
            ("*0*1*", "part-0-1.parquet", true),
            ("*1*0*", "part-0-1.parquet", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
