//! SHA-256 of files: while they are written, and when they are checked.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The SHA-256 of a file's content in lower-case hexadecimal, as certificates list it. Reads in pieces: a file may be
/// larger than memory.
///
/// # Errors
/// When the file cannot be read.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut hashing = Hashing::new(io::sink());
    io::copy(&mut File::open(path)?, &mut hashing)?;
    Ok(hashing.finish().1)
}

/// Passes bytes on and hashes them, so that a hash is of what was written, not of what is there later.
pub(crate) struct Hashing<W> {
    out: W,
    hash: Sha256,
}

impl<W: Write> Hashing<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, hash: Sha256::new() }
    }

    /// The inner writer, and the SHA-256 of all bytes passed on.
    pub(crate) fn finish(self) -> (W, String) {
        (self.out, hexadecimal(&self.hash.finalize()))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Bytes as lower-case hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| DIGITS[usize::from(digit)] as char)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_agree_with_other_programs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of_file(&path).unwrap(), expected);
        let mut hashing = Hashing::new(Vec::new());
        hashing.write_all(b"a").unwrap();
        hashing.write_all(b"bc").unwrap();
        assert_eq!(hashing.finish(), (b"abc".to_vec(), expected.to_owned()));
        assert!(sha256_of_file(folder.path()).is_err());
    }
}
