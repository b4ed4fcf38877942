//! Runs a target while memory and time are watched.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indistinct_fuzz::{FREE_MEMORY, Target};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// One at a time, or the memory of one would count for another.
static ALONE: Mutex<()> = Mutex::new(());

/// Inputs that were done, and seconds without one after which something hangs.
static DONE: AtomicU64 = AtomicU64::new(0);
const PATIENCE: u64 = 120;

/// A target that is watched.
pub(crate) struct Watch {
    target: Target,
    input: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Watch {
    /// Waits until it is alone.
    #[expect(clippy::print_stderr, reason = "what hangs cannot say so otherwise")]
    pub(crate) fn new(target: Target) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
        fs::create_dir_all(&folder).unwrap();
        let input = folder.join(target.name);
        let (name, kept) = (target.name, input.display().to_string());
        std::thread::spawn(move || {
            loop {
                let before = DONE.load(Ordering::Relaxed);
                std::thread::sleep(Duration::from_secs(PATIENCE));
                if DONE.load(Ordering::Relaxed) == before {
                    eprintln!("{name} hangs on {kept}");
                    std::process::abort();
                }
            }
        });
        // What is made once is made before anything is measured.
        (target.run)(b"");
        Self { target, input, _alone: alone }
    }

    /// Runs the target on an input that is called `what`.
    pub(crate) fn feed(&self, bytes: &[u8], what: &str) {
        fs::write(&self.input, bytes).unwrap();
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        (self.target.run)(bytes);
        let taken = MEMORY.peak_usage().saturating_sub(before);
        let most = FREE_MEMORY + self.target.memory * bytes.len();
        assert!(
            taken <= most,
            "{what} takes {taken} bytes, and {most} would be enough for {} bytes",
            bytes.len()
        );
        DONE.fetch_add(1, Ordering::Relaxed);
    }
}
