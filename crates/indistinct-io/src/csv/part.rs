//! Some rows of a text, copied unchanged.

use super::load::Text;
use crate::error::Problem;

/// Bytes examined together.
const BLOCK: usize = 1 << 18;

/// The text with these rows only, in increasing order. It must have been read before without error: then rows end
/// at the line breaks outside quotes, and a position is inside quotes if the number of quotes before it is odd.
pub(crate) fn rows_of(text: &Text, rows: &[u32]) -> Result<Text, Problem> {
    let mut wanted = rows.iter().copied().peekable();
    let mut kept = Vec::new();
    let (mut row, mut quoted) = (0, false);
    let mut block = vec![0; BLOCK];
    let body = text.body();
    let mut start = body.start;
    while start < body.end {
        let length = BLOCK.min(body.end - start);
        text.input().read(start, &mut block[..length])?;
        let bytes = &block[..length];
        let mut from = 0;
        for at in memchr::memchr2_iter(b'"', b'\n', bytes) {
            if bytes[at] == b'"' {
                quoted = !quoted;
            } else if !quoted {
                if wanted.next_if_eq(&row).is_some() {
                    kept.extend_from_slice(&bytes[from..=at]);
                }
                from = at + 1;
                row += 1;
            }
        }
        if wanted.peek() == Some(&row) {
            kept.extend_from_slice(&bytes[from..]);
        }
        start += length;
    }
    Ok(text.with_rows(kept))
}

#[cfg(test)]
mod tests {
    use super::super::Input;
    use super::*;
    use crate::source::Header;

    fn rows(text: &str, rows: &[u32]) -> String {
        let text = Text::new(Input::Memory(text.as_bytes().to_vec()), b',', Header::Present).unwrap();
        let part = rows_of(&text, rows).unwrap();
        let mut bytes = vec![0; part.body().len()];
        part.input().read(part.body().start, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn rows_end_outside_quotes() {
        let text = "a,b\n1,\"x\ny\"\r\n2,\"\"\"\"\r\n3,z";
        assert_eq!(rows(text, &[0, 1, 2]), "1,\"x\ny\"\r\n2,\"\"\"\"\r\n3,z");
        assert_eq!(rows(text, &[1]), "2,\"\"\"\"");
        assert_eq!(rows(text, &[0, 2]), "1,\"x\ny\"\r\n3,z");
        assert_eq!(rows(text, &[]), "");
    }

    #[test]
    fn rows_may_cross_blocks() {
        let long = |row: usize| format!("{row},\"{}\n\"\n", "é".repeat(40_000 + row));
        let text: String = (0..40).map(long).collect();
        let expected: String = (0..40).filter(|row| row % 3 == 1).map(long).collect();
        let wanted: Vec<u32> = (0..40).filter(|row| row % 3 == 1).collect();
        assert_eq!(rows(&format!("a,b\n{text}"), &wanted), expected.trim_end());
    }
}
