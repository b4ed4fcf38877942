//! What the measure would be if real and synthetic rows had one distribution.

use std::sync::{Mutex, PoisonError};

use indistinct::discriminator::Stacked;
use indistinct::discriminator::cart::Workspace;
use indistinct::random::Seed;
use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use crate::evaluation::{EvaluationError, done};
use crate::judge::{Discriminator, Judge, judge};
use crate::progress::Progress;

/// How the null distribution is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// Deal the stacked rows anew into a real and a synthetic pile.
    Permutation,
    /// Draw both tables from the real rows, with replacement.
    Bootstrap,
    /// The expectation of a logistic model, in closed form.
    Analytic,
    /// Not at all.
    None,
}

impl Null {
    /// The word that users write and read.
    pub fn word(self) -> &'static str {
        match self {
            Self::Permutation => "permutation",
            Self::Bootstrap => "bootstrap",
            Self::Analytic => "analytic",
            Self::None => "none",
        }
    }
}

/// Centred pMSE of every replicate.
pub(crate) fn replicates(
    null: Null,
    discriminator: &Discriminator,
    stacked: &Stacked,
    judge_of_tables: &Judge,
    (count, seed): (u64, Seed),
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
            let mut workspace = lock().pop().unwrap_or_default();
            let mut random = seed.stream(replicate as u64);
            let verdict = if null == Null::Bootstrap {
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
            Ok(verdict?.distinguishability.pmse_centred)
        })
        .collect()
}
