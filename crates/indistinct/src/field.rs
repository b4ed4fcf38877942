//! Settings by name, and messages that name them, so that each front end spells them in its own way.

use std::fmt;

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident => $name:literal,)+) => {
        /// One setting. Errors name it, and each front end spells it in its own way: `--rows-per-person`,
        /// `rows_per_person=`, `rows_per_person`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Field {
            $($(#[$doc])* $variant,)+
        }

        impl Field {
            /// The name in Rust and Python, as in `rows_per_person`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

fields! {
    /// [`Terms::epsilon`](crate::Terms::epsilon).
    Epsilon => "epsilon",
    /// [`Terms::delta`](crate::Terms::delta).
    Delta => "delta",
    /// [`Terms::neighbours`](crate::Terms::neighbours).
    Neighbours => "neighbours",
    /// [`Terms::rows_per_person`](crate::Terms::rows_per_person).
    RowsPerPerson => "rows_per_person",
    /// [`Terms::draws`](crate::Terms::draws).
    Draws => "draws",
    /// [`Terms::tables`](crate::Terms::tables).
    Tables => "tables",
    /// [`Terms::score_epsilon`](crate::Terms::score_epsilon).
    ScoreEpsilon => "score_epsilon",
    /// Rows of each synthetic table.
    Rows => "rows",
    /// The schema.
    Schema => "schema",
    /// The treatment of cells that the schema does not allow.
    Invalid => "invalid",
    /// The kind of model.
    Model => "model",
    /// The quality function by which candidates are compared.
    Quality => "quality",
    /// The discriminator.
    Discriminator => "discriminator",
    /// The sampler of the normal model's parameters.
    Sampler => "sampler",
    /// The share of the budget that is measured.
    MeasureShare => "measure_share",
    /// The bound on what one row does to the quality.
    Sensitivity => "sensitivity",
    /// Candidates of a joint stage.
    Candidates => "candidates",
    /// Steps of a chain.
    Steps => "steps",
    /// Chains of a random walk.
    Chains => "chains",
    /// The standard deviation of a prior.
    PriorSd => "prior_sd",
    /// The scale in which a prior is normal.
    PriorScale => "prior_scale",
    /// New synthetic tables at every step of a chain.
    FreshTables => "fresh_tables",
    /// Synthetic tables over which the quality of a candidate is averaged.
    Sets => "sets",
    /// The deepest level of a leaf.
    Depth => "depth",
    /// The complexity that a split must exceed.
    Cp => "cp",
    /// The fewest rows of a node that may be split.
    Minsplit => "minsplit",
    /// The fewest rows of a leaf.
    Minbucket => "minbucket",
    /// The kind of response of a tree.
    Method => "method",
    /// Thresholds of each column of an optimal tree.
    Thresholds => "thresholds",
    /// The quality that an optimal tree maximises.
    Objective => "objective",
    /// The cost of each leaf of an optimal tree.
    LeafPenalty => "leaf_penalty",
    /// The fewest synthetic rows of a leaf of an optimal tree.
    MinSynthetic => "min_synthetic",
    /// Pairwise interactions of a logistic model.
    Interactions => "interactions",
    /// The null distribution.
    Null => "null",
    /// The table that has S_pMSE 1.
    NullReference => "null_reference",
    /// Replicates of the null.
    Replicates => "replicates",
    /// The column that a forest predicts.
    Predict => "predict",
    /// The number of rows that are evaluated.
    Sample => "sample",
    /// The rule that combines variances.
    Rule => "rule",
    /// Standard errors by rehearsals.
    Rehearse => "rehearse",
    /// Rows of the original table.
    N => "n",
    /// The information that cells keep, relative to rows.
    Efficiency => "efficiency",
    /// The name that a ledger must have.
    LedgerId => "ledger_id",
    /// The consent to charge a conditional guarantee.
    AcceptConditional => "accept_conditional",
}

impl Field {
    /// The setting in words.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Neighbours => "the relation between neighbouring tables",
            Self::RowsPerPerson => "the rows of a person",
            Self::Draws => "the number of draws",
            Self::Tables => "the number of tables",
            Self::ScoreEpsilon => "the epsilon of the quality score",
            Self::Rows => "the number of rows",
            Self::Sets => "the number of sets",
            Self::MeasureShare => "the share of the budget that is measured",
            Self::Chains => "the number of chains",
            Self::Steps => "the number of steps",
            Self::PriorSd => "the prior's standard deviation",
            Self::Sampler => "the sampler",
            Self::Schema => "the schema",
            other => other.name(),
        }
    }

    /// The name as an option of the command, as in `--rows-per-person`.
    pub fn flag(self) -> String {
        format!("--{}", self.name().replace('_', "-"))
    }
}

/// A text that names settings. Displays with their names in Rust.
///
/// ```
/// use indistinct::{Field, Message};
///
/// let message = Message::of("leave {} out, or use {} zoom", [Field::Delta.into(), Field::Sampler.into()]);
/// assert_eq!(message.to_string(), "leave delta out, or use sampler zoom");
/// assert_eq!(message.spelled(Field::flag), "leave --delta out, or use --sampler zoom");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message(Vec<Piece>);

/// A part of a [`Message`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text.
    Text(String),
    /// The name of a setting.
    Field(Field),
}

impl From<Field> for Piece {
    fn from(field: Field) -> Self {
        Self::Field(field)
    }
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        Self(vec![Piece::Text(text.to_owned())])
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self(vec![Piece::Text(text)])
    }
}

impl Message {
    /// A template in which each `{}` stands for the next of the pieces.
    pub fn of(template: &'static str, pieces: impl IntoIterator<Item = Piece>) -> Self {
        let mut texts = template.split("{}");
        let mut all = Vec::from_iter(texts.next().map(Piece::from));
        for (piece, text) in pieces.into_iter().zip(texts) {
            all.extend([piece, text.into()]);
        }
        Self(all)
    }

    /// The same with more text after it.
    #[must_use]
    pub fn then(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }

    /// The text with settings as `spell` spells them.
    pub fn spelled(&self, spell: impl Fn(Field) -> String) -> String {
        let one = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Field(field) => spell(*field),
        };
        self.0.iter().map(one).collect()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.spelled(|field| field.name().to_owned()))
    }
}

/// The reason why options cannot be used: one is wrong in itself, or does not fit another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct OptionsError {
    /// The setting that is wrong.
    pub field: Field,
    /// The problem, in words.
    pub what: Message,
    /// Advice on what to do about it.
    pub advice: Option<Message>,
}

impl OptionsError {
    /// An error about a setting.
    pub fn new(field: Field, what: impl Into<Message>) -> Self {
        Self { field, what: what.into(), advice: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn advise(self, advice: impl Into<Message>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_of_others_are_left_as_they_are() {
        let message =
            Message::of("the ledger is of `{}`, and {} asks", ["{}".into(), Field::LedgerId.into()]);
        assert_eq!(message.to_string(), "the ledger is of `{}`, and ledger_id asks");
        assert_eq!(
            message.then("; {}").spelled(Field::flag),
            "the ledger is of `{}`, and --ledger-id asks; {}"
        );
    }
}
