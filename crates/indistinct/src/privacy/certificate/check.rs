//! Whether a certificate follows from the steps that it lists.

use super::{
    BoundsSource, Certificate, Comparison, Composition, PERSON_PROOF, SCORE_STEP, SchemaSource, Spent, TOOL,
};
use crate::privacy::guarantee::{Evidence, SEEDED};
use crate::privacy::{Epsilon, Guarantee, Proof, Rho};

/// Comparison methods that promise nothing.
const UNPROTECTED: [&str; 2] = ["posterior-predictive", "smooth-histogram-matching"];

/// Something in a certificate that does not follow from the rest of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Another tool made it.
    #[error("it was not made by indistinct")]
    AnotherTool,
    /// It is about another kind of neighbours.
    #[error("its neighbours are not `{0}`")]
    Neighbours(&'static str),
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
    /// The rho that is stated is more than epsilon and delta allow.
    #[error("it states rho {stated}, but its epsilon and delta allow {allowed}")]
    TooMuchRho {
        /// By the certificate.
        stated: Rho,
        /// By its epsilon and delta.
        allowed: Rho,
    },
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
    /// No guarantee, and no reason.
    #[error("it gives no reason for having no guarantee")]
    NoReason,
    /// A seed that is not given as a reason.
    #[error("it was seeded and does not say so among the reasons for having no guarantee")]
    SeedNotNamed,
    /// A part that carries no pure guarantee.
    #[error("it states a pure guarantee, which `{0}` does not have")]
    NotCertifiable(String),
    /// A schema that came from the data is not named as outside the guarantee.
    #[error("its schema was drafted from the data, and it does not say what is outside the guarantee")]
    DraftNotNamed,
    /// A setting that cannot be.
    #[error("its {0} cannot be")]
    Setting(&'static str),
    /// A score that was not paid for.
    #[error("no step paid for its score")]
    Score,
    /// Something else than a SHA-256 with a file.
    #[error("the hash of file {0} is not a SHA-256")]
    Hash(String),
}

impl Certificate {
    /// Does its arithmetic again; empty if all of it follows.
    ///
    /// # Guarantee
    /// A certificate made by [`Certificate::new`] from consistent facts has no problem; one whose guarantee was raised,
    /// whose steps cost more than it states, or that hides a seed, has. It cannot tell that a step was left out: who
    /// writes the file by hand can write anything consistent. `tests/privacy_certificate.rs` forges them one by one.
    pub fn check(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut require = |holds: bool, problem: Problem| {
            if !holds {
                problems.push(problem);
            }
        };
        require(self.tool == TOOL, Problem::AnotherTool);
        let neighbours = self.facts.neighbours();
        require(self.neighbours == neighbours, Problem::Neighbours(neighbours));

        match &self.composition {
            None => {
                let spent: Epsilon = self.spent.iter().map(|step| step.epsilon).sum();
                require(spent <= self.epsilon, Problem::Overspent { spent, stated: self.epsilon });
                for Spent { step, epsilon, rho, accounting, .. } in &self.spent {
                    require(!epsilon.is_zero(), Problem::FreeStep(step.clone()));
                    require(rho.is_none() && accounting.is_none(), Problem::StepRho(step.clone()));
                }
            }
            Some(Composition { delta, rho: stated, .. }) => {
                let stated = *stated;
                let spent: Rho = self.spent.iter().filter_map(|step| step.rho).sum();
                require(spent <= stated, Problem::OverspentRho { spent, stated });
                let allowed = Rho::largest(self.epsilon, *delta);
                require(stated <= allowed, Problem::TooMuchRho { stated, allowed });
                for step in &self.spent {
                    let covered = step.concentrated().is_some_and(|spend| spend.covers(step.epsilon));
                    require(covered, Problem::StepRho(step.step.clone()));
                }
            }
        }
        require(!self.spent.is_empty(), Problem::NothingSpent);
        for Spent { step, proof, .. } in &self.spent {
            let known = proof.as_deref().is_none_or(|page| Proof::from_page(page).is_some());
            require(known, Problem::UnknownProof(step.clone()));
        }

        let supported = self.supported();
        let (stated, supported_kind) = (kind(&self.guarantee), kind(&supported));
        require(stated == supported_kind, Problem::Guarantee { stated, supported: supported_kind });
        match &self.guarantee {
            Guarantee::None { because } => {
                require(!because.is_empty(), Problem::NoReason);
                require(!self.seeded || because.iter().any(|why| why == SEEDED), Problem::SeedNotNamed);
            }
            numbers => require(stated != supported_kind || *numbers == supported, Problem::GuaranteeNumbers),
        }
        if let Guarantee::Pure { .. } | Guarantee::Approximate { .. } = self.guarantee {
            let facts = &self.facts;
            require(facts.sampler != "metropolis", Problem::NotCertifiable(facts.sampler.clone()));
            require(facts.discriminator != "cart", Problem::NotCertifiable(facts.discriminator.clone()));
            if let Some(Comparison { method, bounds_source, .. }) = &facts.comparison {
                let reads = UNPROTECTED.contains(&method.as_str());
                require(!reads, Problem::NotCertifiable(method.clone()));
                let computed = *bounds_source == Some(BoundsSource::Computed);
                require(!computed, Problem::NotCertifiable("bounds computed from the data".to_owned()));
            }
        }

        let facts = &self.facts;
        let named = facts.schema_source == SchemaSource::User || !facts.outside_the_guarantee.is_empty();
        require(named, Problem::DraftNotNamed);
        if let Some(person) = &facts.person {
            let agrees = person.rows_per_person == self.rows_per_person;
            require(agrees, Problem::Person("its steps are for another number of rows"));
            require(person.proof == PERSON_PROOF, Problem::Person("refers to another proof"));
            let outside = person.outside(facts.rows);
            let named = facts.outside_the_guarantee.contains(&outside);
            require(
                named,
                Problem::Person("does not say that the number of kept rows is outside the guarantee"),
            );
        }
        for (number, name) in [
            (facts.rows, "rows"),
            (facts.columns, "columns"),
            (facts.draws, "draws"),
            (facts.tables, "tables"),
        ] {
            require(number > 0, Problem::Setting(name));
        }
        require((0.0..1.0).contains(&facts.measure_share), Problem::Setting("measure_share"));
        if let Some(Comparison { bounds, bounds_source, .. }) = &facts.comparison {
            require(bounds.is_empty() == bounds_source.is_none(), Problem::Setting("source of bounds"));
            let right = bounds.iter().all(|bounds| bounds.low < bounds.high);
            let every = bounds.is_empty() || bounds.len() as u64 == facts.columns;
            require(right && every, Problem::Setting("bounds"));
        }
        if let Some(score) = &facts.score {
            let paid = |step: &Spent| step.step == SCORE_STEP && step.epsilon == score.epsilon;
            require(self.spent.iter().any(paid), Problem::Score);
            require(score.value.is_finite() && score.scale > 0.0, Problem::Setting("score"));
        }
        for (name, hash) in &self.files {
            let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            require(hash.len() == 64 && hash.bytes().all(hexadecimal), Problem::Hash(name.clone()));
        }
        problems
    }

    /// The guarantee that its steps support.
    fn supported(&self) -> Guarantee {
        let steps = self.spent.iter().map(|spent| {
            let proven = spent.proof.as_deref().is_some_and(|page| Proof::from_page(page).is_some());
            Evidence {
                step: &spent.step,
                unproven: (!proven).then_some("not proven"),
                exactness: &spent.exactness,
            }
        });
        Guarantee::fold((self.epsilon, self.delta()), self.rows_per_person.get(), self.seeded, steps)
    }
}

/// The name of a guarantee's kind, as in the file.
fn kind(guarantee: &Guarantee) -> &'static str {
    match guarantee {
        Guarantee::Pure { .. } => "pure",
        Guarantee::Approximate { .. } => "approximate",
        Guarantee::AtStationarity { .. } => "at-stationarity",
        Guarantee::None { .. } => "none",
    }
}
