//! Evaluations of tables in files.
//!
//! ```
//! use indistinct::evaluate::EvaluateOptions;
//! use indistinct::progress::Silent;
//! use indistinct_io::{Format, Source, evaluate};
//!
//! let open = |text: &str| Source::from_reader("table.csv", Format::CSV, text.as_bytes());
//! let (real, synthetic) = (open("x\n1\n2\n")?, open("x\n1\n2\n")?);
//! let tables = evaluate::read(&real, vec![("synthetic".to_owned(), synthetic)], None)?;
//! let params = EvaluateOptions::default().plan(None)?;
//! assert_eq!(evaluate::run(&tables, &params, &Silent)?.mean.pmse, 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Borrow;

use indistinct::discriminator::StackError;
use indistinct::evaluate::{
    Discriminator, EvaluateParams, Evaluation, EvaluationError, Tables, distinguishability,
};
use indistinct::progress::Progress;
use indistinct::quality::Distinguishability;
use indistinct::table::{Schema, Table};

use crate::{Failure, Source, in_flags, read_comparable, read_failure};

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
    Ok(Tables::new(real, names.into_iter().zip(tables).collect(), schema.is_some()))
}

/// The evaluation.
///
/// # Errors
/// When the tables cannot be compared, the discriminator cannot judge them, a column cannot be predicted, or the work is
/// stopped.
pub fn run(tables: &Tables, params: &EvaluateParams, progress: &dyn Progress) -> Result<Evaluation, Failure> {
    tables.evaluate(params, progress).map_err(|error| evaluation_failure(&error))
}

/// The headline numbers of one synthetic table alone, without columns, pairs, control and null: the same numbers,
/// sooner.
///
/// # Errors
/// When the tables cannot be compared, or the discriminator cannot judge them.
pub fn judged(
    real: &Table,
    synthetic: &Table,
    discriminator: &Discriminator,
) -> Result<Distinguishability, Failure> {
    distinguishability(real, synthetic, discriminator).map_err(|error| evaluation_failure(&error))
}

/// The failure of an evaluation, with advice.
pub fn evaluation_failure(error: &EvaluationError) -> Failure {
    let failure = Failure::failed(error);
    match error {
        EvaluationError::Tables(StackError::TooFewRows { .. }) => {
            failure.advise("compare tables with more rows: of one row nothing can be told")
        }
        EvaluationError::Tables(StackError::TooManyRows(_)) => failure.advise("compare some of the rows"),
        EvaluationError::Tables(_) => failure.advise(
            "compare tables with the same columns, or give a schema (indistinct schema) in which those that a release leaves \
             out are of type identifier, as a draft has them",
        ),
        EvaluationError::Judge(_) => {
            failure.advise("leave out --interactions, or judge with --discriminator cart")
        }
        EvaluationError::Null(error) => failure.advise(in_flags(&error.advice())),
        EvaluationError::Predict(error) => failure.advise(in_flags(&error.advice())),
        EvaluationError::Stopped => Failure::stopped(),
    }
}
