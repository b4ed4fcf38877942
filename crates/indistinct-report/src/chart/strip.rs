//! One bar divided into parts of a whole.

use super::canvas::{Canvas, Frame};
use super::layout::MARGIN;
use super::style::Look;
use super::text::{LINE, bold_width, width, wrapped};

const HEIGHT: f64 = 34.0;
const TITLE: f64 = 15.0;
/// Size of the sample of a kind's colour.
const SAMPLE: f64 = 10.0;

/// A bar divided into parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// The title, drawn above the bar unless it is empty, and the name for screen readers.
    pub title: String,
    /// A description in words. It is not drawn.
    pub description: String,
    /// The parts, from left to right. Parts that are not positive numbers are left out.
    pub parts: Vec<StripPart>,
    /// The kinds of parts that the legend names, with the indices of their colours.
    pub kinds: Vec<(usize, String)>,
}

/// A part of a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct StripPart {
    /// Its size.
    pub value: f64,
    /// Index of its kind's colour.
    pub kind: usize,
    /// The text that is read when the pointer is over it.
    pub hover: String,
}

impl Strip {
    /// The bar for a page that has the [`style_sheet`](super::style_sheet) once, this wide.
    pub fn to_inline_svg(&self, wide: f64) -> String {
        let drawn = |part: &&StripPart| part.value.is_finite() && part.value > 0.0;
        // Divided by their number, so that no sum of parts is too large for a number.
        let count = self.parts.len().max(1) as f64;
        let whole: f64 = self.parts.iter().filter(drawn).map(|part| part.value / count).sum();
        let title = wrapped(&self.title, wide - 2.0 * MARGIN, |line| bold_width(line, TITLE));
        let top = MARGIN + title.len() as f64 * 20.0;
        let frame = Frame { left: MARGIN, top, width: wide - 2.0 * MARGIN, height: HEIGHT };
        let mut canvas = Canvas::default();
        for (line, text) in title.iter().enumerate() {
            canvas.text("ic-title", MARGIN, MARGIN + 11.0 + 20.0 * line as f64, text);
        }
        canvas.group("ic-panel", |canvas| {
            let (left, bottom, right) = (frame.left, frame.bottom(), frame.right());
            canvas.path("ic-axis ic-frame", &format!("M{left} {top}V{bottom}H{right}"));
            canvas.group("ic-marks", |canvas| {
                let mut before = 0.0;
                for part in self.parts.iter().filter(drawn) {
                    let (start, length) = (before / whole, part.value / count / whole);
                    before += part.value / count;
                    let left = frame.left + start * frame.width;
                    let width = (length * frame.width).min(frame.right() - left).max(0.0);
                    canvas.group(Look::new(part.kind, 0).class(), |canvas| {
                        canvas.hovered(&part.hover, |canvas| {
                            canvas.rect("ic-solid", Frame { left, width, ..frame });
                        });
                    });
                }
            });
        });
        let end = self.draw_kinds(&mut canvas, frame.bottom() + 18.0, wide);
        canvas.finish(wide, end, &self.title, &self.description, false)
    }

    /// Draws the kinds with their colours, in rows; returns their end.
    fn draw_kinds(&self, canvas: &mut Canvas, top: f64, wide: f64) -> f64 {
        let (mut x, mut y) = (MARGIN, top);
        for (kind, name) in &self.kinds {
            for (line, text) in wrapped(name, wide - 2.0 * MARGIN - SAMPLE - 6.0, width).iter().enumerate() {
                let length = SAMPLE + 6.0 + width(text);
                if line > 0 || (x > MARGIN && x + length > wide - MARGIN) {
                    (x, y) = (MARGIN, y + LINE + 4.0);
                }
                if line == 0 {
                    let sample = Frame { left: x, top: y - 5.0, width: SAMPLE, height: SAMPLE };
                    let class = Look::new(*kind, 0).class();
                    canvas.group(class, |canvas| canvas.rect("ic-solid", sample));
                }
                canvas.text("ic-name", x + SAMPLE + 6.0, y + 4.0, text);
                x += length + 18.0;
            }
        }
        y + 14.0
    }
}
