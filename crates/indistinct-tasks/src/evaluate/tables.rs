//! The tables of an evaluation.

use std::borrow::Borrow;

use indistinct::table::{Schema, Table};
use indistinct_io::{Source, read_comparable};

use crate::{Failure, read_failure};

/// What is compared.
#[derive(Debug)]
pub struct Tables {
    /// The real table.
    pub real: Table,
    /// The synthetic ones, with the names they were given.
    pub synthetic: Vec<(String, Table)>,
    /// Whether a schema says what the columns are.
    pub(super) declared: bool,
}

/// Reads the tables: as the schema declares, or, without one, each column with one type in all of them.
///
/// # Errors
/// When one of them cannot be read.
pub fn read<S: Borrow<Source>>(
    real: &Source,
    synthetic: Vec<(String, S)>,
    schema: Option<&Schema>,
) -> Result<Tables, Failure> {
    let (names, sources): (Vec<String>, Vec<S>) = synthetic.into_iter().unzip();
    let (real, tables) = match schema {
        None => read_comparable(real, &sources).map_err(read_failure)?,
        Some(schema) => {
            let read = |source: &Source| source.read(schema).map_err(read_failure);
            (read(real)?, sources.iter().map(|source| read(source.borrow())).collect::<Result<_, _>>()?)
        }
    };
    let synthetic = names.into_iter().zip(tables).collect();
    Ok(Tables { real, synthetic, declared: schema.is_some() })
}
