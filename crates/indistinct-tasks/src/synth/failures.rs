//! What to do about a table or settings that cannot be used.

use indistinct::mixed::{MOST_LEVELS, MixedError};
use indistinct::private::PrivateRowsError;
use indistinct::release::ReleaseError;
use indistinct::table::{DecidedColumn, Schema};
use indistinct_io::ColumnPlace;

use crate::Failure;

/// What messages call a column: its name, or its place where nobody has declared its name, as that may be somebody's value.
pub(super) type Places<'a> = &'a dyn Fn(&str) -> ColumnPlace;

/// A rule that decides a column, which is then better computed than drawn until it happens to be right.
pub(super) fn decided_failure(decided: &DecidedColumn, schema: &Schema) -> Failure {
    let DecidedColumn { constraint, column } = decided;
    let rule = schema.constraints().get(constraint - 1).map_or("", |constraint| constraint.rule());
    // The other side, where the rule says nothing else.
    let sides = rule.split_once("==").filter(|(_, right)| !right.contains("==") && !rule.contains(" and "));
    let own = |side: &str| side.trim().trim_matches('`') == column;
    let other = sides.map(|(left, right)| if own(left) { right.trim() } else { left.trim() });
    let derive = other.map_or_else(|| "derive = \"...\"".to_owned(), |other| format!("derive = \"{other}\""));
    Failure::failed(format!(
        "constraint {constraint} says what `{column}` is in every row: rows that are drawn hardly ever follow it"
    ))
    .advise(format!("remove the rule, and write {derive} below column `{column}`: it is then computed, and costs nothing"))
}

pub(super) fn rows_failure(error: &PrivateRowsError, places: Places<'_>) -> Failure {
    let what = match error {
        PrivateRowsError::NotNumeric { column, kind } => {
            format!("{} is {kind}, not a number", places(column))
        }
        PrivateRowsError::Empty => error.to_string(),
    };
    Failure::failed(what).advise(match error {
        PrivateRowsError::NotNumeric { .. } => {
            "the normal model and comparison methods are for numbers: use --model mixed without their options, or declare \
             the column `type = \"identifier\"` in a schema to leave it out"
        }
        PrivateRowsError::Empty => "declare at least one numeric column, or use --model mixed",
    })
}

pub(super) fn plan_failure(error: &ReleaseError) -> Failure {
    let starved;
    Failure::failed(error).advise(match error {
        ReleaseError::TooFewRows(_) => TOO_FEW_ROWS,
        ReleaseError::Zero(_) => USUAL,
        ReleaseError::SetsWithoutTrees(_) => "leave --sets out, or choose --discriminator optimal or cart",
        ReleaseError::TooManySets(_) => "give a smaller number: ten already average most of the chance away",
        ReleaseError::MeasureShare(_) => "leave --measure-share out, or give a number such as 0.6",
        ReleaseError::MeasuredMetropolis => "leave --measure-share out, or use --sampler zoom",
        ReleaseError::DeltaMetropolis => "leave --delta out, or use --sampler zoom",
        ReleaseError::PriorSd => "leave --prior-sd out, or give a positive number",
        ReleaseError::ScoreTakesAll { .. } => SMALL_SCORE,
        ReleaseError::Hopeless { .. } => {
            "raise --epsilon, or release fewer columns (see `indistinct schema`)"
        }
        ReleaseError::StarvedDraws { draws, most, epsilon, .. } => {
            starved = fewer_draws(*draws, *most, *epsilon);
            &starved
        }
        ReleaseError::Sampler(_) => "raise --epsilon",
    })
}

/// What to do about more draws than the budget allows.
fn fewer_draws(draws: u32, most: u32, epsilon: f64) -> String {
    let fewer = if most > 1 {
        format!("use at most --draws {most}")
    } else {
        "use --draws 1 with several --tables".to_owned()
    };
    format!("{fewer}, or an epsilon of about {epsilon:.2} for {draws} draws")
}

/// A plan that cannot be made; it may be about a column.
pub(super) fn mixed_plan_failure(error: &MixedError, places: Places<'_>) -> Failure {
    match error {
        MixedError::Levels { column, levels } => {
            let column = places(column);
            Failure::failed(format!("{column} has {levels} levels; at most {MOST_LEVELS} can be released"))
                .advise(mixed_advice(error))
        }
        _ => mixed_failure(error),
    }
}

pub(super) fn mixed_failure(error: &MixedError) -> Failure {
    Failure::failed(error).advise(mixed_advice(error))
}

fn mixed_advice(error: &MixedError) -> String {
    match error {
        MixedError::TooFewRows(_) => TOO_FEW_ROWS,
        MixedError::Zero(_) => USUAL,
        MixedError::NoColumns => "declare at least one column that is not an identifier",
        MixedError::Levels { .. } => {
            "group its levels, or declare it `type = \"identifier\"` in a schema to leave it out"
        }
        MixedError::Rules(_) => {
            "relax or remove one of them in the schema, or widen levels and limits; nothing was charged"
        }
        MixedError::ScoreTakesAll { .. } => SMALL_SCORE,
        MixedError::Hopeless { .. } => {
            "raise --epsilon, give a --delta, or release fewer columns (see `indistinct schema`)"
        }
        MixedError::StarvedDraws { draws, most, epsilon, .. } => return fewer_draws(*draws, *most, *epsilon),
        MixedError::Sampler(_) => "raise --epsilon",
    }
    .to_owned()
}

const TOO_FEW_ROWS: &str = "differential privacy has nothing to hide so few persons behind";
const USUAL: &str = "leave the option out for the usual 1";
const SMALL_SCORE: &str = "give the score a small part, as in --score-epsilon 0.05";
