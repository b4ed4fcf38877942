//! The bytes of a Parquet or Arrow file: in memory, or read from the file as they are needed.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::error::Problem;

/// The bytes of a file.
#[derive(Debug, Clone)]
pub(crate) enum FileBytes {
    /// All of them.
    Memory(Bytes),
    /// A file with this many, which are never in memory all at once.
    File(Arc<File>, u64),
    /// One of so many files that systems would not let all of them be open: it is opened again for every read.
    Closed(Arc<ClosedFile>),
}

/// A file that is not open, as it was when it was first seen.
#[derive(Debug)]
pub(crate) struct ClosedFile {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl ClosedFile {
    /// The file, if it is still the one that was seen.
    fn open(&self) -> io::Result<File> {
        let file = File::open(&self.path)?;
        let now = file.metadata()?;
        if (now.len(), now.modified().ok()) != (self.length, self.modified) {
            return Err(io::Error::other("the file changed while it was read"));
        }
        Ok(file)
    }
}

impl FileBytes {
    /// A file's bytes, read as they are needed.
    pub(crate) fn open(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self::File(Arc::new(file), length))
    }

    /// The bytes of a file that is opened for every read.
    pub(crate) fn closed(path: &Path) -> io::Result<Self> {
        let about = File::open(path)?.metadata()?;
        let (length, modified) = (about.len(), about.modified().ok());
        Ok(Self::Closed(Arc::new(ClosedFile { path: path.to_owned(), length, modified })))
    }

    /// Number of bytes.
    pub(crate) fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
            Self::Closed(closed) => closed.length,
        }
    }

    /// Some of the bytes; `None` if the file does not have them.
    pub(crate) fn range(&self, start: u64, length: u64) -> std::result::Result<Option<Bytes>, Problem> {
        let Some(end) = start.checked_add(length).filter(|end| *end <= self.length()) else {
            return Ok(None);
        };
        let problem = |error: io::Error| Problem::Io(error.to_string());
        Ok(Some(match self {
            Self::Memory(bytes) => bytes.slice(start as usize..end as usize),
            Self::File(file, _) => read_range(file, start, length).map_err(problem)?,
            Self::Closed(file) => {
                file.open().and_then(|file| read_range(&file, start, length)).map_err(problem)?
            }
        }))
    }

    /// The last bytes, as many as there are.
    pub(crate) fn tail(&self, length: u64) -> std::result::Result<Bytes, Problem> {
        let length = length.min(self.length());
        Ok(self.range(self.length() - length, length)?.unwrap_or_default())
    }
}

impl Length for FileBytes {
    fn len(&self) -> u64 {
        self.length()
    }
}

impl ChunkReader for FileBytes {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(match self {
            Self::Memory(bytes) => Box::new(bytes.get_read(start)?),
            Self::File(file, _) => Box::new(BufReader::new(FromHere { file: Arc::clone(file), at: start })),
            Self::Closed(file) => {
                let file = file.open().map_err(|_| ParquetError::General(String::new()))?;
                Box::new(BufReader::new(FromHere { file: Arc::new(file), at: start }))
            }
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.range(start, length as u64).map_err(|_| ParquetError::General(String::new()))?;
        bytes.ok_or_else(|| ParquetError::EOF(String::new()))
    }
}

/// A file from some position on; several may read the same file.
struct FromHere {
    file: Arc<File>,
    at: u64,
}

impl Read for FromHere {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, buffer, at);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, buffer, at);
}

fn read_range(file: &File, start: u64, length: u64) -> io::Result<Bytes> {
    let mut bytes = vec![0; length as usize];
    read_exact_at(file, &mut bytes, start)?;
    Ok(bytes.into())
}

fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, at)? {
            0 => return Err(io::Error::other("the file became shorter while it was read")),
            read => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}
