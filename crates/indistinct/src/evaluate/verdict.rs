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
    let within_chance = trees.s_pmse <= CHANCE;
    let level = if within_chance { Level::Close } else { TOLD_APART.level(trees.pmse) };
    // Values that hardly any row has are in the rows on which a tree is grown or in the others, and then it guesses wrong.
    let chance = if within_chance {
        ", no more than chance explains"
    } else if trees.told_apart < 0.5 {
        ", and fewer is as telling"
    } else {
        ""
    };
    let words = format!(
        "Trees tell {:.1} % of rows apart that they have not seen, where 50 % is guessing{chance}: {} (medians of {} trees: \
         pMSE {:.4}, S_pMSE {:.2}).",
        100.0 * trees.told_apart,
        level.word(),
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
        level.word()
    );
    (level, words)
}

/// Whether dependence was kept, where there is some.
fn dependence(trees: &ResampledTrees, control: &ResampledTrees) -> Option<(Level, String)> {
    (control.pmse > DEPENDENCE && control.s_pmse > CHANCE).then(|| {
        let lost = trees.pmse / control.pmse;
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
    fn fewer_rows_than_guessing_are_explained() {
        let words = |told_apart: f64, s_pmse: f64| {
            rows_told_apart(&ResampledTrees { trees: 15, rows: 200, pmse: 0.066, s_pmse, told_apart }).1
        };
        assert!(words(0.419, 7.8).contains("41.9 %") && words(0.419, 7.8).contains("fewer is as telling"));
        assert!(!words(0.6, 7.8).contains("fewer") && !words(0.419, 1.2).contains("fewer"));
    }
}
