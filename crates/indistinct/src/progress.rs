//! Progress of long work, and its interruption: one interface for everything that takes long.
//!
//! Work tells a [`Progress`] how far it is, unit by unit ([`done`]), and ends with `Err(Stopped)` after a unit if that says that
//! it is no longer wanted ([`Progress::stopped`]): whatever the work held is dropped, nothing is released, and what was
//! charged to a ledger stays charged.
//!
//! A unit may take long. A caller that cannot wait for it, because somebody pressed Ctrl-C, runs the work by [`stoppable`] with
//! a flag, and gets `Err(Stopped)` soon after that was raised: loops inside a unit look at the flag now and then
//! ([`check`]), and unwind to it. Threads without a flag never do, and the look costs them next to nothing. It needs
//! panics that unwind, which is Rust's default: a program that is compiled with `panic = "abort"` ends where the flag
//! is seen, so that such a program stops work by its [`Progress`] alone.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// A listener that is told of progress; called from several threads.
pub trait Progress: Sync {
    /// Announces how many units of work there are in all.
    fn expect(&self, units: u64);
    /// Reports that one more unit is done.
    fn tick(&self);
    /// Reports how many units are done.
    fn reach(&self, units: u64);
    /// Whether the work is no longer wanted. It then stops soon, between two units.
    fn stopped(&self) -> bool {
        false
    }
}

/// A listener that ignores progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn expect(&self, _units: u64) {}
    fn tick(&self) {}
    fn reach(&self, _units: u64) {}
}

/// Progress of one part of some work, counted after the parts before it.
#[expect(missing_debug_implementations, reason = "it borrows whoever listens")]
pub struct After<'a> {
    /// The listener for the whole work.
    pub progress: &'a dyn Progress,
    /// Units done by the parts before.
    pub done: u64,
}

impl Progress for After<'_> {
    fn expect(&self, _units: u64) {}

    fn tick(&self) {
        self.progress.tick();
    }

    fn reach(&self, units: u64) {
        self.progress.reach(self.done + units);
    }

    fn stopped(&self) -> bool {
        self.progress.stopped()
    }
}

/// Progress of work in another thread, for whoever waits for it: how far it is, and a way to stop it.
#[derive(Debug, Default)]
pub struct Monitor {
    expected: AtomicU64,
    done: AtomicU64,
    unwanted: Arc<AtomicBool>,
}

impl Monitor {
    /// Units that are done, and units in all; the latter is zero as long as nothing is known.
    pub fn seen(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.expected.load(Ordering::Relaxed))
    }

    /// Stops the work at its next check of whether it is still wanted ([`check`]).
    pub fn stop(&self) {
        self.unwanted.store(true, Ordering::Relaxed);
    }

    /// The flag that stops the work, for [`stoppable`].
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.unwanted
    }
}

impl Progress for Monitor {
    fn expect(&self, units: u64) {
        self.expected.store(units, Ordering::Relaxed);
    }

    fn tick(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn reach(&self, units: u64) {
        self.done.store(units, Ordering::Relaxed);
        check();
    }

    fn stopped(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed)
    }
}

/// The result of work that was stopped because it was no longer wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Reports that one more unit of work is done.
///
/// # Errors
/// When the work is no longer wanted.
pub fn done(progress: &dyn Progress) -> Result<(), Stopped> {
    progress.tick();
    wanted(progress)
}

/// Checks that the work is still wanted.
///
/// # Errors
/// When it is not.
pub fn wanted(progress: &dyn Progress) -> Result<(), Stopped> {
    if progress.stopped() { Err(Stopped) } else { Ok(()) }
}

thread_local! {
    /// The flag that stops the work of this thread.
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Most threads that are started: no machine has so many cores, and a mistyped number must not start millions.
pub const MOST_THREADS: usize = 1024;

/// Runs work in threads of its own until it is done or a flag is raised. Zero threads means one per core.
///
/// # Errors
/// When threads cannot be created; the inner result is an error when the flag was raised before the work was
/// done.
///
/// # Panics
/// When the work does.
pub fn stoppable<T: Send>(
    threads: usize,
    flag: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send,
) -> Result<Result<T, Stopped>, ThreadPoolBuildError> {
    let watched = Arc::clone(flag);
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads.min(MOST_THREADS))
        .start_handler(move |_| FLAG.set(Some(Arc::clone(&watched))))
        .build()?;
    match catch_unwind(AssertUnwindSafe(|| pool.install(work))) {
        Ok(done) => Ok(Ok(done)),
        Err(payload) if payload.is::<Stopped>() => Ok(Err(Stopped)),
        Err(payload) => resume_unwind(payload),
    }
}

/// Ends the work of this thread's [`stoppable`] if its flag is raised. Nothing is printed: this is not a panic.
#[inline]
pub fn check() {
    let raised = FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
    if raised {
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_stops_where_its_flag_is_raised_and_nowhere_else() {
        let flag = Arc::new(AtomicBool::new(false));
        let raise = || {
            check();
            flag.store(true, Ordering::Relaxed);
            check();
            3
        };
        assert_eq!(stoppable(2, &flag, raise).unwrap(), Err(Stopped));
        check();
        assert_eq!(stoppable(1, &Arc::default(), || 4).unwrap(), Ok(4));
    }

    #[test]
    fn a_panic_stays_one() {
        let panicked = catch_unwind(|| stoppable(1, &Arc::default(), || panic!("a mistake")));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"a mistake"));
    }
}
