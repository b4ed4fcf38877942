//! Advice about a table or settings that cannot be used.

use indistinct::mixed::{HopelessBecause, HopelessColumn, MOST_LEVELS, MixedError, Remedy};
use indistinct::normal::NormalError;
use indistinct::number::enough;
use indistinct::privacy::{SourceError, StepError};
use indistinct::private::PrivateRowsError;
use indistinct::synthesis::{SampleError, SynthesisError};
use indistinct::table::{DecidedColumn, Schema};
use indistinct::{Field, TermsError};

use crate::{ColumnPlace, Failure};

/// The name of a column in messages: its own, or its place where nobody has declared it, as it may be somebody's value.
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

/// The failure when private rows cannot be counted, with advice.
pub(super) fn source_failure(error: &SourceError) -> Failure {
    Failure::failed(error).advise(&error.remedy)
}

fn rows_failure(error: &PrivateRowsError, places: Places<'_>) -> Failure {
    let what = match error {
        PrivateRowsError::NotNumeric { column, kind } => {
            format!("{} is {kind}, not a number", places(column))
        }
        PrivateRowsError::Empty => error.to_string(),
    };
    Failure::failed(what).advise(match error {
        PrivateRowsError::NotNumeric { .. } => {
            "the normal model and comparison methods are for numbers: use --model mixed and leave their options out, or declare \
             the column `type = \"identifier\"` in a schema to leave it out"
        }
        PrivateRowsError::Empty => "declare at least one numeric column, or use --model mixed",
    })
}

/// The failure of terms that no method accepts, with advice.
pub fn terms_failure(error: &TermsError) -> Failure {
    let failure = match error {
        TermsError::TooFewRows(_) | TermsError::TooFewCounted(_) => Failure::failed(error),
        TermsError::Zero(_) | TermsError::ScoreTakesAll { .. } => Failure::usage(error),
    };
    failure.advise(match error {
        TermsError::TooFewRows(_) | TermsError::TooFewCounted(_) => {
            "use a table with more rows: nobody can be hidden among so few"
        }
        TermsError::Zero(Field::Rows) => "leave the option out for as many rows as the private table has",
        TermsError::Zero(_) => "leave the option out for the usual 1",
        TermsError::ScoreTakesAll { .. } => "give the score a small part, as in --score-epsilon 0.05",
    })
}

/// The failure of a release that cannot be made, or was not, with advice; `places` are the names of columns in messages.
pub(super) fn failure_of(error: &SynthesisError, schema: Option<&Schema>, places: Places<'_>) -> Failure {
    match error {
        SynthesisError::NotNumbers(error) => rows_failure(error, places),
        SynthesisError::Terms(error) => terms_failure(error),
        SynthesisError::Normal(error) => normal_failure(error),
        SynthesisError::NoEpsilon => Failure::usage("--epsilon is missing")
            .advise("say how much privacy the release may cost, as in --epsilon 1"),
        SynthesisError::Options(error) => error.clone().into(),
        SynthesisError::Decided(decided) => match schema {
            Some(schema) => decided_failure(decided, schema),
            None => Failure::failed(error),
        },
        SynthesisError::RowsNotInMemory => Failure::failed(error).advise(
            "leave out --model normal, --method and their options; or read the rows into memory, if they fit",
        ),
        // Another method says itself what to do.
        SynthesisError::Other(error) => {
            error.downcast_ref().cloned().unwrap_or_else(|| Failure::failed(error))
        }
        SynthesisError::Source(error) => source_failure(error),
        SynthesisError::Mixed(error) => mixed_plan_failure(error, places),
        SynthesisError::Stopped(_) => Failure::stopped(),
        SynthesisError::Overclaim => {
            Failure::overclaim("the release does not have the guarantee that its ledger was charged for")
                .advise("report this: it should not happen")
        }
        error => Failure::failed(error),
    }
}

impl From<SynthesisError> for Failure {
    /// The failure of options that cannot be used, before there is a table, with advice.
    fn from(error: SynthesisError) -> Self {
        failure_of(&error, None, &|name| ColumnPlace::Named(name.to_owned()))
    }
}

/// The failure of rows that cannot be made, with advice.
pub fn sample_failure(error: &SampleError) -> Failure {
    let failure = Failure::failed(error);
    match error {
        SampleError::NoRows => Failure::usage("--rows must be at least 1").advise("say how many rows to make"),
        SampleError::NoTables => Failure::usage(error).advise("leave the option out for the usual 1"),
        SampleError::NoSuchDraw(_) => failure.advise("choose one of them with --draw"),
        SampleError::Stopped(_) => Failure::stopped(),
        SampleError::NoModel => failure.advise("use the tables that were released, or another method"),
        SampleError::TooRare(rare) => failure.advise(match rare.broken {
            Some(_) => {
                "the model cannot follow the rule: relax it in the schema, or declare limits and predictors that help"
            }
            None => "ask for more with --where: wider limits, fewer conditions joined by `and`",
        }),
        _ => failure,
    }
}

fn normal_failure(error: &NormalError) -> Failure {
    let starved;
    let advice = match error {
        NormalError::Terms(error) => return terms_failure(error),
        NormalError::AddRemove => "leave --neighbours out, or use --model mixed",
        NormalError::SetsWithoutTrees(_) => "leave --sets out, or choose --discriminator optimal or cart",
        NormalError::TooManySets(_) => "give a smaller number: ten already average most of the chance away",
        NormalError::MeasureShare(_) => "leave --measure-share out, or give a number such as 0.6",
        NormalError::MeasuredMetropolis => "leave --measure-share out, or use --sampler zoom",
        NormalError::DeltaMetropolis => "leave --delta out, or use --sampler zoom",
        NormalError::PriorSd => "leave --prior-sd out, or give a positive number",
        NormalError::Hopeless { .. } => "raise --epsilon, or release fewer columns (see `indistinct schema`)",
        NormalError::StarvedDraws { draws, most, epsilon, .. } => {
            starved = fewer_draws(*draws, *most, *epsilon);
            &starved
        }
        NormalError::Sampler(_) => "raise --epsilon",
    };
    let depends_on_the_table = matches!(
        error,
        NormalError::Hopeless { .. } | NormalError::StarvedDraws { .. } | NormalError::Sampler(_)
    );
    let failure = if depends_on_the_table { Failure::failed(error) } else { Failure::usage(error) };
    failure.advise(advice)
}

/// Advice on more draws than the budget allows.
fn fewer_draws(draws: u32, most: u32, epsilon: f64) -> String {
    let fewer = if most > 1 {
        format!("use at most --draws {most}")
    } else {
        "use --draws 1 with several --tables".to_owned()
    };
    format!("{fewer}, or an epsilon of about {} for {draws} draws", enough(epsilon))
}

/// A plan that cannot be made; it may be about a column.
fn mixed_plan_failure(error: &MixedError, places: Places<'_>) -> Failure {
    match error {
        MixedError::Levels { column, levels } => {
            let column = places(column);
            Failure::failed(format!("{column} has {levels} levels; at most {MOST_LEVELS} can be released"))
                .advise(mixed_advice(error))
        }
        MixedError::Terms(error) => terms_failure(error),
        MixedError::Sampler(StepError::Source(error)) => source_failure(error),
        MixedError::HopelessColumns { columns, remedy } => hopeless_failure(columns, *remedy, places),
        _ => mixed_failure(error),
    }
}

/// Columns that a release would say nothing about, each with what is wrong, and what to declare or to do about all of them.
fn hopeless_failure(columns: &[HopelessColumn], remedy: Remedy, places: Places<'_>) -> Failure {
    let shown = |name: &str| match places(name) {
        ColumnPlace::Named(name) => format!("`{name}`"),
        place @ ColumnPlace::At(_) => place.to_string(),
    };
    let name = |column: &HopelessColumn| shown(&column.column);
    let mut declare: Vec<String> = Vec::new();
    for column in columns {
        if let HopelessBecause::Levels { most, .. } = column.because {
            declare.push(format!("join levels of {} until about {most} are left", name(column)));
        }
    }
    let without_limits = columns.iter().filter(|column| column.because == HopelessBecause::Limits);
    let without_limits: Vec<String> = without_limits.map(name).collect();
    if !without_limits.is_empty() {
        declare.push(format!("declare `minimum` and `maximum` of {}", without_limits.join(", ")));
    }
    let them = if columns.len() == 1 { "it" } else { "them" };
    let mut ways = Vec::from_iter((!declare.is_empty()).then(|| declare.join(", and ")));
    ways.push(format!("declare {them} `type = \"identifier\"` to leave {them} out"));
    let delta = remedy.delta.map(|delta| format!(", or give --delta {delta}")).unwrap_or_default();
    ways.push(format!("raise --epsilon to about {}{delta}", enough(remedy.epsilon)));
    Failure::failed(format!("the release would say nothing about {}", HopelessColumn::list(columns, shown)))
        .advise(ways.join("; or "))
}

fn mixed_failure(error: &MixedError) -> Failure {
    Failure::failed(error).advise(mixed_advice(error))
}

fn mixed_advice(error: &MixedError) -> String {
    match error {
        MixedError::NoColumns => "declare at least one column that is not an identifier",
        MixedError::Levels { .. } => {
            "group its levels, or declare it `type = \"identifier\"` in a schema to leave it out"
        }
        MixedError::Rules(_) => {
            "relax or remove one of them in the schema, or widen levels and limits; nothing was charged"
        }
        MixedError::Hopeless { .. } => {
            "raise --epsilon, give a --delta, or release fewer columns (see `indistinct schema`)"
        }
        MixedError::HopelessColumns { .. } => {
            "join levels, declare limits, leave columns out, or raise --epsilon"
        }
        MixedError::RowsArePrivate => "report this: it should not happen",
        MixedError::StarvedDraws { draws, most, epsilon, .. } => return fewer_draws(*draws, *most, *epsilon),
        MixedError::Terms(_) | MixedError::Sampler(_) => "raise --epsilon",
    }
    .to_owned()
}
