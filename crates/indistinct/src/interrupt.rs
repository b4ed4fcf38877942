//! Stopping work that nobody wants any more, from another thread.
//!
//! Whoever starts long work hands its threads a flag ([`watch`]). Loops that can take long ask now and then whether it was
//! raised ([`check`]), and unwind if so: whatever they hold is let go of, nothing is released, and what was charged to a
//! ledger stays charged. Threads that were handed no flag are never stopped, and asking costs them next to nothing.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The flag that stops the work of this thread.
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// What work that was stopped unwinds with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Stops this thread's work at its next [`check`] once the flag is raised, until another flag is watched.
pub fn watch(flag: Arc<AtomicBool>) {
    FLAG.set(Some(flag));
}

/// Unwinds with [`Stopped`], without a panic's message, if the flag that this thread watches is raised.
#[inline]
pub fn check() {
    let raised = FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
    if raised {
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::thread;

    use super::*;

    #[test]
    fn only_threads_that_watch_a_raised_flag_stop() {
        let flag = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&flag);
        let watching = thread::spawn(move || {
            watch(watched);
            check();
            flag.store(true, Ordering::Relaxed);
            catch_unwind(check).map_err(|payload| payload.downcast_ref() == Some(&Stopped))
        });
        assert_eq!(watching.join().unwrap(), Err(true));
        check();
    }
}
