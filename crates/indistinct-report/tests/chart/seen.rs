//! Faults that a reader would see in a chart, found in the document alone.

use roxmltree::{Document, Node};

/// Left, top, right, bottom.
type Extent = [f64; 4];

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |text| text.parse().expect("a number"))
}

fn class<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("class").unwrap_or("")
}

/// All places of a path of M, L, V, H, h, z and a half circle to the right.
fn places(d: &str) -> Vec<(f64, f64)> {
    let mut places: Vec<(f64, f64)> = Vec::new();
    let mut rest = d;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        let numbers: Vec<f64> =
            rest[1..end].split_whitespace().map(|text| text.parse().expect("a number")).collect();
        let (x, y) = places.last().copied().unwrap_or_default();
        match command {
            'M' | 'L' => places.push((numbers[0], numbers[1])),
            'V' => places.push((x, numbers[0])),
            'H' => places.push((numbers[0], y)),
            'a' => places.extend([(x, y - numbers[0]), (x, y + numbers[0]), (x + numbers[5], y)]),
            'h' | 'z' => {}
            _ => panic!("{command}"),
        }
        rest = &rest[end..];
    }
    assert!(places.iter().all(|(x, y)| x.is_finite() && y.is_finite()));
    places
}

/// Checks that every mark lies within its panel's frame, and returns how many frames there are.
pub(crate) fn assert_marks_in_frames(document: &Document) -> usize {
    let is_panel = |node: &Node| class(*node) == "ic-panel";
    let panels = document.descendants().filter(is_panel);
    panels
        .map(|panel| {
            let frame = panel.children().find(|node| class(*node).contains("ic-frame")).expect("a frame");
            let corners = places(frame.attribute("d").expect("a path"));
            let ((left, top), (right, bottom)) = (corners[0], corners[2]);
            let marks = panel.children().find(|node| class(*node) == "ic-marks").expect("marks");
            for mark in marks.descendants() {
                let places = if mark.has_tag_name("rect") {
                    let (x, y) = (number(mark, "x"), number(mark, "y"));
                    let (width, height) = (number(mark, "width"), number(mark, "height"));
                    assert!(width >= 0.0 && height >= 0.0);
                    vec![(x, y), (x + width, y + height)]
                } else {
                    mark.attribute("d").map_or_else(Vec::new, places)
                };
                let radius = number(mark, "stroke-width") / 2.0;
                for (x, y) in places {
                    // Coordinates are rounded to tenths.
                    let inside = left - 0.11 <= x - radius && x + radius <= right + 0.11;
                    let inside = inside && top - 0.11 <= y - radius && y + radius <= bottom + 0.11;
                    assert!(inside, "{x} {y} {radius} not in {left} {top} {right} {bottom}: {}", class(mark));
                }
            }
        })
        .count()
}

/// Where a text is, by the width that letters have on average in a common font.
fn extent(text: Node) -> Extent {
    let class = class(text);
    let size = if class == "ic-title" { 15.0 } else { 11.5 };
    let length = text.text().unwrap_or("").chars().count() as f64 * size * 0.5;
    let start = if class.contains("ic-end") {
        -length
    } else if class.contains("ic-middle") {
        -length / 2.0
    } else {
        0.0
    };
    let (ascent, descent) = (0.7 * size, 0.15 * size);
    if let Some(transform) = text.attribute("transform") {
        let numbers: Vec<f64> =
            transform.split(['(', ' ', ')']).filter_map(|part| part.parse().ok()).collect();
        let (x, y) = (numbers[0], numbers[1]);
        [x - ascent, y - start - length, x + descent, y - start]
    } else {
        let (x, y) = (number(text, "x"), number(text, "y"));
        [x + start, y - ascent, x + start + length, y + descent]
    }
}

/// Checks that no text is cut off and no two overlap. Letters that are narrower than the average are what the layout
/// knows better than this check, so that text of those alone is not looked at.
pub(crate) fn assert_text_is_readable(document: &Document) {
    let average = |text: &Node| {
        text.text().unwrap_or("").chars().all(|c| c.is_ascii_digit() || "abcdeghnopqsuvxyz −".contains(c))
    };
    let texts: Vec<Node> = document.descendants().filter(|node| node.has_tag_name("text")).collect();
    let (width, height) =
        (number(document.root_element(), "width"), number(document.root_element(), "height"));
    let known: Vec<(Extent, Node)> =
        texts.into_iter().filter(average).map(|text| (extent(text), text)).collect();
    for (place, ([left, top, right, bottom], text)) in known.iter().enumerate() {
        let cut = *left < 0.0 || *top < 0.0 || *right > width || *bottom > height;
        assert!(!cut, "cut off: {:?} at {left} {top} {right} {bottom} in {width} {height}", text.text());
        for (other, b) in &known[..place] {
            let apart = *right <= other[0] || other[2] <= *left || *bottom <= other[1] || other[3] <= *top;
            assert!(apart, "{:?} overlaps {:?}", text.text(), b.text());
        }
    }
}
