//! Measures of how alike two tables are, from the cells of a discriminator.
//!
//! In a cell with `a` synthetic and `b` real rows the propensity score is p = a / (a + b). Over all
//! N rows of both tables
//!
//! ```text
//! pMSE = mean (p - 1/2)^2      in [0, 1/4]
//! pMAE = mean |p - 1/2|        in [0, 1/2]
//! ```
//!
//! Zero is indistinguishable. When the tables have different sizes the share of synthetic rows c = A / N is not
//! 1/2, and even equal tables have p = c: the *centred* forms replace 1/2 by c, and null expectations refer to
//! them.

pub mod null;
mod utility;

pub use utility::Utility;

/// Rows that a discriminator treats alike: a leaf of a tree or a piece of a partition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Synthetic mass in the cell (a).
    pub synthetic: f64,
    /// Real rows in the cell (b).
    pub real: f64,
}

/// The quality function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    /// The paper's measure: mean squared distance of the propensity score from 1/2.
    #[default]
    Pmse,
    /// Mean absolute distance of the propensity score from 1/2.
    Pmae,
}

words!(Quality {
    "pmse" => Pmse: "Mean squared distance of the propensity score from 1/2",
    "pmae" => Pmae: "Mean absolute distance",
});

/// Mean distance of scores below which it is nothing but rounding: one row of a hundred million moves it by more.
const ROUNDING: f64 = 1e-12;

/// The power of a discriminator to tell real from synthetic rows; 0 is not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distinguishability {
    /// Mean squared distance of the propensity scores from 1/2.
    pub pmse: f64,
    /// Mean absolute distance of the propensity scores from 1/2.
    pub pmae: f64,
    /// Mean squared distance of the propensity scores from the share of synthetic rows.
    pub pmse_centred: f64,
    /// Mean absolute distance of the propensity scores from the share of synthetic rows.
    pub pmae_centred: f64,
}

impl Distinguishability {
    /// The measures from the cells of a tree or partition.
    pub fn of_cells(cells: &[Cell]) -> Self {
        let synthetic: f64 = cells.iter().map(|cell| cell.synthetic).sum();
        let all: f64 = cells.iter().map(|cell| cell.synthetic + cell.real).sum();
        Self::of_weighted(
            cells
                .iter()
                .map(|cell| (cell.synthetic + cell.real, cell.synthetic))
                .filter(|&(mass, _)| mass > 0.0)
                .map(|(mass, synthetic)| (mass, synthetic / mass)),
            all,
            synthetic / all,
        )
    }

    /// The measures from one propensity score per row, and the share of synthetic rows. Scores that are as far from it
    /// as rounding takes them tell nothing.
    pub fn of_scores(scores: &[f64], synthetic_share: f64) -> Self {
        let scored = scores.iter().map(|&score| (1.0, score));
        let mut found = Self::of_weighted(scored, scores.len() as f64, synthetic_share);
        if found.pmae < ROUNDING {
            (found.pmse, found.pmae) = (0.0, 0.0);
        }
        if found.pmae_centred < ROUNDING {
            (found.pmse_centred, found.pmae_centred) = (0.0, 0.0);
        }
        found
    }

    fn of_weighted(scores: impl Iterator<Item = (f64, f64)>, all: f64, share: f64) -> Self {
        let mut sums = Self { pmse: 0.0, pmae: 0.0, pmse_centred: 0.0, pmae_centred: 0.0 };
        for (mass, p) in scores {
            sums.pmse += mass * (p - 0.5) * (p - 0.5);
            sums.pmae += mass * (p - 0.5).abs();
            sums.pmse_centred += mass * (p - share) * (p - share);
            sums.pmae_centred += mass * (p - share).abs();
        }
        Self {
            pmse: sums.pmse / all,
            pmae: sums.pmae / all,
            pmse_centred: sums.pmse_centred / all,
            pmae_centred: sums.pmae_centred / all,
        }
    }

    /// The value of one quality function.
    pub fn value(&self, quality: Quality) -> f64 {
        match quality {
            Quality::Pmse => self.pmse,
            Quality::Pmae => self.pmae,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn extremes() {
        let cell = |synthetic, real| Cell { synthetic, real };
        let alike = Distinguishability::of_cells(&[cell(5.0, 5.0), cell(2.0, 2.0), cell(0.0, 0.0)]);
        assert_eq!((alike.pmse, alike.pmae), (0.0, 0.0));
        let apart = Distinguishability::of_cells(&[cell(7.0, 0.0), cell(0.0, 7.0)]);
        assert_eq!((apart.pmse, apart.pmae), (0.25, 0.5));
        let unequal = Distinguishability::of_cells(&[cell(30.0, 10.0), cell(3.0, 1.0)]);
        assert_eq!((unequal.pmse, unequal.pmse_centred), (0.0625, 0.0));
    }

    #[test]
    fn rounding_of_scores_tells_nothing() {
        let alike = Distinguishability::of_scores(&[0.5 + 1e-16, 0.5 - 1e-16, 0.5], 0.5);
        assert_eq!((alike.pmse, alike.pmae, alike.pmse_centred, alike.pmae_centred), (0.0, 0.0, 0.0, 0.0));
        let apart = Distinguishability::of_scores(&[0.25 + 1e-16, 0.25], 0.25);
        assert_eq!((apart.pmse_centred, apart.pmae_centred), (0.0, 0.0));
        assert!((apart.pmse - 0.0625).abs() < 1e-12, "{}", apart.pmse);
        assert!(Distinguishability::of_scores(&[0.5 + 1e-8, 0.5], 0.5).pmae > 4e-9);
    }

    proptest! {
        /// The closed forms of the theory: (1/8n) sum (a-b)^2/(a+b), (1/4n) sum |a-b|, and pMAE >= 2 pMSE.
        #[test]
        fn closed_forms(counts in proptest::collection::vec((0u32..50, 0u32..50), 1..20)) {
            let (a, b): (u32, u32) = counts.iter().fold((0, 0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
            let n = f64::from(a.max(b)) + 1.0;
            let mut cells: Vec<Cell> =
                counts.iter().map(|&(a, b)| Cell { synthetic: f64::from(a), real: f64::from(b) }).collect();
            cells.push(Cell { synthetic: n - f64::from(a), real: n - f64::from(b) });
            let sum = |term: fn(&Cell) -> f64| cells.iter().map(term).filter(|x| x.is_finite()).sum::<f64>();
            let pmse = sum(|cell| (cell.synthetic - cell.real).powi(2) / (cell.synthetic + cell.real)) / (8.0 * n);
            let pmae = sum(|cell| (cell.synthetic - cell.real).abs()) / (4.0 * n);
            let found = Distinguishability::of_cells(&cells);
            prop_assert!((found.pmse - pmse).abs() < 1e-12);
            prop_assert!((found.pmae - pmae).abs() < 1e-12);
            prop_assert!((found.pmse_centred - pmse).abs() < 1e-12);
            prop_assert!(found.pmae >= 2.0 * found.pmse - 1e-12);
        }
    }
}
