//! The distribution of the measure if real and synthetic rows had the same distribution.

use std::sync::{Mutex, PoisonError};

use crate::discriminator::Stacked;
use crate::discriminator::cart::Workspace;
use crate::field::{Field, Message};
use crate::quality::null::Reference;
use crate::random::Seed;
use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::error::{EvaluationError, done, wanted};
use super::judge::{Discriminator, PreparedDiscriminator, judge};
use crate::progress::Progress;

/// The kind of null distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// Deals the stacked rows anew into a real and a synthetic table.
    Permutation,
    /// Draws both tables from the real rows, with replacement. Not for `cart`: see
    /// [`NullError::BootstrapOfCart`].
    Bootstrap,
    /// The expectation of a logistic model, in closed form.
    Analytic,
    /// No null.
    None,
}

words!(Null {
    "permutation" => Permutation: "Deal the stacked rows anew",
    "bootstrap" => Bootstrap: "Draw both tables from the real rows (not for cart)",
    "analytic" => Analytic: "In closed form (logistic only)",
    "none" => None: "No null, no S_pMSE",
});

/// The reason why a null does not fit a discriminator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NullError {
    /// Copies of a row cannot be told apart, so that a tree that is grown down to few rows finds less between two
    /// resampled tables than between two samples: the null is too small, and the more so the fewer real rows
    /// there are.
    #[error(
        "a bootstrap null is too small for cart, which cannot separate the copies of a row that it makes"
    )]
    BootstrapOfCart,
    /// The factor 1 - c holds for a discriminator whose every parameter the synthesis model matches.
    #[error(
        "the yardstick of a fitted model holds for logistic regression only: trees see what no model matches"
    )]
    FittedModelOfTree,
    /// Only a logistic model has a closed form.
    #[error("an analytic null is for logistic regression only")]
    AnalyticOfTree,
    /// A reference without a null.
    #[error("without a null there is nothing that S_pMSE could be relative to")]
    ReferenceWithoutNull,
}

impl NullError {
    /// The setting that is wrong.
    pub fn field(self) -> Field {
        match self {
            Self::BootstrapOfCart | Self::AnalyticOfTree => Field::Null,
            Self::FittedModelOfTree | Self::ReferenceWithoutNull => Field::NullReference,
        }
    }

    /// Advice in one line.
    pub fn advice(self) -> Message {
        let reference = || Field::NullReference.into();
        match self {
            Self::BootstrapOfCart | Self::AnalyticOfTree => {
                Message::of("use {} permutation", [Field::Null.into()])
            }
            Self::FittedModelOfTree => Message::of(
                "leave out {}, or say sample or synthpop, or judge with {} logistic",
                [reference(), Field::Discriminator.into()],
            ),
            Self::ReferenceWithoutNull => {
                Message::of("leave out {}, or {} none", [reference(), Field::Null.into()])
            }
        }
    }
}

/// Refuses nulls that are wrong for the discriminator.
///
/// # Errors
/// When S_pMSE would not mean what the reference says.
pub(crate) fn check(
    null: Null,
    reference: Option<Reference>,
    discriminator: &Discriminator,
) -> Result<(), NullError> {
    let logistic = matches!(discriminator, Discriminator::Logistic(_));
    match (null, reference) {
        (Null::Analytic, _) if !logistic => Err(NullError::AnalyticOfTree),
        (Null::Bootstrap, _) if matches!(discriminator, Discriminator::Cart(_)) => {
            Err(NullError::BootstrapOfCart)
        }
        (Null::None, Some(_)) => Err(NullError::ReferenceWithoutNull),
        (_, Some(Reference::FittedModel)) if !logistic => Err(NullError::FittedModelOfTree),
        _ => Ok(()),
    }
}

/// Centred pMSE of every replicate.
pub(crate) fn replicates(
    null: Null,
    discriminator: &Discriminator,
    stacked: &Stacked,
    judge_of_tables: &PreparedDiscriminator,
    count: u64,
    seed: Seed,
    progress: &dyn Progress,
) -> Result<Vec<f64>, EvaluationError> {
    // A tree of millions of rows takes long: threads take one replicate at a time, so that none waits for another at the
    // end, and use their room again.
    let rooms: Mutex<Vec<Workspace>> = Mutex::new(Vec::new());
    let lock = || rooms.lock().unwrap_or_else(PoisonError::into_inner);
    (0..count as usize)
        .into_par_iter()
        .with_max_len(1)
        .map(|replicate| {
            // Asked before the work as well: whoever stops by unwinding does not keep others from beginning.
            wanted(progress)?;
            let mut workspace = lock().pop().unwrap_or_default();
            let mut random = seed.stream(replicate as u64);
            let judgement = if null == Null::Bootstrap {
                let real = stacked.real_rows() as u32;
                let rows: Vec<u32> = (0..stacked.rows()).map(|_| random.random_range(0..real)).collect();
                judge(discriminator, &stacked.resample(&rows))
            } else {
                let mut rows: Vec<u32> = (0..stacked.rows() as u32).collect();
                rows.shuffle(&mut random);
                judge_of_tables.relabelled(&rows, &mut workspace)
            };
            lock().push(workspace);
            done(progress)?;
            Ok(judgement?.distinguishability.pmse_centred)
        })
        .collect()
}
