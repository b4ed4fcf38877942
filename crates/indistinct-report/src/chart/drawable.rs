//! The drawable part of a chart: every number without a place on its axis is removed and counted.

use super::{Axis, BoxSummary, Chart, Marks, Panel, Point};

/// The chart with drawable numbers only, and the number of others.
pub(super) fn drawable(chart: &Chart) -> (Chart, usize) {
    let mut chart = chart.clone();
    let left_out = chart.panels.iter_mut().map(keep).sum();
    (chart, left_out)
}

fn keep(panel: &mut Panel) -> usize {
    let (x, y) = (Sieve(&panel.x), Sieve(&panel.y));
    let mut left_out = 0;
    for series in &mut panel.series {
        match &mut series.marks {
            Marks::Line(points) => points.retain_mut(|point| x.point(&y, point, &mut left_out)),
            Marks::Dots { points, .. } => points.retain(|&(across, up)| {
                left_out += x.bad(&[across]) + y.bad(&[up]);
                x.has(across) && y.has(up)
            }),
            Marks::Boxes(boxes) => {
                let (at, value) = if panel.y.scale.categories().is_some() { (&y, &x) } else { (&x, &y) };
                boxes.retain_mut(|summary| value.summary(at, summary, &mut left_out));
            }
            Marks::Bars(bars) => {
                let (at, value) = if panel.y.scale.categories().is_some() { (&y, &x) } else { (&x, &y) };
                bars.retain_mut(|bar| {
                    if let Some(ends) = bar.reach {
                        let bad = value.bad(&ends);
                        left_out += bad;
                        bar.reach = Some(ends).filter(|_| bad == 0);
                    }
                    let bad = at.bad(&[bar.from, bar.to]) + value.bad(&[bar.value]);
                    left_out += bad;
                    bad == 0
                });
            }
        }
    }
    panel.references.retain(|reference| {
        let axis = if reference.on_x { &x } else { &y };
        left_out += axis.bad(&[reference.value]);
        axis.has(reference.value)
    });
    left_out
}

struct Sieve<'a>(&'a Axis);

impl Sieve<'_> {
    fn has(&self, value: f64) -> bool {
        self.0.scale.transform(value).is_some()
    }

    fn bad(&self, values: &[f64]) -> usize {
        values.iter().filter(|value| !self.has(**value)).count()
    }

    /// Whether a point has a place; ends of its bar that have none are moved to the point.
    fn point(&self, y: &Sieve, point: &mut Point, left_out: &mut usize) -> bool {
        *left_out += self.bad(&[point.x]) + y.bad(&[point.y, point.low, point.high]);
        for end in [&mut point.low, &mut point.high] {
            if !y.has(*end) {
                *end = point.y;
            }
        }
        self.has(point.x) && y.has(point.y)
    }

    /// Whether a box's quartiles have places; ends of whiskers that have none are moved to the box.
    fn summary(&self, at: &Sieve, summary: &mut BoxSummary, left_out: &mut usize) -> bool {
        let BoxSummary { low, first, median, third, high, .. } = *summary;
        *left_out += at.bad(&[summary.at]) + self.bad(&[low, first, median, third, high]) + summary.left_out;
        *left_out += summary.mean.map_or(0, |mean| self.bad(&[mean]));
        summary.low = if self.has(low) { low } else { first };
        summary.high = if self.has(high) { high } else { third };
        summary.mean = summary.mean.filter(|mean| self.has(*mean));
        at.has(summary.at) && [first, median, third].into_iter().all(|value| self.has(value))
    }
}

/// The numbers that a panel shows along one of its axes.
pub(super) fn along(panel: &Panel, on_x: bool) -> Vec<f64> {
    let mut values = Vec::new();
    let boxes_lie = panel.y.scale.categories().is_some();
    for series in &panel.series {
        match &series.marks {
            Marks::Line(points) if on_x => values.extend(points.iter().map(|point| point.x)),
            Marks::Line(points) => {
                values.extend(points.iter().flat_map(|point| [point.y, point.low, point.high]));
            }
            Marks::Dots { points, .. } => {
                values.extend(points.iter().map(|&(x, y)| if on_x { x } else { y }));
            }
            Marks::Boxes(boxes) if boxes_lie == on_x => values.extend(boxes.iter().flat_map(|summary| {
                let BoxSummary { low, first, median, third, high, mean, .. } = *summary;
                [low, first, median, third, high, mean.unwrap_or(median)]
            })),
            Marks::Boxes(boxes) => values.extend(boxes.iter().map(|summary| summary.at)),
            Marks::Bars(bars) if boxes_lie == on_x => {
                values.extend(bars.iter().flat_map(|bar| [0.0, bar.value]));
                values.extend(bars.iter().filter_map(|bar| bar.reach).flatten());
            }
            Marks::Bars(bars) => values.extend(bars.iter().flat_map(|bar| [bar.from, bar.to])),
        }
    }
    values.extend(panel.references.iter().filter(|line| line.on_x == on_x).map(|line| line.value));
    values
}
