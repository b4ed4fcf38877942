//! One verdict on a synthetic table: four levels, each a statement about what the table is good for, with reasons.
//!
//! Three criteria are judged by themselves, and the worst decides. None depends on the discriminator that was chosen, nor
//! on the luck of one tree.
//!
//! - *Rows told apart*: the pMSE of rows that trees have not seen, beyond chance ([`ResampledTrees`]). The thresholds are those
//!   of tables all of whose rows have a propensity score of 0.6, 0.75 and 0.9: odds of 3 to 2, 3 to 1 and 9 to 1.
//! - *Pairs of columns*: the mean two-way distance beyond chance, which is the share of rows that would have to change to make a
//!   table of two columns right: one, three and six rows in twenty.
//! - *Dependence*: the same pMSE relative to that of the shuffled control, which has every column right and no dependence at
//!   all. A table is not close that is half as easy to tell as this, and poor at best if it is about as easy and there is more
//!   than a little dependence.

use std::fmt::Write as _;

use serde::Serialize;

use super::distances::MeanDistances;
use super::resampled::ResampledTrees;
use crate::word::Word;

/// A verdict: what a synthetic table is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nine rows in ten could be real.
    Close,
    /// The large patterns are there.
    Usable,
    /// Little more than the columns by themselves.
    Poor,
    /// A table that does not stand for the real one.
    Broken,
}

words!(Level {
    "close" => Close: "Stands for the real table, but for small groups",
    "usable" => Usable: "Large patterns are those of the real table",
    "poor" => Poor: "For writing and testing programs",
    "broken" => Broken: "Does not stand for the real table",
});

impl Level {
    /// The meaning of the level, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Close => "It can stand for the real table in most analyses, but for those of small groups.",
            Self::Usable => {
                "Its large patterns are those of the real table. Check a finer one before you rely on it."
            }
            Self::Poor => "It is for writing and testing programs. Estimates from it can be far off.",
            Self::Broken => "It does not stand for the real table.",
        }
    }
}

/// The level of a synthetic table, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The worst level of all criteria.
    pub level: Level,
    /// A sentence for each criterion, the deciding ones first.
    pub because: Vec<String>,
}

/// The upper ends of close, usable and poor.
struct Thresholds([f64; 3]);

/// Of the pMSE of resampled trees: scores of 0.6, 0.75 and 0.9 have the squared distances 0.1^2, 0.25^2 and 0.4^2 from 1/2.
const TOLD_APART: Thresholds = Thresholds([0.01, 0.0625, 0.16]);
/// Of the mean two-way distance beyond chance: one, three and six rows in twenty would have to change.
const PAIRS: Thresholds = Thresholds([0.05, 0.15, 0.30]);
/// Of the pMSE relative to that of the shuffled control. No share makes a table broken by itself.
const LOST: Thresholds = Thresholds([HALF, MOST, f64::INFINITY]);
/// The same where there is little dependence to lose: an error in the columns soon is as easy to tell as its loss.
const LOST_LITTLE: Thresholds = Thresholds([HALF, f64::INFINITY, f64::INFINITY]);
const HALF: f64 = 0.5;
const MOST: f64 = 0.8;
/// The control's pMSE up to which there is little dependence.
const LITTLE: f64 = 0.02;
/// The control's pMSE below which the real table has too little dependence for trees to judge whether it was kept.
const DEPENDENCE: f64 = 0.005;
/// An S_pMSE of the trees up to this is nothing that chance does not explain.
const CHANCE: f64 = 1.5;
/// A value at most so many times an end of a level, or that part of it, is near it.
const NEAR: f64 = 1.5;
/// The one-way distance of tables without a value in common, but for a few rows.
const DISJOINT: f64 = 0.999;
/// Most columns that are named.
const NAMED: usize = 5;
/// Rows of each table below which trees see little.
const FEW_ROWS: usize = 100;

impl Thresholds {
    fn level(&self, value: f64) -> Level {
        let Self([close, usable, poor]) = *self;
        match value {
            value if value <= close => Level::Close,
            value if value <= usable => Level::Usable,
            value if value <= poor => Level::Poor,
            _ => Level::Broken,
        }
    }

    /// The level of a value in words, and the level that a little more or less would have made of it.
    fn words(&self, value: f64) -> String {
        let level = self.level(value);
        let Self(ends) = *self;
        let near = |(end, levels): (f64, &[Level])| {
            let is_near = value <= end * NEAR && end <= value * NEAR;
            is_near.then(|| if level == levels[0] { levels[1] } else { levels[0] })
        };
        let levels = [Level::Close, Level::Usable, Level::Poor, Level::Broken];
        match ends.into_iter().zip(levels.windows(2)).find_map(near) {
            Some(other) => format!("{}, near the border of {}", level.word(), other.word()),
            None => level.word().to_owned(),
        }
    }
}

impl ResampledTrees {
    /// Whether rows of one table are copies of the other's: each is in the half on which a tree is grown or in the one on
    /// which it is tried, so that trees then guess wrong, and the more of them the farther their pMSE is from chance.
    fn see_copies(&self) -> bool {
        self.told_apart < 0.5 && self.s_pmse > CHANCE
    }

    /// Whether nothing tells the tables apart: chance, or copies, explain what trees see.
    fn see_nothing(&self) -> bool {
        self.s_pmse <= CHANCE || self.see_copies()
    }
}

impl Verdict {
    /// The verdict on a table from resampled trees, those of the shuffled control, and distances.
    pub fn new(trees: &ResampledTrees, control: &ResampledTrees, distances: &MeanDistances) -> Self {
        let mut reasons = vec![rows_told_apart(trees), pairs_of_columns(distances)];
        reasons.extend(dependence(trees, control));
        // Stable: equal levels stay in the order of the criteria.
        reasons.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
        let level = reasons.first().map_or(Level::Close, |(level, _)| *level);
        let mut because: Vec<String> = reasons.into_iter().map(|(_, words)| words).collect();
        if trees.rows < FEW_ROWS {
            because.push(format!(
                "Trees had {} rows of each table to learn from and see little: larger tables may get a worse level.",
                trees.rows
            ));
        }
        Self { level, because }
    }

    /// Adds a reason for columns of which the tables have no value in common, by their names and one-way distances: often
    /// they are spelled in two ways.
    #[must_use]
    pub(super) fn with_columns<'a>(mut self, columns: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let disjoint: Vec<String> = columns
            .into_iter()
            .filter(|(_, distance)| *distance >= DISJOINT)
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        if disjoint.is_empty() {
            return self;
        }
        let (shown, more) = (disjoint.iter().take(NAMED), disjoint.len().saturating_sub(NAMED));
        let mut names = shown.cloned().collect::<Vec<_>>().join(", ");
        if more > 0 {
            _ = write!(names, " and {more} more");
        }
        self.because.push(format!(
            "The tables have no value of {names} in common: compare how they spell them, or declare the columns in a schema."
        ));
        self
    }

    /// The verdict on several tables: that of the worst.
    pub fn worst<'a>(verdicts: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        // Of equal levels the first.
        verdicts
            .into_iter()
            .reduce(|worst, other| if other.level > worst.level { other } else { worst })
            .cloned()
    }
}

fn rows_told_apart(trees: &ResampledTrees) -> (Level, String) {
    let (level, level_words) = if trees.see_nothing() {
        (Level::Close, Level::Close.word().to_owned())
    } else {
        (TOLD_APART.level(trees.pmse), TOLD_APART.words(trees.pmse))
    };
    let why = if trees.see_copies() {
        ", and fewer means that rows of one table are copies of the other's"
    } else if trees.see_nothing() {
        ", no more than chance explains"
    } else {
        ""
    };
    let words = format!(
        "Trees tell {:.1} % of rows apart that they have not seen, where 50 % is guessing{why}: {level_words} (medians of {} trees: \
         pMSE {:.4}, S_pMSE {:.2}).",
        100.0 * trees.told_apart,
        trees.trees,
        trees.pmse,
        trees.s_pmse
    );
    (level, words)
}

/// Two-way distance beyond chance; of one column, its own.
fn beyond_chance(distances: &MeanDistances) -> f64 {
    let MeanDistances { one_way, two_way, chance, .. } = distances;
    let (distance, chance) = two_way.zip(chance.two_way).unwrap_or((*one_way, chance.one_way));
    (distance - chance).max(0.0)
}

fn pairs_of_columns(distances: &MeanDistances) -> (Level, String) {
    let beyond = beyond_chance(distances);
    let (what, those) = if distances.two_way.is_some() {
        ("Pairs of columns are", "those")
    } else {
        ("The column is", "that")
    };
    let level = PAIRS.level(beyond);
    let words = format!(
        "{what} {beyond:.3} further from the real table's than {those} of another sample of the same population: {}.",
        PAIRS.words(beyond)
    );
    (level, words)
}

/// Whether dependence was kept, where there is some.
fn dependence(trees: &ResampledTrees, control: &ResampledTrees) -> Option<(Level, String)> {
    (control.pmse > DEPENDENCE && control.s_pmse > CHANCE).then(|| {
        let lost = if trees.see_copies() { 0.0 } else { trees.pmse / control.pmse };
        let level = if control.pmse > LITTLE { LOST.level(lost) } else { LOST_LITTLE.level(lost) };
        let how = match lost {
            lost if lost <= HALF => "much easier to tell",
            lost if lost <= MOST => "easier to tell",
            _ => "hardly easier to tell, if at all",
        };
        let words = format!(
            "Dependence: a copy of the real table whose columns were shuffled independently is {how} (pMSE {:.4}): {}.",
            control.pmse,
            level.word()
        );
        (level, words)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_rows_are_close_and_explained() {
        let judged = |told_apart: f64, s_pmse: f64| {
            rows_told_apart(&ResampledTrees { trees: 15, rows: 200, pmse: 0.13, s_pmse, told_apart })
        };
        let (level, words) = judged(0.419, 7.8);
        assert!(level == Level::Close && words.contains("41.9 %") && words.contains("copies"), "{words}");
        let (level, words) = judged(0.6, 7.8);
        assert!(level == Level::Poor && !words.contains("copies"), "{words}");
        assert!(judged(0.419, 1.2).1.contains("no more than chance"));
    }

    #[test]
    fn columns_without_a_common_value_are_named() {
        let verdict = || Verdict { level: Level::Poor, because: Vec::new() };
        let because = verdict().with_columns([("sex", 1.0), ("age", 0.4)]).because;
        assert!(because.len() == 1 && because[0].contains("`sex` in common"), "{because:?}");
        assert!(verdict().with_columns([("age", 0.4)]).because.is_empty());
        let seven = ["a", "b", "c", "d", "e", "f", "g"].map(|name| (name, 1.0));
        assert!(verdict().with_columns(seven).because[0].contains("`e` and 2 more"));
    }

    #[test]
    fn levels_near_a_border_are_told() {
        for (pmse, words) in [
            (0.0065, "close"),
            (0.007, "close, near the border of usable"),
            (0.0149, "usable, near the border of close"),
            (0.02, "usable"),
            (0.05, "usable, near the border of poor"),
            (0.1, "poor"),
            (0.12, "poor, near the border of broken"),
            (0.2, "broken, near the border of poor"),
            (0.25, "broken"),
            (0.0, "close"),
        ] {
            assert_eq!(TOLD_APART.words(pmse), words, "{pmse}");
        }
    }
}
