//! Joint counts of rows over one, two or three columns.
//!
//! A count packs d = a - b (upper half, signed) and m = a + b (lower half) into one integer, so that one addition
//! counts a row; both stay below 2^31 because the number of stacked rows does. Along an ordered axis counts are made
//! cumulative; along a nominal one they stay plain, but for the last code, which holds all rows. Either way entry t
//! counts the rows inside cut t and the last entry counts all.

use super::cuts::{Axis, Rows};

const REAL: i64 = 1 - (1 << 32);
const SYNTHETIC: i64 = 1 + (1 << 32);

/// d of a packed count.
#[inline]
pub(super) fn difference(count: i64) -> f64 {
    f64::from((count >> 32) as i32)
}

/// m of a packed count.
#[inline]
pub(super) fn size(count: i64) -> f64 {
    f64::from(count as i32)
}

/// Counts rows into a table with `width` entries per line: row r at line `lines[r]`, entry `codes[r]`.
pub(super) fn tally(counts: &mut [i64], rows: &Rows, lines: &[u32], codes: &[u32], width: usize) {
    counts.fill(0);
    let mut add = |lines: &[u32], codes: &[u32], weight: i64| {
        for (&line, &code) in lines.iter().zip(codes) {
            counts[line as usize * width + code as usize] += weight;
        }
    };
    add(&lines[..rows.real], &codes[..rows.real], REAL);
    add(&lines[rows.real..], &codes[rows.real..], SYNTHETIC);
}

/// The counts of one column, as [`tally`] makes them.
pub(super) fn tally_one(counts: &mut [i64], rows: &Rows, codes: &[u32]) {
    counts.fill(0);
    for &code in &codes[..rows.real] {
        counts[code as usize] += REAL;
    }
    for &code in &codes[rows.real..] {
        counts[code as usize] += SYNTHETIC;
    }
}

/// Turns counts per code into counts per cut along one axis of an array: blocks of `stride` items for each code,
/// `block` entries from one run of codes to the next.
pub(super) fn accumulate(counts: &mut [i64], axis: &Axis, stride: usize, block: usize) {
    for run in counts.chunks_exact_mut(block) {
        let run = &mut run[..axis.codes() * stride];
        if axis.ordered {
            for code in 1..axis.codes() {
                let (before, after) = run.split_at_mut(code * stride);
                for (count, lower) in after.iter_mut().zip(&before[(code - 1) * stride..]) {
                    *count += lower;
                }
            }
        } else {
            let (levels, all) = run.split_at_mut(axis.len() * stride);
            for level in levels.chunks_exact(stride) {
                for (count, part) in all.iter_mut().zip(level) {
                    *count += part;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discriminator::optimal::tree::Cut;

    #[test]
    fn counts_are_cumulative_or_plain() {
        let axis = |ordered| Axis { cuts: vec![Cut::Missing, Cut::Level(0)], ordered };
        let codes = vec![vec![0, 1, 2, 2], vec![2, 1, 1, 0]];
        let rows = Rows { codes, real: 2, all: 4 };
        let read = |counts: &[i64]| -> Vec<(f64, f64)> {
            counts.iter().map(|&count| (difference(count), size(count))).collect()
        };
        let mut one = vec![7; 3];
        tally_one(&mut one, &rows, &rows.codes[0]);
        accumulate(&mut one, &axis(true), 1, 3);
        assert_eq!(read(&one), [(-1.0, 1.0), (-2.0, 2.0), (0.0, 4.0)]);
        tally_one(&mut one, &rows, &rows.codes[1]);
        accumulate(&mut one, &axis(false), 1, 3);
        assert_eq!(read(&one), [(1.0, 1.0), (0.0, 2.0), (0.0, 4.0)]);

        let mut two = vec![7; 12];
        tally(&mut two, &rows, &rows.codes[0], &rows.codes[1], 4);
        accumulate(&mut two, &axis(false), 1, 4);
        accumulate(&mut two, &axis(true), 4, 12);
        assert_eq!(read(&two[4..7]), [(0.0, 0.0), (-1.0, 1.0), (-2.0, 2.0)]);
        assert_eq!(read(&two[8..11]), [(1.0, 1.0), (0.0, 2.0), (0.0, 4.0)]);
    }
}
