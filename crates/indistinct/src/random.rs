//! Random numbers: one ChaCha20 stream per task, so that results do not depend on threads.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

/// The generator used throughout: cryptographic, seekable, with 2^64 independent streams per seed.
pub type Generator = ChaCha20Rng;

/// A reproducible family of generators, for experiments and evaluation (never for a certified release).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// A seed drawn from random numbers, for work that is to give the same again.
    pub fn drawn(random: &mut Generator) -> Self {
        Self(random.next_u64())
    }

    /// The generator of task number `task`: the same whatever thread runs it, and in whatever order.
    pub fn stream(self, task: u64) -> Generator {
        let mut generator = ChaCha20Rng::seed_from_u64(self.0);
        generator.set_stream(task);
        generator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, task| Seed(seed).stream(task).next_u64();
        assert_eq!(draw(1, 7), draw(1, 7));
        assert_ne!(draw(1, 7), draw(1, 8));
        assert_ne!(draw(1, 7), draw(2, 7));
    }
}
