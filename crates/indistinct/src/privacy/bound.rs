//! Bounds on what one private row can do to whole numbers, by which noise is scaled.

use std::fmt;
use std::num::NonZeroU64;

pub(super) const TWO: NonZeroU64 = NonZeroU64::MIN.saturating_add(1);

/// The quantity that a [`Bound`] bounds when one private row is substituted by another, or added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Movement {
    /// The integer utility of every candidate moves by at most the bound, up for some and down for others.
    EachCandidate,
    /// The largest difference between the moves of any two candidates is at most the bound. That holds with twice
    /// the bound of [`EachCandidate`](Self::EachCandidate), or with the bound itself if all candidates move the
    /// same way.
    BetweenCandidates,
    /// The integer utility of every candidate moves by at most the bound; if one moves up, none moves down.
    SameWay,
    /// The bound of [`BetweenCandidates`](Self::BetweenCandidates), summed over several lists, from each of which
    /// one candidate is chosen.
    AcrossLists,
    /// The absolute moves of all integers in a list sum to at most the bound.
    Sum,
    /// The absolute moves sum to at most the bound, and none exceeds one, as with counts.
    Counts,
    /// No integer of a list moves by more than the bound.
    Largest,
}

/// A whole number that the effect of one row cannot exceed, in the units of the integers that noise is added to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    units: NonZeroU64,
    of: String,
    movement: Movement,
    /// The largest sum of squared moves of a list, where that is less than the square of `units`.
    squares: Option<u128>,
}

impl Bound {
    fn new(units: NonZeroU64, of: impl Into<String>, movement: Movement) -> Self {
        Self { units, of: of.into(), movement, squares: None }
    }

    /// At most `units` for each candidate's utility; `of` names the utility in a certificate, as in `n * TV`.
    pub fn each_candidate(units: NonZeroU64, of: impl Into<String>) -> Self {
        Self::new(units, of, Movement::EachCandidate)
    }

    /// At most `units` between the moves of any two candidates.
    pub fn between_candidates(units: NonZeroU64, of: impl Into<String>) -> Self {
        Self::new(units, of, Movement::BetweenCandidates)
    }

    /// At most `units` for each candidate's utility, all of which move the same way.
    pub fn same_way(units: NonZeroU64, of: impl Into<String>) -> Self {
        Self::new(units, of, Movement::SameWay)
    }

    /// At most `units` between the moves of any two candidates of a list, summed over all lists.
    pub fn across_lists(units: NonZeroU64, of: impl Into<String>) -> Self {
        Self::new(units, of, Movement::AcrossLists)
    }

    /// At most `units` over all numbers of a list together.
    pub fn sum(units: NonZeroU64, of: impl Into<String>) -> Self {
        Self::new(units, of, Movement::Sum)
    }

    /// At most `units` over all numbers of a list together, and at most `squares` over their squared moves.
    pub fn sum_and_squares(units: NonZeroU64, squares: u128, of: impl Into<String>) -> Self {
        Self { squares: Some(squares), ..Self::sum(units, of) }
    }

    /// At most `units` over all numbers of a list together, and at most one for each.
    pub fn counts(units: NonZeroU64, of: impl Into<String>) -> Self {
        Self::new(units, of, Movement::Counts)
    }

    /// At most `units` for each number of a list.
    pub fn largest(units: NonZeroU64, of: impl Into<String>) -> Self {
        Self::new(units, of, Movement::Largest)
    }

    /// Twice the bound: also a bound, and the paper's where this one is the tight one.
    #[must_use]
    pub fn doubled(self) -> Self {
        let squares = self.squares.map(|squares| squares.saturating_mul(4));
        Self { units: self.units.saturating_mul(TWO), squares, ..self }
    }

    /// The bound of a sum of `sets` integers that each have this one.
    pub(super) fn summed_over_sets(self, sets: NonZeroU64) -> Self {
        let many = u128::from(sets.get());
        Self {
            units: self.units.saturating_mul(sets),
            of: format!("{}, summed over {sets} synthetic tables", self.of),
            squares: self.squares.map(|squares| squares.saturating_mul(many * many)),
            movement: self.movement,
        }
    }

    /// The bound.
    pub fn units(&self) -> NonZeroU64 {
        self.units
    }

    /// The bound on one number that is released rather than used to choose. A bound between candidates stays as
    /// it is.
    pub(super) fn released(self) -> Self {
        match self.movement {
            Movement::EachCandidate | Movement::SameWay => Self { movement: Movement::Sum, ..self },
            Movement::BetweenCandidates
            | Movement::AcrossLists
            | Movement::Sum
            | Movement::Counts
            | Movement::Largest => self,
        }
    }

    /// The quantity that it bounds.
    pub fn movement(&self) -> Movement {
        self.movement
    }

    /// The most by which one row can change the *difference* between two candidates' utilities, the list's sum,
    /// or the largest of the list.
    ///
    /// # Guarantee
    /// Twice the bound if candidates may move in opposite directions, by the triangle inequality.
    pub(super) fn range(&self) -> u128 {
        let units = u128::from(self.units.get());
        match self.movement {
            Movement::EachCandidate => 2 * units,
            Movement::SameWay
            | Movement::BetweenCandidates
            | Movement::AcrossLists
            | Movement::Sum
            | Movement::Counts
            | Movement::Largest => units,
        }
    }

    /// The largest possible sum of squared moves of a list; `None` if this does not bound a list as a whole.
    ///
    /// # Guarantee
    /// `proofs/discrete_gaussian_counts.md`: no more than the sum of the moves where each is at most one, and no
    /// more than its square in any case. Tried on all neighbours by `tests/privacy_laws`.
    pub(crate) fn squared(&self) -> Option<u128> {
        let units = u128::from(self.units.get());
        match self.movement {
            Movement::Counts => Some(units),
            Movement::Sum => Some(self.squares.map_or(units * units, |squares| squares.min(units * units))),
            Movement::EachCandidate
            | Movement::SameWay
            | Movement::BetweenCandidates
            | Movement::AcrossLists
            | Movement::Largest => None,
        }
    }

    /// Whether it bounds utilities of candidates, rather than numbers that are released.
    pub(super) fn is_of_candidates(&self) -> bool {
        match self.movement {
            Movement::EachCandidate
            | Movement::SameWay
            | Movement::BetweenCandidates
            | Movement::AcrossLists => true,
            Movement::Sum | Movement::Counts | Movement::Largest => false,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.movement {
            Movement::EachCandidate => "",
            Movement::SameWay => ", all the same way",
            Movement::BetweenCandidates => ", between candidates",
            Movement::AcrossLists => ", between candidates, summed over lists",
            Movement::Sum | Movement::Counts => ", summed",
            Movement::Largest => ", each",
        };
        write!(formatter, "{} ({}{how})", self.units, self.of)
    }
}
