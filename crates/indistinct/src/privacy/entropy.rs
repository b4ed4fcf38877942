//! Where randomness comes from: the operating system, or, for tests and experiments only, a seed.

use crate::random::{Generator, Seed};
use rand::rngs::SysRng;
use rand::{Rng, SeedableRng, TryRng};
use std::fmt;

/// A key of the generator.
type Key = [u8; 32];

/// The randomness of one run: ChaCha20 under two secret keys of 256 bits, one stream per task.
///
/// One key is for what is drawn without looking at private values: candidates and synthetic rows, whose outcomes may be
/// published, and which rows of a person are kept, in a stream of its own. The other is for noise that protects, and only a [`Budget`](super::Budget) can draw from it. It can be
/// neither copied nor printed, so that no noise is used twice and no key ends up in a log.
pub struct Randomness {
    public: Key,
    noise: Key,
    seeded: bool,
}

/// The operating system gave no entropy.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random numbers: {0}")]
pub struct EntropyError(rand::rngs::SysError);

impl Randomness {
    /// Fresh keys from the operating system: the only kind of randomness that a guarantee can rest on.
    ///
    /// # Errors
    /// If the operating system has no entropy to give.
    pub fn from_system() -> Result<Self, EntropyError> {
        let mut randomness = Self { public: Key::default(), noise: Key::default(), seeded: false };
        SysRng.try_fill_bytes(&mut randomness.public).map_err(EntropyError)?;
        SysRng.try_fill_bytes(&mut randomness.noise).map_err(EntropyError)?;
        Ok(randomness)
    }

    /// The same run again, for tests and experiments.
    ///
    /// # Guarantee
    /// None: who knows the seed can subtract the noise. A budget with this randomness says so.
    pub fn seeded(seed: Seed) -> Self {
        let mut keys = seed.stream(u64::MAX);
        let mut randomness = Self { public: Key::default(), noise: Key::default(), seeded: true };
        keys.fill_bytes(&mut randomness.public);
        keys.fill_bytes(&mut randomness.noise);
        randomness
    }

    /// Whether somebody may know the seed.
    pub fn is_seeded(&self) -> bool {
        self.seeded
    }

    /// The generator of public task number `task`: the same whatever thread runs it, and in whatever order.
    pub fn public_stream(&self, task: u64) -> Generator {
        stream(self.public, task)
    }

    /// The generator of charge number `charge`, for noise.
    ///
    /// # Guarantee
    /// Streams of one key are independent as far as ChaCha20 is a pseudorandom function: with that assumption, the
    /// usual one, every guarantee here is computational. Each number is asked for once (`Budget::charge` counts).
    pub(super) fn noise_stream(&self, charge: u64) -> Generator {
        stream(self.noise, charge)
    }
}

fn stream(key: Key, number: u64) -> Generator {
    #[cfg(feature = "broken")]
    let key = if crate::broken::is(crate::broken::Fault::FixedSeed) { Key::default() } else { key };
    let mut generator = Generator::from_seed(key);
    generator.set_stream(number);
    generator
}

impl fmt::Debug for Randomness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Randomness").field("seeded", &self.seeded).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_the_system_does_not() {
        let first = |randomness: &Randomness| randomness.public_stream(3).next_u64();
        let seeded = |seed| Randomness::seeded(Seed(seed));
        assert_eq!(first(&seeded(1)), first(&seeded(1)));
        assert_ne!(first(&seeded(1)), first(&seeded(2)));
        let system = || Randomness::from_system().unwrap();
        assert_ne!(first(&system()), first(&system()));
        assert!(seeded(1).is_seeded() && !system().is_seeded());
    }

    #[test]
    fn streams_of_noise_and_of_public_tasks_differ() {
        let randomness = Randomness::seeded(Seed(1));
        let mut words = vec![randomness.public_stream(0).next_u64(), randomness.public_stream(1).next_u64()];
        words.extend([randomness.noise_stream(0).next_u64(), randomness.noise_stream(1).next_u64()]);
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 4);
    }

    #[test]
    fn keys_are_not_printed() {
        assert_eq!(format!("{:?}", Randomness::seeded(Seed(1))), "Randomness { seeded: true, .. }");
    }
}
