//! Charts as plain SVG: small, the same bytes for the same input, readable on paper, on light and on dark screens.
//!
//! A [`Chart`] is a grid of [`Panel`]s. Panels whose axes have equal labels and scales share their ranges, so that
//! facets can be compared, and tick labels are drawn once for a row or a column of them. The result stands alone as a
//! file and can be put into a page: class names begin with `ic-`, ids end with a hash of the content, and nothing is
//! loaded from elsewhere.
//!
//! Numbers that an axis cannot show (not finite, or not positive on a logarithmic axis) are left out, and the
//! description says how many.

mod axes;
mod canvas;
mod cell;
mod drawable;
mod heat;
mod labels;
mod layout;
mod legend;
mod marks;
pub(crate) mod number;
mod scale;
mod strip;
mod style;
mod summary;
mod text;
mod ticks;
mod tree;

pub use heat::{HeatCell, HeatMap};
pub use scale::Scale;
pub use strip::{Strip, StripPart};
pub use style::{NEUTRAL, sheet as style_sheet};
pub use summary::BoxSummary;
pub use tree::{TreeBranch, TreeChart, TreeNode};

use canvas::Canvas;
use layout::{Layout, Room};

/// A figure: panels in rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The title, drawn above the panels unless it is empty, and the name for screen readers.
    pub title: String,
    /// A description of the figure in words, for readers who cannot see it. It is not drawn.
    pub description: String,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Number of panels in a row.
    pub across: usize,
}

/// One frame with its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Drawn above the frame.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, later ones drawn over earlier ones.
    pub series: Vec<Series>,
    /// Lines at values that the marks are compared with.
    pub references: Vec<Reference>,
}

/// The quantity along one side of a panel, and its scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Drawn beside the tick labels.
    pub label: String,
    /// The map from values to positions.
    pub scale: Scale,
}

/// Marks of one colour under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The entry of the legend; series with the same name, in any panel, have one entry. An empty name has none.
    pub name: String,
    /// Index in the palette of eight colours: blue, vermilion, green, pink, ochre, sky, indigo, and grey
    /// ([`NEUTRAL`]). Series whose indices agree modulo eight are told apart by line and marker.
    pub colour: usize,
    /// The marks.
    pub marks: Marks,
}

/// The marks of a series.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Points joined in the order given, with error bars; the line passes over points that have no place. A chart
    /// with lines has its legend at their ends in the last panel of the first row.
    Line(Vec<Point>),
    /// Many points, drawn as one path so that thousands of them stay small.
    Dots {
        /// Their positions.
        points: Vec<(f64, f64)>,
        /// Radius in pixels, at most [`Marks::LARGEST_RADIUS`].
        radius: f64,
        /// From 0 to 1; overlapping dots do not add up.
        opacity: f64,
    },
    /// Boxes with whiskers.
    Boxes(Vec<BoxSummary>),
    /// Bars from zero: horizontal if the y axis has categories, otherwise vertical. A panel with only bars has no
    /// space below zero.
    Bars(Vec<Bar>),
}

impl Marks {
    /// The largest radius of dots: larger ones would reach beyond the frame.
    pub const LARGEST_RADIUS: f64 = layout::INSET;
}

/// A bar of a histogram or beside a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its beginning on the other axis; half a category is 0.5.
    pub from: f64,
    /// Its end there.
    pub to: f64,
    /// Its length from zero.
    pub value: f64,
    /// The ends of its error bar, if it has one.
    pub reach: Option<[f64; 2]>,
    /// The text that is read when the pointer is over it.
    pub hover: String,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Horizontal position.
    pub x: f64,
    /// Vertical position.
    pub y: f64,
    /// Lower end of the error bar; `y` if there is none.
    pub low: f64,
    /// Upper end of the error bar; `y` if there is none.
    pub high: f64,
}

/// A line across a panel at one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The value at which it crosses the axis.
    pub value: f64,
    /// The label at its end.
    pub label: String,
    /// Whether the value is one of the x axis, so that the line is vertical.
    pub on_x: bool,
}

impl Chart {
    /// The chart as an SVG document without an XML declaration, which can be a file or part of a page.
    pub fn to_svg(&self) -> String {
        self.draw(Room::of_a_figure(), true)
    }

    /// The chart for a page that has the [`style_sheet`] once: about this wide, with panels of numbers this high.
    pub fn to_inline_svg(&self, width: f64, panel_height: f64) -> String {
        self.draw(Room { width, panel_height: Some(panel_height) }, false)
    }

    fn draw(&self, room: Room, styled: bool) -> String {
        let (chart, left_out) = drawable::drawable(self);
        let legend = legend::Legend::of(&chart);
        let layout = Layout::of(&chart, &legend, room);
        let mut canvas = Canvas::default();
        layout.draw_titles(&mut canvas, &legend);
        for (panel, cell) in chart.panels.iter().zip(&layout.cells) {
            canvas.group("ic-panel", |canvas| {
                axes::draw_below(canvas, panel, cell);
                canvas.group("ic-marks", |canvas| marks::draw(canvas, panel, cell, &legend));
                axes::draw_above(canvas, cell, &legend);
            });
        }
        let described = self.described(left_out);
        canvas.finish(layout.width, layout.height, &self.title, &described, styled)
    }

    fn described(&self, left_out: usize) -> String {
        let sentence = match left_out {
            0 => return self.description.clone(),
            1 => "1 value is not drawn: it is not finite or not on its axis.".to_owned(),
            _ => format!("{left_out} values are not drawn: they are not finite or not on their axes."),
        };
        if self.description.is_empty() { sentence } else { format!("{} {sentence}", self.description) }
    }
}
