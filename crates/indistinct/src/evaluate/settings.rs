//! The checked parameters of an evaluation.

use super::judge::Discriminator;
use super::null::{self, Null, NullError};
use super::predict::PredictOptions;
use super::sample::SampleSize;
use crate::discriminator::cart::CartParams;
use crate::quality::null::Reference;
use crate::random::Seed;
use crate::table::{Column, ColumnType, Table};

/// Parameters of an evaluation, checked: [`EvaluateOptions`](super::EvaluateOptions) are as typed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EvaluateParams {
    /// The discriminator.
    pub discriminator: Discriminator,
    /// The kind of null distribution.
    pub null: Null,
    /// The reference of S_pMSE; `None` for the discriminator's default.
    pub reference: Option<Reference>,
    /// Number of simulations of the null.
    pub replicates: u64,
    /// The seed of random numbers.
    pub seed: Seed,
    /// A column to predict, if there is one.
    pub predict: Option<PredictColumn>,
    /// The most rows of each table on which trees are grown and three columns counted.
    pub sample: SampleSize,
}

/// Replicates of a null by default.
pub const REPLICATES: u64 = 50;

impl Default for EvaluateParams {
    /// rpart's greedy tree with its own settings, beside a permutation null.
    fn default() -> Self {
        Self {
            discriminator: Discriminator::Cart(CartParams::default()),
            null: Null::Permutation,
            reference: None,
            replicates: REPLICATES,
            seed: Seed(1),
            predict: None,
            sample: SampleSize::default(),
        }
    }
}

/// A column that forests predict from all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictColumn {
    /// Its name.
    pub name: String,
    /// Whether a schema declares the columns. Without one, whole numbers with few values are taken for codes of
    /// classes.
    pub declared: bool,
}

impl PredictColumn {
    /// The options of the prediction, given the types of the real columns.
    pub(super) fn options(&self, real: &Table) -> PredictOptions {
        let is_number = |column: &Column| {
            use ColumnType::{Date, DateTime, Float, Integer};
            matches!(column.schema().kind(), Float | Integer | Date { .. } | DateTime { .. })
        };
        let declared_number = self.declared && real.column(&self.name).is_some_and(is_number);
        PredictOptions::of(&self.name).with(|options| options.declared_number = declared_number)
    }
}

impl EvaluateParams {
    /// These parameters with some of them set, as in `params.with(|params| params.replicates = 100)`. Fields may be added, so that
    /// other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }

    /// Refuses nulls with which S_pMSE would not mean what it says.
    ///
    /// # Errors
    /// When the null, or its reference, does not fit the discriminator.
    pub fn check(&self) -> Result<(), NullError> {
        null::check(self.null, self.reference, &self.discriminator)
    }

    /// The reference of S_pMSE: a correct fitted model for logistic regression, which sees no more than such a
    /// model matches, and another sample for trees and partitions, which see more. `None` without a null.
    pub fn reference(&self) -> Option<Reference> {
        let default = match self.discriminator {
            Discriminator::Logistic(_) => Reference::FittedModel,
            Discriminator::Cart(_) | Discriminator::Optimal(_) | Discriminator::Partition(_) => {
                Reference::Sample
            }
        };
        (self.null != Null::None).then_some(self.reference.unwrap_or(default))
    }
}
