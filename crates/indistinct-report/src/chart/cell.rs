//! One panel with its place: ranges, ticks, and the labels around its frame.

use super::canvas::Frame;
use super::drawable::along;
use super::labels::{Wish, apart};
use super::layout::{INSET, LEADER, NARROWEST, SIDE, TICK, inset};
use super::legend::{LONGEST_SAMPLE, Legend};
use super::scale::Range;
use super::text::{LINE, width, wrapped};
use super::ticks::{Tick, ticks};
use super::{Axis, Chart, Marks, Panel, Point, Reference, Series};

/// A label to the right of a frame: the end of a horizontal reference, or of a line.
pub(super) struct SideLabel {
    pub(super) lines: Vec<String>,
    /// The legend's entry that it shows, if it shows one.
    pub(super) entry: Option<usize>,
    /// The end of its line, unless that is not in this panel.
    pub(super) end: Option<(f64, f64)>,
}

impl SideLabel {
    pub(super) fn height(&self) -> f64 {
        self.lines.len() as f64 * LINE + 2.0
    }

    fn length(&self) -> f64 {
        self.lines.iter().map(|line| width(line)).fold(0.0, f64::max)
    }
}

/// A label above a frame, in this row from below.
pub(super) struct TopLabel {
    pub(super) text: String,
    pub(super) middle: f64,
    pub(super) row: usize,
}

/// The side of the frame from which bars grow.
#[derive(Clone, Copy, PartialEq)]
enum Ground {
    None,
    Left,
    Bottom,
}

impl Ground {
    /// The ground of a panel: it has one if it has only bars, none of them below zero.
    fn of(panel: &Panel) -> Self {
        let upright = |series: &Series| match &series.marks {
            Marks::Bars(bars) => {
                bars.iter().all(|bar| bar.value >= 0.0 && bar.reach.iter().flatten().all(|end| *end >= 0.0))
            }
            _ => false,
        };
        match panel.y.scale.categories() {
            _ if panel.series.is_empty() || !panel.series.iter().all(upright) => Self::None,
            Some(_) => Self::Left,
            None => Self::Bottom,
        }
    }
}

pub(super) struct Cell<'a> {
    pub(super) frame: Frame,
    pub(super) x: Range<'a>,
    pub(super) y: Range<'a>,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    /// Whether tick labels and axis labels are drawn: facets share them.
    pub(super) shows_x: bool,
    pub(super) shows_y: bool,
    pub(super) title: Vec<String>,
    pub(super) x_label: Vec<String>,
    pub(super) x_label_middle: f64,
    pub(super) y_label: Vec<String>,
    pub(super) side: Vec<SideLabel>,
    pub(super) top: Vec<TopLabel>,
    pub(super) references: &'a [Reference],
    ground: Ground,
    labels_top: bool,
    y_text: &'a str,
}

impl<'a> Cell<'a> {
    pub(super) fn new(chart: &'a Chart, place: usize, columns: usize, guess: f64, legend: &Legend) -> Self {
        let panels = &chart.panels;
        let panel = &panels[place];
        let left = (!place.is_multiple_of(columns)).then(|| &panels[place - 1]);
        let right = panels.get(place + 1).filter(|_| !(place + 1).is_multiple_of(columns));
        let above = place.checked_sub(columns).map(|above| &panels[above]);
        let below = panels.get(place + columns);
        let same = |other: Option<&Panel>, on_x: bool| {
            other.is_some_and(|other| {
                let [a, b] =
                    [panel, other].map(|panel| panel.references.iter().filter(|line| line.on_x == on_x));
                axis(panel, on_x) == axis(other, on_x) && a.eq(b)
            })
        };
        // Labels below the next row would be out of sight.
        let tall = panel.y.scale.categories().is_some_and(|names| names.len() > 20);
        let x = range(chart, place, true);
        let places = line_places(chart, &panel.x);
        let mut cell = Self {
            frame: Frame::default(),
            x_ticks: ticks(&x, (guess / 46.0) as usize, places),
            y_ticks: Vec::new(),
            x,
            y: range(chart, place, false),
            shows_x: tall || below.is_none_or(|below| below.x != panel.x),
            shows_y: left.is_none_or(|left| left.y != panel.y),
            title: Vec::new(),
            x_label: Vec::new(),
            x_label_middle: 0.0,
            y_label: Vec::new(),
            side: Vec::new(),
            top: Vec::new(),
            references: &panel.references,
            ground: Ground::of(panel),
            labels_top: tall || !same(above, true),
            y_text: &panel.y.label,
        };
        if !same(right, false) {
            let lines = panel.references.iter().filter(|line| !line.on_x && !line.label.trim().is_empty());
            cell.side.extend(lines.map(|line| SideLabel {
                lines: wrapped(&line.label, SIDE, width),
                entry: None,
                end: Some((f64::INFINITY, line.value)),
            }));
        }
        if legend.at_line_ends && place + 1 == columns {
            cell.side.extend(line_ends(panel, legend));
        }
        cell
    }

    /// Sets the height, before the width: the number of ticks depends on it, and so does the room for their
    /// labels.
    pub(super) fn set_height(&mut self, height: f64) {
        self.frame.height = height.round();
        self.y_ticks = ticks(&self.y, (height / 34.0) as usize, None);
        if self.shows_y {
            self.y_label = wrapped(self.y_text, height, width);
        }
    }

    pub(super) fn room_left(&self) -> f64 {
        let room = if self.shows_y { TICK + self.tick_width() + self.y_label_room() } else { 0.0 };
        room.max(self.overhang(false))
    }

    pub(super) fn room_right(&self) -> f64 {
        let before = if self.side_is_legend() { LEADER + LONGEST_SAMPLE + 6.0 } else { TICK };
        self.side.iter().map(|label| before + label.length()).fold(self.overhang(true), f64::max)
    }

    /// Whether the labels at the side have samples, including those of references.
    pub(super) fn side_is_legend(&self) -> bool {
        self.side.iter().any(|label| label.entry.is_some())
    }

    pub(super) fn room_below(&self) -> f64 {
        if !self.shows_x {
            return 0.0;
        }
        let ticks = if self.x_ticks.is_empty() { 0.0 } else { TICK + self.x_tick_depth() };
        ticks + if self.x_label.is_empty() { 0.0 } else { self.x_label.len() as f64 * LINE + 5.0 }
    }

    /// The widest label of the vertical axis.
    pub(super) fn tick_width(&self) -> f64 {
        self.y_ticks.iter().map(|tick| width(&tick.label)).fold(0.0, f64::max)
    }

    fn y_label_room(&self) -> f64 {
        if self.y_label.is_empty() { 0.0 } else { self.y_label.len() as f64 * LINE + 6.0 }
    }

    /// The overhang of the horizontal axis's labels beyond an end of the frame.
    fn overhang(&self, at_end: bool) -> f64 {
        if self.x.scale.categories().is_some() || !self.shows_x {
            return 0.0;
        }
        let over = |tick: &Tick| {
            let share = self.x.share(tick.value);
            // The frame is at least as wide as this, so that the tick is at least as far from its end.
            let inside = INSET + (NARROWEST - 2.0 * INSET) * if at_end { 1.0 - share } else { share };
            width(&tick.label) / 2.0 - inside
        };
        self.x_ticks.iter().map(over).fold(0.0, f64::max)
    }

    fn widest_x(&self) -> f64 {
        self.x_ticks.iter().map(|tick| width(&tick.label)).fold(0.0, f64::max)
    }

    /// Whether names are turned because they are wider than their columns.
    pub(super) fn x_turned(&self) -> bool {
        self.x
            .scale
            .categories()
            .is_some_and(|names| self.widest_x() + 6.0 > self.frame.width / (names.len() as f64 + 1.0))
    }

    pub(super) fn x_tick_depth(&self) -> f64 {
        if self.x_turned() { self.widest_x() } else { LINE - 2.0 }
    }

    /// The part of the frame to which values are mapped.
    fn inner(&self) -> Frame {
        let Frame { left, top, width, height } = self.frame;
        let (across, down) = (inset(&self.x, width), inset(&self.y, height));
        let before = if self.ground == Ground::Left { 0.0 } else { across };
        let below = if self.ground == Ground::Bottom { 0.0 } else { down };
        Frame {
            left: left + before,
            top: top + down,
            width: width - before - across,
            height: height - down - below,
        }
    }

    pub(super) fn x_of(&self, value: f64) -> f64 {
        let inner = self.inner();
        let share = self.x.share(value);
        inner.left + if self.ground == Ground::Left { share.max(0.0) } else { share } * inner.width
    }

    pub(super) fn y_of(&self, value: f64) -> f64 {
        let inner = self.inner();
        let share = self.y.share(value);
        let share = if self.ground == Ground::Bottom { share.max(0.0) } else { share };
        // Names are read from the top, numbers grow upwards.
        inner.top + inner.height * if self.y.scale.categories().is_some() { share } else { 1.0 - share }
    }

    /// The positions of the labels at the side, moved apart.
    pub(super) fn side_middles(&self) -> Vec<f64> {
        let wish = |label: &SideLabel| Wish {
            middle: label.end.map_or(self.frame.bottom(), |(_, y)| self.y_of(y)),
            length: label.height(),
        };
        let wishes: Vec<Wish> = self.side.iter().map(wish).collect();
        apart(&wishes, self.frame.top, self.frame.bottom())
    }

    /// Places the labels of vertical references: above their lines, in further rows where they would overlap.
    pub(super) fn place_top_labels(&mut self) {
        let (left, right) = (self.frame.left, self.frame.right());
        let mut ends: Vec<f64> = Vec::new();
        let mut lines: Vec<&Reference> =
            self.references.iter().filter(|line| line.on_x && !line.label.trim().is_empty()).collect();
        lines.sort_by(|a, b| self.x.share(a.value).total_cmp(&self.x.share(b.value)));
        for line in lines.into_iter().filter(|_| self.labels_top) {
            for text in wrapped(&line.label, right - left, width).into_iter().rev() {
                let half = width(&text) / 2.0;
                let middle = self.x_of(line.value).min(right - half).max(left + half);
                let row = ends.iter().position(|end| *end < middle - half).unwrap_or(ends.len());
                ends.resize(ends.len().max(row + 1), 0.0);
                ends[row] = middle + half + 8.0;
                self.top.push(TopLabel { text, middle, row });
            }
        }
    }
}

fn axis(panel: &Panel, on_x: bool) -> &Axis {
    if on_x { &panel.x } else { &panel.y }
}

/// The range of a panel's axis, shared with all panels that have the same axis.
fn range(chart: &Chart, place: usize, on_x: bool) -> Range<'_> {
    let own = axis(&chart.panels[place], on_x);
    let same = chart.panels.iter().enumerate();
    let same = same.filter(|(other, panel)| *other == place || axis(panel, on_x) == own);
    Range::over(&own.scale, same.flat_map(|(_, panel)| along(panel, on_x)))
}

/// The few values of an axis along which there are only lines, to be used as its labels.
fn line_places(chart: &Chart, x: &Axis) -> Option<Vec<f64>> {
    let mut places = Vec::new();
    for series in chart.panels.iter().filter(|panel| panel.x == *x).flat_map(|panel| &panel.series) {
        let Marks::Line(points) = &series.marks else { return None };
        places.extend(points.iter().map(|point| point.x));
    }
    places.sort_by(f64::total_cmp);
    places.dedup();
    (3..=7).contains(&places.len()).then_some(places)
}

/// The legend as labels at the ends of a panel's lines.
fn line_ends<'b>(panel: &'b Panel, legend: &'b Legend) -> impl Iterator<Item = SideLabel> + 'b {
    let entries = legend.entries.iter().enumerate().filter(|(_, entry)| !entry.name.trim().is_empty());
    entries.map(|(place, entry)| {
        let line = panel.series.iter().find(|series| series.name == entry.name);
        let end = line.and_then(|series| match &series.marks {
            Marks::Line(points) => points.iter().max_by(|a, b| a.x.total_cmp(&b.x)),
            _ => None,
        });
        let end = end.map(|&Point { x, y, .. }| (x, y));
        SideLabel { lines: wrapped(&entry.name, SIDE, width), entry: Some(place), end }
    })
}
