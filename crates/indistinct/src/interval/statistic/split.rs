//! A text in parts, where signs within quotes and parentheses do not count.

/// A part of a text: characters from `start` to before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    /// The part without spaces around it; empty, at its end, if there is nothing else.
    pub(super) fn trimmed(self, letters: &[char]) -> Self {
        let Self { mut start, mut end } = self;
        while start < end && letters[start].is_whitespace() {
            start += 1;
        }
        while end > start && letters[end - 1].is_whitespace() {
            end -= 1;
        }
        Self { start, end }
    }

    pub(super) fn is_empty(self) -> bool {
        self.start >= self.end
    }

    pub(super) fn text(self, letters: &[char]) -> String {
        letters[self.start..self.end].iter().collect()
    }

    /// The part with spaces in the place of everything before it, so that places in it are those of the whole.
    pub(super) fn in_place(self, letters: &[char]) -> String {
        " ".repeat(self.start) + &self.text(letters)
    }
}

/// Places within a span that are outside of quotes, with the depth of parentheses there. A parenthesis itself has the
/// depth of what is around it.
pub(super) fn outside(letters: &[char], span: Span) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let (mut depth, mut quote) = (0_usize, None);
    for (place, &letter) in letters.iter().enumerate().take(span.end).skip(span.start) {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '(') => {
                found.push((place, depth));
                depth += 1;
            }
            (None, ')') => {
                depth = depth.saturating_sub(1);
                found.push((place, depth));
            }
            (None, _) => found.push((place, depth)),
        }
    }
    found
}

/// The place of a sign that is in no parentheses.
pub(super) fn sign(letters: &[char], span: Span, sign: char) -> Option<usize> {
    outside(letters, span)
        .into_iter()
        .find(|&(place, depth)| depth == 0 && letters[place] == sign)
        .map(|(place, _)| place)
}

/// The place of a word that is in no parentheses.
pub(super) fn word(letters: &[char], span: Span, word: &str) -> Option<usize> {
    let wanted: Vec<char> = word.chars().collect();
    let is_letter = |place: usize| {
        place < span.end
            && letters
                .get(place)
                .is_some_and(|letter| letter.is_alphanumeric() || *letter == '_' || *letter == '.')
    };
    let begins = |&(place, depth): &(usize, usize)| {
        depth == 0
            && letters[place..span.end].starts_with(&wanted)
            && !is_letter(place + wanted.len())
            && (place == span.start || !is_letter(place - 1))
    };
    outside(letters, span).iter().find(|place| begins(place)).map(|(place, _)| *place)
}

/// The parts between commas that are in no parentheses.
pub(super) fn by_commas(letters: &[char], span: Span) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = span.start;
    for (place, depth) in outside(letters, span) {
        if depth == 0 && letters[place] == ',' {
            parts.push(Span { start, end: place });
            start = place + 1;
        }
    }
    parts.push(Span { start, end: span.end });
    parts.into_iter().map(|part| part.trimmed(letters)).collect()
}
