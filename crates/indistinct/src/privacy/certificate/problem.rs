//! What can be wrong with a certificate.

use crate::privacy::{Epsilon, Rho};

/// Something in a certificate that does not follow from the rest of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Another tool made it.
    #[error("it was not made by indistinct")]
    AnotherTool,
    /// It is about another kind of neighbours.
    #[error("its neighbours are not `{0}`")]
    Neighbours(String),
    /// Rows were counted although their number is public, or were not although it is private.
    #[error("whether a step counts its rows does not follow from its neighbours")]
    RowsCounted,
    /// What it says of persons does not fit the rest.
    #[error("it bounds the rows of a person, but {0}")]
    Person(&'static str),
    /// The steps cost more than is stated.
    #[error("its steps cost epsilon {spent}, but it states {stated}")]
    Overspent {
        /// By all steps.
        spent: Epsilon,
        /// By the certificate.
        stated: Epsilon,
    },
    /// The steps cost more rho than is stated.
    #[error("its steps cost rho {spent}, but it states {stated}")]
    OverspentRho {
        /// By all steps.
        spent: Rho,
        /// By the certificate.
        stated: Rho,
    },
    /// The rho that is stated is not what epsilon and delta allow.
    #[error("it states rho {stated}, but its epsilon and delta allow {allowed}")]
    AnotherRho {
        /// By the certificate.
        stated: Rho,
        /// By its epsilon and delta.
        allowed: Rho,
    },
    /// How costs add up is stated in other words.
    #[error("it does not say how its rho becomes epsilon and delta")]
    Composition,
    /// A step's rho does not cover what was drawn, or there is none where there must be one.
    #[error("the rho of step {0} does not follow from what was drawn, or does not belong there")]
    StepRho(String),
    /// No step was paid for.
    #[error("it lists no step that was paid for")]
    NothingSpent,
    /// A step cost nothing.
    #[error("step {0} cost nothing")]
    FreeStep(String),
    /// A step refers to a proof that there is not.
    #[error("step {0} refers to a proof that does not exist")]
    UnknownProof(String),
    /// A step states a sensitivity that its proof does not prove.
    #[error("step {0} states a sensitivity that its proof does not prove")]
    StatedSensitivity(String),
    /// The steps support another guarantee.
    #[error("it states the guarantee `{stated}`, but its steps support `{supported}`")]
    Guarantee {
        /// By the certificate.
        stated: &'static str,
        /// By what it lists.
        supported: &'static str,
    },
    /// The guarantee's numbers are not those of the steps.
    #[error("the numbers of its guarantee are not those of its budget and steps")]
    GuaranteeNumbers,
    /// The guarantee's conditions are not those of what was learned.
    #[error("the conditions of its guarantee are not what it names as learned from the rows")]
    Provided,
    /// No guarantee, and no reason.
    #[error("it gives no reason for having no guarantee")]
    NoReason,
    /// A seed that is not given as a reason.
    #[error("it was seeded and does not say so among the reasons for having no guarantee")]
    SeedNotNamed,
    /// Reasons that do not follow.
    #[error("its reasons for having no guarantee do not follow from its steps")]
    Reasons,
    /// A part that carries no such guarantee.
    #[error("it states a guarantee, which `{0}` does not have")]
    NotCertifiable(String),
    /// A schema that came from the data is not named as a condition.
    #[error(
        "its schema was drafted from the data, and it does not name that among what was learned from the rows"
    )]
    DraftNotNamed,
    /// What is outside the guarantee is not what follows from the rest.
    #[error("what it names as outside the guarantee does not follow from the rest of it")]
    Outside,
    /// A setting that cannot be, or contradicts the steps.
    #[error("its {0} cannot be, or contradicts its steps")]
    Setting(&'static str),
    /// A score that was not paid for, or a payment without a score.
    #[error("its score and the step that pays for it do not agree")]
    Score,
    /// Something else than a SHA-256 with a file.
    #[error("the hash of file {0} is not a SHA-256")]
    Hash(String),
}

impl Problem {
    /// Whether a certificate with this problem claims more than its parts carry, rather than being malformed. What is not
    /// known to be harmless counts as a claim; who claims nothing claims too little at most.
    pub fn is_overclaim(&self, claims_nothing: bool) -> bool {
        match self {
            Self::Guarantee { .. } | Self::NoReason | Self::SeedNotNamed | Self::Reasons => !claims_nothing,
            Self::AnotherTool | Self::Setting(_) | Self::Hash(_) | Self::Composition => false,
            _ => true,
        }
    }
}
