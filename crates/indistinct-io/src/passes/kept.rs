//! Rows that are kept of each person, chosen in memory that does not grow with the table but for a bit for each row.

use std::num::NonZeroU32;

use indistinct::private::{OwnedRow, PersonHash, PersonKey, rows_of_persons};
use indistinct::table::{Invalid, Schema};

use super::parts::Division;
use super::ranges::PersonRanges;
use crate::error::ReadError;
use crate::source::Source;

/// The choice of the rows of persons.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PersonChoice<'a> {
    /// The column that says whose row it is.
    pub(crate) column: &'a str,
    /// Most rows of each person.
    pub(crate) most: NonZeroU32,
    /// Spellings of a missing person.
    pub(crate) missing: &'a [String],
    /// The treatment of rows that do not say whose they are.
    pub(crate) invalid: Invalid,
    /// The other columns, if they are declared; otherwise all rows of a person look alike, and are told apart by order.
    pub(crate) schema: Option<&'a Schema>,
    /// The key of the hashes.
    pub(crate) key: PersonKey,
}

/// The rows that are kept: for every part of a file, a bit for each row.
#[derive(Debug)]
pub(crate) struct KeptRows {
    column: String,
    parts: Vec<Bits>,
}

/// The rows that are kept of a part of a file.
pub(super) struct KeptPart {
    /// These rows without the column of persons; `None` if there are none.
    pub(super) source: Option<Source>,
    /// Rows of the part, kept or not.
    pub(super) rows: usize,
}

/// A bit for each of some rows.
#[derive(Debug)]
struct Bits {
    length: usize,
    words: Vec<u64>,
}

impl Bits {
    fn none(length: usize) -> Self {
        Self { length, words: vec![0; length.div_ceil(64)] }
    }

    fn set(&mut self, place: usize) {
        self.words[place / 64] |= 1 << (place % 64);
    }

    /// The places of bits that are set, in order.
    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.length).filter(|place| self.words[place / 64] >> (place % 64) & 1 == 1)
    }
}

impl PersonChoice<'_> {
    /// The rows of a part, numbered from 0, and how many it has with those of nobody.
    fn owned(&self, part: &Source) -> Result<(Vec<OwnedRow>, usize), ReadError> {
        let persons = part.persons(self.column, self.missing, self.invalid, &self.key)?;
        // Those of nobody are not asked for.
        let known = || persons.iter().map(|person| person.unwrap_or(PersonHash(0)));
        let contents = match self.schema {
            None => known().map(|person| self.key.alike(person)).collect(),
            Some(schema) => {
                // A cell that the schema does not allow matters only in rows that are kept.
                let table = part.without(self.column)?.read_measured(schema, Invalid::Missing)?;
                self.key.contents(&known().collect::<Vec<PersonHash>>(), &table)
            }
        };
        let owned = |(row, (person, contents)): (u64, (&Option<PersonHash>, u64))| {
            person.map(|person| OwnedRow { person, contents, row })
        };
        let rows = (0..).zip(persons.iter().zip(contents)).filter_map(owned).collect();
        Ok((rows, persons.len()))
    }
}

/// The rows of a table that are somebody's, numbered from 0, by the column of persons and what else is declared: for those
/// who choose rows elsewhere, by the same hashes.
///
/// # Errors
/// When the rows cannot be read, or, with [`Invalid::Refuse`], do not say whose they are.
pub fn owned_rows(
    source: &Source,
    column: &str,
    schema: &Schema,
    invalid: Invalid,
    key: PersonKey,
) -> Result<Vec<OwnedRow>, ReadError> {
    let (most, missing) = (NonZeroU32::MIN, schema.missing());
    let choice = PersonChoice { column, most, missing, invalid, schema: Some(schema), key };
    choice.owned(source).map(|(rows, _)| rows)
}

impl KeptRows {
    /// Chooses the rows to keep. Where the rows of all persons do not fit into memory, those whose hashes are small come
    /// first, then others, by a pass for each.
    pub(crate) fn choose(
        source: &Source,
        division: &Division,
        choice: &PersonChoice<'_>,
    ) -> Result<Self, ReadError> {
        let mut parts: Vec<Bits> = Vec::new();
        let mut persons = PersonRanges::new(division.memory());
        loop {
            let (mut place, mut before) = (0, 0);
            let take = |(own, length): (Vec<OwnedRow>, usize)| {
                if parts.len() == place {
                    parts.push(Bits::none(length));
                }
                place += 1;
                persons.add(own.into_iter().map(|row| OwnedRow { row: row.row + before, ..row }));
                before += length as u64;
                Ok::<usize, ReadError>(length)
            };
            division.for_each(source, |_, part| choice.owned(part), take)?;
            let (mut rows, goes_on) = persons.end_pass();
            mark(&mut parts, &rows_of_persons(&mut rows, choice.most));
            if !goes_on {
                return Ok(Self { column: choice.column.to_owned(), parts });
            }
        }
    }

    /// The numbers of all rows that are kept, in order.
    pub(crate) fn rows(&self) -> Vec<u32> {
        let mut kept = Vec::new();
        let mut before = 0;
        for part in &self.parts {
            kept.extend(part.places().map(|place| (before + place) as u32));
            before += part.length;
        }
        kept
    }

    /// The rows that are kept of a part of the file.
    pub(super) fn of_part(&self, place: usize, part: &Source) -> Result<KeptPart, ReadError> {
        // A file that has more parts than before has changed, which the number of rows will tell.
        let Some(bits) = self.parts.get(place) else { return Ok(KeptPart { source: None, rows: 0 }) };
        let rows: Vec<u32> = bits.places().map(|place| place as u32).collect();
        let source = if rows.is_empty() { None } else { Some(part.of_rows(&self.column, rows)?) };
        Ok(KeptPart { source, rows: bits.length })
    }
}

/// Sets the bits of these rows, which are in order.
fn mark(parts: &mut [Bits], rows: &[u64]) {
    let mut rows = rows.iter().peekable();
    let mut before = 0;
    for part in parts {
        let end = before + part.length as u64;
        while let Some(row) = rows.next_if(|row| **row < end) {
            part.set((row - before) as usize);
        }
        before = end;
    }
}
