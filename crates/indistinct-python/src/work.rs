//! Work in a thread of its own, while the interpreter is free and listens for Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub(crate) use indistinct::progress::Monitor;
use indistinct::progress::{self, Stopped, stoppable};
use indistinct_io::Failure;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::{internal, raised};

/// Pause between checks for interruption, and between reports of progress.
const PAUSE: Duration = Duration::from_millis(50);

/// The settings of the work.
#[derive(Default)]
pub(crate) struct RunConfig {
    /// Number of threads; all cores if it is not given.
    pub(crate) threads: Option<usize>,
    /// Called now and then with the units done and expected.
    pub(crate) progress: Option<Py<PyAny>>,
    /// The function of Python that the work may call.
    pub(crate) callback: Option<Callback>,
}

/// A function of Python that work calls: in the thread that waits for the work, which is where its caller expects it, and
/// hears Ctrl-C. The interpreter is held while it runs, and no longer.
#[derive(Clone)]
pub(crate) struct Callback {
    function: Arc<Py<PyAny>>,
    /// The way to that thread, while there is work.
    line: Arc<Mutex<Option<Sender<Event>>>>,
}

/// Messages to the thread that waits.
enum Event {
    /// A call is to be made.
    Call { bytes: Vec<u8>, answer: Sender<PyResult<Vec<u8>>> },
    /// The work is done, or was stopped, or failed.
    Done,
}

impl Callback {
    /// A function that takes bytes and returns bytes.
    pub(crate) fn new(function: Py<PyAny>) -> Self {
        Self { function: Arc::new(function), line: Arc::default() }
    }

    /// Has the function called, and waits for what it returns: an exception, or `None` where nobody makes calls any
    /// more, are errors. Ends the work if that is no longer wanted.
    pub(crate) fn call(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Option<PyErr>> {
        let (answer, heard) = channel();
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner).clone();
        line.ok_or(None)?.send(Event::Call { bytes, answer }).map_err(|_| None)?;
        loop {
            progress::check();
            match heard.recv_timeout(PAUSE) {
                Ok(answer) => return answer.map_err(Some),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(None),
            }
        }
    }

    fn connect(&self, line: Option<Sender<Event>>) {
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }

    /// Makes the call. What is not an error but an interrupt is raised here.
    fn make(&self, py: Python<'_>, bytes: &[u8], answer: &Sender<PyResult<Vec<u8>>>) -> PyResult<()> {
        let called = self.function.call1(py, (PyBytes::new(py, bytes),)).and_then(|back| back.extract(py));
        match called {
            Err(interrupt) if !interrupt.is_instance_of::<PyException>(py) => Err(interrupt),
            called => {
                // Nobody listens where the work has failed.
                _ = answer.send(called);
                Ok(())
            }
        }
    }
}

/// Runs the task and waits for it. Other Python threads run meanwhile; a signal that raises (Ctrl-C) is raised at
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
    if let Some(callback) = &config.callback {
        callback.connect(Some(send.clone()));
    }
    let run = move || {
        // A mistake in the work must not leave the interpreter waiting.
        let done = catch_unwind(AssertUnwindSafe(|| stoppable(threads, seen.flag(), || task(&seen))));
        // Nobody listens any more after an interrupt.
        _ = send.send(Event::Done);
        done
    };
    let thread = std::thread::Builder::new().name("indistinct".to_owned()).spawn(run)?;
    loop {
        let (heard, back) = py.detach(move || (receiver.recv_timeout(PAUSE), receiver));
        receiver = back;
        let listened = match heard {
            Ok(Event::Done) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(Event::Call { bytes, answer }) => match &config.callback {
                Some(callback) => callback.make(py, &bytes, &answer),
                None => Ok(()),
            },
            Err(RecvTimeoutError::Timeout) => Ok(()),
        };
        let listened =
            listened.and_then(|()| py.check_signals()).and_then(|()| report(py, &config, &monitor));
        if let Err(interrupt) = listened {
            monitor.stop();
            return Err(interrupt);
        }
    }
    if let Some(callback) = &config.callback {
        callback.connect(None);
    }
    match py.detach(|| thread.join()) {
        Ok(Ok(Ok(Ok(done)))) => done.map_err(|failure| raised(&failure)),
        Ok(Ok(Err(threads))) => Err(raised(&Failure::failed(threads))),
        Ok(Ok(Ok(Err(Stopped))) | Err(_)) | Err(_) => Err(internal()),
    }
}

fn report(py: Python<'_>, config: &RunConfig, monitor: &Monitor) -> PyResult<()> {
    let (done, expected) = monitor.seen();
    match &config.progress {
        Some(progress) if expected > 0 => progress.call1(py, (done, expected)).map(drop),
        _ => Ok(()),
    }
}
