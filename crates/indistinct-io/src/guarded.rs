//! Panics of foreign decoders, turned into errors.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use indistinct::progress::Stopped;

use crate::error::Problem;
use crate::format::Format;

thread_local! {
    /// Whether this thread runs a decoder whose panics are expected.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder. Decoders of Parquet, Arrow and Excel's files check most, not all, of what they read, and may panic on damaged
/// files; here, at the boundary to foreign bytes, such a panic becomes an error. Its message might quote the
/// file, so that it is not printed; panics anywhere else are reported as before.
pub(crate) fn guarded<T>(format: Format, decode: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                usual(info);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(before);
    match result {
        Ok(result) => result,
        Err(stopped) if stopped.is::<Stopped>() => panic::resume_unwind(stopped),
        Err(_) => Err(Problem::Damaged(format)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let damaged = Problem::Damaged(Format::Arrow);
        assert_eq!(guarded::<()>(Format::Arrow, || panic!("by a decoder")), Err(damaged));
        assert_eq!(guarded(Format::Arrow, || Ok(1)), Ok(1));
        assert!(!GUARDED.get());
    }
}
