//! Columns sorted once and for all: the only sort a tree needs.
//!
//! An *entry* packs what the inner loops need into one word, so that they read memory in order: the upper 32 bits are
//! the value's key (its rank among the distinct values, or its level), the lower 32 bits the row.

use super::super::Predictor;
use crate::table::MISSING_CODE;

/// The key of a missing value: larger than every other.
pub(super) const MISSING_KEY: u32 = u32::MAX;

/// A column ready for trees.
#[derive(Debug, Clone)]
pub struct Presorted {
    entries: Vec<u64>,
    scale: Scale,
}

/// What the keys mean.
#[derive(Debug, Clone)]
pub(super) enum Scale {
    /// Ranks: entries are sorted by key, missing ones last; `distinct[key]` is the value.
    Ordered {
        /// The distinct values, ascending.
        distinct: Vec<f64>,
    },
    /// Levels: entries are in row order.
    Nominal {
        /// How many levels there are.
        levels: usize,
    },
}

impl Presorted {
    /// Sorts a column.
    pub fn new(predictor: &Predictor) -> Self {
        match predictor {
            Predictor::Ordered(values) => Self::ordered(values),
            Predictor::Nominal { codes, levels } => {
                let key = |&code: &u32| if code == MISSING_CODE { MISSING_KEY } else { code };
                let entries = codes.iter().zip(0..).map(|(code, row)| entry(key(code), row)).collect();
                Self { entries, scale: Scale::Nominal { levels: *levels } }
            }
        }
    }

    fn ordered(values: &[f64]) -> Self {
        // Adding 0.0 makes -0.0 and 0.0 the same value.
        let bits: Vec<u64> = values.iter().map(|&value| monotone(value + 0.0)).collect();
        let present = (0..).zip(values).filter(|(_, value)| !value.is_nan()).map(|(row, _)| row).collect();
        let mut entries = sort_rows(present, &bits);
        let mut distinct: Vec<f64> = Vec::with_capacity(entries.len());
        for slot in &mut entries {
            let row = *slot as u32;
            let value = values[row as usize];
            if distinct.last() != Some(&value) {
                distinct.push(value + 0.0);
            }
            *slot = entry(distinct.len() as u32 - 1, row);
        }
        let missing = (0..).zip(values).filter(|(_, value)| value.is_nan());
        entries.extend(missing.map(|(row, _)| entry(MISSING_KEY, row)));
        Self { entries, scale: Scale::Ordered { distinct } }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn entries(&self) -> &[u64] {
        &self.entries
    }

    pub(super) fn scale(&self) -> &Scale {
        &self.scale
    }
}

fn entry(key: u32, row: u32) -> u64 {
    u64::from(key) << 32 | u64::from(row)
}

/// An integer that orders as the finite number does.
fn monotone(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Sorts rows by their bits, equal ones by row number (`rows` comes in ascending). The rows are the lower halves of
/// the words returned.
///
/// Three counting passes over the leading 32 bits of the range that the data use, then the few runs that agree on
/// those are sorted in full: several times as fast as comparing.
fn sort_rows(rows: Vec<u32>, bits: &[u64]) -> Vec<u64> {
    const DIGIT: usize = 11;
    const BUCKETS: usize = 1 << DIGIT;
    let of = |row: u32| bits[row as usize];
    let (mut low, mut high) = (u64::MAX, 0);
    for &row in &rows {
        low = low.min(of(row));
        high = high.max(of(row));
    }
    if rows.len() < 256 || low == high {
        let mut words: Vec<u64> = rows.into_iter().map(u64::from).collect();
        words.sort_by_key(|&word| of(word as u32));
        return words;
    }
    let shift = (high - low).leading_zeros();
    let mut counts = vec![[0u32; BUCKETS]; 3];
    let mut words: Vec<u64> = Vec::with_capacity(rows.len());
    for &row in &rows {
        let lead = ((of(row) - low) << shift) >> 32;
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[(lead >> (pass * DIGIT)) as usize % BUCKETS] += 1;
        }
        words.push(lead << 32 | u64::from(row));
    }
    let mut other = vec![0u64; words.len()];
    for (pass, counts) in counts.iter_mut().enumerate() {
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &word in &words {
            let next = &mut counts[(word >> (32 + pass * DIGIT)) as usize % BUCKETS];
            other[*next as usize] = word;
            *next += 1;
        }
        std::mem::swap(&mut words, &mut other);
    }
    for run in words.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        if run.len() > 1 && !run.is_sorted_by_key(|&word| of(word as u32)) {
            run.sort_by_key(|&word| of(word as u32));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use rand::RngExt;

    fn check(values: &[f64]) {
        let sorted = Presorted::ordered(values);
        let Scale::Ordered { distinct } = sorted.scale() else { panic!() };
        let mut expected: Vec<u32> = (0..values.len() as u32).collect();
        expected.sort_by(|&a, &b| {
            let (a, b) = (values[a as usize], values[b as usize]);
            a.is_nan().cmp(&b.is_nan()).then(a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal))
        });
        let rows: Vec<u32> = sorted.entries().iter().map(|&entry| entry as u32).collect();
        assert_eq!(rows, expected);
        for &entry in sorted.entries() {
            let (key, value) = ((entry >> 32) as u32, values[entry as u32 as usize]);
            assert!(if value.is_nan() { key == MISSING_KEY } else { distinct[key as usize] == value });
        }
    }

    #[test]
    fn agrees_with_a_comparison_sort() {
        let mut random = Seed(1).stream(0);
        let tiny = f64::from_bits(1);
        let special = [0.0, -0.0, f64::NAN, tiny, -tiny, f64::MAX, f64::MIN, 1.0, -1.0];
        for length in [0, 1, 2, 255, 256, 257, 5000] {
            check(&vec![3.5; length]);
            check(&(0..length).map(|_| random.random_range(-1.0..1.0)).collect::<Vec<f64>>());
            check(&(0..length).map(|_| f64::from(random.random_range(-5..5i32))).collect::<Vec<f64>>());
            check(
                &(0..length)
                    .map(|_| 1e9 + f64::from(random.random_range(0..9u32)) * 1e-6)
                    .collect::<Vec<f64>>(),
            );
            check(&(0..length).map(|_| special[random.random_range(0..special.len())]).collect::<Vec<f64>>());
            let any = |bits: u64| Some(f64::from_bits(bits)).filter(|x| !x.is_infinite()).unwrap_or(0.0);
            check(&(0..length).map(|_| any(random.random())).collect::<Vec<f64>>());
        }
    }
}
