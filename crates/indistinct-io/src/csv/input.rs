//! The bytes of a text table: in a file, read again as needed, or in memory.

use std::fs::File;
use std::io::{self, Read};

use crate::error::Problem;
use crate::expansion::Expansion;

/// The bytes of a text table. A plain file is read block by block, so that its whole text is never in memory.
#[derive(Debug)]
pub(crate) enum Input {
    /// All bytes: standard input, or unpacked text.
    Memory(Vec<u8>),
    /// A file with this many bytes.
    #[cfg(unix)]
    File(File, u64),
}

impl Input {
    /// A file's bytes, unpacked if they are gzip.
    pub(crate) fn open(mut file: File, gzip: bool, expansion: Expansion) -> Result<Self, Problem> {
        #[cfg(unix)]
        {
            let about = file.metadata().map_err(|error| read_problem(&error))?;
            if about.is_file() && !gzip {
                return Ok(Self::File(file, about.len()));
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| read_problem(&error))?;
        Self::memory(bytes, gzip, expansion)
    }

    /// Bytes in memory, unpacked if they are gzip.
    pub(crate) fn memory(bytes: Vec<u8>, gzip: bool, expansion: Expansion) -> Result<Self, Problem> {
        Ok(Self::Memory(if gzip { unpack(&bytes, expansion)? } else { bytes }))
    }

    /// Number of bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            #[cfg(unix)]
            Self::File(_, length) => usize::try_from(*length).unwrap_or(usize::MAX),
        }
    }

    /// Fills the buffer with the bytes from this position on, which must all exist.
    pub(crate) fn read(&self, at: usize, buffer: &mut [u8]) -> Result<(), Problem> {
        match self {
            Self::Memory(bytes) => match bytes.get(at..at + buffer.len()) {
                Some(bytes) => {
                    buffer.copy_from_slice(bytes);
                    Ok(())
                }
                None => Err(read_problem(&io::ErrorKind::UnexpectedEof.into())),
            },
            #[cfg(unix)]
            Self::File(file, _) => std::os::unix::fs::FileExt::read_exact_at(file, buffer, at as u64)
                .map_err(|error| read_problem(&error)),
        }
    }

    /// The line, counted from 1, of the byte at this position.
    pub(crate) fn line(&self, at: usize) -> usize {
        let mut block = vec![0; 1 << 18];
        let mut lines = 1;
        let mut from = 0;
        while from < at {
            let length = block.len().min(at - from);
            if self.read(from, &mut block[..length]).is_err() {
                break;
            }
            lines += memchr::memchr_iter(b'\n', &block[..length]).count();
            from += length;
        }
        lines
    }
}

fn read_problem(error: &io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Problem::Io("the file became shorter while it was read".to_owned()),
        _ => Problem::Io(error.to_string()),
    }
}

fn unpack(bytes: &[u8], expansion: Expansion) -> Result<Vec<u8>, Problem> {
    if bytes.is_empty() {
        return Err(Problem::EmptyFile);
    }
    let most = expansion.of(bytes.len()).bytes();
    let mut unpacked = Vec::new();
    // One byte more shows that there is more.
    let decoder = flate2::read::MultiGzDecoder::new(bytes);
    match decoder.take(most.saturating_add(1)).read_to_end(&mut unpacked) {
        Ok(_) if unpacked.len() as u64 > most => Err(Problem::Expands(most)),
        Ok(_) => Ok(unpacked),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Problem::GzipCutShort),
        Err(_) => Err(Problem::GzipDamaged),
    }
}
