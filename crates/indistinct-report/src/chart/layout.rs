//! The layout: panels in a grid whose margins are as wide as their labels.

use super::canvas::Canvas;
use super::cell::{Cell, SideLabel};
use super::legend::{Entry, Legend};
use super::scale::Range;
use super::text::{LINE, bold_width, width, wrapped};
use super::{Chart, Panel};

/// The width of a figure, unless its labels need more or its panels less.
const WIDTH: f64 = 920.0;
pub(super) const MARGIN: f64 = 14.0;
/// Distance between columns, and between rows.
const GAP: f64 = 16.0;
/// Least distance of marks from the frame; it is larger in wide ones: see [`inset`].
pub(super) const INSET: f64 = 8.0;
/// Length of a tick and the space to its label.
pub(super) const TICK: f64 = 7.0;
pub(super) const NARROWEST: f64 = 120.0;
const WIDEST: f64 = 560.0;
/// Height of a category's row, width of a category's column.
const CATEGORY: f64 = 16.0;
const TITLE: f64 = 15.0;
const HEADING: f64 = 12.0;
/// Longest line of a label at the side.
pub(super) const SIDE: f64 = 200.0;
/// Distance from the frame to the labels at its side.
pub(super) const LEADER: f64 = 22.0;

/// The room for a chart.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) width: f64,
    /// Height of panels whose vertical axis has numbers, unless they choose it themselves.
    pub(super) panel_height: Option<f64>,
}

impl Room {
    pub(super) fn of_a_figure() -> Self {
        Self { width: WIDTH, panel_height: None }
    }
}

/// A chart with its layout.
pub(super) struct Layout<'a> {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) cells: Vec<Cell<'a>>,
    title: Vec<String>,
}

impl<'a> Layout<'a> {
    pub(super) fn of(chart: &'a Chart, legend: &Legend, room: Room) -> Self {
        let columns = chart.across.clamp(1, chart.panels.len().max(1));
        let guess = (room.width - 2.0 * MARGIN) / columns as f64 * 0.75;
        let mut cells: Vec<Cell> =
            (0..chart.panels.len()).map(|place| Cell::new(chart, place, columns, guess, legend)).collect();
        for row in cells.chunks_mut(columns) {
            let tallest = row.iter().map(|cell| height(cell, guess, room)).fold(0.0, f64::max);
            for cell in row {
                cell.set_height(tallest);
            }
        }
        let width = place_across(&mut cells, columns, room.width);
        let title = wrapped(&chart.title, width - 2.0 * MARGIN, |line| bold_width(line, TITLE));
        let mut layout = Self { width, height: 0.0, cells, title };
        let legend_end = layout.legend_rows(legend).last().map(|(_, y, _)| y + LINE / 2.0);
        let top =
            legend_end.unwrap_or_else(|| layout.title_end()) + if legend_end.is_some() { 8.0 } else { 0.0 };
        layout.height = place_down(&mut layout.cells, &chart.panels, columns, top) + MARGIN - 4.0;
        layout
    }

    fn title_end(&self) -> f64 {
        let lines = self.title.len() as f64;
        MARGIN - 4.0 + if lines == 0.0 { 0.0 } else { lines * 20.0 + 6.0 }
    }

    /// The entries above the panels: left end, middle, entry.
    fn legend_rows<'b>(&self, legend: &'b Legend) -> Vec<(f64, f64, &'b Entry)> {
        let mut placed = Vec::new();
        let (mut x, mut y) = (MARGIN, self.title_end() + LINE / 2.0);
        for entry in legend.named().filter(|_| !legend.at_line_ends) {
            let length = entry.sample() + 6.0 + width(&entry.name);
            if x > MARGIN && x + length > self.width - MARGIN {
                (x, y) = (MARGIN, y + LINE + 4.0);
            }
            placed.push((x, y, entry));
            x += length + 16.0;
        }
        placed
    }

    /// Draws the title, and the legend if it is above the panels.
    pub(super) fn draw_titles(&self, canvas: &mut Canvas, legend: &Legend) {
        for (line, text) in self.title.iter().enumerate() {
            canvas.text("ic-title", MARGIN, MARGIN + 11.0 + 20.0 * line as f64, text);
        }
        for (x, y, entry) in self.legend_rows(legend) {
            entry.draw_sample(canvas, x, y);
            canvas.text("ic-name", x + entry.sample() + 6.0, y + 4.0, &entry.name);
        }
    }
}

/// The preferred height of a panel.
fn height(cell: &Cell, guess: f64, room: Room) -> f64 {
    let labels: f64 = cell.side.iter().map(SideLabel::height).sum();
    let marks = match cell.y.scale.categories() {
        Some(names) => (names.len() as f64 + 1.0).max(2.0) * CATEGORY,
        None => room.panel_height.unwrap_or((170.0 + 0.4 * guess).clamp(250.0, 330.0)),
    };
    marks.max(labels)
}

/// Places the left and right ends of all frames; returns the width of the figure.
fn place_across(cells: &mut [Cell], columns: usize, wide: f64) -> f64 {
    let widest = |number: usize, room: &dyn Fn(&Cell) -> f64| {
        cells.iter().skip(number).step_by(columns).map(room).fold(0.0, f64::max)
    };
    let left: Vec<f64> = (0..columns).map(|number| widest(number, &|cell| cell.room_left())).collect();
    let right: Vec<f64> = (0..columns).map(|number| widest(number, &|cell| cell.room_right())).collect();
    let labels = left.iter().sum::<f64>() + right.iter().sum::<f64>();
    let fixed = 2.0 * MARGIN + GAP * (columns - 1) as f64 + labels;
    let narrowest = cells
        .iter()
        .map(|cell| {
            cell.x.scale.categories().map_or(NARROWEST, |names| (names.len() as f64 + 1.0) * CATEGORY)
        })
        .fold(NARROWEST, f64::max);
    let each = ((wide - fixed) / columns as f64).min(WIDEST).max(narrowest).floor();
    let mut at = MARGIN;
    for number in 0..columns {
        at += left[number];
        for cell in cells.iter_mut().skip(number).step_by(columns) {
            (cell.frame.left, cell.frame.width) = (at.round(), each);
        }
        at += each + right[number] + GAP;
    }
    fixed + each * columns as f64
}

/// Places the top ends of all frames and what stands above and below them; returns the bottom end.
fn place_down(cells: &mut [Cell], panels: &[Panel], columns: usize, top: f64) -> f64 {
    let mut at = top;
    for (row, panels) in cells.chunks_mut(columns).zip(panels.chunks(columns)) {
        for (cell, panel) in row.iter_mut().zip(panels) {
            cell.title = wrapped(&panel.title, cell.frame.width, |line| bold_width(line, HEADING));
            cell.place_top_labels();
        }
        let above = |cell: &Cell| {
            let title = cell.title.len() as f64 * (LINE + 1.0);
            let references = cell.top.iter().map(|label| label.row + 1).max().unwrap_or(0) as f64 * LINE;
            title + references + if title + references > 0.0 { 5.0 } else { 0.0 }
        };
        at += row.iter().map(above).fold(0.0, f64::max);
        // One label for a row of panels that have the same.
        let common = row.len() > 1
            && row.iter().all(|cell| cell.shows_x)
            && panels.windows(2).all(|pair| pair[0].x.label == pair[1].x.label);
        let span = row.first().map_or(0.0, |first| first.frame.left)
            ..row.last().map_or(0.0, |last| last.frame.right());
        let mut below: f64 = 0.0;
        for (place, (cell, panel)) in row.iter_mut().zip(panels).enumerate() {
            cell.frame.top = at.round();
            let span = if common { span.clone() } else { cell.frame.left..cell.frame.right() };
            if cell.shows_x && (!common || place == 0) {
                cell.x_label = wrapped(&panel.x.label, span.end - span.start, width);
                cell.x_label_middle = f64::midpoint(span.start, span.end);
            }
            below = below.max(cell.room_below());
        }
        at = row.first().map_or(at, |cell| cell.frame.bottom()) + below + GAP;
    }
    if cells.is_empty() { at } else { at - GAP }
}

/// The distance of the outermost marks from the ends of a frame; ticks may be beyond them but not beyond the
/// frame.
pub(super) fn inset(range: &Range, length: f64) -> f64 {
    if range.scale.categories().is_some() { 0.0 } else { (length * Range::BEYOND).max(INSET) }
}
