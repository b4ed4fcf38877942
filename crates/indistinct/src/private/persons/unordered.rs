//! Rows that are kept of each person, told by what they are and not by where: for rows that come in another order in
//! every pass, as results of queries do.

use std::num::NonZeroU32;
use std::sync::Arc;

use rayon::prelude::*;

use super::{OwnedRow, PersonHash, kept_of_person};

/// The rows that are kept of persons who have more than that. All rows of other persons are kept.
#[derive(Clone, Default)]
pub struct KeptByContents {
    /// Ascending by person and contents.
    rows: Vec<KeptRow>,
    /// Rows that are kept of all persons.
    total: u64,
}

/// Equal rows of a person, some of which are kept.
#[derive(Clone, Copy)]
struct KeptRow {
    person: PersonHash,
    contents: u64,
    copies: u32,
}

impl std::fmt::Debug for KeptByContents {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("KeptByContents")
    }
}

impl KeptByContents {
    /// Chooses among the rows of some persons, which must be all of theirs, as [`rows_of_persons`](super::rows_of_persons)
    /// does. Rows are sorted on the way.
    ///
    /// # Guarantee
    /// That of [`rows_of_persons`](super::rows_of_persons): the rows that [`PassOfPersons::keeps`] says are kept are, but
    /// for the order of equal rows, the same.
    ///
    /// # Panics
    /// When the hashes of these persons are not above those of all persons before.
    pub fn choose(&mut self, rows: &mut [OwnedRow], most: NonZeroU32) {
        rows.par_sort_unstable();
        let first = rows.first().map(|row| row.person);
        assert!(self.rows.last().map(|row| row.person) < first || first.is_none(), "persons in order");
        for own in rows.chunk_by(|one, other| one.person == other.person) {
            let mut kept = kept_of_person(own, most).into_owned();
            self.total += kept.len() as u64;
            if kept.len() == own.len() {
                continue;
            }
            kept.sort_unstable();
            self.rows.extend(kept.chunk_by(|one, other| one.contents == other.contents).map(|equal| {
                KeptRow { person: equal[0].person, contents: equal[0].contents, copies: equal.len() as u32 }
            }));
        }
    }
}

/// One pass over all rows, of which some are kept.
#[derive(Debug)]
pub struct PassOfPersons {
    kept: Arc<KeptByContents>,
    /// Number of each of these rows that are still to be kept.
    left: Vec<u32>,
    passed: u64,
}

impl PassOfPersons {
    /// A pass that has not begun.
    pub fn new(kept: Arc<KeptByContents>) -> Self {
        let left = kept.rows.iter().map(|row| row.copies).collect();
        Self { kept, left, passed: 0 }
    }

    /// Whether the next row is kept. Of equal rows of a person it is the first ones that are.
    ///
    /// # Guarantee
    /// None: that of [`KeptByContents::choose`], if all rows of a pass are asked about once, in whatever order, and
    /// [`is_complete`](Self::is_complete) at its end.
    pub fn keeps(&mut self, row: &OwnedRow) -> bool {
        let rows = &self.kept.rows;
        let first = rows.partition_point(|kept| kept.person < row.person);
        let all = rows.get(first).is_none_or(|kept| kept.person != row.person);
        let keeps = all || {
            let place =
                rows.binary_search_by_key(&(row.person, row.contents), |kept| (kept.person, kept.contents));
            let left = place.ok().map(|place| &mut self.left[place]).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        };
        self.passed += u64::from(keeps);
        keeps
    }

    /// Whether as many rows were kept as were chosen: otherwise the rows have changed since.
    ///
    /// # Guarantee
    /// None: it tells that a table has changed, and nothing is released then.
    pub fn is_complete(&self) -> bool {
        self.passed == self.kept.total
    }
}
