//! Conditions of a guarantee: things that were learned from the private rows outside the budget.

/// A fact about the rows that was not paid for, and that the release shows.
///
/// A guarantee holds for what was drawn. It holds for the release as a whole only if these facts were public
/// anyway, so that a certificate names each of them in the promise itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GuaranteeCondition {
    /// Column names, types and formats come from a draft that nobody reviewed, or from none at all.
    DraftedSchema,
    /// Levels of columns are texts that were found in the rows, however few rows have them.
    ObservedLevels,
    /// The model was chosen by looking at the rows.
    ObservedModel,
}

impl GuaranteeCondition {
    /// All conditions, in the order in which certificates name them.
    pub const ALL: [Self; 3] = [Self::DraftedSchema, Self::ObservedLevels, Self::ObservedModel];

    /// The condition in the words of certificates.
    pub const fn text(self) -> &'static str {
        match self {
            Self::DraftedSchema => "the schema was drafted from these rows",
            Self::ObservedLevels => "the levels, rare ones too, are texts found in these rows",
            Self::ObservedModel => {
                "which model suits the columns was seen from these rows, unless it was asked for"
            }
        }
    }

    /// The condition that these words state.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|condition| condition.text() == text)
    }
}
