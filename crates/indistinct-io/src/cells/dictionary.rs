//! Text columns as codes into a dictionary of their spellings.

use std::sync::Arc;

use indistinct::table::MISSING_CODE;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Cell, Missing, Short, spell};

/// Parts with more distinct spellings than this forget them between blocks.
const MANY: usize = 1 << 12;

/// A text column, or a part of one, while it is read: every spelling once, and the rows as codes.
#[derive(Debug)]
pub(crate) struct Dictionary {
    missing: Arc<Missing>,
    /// Code of every known spelling; spellings that mean missing have the code of missing.
    known: FxHashMap<Box<str>, u32>,
    /// Codes of recent short spellings, where they are found faster; made when there are as many rows as places,
    /// so that it takes no more memory than they do.
    recent: Vec<(Short, u32)>,
    /// The spellings by code.
    levels: Vec<Box<str>>,
    /// The code of each spelling in the whole column, as far as it is known.
    renamed: Vec<u32>,
    codes: Vec<u32>,
    scratch: String,
}

impl Dictionary {
    /// An empty column in which these spellings are missing.
    pub(crate) fn new(missing: Arc<Missing>) -> Self {
        Self {
            missing,
            known: FxHashMap::default(),
            recent: Vec::new(),
            levels: Vec::new(),
            renamed: Vec::new(),
            codes: Vec::new(),
            scratch: String::new(),
        }
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

    /// Adds a row of short text.
    #[inline(always)]
    pub(crate) fn push_short(&mut self, short: Short, text: &str) {
        match self.recent.get(short.place()) {
            Some(&(known, code)) if known == short => self.codes.push(code),
            _ => self.push_rare(short, text),
        }
    }

    /// Adds a row of short text that is not among the recent ones.
    fn push_rare(&mut self, short: Short, text: &str) {
        let code = self.code(text);
        self.codes.push(code);
        if self.recent.is_empty() && self.codes.len() >= Short::PLACES {
            self.recent = vec![(Short::NONE, 0); Short::PLACES];
        }
        if let Some(place) = self.recent.get_mut(short.place()) {
            *place = (short, code);
        }
    }

    fn push_text(&mut self, text: &str) {
        let code = self.code(text);
        self.codes.push(code);
    }

    fn code(&mut self, text: &str) -> u32 {
        match self.known.get(text) {
            Some(&code) => code,
            None => self.learn(text),
        }
    }

    #[cold]
    fn learn(&mut self, text: &str) -> u32 {
        let code = if self.missing.is(text) {
            MISSING_CODE
        } else {
            self.levels.push(text.into());
            self.levels.len() as u32 - 1
        };
        self.known.insert(text.into(), code);
        code
    }

    /// Forgets the rows, and the spellings too if there are many: they would be kept once per part.
    fn clear(&mut self) {
        self.codes.clear();
        if self.levels.len() > MANY {
            self.known.clear();
            self.recent.fill((Short::NONE, 0));
            self.levels.clear();
            self.renamed.clear();
        }
    }
}

/// All parts of a text column so far.
#[derive(Debug)]
pub(crate) struct TextTotal {
    known: FxHashMap<Box<str>, u32>,
    codes: Vec<u32>,
}

impl TextTotal {
    /// No parts.
    pub(crate) fn new() -> Self {
        Self { known: FxHashMap::default(), codes: Vec::new() }
    }

    /// Reserves room for this many rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        super::total::make_room(&mut self.codes, rows);
    }

    /// Moves the rows of the next part here.
    pub(crate) fn append(&mut self, part: &mut Dictionary) {
        for level in &part.levels[part.renamed.len()..] {
            let next = self.known.len() as u32;
            let code = match self.known.get(level) {
                Some(&code) => code,
                None => *self.known.entry(level.clone()).or_insert(next),
            };
            part.renamed.push(code);
        }
        let renamed = &part.renamed;
        self.codes.extend(part.codes.iter().map(|&code| rename(renamed, code)));
        part.clear();
    }

    /// The spellings in bytewise order, and the rows as codes.
    pub(crate) fn finish(mut self) -> (Vec<String>, Vec<u32>) {
        let mut levels: Vec<(Box<str>, u32)> = self.known.into_iter().collect();
        levels.par_sort_unstable();
        let mut renamed = vec![0; levels.len()];
        for ((_, old), new) in levels.iter().zip(0..) {
            renamed[*old as usize] = new;
        }
        for code in &mut self.codes {
            *code = rename(&renamed, *code);
        }
        (levels.into_iter().map(|(level, _)| level.into_string()).collect(), self.codes)
    }
}

/// The new code of a level; missing stays missing.
fn rename(renamed: &[u32], code: u32) -> u32 {
    renamed.get(code as usize).copied().unwrap_or(MISSING_CODE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parts: &[&[&str]]) -> (Vec<String>, Vec<u32>) {
        let missing = Arc::new(Missing::usual());
        let mut total = TextTotal::new();
        let mut part = Dictionary::new(missing);
        for cells in parts {
            cells.iter().for_each(|cell| part.push(Cell::Text(cell)));
            total.append(&mut part);
        }
        total.finish()
    }

    #[test]
    fn merged_parts_agree_with_one_part() {
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
        let mut total = TextTotal::new();
        total.append(&mut part);
        let (levels, codes) = total.finish();
        assert_eq!(levels, ["0.5", "1970-01-01", "5", "true"]);
        assert_eq!(codes, [2, 0, MISSING_CODE, 3, 1]);
    }
}
