//! The starts of rows, in a text that is read from the middle on.
//!
//! A quote can only open a field, close it or be doubled in it (the reader refuses all others), so that a
//! position is inside quotes exactly if the number of quotes before it is odd.

/// Whether the number of quotes is odd.
pub(super) fn quotes_odd(text: &[u8]) -> bool {
    memchr::memchr_iter(b'"', text).count() % 2 == 1
}

/// The first start of a row after the position, which is `inside` quotes or not, if there is one.
pub(super) fn row_start(text: &[u8], from: usize, mut inside: bool) -> Option<usize> {
    for at in memchr::memchr2_iter(b'"', b'\n', &text[from..]) {
        if text[from + at] == b'"' {
            inside = !inside;
        } else if !inside {
            return Some(from + at + 1);
        }
    }
    None
}

/// A guess whether a text begins inside quotes: the first quote with a separator or line break on one side only
/// is taken to open a field if they are before it, and to close one if they are after it.
pub(super) fn seems_inside(text: &[u8], separator: u8) -> bool {
    let is_border = |at: Option<usize>| {
        at.and_then(|at| text.get(at))
            .is_some_and(|&byte| byte == separator || byte == b'\n' || byte == b'\r')
    };
    for (before, at) in memchr::memchr_iter(b'"', text).enumerate() {
        let opens = is_border(at.checked_sub(1));
        if opens != is_border(Some(at + 1)) {
            return opens == (before % 2 == 1);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_start_after_line_breaks_outside_quotes() {
        let text = b"ab,\"c\nd\"\n\"e\"\"\n\",f\ng,h";
        let starts = [9, 18];
        for from in 0..text.len() {
            let expected = starts.into_iter().find(|&start| start > from);
            assert_eq!(row_start(text, from, quotes_odd(&text[..from])), expected, "{from}");
        }
    }

    #[test]
    fn usual_quotes_show_which_side_is_inside() {
        let text = b"1,\"some text\",2\n3,\"more, of it\",4\n5,\"\",6\n\"x\ny\",\"z\"\"z\"\"\",7\n8,\"a\",9\n10,\"b\",11";
        for from in 0..text.len() - 5 {
            assert_eq!(seems_inside(&text[from..], b','), quotes_odd(&text[..from]), "{from}");
        }
        assert!(!seems_inside(b"none,here\n", b','));
    }
}
