//! What to do about a table or settings that cannot be used.

use indistinct::mixed::MixedError;
use indistinct::private::PrivateRowsError;
use indistinct::release::ReleaseError;
use indistinct::table::{Column, ColumnType, Table};

use crate::Failure;

/// `in_file` says which row of the file a row of the table is.
pub(super) fn rows_failure(mut error: PrivateRowsError, in_file: &dyn Fn(usize) -> usize) -> Failure {
    if let PrivateRowsError::Missing { row, .. } = &mut error {
        *row = in_file(*row);
    }
    Failure::failed(&error).advise(match error {
        PrivateRowsError::NotNumeric { .. } => {
            "the normal model and comparison methods are for numbers: use --model mixed without their options, or declare \
             the column `type = \"identifier\"` in a schema to leave it out"
        }
        PrivateRowsError::Missing { .. } => "use --model mixed, which keeps missing values, or fill them first",
        PrivateRowsError::Empty => "declare at least one numeric column, or use --model mixed",
    })
}

/// A column without any value is a mistake, which its owner is told of, outside every guarantee, before anything is charged.
pub(super) fn refuse_all_missing(table: &Table) -> Result<(), Failure> {
    let empty = |column: &&Column| {
        *column.schema().kind() != ColumnType::Identifier
            && table.rows() > 0
            && column.values().missing() == table.rows()
    };
    match table.columns().iter().find(empty) {
        None => Ok(()),
        Some(column) => Err(Failure::failed(format!(
            "column `{}` is missing in all rows",
            column.schema().name()
        ))
        .advise(
            "declare it `type = \"identifier\"` in a schema to leave it out, or check its missing codes",
        )),
    }
}

pub(super) fn plan_failure(error: &ReleaseError) -> Failure {
    Failure::failed(error).advise(match error {
        ReleaseError::TooFewRows(_) => TOO_FEW_ROWS,
        ReleaseError::Zero(_) => USUAL,
        ReleaseError::MeasureShare(_) => "leave --measure-share out, or give a number such as 0.6",
        ReleaseError::MeasuredMetropolis => "leave --measure-share out, or use --sampler zoom",
        ReleaseError::DeltaMetropolis => "leave --delta out, or use --sampler zoom",
        ReleaseError::PriorSd => "leave --prior-sd out, or give a positive number",
        ReleaseError::ScoreTakesAll { .. } => SMALL_SCORE,
        ReleaseError::Hopeless { .. } => {
            "raise --epsilon, release fewer columns (see `indistinct schema`), or use fewer --draws"
        }
        ReleaseError::Sampler(_) => "raise --epsilon",
    })
}

pub(super) fn mixed_failure(error: &MixedError) -> Failure {
    Failure::failed(error).advise(match error {
        MixedError::TooFewRows(_) => TOO_FEW_ROWS,
        MixedError::Zero(_) => USUAL,
        MixedError::NoColumns => "declare at least one column that is not an identifier",
        MixedError::Levels { .. } => {
            "group its levels, or declare it `type = \"identifier\"` in a schema to leave it out"
        }
        MixedError::ScoreTakesAll { .. } => SMALL_SCORE,
        MixedError::Hopeless { .. } => {
            "raise --epsilon, give a --delta, release fewer columns (see `indistinct schema`), or use fewer --draws"
        }
        MixedError::Sampler(_) => "raise --epsilon",
    })
}

const TOO_FEW_ROWS: &str = "differential privacy has nothing to hide so few persons behind";
const USUAL: &str = "leave the option out for the usual 1";
const SMALL_SCORE: &str = "give the score a small part, as in --score-epsilon 0.05";
