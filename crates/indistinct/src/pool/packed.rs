//! The pool as text: column by column, each class in as few bits as its column needs, compressed, in base 64.

use std::io::{Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use super::{MOST_ROWS, Pool};

/// A pool as written to a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Pool", deny_unknown_fields)]
pub(super) struct Packed {
    rows: usize,
    /// Bits of each column's classes.
    bits: Vec<u32>,
    classes: String,
}

impl TryFrom<Pool> for Packed {
    type Error = std::io::Error;

    fn try_from(pool: Pool) -> Result<Self, Self::Error> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        let mut bits = Vec::with_capacity(pool.columns());
        for column in 0..pool.columns() {
            let most = pool.column(column).max().unwrap_or(0);
            let width = u16::BITS - most.leading_zeros();
            bits.push(width);
            encoder.write_all(&packed(pool.column(column), width))?;
        }
        Ok(Self { rows: pool.rows(), bits, classes: STANDARD.encode(encoder.finish()?) })
    }
}

impl TryFrom<Packed> for Pool {
    type Error = &'static str;

    fn try_from(Packed { rows, bits, classes }: Packed) -> Result<Self, Self::Error> {
        const DAMAGED: &str = "the pool is damaged";
        if rows == 0 || rows > MOST_ROWS || bits.is_empty() || bits.iter().any(|bits| *bits > u16::BITS) {
            return Err(DAMAGED);
        }
        let compressed = STANDARD.decode(classes).map_err(|_| DAMAGED)?;
        let lengths: Vec<usize> = bits.iter().map(|bits| bytes(rows, *bits)).collect();
        let expected: usize = lengths.iter().sum();
        // No more is unpacked than there can be.
        let mut all = Vec::new();
        let limit = expected as u64 + 1;
        DeflateDecoder::new(compressed.as_slice()).take(limit).read_to_end(&mut all).map_err(|_| DAMAGED)?;
        if all.len() != expected {
            return Err(DAMAGED);
        }
        let columns = bits.len();
        let mut classes = vec![0; rows * columns];
        let mut rest = all.as_slice();
        for (column, (&bits, length)) in bits.iter().zip(lengths).enumerate() {
            let (own, others) = rest.split_at(length);
            for (row, class) in unpacked(own, bits).take(rows).enumerate() {
                classes[row * columns + column] = class;
            }
            rest = others;
        }
        Ok(Self::new(classes, columns))
    }
}

/// Number of bytes for this many classes.
fn bytes(rows: usize, bits: u32) -> usize {
    (rows * bits as usize).div_ceil(8)
}

/// Classes one after the other, lowest bits first.
fn packed(classes: impl Iterator<Item = u16>, bits: u32) -> Vec<u8> {
    let (mut packed, mut held, mut count) = (Vec::new(), 0_u32, 0);
    for class in classes {
        held |= u32::from(class) << count;
        count += bits;
        while count >= 8 {
            packed.push(held as u8);
            held >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        packed.push(held as u8);
    }
    packed
}

fn unpacked(packed: &[u8], bits: u32) -> impl Iterator<Item = u16> + '_ {
    let mut bytes = packed.iter();
    let (mut held, mut count) = (0_u32, 0);
    std::iter::repeat_with(move || {
        while count < bits {
            held |= u32::from(bytes.next().copied().unwrap_or(0)) << count;
            count += 8;
        }
        let class = held & ((1 << bits) - 1);
        held >>= bits;
        count -= bits;
        class as u16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_come_back() {
        for (rows, columns) in [(1, 1), (7, 3), (1000, 5)] {
            let class = |place: usize| (place * 7919 % [1, 2, 24, 400, 65_536][place % columns]) as u16;
            let pool = Pool::new((0..rows * columns).map(class).collect(), columns);
            let text = serde_json::to_string(&pool).unwrap();
            assert_eq!(serde_json::from_str::<Pool>(&text).unwrap(), pool);
        }
    }

    #[test]
    fn rows_in_order_take_little_room() {
        let classes = (0..60_000_usize).map(|place| ((place / 3) / [9000, 400, 20][place % 3] % 24) as u16);
        let text = serde_json::to_string(&Pool::new(classes.collect(), 3)).unwrap();
        assert!(text.len() < 8000, "{}", text.len());
    }

    #[test]
    fn damaged_pools_are_refused() {
        let good = serde_json::to_value(Pool::new(vec![1, 2, 3, 4, 5, 6], 2)).unwrap();
        for (field, value) in [
            ("rows", serde_json::json!(0)),
            ("rows", serde_json::json!(100)),
            ("rows", serde_json::json!(1_u64 << 40)),
            ("bits", serde_json::json!([3])),
            ("bits", serde_json::json!([17, 3])),
            ("classes", serde_json::json!("")),
            ("classes", serde_json::json!("?")),
            ("classes", serde_json::json!("AAAA")),
        ] {
            let mut damaged = good.clone();
            damaged[field] = value;
            assert!(serde_json::from_value::<Pool>(damaged).is_err(), "{field}");
        }
        assert!(serde_json::from_value::<Pool>(good).is_ok());
    }
}
