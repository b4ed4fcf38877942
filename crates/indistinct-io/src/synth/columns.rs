//! Types and meanings of the columns of a private table: by a draft where nobody declares it.

use indistinct::table::{ColumnSchema, ColumnType, DEFAULT_MISSING, Schema};

use crate::{ColumnPlace, Draft, Failure, PlainColumn, PlainValues, Source, draft_schema, read_failure};

/// A draft; numbers as they are for what knows numbers only.
pub(super) fn drafted(source: &Source, numbers_only: bool) -> Result<Schema, Failure> {
    if numbers_only {
        return plain_schema(source);
    }
    let Draft { schema, notes, .. } = draft_schema(source).map_err(read_failure)?;
    let names_rows = |column: &&ColumnSchema| *column.kind() == ColumnType::Identifier;
    if let Some(column) = schema.columns().iter().find(names_rows) {
        let place =
            source.place_of(column.name()).unwrap_or_else(|| ColumnPlace::Named(column.name().to_owned()));
        let repeats =
            schema.columns().iter().zip(&notes).any(|(other, notes)| other == column && notes.persons);
        if repeats {
            return Err(Failure::failed(format!("{place} seems to say whose rows they are")).advise(
                "say --person with its name, and the guarantee is about persons; or draft a schema with `indistinct schema`, say \
                 there what the column is, and give it with --schema",
            ));
        }
        let what = format!("{place} is different in every row: it seems to name the rows");
        return Err(Failure::failed(what).advise(
            "draft a schema with `indistinct schema`, which declares it an identifier and leaves it out, and give it with \
             --schema; or drop the column",
        ));
    }
    Ok(schema)
}

/// A schema of numbers and categories as the data have them.
fn plain_schema(source: &Source) -> Result<Schema, Failure> {
    let columns = source.read_named(&[]).map_err(read_failure)?;
    let declared = |column: PlainColumn| {
        let kind = match column.values {
            PlainValues::Integers(_) => ColumnType::Integer,
            PlainValues::Floats(_) => ColumnType::Float,
            PlainValues::Text { levels, .. } => ColumnType::Nominal { levels: levels.into() },
        };
        ColumnSchema::new(&column.name, kind)
    };
    Schema::new(DEFAULT_MISSING.map(str::to_owned).to_vec(), columns.into_iter().map(declared).collect())
        .map_err(Failure::failed)
}
