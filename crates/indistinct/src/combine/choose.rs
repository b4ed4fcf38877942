//! The choice of a combining rule: the one that was asked for, or the one that fits how the tables were made.

use super::noise::{Noise, Origin};
use super::options::{CombineOptions, RuleName};
use super::{CombineError, Formula, Rule, cell_loss, measured_excess};
use crate::field::{Field, Message, OptionsError};
use crate::table::Table;
use crate::word::Word;

/// With more columns than this, private-counts was seen to give intervals that are too narrow.
const TESTED_COLUMNS: usize = 2;

/// A rule, and what is to be said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenRule {
    /// The rule.
    pub rule: Rule,
    /// Notes on it.
    pub notes: Vec<Message>,
    /// The reason why there are no standard errors, where there are none.
    pub no_intervals: Option<Message>,
}

/// The reason why no rule can be chosen.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ChoiceError {
    /// Options that do not fit the rule or the tables.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A rule that was asked for and cannot be applied.
    #[error(transparent)]
    Combine(#[from] CombineError),
}

/// Advice where one draw has noise of unknown size.
fn several_draws() -> Message {
    Message::of(
        "Release several draws (`indistinct synth {} 5`), whose differences show the noise; or say {} raab for intervals that leave it \
         out",
        [Field::Draws.into(), Field::Rule.into()],
    )
}

/// The note on differences of several draws of a table of any columns, which do not show all errors.
fn narrow_draws() -> Message {
    Message::of(
        "where columns depend strongly on each other these intervals are too narrow, as every draw makes slopes a little too \
         small (in simulations with a correlation of 0.86, 95 % intervals held the slope in 68 % of releases): take them for an \
         idea of the noise, or release with {} normal where all columns are numbers (see docs/combining.md)",
        [Field::Model.into()],
    )
}

/// The note on rules for tables without privacy noise, which leave it out.
fn without_privacy_noise() -> Message {
    Message::of(
        "these intervals do not include the privacy noise of the release: they are too narrow. A release of several \
         draws (`indistinct synth {}`) shows its own noise",
        [Field::Draws.into()],
    )
}

/// Chooses a rule for tables of which this origin is known, if any is.
///
/// # Errors
/// When options do not fit the rule, or a rule that was asked for cannot be applied.
pub fn choose(
    options: &CombineOptions,
    origin: Option<&Origin>,
    formula: &Formula,
    tables: &[&Table],
) -> Result<ChosenRule, ChoiceError> {
    let mut notes = Vec::new();
    let rows = tables.first().map_or(0, |table| table.rows());
    let asked = asked(options);
    let name = asked.unwrap_or(match origin {
        None => RuleName::Raab,
        Some(origin) if origin.draws > 1 => RuleName::PrivateDraws,
        Some(Origin { noise: Noise::Counts { .. }, .. }) => RuleName::PrivateCounts,
        Some(Origin { noise: Noise::Exponential { .. }, .. }) => RuleName::PrivateDraw,
        Some(Origin { noise: Noise::Mixed | Noise::Unknown, .. }) => RuleName::None,
    });
    refuse_foreign_options(options, name)?;
    let n = options.n.or(origin.map(|origin| origin.n)).unwrap_or_else(|| {
        if name != RuleName::Reiter {
            notes.push(Message::of(
                "the original table is taken to have {} rows, like a synthetic one: say {}",
                [rows.to_string().as_str().into(), Field::N.into()],
            ));
        }
        rows
    });
    let modelled = || measured_part(tables[0]);
    let rule = match name {
        RuleName::Raab => Rule::Raab { n },
        RuleName::RaabPosterior => Rule::RaabPosterior { n },
        RuleName::Reiter => Rule::Reiter,
        RuleName::PrivateDraws => {
            let known = origin.map(|origin| origin.draws).filter(|&draws| draws > 1);
            let Some(draws) = options.draws.or(known) else {
                return Err(needs(
                    "{} private-draws needs to know how many draws there are",
                    Message::of(
                        "say {} L, or name the folder of a release that was made with {}",
                        [Field::Draws.into(), Field::Draws.into()],
                    ),
                ));
            };
            let loss = match origin {
                Some(Origin { noise: Noise::Counts { scale, model }, .. }) => {
                    cell_loss(&modelled(), formula, model, n, *scale).ok()
                }
                _ => None,
            };
            if let Some(Origin { noise: Noise::Mixed, .. }) = origin {
                notes.push(narrow_draws());
            }
            Rule::PrivateDraws { n, draws, loss }
        }
        RuleName::PrivateDraw => {
            let known = match origin {
                Some(Origin { noise: Noise::Exponential { epsilon }, .. }) => Some(*epsilon),
                _ => None,
            };
            let Some(epsilon) = options.epsilon.or(known) else {
                return Err(needs(
                    "{} private-draw needs to know the epsilon of the draw",
                    Message::of("say {} E", [Field::Epsilon.into()]),
                ));
            };
            notes
                .push("the privacy noise is an approximation for the exponential mechanism with pMSE".into());
            Rule::PrivateDraw { n, epsilon, efficiency: options.efficiency.unwrap_or(1.0) }
        }
        RuleName::None => Rule::EstimatesOnly { n },
        RuleName::PrivateCounts => {
            let Some(Origin { noise: Noise::Counts { scale, model }, .. }) = origin else {
                return Err(needs(
                    "{} private-counts needs a release with noisy counts and a single draw",
                    Message::of(
                        "name the folder that `indistinct synth` made, or choose another {}",
                        [Field::Rule.into()],
                    ),
                ));
            };
            // A formula with derived columns is not one of the model's.
            let excess = measured_excess(&modelled(), formula, model, n, *scale)
                .or_else(|_| measured_excess(tables[0], formula, model, n, *scale));
            match excess {
                Ok(excess) => {
                    if model.location().len() > TESTED_COLUMNS {
                        notes.push(
                            "where a column of this release depends strongly on several others, the intervals may be \
                             too narrow, by 40 % in simulations (see docs/combining.md)"
                                .into(),
                        );
                    }
                    Rule::PrivateCounts { n, excess }
                }
                Err(CombineError::NotOfTheModel) if asked.is_none() => Rule::EstimatesOnly { n },
                Err(error) => return Err(error.into()),
            }
        }
    };
    if let (Rule::Raab { .. } | Rule::RaabPosterior { .. } | Rule::Reiter, Some(_)) = (&rule, origin) {
        notes.push(without_privacy_noise());
    }
    let no_intervals =
        matches!(rule, Rule::EstimatesOnly { .. }).then(|| why_no_intervals(origin, asked.is_some()));
    Ok(ChosenRule { rule, notes, no_intervals })
}

/// The reason why there are estimates alone.
fn why_no_intervals(origin: Option<&Origin>, is_asked: bool) -> Message {
    if is_asked {
        return Message::of("{} none asks for estimates alone", [Field::Rule.into()]);
    }
    let why = match origin.map(|origin| &origin.noise) {
        Some(Noise::Mixed) => {
            return Message::of(
                "all tables come from one draw of a model of any columns, whose noise has no known law: in simulations at epsilon \
                 1, 95 % intervals without it held the truth in 21 to 34 % of releases. Rehearsals of the release show the noise, \
                 at no cost ({}); so do the differences of several draws (`indistinct synth {} 5`). Intervals by {} raab leave it \
                 out",
                [Field::Rehearse.into(), Field::Draws.into(), Field::Rule.into()],
            );
        }
        Some(Noise::Counts { .. }) => {
            "all tables come from one draw, whose noise cannot be carried over to this formula"
        }
        _ => "all tables come from one draw, whose noise has no known size",
    };
    Message::from(format!("{why}. ")).then(several_draws())
}

/// The rule that was asked for by name, or by an option that only one rule has.
fn asked(options: &CombineOptions) -> Option<RuleName> {
    let implied = match (options.draws, options.epsilon) {
        (Some(_), _) => Some(RuleName::PrivateDraws),
        (None, Some(_)) => Some(RuleName::PrivateDraw),
        (None, None) => None,
    };
    options.rule.or(implied)
}

/// An option that the rule would ignore is a mistake, not a wish.
fn refuse_foreign_options(options: &CombineOptions, rule: RuleName) -> Result<(), OptionsError> {
    let given = [
        (Field::N, options.n.is_some() && rule == RuleName::Reiter),
        (Field::Draws, options.draws.is_some() && rule != RuleName::PrivateDraws),
        (Field::Epsilon, options.epsilon.is_some() && rule != RuleName::PrivateDraw),
        (Field::Efficiency, options.efficiency.is_some() && rule != RuleName::PrivateDraw),
    ];
    match given.iter().find(|(_, foreign)| *foreign) {
        None => Ok(()),
        Some((option, _)) => {
            let what = Message::of("{} means nothing to the rule {}", [(*option).into(), rule.word().into()]);
            let advice = Message::of("leave it out, or choose another {}", [Field::Rule.into()]);
            Err(OptionsError::new(*option, what).advise(advice))
        }
    }
}

/// The error of a rule that lacks a setting; the template begins with the name of the setting.
fn needs(template: &'static str, advice: Message) -> ChoiceError {
    OptionsError::new(Field::Rule, Message::of(template, [Field::Rule.into()])).advise(advice).into()
}

/// The columns of a table that its model knows: those that are not derived.
fn measured_part(table: &Table) -> Table {
    let measured = table.columns().iter().filter(|column| column.schema().is_measured());
    Table::new(measured.cloned().collect()).unwrap_or_else(|_| table.clone())
}
