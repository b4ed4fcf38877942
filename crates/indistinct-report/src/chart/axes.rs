//! The surroundings of the marks: grid, axes, ticks, labels, references.

use super::Panel;
use super::canvas::{Canvas, Frame};
use super::cell::Cell;
use super::layout::{LEADER, TICK};
use super::legend::{LONGEST_SAMPLE, Legend};
use super::text::{LINE, width};
use super::{Marks, style};

/// Distance from the middle of a line of text to its baseline.
const BASELINE: f64 = 4.0;

/// Draws everything below the marks.
pub(super) fn draw_below(canvas: &mut Canvas, panel: &Panel, cell: &Cell) {
    let Frame { left, top, .. } = cell.frame;
    let (right, bottom) = (cell.frame.right(), cell.frame.bottom());
    bands(canvas, panel, cell);
    if cell.x.scale.categories().is_none() {
        for tick in &cell.x_ticks {
            let x = cell.x_of(tick.value);
            canvas.line("ic-grid", (x, top), (x, bottom));
        }
    }
    if cell.y.scale.categories().is_none() {
        for tick in &cell.y_ticks {
            let y = cell.y_of(tick.value);
            canvas.line("ic-grid", (left, y), (right, y));
        }
    }
    canvas.path("ic-axis ic-frame", &format!("M{left} {top}V{bottom}H{right}"));
    let rows = cell.top.iter().map(|label| label.row + 1).max().unwrap_or(0) as f64;
    let title_end = top - 6.0 - rows * LINE - (cell.title.len() as f64 - 1.0) * (LINE + 1.0);
    for (line, text) in cell.title.iter().enumerate() {
        canvas.text("ic-heading", left, title_end + line as f64 * (LINE + 1.0), text);
    }
    if cell.shows_x {
        x_labels(canvas, cell);
    }
    if cell.shows_y {
        y_labels(canvas, cell);
    }
}

fn x_labels(canvas: &mut Canvas, cell: &Cell) {
    let bottom = cell.frame.bottom();
    let turned = cell.x_turned();
    let places: Vec<f64> = cell.x_ticks.iter().map(|tick| cell.x_of(tick.value)).collect();
    let halves: Vec<f64> = cell
        .x_ticks
        .iter()
        .map(|tick| if turned { LINE / 2.0 - 3.0 } else { width(&tick.label) / 2.0 })
        .collect();
    let stride = stride(&places, &halves);
    for (number, (tick, x)) in cell.x_ticks.iter().zip(places).enumerate() {
        canvas.line("ic-axis", (x, bottom), (x, bottom + 4.0));
        if number % stride != 0 {
            continue;
        }
        if turned {
            canvas.turned("ic-tick ic-end", x + BASELINE, bottom + TICK, &tick.label);
        } else {
            canvas.text("ic-tick ic-middle", x, bottom + TICK + 9.0, &tick.label);
        }
    }
    let below = cell.room_below() - cell.x_label.len() as f64 * LINE;
    for (line, text) in cell.x_label.iter().enumerate() {
        let y = bottom + below + line as f64 * LINE + 9.0;
        canvas.text("ic-label ic-middle", cell.x_label_middle, y, text);
    }
}

fn y_labels(canvas: &mut Canvas, cell: &Cell) {
    let left = cell.frame.left;
    let places: Vec<f64> = cell.y_ticks.iter().map(|tick| cell.y_of(tick.value)).collect();
    let stride = stride(&places, &vec![LINE / 2.0 - 3.0; places.len()]);
    let named = cell.y.scale.categories().is_some();
    for (number, (tick, y)) in cell.y_ticks.iter().zip(places).enumerate() {
        if !named {
            canvas.line("ic-axis", (left - 4.0, y), (left, y));
        }
        if number % stride == 0 {
            let class = if named { "ic-end" } else { "ic-tick ic-end" };
            canvas.text(class, left - TICK, y + BASELINE, &tick.label);
        }
    }
    let end = left - TICK - cell.tick_width() - 6.0;
    let middle = cell.frame.top + cell.frame.height / 2.0;
    for (line, text) in cell.y_label.iter().rev().enumerate() {
        canvas.turned("ic-label ic-middle", end - line as f64 * LINE - 3.0, middle, text);
    }
}

/// The distance between drawn labels, so that none comes too near to the next.
fn stride(places: &[f64], halves: &[f64]) -> usize {
    let fits = |stride: &usize| {
        let drawn: Vec<usize> = (0..places.len()).step_by(*stride).collect();
        drawn
            .windows(2)
            .all(|pair| (places[pair[1]] - places[pair[0]]).abs() >= halves[pair[0]] + halves[pair[1]] + 5.0)
    };
    (1..=places.len()).find(fits).unwrap_or(1)
}

/// Every other group of categories, as the series group them, on a band of its own.
fn bands(canvas: &mut Canvas, panel: &Panel, cell: &Cell) {
    let Some(names) = panel.y.scale.categories() else { return };
    let mut owners: Vec<Option<usize>> = vec![None; names.len()];
    for (number, series) in panel.series.iter().enumerate() {
        if let Marks::Boxes(boxes) = &series.marks {
            for summary in boxes {
                if let Some(owner) = owners.get_mut(summary.at.round().max(0.0) as usize) {
                    *owner = Some(number);
                }
            }
        }
    }
    let (mut group, mut current) = (0, None);
    let pitch = cell.frame.height / (names.len() as f64 + 1.0);
    for (place, owner) in owners.into_iter().enumerate() {
        if owner.is_some() && owner != current {
            group += usize::from(current.is_some());
            current = owner;
        }
        if group % 2 == 1 {
            let top = cell.frame.top + (place as f64 + 0.5) * pitch;
            canvas.rect("ic-band", Frame { top, height: pitch, ..cell.frame });
        }
    }
}

/// Draws references, and the labels at their ends and at those of lines.
pub(super) fn draw_above(canvas: &mut Canvas, cell: &Cell, legend: &Legend) {
    let Frame { left, top, .. } = cell.frame;
    let (right, bottom) = (cell.frame.right(), cell.frame.bottom());
    for reference in cell.references {
        let (from, to) = if reference.on_x {
            let x = cell.x_of(reference.value);
            ((x, top), (x, bottom))
        } else {
            let y = cell.y_of(reference.value);
            ((left, y), (right, y))
        };
        canvas.line("ic-reference", from, to);
    }
    for label in &cell.top {
        canvas.text("ic-tick ic-middle", label.middle, top - 5.0 - label.row as f64 * LINE, &label.text);
    }
    side_labels(canvas, cell, legend);
}

fn side_labels(canvas: &mut Canvas, cell: &Cell, legend: &Legend) {
    let right = cell.frame.right();
    let sample = right + LEADER;
    for (label, middle) in cell.side.iter().zip(cell.side_middles()) {
        let entry = label.entry.map(|place| &legend.entries[place]);
        let leader = |canvas: &mut Canvas, (x, y): (f64, f64)| {
            canvas.line("ic-leader", (x, cell.y_of(y)), (sample - 3.0, middle));
        };
        match (entry, label.end) {
            (Some(entry), Some((x, y))) => canvas.group(entry.look.class(), |canvas| {
                leader(canvas, (cell.x_of(x) + style::MARKER + 3.0, y));
            }),
            (None, Some((_, y))) if cell.side_is_legend() => canvas.group("ic-tick", |canvas| {
                leader(canvas, (right + 2.0, y));
                canvas.line("ic-reference", (sample, middle), (sample + LONGEST_SAMPLE, middle));
            }),
            _ => {}
        }
        if let Some(entry) = entry {
            entry.draw_sample(canvas, sample, middle);
        }
        let left = if cell.side_is_legend() { sample + LONGEST_SAMPLE + 6.0 } else { right + TICK };
        let class = if entry.is_some() { "ic-name" } else { "ic-tick" };
        let first = middle - (label.lines.len() as f64 - 1.0) * LINE / 2.0 + BASELINE;
        for (line, text) in label.lines.iter().enumerate() {
            canvas.text(class, left, first + line as f64 * LINE, text);
        }
    }
}
