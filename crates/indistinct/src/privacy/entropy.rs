//! The source of randomness: the operating system, or, for tests and experiments only, a seed.

use crate::random::{Generator, Seed};
use rand::rngs::SysRng;
use rand::{Rng, SeedableRng, TryRng};
use std::fmt;

/// A key of the generator.
type Key = [u8; 32];

/// The randomness of one run: ChaCha20 under secret keys of 256 bits, one stream per task.
///
/// One key is for draws that do not look at private values: candidates and synthetic rows, whose outcomes may be
/// published, and the choice of the rows of a person to keep, in a stream of its own. Noise that protects has a
/// fresh key for every charge, drawn when it is charged, and only a [`Budget`](super::Budget) can draw from it: a
/// process that forks before has no key that its copy could use again. Keys can be neither copied nor printed, so
/// that no noise is used twice and no key ends up in a log.
pub struct Randomness {
    public: Key,
    noise: NoiseKeys,
}

/// The source of the keys of noise.
enum NoiseKeys {
    /// The operating system, anew for every charge.
    System,
    /// A seed.
    Seeded { key: Key, seed: u64 },
}

/// The operating system gave no entropy.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random numbers: {0}")]
pub struct EntropyError(rand::rngs::SysError);

impl Randomness {
    /// Fresh keys from the operating system: the only randomness on which a guarantee can rest.
    ///
    /// # Errors
    /// If the operating system has no entropy.
    pub fn from_system() -> Result<Self, EntropyError> {
        Ok(Self { public: system_key()?, noise: NoiseKeys::System })
    }

    /// Randomness that repeats the same run, for tests and experiments.
    ///
    /// # Guarantee
    /// None: anyone who knows the seed can subtract the noise. A budget with this randomness says so.
    pub fn seeded(seed: Seed) -> Self {
        let mut keys = seed.stream(u64::MAX);
        let (mut public, mut noise) = (Key::default(), Key::default());
        keys.fill_bytes(&mut public);
        keys.fill_bytes(&mut noise);
        Self { public, noise: NoiseKeys::Seeded { key: noise, seed: seed.0 } }
    }

    /// Whether someone may know the seed.
    pub fn is_seeded(&self) -> bool {
        self.seed().is_some()
    }

    /// The seed, if someone may know it.
    pub fn seed(&self) -> Option<u64> {
        match self.noise {
            NoiseKeys::System => None,
            NoiseKeys::Seeded { seed, .. } => Some(seed),
        }
    }

    /// Randomness for one more run, independent of later draws from this one: fresh keys from the operating
    /// system, or keys of a seed derived from this one's seed.
    ///
    /// # Errors
    /// If the operating system has no entropy.
    pub fn split(&mut self) -> Result<Self, EntropyError> {
        let Some(seed) = self.seed() else { return Self::from_system() };
        let mut seeds = Seed(seed).stream(u64::MAX - 1);
        let (child, next) = (seeds.next_u64(), seeds.next_u64());
        *self = Self::seeded(Seed(next));
        Ok(Self::seeded(Seed(child)))
    }

    /// The generator of public task number `task`: the same whatever thread runs it, and in whatever order.
    pub fn public_stream(&self, task: u64) -> Generator {
        stream(self.public, task)
    }

    /// The generator of charge number `charge`, for noise.
    ///
    /// # Guarantee
    /// Streams of ChaCha20 are independent as far as it is a pseudorandom function: with that assumption, the
    /// usual one, every guarantee here is computational. Each number is asked for once (`Budget::charge` counts).
    ///
    /// # Errors
    /// If the operating system has no entropy.
    pub(super) fn noise_stream(&self, charge: u64) -> Result<Generator, EntropyError> {
        let key = match self.noise {
            NoiseKeys::System => system_key()?,
            NoiseKeys::Seeded { key, .. } => key,
        };
        Ok(stream(key, charge))
    }
}

fn system_key() -> Result<Key, EntropyError> {
    let mut key = Key::default();
    SysRng.try_fill_bytes(&mut key).map_err(EntropyError)?;
    Ok(key)
}

fn stream(key: Key, number: u64) -> Generator {
    #[cfg(feature = "broken")]
    let fixed = crate::privacy::broken::is(crate::privacy::broken::Fault::FixedSeed)
        || crate::privacy::broken::replay::is_on();
    #[cfg(feature = "broken")]
    let key = if fixed { Key::default() } else { key };
    let mut generator = Generator::from_seed(key);
    generator.set_stream(number);
    generator
}

impl fmt::Debug for Randomness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Randomness").field("seeded", &self.is_seeded()).finish_non_exhaustive()
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
        words.extend([0, 1].map(|charge| randomness.noise_stream(charge).unwrap().next_u64()));
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 4);
    }

    #[test]
    fn noise_of_the_system_has_a_new_key_for_every_charge() {
        // As in a process that forked after it got its randomness: the same charge on both sides, and other noise.
        let randomness = Randomness::from_system().unwrap();
        let noise = || randomness.noise_stream(0).unwrap().next_u64();
        assert_ne!(noise(), noise());
    }

    #[test]
    fn keys_are_not_printed() {
        assert_eq!(format!("{:?}", Randomness::seeded(Seed(1))), "Randomness { seeded: true, .. }");
    }
}
