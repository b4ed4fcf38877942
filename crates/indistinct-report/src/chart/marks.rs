//! Drawing of the marks.

use super::canvas::{Canvas, Frame, tenths};
use super::cell::Cell;
use super::layout::INSET;
use super::legend::Legend;
use super::number::significant;
use super::style::Look;
use super::{Bar, BoxSummary, Marks, Panel, Point, Series};

/// Significant digits of the numbers that the pointer shows.
const DIGITS: usize = 4;

/// The radius, held within the frame and large enough to be seen.
pub(super) fn radius(radius: f64) -> f64 {
    if radius.is_nan() { 1.0 } else { radius.clamp(0.3, INSET) }
}

pub(super) fn opacity(opacity: f64) -> f64 {
    if opacity.is_nan() { 1.0 } else { opacity.clamp(0.0, 1.0) }
}

pub(super) fn draw(canvas: &mut Canvas, panel: &Panel, cell: &Cell, legend: &Legend) {
    let thickness = box_thickness(panel, cell);
    for series in &panel.series {
        let look = legend.look(series);
        canvas.group(look.class(), |canvas| match &series.marks {
            Marks::Line(points) => line(canvas, panel, cell, series, look, points),
            Marks::Dots { points, radius: wide, opacity: dense } => {
                let places = points.iter().map(|&(x, y)| (cell.x_of(x), cell.y_of(y)));
                canvas.dots("ic-dots", places, radius(*wide), opacity(*dense));
            }
            Marks::Boxes(boxes) => {
                for summary in boxes {
                    draw_box(canvas, panel, cell, series, summary, thickness);
                }
            }
            Marks::Bars(bars) => bars.iter().for_each(|bar| draw_bar(canvas, panel, cell, bar)),
        });
    }
}

fn line(canvas: &mut Canvas, panel: &Panel, cell: &Cell, series: &Series, look: Look, points: &[Point]) {
    let place = |point: &Point| (cell.x_of(point.x), cell.y_of(point.y));
    for point in points.iter().filter(|point| point.low != point.high) {
        let x = cell.x_of(point.x);
        canvas.line("ic-bar", (x, cell.y_of(point.low)), (x, cell.y_of(point.high)));
    }
    let corners: Vec<String> =
        points.iter().map(place).map(|(x, y)| format!("{} {}", tenths(x), tenths(y))).collect();
    if corners.len() > 1 {
        canvas.path(look.line_class(), &format!("M{}", corners.join("L")));
    }
    for point in points {
        let (x, y) = place(point);
        let number = |value: f64| significant(value, DIGITS);
        let bar = if point.low == point.high {
            String::new()
        } else {
            format!(" ({} to {})", number(point.low), number(point.high))
        };
        let along = format!("{}: {}", panel.x.label, number(point.x));
        let up = format!("{}: {}{bar}", panel.y.label, number(point.y));
        let hover = format!("{}\n{along}\n{up}", series.name);
        canvas.hovered(&hover, |canvas| canvas.path(look.marker_class(), &look.marker(x, y)));
    }
}

fn draw_bar(canvas: &mut Canvas, panel: &Panel, cell: &Cell, bar: &Bar) {
    let (low, high) = (bar.from.min(bar.to), bar.from.max(bar.to));
    let lies = panel.y.scale.categories().is_some();
    let ((x1, x2), (y1, y2)) = if lies {
        ((cell.x_of(0.0), cell.x_of(bar.value)), (cell.y_of(low), cell.y_of(high)))
    } else {
        ((cell.x_of(low), cell.x_of(high)), (cell.y_of(0.0), cell.y_of(bar.value)))
    };
    let (left, top) = (x1.min(x2), y1.min(y2));
    let frame = Frame { left, top, width: (x1 - x2).abs(), height: (y1 - y2).abs() };
    canvas.hovered(&bar.hover, |canvas| canvas.rect("ic-solid", frame));
    if let Some([from, to]) = bar.reach {
        let middle = f64::midpoint(low, high);
        let place = |value: f64| {
            if lies { (cell.x_of(value), cell.y_of(middle)) } else { (cell.x_of(middle), cell.y_of(value)) }
        };
        canvas.line("ic-reach", place(from), place(to));
    }
}

/// The thickness of boxes: most of the distance to their neighbours.
fn box_thickness(panel: &Panel, cell: &Cell) -> f64 {
    let lie = panel.y.scale.categories().is_some();
    let mut places: Vec<f64> = Vec::new();
    for series in &panel.series {
        if let Marks::Boxes(boxes) = &series.marks {
            places.extend(boxes.iter().map(|b| if lie { cell.y_of(b.at) } else { cell.x_of(b.at) }));
        }
    }
    places.sort_by(f64::total_cmp);
    let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.5);
    let nearest = gaps.fold(f64::INFINITY, f64::min);
    (nearest * 0.6).min(2.0 * INSET - 4.0)
}

fn draw_box(
    canvas: &mut Canvas,
    panel: &Panel,
    cell: &Cell,
    series: &Series,
    summary: &BoxSummary,
    thickness: f64,
) {
    let lies = panel.y.scale.categories().is_some();
    let names = if lies { &panel.y.scale } else { &panel.x.scale }.categories();
    let BoxSummary { at, low, first, median, third, high, mean, left_out } = *summary;
    let number = |value: f64| significant(value, DIGITS);
    let name = names.and_then(|names| names.get(at.round().max(0.0) as usize)).map_or("", String::as_str);
    let mut hover = format!("{name} ({})\nmedian: {}\n", series.name, number(median));
    hover += &format!(
        "quartiles: {} to {}\nwhiskers: {} to {}",
        number(first),
        number(third),
        number(low),
        number(high)
    );
    hover += &mean.map_or(String::new(), |mean| format!("\nmean: {}", number(mean)));
    hover += &if left_out > 0 { format!("\nnot finite: {left_out}") } else { String::new() };

    let middle = if lies { cell.y_of(at) } else { cell.x_of(at) };
    let half = thickness / 2.0;
    // Along the values, then across them.
    let place = |value: f64, across: f64| {
        if lies { (cell.x_of(value), middle + across) } else { (middle + across, cell.y_of(value)) }
    };
    canvas.hovered(&hover, |canvas| {
        canvas.line("ic-whisker", place(low, 0.0), place(first.min(third), 0.0));
        canvas.line("ic-whisker", place(first.max(third), 0.0), place(high, 0.0));
        let ((x1, y1), (x2, y2)) = (place(first, -half), place(third, half));
        let (left, top) = (x1.min(x2), y1.min(y2));
        let frame = Frame { left, top, width: (x1 - x2).abs(), height: (y1 - y2).abs() };
        canvas.rect("ic-box", frame);
        canvas.line("ic-median", place(median, -half), place(median, half));
        if let Some(mean) = mean {
            let (x, y) = place(mean, 0.0);
            let r = 2.6_f64;
            let corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
            let corners = corners.map(|(x, y)| format!("{} {}", tenths(x), tenths(y))).join("L");
            canvas.path("ic-mean", &format!("M{corners}z"));
        }
    });
}
