//! Where a text can be cut so that its parts are read in parallel: at row ends, outside quotes.

use std::ops::Range;

use rayon::prelude::*;

/// The first part is small: it is also read as a sample.
const FIRST: usize = 1 << 16;
/// Size of the other parts. Fixed, so that nothing depends on the number of threads.
const PART: usize = 1 << 20;

/// Consecutive ranges that cover the text, each ending after a row.
///
/// A quote can only open a field, close it or be doubled in it (the reader refuses all others), so a position is
/// inside quotes exactly if the number of quotes before it is odd. In a text that breaks this rule the parts up to
/// the first offence are still cut right, and the part that holds it is refused.
pub(crate) fn split(text: &[u8]) -> Vec<Range<usize>> {
    split_by(text, FIRST, PART)
}

/// The first of these ranges.
pub(crate) fn split_first(text: &[u8]) -> Option<Range<usize>> {
    let end =
        if text.len() <= FIRST { text.len() } else { row_start(text, FIRST, quotes_odd(&text[..FIRST])) };
    (end > 0).then_some(0..end)
}

/// Whether the number of quotes is odd.
fn quotes_odd(text: &[u8]) -> bool {
    memchr::memchr_iter(b'"', text).count() % 2 == 1
}

fn split_by(text: &[u8], first: usize, part: usize) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = vec![0];
    cuts.extend((0..).map(|k| first + k * part).take_while(|&cut| cut < text.len()));
    let ends = cuts.iter().skip(1).copied().chain([text.len()]);
    let blocks: Vec<Range<usize>> = cuts.iter().copied().zip(ends).map(|(from, to)| from..to).collect();
    let odd: Vec<bool> = blocks.par_iter().map(|block| quotes_odd(&text[block.clone()])).collect();
    let mut inside = false;
    let inside: Vec<bool> = odd
        .into_iter()
        .map(|odd| {
            let before = inside;
            inside ^= odd;
            before
        })
        .collect();
    let mut starts: Vec<usize> = cuts
        .par_iter()
        .zip(&inside)
        .map(|(&cut, &inside)| if cut == 0 { 0 } else { row_start(text, cut, inside) })
        .collect();
    starts.dedup();
    starts.retain(|&start| start < text.len());
    let ends = starts.iter().skip(1).copied().chain([text.len()]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(from, to)| from..to).collect()
}

/// The first start of a row after the position.
fn row_start(text: &[u8], from: usize, mut inside: bool) -> usize {
    for at in memchr::memchr2_iter(b'"', b'\n', &text[from..]) {
        if text[from + at] == b'"' {
            inside = !inside;
        } else if !inside {
            return from + at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_after_rows() {
        let text = b"ab,\"c\nd\"\n\"e\"\"\n\",f\ng,h";
        let rows = [9, 18, text.len()];
        for first in 1..12 {
            for part in 1..12 {
                let parts = split_by(text, first, part);
                let mut at = 0;
                for part in parts {
                    assert_eq!(part.start, at);
                    assert!(rows.contains(&part.end), "{first} {part:?}");
                    at = part.end;
                }
                assert_eq!(at, text.len());
            }
        }
        assert!(split(b"").is_empty());
    }
}
