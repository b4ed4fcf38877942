//! A bound on the rows of each person: which are kept is decided by keyed hashes before anything else looks.
//!
//! A hash follows from the key, the person and the contents of a row, so that the choice is the same in every pass over
//! the rows, wherever they are and in whatever order they come: in memory, in a file, on a cluster.

use std::borrow::Cow;
use std::num::NonZeroU32;

use rand::Rng;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::random::Generator;
use crate::table::{Column, Table, Values};
pub use unordered::{KeptByContents, PassOfPersons};

/// Rows whose contents are hashed by one thread at a time.
const BLOCK: usize = 1 << 12;

/// The key of the hashes by which rows of persons are chosen: random, and kept to this run.
#[derive(Clone, Copy)]
pub struct PersonKey([u8; 32]);

/// A person, by the keyed hash of the spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonHash(pub u128);

/// A row and its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnedRow {
    /// The person whose row it is.
    pub person: PersonHash,
    /// The keyed hash of the contents.
    pub contents: u64,
    /// The number of the row.
    pub row: u64,
}

impl std::fmt::Debug for PersonKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PersonKey")
    }
}

impl PersonKey {
    /// Draws a key.
    pub fn draw(generator: &mut Generator) -> Self {
        let mut key = [0; 32];
        generator.fill_bytes(&mut key);
        Self(key)
    }

    /// The key of these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for those who choose rows elsewhere.
    pub fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The person who is spelled so.
    ///
    /// # Guarantee
    /// None: hashes of persons are as private as persons, and serve [`rows_of_persons`] only.
    pub fn person(&self, spelling: &str) -> PersonHash {
        let hash = Sha256::new().chain_update(self.0).chain_update(spelling).finalize();
        PersonHash(hash.first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes)))
    }

    /// The stand-in for the hash of contents where nothing is known of them: the same for all rows of a person,
    /// which are then told apart by their order.
    ///
    /// # Guarantee
    /// None: that of [`person`](Self::person).
    pub fn alike(&self, person: PersonHash) -> u64 {
        beginning(&[&self.0[..], &person.0.to_be_bytes()].concat())
    }

    /// Hashes of the contents of rows, each with its person: equal for equal rows of a person. Numbers are hashed by
    /// value.
    ///
    /// # Guarantee
    /// None: hashes of rows are as private as rows, and serve [`rows_of_persons`] only. The hash of a row follows from
    /// the key, the person and this row.
    ///
    /// # Panics
    /// When there are not as many persons as rows.
    pub fn contents(&self, persons: &[PersonHash], table: &Table) -> Vec<u64> {
        assert_eq!(persons.len(), table.rows(), "a person for every row");
        let block = |(block, persons): (usize, &[PersonHash])| {
            let mut bytes = Vec::new();
            let hashes = (block * BLOCK..).zip(persons).map(|(row, person)| {
                bytes.clear();
                bytes.extend(self.0);
                bytes.extend(person.0.to_be_bytes());
                table.columns().iter().for_each(|column| spell(column, row, &mut bytes));
                beginning(&bytes)
            });
            hashes.collect::<Vec<u64>>()
        };
        persons.par_chunks(BLOCK).enumerate().flat_map_iter(block).collect()
    }
}

/// The bytes of a cell: the same for the same value.
fn spell(column: &Column, row: usize, bytes: &mut Vec<u8>) {
    match column.values() {
        // One zero, and one missing value.
        Values::Float(values) if values[row] == 0.0 => bytes.extend(0_u64.to_be_bytes()),
        Values::Float(values) if values[row].is_nan() => bytes.extend(u64::MAX.to_be_bytes()),
        Values::Float(values) => bytes.extend(values[row].to_bits().to_be_bytes()),
        Values::Integer(values) | Values::DateTime(values) => bytes.extend(values[row].to_be_bytes()),
        Values::Date(values) => bytes.extend(values[row].to_be_bytes()),
        Values::Code(values) => bytes.extend(values[row].to_be_bytes()),
    }
}

/// The first eight bytes of a hash.
fn beginning(bytes: &[u8]) -> u64 {
    Sha256::digest(bytes).first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// The hash by which one of several equal rows of a person is chosen: that of the contents for the first, and for the
/// others that of its digits and the number, so that all are as likely to be kept.
fn hash_of_copy(contents: u64, number: usize) -> u64 {
    if number == 1 { contents } else { beginning(format!("{contents:016x}:{number}").as_bytes()) }
}

/// The numbers of the rows to keep, in order: all rows of a person who has at most `most`, and otherwise the `most`
/// with the smallest hashes, every choice being equally likely. Rows are sorted on the way.
///
/// # Guarantee
/// Whatever the key is: which rows of a person are kept follows from the rows of this person alone. So if all rows
/// of one person are replaced by others, of which as many are kept, the tables of kept rows differ in at most `most`
/// rows: `proofs/rows_of_a_person.md`. What is private when that many rows are substituted is then private when a
/// person is. Checked by enumeration on small tables in `private::persons::tests`.
///
/// ```
/// use indistinct::private::{OwnedRow, PersonKey, rows_of_persons};
/// use indistinct::random::Seed;
/// use std::num::NonZeroU32;
///
/// let two = NonZeroU32::new(2).expect("not zero");
/// let key = PersonKey::draw(&mut Seed(1).stream(0));
/// let owned = |(row, name)| OwnedRow { person: key.person(name), contents: 0, row };
/// let mut rows: Vec<OwnedRow> = (0..).zip(["ann", "bob", "ann", "ann", "cy"]).map(owned).collect();
/// let kept = rows_of_persons(&mut rows, two);
/// assert!(kept.contains(&1) && kept.contains(&4) && kept.len() == 4);
/// ```
pub fn rows_of_persons(rows: &mut [OwnedRow], most: NonZeroU32) -> Vec<u64> {
    rows.par_sort_unstable();
    let mut kept = Vec::new();
    for own in rows.chunk_by(|one, other| one.person == other.person) {
        kept.extend(kept_of_person(own, most).iter().map(|row| row.row));
    }
    kept.par_sort_unstable();
    kept
}

/// The rows that are kept of one person, whose rows these are, sorted.
fn kept_of_person(own: &[OwnedRow], most: NonZeroU32) -> Cow<'_, [OwnedRow]> {
    let most = most.get() as usize;
    if own.len() <= most {
        return Cow::Borrowed(own);
    }
    let mut hashed: Vec<(u64, u64, OwnedRow)> = Vec::with_capacity(own.len());
    for equal in own.chunk_by(|one, other| one.contents == other.contents) {
        let copies = (1..).zip(equal);
        hashed.extend(copies.map(|(number, row)| (hash_of_copy(row.contents, number), row.row, *row)));
    }
    hashed.select_nth_unstable(most - 1);
    Cow::Owned(hashed[..most].iter().map(|(.., row)| *row).collect())
}

mod unordered;

#[cfg(test)]
mod tests;
