//! A triangle of coloured cells: one number for every pair of names.

use super::canvas::{Canvas, Frame};
use super::layout::MARGIN;
use super::number::significant;
use super::text::{LINE, bold_width, shortened, width, wrapped};

/// Longest label beside the cells.
const LABEL: f64 = 130.0;
const TITLE: f64 = 15.0;
/// Shortest side of a cell.
const SMALLEST: f64 = 10.0;
/// Longest side of a cell.
const LARGEST: f64 = 46.0;
/// Shortest side of a cell into which its number is written.
const WRITTEN: f64 = 32.0;
/// Width of the sample of colours.
const SAMPLE: f64 = 120.0;

/// One number for every pair of names, as colour. It stands for both orders of a pair, so that only the lower
/// triangle and the diagonal are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The title, drawn above the cells unless it is empty, and the name for screen readers.
    pub title: String,
    /// A description in words. It is not drawn.
    pub description: String,
    /// The names of the rows and columns.
    pub names: Vec<String>,
    /// The numbers that exist; other cells stay blank.
    pub cells: Vec<HeatCell>,
    /// The value that has the full colour; larger ones have it too.
    pub full: f64,
    /// The meaning of the colours, beside their sample.
    pub label: String,
}

/// The number of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatCell {
    /// Positions of both names: the same for the diagonal.
    pub names: (usize, usize),
    /// From 0 to the map's `full`.
    pub value: f64,
    /// The text that is read when the pointer is over it.
    pub hover: String,
}

impl HeatMap {
    /// The map for a page that has the [`style_sheet`](super::style_sheet) once, at most this wide.
    pub fn to_inline_svg(&self, wide: f64) -> String {
        let count = self.names.len().max(1) as f64;
        let labels: Vec<String> = self.names.iter().map(|name| shortened(name, LABEL)).collect();
        let longest = labels.iter().map(|label| width(label)).fold(0.0, f64::max);
        let left = (MARGIN + longest + 6.0).ceil();
        let side = ((wide - left - MARGIN) / count).clamp(SMALLEST, LARGEST).floor();
        let legend = wrapped(&self.label, (left + side * count - 2.0 * MARGIN).max(SAMPLE), width);
        let total = (left + side * count + MARGIN).max(SAMPLE + 2.0 * MARGIN + 70.0);
        let title = wrapped(&self.title, total - 2.0 * MARGIN, |line| bold_width(line, TITLE));
        let top = MARGIN + title.len() as f64 * 20.0;
        let frame = Frame { left, top, width: side * count, height: side * count };

        let mut canvas = Canvas::default();
        for (line, text) in title.iter().enumerate() {
            canvas.text("ic-title", MARGIN, MARGIN + 11.0 + 20.0 * line as f64, text);
        }
        canvas.group("ic-panel", |canvas| {
            let (right, bottom) = (frame.right(), frame.bottom());
            canvas.path("ic-axis ic-frame", &format!("M{left} {top}V{bottom}H{right}"));
            canvas.group("ic-marks", |canvas| self.draw_cells(canvas, frame, side));
            for (place, label) in labels.iter().enumerate() {
                let middle = (place as f64 + 0.5) * side;
                // Where rows are too narrow for text, every other label is enough to find one's way.
                if side < LINE - 2.0 && place % 2 == 1 {
                    continue;
                }
                canvas.text("ic-tick ic-end", left - 6.0, top + middle + 4.0, label);
                canvas.turned("ic-tick ic-end", left + middle + 4.0, bottom + 6.0, label);
            }
        });
        let below = frame.bottom() + 6.0 + longest + 14.0;
        self.draw_legend(&mut canvas, below, &legend);
        let height = below + 14.0 + legend.len() as f64 * LINE + 12.0;
        canvas.finish(total, height, &self.title, &self.description, false)
    }

    fn draw_cells(&self, canvas: &mut Canvas, frame: Frame, side: f64) {
        for HeatCell { names: (a, b), value, hover } in &self.cells {
            let (row, column) = (*a.max(b), *a.min(b));
            if !value.is_finite() || row >= self.names.len() {
                continue;
            }
            let share = self.share(*value);
            let (x, y) = (frame.left + column as f64 * side, frame.top + row as f64 * side);
            let tile = Frame { left: x + 0.5, top: y + 0.5, width: side - 1.0, height: side - 1.0 };
            canvas.hovered(hover, |canvas| {
                canvas.tint("ic-heat", tile, share);
                if side >= WRITTEN {
                    let text = significant((value * 1000.0).round() / 1000.0, 2);
                    canvas.text("ic-small ic-middle", x + side / 2.0, y + side / 2.0 + 3.5, &text);
                }
            });
        }
    }

    fn draw_legend(&self, canvas: &mut Canvas, top: f64, label: &[String]) {
        let parts = 12;
        let each = SAMPLE / f64::from(parts);
        for part in 0..parts {
            let left = MARGIN + f64::from(part) * each;
            let tile = Frame { left, top, width: each, height: 9.0 };
            canvas.tint("ic-heat", tile, (f64::from(part) + 0.5) / f64::from(parts));
        }
        canvas.text(
            "ic-tick",
            MARGIN + SAMPLE + 6.0,
            top + 9.0,
            &format!("0 to {}", significant(self.full, 2)),
        );
        for (line, text) in label.iter().enumerate() {
            canvas.text("ic-tick", MARGIN, top + 23.0 + line as f64 * LINE, text);
        }
    }

    /// The share of the full colour for a value.
    fn share(&self, value: f64) -> f64 {
        if self.full > 0.0 { (value / self.full).clamp(0.0, 1.0) } else { 0.0 }
    }
}
