//! Problems of certificates.

use crate::privacy::{Epsilon, Rho};

/// Something in a certificate that does not follow from the rest of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Another tool made it.
    #[error("it was not made by indistinct")]
    AnotherTool,
    /// Another definition of neighbours.
    #[error("its neighbours are not `{0}`")]
    Neighbours(String),
    /// Rows were counted although their number is public, or were not counted although it is private.
    #[error("whether a step counts its rows does not follow from its neighbours")]
    RowsCounted,
    /// Its statements about persons contradict the rest.
    #[error("it bounds the rows of a person, but {0}")]
    Person(&'static str),
    /// The steps cost more than is stated.
    #[error("its steps cost epsilon {spent}, but it states {stated}")]
    Overspent {
        /// The cost of all steps.
        spent: Epsilon,
        /// The cost that the certificate states.
        stated: Epsilon,
    },
    /// The steps cost more rho than is stated.
    #[error("its steps cost rho {spent}, but it states {stated}")]
    OverspentRho {
        /// The cost of all steps.
        spent: Rho,
        /// The cost that the certificate states.
        stated: Rho,
    },
    /// The stated rho is not what epsilon and delta allow.
    #[error("it states rho {stated}, but its epsilon and delta allow {allowed}")]
    AnotherRho {
        /// The rho that the certificate states.
        stated: Rho,
        /// The rho that its epsilon and delta allow.
        allowed: Rho,
    },
    /// The composition is stated in other words.
    #[error("it does not say how its rho becomes epsilon and delta")]
    Composition,
    /// A step's rho does not cover what was drawn, or is missing where it is needed.
    #[error("the rho of step {0} does not follow from what was drawn, or does not belong there")]
    StepRho(String),
    /// No step was paid for.
    #[error("it lists no step that was paid for")]
    NothingSpent,
    /// A step cost nothing.
    #[error("step {0} cost nothing")]
    FreeStep(String),
    /// A step refers to a proof that does not exist.
    #[error("step {0} refers to a proof that does not exist")]
    UnknownProof(String),
    /// A step states a sensitivity that its proof does not prove.
    #[error("step {0} states a sensitivity that its proof does not prove")]
    StatedSensitivity(String),
    /// The steps support another guarantee.
    #[error("it states the guarantee `{stated}`, but its steps support `{supported}`")]
    Guarantee {
        /// The guarantee that the certificate states.
        stated: &'static str,
        /// The guarantee that its steps support.
        supported: &'static str,
    },
    /// The guarantee's numbers are not those of the steps.
    #[error("the numbers of its guarantee are not those of its budget and steps")]
    GuaranteeNumbers,
    /// The guarantee's conditions are not those of what was learned.
    #[error("the conditions of its guarantee are not what it names as learned from the rows")]
    Provided,
    /// There is no guarantee, and no reason is given.
    #[error("it gives no reason for having no guarantee")]
    NoReason,
    /// A seed is not given as a reason.
    #[error("it was seeded and does not say so among the reasons for having no guarantee")]
    SeedNotNamed,
    /// The reasons do not follow from the steps.
    #[error("its reasons for having no guarantee do not follow from its steps")]
    Reasons,
    /// A part that cannot have the stated guarantee.
    #[error("it states a guarantee, which `{0}` does not have")]
    NotCertifiable(String),
    /// A schema that came from the data is not named as a condition.
    #[error(
        "its schema was drafted from the data, and it does not name that among what was learned from the rows"
    )]
    DraftNotNamed,
    /// The statements of what is outside the guarantee do not follow from the rest.
    #[error("what it names as outside the guarantee does not follow from the rest of it")]
    Outside,
    /// A setting that is impossible, or contradicts the steps.
    #[error("its {0} cannot be, or contradicts its steps")]
    Setting(&'static str),
    /// A score that was not paid for, or a payment without a score.
    #[error("its score and the step that pays for it do not agree")]
    Score,
    /// A file's hash is not a SHA-256.
    #[error("the hash of file {0} is not a SHA-256")]
    Hash(String),
}

impl Problem {
    /// Whether a certificate with this problem claims more than its parts support, rather than being malformed. A
    /// problem not known to be harmless counts as a claim; a certificate that claims nothing can at most claim
    /// too little.
    pub fn is_overclaim(&self, claims_nothing: bool) -> bool {
        match self {
            Self::Guarantee { .. } | Self::NoReason | Self::SeedNotNamed | Self::Reasons => !claims_nothing,
            Self::AnotherTool | Self::Setting(_) | Self::Hash(_) | Self::Composition => false,
            _ => true,
        }
    }
}
