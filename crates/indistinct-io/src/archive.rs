//! Zip archives: one text in them, or the parts of a spreadsheet. What they unpack to is bounded.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::error::Problem;
use crate::expansion::Allowance;
use crate::format::Format;

/// Most files of an archive: there is a list of them in memory.
const MOST_FILES: usize = 10_000;

/// An archive in memory whose files were all unpacked once, and take no more than is allowed.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    format: Format,
}

impl<'a> Archive<'a> {
    /// Opens the bytes of a file of this format.
    pub(crate) fn new(bytes: &'a [u8], format: Format, allowance: &Allowance) -> Result<Self, Problem> {
        if bytes.is_empty() {
            return Err(Problem::EmptyFile);
        }
        let damaged = || Problem::Damaged(format);
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged())?;
        if zip.len() > MOST_FILES {
            return Err(damaged());
        }
        let mut archive = Self { zip, format };
        // Sizes that an archive claims may be lies: all is unpacked once, and forgotten.
        let mut block = vec![0; 1 << 16];
        for place in 0..archive.zip.len() {
            let mut file = archive.zip.by_index(place).map_err(|_| damaged())?;
            loop {
                match file.read(&mut block) {
                    Ok(0) => break,
                    Ok(read) => allowance.take(read as u64)?,
                    Err(_) => return Err(damaged()),
                }
            }
        }
        Ok(archive)
    }

    /// The bytes of the file of this name, if there is one.
    pub(crate) fn file(&mut self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        match self.zip.index_for_name(name) {
            Some(place) => self.at(place).map(Some),
            None => Ok(None),
        }
    }

    fn at(&mut self, place: usize) -> Result<Vec<u8>, Problem> {
        let damaged = || Problem::Damaged(self.format);
        let mut bytes = Vec::new();
        let mut file = self.zip.by_index(place).map_err(|_| damaged())?;
        file.read_to_end(&mut bytes).map_err(|_| damaged())?;
        Ok(bytes)
    }

    /// The only text in the archive, and the byte that usually separates its fields.
    pub(crate) fn only_text(&mut self) -> Result<(Vec<u8>, u8), Problem> {
        let mut found = Vec::new();
        for place in 0..self.zip.len() {
            let Some(Ok(name)) = self.zip.name_for_index(place) else { continue };
            // What systems put beside files, and folders.
            let hidden = name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
            if hidden || name.ends_with('/') {
                continue;
            }
            if let Some(Format::Text { separator, gzip: false }) = Format::of(std::path::Path::new(&*name)) {
                found.push((place, separator, name.to_ascii_lowercase().ends_with(".txt")));
            }
        }
        // A README.txt beside the table.
        if found.iter().filter(|(.., is_plain)| !is_plain).count() == 1 {
            found.retain(|(.., is_plain)| !is_plain);
        }
        match found.as_slice() {
            [(place, separator, _)] => Ok((self.at(*place)?, *separator)),
            _ => Err(Problem::NotOneText(found.len())),
        }
    }
}
