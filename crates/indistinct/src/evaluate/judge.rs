//! One interface to any discriminator: how well does it tell these rows apart?

use crate::discriminator::Stacked;
use crate::discriminator::cart::{self, CartParams, Presorted, Workspace};
use crate::discriminator::logistic::{self, Design, LogisticError};
use crate::discriminator::optimal::{self, OptimalParams};
use crate::discriminator::partition::{self, PartitionParams};
use crate::quality::Distinguishability;
use rayon::prelude::*;

/// A discriminator.
#[derive(Debug, Clone)]
pub enum Discriminator {
    /// rpart's greedy tree.
    Cart(CartParams),
    /// A globally optimal tree.
    Optimal(OptimalParams),
    /// Cells cut at medians of the synthetic rows.
    Partition(PartitionParams),
    /// Logistic regression.
    Logistic(logistic::Options),
}

/// The reason why there is no judgement.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(transparent)]
pub struct JudgeError(#[from] LogisticError);

/// The result of a discriminator.
#[derive(Debug, Clone, Copy)]
pub struct Judgement {
    /// Its power to tell the rows apart.
    pub distinguishability: Distinguishability,
    /// Number of cells, for discriminators that have them.
    pub leaves: Option<usize>,
    /// Number of coefficients, for discriminators that have them.
    pub coefficients: Option<usize>,
}

impl Judgement {
    fn of_cells(distinguishability: Distinguishability, leaves: usize) -> Self {
        Self { distinguishability, leaves: Some(leaves), coefficients: None }
    }
}

/// Two tables prepared for many judgements.
pub struct PreparedDiscriminator<'a> {
    discriminator: &'a Discriminator,
    stacked: &'a Stacked,
    labels: Vec<bool>,
    /// Every column sorted once, for `cart`.
    sorted: Vec<Presorted>,
}

impl<'a> PreparedDiscriminator<'a> {
    /// Sorts the columns, if the discriminator needs it.
    pub fn new(discriminator: &'a Discriminator, stacked: &'a Stacked) -> Self {
        let sorted = match discriminator {
            Discriminator::Cart(_) => stacked.predictors().par_iter().map(Presorted::new).collect(),
            _ => Vec::new(),
        };
        Self { discriminator, stacked, labels: stacked.labels(), sorted }
    }

    /// The judgement on these columns alone.
    ///
    /// # Errors
    /// When a logistic regression cannot be fitted.
    pub fn columns(&self, columns: &[usize], workspace: &mut Workspace) -> Result<Judgement, JudgeError> {
        match self.discriminator {
            Discriminator::Cart(params) => Ok(self.cart(params, columns, &self.labels, workspace)),
            _ => judge(self.discriminator, &self.stacked.select(columns)),
        }
    }

    /// The judgement on all columns.
    ///
    /// # Errors
    /// When a logistic regression cannot be fitted.
    pub fn whole(&self) -> Result<Judgement, JudgeError> {
        match self.discriminator {
            Discriminator::Cart(_) => self.columns(&self.every(), &mut Workspace::default()),
            _ => judge(self.discriminator, self.stacked),
        }
    }

    /// The judgement on all columns when these rows of the stack are called real (the first ones) and synthetic.
    ///
    /// # Errors
    /// When a logistic regression cannot be fitted.
    pub fn relabelled(&self, rows: &[u32], workspace: &mut Workspace) -> Result<Judgement, JudgeError> {
        let labels = || {
            let mut labels = vec![false; rows.len()];
            for &row in &rows[self.stacked.real_rows()..] {
                labels[row as usize] = true;
            }
            labels
        };
        match self.discriminator {
            Discriminator::Cart(params) => Ok(self.cart(params, &self.every(), &labels(), workspace)),
            Discriminator::Logistic(options) => {
                Ok(of_logistic(&Design::new(self.stacked, options)?.fit(&labels())?))
            }
            _ => judge(self.discriminator, &self.stacked.resample(rows)),
        }
    }

    fn every(&self) -> Vec<usize> {
        (0..self.stacked.predictors().len()).collect()
    }

    fn cart(
        &self,
        params: &CartParams,
        columns: &[usize],
        labels: &[bool],
        workspace: &mut Workspace,
    ) -> Judgement {
        let columns: Vec<&Presorted> = columns.iter().map(|&column| &self.sorted[column]).collect();
        let tree = cart::fit_presorted(&columns, labels, params, workspace);
        Judgement::of_cells(tree.distinguishability(), tree.leaves().count())
    }
}

/// The judgement on two tables without preparation.
pub(super) fn judge(discriminator: &Discriminator, stacked: &Stacked) -> Result<Judgement, JudgeError> {
    Ok(match discriminator {
        Discriminator::Cart(params) => {
            let tree = cart::fit(stacked, params);
            Judgement::of_cells(tree.distinguishability(), tree.leaves().count())
        }
        Discriminator::Optimal(params) => {
            let tree = optimal::fit(stacked, params).tree;
            Judgement::of_cells(tree.distinguishability(), tree.leaves().count())
        }
        Discriminator::Partition(params) => {
            let partition = partition::fit(stacked, *params);
            Judgement::of_cells(partition.distinguishability(), partition.cells().len())
        }
        Discriminator::Logistic(options) => of_logistic(&logistic::fit(stacked, options)?),
    })
}

fn of_logistic(fit: &logistic::Logistic) -> Judgement {
    Judgement { distinguishability: fit.distinguishability(), leaves: None, coefficients: Some(fit.k()) }
}
