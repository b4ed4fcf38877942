//! The room that text takes, estimated from above: the reader's fonts are not known here.

/// Size of ordinary text in pixels; the height of a line is [`LINE`].
pub(super) const SIZE: f64 = 11.5;
pub(super) const LINE: f64 = 14.0;

/// Width of a bold letter relative to an ordinary one.
const BOLD: f64 = 1.16;

/// The width of a line of ordinary text in pixels.
pub(super) fn width(text: &str) -> f64 {
    SIZE * text.chars().map(ems).sum::<f64>()
}

/// The width of a line of bold text of some size.
pub(super) fn bold_width(text: &str, size: f64) -> f64 {
    width(text) * BOLD * size / SIZE
}

/// Advance widths of DejaVu Sans, rounded up: it is the widest of the fonts that browsers use for `sans-serif`.
fn ems(character: char) -> f64 {
    match character {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' => 0.0,
        '\u{2009}' => 0.2,
        '\'' | 'i' | 'j' | 'l' | 'I' | 'J' => 0.3,
        ' ' | ',' | '.' | '/' | ':' | ';' | '\\' | '|' | 'f' | '-' => 0.36,
        '(' | ')' | '[' | ']' | 't' | '!' | 'r' | '⁰'..='⁹' | '¹' | '²' | '³' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        '0'..='9' | 'a'..='z' | '"' | '*' | '_' | '`' | '?' | '$' | '{' | '}' | '⁻' => 0.64,
        'A'..='Z' | '&' => 0.79,
        '!'..='~' | '\u{a0}'..='\u{24f}' | '\u{370}'..='\u{4ff}' | '\u{2190}'..='\u{22ff}' => 0.85,
        _ => 1.25,
    }
}

/// Lines of at most this width, broken at spaces, and within words only where a word is too long by itself.
pub(super) fn wrapped(text: &str, most: f64, width: impl Fn(&str) -> f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if width(&longer) <= most {
                *line = longer;
                continue;
            }
        }
        let mut line = String::new();
        for character in word.chars() {
            line.push(character);
            if width(&line) > most && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, character.to_string()));
            }
        }
        lines.push(line);
    }
    lines
}

/// The text if it fits this width, otherwise as much of its beginning as fits, and an ellipsis.
pub(super) fn shortened(text: &str, most: f64) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut wide = width("…");
    for character in text.chars() {
        wide += width(character.encode_utf8(&mut [0; 4]));
        if wide > most {
            break;
        }
        short.push(character);
    }
    short.trim_end().to_owned() + "…"
}

/// Text for an XML document: markup is escaped, and characters that XML does not know are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_within_the_width_and_lose_nothing() {
        let text = "the smooth histogram of Wasserman and Zhou, averylongwordthatnolinecouldeverhold";
        let lines = wrapped(text, 60.0, width);
        assert!(lines.iter().all(|line| width(line) <= 60.0), "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        assert_eq!(wrapped("", 60.0, width), Vec::<String>::new());
        assert_eq!(wrapped("WW", 1.0, width), ["W", "W"]);
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(escaped("a<b>&\"c\"\0"), "a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}");
    }
}
