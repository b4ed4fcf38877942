//! Work in a thread of its own, while the interpreter is free and listens for Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indistinct::progress::{self, Progress, Stopped, stoppable};
use indistinct_io::Failure;
use pyo3::prelude::*;

use crate::failure::{internal, raised};

/// Pause between checks for interruption, and between reports of progress.
const PAUSE: Duration = Duration::from_millis(50);

/// The progress of the work, and whether it is still wanted.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    expected: AtomicU64,
    done: AtomicU64,
    unwanted: Arc<AtomicBool>,
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
        progress::check();
    }

    fn stopped(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed)
    }
}

/// The settings of the work.
#[derive(Default)]
pub(crate) struct RunConfig {
    /// Number of threads; all cores if it is not given.
    pub(crate) threads: Option<usize>,
    /// Called now and then with the units done and expected.
    pub(crate) progress: Option<Py<PyAny>>,
}

/// Does the task and waits for it. Other Python threads run meanwhile; a signal that raises (Ctrl-C) is raised at
/// once, and makes the task unwind at its next check of whether it is still wanted ([`progress::check`]), which
/// is well within a second.
///
/// Every task has threads of its own, so that a process that was forked while others ran can work too.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    config: RunConfig,
    task: impl FnOnce(&Monitor) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let threads = match config.threads {
        Some(0) => return Err(raised(&Failure::usage("--threads must be at least 1"))),
        threads => threads.unwrap_or(0),
    };
    let monitor = Arc::new(Monitor::default());
    let seen = Arc::clone(&monitor);
    let (send, mut receiver) = channel();
    let run = move || {
        // A mistake in the work must not leave the interpreter waiting.
        // A mistake in the work must not leave the interpreter waiting.
        let done = catch_unwind(AssertUnwindSafe(|| stoppable(threads, &seen.unwanted, || task(&seen))));
        // Nobody listens any more after an interrupt.
        _ = send.send(done);
    };
    std::thread::Builder::new().name("indistinct".to_owned()).spawn(run)?;
    loop {
        let (heard, back) = py.detach(move || (receiver.recv_timeout(PAUSE), receiver));
        receiver = back;
        match heard {
            Ok(Ok(Ok(Ok(done)))) => return done.map_err(|failure| raised(&failure)),
            Ok(Ok(Err(threads))) => return Err(raised(&Failure::failed(threads))),
            Ok(Ok(Ok(Err(Stopped))) | Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(internal()),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals().and_then(|()| report(py, &config, &monitor)) {
                    monitor.unwanted.store(true, Ordering::Relaxed);
                    return Err(interrupt);
                }
            }
        }
    }
}

fn report(py: Python<'_>, config: &RunConfig, monitor: &Monitor) -> PyResult<()> {
    let expected = monitor.expected.load(Ordering::Relaxed);
    match &config.progress {
        Some(progress) if expected > 0 => {
            progress.call1(py, (monitor.done.load(Ordering::Relaxed), expected)).map(drop)
        }
        _ => Ok(()),
    }
}
