//! Columns sorted once: the only sort that a tree needs.
//!
//! An *entry* packs what the inner loops need into one word, so that they read memory in order: the upper 32 bits are
//! the value's key (its rank among the distinct values, or its level), the lower 32 bits the row.

use super::super::Predictor;
use crate::progress;
use crate::table::MISSING_CODE;

/// The key of a missing value: larger than every other.
pub(super) const MISSING_KEY: u32 = u32::MAX;

/// A column ready for trees.
#[derive(Debug, Clone)]
pub struct Presorted {
    entries: Vec<u64>,
    scale: Scale,
}

/// The meaning of the keys.
#[derive(Debug, Clone)]
pub(super) enum Scale {
    /// Ranks: entries are sorted by key, missing ones last; `distinct[key]` is the value.
    Ordered {
        /// The distinct values, ascending.
        distinct: Vec<f64>,
    },
    /// Levels: entries are in row order.
    Nominal {
        /// Number of levels.
        levels: usize,
    },
}

impl Presorted {
    /// Sorts a column.
    pub fn new(predictor: &Predictor) -> Self {
        progress::check();
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
        let mut entries = sort_rows(values);
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

    /// The column with another value in one row: one entry moves, nothing is sorted. `None` if the column is
    /// nominal.
    ///
    /// It is a column of a neighbouring table, and experiments on sensitivity need millions of them.
    pub fn substituted(&self, row: u32, value: f64) -> Option<Self> {
        let Scale::Ordered { distinct } = &self.scale else { return None };
        let old_place = self.entries.iter().position(|&entry| entry as u32 == row)?;
        let key_of = |entry: u64| (entry >> 32) as u32;
        let old_key = key_of(self.entries[old_place]);
        let shares = |place: usize| self.entries.get(place).is_some_and(|&entry| key_of(entry) == old_key);
        let alone =
            old_key != MISSING_KEY && !shares(old_place + 1) && !(old_place > 0 && shares(old_place - 1));
        let mut left: Vec<f64> = Vec::with_capacity(distinct.len() + 1);
        left.extend_from_slice(distinct);
        if alone {
            left.remove(old_key as usize);
        }
        // Where the new value goes among the distinct ones, and whether it is a new one there.
        let (new_key, is_new) = if value.is_nan() {
            (MISSING_KEY, false)
        } else {
            let place = left.partition_point(|&other| other < value);
            let is_new = left.get(place) != Some(&value);
            if is_new {
                left.insert(place, value + 0.0);
            }
            (place as u32, is_new)
        };
        let moved = |key: u32| {
            if key == MISSING_KEY {
                return key;
            }
            let key = key - u32::from(alone && key > old_key);
            key + u32::from(is_new && key >= new_key)
        };
        let mut entries: Vec<u64> = Vec::with_capacity(self.entries.len());
        let new_entry = entry(new_key, row);
        let others = self.entries[..old_place].iter().chain(&self.entries[old_place + 1..]);
        entries.extend(others.map(|&other| entry(moved(key_of(other)), other as u32)));
        entries.insert(entries.partition_point(|&other| other < new_entry), new_entry);
        Some(Self { entries, scale: Scale::Ordered { distinct: left } })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.entries.len()
    }

    /// The rank of each row among the distinct values, from 1 on, with 0 for missing; and these values,
    /// ascending. For a nominal column the levels, from 1 on, and no values.
    pub(crate) fn into_ranks(self) -> (Vec<u32>, Vec<f64>) {
        let mut ranks = vec![0; self.entries.len()];
        for &entry in &self.entries {
            let key = (entry >> 32) as u32;
            // The key of missing is the largest, and becomes 0.
            ranks[entry as u32 as usize] = key.wrapping_add(1);
        }
        match self.scale {
            Scale::Ordered { distinct } => (ranks, distinct),
            Scale::Nominal { .. } => (ranks, Vec::new()),
        }
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

/// The rows whose value is present, by value and then by row number: the lower halves of the returned words.
///
/// Two counting passes over 22 bits of a value's position between the least and the largest, then a comparison of
/// the short runs that agree on those: several times as fast as comparing everything. Where values are so
/// unevenly spread that runs are long, it is no slower than that.
fn sort_rows(values: &[f64]) -> Vec<u64> {
    const DIGIT: usize = 11;
    const BUCKETS: usize = 1 << DIGIT;
    let (mut low, mut high, mut present) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    for &value in values {
        low = low.min(value);
        high = high.max(value);
        present += usize::from(!value.is_nan());
    }
    let scale = f64::from((BUCKETS * BUCKETS - 1) as u32) / (high - low);
    let mut words: Vec<u64> = Vec::with_capacity(values.len());
    // Adding 0.0 makes -0.0 and 0.0 the same value.
    let value = |word: u64| values[word as u32 as usize] + 0.0;
    let by_value = |a: &u64, b: &u64| value(*a).total_cmp(&value(*b));
    let rows = (0u64..).zip(values).filter(|(_, value)| !value.is_nan());
    if present < 256 || !(scale.is_finite() && scale > 0.0) {
        words.extend(rows.map(|(row, _)| row));
        words.sort_by(by_value);
        return words;
    }
    let mut counts = vec![[0u32; BUCKETS]; 2];
    for (row, &value) in rows {
        // Rounding is monotone: a larger value never has a smaller place.
        let place = ((value - low) * scale) as u64;
        counts[0][place as usize % BUCKETS] += 1;
        counts[1][(place >> DIGIT) as usize % BUCKETS] += 1;
        words.push(place << 32 | row);
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
        if run.len() > 1 && !run.is_sorted_by(|a, b| by_value(a, b).is_le()) {
            run.sort_by(by_value);
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
    fn a_substituted_value_gives_the_column_that_a_new_sort_gives() {
        let mut random = Seed(2).stream(0);
        let choices = [0.0, -0.0, 1.0, 1.5, -2.0, 7.0, f64::NAN];
        for _ in 0..5000 {
            let length = random.random_range(1..8);
            let mut pick = || choices[random.random_range(0..choices.len())];
            let mut values: Vec<f64> = (0..length).map(|_| pick()).collect();
            let (row, value) = (0, pick());
            let sorted = Presorted::ordered(&values).substituted(row, value).unwrap();
            values[row as usize] = value;
            let expected = Presorted::ordered(&values);
            assert_eq!(sorted.entries(), expected.entries(), "{values:?}");
            let (Scale::Ordered { distinct: found }, Scale::Ordered { distinct }) =
                (sorted.scale(), expected.scale())
            else {
                panic!()
            };
            assert_eq!(found, distinct);
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
