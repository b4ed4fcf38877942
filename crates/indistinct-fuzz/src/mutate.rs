//! Mutations of inputs, by a seeded generator: what coverage guidance does better, and stable Rust does in any test run.

use rand::RngExt;

use indistinct::random::Generator;

/// Numbers that programs get wrong.
const EDGES: [i64; 14] = [
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    65_535,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    1 << 40,
    i64::MAX,
    i64::MIN,
];

/// Words that our formats know.
const WORDS: [&str; 40] = [
    "\"",
    "\"\"",
    ",",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "NA",
    "NaN",
    "inf",
    "-inf",
    "1e308",
    "1e-320",
    "1e999",
    "-0.0",
    "0x10",
    "9223372036854775808",
    "-9223372036854775808",
    "1.5",
    "é",
    "\u{feff}",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "and",
    "or ",
    "not ",
    "in ('F')",
    "is missing",
    "when ",
    "~",
    "log(",
    ":",
    "*",
    "null",
    "2001-02-29",
    "-",
];

/// The longest input that is made.
const LONGEST: usize = 1 << 16;

/// A mutation of `input`, with pieces of `other`.
pub fn mutated(input: &[u8], other: &[u8], random: &mut Generator) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..random.random_range(1..=4) {
        mutate(&mut bytes, other, random);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Generator) {
    let place = |bytes: &[u8], random: &mut Generator| random.random_range(0..=bytes.len());
    let range = |bytes: &[u8], random: &mut Generator| {
        let (one, two) = (place(bytes, random), place(bytes, random));
        // Mostly short ones.
        let (start, end) = (one.min(two), one.max(two));
        if random.random() { start..end } else { start..end.min(start + 16) }
    };
    let at = place(bytes, random);
    match random.random_range(0..10) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
        1 if at < bytes.len() => bytes[at] = random.random(),
        2 => bytes.insert(at, random.random()),
        3 => drop(bytes.drain(range(bytes, random))),
        4 => {
            let copy = bytes[range(bytes, random)].to_vec();
            bytes.splice(at..at, copy);
        }
        5 => {
            let word = WORDS[random.random_range(0..WORDS.len())];
            bytes.splice(at..at, word.bytes());
        }
        6 => {
            let replaced = range(bytes, random);
            let word = WORDS[random.random_range(0..WORDS.len())];
            bytes.splice(replaced, word.bytes());
        }
        7 => {
            let number = EDGES[random.random_range(0..EDGES.len())].to_le_bytes();
            let width = [1, 2, 4, 8][random.random_range(0..4)];
            for (byte, new) in bytes[at..].iter_mut().zip(&number[..width]) {
                *byte = *new;
            }
        }
        8 => {
            let piece = &other[range(other, random)];
            bytes.splice(at..at, piece.iter().copied());
        }
        _ => {
            let number = EDGES[random.random_range(0..EDGES.len())].to_string();
            let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            bytes.splice(at..at + digits, number.bytes());
        }
    }
}
