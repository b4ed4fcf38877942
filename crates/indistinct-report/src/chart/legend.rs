//! The look of each series.

use super::canvas::{Canvas, Frame};
use super::style::Look;
use super::{Chart, Marks, Series, marks};

/// The kind of an entry's sample.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Line,
    Dot { radius: f64, opacity: f64 },
    Box,
    Bar,
}

/// A name and its look.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) look: Look,
    kind: Kind,
}

/// Every named series once, in the order of the chart.
pub(super) struct Legend {
    pub(super) entries: Vec<Entry>,
    /// Whether the entries stand at the ends of lines, or in rows above the panels.
    pub(super) at_line_ends: bool,
}

/// The length of a line's sample, which is the longest; names at the side of a panel come after it.
pub(super) const LONGEST_SAMPLE: f64 = 20.0;

impl Legend {
    pub(super) fn of(chart: &Chart) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let series = || chart.panels.iter().flat_map(|panel| &panel.series);
        for Series { name, colour, marks } in series() {
            if entries.iter().any(|entry| entry.name == *name) {
                continue;
            }
            let kind = match marks {
                Marks::Line(_) => Kind::Line,
                Marks::Dots { radius, opacity, .. } => Kind::Dot { radius: *radius, opacity: *opacity },
                Marks::Boxes(_) => Kind::Box,
                Marks::Bars(_) => Kind::Bar,
            };
            let alike = entries.iter().filter(|entry| entry.look.same_colour(*colour)).count();
            entries.push(Entry { name: name.clone(), look: Look::new(*colour, alike), kind });
        }
        Self { entries, at_line_ends: series().any(|series| matches!(series.marks, Marks::Line(_))) }
    }

    /// The look of a series, which has an entry if the chart is the legend's. Series without a name have looks of
    /// their own.
    pub(super) fn look(&self, series: &Series) -> Look {
        let named = !series.name.trim().is_empty();
        let entry = self.entries.iter().find(|entry| named && entry.name == series.name);
        entry.map_or_else(|| Look::new(series.colour, 0), |entry| entry.look)
    }

    /// The visible entries.
    pub(super) fn named(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.name.trim().is_empty())
    }
}

impl Entry {
    /// Length of the sample beside the name.
    pub(super) fn sample(&self) -> f64 {
        match self.kind {
            Kind::Line => LONGEST_SAMPLE,
            Kind::Dot { radius, .. } => 2.0 * sample_radius(radius),
            Kind::Box => 16.0,
            Kind::Bar => 10.0,
        }
    }

    /// Draws the sample from `x` to the right, with its middle at `y`.
    pub(super) fn draw_sample(&self, canvas: &mut Canvas, x: f64, y: f64) {
        let middle = x + self.sample() / 2.0;
        canvas.group(self.look.class(), |canvas| match self.kind {
            Kind::Line => {
                canvas.line(self.look.line_class(), (x, y), (x + self.sample(), y));
                canvas.path(self.look.marker_class(), &self.look.marker(middle, y));
            }
            Kind::Dot { radius, opacity } => {
                canvas.dots(
                    "ic-dots",
                    [(middle, y)].into_iter(),
                    sample_radius(radius),
                    marks::opacity(opacity),
                );
            }
            Kind::Box => {
                let frame = Frame { left: x, top: y - 4.5, width: self.sample(), height: 9.0 };
                canvas.rect("ic-box", frame);
                canvas.line("ic-median", (middle, y - 4.5), (middle, y + 4.5));
            }
            Kind::Bar => canvas.rect("ic-solid", Frame { left: x, top: y - 5.0, width: 10.0, height: 10.0 }),
        });
    }
}

/// The radius of a sample: dots too small to show their colour are larger in the legend.
fn sample_radius(radius: f64) -> f64 {
    marks::radius(radius).max(2.5)
}
