//! The evidence of measured cells for a law.

use super::Margin;
use super::law::{Law, Tails, between};
use super::merge::Piece;
use crate::grid::ColumnFacts;

/// Least probability of the grid under a law that can be right: the mass beyond the grid is not seen.
const SEEN: f64 = 1e-3;

/// One measured cell.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Its low end, in places.
    from: f64,
    /// Its high end, in places.
    to: f64,
    /// Noisy rows plus the variance of their noise.
    weight: f64,
    /// The variance of the noise.
    noise: f64,
}

/// Whether each end of a range is open: not declared.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenEnds {
    pub(super) low: bool,
    pub(super) high: bool,
}

/// The cells of a column that are neither atoms nor missing values.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    cells: Vec<Cell>,
    /// The number of rows in them together.
    rows: f64,
    /// The lower quartile, the median and the upper quartile of the measured margin, in places.
    pub(super) quartiles: [f64; 3],
    /// Number of places.
    pub(super) places: f64,
    /// Ends of the range that are not declared, so that values beyond count in the cell at that end.
    pub(super) open: OpenEnds,
}

impl Evidence {
    /// The evidence from measured cells; `share` of the present `rows` are in cells that are not atoms.
    pub(super) fn new(
        margin: &Margin,
        measured: &[Piece],
        rows: f64,
        share: f64,
        facts: &ColumnFacts,
    ) -> Self {
        let grid = margin.grid();
        let places = grid.places();
        let open = OpenEnds { low: facts.minimum.is_none(), high: facts.maximum.is_none() };
        let cell = |piece: &Piece| {
            let (from, to) = (grid.place(piece.first), grid.place(piece.first + piece.length));
            let from = if from == 0 && open.low { f64::NEG_INFINITY } else { from as f64 };
            let to = if to == places && open.high { f64::INFINITY } else { to as f64 };
            Cell { from, to, weight: (piece.rows + piece.variance).max(0.0), noise: piece.variance }
        };
        let cells = measured.iter().filter(|piece| !piece.alone).map(cell).collect();
        let quartiles = [0.25, 0.5, 0.75].map(|part| quantile(margin, share * part));
        Self { cells, rows: rows * share, quartiles, places: places as f64, open }
    }

    /// The log-likelihood of the cells under a law, up to a constant.
    ///
    /// Without noise it is that of a multinomial distribution. With noise of variance v, a count y + v is treated
    /// as a Poisson count with mean m + v, which has the mean and the variance of y + v: so empty cells with a
    /// little noise hardly count against a law, where y log m would forbid it to be small there.
    pub(super) fn support(&self, law: &impl Law) -> f64 {
        let mut last = (f64::NAN, Tails::FIRST);
        let mut probabilities = Vec::with_capacity(self.cells.len());
        for cell in &self.cells {
            let from = if last.0 == cell.from { last.1 } else { law.tails(cell.from) };
            let to = law.tails(cell.to);
            probabilities.push(between(from, to));
            last = (cell.to, to);
        }
        let seen: f64 = probabilities.iter().sum();
        if seen.is_nan() || seen < SEEN {
            return f64::NEG_INFINITY;
        }
        let cells = self.cells.iter().zip(probabilities);
        cells.map(|(cell, p)| cell.weight * (self.rows * p / seen + cell.noise).ln()).sum()
    }
}

/// The place, with a fraction, below which this mass of a margin lies, without atoms.
fn quantile(margin: &Margin, mut mass: f64) -> f64 {
    let grid = margin.grid();
    let is_atom = |first: usize| grid.atoms().binary_search(&first).is_ok();
    let mut end = 0.0;
    for run in margin.cells().iter().filter(|run| !is_atom(run.first)) {
        let from = grid.place(run.first) as f64;
        if mass <= run.mass {
            return from + run.length as f64 * mass / run.mass;
        }
        mass -= run.mass;
        end = from + run.length as f64;
    }
    end
}
