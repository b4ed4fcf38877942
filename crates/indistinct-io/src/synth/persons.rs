//! Rows that the guarantee is about: at most so many of each person, before anything else looks at the table.

use indistinct::privacy::Person;
use indistinct::private::PersonKey;
use indistinct::table::{ColumnType, DEFAULT_MISSING, Invalid, Schema};

use super::randomness;
use crate::passes::{Division, KeptRows, PersonChoice};
use crate::{Failure, ReadError, Source, read_failure};

/// The random stream of the choice, far from those of draws and tables.
const STREAM: u64 = 1 << 62;

/// The schema without the column of persons, which is never released: it may be declared an identifier, or not at all.
///
/// # Errors
/// When it is declared as anything else.
pub fn left_out_of(column: &str, schema: &Schema) -> Result<Schema, Failure> {
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

/// The key by which rows of persons are chosen: from the system's entropy, or the seed's own.
///
/// # Errors
/// When the system has no entropy.
pub fn person_key(seed: Option<u64>) -> Result<PersonKey, Failure> {
    Ok(PersonKey::draw(&mut randomness(seed)?.public_stream(STREAM)))
}

/// Chooses by these terms. Rows that do not say whose they are end the run, or are left out if invalid cells are missing
/// ones: they are nobody's, and nobody is promised anything about them.
pub(super) fn choosing<T>(
    person: &Person,
    schema: Option<&Schema>,
    invalid: Invalid,
    seed: Option<u64>,
    choose: impl FnOnce(&PersonChoice<'_>) -> Result<T, ReadError>,
) -> Result<T, Failure> {
    let Person { column, rows_per_person, .. } = person;
    let usual = || DEFAULT_MISSING.map(str::to_owned).to_vec();
    let missing = schema.map_or_else(usual, |schema| schema.missing().to_vec());
    let key = person_key(seed)?;
    let choice = PersonChoice { column, most: *rows_per_person, missing: &missing, invalid, schema, key };
    choose(&choice).map_err(read_failure)
}

/// The table of the rows that are kept, of a file that is read into memory.
pub(super) fn bounded(source: &Source, choice: &PersonChoice<'_>) -> Result<Source, ReadError> {
    let division = Division::new(source.names().len(), usize::MAX, None);
    let kept = KeptRows::choose(source, &division, choice)?;
    source.of_rows(choice.column, kept.rows())
}
