//! Text columns as codes into a dictionary of their spellings.

use std::sync::Arc;

use indistinct::table::MISSING_CODE;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Cell, Missing, spell};

/// A text column while it is read: every spelling once, and the rows as codes.
#[derive(Debug)]
pub(crate) struct Dictionary {
    missing: Arc<Missing>,
    /// Code of every spelling met; those that mean missing have the code of missing.
    known: FxHashMap<Box<str>, u32>,
    levels: u32,
    codes: Vec<u32>,
    scratch: String,
}

impl Dictionary {
    /// An empty column in which these spellings are missing.
    pub(crate) fn new(missing: Arc<Missing>) -> Self {
        Self { missing, known: FxHashMap::default(), levels: 0, codes: Vec::new(), scratch: String::new() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, cell: Cell<'_>) {
        match cell {
            Cell::Missing => self.codes.push(MISSING_CODE),
            Cell::Text(text) => self.push_text(text),
            Cell::Float(value) if value.is_nan() => self.codes.push(MISSING_CODE),
            other => {
                let mut scratch = std::mem::take(&mut self.scratch);
                scratch.clear();
                spell(other, &mut scratch);
                self.push_text(&scratch);
                self.scratch = scratch;
            }
        }
    }

    fn push_text(&mut self, text: &str) {
        let code = match self.known.get(text) {
            Some(&code) => code,
            None => self.learn(text),
        };
        self.codes.push(code);
    }

    #[cold]
    fn learn(&mut self, text: &str) -> u32 {
        let code = if self.missing.is(text) {
            MISSING_CODE
        } else {
            self.levels += 1;
            self.levels - 1
        };
        self.known.insert(text.into(), code);
        code
    }

    /// The spellings in order of their codes, and the codes.
    fn finish(self) -> (Vec<Box<str>>, Vec<u32>) {
        let mut levels = vec![Box::<str>::default(); self.levels as usize];
        for (level, code) in self.known {
            if code != MISSING_CODE {
                levels[code as usize] = level;
            }
        }
        (levels, self.codes)
    }
}

/// The consecutive parts of one column as one: its spellings in bytewise order, and the rows as codes.
pub(crate) fn merge(parts: Vec<Dictionary>) -> (Vec<String>, Vec<u32>) {
    let rows = parts.iter().map(|part| part.codes.len()).sum();
    let parts: Vec<_> = parts.into_par_iter().map(Dictionary::finish).collect();
    let mut levels: Vec<&str> =
        parts.iter().flat_map(|(levels, _)| levels.iter().map(|level| &**level)).collect();
    levels.par_sort_unstable();
    levels.dedup();
    let place: FxHashMap<&str, u32> = levels.iter().zip(0..).map(|(&level, code)| (level, code)).collect();
    let mut codes = Vec::with_capacity(rows);
    for (own, part) in &parts {
        let renamed: Vec<u32> = own.iter().map(|level| place[&**level]).collect();
        codes.extend(part.iter().map(|&code| renamed.get(code as usize).copied().unwrap_or(MISSING_CODE)));
    }
    (levels.into_iter().map(str::to_owned).collect(), codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parts: &[&[&str]]) -> (Vec<String>, Vec<u32>) {
        let missing = Arc::new(Missing::usual());
        let part = |cells: &&[&str]| {
            let mut part = Dictionary::new(Arc::clone(&missing));
            cells.iter().for_each(|cell| part.push(Cell::Text(cell)));
            part
        };
        merge(parts.iter().map(part).collect())
    }

    #[test]
    fn parts_merge_to_what_one_part_gives() {
        let whole = read(&[&["b", "NA", "a", " ", "c", "b"]]);
        assert_eq!(whole.0, ["a", "b", "c"]);
        assert_eq!(whole.1, [1, MISSING_CODE, 0, MISSING_CODE, 2, 1]);
        assert_eq!(read(&[&["b", "NA", "a"], &[], &[" ", "c", "b"]]), whole);
    }

    #[test]
    fn typed_cells_are_spelled() {
        let mut part = Dictionary::new(Arc::new(Missing::usual()));
        for cell in
            [Cell::Integer(5), Cell::Float(0.5), Cell::Float(f64::NAN), Cell::Boolean(true), Cell::Day(0)]
        {
            part.push(cell);
        }
        let (levels, codes) = merge(vec![part]);
        assert_eq!(levels, ["0.5", "1970-01-01", "5", "true"]);
        assert_eq!(codes, [2, 0, MISSING_CODE, 3, 1]);
    }
}
