//! Work in a thread of its own, while R waits for it in a loop of R's.
//!
//! R is never called from that thread. The loop (`r/R/work.R`) is written in R, so that an interrupt unwinds nothing
//! of ours: it leaves the loop, whose exit handler stops the work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use extendr_api::prelude::*;
use indistinct::progress::{Monitor, stoppable};
use indistinct_io::arguments::Arguments;
use indistinct_io::{Failure, FailureKind};

use crate::given::Given;
use crate::value::in_words_of_r;

/// The time that R waits for work to stop that is not wanted any more.
const PATIENCE: Duration = Duration::from_millis(500);

/// The outcome of work, to be made an R object of by R's own thread.
pub(crate) type Answer = Box<dyn FnOnce() -> Robj + Send>;
/// The result of work.
pub(crate) type Outcome = std::result::Result<Answer, Failure>;

/// Work that was begun.
struct Job {
    monitor: Arc<Monitor>,
    done: Mutex<Receiver<Option<Outcome>>>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.monitor.stop();
    }
}

/// Begins work in as many threads as the options say; all cores if they do not.
pub(crate) fn start(options: &List, task: impl FnOnce(&Monitor) -> Outcome + Send + 'static) -> Robj {
    let threads = Given(options).count::<usize>("threads");
    let monitor = Arc::new(Monitor::default());
    let (send, done) = channel();
    let seen = Arc::clone(&monitor);
    let work = move || {
        let threads = match threads? {
            Some(0) => return Err(Failure::usage("--threads must be at least 1")),
            threads => threads.unwrap_or(0),
        };
        match stoppable(threads, seen.flag(), || task(&seen)) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(Failure::stopped()),
            Err(threads) => Err(Failure::failed(threads)),
        }
    };
    let run = move || {
        // A mistake in the work must not leave R waiting; its text may hold private values and is not passed on.
        let outcome = catch_unwind(AssertUnwindSafe(work)).ok();
        // Nobody listens any more after an interrupt.
        _ = send.send(outcome);
    };
    match std::thread::Builder::new().name("indistinct".to_owned()).spawn(run) {
        Ok(_) => ExternalPtr::new(Job { monitor, done: Mutex::new(done) }).into(),
        Err(error) => reply(Err(Failure::failed(error))),
    }
}

/// Begins work on options that may be wrong.
pub(crate) fn begin<T: Send + 'static>(
    options: &List,
    checked: std::result::Result<T, Failure>,
    task: impl FnOnce(T, &Monitor) -> Outcome + Send + 'static,
) -> Robj {
    match checked {
        Ok(checked) => start(options, move |monitor| task(checked, monitor)),
        Err(failure) => reply(Err(failure)),
    }
}

/// An outcome as R gets it: a list of `value`, or of `kind` and `message`.
pub(crate) fn reply(outcome: Outcome) -> Robj {
    match outcome {
        Ok(answer) => list!(value = answer()).into(),
        Err(failure) => {
            let kind = match failure.kind() {
                FailureKind::Failed => "failed",
                FailureKind::Usage => "usage",
                FailureKind::Refused => "budget_exceeded",
                FailureKind::Overclaim => "overclaim",
                FailureKind::NoGuarantee => "no_guarantee",
                FailureKind::Stopped => "stopped",
            };
            list!(kind = kind, message = in_words_of_r(&failure.message())).into()
        }
    }
}

/// The reply of a job that ends within some milliseconds, or NULL.
#[extendr]
fn job_wait(job: Robj, milliseconds: f64) -> Robj {
    let Ok(job) = ExternalPtr::<Job>::try_from(job) else { return internal() };
    let done = job.done.lock().unwrap_or_else(PoisonError::into_inner);
    match done.recv_timeout(Duration::from_secs_f64(milliseconds / 1000.0)) {
        Ok(Some(outcome)) => reply(outcome),
        Err(RecvTimeoutError::Timeout) => ().into(),
        Ok(None) | Err(RecvTimeoutError::Disconnected) => internal(),
    }
}

/// Units of work that are done, and units in all.
#[extendr]
fn job_progress(job: Robj) -> Vec<f64> {
    let seen = ExternalPtr::<Job>::try_from(job).map(|job| job.monitor.seen());
    let (done, expected) = seen.unwrap_or_default();
    vec![done as f64, expected as f64]
}

/// Stops a job at its next check of whether it is still wanted, and waits a moment for that, so that what it had begun to
/// write is gone when R goes on, or ends.
#[extendr]
fn job_stop(job: Robj) {
    if let Ok(job) = ExternalPtr::<Job>::try_from(job) {
        job.monitor.stop();
        let done = job.done.lock().unwrap_or_else(PoisonError::into_inner);
        _ = done.recv_timeout(PATIENCE);
    }
}

fn internal() -> Robj {
    let message = "an internal error, which is a bug in indistinct\n help: please report the call and \
                   packageVersion(\"indistinct\"), without any data";
    list!(kind = "internal", message = message).into()
}

extendr_module! {
    mod job;
    fn job_wait;
    fn job_progress;
    fn job_stop;
}
