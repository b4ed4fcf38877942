//! Telling somebody how far the work is.

/// Hears of progress; called from several threads.
pub trait Progress: Sync {
    /// So many units of work are to be done in all.
    fn expect(&self, units: u64);
    /// One more unit is done.
    fn tick(&self);
    /// Whether the work is no longer wanted. It then stops soon, between two units.
    fn stopped(&self) -> bool {
        false
    }
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn expect(&self, _units: u64) {}
    fn tick(&self) {}
}
