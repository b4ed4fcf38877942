//! The triples of columns that are counted.

use serde::Serialize;

use super::super::choice::choose;
use crate::random::Seed;

/// Most triples that are counted: all of tables with up to 31 columns.
pub const MOST_TRIPLES: u64 = 4500;
/// The seed of the choice among more triples: the same for all tables with as many columns, so that distances can
/// be compared.
const FIXED: Seed = Seed(3);

/// The numbers of triples of columns, and of those that were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Triples {
    /// Number of all triples.
    pub of: u64,
    /// Number of triples in the mean: all, or a random choice of [`MOST_TRIPLES`].
    pub measured: u64,
}

impl Triples {
    /// The numbers for a table with this many columns.
    pub fn of_columns(columns: usize) -> Self {
        let of = triples_of(columns as u64);
        Self { of, measured: of.min(MOST_TRIPLES) }
    }
}

/// The triples that are counted, as ascending positions of columns, in the order of their first column, then the
/// second.
pub fn choose_triples(columns: usize) -> (Triples, Vec<[usize; 3]>) {
    let triples = Triples::of_columns(columns);
    let numbers = choose(triples.of, triples.measured, &mut FIXED.stream(columns as u64));
    (triples, numbers.into_iter().map(|number| triple(columns as u64, number)).collect())
}

fn triples_of(q: u64) -> u64 {
    if q < 3 { 0 } else { pairs_of(q) * (q - 2) / 3 }
}

fn pairs_of(q: u64) -> u64 {
    q * q.saturating_sub(1) / 2
}

/// The triple with this number when all of them are listed in order.
fn triple(q: u64, number: u64) -> [usize; 3] {
    let (mut first, mut left) = (0, number);
    while left >= pairs_of(q - first - 1) {
        left -= pairs_of(q - first - 1);
        first += 1;
    }
    let mut second = first + 1;
    while left >= q - second - 1 {
        left -= q - second - 1;
        second += 1;
    }
    [first, second, second + 1 + left].map(|column| column as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triple_has_its_number() {
        for q in 0..9usize {
            let mut all = Vec::new();
            for a in 0..q {
                for b in a + 1..q {
                    all.extend((b + 1..q).map(|c| [a, b, c]));
                }
            }
            let (triples, listed) = choose_triples(q);
            assert_eq!(listed, all);
            assert_eq!((triples.of, triples.measured), (all.len() as u64, all.len() as u64));
        }
    }

    #[test]
    fn of_many_a_fixed_choice_is_counted() {
        assert_eq!(Triples::of_columns(31).measured, Triples::of_columns(31).of);
        let (triples, chosen) = choose_triples(100);
        assert_eq!((triples.of, triples.measured), (161_700, MOST_TRIPLES));
        assert_eq!(chosen.len() as u64, MOST_TRIPLES);
        assert!(
            chosen.is_sorted_by(|a, b| a < b) && chosen.iter().all(|[a, b, c]| a < b && b < c && *c < 100)
        );
        assert_eq!(chosen, choose_triples(100).1);
        // A third of the chosen triples have their first column among the first 13: 1 - (87/100)^3 is 0.34.
        let low = chosen.iter().filter(|triple| triple[0] < 13).count();
        assert!(low.abs_diff(1540) < 200, "{low}");
    }
}
