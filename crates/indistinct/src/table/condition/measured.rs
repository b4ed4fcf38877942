//! Conditions on derived columns, rewritten as conditions on the columns from which these are computed.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Condition, Derivation, Use};

impl Condition {
    /// Rewrites the condition for tables without derived columns: it computes these itself, each once.
    /// `derivations` are in an order in which they can be computed; `position` gives the new positions of the
    /// remaining columns.
    ///
    /// Derived columns have the same values here as in the finished rows, to the last digit: rounding is part of
    /// their terms.
    pub(in crate::table) fn measured(
        &self,
        derivations: &[Derivation],
        position: impl Fn(&str) -> Option<usize>,
    ) -> Option<Self> {
        let needed = needed(self, derivations);
        let is_measured = |used: &&Use| !needed.iter().any(|derivation| derivation.column == used.name);
        let mut uses: Vec<Use> = Vec::new();
        let all = self.uses.iter().chain(needed.iter().flat_map(|derivation| &derivation.uses));
        for used in all.filter(is_measured) {
            if !uses.iter().any(|known| known.name == used.name) {
                uses.push(Use { position: position(&used.name)?, ..used.clone() });
            }
        }
        let names = uses.iter().map(|used| &used.name).chain(needed.iter().map(|one| &one.column));
        let places: HashMap<&String, usize> = names.zip(0..).collect();
        // Every column that is used has a place.
        let place = |uses: &[Use], old: usize| uses.get(old).map_or(old, |used| places[&used.name]);
        let derived = needed
            .iter()
            .map(|derivation| Arc::new(derivation.term.renumbered(&|old| place(&derivation.uses, old))));
        let derived = derived.collect();
        let node = self.node.renumbered(&|old| place(&self.uses, old));
        Some(Self { node, uses, derived })
    }
}

/// The derivations whose columns a condition uses, directly or through others, in their order.
fn needed<'d>(condition: &Condition, derivations: &'d [Derivation]) -> Vec<&'d Derivation> {
    let mut wanted: Vec<&str> = condition.uses.iter().map(|used| used.name.as_str()).collect();
    let mut needed = Vec::new();
    for derivation in derivations.iter().rev() {
        if wanted.contains(&derivation.column.as_str()) {
            wanted.extend(derivation.uses());
            needed.push(derivation);
        }
    }
    needed.reverse();
    needed
}
