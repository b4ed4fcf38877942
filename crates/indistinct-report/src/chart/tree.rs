//! A tree of boxes, from left to right.

use super::canvas::{Canvas, Frame, tenths};
use super::layout::MARGIN;
use super::text::{bold_width, shortened, width, wrapped};

const TITLE: f64 = 15.0;
/// Width of a box.
const WIDTH: f64 = 126.0;
/// Height of a box.
const HEIGHT: f64 = 44.0;
/// Distance of two leaves.
const PITCH: f64 = 56.0;
/// Width of a page, which decides the length of branches: they have room for a condition.
const PAGE: f64 = 1080.0;
/// Shortest branch.
const SHORTEST: f64 = 112.0;
/// Longest branch.
const LONGEST: f64 = 230.0;
/// Room for the text beside a box.
const BESIDE: f64 = 118.0;
/// Height of the bar at the foot of a box.
const FOOT: f64 = 5.0;

/// A tree whose boxes have a share of something, shown as a bar at their foot.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeChart {
    /// The title, drawn above the tree unless it is empty, and the name for screen readers.
    pub title: String,
    /// A description in words. It is not drawn.
    pub description: String,
    /// The boxes; the first is the root, and children come after their parents.
    pub nodes: Vec<TreeNode>,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// The first line.
    pub heading: String,
    /// The second line.
    pub detail: String,
    /// The share, from 0 to 1.
    pub share: f64,
    /// The text that is read when the pointer is over it.
    pub hover: String,
    /// The branches to its children.
    pub branches: Vec<TreeBranch>,
    /// The text beside the box, if the tree continues and that is not drawn.
    pub more: String,
}

/// A branch from a box to another.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeBranch {
    /// The condition of rows that take it.
    pub condition: String,
    /// Position of the box to which it leads.
    pub to: usize,
}

/// The position of a box.
#[derive(Clone, Copy, Default)]
struct Place {
    depth: usize,
    middle: f64,
}

/// The layout of a tree.
struct Ground<'a> {
    places: &'a [Option<Place>],
    top: f64,
    way: f64,
}

impl TreeChart {
    /// The tree for a page that has the [`style_sheet`](super::style_sheet) once.
    pub fn to_inline_svg(&self) -> String {
        let mut places: Vec<Option<Place>> = vec![None; self.nodes.len()];
        let mut leaves = 0;
        if !self.nodes.is_empty() {
            self.place(0, 0, &mut leaves, &mut places);
        }
        let deepest = places.iter().flatten().map(|place| place.depth).max().unwrap_or(0) as f64;
        let more = self.nodes.iter().any(|node| !node.more.is_empty());
        let beside = if more { BESIDE } else { 0.0 };
        let boxes = 2.0 * MARGIN + (deepest + 1.0) * WIDTH + beside;
        let way = ((PAGE - boxes) / deepest.max(1.0)).clamp(SHORTEST, LONGEST).floor();
        let wide = boxes + deepest * way;
        let title = wrapped(&self.title, wide - 2.0 * MARGIN, |line| bold_width(line, TITLE));
        let top = MARGIN + title.len() as f64 * 20.0;
        let high = leaves as f64 * PITCH;
        let mut canvas = Canvas::default();
        for (line, text) in title.iter().enumerate() {
            canvas.text("ic-title", MARGIN, MARGIN + 11.0 + 20.0 * line as f64, text);
        }
        canvas.group("ic-panel", |canvas| {
            let (left, right, bottom) = (MARGIN - 2.0, wide - MARGIN + 2.0, top + high);
            canvas.path("ic-frame", &format!("M{left} {}V{}H{}", tenths(top), tenths(bottom), tenths(right)));
            canvas.group("ic-marks", |canvas| {
                let ground = Ground { places: &places, top, way };
                for (node, place) in self.nodes.iter().zip(&places) {
                    if let Some(place) = place {
                        node.draw(canvas, *place, &ground);
                    }
                }
            });
        });
        canvas.finish(wide, top + high + MARGIN, &self.title, &self.description, false)
    }

    /// Places the leaves below each other, and parents in the middle of their children. Returns the position of
    /// the node.
    fn place(&self, node: usize, depth: usize, leaves: &mut usize, places: &mut [Option<Place>]) -> f64 {
        // Children come after their parents, so that this ends.
        let children = self.nodes[node].branches.iter().map(|branch| branch.to);
        let children: Vec<usize> =
            children.filter(|&to| to > node && to < self.nodes.len() && places[to].is_none()).collect();
        let mut middles = Vec::new();
        for child in children {
            if places[child].is_none() {
                middles.push(self.place(child, depth + 1, leaves, places));
            }
        }
        let middle = if let (Some(first), Some(last)) = (middles.first(), middles.last()) {
            f64::midpoint(*first, *last)
        } else {
            *leaves += 1;
            (*leaves as f64 - 0.5) * PITCH
        };
        places[node] = Some(Place { depth, middle });
        middle
    }
}

impl TreeNode {
    fn draw(&self, canvas: &mut Canvas, place: Place, ground: &Ground) {
        let Ground { places, top, way } = *ground;
        let left = MARGIN + place.depth as f64 * (WIDTH + way);
        let (right, middle) = (left + WIDTH, top + place.middle);
        for branch in &self.branches {
            let Some(Some(child)) = places.get(branch.to) else { continue };
            if child.depth != place.depth + 1 {
                continue;
            }
            let (end, bend) = (top + child.middle, right + 12.0);
            let corner = |x: f64, y: f64| format!("{} {}", tenths(x), tenths(y));
            let path = [corner(bend, middle), corner(bend, end), corner(right + way, end)].join("L");
            canvas.hovered(&branch.condition, |canvas| {
                canvas.path("ic-branch", &format!("M{}L{path}", corner(right, middle)));
                // One line above the way, and what that does not hold below it.
                let lines = wrapped(&branch.condition, way - 18.0, width);
                let below =
                    shortened(&lines.iter().skip(1).cloned().collect::<Vec<_>>().join(" "), way - 18.0);
                let lines = lines.first().into_iter().chain((!below.is_empty()).then_some(&below));
                for (line, y) in lines.zip([end - 5.0, end + 12.0]) {
                    canvas.text("ic-tick", bend + 5.0, y, line);
                }
            });
        }
        let frame = Frame { left, top: middle - HEIGHT / 2.0, width: WIDTH, height: HEIGHT };
        canvas.hovered(&self.hover, |canvas| {
            canvas.rect("ic-node", frame);
            canvas.text("ic-strong", left + 8.0, frame.top + 16.0, &shortened(&self.heading, WIDTH - 24.0));
            canvas.text("ic-tick", left + 8.0, frame.top + 31.0, &shortened(&self.detail, WIDTH - 10.0));
            let share = if self.share.is_finite() { self.share.clamp(0.0, 1.0) } else { 0.0 };
            let foot = Frame { top: frame.bottom() - FOOT, height: FOOT, ..frame };
            canvas.tint("ic-tile ic-c7", foot, 0.55);
            canvas.tint("ic-tile ic-c0", Frame { width: WIDTH * share, ..foot }, 1.0);
        });
        if !self.more.is_empty() {
            canvas.text("ic-tick", right + 8.0, middle + 4.0, &shortened(&self.more, BESIDE - 10.0));
        }
    }
}
