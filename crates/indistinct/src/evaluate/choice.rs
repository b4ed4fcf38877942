//! Random choices without repetition.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::random::{Generator, Seed};

/// Number of the first task of the shuffled control, past every replicate of a null.
const CONTROL_STREAM: u64 = 1 << 32;

/// The order in which the column at this position of the shuffled control has the rows of the real table.
pub(crate) fn control_order(rows: usize, position: usize, seed: Seed) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    order.shuffle(&mut seed.stream(CONTROL_STREAM + position as u64));
    order
}

/// `count` of the numbers below `of`, ascending, every choice equally likely (Floyd's algorithm: no list of all
/// numbers is made). All of them if there are no more.
pub(crate) fn choose(of: u64, count: u64, random: &mut Generator) -> Vec<u64> {
    if count >= of {
        return (0..of).collect();
    }
    let mut chosen = BTreeSet::new();
    for last in of - count..of {
        let candidate = random.random_range(0..=last);
        if !chosen.insert(candidate) {
            chosen.insert(last);
        }
    }
    chosen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn chooses_each_number_once_and_all_sets_alike() {
        assert_eq!(choose(4, 9, &mut Seed(1).stream(0)), [0, 1, 2, 3]);
        assert!(choose(5, 0, &mut Seed(1).stream(0)).is_empty());
        // 6,000 draws of 2 out of 4: each of the six sets is expected 1,000 times, with standard deviation 29. Seeded.
        let mut random = Seed(2).stream(0);
        let mut seen = std::collections::BTreeMap::<Vec<u64>, u32>::new();
        for _ in 0..6000 {
            *seen.entry(choose(4, 2, &mut random)).or_default() += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|&count| count.abs_diff(1000) < 150), "{seen:?}");
    }
}
