//! **Makes releases that leak.** Deliberate faults, to test that an audit catches them: only with the feature
//! `broken`, which no other feature turns on and no build for use may have.
//!
//! A fault is installed for the whole process while some work runs. Each changes one place of this crate, by a
//! line that is not compiled without the feature; everything else, certificates included, stays as it is.

pub(crate) mod replay;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::privacy::Epsilon;

/// A deliberate fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// Noise on counts has half the scale that was paid for (`privacy::mechanism`).
    HalfNoise = 1,
    /// The sensitivity to one row is taken for a quarter of what it is (`privacy::Budget`).
    QuarterSensitivity,
    /// A greedy tree is given the sensitivity of a fixed one (`normal::judge`).
    CertifiedCart,
    /// Noise on counts is drawn again until the count is possible: from zero to all rows (`privacy::mechanism`).
    RedrawnNoise,
    /// Counts are measured four times and the mean is used, but only one measurement is charged
    /// (`privacy::mechanism`).
    UnchargedStage,
    /// The operating system's randomness is always the same (`privacy::entropy`).
    FixedSeed,
    /// Numbers too large to scale share one cell when a column's scale is searched (`private`).
    OverflowingCells,
}

/// The installed fault; zero for none.
static INSTALLED: AtomicU8 = AtomicU8::new(0);
/// Held while work runs, one piece at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs work with a fault, or with none, while no other work of this kind runs.
pub fn with<R>(fault: Option<Fault>, work: impl FnOnce() -> R) -> R {
    struct Installed;
    impl Drop for Installed {
        fn drop(&mut self) {
            INSTALLED.store(0, Ordering::SeqCst);
        }
    }
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    INSTALLED.store(fault.map_or(0, |fault| fault as u8), Ordering::SeqCst);
    let _installed = Installed;
    work()
}

/// Whether this fault is installed.
pub(crate) fn is(fault: Fault) -> bool {
    INSTALLED.load(Ordering::SeqCst) == fault as u8
}

/// The epsilon from which the scale of noise is computed.
pub(crate) fn noise(epsilon: Epsilon) -> Epsilon {
    if is(Fault::HalfNoise) { epsilon.saturating_add(epsilon) } else { epsilon }
}

/// The epsilon with which a charge is drawn: a quarter of the sensitivity amounts to four times the epsilon.
pub(crate) fn charged(epsilon: Epsilon) -> Epsilon {
    let twice = epsilon.saturating_add(epsilon);
    if is(Fault::QuarterSensitivity) { twice.saturating_add(twice) } else { epsilon }
}
