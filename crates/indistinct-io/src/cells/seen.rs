//! Counts of the spellings of missing values, so that a release can spell them as the file does.

use std::sync::Arc;

use super::number::trim_spaces;
use super::{Cell, Missing};

/// Counts of the spellings in a column, or in a part of one, while it is read.
#[derive(Debug)]
pub(crate) struct MissingSeen {
    missing: Arc<Missing>,
    rows: Vec<usize>,
}

impl MissingSeen {
    /// No rows yet.
    pub(crate) fn new(missing: Arc<Missing>) -> Self {
        let rows = vec![0; missing.spellings().len()];
        Self { missing, rows }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, cell: Cell<'_>) {
        if let Cell::Text(text) = cell {
            let text = trim_spaces(text);
            if let Some(place) = self.missing.spellings().iter().position(|spelling| spelling == text) {
                self.rows[place] += 1;
            }
        }
    }
}

/// Counts of all parts so far.
#[derive(Debug)]
pub(crate) struct SeenTotal {
    missing: Arc<Missing>,
    rows: Vec<usize>,
}

impl SeenTotal {
    /// No parts.
    pub(crate) fn new(part: &MissingSeen) -> Self {
        Self { missing: Arc::clone(&part.missing), rows: vec![0; part.rows.len()] }
    }

    /// Moves the counts of the next part here.
    pub(crate) fn append(&mut self, part: &mut MissingSeen) {
        for (all, part) in self.rows.iter_mut().zip(&mut part.rows) {
            *all += std::mem::take(part);
        }
    }

    /// The spellings that occur, the most frequent first.
    pub(crate) fn finish(self) -> Vec<(String, usize)> {
        let spellings = self.missing.spellings().iter().cloned();
        let mut seen: Vec<(String, usize)> = spellings.zip(self.rows).filter(|(_, rows)| *rows > 0).collect();
        seen.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        seen
    }
}
