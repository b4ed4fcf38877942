//! The design matrix: its columns, and its values one block of rows at a time.
//!
//! The matrix is never held as a whole: with a thousand columns and a million rows it would take 8 GB. Blocks are
//! rebuilt in every pass, which costs k operations a row where the cross-product costs k^2 / 2.

use rayon::prelude::*;

use super::encode::{Encoder, Main};
use super::term::{Factor, Term};
use super::{LogisticError, Options};
use crate::discriminator::Stacked;
use crate::linear::{Independent, Symmetric};
use crate::progress;

/// Rows per block: a block of 100 columns stays in the second-level cache.
const BLOCK_ROWS: usize = 256;
/// Most stretches of rows that are summed separately.
const MAX_STRETCHES: usize = 64;
/// Most numbers in all partial cross-products together (128 MB).
const MAX_PARTIAL: usize = 1 << 24;
/// Share of a column's sum of squares that earlier columns must leave unexplained for it to be kept. R's `glm`
/// goes further (1e-22 on this scale, by orthogonal factors), but columns in between are of no use to anyone: no
/// digit of their coefficients that matters is known.
const TOLERANCE: f64 = 1e-10;

/// The columns of a logistic model for the rows of two tables, ready to be fitted to any labels: permutations
/// share the cross-product and the search for aliased columns.
#[derive(Debug, Clone)]
pub struct Design<'a> {
    stacked: &'a Stacked,
    encoders: Vec<Encoder<'a>>,
    pub(super) mains: Vec<Main>,
    sources: Vec<Source>,
    pub(super) independent: Independent,
}

/// The origin of a column of the design; positions are those of the predictors' own columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Intercept,
    Main(usize),
    Product(usize, usize),
}

/// Consecutive rows of some columns of the design.
pub(super) struct Block<'b> {
    pub(super) first_row: usize,
    pub(super) rows: usize,
    /// Column by column, `rows` values each; those not listed in `active` hold anything.
    pub(super) columns: &'b [f64],
    /// The columns that are not zero throughout.
    pub(super) active: &'b [usize],
}

impl<'a> Design<'a> {
    /// Lays out the columns and drops those that depend on earlier ones.
    ///
    /// # Errors
    /// When there are more columns than `options` allow.
    pub fn new(stacked: &'a Stacked, options: &Options) -> Result<Self, LogisticError> {
        let (mut encoders, mut mains, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
        for (position, predictor) in stacked.predictors().iter().enumerate() {
            let (encoder, own) = Encoder::new(position, predictor);
            ranges.push(mains.len()..mains.len() + own.len());
            encoders.push(encoder);
            mains.extend(own);
        }
        // Pairs of different predictors, counted before anything is laid out: (S^2 - sum of squares) / 2.
        let squares: u128 = ranges.iter().map(|range| (range.len() as u128).pow(2)).sum();
        let pairs = if options.interactions { ((mains.len() as u128).pow(2) - squares) / 2 } else { 0 };
        let columns = 1 + mains.len() as u128 + pairs;
        if columns > options.max_columns as u128 {
            let (limit, interactions) = (options.max_columns, options.interactions);
            return Err(LogisticError::TooManyColumns { columns, limit, interactions });
        }
        let mut sources = vec![Source::Intercept];
        sources.extend((0..mains.len()).map(Source::Main));
        if options.interactions {
            for (position, left) in ranges.iter().enumerate() {
                for right in &ranges[position + 1..] {
                    // As in R, the columns of the first predictor vary fastest.
                    let pair = right.clone().flat_map(|b| left.clone().map(move |a| Source::Product(a, b)));
                    sources.extend(pair);
                }
            }
        }
        let nothing = Symmetric::zeros(0);
        let independent = Independent::new(&nothing, TOLERANCE);
        let mut design = Self { stacked, encoders, mains, sources, independent };
        design.independent = Independent::new(&design.gram(), TOLERANCE);
        Ok(design)
    }

    /// Rows of both tables.
    pub fn rows(&self) -> usize {
        self.stacked.rows()
    }

    /// Number of coefficients (k): the kept columns, including the intercept.
    pub fn coefficients(&self) -> usize {
        self.independent.kept.len()
    }

    /// The columns that were dropped because they depend on earlier ones.
    pub fn aliased(&self) -> Vec<Term> {
        self.independent.dropped.iter().map(|dropped| self.term(dropped.column)).collect()
    }

    pub(super) fn source(&self, column: usize) -> Source {
        self.sources[column]
    }

    pub(super) fn stacked(&self) -> &Stacked {
        self.stacked
    }

    /// The term that a column stands for.
    pub(super) fn term(&self, column: usize) -> Term {
        let factor = |main: usize| -> Factor { self.mains[main].factor };
        match self.sources[column] {
            Source::Intercept => Term::Intercept,
            Source::Main(main) => Term::Main(factor(main)),
            Source::Product(left, right) => Term::Interaction(factor(left), factor(right)),
        }
    }

    /// X'X of all columns.
    fn gram(&self) -> Symmetric {
        let all: Vec<usize> = (0..self.sources.len()).collect();
        let ones = [1.0; BLOCK_ROWS];
        let partial = self.sweep(
            &all,
            || Symmetric::zeros(all.len()),
            |sum, block| {
                sum.add_cross_product(block.columns, &ones[..block.rows], block.active);
            },
        );
        total(partial, all.len())
    }

    /// Visits the chosen columns block by block. Each stretch of rows has its own accumulator; stretches run in
    /// parallel, their number depends on the shape of the matrix alone, and they come back in row order: the
    /// result does not depend on the number of threads.
    pub(super) fn sweep<T: Send>(
        &self,
        chosen: &[usize],
        start: impl Fn() -> T + Sync,
        visit: impl Fn(&mut T, &Block) + Sync,
    ) -> Vec<T> {
        let rows = self.rows();
        let affordable = (MAX_PARTIAL / (chosen.len() * chosen.len()).max(1)).clamp(1, MAX_STRETCHES);
        let blocks = rows.div_ceil(BLOCK_ROWS);
        let stretch = blocks.div_ceil(affordable).max(1) * BLOCK_ROWS;
        (0..rows.div_ceil(stretch))
            .into_par_iter()
            .map(|number| {
                let mut accumulator = start();
                let mut scratch = Scratch::default();
                let end = ((number + 1) * stretch).min(rows);
                for first in (number * stretch..end).step_by(BLOCK_ROWS) {
                    progress::check();
                    visit(
                        &mut accumulator,
                        &self.block(chosen, first, BLOCK_ROWS.min(end - first), &mut scratch),
                    );
                }
                accumulator
            })
            .collect()
    }

    fn block<'s>(&self, chosen: &[usize], first: usize, rows: usize, scratch: &'s mut Scratch) -> Block<'s> {
        let Scratch { mains, nonzero, columns, active } = scratch;
        mains.clear();
        mains.resize(self.mains.len() * rows, 0.0);
        nonzero.clear();
        nonzero.resize(self.mains.len(), false);
        let (mut values, mut marks) = (mains.as_mut_slice(), nonzero.as_mut_slice());
        for encoder in &self.encoders {
            let width = encoder.width();
            let (own, rest) = values.split_at_mut(width * rows);
            let (own_marks, rest_marks) = marks.split_at_mut(width);
            encoder.write(first, rows, own, own_marks);
            (values, marks) = (rest, rest_marks);
        }
        columns.resize(chosen.len() * rows, 0.0);
        active.clear();
        for (position, (&column, target)) in chosen.iter().zip(columns.chunks_exact_mut(rows)).enumerate() {
            let main = |number: usize| &mains[number * rows..][..rows];
            match self.sources[column] {
                Source::Intercept => target.fill(1.0),
                Source::Main(number) if nonzero[number] => target.copy_from_slice(main(number)),
                Source::Product(left, right) if nonzero[left] && nonzero[right] => {
                    for ((product, left), right) in target.iter_mut().zip(main(left)).zip(main(right)) {
                        *product = left * right;
                    }
                }
                Source::Main(_) | Source::Product(..) => continue,
            }
            active.push(position);
        }
        Block { first_row: first, rows, columns, active }
    }
}

/// Memory that the blocks of one stretch share.
#[derive(Default)]
struct Scratch {
    mains: Vec<f64>,
    nonzero: Vec<bool>,
    columns: Vec<f64>,
    active: Vec<usize>,
}

/// The sum of partial cross-products, in order.
pub(super) fn total(partial: impl IntoIterator<Item = Symmetric>, order: usize) -> Symmetric {
    let mut partial = partial.into_iter();
    let mut sum = partial.next().unwrap_or_else(|| Symmetric::zeros(order));
    for term in partial {
        sum.add(&term);
    }
    sum
}
