//! The SVG document while it is written.

use super::style;
use super::text::escaped;

/// Elements drawn so far.
#[derive(Default)]
pub(super) struct Canvas {
    body: String,
}

/// A rectangle; y grows downwards.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Frame {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// A coordinate with one decimal, which is finer than any screen.
pub(super) fn tenths(coordinate: f64) -> String {
    let tenths = (coordinate * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, tenth) = (tenths.abs() / 10, tenths.abs() % 10);
    if tenth == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{tenth}") }
}

impl Canvas {
    /// Puts everything that `draw` draws into a group with this class.
    pub(super) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.body.push_str(&format!("<g class=\"{class}\">\n"));
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// Puts everything that `draw` draws into a group, with a text to read when the pointer is over it.
    pub(super) fn hovered(&mut self, hover: &str, draw: impl FnOnce(&mut Self)) {
        self.body.push_str(&format!("<g><title>{}</title>", escaped(hover)));
        draw(self);
        self.body.push_str("</g>\n");
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(tenths);
        self.body.push_str(&format!("<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>\n"));
    }

    pub(super) fn path(&mut self, class: &str, d: &str) {
        self.body.push_str(&format!("<path class=\"{class}\" d=\"{d}\"/>\n"));
    }

    /// Round dots as one path: strokes without length whose caps are round.
    pub(super) fn dots(
        &mut self,
        class: &str,
        points: impl Iterator<Item = (f64, f64)>,
        radius: f64,
        opacity: f64,
    ) {
        let mut places: Vec<(i64, i64)> =
            points.map(|(x, y)| ((x * 10.0).round() as i64, (y * 10.0).round() as i64)).collect();
        // The order cannot be seen, nor can a dot under another.
        places.sort_unstable();
        places.dedup();
        let mut d = String::with_capacity(places.len() * 15);
        for (x, y) in places {
            d.push_str(&format!("M{} {}h0", tenths(x as f64 / 10.0), tenths(y as f64 / 10.0)));
        }
        let (width, opacity) = (tenths(radius * 2.0), (opacity * 100.0).round() / 100.0);
        self.body.push_str(&format!(
            "<path class=\"{class}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\" d=\"{d}\"/>\n"
        ));
    }

    pub(super) fn rect(&mut self, class: &str, frame: Frame) {
        let [x, y, width, height] = [frame.left, frame.top, frame.width, frame.height].map(tenths);
        self.body.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n"
        ));
    }

    /// A rectangle filled with its class's colour at this opacity.
    pub(super) fn tint(&mut self, class: &str, frame: Frame, opacity: f64) {
        let [x, y, width, height] = [frame.left, frame.top, frame.width, frame.height].map(tenths);
        let opacity = (opacity * 100.0).round() / 100.0;
        self.body.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             fill-opacity=\"{opacity}\"/>\n"
        ));
    }

    pub(super) fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let [x, y] = [x, y].map(tenths);
        self.body
            .push_str(&format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>\n", escaped(text)));
    }

    /// Text that reads from bottom to top.
    pub(super) fn turned(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let [x, y] = [x, y].map(tenths);
        self.body.push_str(&format!(
            "<text class=\"{class}\" transform=\"translate({x} {y}) rotate(-90)\">{}</text>\n",
            escaped(text)
        ));
    }

    /// The whole document, with a style sheet of its own or for a page that has it.
    pub(super) fn finish(
        self,
        width: f64,
        height: f64,
        title: &str,
        description: &str,
        styled: bool,
    ) -> String {
        let (width, height) = (tenths(width.ceil()), tenths(height.ceil()));
        let [title, description] = [title, description].map(escaped);
        // A page may have the same chart twice, and ids but once.
        let (named, [title_id, desc_id], style) = if styled {
            let id = format!("{:016x}", hash(&[&self.body, &title, &description]));
            (
                format!("aria-labelledby=\"ic-title-{id} ic-desc-{id}\""),
                [format!(" id=\"ic-title-{id}\""), format!(" id=\"ic-desc-{id}\"")],
                format!("<style>\n{}</style>\n", style::sheet()),
            )
        } else {
            (format!("aria-label=\"{title}. {description}\""), [String::new(), String::new()], String::new())
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ic-chart\" role=\"img\" {named} \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <title{title_id}>{title}</title>\n<desc{desc_id}>{description}</desc>\n{style}\
             <rect class=\"ic-paper\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// FNV-1a over the texts and the bounds between them.
fn hash(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let written = [0.0, -0.04, -0.06, 12.34, -12.35, 7.0].map(tenths);
        assert_eq!(written, ["0", "0", "-0.1", "12.3", "-12.4", "7"]);
    }
}
