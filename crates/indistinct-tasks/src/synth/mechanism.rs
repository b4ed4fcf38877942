//! The mechanism as asked for, and which of its two models a table gets.

use indistinct::mixed::MixedOptions;
use indistinct::privacy::Neighbours;
use indistinct::release::ReleaseOptions;

use super::options::{of_the_normal_model, options};
use super::typed::{InvalidCells, Modelling, SynthOptions};
use crate::Failure;

/// What was asked for.
pub(super) struct Mechanism {
    pub(super) options: ReleaseOptions,
    model: Modelling,
    /// An option that only the normal model knows, if one was given.
    of_normal: Option<&'static str>,
    /// Whether any cell may become a missing value, which the normal model has no place for.
    any_missing: bool,
    pub(super) neighbours: Neighbours,
}

impl Mechanism {
    pub(super) fn of(arguments: &SynthOptions) -> Result<Self, Failure> {
        let given = of_the_normal_model(arguments).into_iter().find(|(_, given)| *given);
        let mechanism = Self {
            options: options(arguments)?,
            model: arguments.model,
            of_normal: given.map(|(option, _)| option),
            any_missing: arguments.invalid == InvalidCells::Missing,
            neighbours: arguments.neighbours.into(),
        };
        if mechanism.neighbours == Neighbours::AddRemove && mechanism.is_of_numbers() {
            let option = mechanism.of_normal.unwrap_or("--model normal");
            return Err(Failure::usage(
                "--neighbours add-remove is not for the normal model: what a row more does to it is not proven",
            )
            .advise(format!("leave out {option}, so that tables of any columns are modelled, or --neighbours add-remove")));
        }
        if mechanism.any_missing && mechanism.is_of_numbers() {
            return Err(Failure::usage(
                "--invalid missing is not for the normal model, which has no missing values",
            )
            .advise("leave out --model normal and its options, or --invalid missing"));
        }
        Ok(mechanism)
    }

    /// Whether the normal model was asked for, by name or by its options.
    pub(super) fn is_of_numbers(&self) -> bool {
        match self.model {
            Modelling::Normal => true,
            Modelling::Auto => self.of_normal.is_some(),
            Modelling::Mixed => false,
        }
    }

    /// Whether the table gets the model for columns of any type: by what was typed, and nothing else. It is the better one for numbers,
    /// too, unless they are normal indeed and many (docs/mixed.md); the normal model is there for those who ask for it.
    pub(super) fn is_mixed(&self) -> Result<bool, Failure> {
        match (self.model, self.of_normal) {
            (Modelling::Normal, _) | (Modelling::Auto, Some(_)) => Ok(false),
            (Modelling::Mixed | Modelling::Auto, None) => Ok(true),
            (Modelling::Mixed, Some(option)) => {
                Err(Failure::usage(format!("{option} means nothing to --model mixed"))
                    .advise("leave it out, or use --model normal"))
            }
        }
    }

    /// The same for the model of any columns.
    pub(super) fn mixed_options(&self) -> MixedOptions {
        let ReleaseOptions { epsilon, delta, draws, tables, score_epsilon, rows_per_person, .. } =
            self.options;
        MixedOptions {
            epsilon,
            delta,
            draws,
            tables,
            score_epsilon,
            rows_per_person,
            neighbours: self.neighbours,
        }
    }
}
