//! Whose rows the guarantee is about: at most so many rows of each person, before anything else looks at the table.

use indistinct::privacy::{Person, Randomness};
use indistinct::private::rows_of_persons;
use indistinct::table::{ColumnType, DEFAULT_MISSING, Invalid, MISSING_CODE, Schema};

use crate::{Failure, Source, read_failure};

/// The random stream of the choice, far from those of draws and tables.
const STREAM: u64 = 1 << 62;

/// The schema without the column, which is never released: it may be declared an identifier, or not at all.
pub(super) fn left_out_of(person: &Person, schema: &Schema) -> Result<Schema, Failure> {
    let column = &person.column;
    match schema.columns().iter().find(|declared| declared.name() == column) {
        None => Ok(schema.clone()),
        Some(declared) if *declared.kind() == ColumnType::Identifier => {
            schema.without_identifier(column).map_err(Failure::failed)
        }
        Some(declared) if declared.derive().is_some() => Err(Failure::failed(format!(
            "the schema derives column `{column}`, and --person names it: it tells persons apart and is not released"
        ))
        .advise("remove the column from the schema: the table has it")),
        Some(declared) => Err(Failure::failed(format!(
            "the schema declares column `{column}` as {}, and --person names it: it tells persons apart and is not released",
            declared.kind().word()
        ))
        .advise("remove the column from the schema, or declare it `type = \"identifier\"`")),
    }
}

/// The table of the rows that are kept. With a seed the choice has a stream of its own. Rows that do not say whose they are end
/// the run, or are left out if invalid cells are missing ones: they are nobody's, and nobody is promised anything about them.
pub(super) fn bounded(
    person: &Person,
    source: &Source,
    schema: Option<&Schema>,
    invalid: Invalid,
    randomness: &Randomness,
) -> Result<Source, Failure> {
    let Person { column, rows_per_person, .. } = person;
    let usual = || DEFAULT_MISSING.map(str::to_owned).to_vec();
    let missing = schema.map_or_else(usual, |schema| schema.missing().to_vec());
    let persons = source.persons(column, &missing, invalid).map_err(read_failure)?;
    let (rows, persons): (Vec<u32>, Vec<u32>) =
        (0..).zip(persons).filter(|(_, person)| *person != MISSING_CODE).unzip();
    let kept = rows_of_persons(&persons, *rows_per_person, &mut randomness.public_stream(STREAM));
    let kept = kept.into_iter().map(|place| rows[place as usize]).collect();
    source.of_rows(column, kept).map_err(read_failure)
}
