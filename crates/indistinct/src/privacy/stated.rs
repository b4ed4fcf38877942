//! The sensitivities that each proof is about, as certificates state them.
//!
//! A certificate states a bound in words and the page that proves it. The page proves some bounds and no others:
//! a stated bound must be one that a constructor of [`Sensitivity`](super::Sensitivity) gives, or the step has no
//! proof.

use super::{Neighbours, Proof, SCORE_FINENESS, Sensitivity, clipped_sums};
use std::num::NonZeroU64;

/// A bound that a proof is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StatedBound {
    /// The bound in the units of the integers that noise is added to.
    pub(super) units: u64,
    /// Whether it is twice the proven one, as in the paper; `None` for bounds that are never doubled.
    pub(super) doubled: Option<bool>,
}

impl Proof {
    /// The bound between such neighbours that `text` states for a table with this many columns, if this page
    /// proves it.
    ///
    /// # Guarantee
    /// Whatever a constructor of [`Sensitivity`] with this proof displays is a bound, and nothing else is;
    /// `privacy::stated::tests` has all constructors, and texts close to theirs.
    pub(super) fn stated(self, text: &str, columns: u64, neighbours: Neighbours) -> Option<StatedBound> {
        let (units, of) = text.strip_suffix(')')?.split_once(" (")?;
        let units = whole(units)?;
        match neighbours {
            Neighbours::Substitute => self.of_substituted(units, of, text, columns),
            Neighbours::AddRemove => self.of_added(units, of, columns),
        }
    }

    /// The stated bound for a row that is added or removed; `of` names the integers, in these units.
    fn of_added(self, units: NonZeroU64, of: &str, columns: u64) -> Option<StatedBound> {
        let tight = StatedBound { units: units.get(), doubled: None };
        match self {
            Self::PmaeSensitivity => {
                let of = of.strip_suffix(", all the same way").or_else(|| of.strip_suffix(", summed"))?;
                scaled(units, of, " * n * TV", "", "")
            }
            Self::CountsSensitivity => (of == "counts of rows, summed").then_some(tight),
            Self::IntervalSearch => is_searched(units, of).then_some(tight),
            Self::ScoreProducts => {
                let pairs = (columns.saturating_mul(columns.saturating_sub(1)) / 2).max(1);
                let of_pairs =
                    |square: u64| units.get().is_multiple_of(square) && units.get() / square <= pairs;
                (of == "products of scores, summed" && score_squares().any(of_pairs)).then_some(tight)
            }
            // These pages are about substituted rows.
            Self::PmseSensitivity
            | Self::OptimalSensitivity
            | Self::TreeGrowth
            | Self::ClippedSums
            | Self::SmoothHistogram => None,
        }
    }

    /// The stated bound for a row that is substituted.
    fn of_substituted(self, units: NonZeroU64, of: &str, text: &str, columns: u64) -> Option<StatedBound> {
        let tight = StatedBound { units: units.get(), doubled: None };
        match self {
            Self::PmaeSensitivity => scaled(units, of, " * n * TV", "", ", summed"),
            Self::PmseSensitivity => scaled(units, of, " * (2n * pMSE + n/2)", "", ", summed"),
            Self::OptimalSensitivity => {
                let (of, each) = over_sets(units, of)?;
                let bound = scaled(each, of, " * n * TV of the best tree", "2", "")
                    .or_else(|| scaled(each, of, " * (2n * pMSE + n/2) of the best tree", "", ""))?;
                Some(StatedBound { units: units.get(), ..bound })
            }
            Self::TreeGrowth => {
                let scale = of
                    .strip_suffix(" * sum a^2/(a + b) of the sides, between candidates, summed over lists")?;
                (whole(scale)?.checked_mul(TWO)? == units).then_some(tight)
            }
            Self::CountsSensitivity => {
                (of == "counts of rows, summed" && units.get().is_multiple_of(2)).then_some(tight)
            }
            Self::IntervalSearch => is_searched(units, of).then_some(tight),
            Self::SmoothHistogram => {
                (of == "count of rows in a cell, each" && units == NonZeroU64::MIN).then_some(tight)
            }
            Self::ClippedSums => {
                let columns = usize::try_from(columns).ok()?;
                clipped_sums::stated(columns).any(|bound| bound.to_string() == text).then_some(tight)
            }
            Self::ScoreProducts => {
                let apart = |square: u64| {
                    let one = 2 * square;
                    units.get().is_multiple_of(one) && units.get() / one <= most_apart(columns)
                };
                (of == "products of scores, summed" && score_squares().any(apart)).then_some(tight)
            }
        }
    }
}

const TWO: NonZeroU64 = NonZeroU64::MIN.saturating_add(1);

/// Whether a utility of the interval search is bounded by one.
fn is_searched(units: NonZeroU64, of: &str) -> bool {
    let known = Sensitivity::INTERVAL_COUNTS.contains(&of)
        || of == "rows beyond a radius, between candidates"
        || of == "rows that take part, between candidates";
    known && units == NonZeroU64::MIN
}

/// A positive whole number, spelled as it is displayed.
fn whole(text: &str) -> Option<NonZeroU64> {
    text.parse().ok().filter(|number: &NonZeroU64| number.to_string() == text)
}

/// A bound of `units` on `of`, which is that many times something, or half as many times if the bound is doubled.
fn scaled(units: NonZeroU64, of: &str, what: &str, only: &str, released: &str) -> Option<StatedBound> {
    let of = of.strip_suffix(released).unwrap_or(of);
    let text = of.strip_suffix(what)?;
    let scale = whole(text)?;
    if !only.is_empty() && text != only {
        return None;
    }
    let doubled = scale.checked_mul(TWO) == Some(units);
    (doubled || scale == units).then_some(StatedBound { units: units.get(), doubled: Some(doubled) })
}

/// The utility that is summed over several synthetic tables, if one is, with the bound of each.
fn over_sets(units: NonZeroU64, of: &str) -> Option<(&str, NonZeroU64)> {
    let Some((of, sets)) = of.split_once(", summed over ") else { return Some((of, units)) };
    let sets = whole(sets.strip_suffix(" synthetic tables")?)?;
    let each = NonZeroU64::new(units.get() / sets).filter(|each| each.checked_mul(sets) == Some(units))?;
    (sets > NonZeroU64::MIN).then_some((of, each))
}

/// The largest product of two scores, for every fineness: see [`Sensitivity::score_products`].
fn score_squares() -> impl Iterator<Item = u64> {
    SCORE_FINENESS.into_iter().map(|(_, largest)| largest * largest)
}

/// The largest number of pairs of columns that one row can move apart: see [`Sensitivity::score_products`].
fn most_apart(columns: u64) -> u64 {
    (columns.saturating_mul(columns) / 4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discriminator::judge::Judge;
    use crate::discriminator::optimal::{BinnedTrees, OptimalOptions};
    use crate::quality::Quality;

    const COLUMNS: u64 = 5;

    /// The results of all constructors.
    fn all() -> Vec<Sensitivity> {
        let of = |units: u64| NonZeroU64::new(units).unwrap();
        let mut all = vec![
            Sensitivity::rows_beyond(),
            Sensitivity::rows_present(),
            Sensitivity::cell_count(),
            Sensitivity::tree_level(of(1 << 20)),
            Sensitivity::counts(of(1)),
            Sensitivity::counts(of(10)),
            Sensitivity::score_products(5, 10, of(32)),
            Sensitivity::score_products(2, 1, of(1)),
        ];
        all.extend(Sensitivity::INTERVAL_COUNTS.map(Sensitivity::interval_search));
        for scale in [1, 48, 1 << 20] {
            for one in [Sensitivity::pmae(of(scale)), Sensitivity::pmse(of(scale))] {
                all.extend([one.clone(), one.clone().doubled(), one.released()]);
            }
        }
        let trees = BinnedTrees::new(OptimalOptions::default().check().unwrap()).unwrap();
        let judge = Judge::Optimal(trees);
        for quality in [Quality::Pmae, Quality::Pmse] {
            let one = judge.sensitivity(quality, 1000, 5);
            let three = one.clone().summed_over_sets(of(3));
            all.extend([one.clone(), one.doubled(), three.clone(), three.doubled()]);
        }
        let sums = clipped_sums::stated(COLUMNS as usize);
        all.extend(sums.map(|bound| Sensitivity::Proven { bound, added: None, proof: Proof::ClippedSums }));
        all
    }

    #[test]
    fn each_proof_states_what_its_constructors_give_and_nothing_else() {
        let mut proofs = Vec::new();
        let both = |one: Sensitivity| {
            Neighbours::ALL.map(|neighbours| (neighbours, one.clone().between(neighbours)))
        };
        for (neighbours, sensitivity) in all().into_iter().flat_map(both) {
            let Some(sensitivity) = sensitivity else { continue };
            let (text, own) = (sensitivity.bound().to_string(), sensitivity.proof().unwrap());
            let stated = own.stated(&text, COLUMNS, neighbours).unwrap_or_else(|| panic!("{own}: {text}"));
            assert_eq!(stated.units, sensitivity.bound().units().get());
            for other in Proof::ALL.into_iter().filter(|&proof| proof != own) {
                assert_eq!(other.stated(&text, COLUMNS, neighbours), None, "{other}: {text}");
            }
            for changed in [
                format!("{text}x"),
                format!("0{text}"),
                format!("+{text}"),
                text.replacen(|sign: char| sign.is_ascii_digit(), "0", 1),
                text.replacen(char::is_alphabetic, "z", 1),
                text.replace('(', "["),
                String::new(),
                "0".to_owned(),
            ] {
                let found = own.stated(&changed, COLUMNS, neighbours);
                assert!(changed == text || found.is_none(), "{own}: {changed}");
            }
            proofs.push(own);
        }
        assert!(Proof::ALL.iter().all(|proof| proofs.contains(proof)), "every proof has a constructor");
    }

    #[test]
    fn doubled_bounds_are_recognised() {
        let one = Sensitivity::pmse(NonZeroU64::new(7).unwrap());
        let stated = |one: &Sensitivity| {
            Proof::PmseSensitivity.stated(&one.bound().to_string(), 2, Neighbours::Substitute)
        };
        assert_eq!(stated(&one), Some(StatedBound { units: 7, doubled: Some(false) }));
        assert_eq!(stated(&one.doubled()), Some(StatedBound { units: 14, doubled: Some(true) }));
    }
}
