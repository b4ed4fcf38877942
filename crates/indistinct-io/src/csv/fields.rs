//! Fields of separated text, one after the other, by the rules of RFC 4180.

/// A violation of the rules, by byte position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// A quote opens here and is never closed.
    Unterminated(usize),
    /// A quote stands here, inside a field that does not begin with one.
    Stray(usize),
    /// A quote closes here and is followed by neither separator nor line break.
    AfterQuote(usize),
}

/// An iterator over the fields of a text that begins at the start of a row.
#[derive(Debug, Clone)]
pub(crate) struct Fields<'a> {
    text: &'a str,
    at: usize,
    separator: u8,
}

impl<'a> Fields<'a> {
    /// The fields from this position on.
    pub(crate) fn new(text: &'a str, at: usize, separator: u8) -> Self {
        Self { text, at, separator }
    }

    /// The position of the next field.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Whether the text is used up (only meaningful at the start of a row).
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// The next field, unquoted, and whether it is the last of its row. A field with doubled quotes is assembled
    /// in `scratch`.
    #[inline]
    pub(crate) fn next<'s>(&mut self, scratch: &'s mut String) -> Result<(&'s str, bool), Break>
    where
        'a: 's,
    {
        let bytes = self.text.as_bytes();
        let start = self.at;
        if bytes.get(start) == Some(&b'"') {
            return self.quoted(scratch);
        }
        let Some(end) = find(bytes, start, self.separator) else {
            self.at = bytes.len();
            return Ok((&self.text[start..], true));
        };
        self.at = end + 1;
        match bytes[end] {
            b'\n' => {
                let field = &self.text[start..end];
                Ok((field.strip_suffix('\r').unwrap_or(field), true))
            }
            b'"' => Err(Break::Stray(end)),
            _ => Ok((&self.text[start..end], false)),
        }
    }

    /// The field whose opening quote is here.
    fn quoted<'s>(&mut self, scratch: &'s mut String) -> Result<(&'s str, bool), Break>
    where
        'a: 's,
    {
        let bytes = self.text.as_bytes();
        let open = self.at;
        let mut from = open + 1;
        let mut doubled = false;
        let close = loop {
            let quote = from + memchr::memchr(b'"', &bytes[from..]).ok_or(Break::Unterminated(open))?;
            if bytes.get(quote + 1) != Some(&b'"') {
                break quote;
            }
            doubled = true;
            from = quote + 2;
        };
        let last = match (bytes.get(close + 1), bytes.get(close + 2)) {
            (None, _) | (Some(b'\r'), None) => {
                self.at = bytes.len();
                true
            }
            (Some(b'\n'), _) => {
                self.at = close + 2;
                true
            }
            (Some(b'\r'), Some(b'\n')) => {
                self.at = close + 3;
                true
            }
            (Some(&byte), _) if byte == self.separator => {
                self.at = close + 2;
                false
            }
            _ => return Err(Break::AfterQuote(close)),
        };
        let inside = &self.text[open + 1..close];
        if !doubled {
            return Ok((inside, last));
        }
        scratch.clear();
        for (position, piece) in inside.split("\"\"").enumerate() {
            if position > 0 {
                scratch.push('"');
            }
            scratch.push_str(piece);
        }
        Ok((scratch, last))
    }
}

/// The position of the first separator, line break or quote.
#[inline]
fn find(bytes: &[u8], from: usize, separator: u8) -> Option<usize> {
    memchr::memchr3(separator, b'\n', b'"', bytes.get(from..)?).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<Vec<String>>, Break> {
        let mut fields = Fields::new(text, 0, b',');
        let (mut rows, mut row, mut scratch) = (Vec::new(), Vec::new(), String::new());
        while !fields.is_done() || !row.is_empty() {
            let (field, last) = fields.next(&mut scratch)?;
            row.push(field.to_owned());
            if last {
                rows.push(std::mem::take(&mut row));
            }
        }
        Ok(rows)
    }

    #[test]
    fn plain_and_quoted() {
        assert_eq!(rows("a,b\nc,d").unwrap(), [["a", "b"], ["c", "d"]]);
        assert_eq!(rows("a,b\r\n\"c\",\"d\"\r\n").unwrap(), [["a", "b"], ["c", "d"]]);
        assert_eq!(rows("\"x,\"\"y\"\"\n\",\"\"\n").unwrap(), [["x,\"y\"\n", ""]]);
        assert_eq!(rows(",\n,").unwrap(), [["", ""], ["", ""]]);
        assert_eq!(rows("a long field of text,é,\"ü\"").unwrap(), [["a long field of text", "é", "ü"]]);
        assert_eq!(rows("\"\"\"\"").unwrap(), [["\""]]);
    }

    #[test]
    fn breaks_are_located() {
        assert_eq!(rows("a,\"b\nc"), Err(Break::Unterminated(2)));
        assert_eq!(rows("a,b\"c"), Err(Break::Stray(3)));
        assert_eq!(rows("a,\"b\"c"), Err(Break::AfterQuote(4)));
        assert_eq!(rows("a,\"b\"\rc"), Err(Break::AfterQuote(4)));
    }
}
