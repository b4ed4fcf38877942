//! The joint guarantee of all charges to a ledger, and what still fits.

use super::Price;
use crate::privacy::{Delta, Epsilon, Neighbours, Rho};

/// The total budget of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// Epsilon over all releases together.
    pub epsilon: Epsilon,
    /// The probability with which that may fail.
    pub delta: Delta,
}

/// The budget for one more release: either of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// The largest epsilon of a pure release.
    pub pure: Epsilon,
    /// The largest epsilon at the remaining delta; `None` if only pure releases fit.
    pub with_delta: Option<Total>,
}

/// The sums of charges, for the neighbours of their ledger.
///
/// # Guarantee
/// `proofs/ledger_account.md`. Each of these bounds what releases with these charges reveal together, so that the
/// least of them does:
/// - epsilons add up, and deltas do;
/// - rhos add up, a pure epsilon counting epsilon^2 / 2, and convert at any delta;
/// - pure epsilons add up, and the rhos of all others convert at any delta.
///
/// A charge with a delta but without a rho, as in ledgers before 0.2, is added up by epsilon and delta with all
/// charges before it; later charges are composed within what these leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Sum over all charges.
    epsilons: Epsilon,
    deltas: Delta,
    /// Sum over the charges up to the last one with a delta but without a rho.
    settled_epsilons: Epsilon,
    settled_deltas: Delta,
    /// Sum over pure charges after those.
    pure: Epsilon,
    /// Sum over charges with a delta after those.
    approximate: Rho,
    /// Sum over all charges after those.
    concentrated: Rho,
}

impl Account {
    /// The sums with `count` more charges of a price.
    #[must_use]
    pub fn with(mut self, price: &Price, count: u64) -> Self {
        if count == 0 {
            return self;
        }
        self.epsilons = self.epsilons.saturating_add(price.epsilon.times(count));
        self.deltas = self.deltas.saturating_add(price.delta.times(count));
        let Some(rho) = price.concentrated() else {
            let Self { epsilons, deltas, .. } = self;
            let settled = Self { settled_epsilons: epsilons, settled_deltas: deltas, ..Self::default() };
            return Self { epsilons, deltas, ..settled };
        };
        self.concentrated = self.concentrated.saturating_add(rho.times(count));
        if price.delta.is_zero() {
            self.pure = self.pure.saturating_add(price.epsilon.times(count));
        } else {
            self.approximate = self.approximate.saturating_add(rho.times(count));
        }
        self
    }

    /// The sum of the deltas of all charges.
    pub fn deltas(&self) -> Delta {
        self.deltas
    }

    /// The sum of the rhos of all charges, if each has one.
    pub fn rho(&self) -> Option<Rho> {
        (self.settled_epsilons.is_zero() && self.settled_deltas.is_zero()).then_some(self.concentrated)
    }

    /// Whether all charges together stay within a total.
    ///
    /// # Guarantee
    /// That of the type, in exact arithmetic: sums of rho are compared with [`Rho::largest`], which is rounded
    /// down. Sums of deltas are not used here: whatever fits by them fits by rho (test
    /// `what_fits_by_sums_of_deltas_fits_by_rho`), and without them accounts that are not mixed hold even if
    /// budgets are chosen by what earlier releases showed (`proofs/ledger_account.md`).
    pub fn fits(&self, total: Total) -> bool {
        if self.settled_epsilons > total.epsilon || self.settled_deltas > total.delta {
            return false;
        }
        let left = self.unsettled(total);
        let apart = self.pure <= left.epsilon
            && (self.approximate.is_zero()
                || self.approximate <= Rho::largest(left.epsilon.saturating_sub(self.pure), left.delta));
        apart || self.concentrated <= Rho::largest(left.epsilon, left.delta)
    }

    /// The least epsilon of all charges together at a delta; `None` if there is none at that delta.
    pub fn epsilon_at(&self, delta: Delta) -> Option<Epsilon> {
        if self.settled_deltas > delta {
            return None;
        }
        let left = delta.saturating_sub(self.settled_deltas);
        let settled = |epsilon: Epsilon| self.settled_epsilons.saturating_add(epsilon);
        let added = (self.deltas <= delta).then_some(self.epsilons);
        let apart = self.approximate.least_epsilon(left).map(|rest| settled(self.pure.saturating_add(rest)));
        let concentrated = self.concentrated.least_epsilon(left).map(settled);
        [added, apart, concentrated].into_iter().flatten().min()
    }

    /// The largest epsilon with which these releases fit a total; zero if there is none.
    pub(super) fn largest_epsilon(&self, total: Total, releases: &NextReleases) -> Epsilon {
        let fits = |units: u128| {
            let epsilon = Epsilon::from_units_below(units);
            releases.price(epsilon).is_some_and(|price| self.with(&price, releases.count).fits(total))
        };
        let (mut low, mut high) = (0, u128::from(total.epsilon.units()) + 1);
        // With a delta below that of the total, more than its epsilon can fit.
        while high < u128::from(Epsilon::MAX.units()) && fits(high) {
            (low, high) = (high, high * 2);
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if fits(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Epsilon::from_units_below(low)
    }

    /// The number of further charges with this price that fit a total, up to `most`.
    pub fn how_many(&self, total: Total, price: &Price, most: u64) -> u64 {
        let (mut low, mut high) = (0, most + 1);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.with(price, middle).fits(total) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The delta of a total at which rhos are converted.
    pub(super) fn remaining_delta(&self, total: Total) -> Delta {
        total.delta.saturating_sub(self.settled_deltas)
    }

    /// The part of a total that settled charges leave, if they fit it.
    fn unsettled(&self, total: Total) -> Total {
        Total {
            epsilon: total.epsilon.saturating_sub(self.settled_epsilons),
            delta: total.delta.saturating_sub(self.settled_deltas),
        }
    }
}

/// Equal releases that may be made next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NextReleases {
    /// Their number.
    pub(super) count: u64,
    /// The delta of each.
    pub(super) delta: Delta,
    /// The kind of neighbouring tables between which their guarantee holds.
    pub(super) neighbours: Neighbours,
    /// The neighbours of the ledger.
    pub(super) ledger: Neighbours,
}

impl NextReleases {
    /// The price of one of them with this epsilon; `None` if the ledger cannot take it.
    fn price(&self, epsilon: Epsilon) -> Option<Price> {
        Price::of_budget(epsilon, self.delta).between(self.neighbours, self.ledger)
    }
}
