//! Checks that a certificate follows from the steps and settings that it lists.

use super::{Certificate, Composition, PERSON_PROOF, Problem, ReleaseFacts, Spent, TOOL};
use crate::privacy::NUMBER_OF_ROWS;
use crate::privacy::guarantee::{Evidence, SEEDED};
use crate::privacy::stated::StatedBound;
use crate::privacy::{Epsilon, Guarantee, Neighbours, Proof, Rho};

/// Stands for the reason why a sensitivity is not proven, where the certificate's own reason is not known.
const UNPROVEN: &str = "not proven";

impl Certificate {
    /// Repeats the certificate's arithmetic and lists the problems; empty if everything follows.
    ///
    /// # Guarantee
    /// A certificate made by [`Certificate::new`] from consistent facts has no problem. A certificate has one if
    /// its guarantee was raised, if its steps cost more than it states, if its steps state what their proofs do
    /// not prove, or if it hides a seed or what was learned from the rows. A missing step cannot be found:
    /// whoever writes the file by hand can write anything consistent. `tests/privacy_certificate` forges
    /// certificates one by one, and the command's tests change every field of true ones.
    pub fn check(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut require = |holds: bool, problem: Problem| {
            if !holds {
                problems.push(problem);
            }
        };
        require(self.tool == TOOL, Problem::AnotherTool);
        let neighbours = self.facts.neighbours(self.neighbours());
        require(self.neighbours == neighbours, Problem::Neighbours(neighbours));
        let counts_rows = self.spent.iter().any(|step| step.step == NUMBER_OF_ROWS);
        require(counts_rows == (self.neighbours() == Neighbours::AddRemove), Problem::RowsCounted);
        for (name, hash) in &self.files {
            let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            require(hash.len() == 64 && hash.bytes().all(hexadecimal), Problem::Hash(name.clone()));
        }
        self.check_spending(&mut problems);
        self.check_guarantee(&mut problems);
        self.check_outside(&mut problems);
        self.check_settings(&mut problems);
        problems
    }

    /// Checks that costs add up, and that sensitivities are those of their proofs.
    fn check_spending(&self, problems: &mut Vec<Problem>) {
        let mut require = |holds: bool, problem: Problem| {
            if !holds {
                problems.push(problem);
            }
        };
        match &self.composition {
            None => {
                let spent: Epsilon = self.spent.iter().map(|step| step.epsilon).sum();
                require(spent <= self.epsilon, Problem::Overspent { spent, stated: self.epsilon });
                for Spent { step, epsilon, rho, accounting, .. } in &self.spent {
                    require(!epsilon.is_zero(), Problem::FreeStep(step.clone()));
                    require(rho.is_none() && accounting.is_none(), Problem::StepRho(step.clone()));
                }
            }
            Some(composition) => {
                let stated = composition.rho;
                let spent: Rho = self.spent.iter().filter_map(|step| step.rho).sum();
                require(spent <= stated, Problem::OverspentRho { spent, stated });
                let allowed = Rho::largest(self.epsilon, composition.delta);
                require(stated == allowed, Problem::AnotherRho { stated, allowed });
                let words = Composition::new(composition.delta, stated);
                require(composition.how == words.how, Problem::Composition);
                for step in &self.spent {
                    let covered = step.concentrated().is_some_and(|spend| spend.covers(step.epsilon));
                    require(covered, Problem::StepRho(step.step.clone()));
                }
            }
        }
        require(!self.spent.is_empty(), Problem::NothingSpent);
        for step in self.spent.iter().filter(|step| step.proof.is_some()) {
            let name = || step.step.clone();
            if step.known_proof().is_none() {
                require(false, Problem::UnknownProof(name()));
            } else {
                require(self.stated(step).is_some(), Problem::StatedSensitivity(name()));
            }
        }
    }

    /// The bound that a step states, if its proof proves it.
    pub(super) fn stated(&self, step: &Spent) -> Option<StatedBound> {
        step.known_proof()?.stated(&step.sensitivity, self.facts.columns, self.neighbours())
    }

    /// Checks the guarantee against the steps and facts: its numbers, conditions and reasons.
    fn check_guarantee(&self, problems: &mut Vec<Problem>) {
        let mut require = |holds: bool, problem: Problem| {
            if !holds {
                problems.push(problem);
            }
        };
        let supported = self.supported();
        let (stated, supported_kind) = (self.guarantee.kind(), supported.kind());
        require(stated == supported_kind, Problem::Guarantee { stated, supported: supported_kind });
        match (&self.guarantee, &supported) {
            (Guarantee::None { because }, _) => {
                require(!because.is_empty(), Problem::NoReason);
                require(!self.seeded || because.iter().any(|why| why == SEEDED), Problem::SeedNotNamed);
                if let Guarantee::None { because: expected } = &supported {
                    require(reasons_agree(because, expected), Problem::Reasons);
                }
            }
            (
                Guarantee::Conditional { epsilon, delta, provided },
                Guarantee::Conditional { epsilon: spent, delta: allowed, provided: learned },
            ) => {
                require((epsilon, delta) == (spent, allowed), Problem::GuaranteeNumbers);
                require(provided == learned, Problem::Provided);
            }
            (numbers, supported) if stated == supported_kind => {
                require(numbers == supported, Problem::GuaranteeNumbers);
            }
            _ => {}
        }
    }

    /// Checks what was learned outside the budget, and the statements about persons.
    fn check_outside(&self, problems: &mut Vec<Problem>) {
        let facts = &self.facts;
        let mut require = |holds: bool, problem: Problem| {
            if !holds {
                problems.push(problem);
            }
        };
        if let Some(person) = &facts.person {
            let agrees = person.rows_per_person == self.rows_per_person;
            require(agrees, Problem::Person("its steps are for another number of rows"));
            require(person.proof == PERSON_PROOF, Problem::Person("refers to another proof"));
            let named = facts.outside_the_guarantee.contains(&person.outside(facts.rows));
            require(
                named == (self.neighbours() == Neighbours::Substitute),
                Problem::Person("does not say that the number of kept rows is outside the guarantee"),
            );
        }
        let conditions = facts.conditions();
        let possible = [false, facts.model == "mixed"];
        let named = possible
            .iter()
            .any(|&levels| conditions == ReleaseFacts::conditions_of(facts.schema_source, levels));
        require(named, Problem::DraftNotNamed);
        let outside = facts.outside(self.rows_per_person, self.neighbours(), &conditions);
        require(facts.outside_the_guarantee == outside, Problem::Outside);
    }

    /// The guarantee that the steps support, with what the certificate names as learned outside them.
    fn supported(&self) -> Guarantee {
        let steps = self.spent.iter().map(|spent| Evidence {
            step: &spent.step,
            unproven: self.stated(spent).is_none().then_some(UNPROVEN),
            exactness: &spent.exactness,
        });
        Guarantee::fold(self.epsilon, self.delta(), self.rows_per_person.get(), self.seeded, steps)
            .provided(&self.facts.conditions())
    }
}

impl Spent {
    /// The proof that the step refers to, if there is such a page.
    fn known_proof(&self) -> Option<Proof> {
        self.proof.as_deref().and_then(Proof::from_page)
    }
}

/// Whether the reasons are those that follow from the steps. Only the code that charged a step knows why its
/// sensitivity is not proven: after the step's name, any words are accepted.
fn reasons_agree(stated: &[String], expected: &[String]) -> bool {
    let any_words = |expected: &String| expected.strip_suffix(UNPROVEN).map(str::to_owned);
    // A step that is unproven for the reason that its law has none is named once.
    let follows = |why: &String| {
        expected.iter().any(|one| {
            one == why || any_words(one).is_some_and(|step| why.len() > step.len() && why.starts_with(&step))
        })
    };
    let is_named = |one: &String| {
        stated.contains(one)
            || any_words(one).is_some_and(|step| stated.iter().any(|why| why.starts_with(&step)))
    };
    let mut seen = stated.to_vec();
    seen.sort();
    seen.dedup();
    seen.len() == stated.len() && stated.iter().all(follows) && expected.iter().all(is_named)
}
