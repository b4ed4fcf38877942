//! The mechanism as asked for, and which of its two models a table gets.

use indistinct::mixed::MixedOptions;
use indistinct::release::ReleaseOptions;
use indistinct::table::{ColumnSchema, ColumnType, Family, Schema};

use super::columns::Drafted;
use super::options::{of_the_normal_model, options};
use super::typed::{InvalidCells, Modelling, SynthOptions};
use crate::Failure;

/// More columns than this are too many for the normal model to find their regressions one by one.
const MANY: usize = 20;

/// What was asked for.
pub(super) struct Mechanism {
    pub(super) options: ReleaseOptions,
    model: Modelling,
    /// An option that only the normal model knows, if one was given.
    of_normal: Option<&'static str>,
    /// Whether any cell may become a missing value, which the normal model has no place for.
    any_missing: bool,
}

impl Mechanism {
    pub(super) fn of(arguments: &SynthOptions) -> Result<Self, Failure> {
        let given = of_the_normal_model(arguments).into_iter().find(|(_, given)| *given);
        let mechanism = Self {
            options: options(arguments)?,
            model: arguments.model,
            of_normal: given.map(|(option, _)| option),
            any_missing: arguments.invalid == InvalidCells::Missing,
        };
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

    /// Whether the table gets the model for columns of any type: by what was typed and by the schema. Rows decide nothing,
    /// unless the schema itself was drafted from them.
    pub(super) fn is_mixed(&self, schema: &Schema, drafted: Option<Drafted>) -> Result<bool, Failure> {
        match (self.model, self.of_normal) {
            (Modelling::Normal, _) | (Modelling::Auto, Some(_)) => Ok(false),
            (Modelling::Mixed, None) => Ok(true),
            (Modelling::Mixed, Some(option)) => {
                Err(Failure::usage(format!("{option} means nothing to --model mixed"))
                    .advise("leave it out, or use --model normal"))
            }
            (Modelling::Auto, None) => {
                let columns = schema.columns();
                let missing = drafted.is_some_and(|drafted| drafted.missing);
                Ok(missing || self.any_missing || columns.len() > MANY || !columns.iter().all(is_plain))
            }
        }
    }

    /// The same for the model of any columns.
    pub(super) fn mixed_options(&self) -> MixedOptions {
        let ReleaseOptions { epsilon, delta, draws, tables, score_epsilon, rows_per_person, .. } =
            self.options;
        MixedOptions { epsilon, delta, draws, tables, score_epsilon, rows_per_person }
    }
}

/// Whether a column may be normal, as far as is declared: a number without a shape of its own.
fn is_plain(column: &ColumnSchema) -> bool {
    matches!(column.kind(), ColumnType::Float | ColumnType::Integer)
        && matches!(column.family(), None | Some(Family::Normal))
        && column.atoms().is_empty()
        && column.missing().is_empty()
        && column.predictors().is_none()
        && (column.minimum().is_none() && column.maximum().is_none() || column.family().is_some())
}
