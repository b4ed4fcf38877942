//! Where a text can be cut so that its parts are read in parallel: at row ends, outside quotes.

use std::ops::Range;

use rayon::prelude::*;

/// Consecutive ranges of about `size` bytes that cover the text, each ending after a row. The text must start at the
/// start of a row; if it is not the `last` of its file, a row that does not end in it is left out.
///
/// A quote can only open a field, close it or be doubled in it (the reader refuses all others), so a position is
/// inside quotes exactly if the number of quotes before it is odd. In a text that breaks this rule the parts up to
/// the first offence are still cut right, and the part that holds it is refused.
pub(crate) fn split(text: &[u8], size: usize, last: bool) -> Vec<Range<usize>> {
    let odd: Vec<bool> = text.par_chunks(size).map(quotes_odd).collect();
    let mut inside = false;
    let mut starts = Vec::with_capacity(odd.len() + 1);
    for (block, odd) in odd.into_iter().enumerate() {
        let from = block * size;
        // A row that is longer than a block starts before many of them, and is looked through once.
        if starts.last().is_none_or(|last| *last < from) {
            match if block == 0 { Some(0) } else { row_start(text, from, inside) } {
                Some(start) => starts.push(start),
                None => break,
            }
        }
        inside ^= odd;
    }
    let end = if last { text.len() } else { last_row_end(text, starts.last().copied().unwrap_or(0)) };
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([end]).collect();
    starts.into_iter().zip(ends).map(|(from, to)| from..to).filter(|range| range.start < range.end).collect()
}

/// Whether the number of quotes is odd.
fn quotes_odd(text: &[u8]) -> bool {
    memchr::memchr_iter(b'"', text).count() % 2 == 1
}

/// The first start of a row after the position, if there is one.
fn row_start(text: &[u8], from: usize, mut inside: bool) -> Option<usize> {
    for at in memchr::memchr2_iter(b'"', b'\n', &text[from..]) {
        if text[from + at] == b'"' {
            inside = !inside;
        } else if !inside {
            return Some(from + at + 1);
        }
    }
    None
}

/// The end of the last row that ends after `from`, which is the start of a row; `from` if there is none.
fn last_row_end(text: &[u8], from: usize) -> usize {
    if memchr::memchr(b'"', &text[from..]).is_none() {
        return memchr::memrchr(b'\n', &text[from..]).map_or(from, |at| from + at + 1);
    }
    let mut end = from;
    while let Some(next) = row_start(text, end, false) {
        end = next;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_after_rows() {
        let text = b"ab,\"c\nd\"\n\"e\"\"\n\",f\ng,h";
        let rows = [9, 18, text.len()];
        for size in 1..30 {
            for last in [true, false] {
                let mut at = 0;
                for part in split(text, size, last) {
                    assert_eq!(part.start, at);
                    assert!(rows.contains(&part.end), "{size} {part:?}");
                    at = part.end;
                }
                assert_eq!(at, if last { text.len() } else { 18 }, "{size}");
            }
        }
        assert!(split(b"", 5, true).is_empty());
        assert!(split(b"no end", 5, false).is_empty());
    }
}
