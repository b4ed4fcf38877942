//! Standard output and standard error, politely.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use indistinct::progress::Progress;
use indistinct_io::PassProgress;
use serde::Serialize;

use crate::failure::Failure;

/// Writes to standard output. A reader that has gone away (`| head`) is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes one JSON document to standard output.
pub(crate) fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document).map_err(Failure::failed)?;
    print(&(text + "\n"))
}

/// Writes a line to standard error; where even that fails there is nobody to tell.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A bar on standard error, on a terminal and once the work takes more than a second; nothing otherwise.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new(quiet: bool, what: &'static str) -> Self {
        if quiet || !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// A listener that says how far a pass over rows is, beside what the bar says.
    pub(crate) fn passes(&self) -> PassProgress {
        let (bar, what, pass) = (self.0.clone(), self.0.message(), AtomicU64::new(0));
        PassProgress::new(move |hundredths| {
            let begun = u64::from(hundredths == 0);
            let pass = pass.fetch_add(begun, Ordering::Relaxed) + begun;
            if bar.elapsed() >= Duration::from_secs(1) {
                bar.set_message(format!("{what} (pass {pass} over the rows, {hundredths} %)"));
            }
        })
    }

    /// Begins again after the bar was taken off the screen.
    pub(crate) fn restart(&self) {
        self.0.reset();
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn expect(&self, units: u64) {
        self.0.set_length(units);
    }

    fn tick(&self) {
        // Short work is over before anybody could read a bar.
        if self.0.elapsed() < Duration::from_secs(1) {
            self.0.update(|state| state.set_pos(state.pos() + 1));
        } else {
            self.0.inc(1);
        }
    }

    fn reach(&self, units: u64) {
        if self.0.elapsed() < Duration::from_secs(1) {
            self.0.update(|state| state.set_pos(units));
        } else {
            self.0.set_position(units);
        }
    }
}
