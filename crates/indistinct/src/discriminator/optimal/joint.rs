//! The best root of a tree of depth 1, 2 or 3, from joint counts of the columns.
//!
//! With C cuts per column, depth 2 takes O(q^2 (N + C^2)) steps and depth 3 O(q^3 (N + C^3)): rows are counted once
//! for every pair or triple of columns, after which every tree is a sum of a few counts.

use rayon::prelude::*;

use super::cross::{Counts, NodeCounts, cross_both, larger, padded};
use super::cuts::{Axis, Rows};
use super::histogram::{accumulate, difference, size, tally, tally_one};
use super::score::Score;
use crate::progress;

/// The first split of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Root {
    pub(super) column: usize,
    /// The place among the cuts of the column.
    pub(super) cut: usize,
}

/// A root and the value of the best tree that starts with it; no root for a tree of one leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Best {
    pub(super) value: f64,
    pub(super) root: Option<Root>,
}

impl Best {
    /// The undivided root: always allowed, whatever its synthetic mass.
    pub(super) fn leaf<const T: u8, const M: bool>(score: &Score<T, M>, rows: &Rows) -> Self {
        let (d, m) = rows.totals();
        Self { value: score.free(d, m), root: None }
    }

    /// Keeps the better one, the earlier one when they are equal.
    pub(super) fn or(self, value: f64, root: Root) -> Self {
        if value > self.value { Self { value, root: Some(root) } } else { self }
    }
}

/// The best tree of depth 1.
pub(super) fn stump<const T: u8, const M: bool>(score: &Score<T, M>, axes: &[Axis], rows: &Rows) -> Best {
    let (d, m) = rows.totals();
    let mut best = Best::leaf(score, rows);
    let mut counts = Vec::new();
    for (column, axis) in axes.iter().enumerate() {
        counts.resize(axis.codes(), 0);
        tally_one(&mut counts, rows, &rows.codes[column]);
        accumulate(&mut counts, axis, 1, axis.codes());
        for (cut, &count) in counts[..axis.len()].iter().enumerate() {
            let (inside_d, inside_m) = (difference(count), size(count));
            let value = score.leaf(inside_d, inside_m) + score.leaf(d - inside_d, m - inside_m) - score.cost;
            best = best.or(value, Root { column, cut });
        }
    }
    best
}

/// The offsets of every column's entries in an array that holds all columns one after the other, padded.
struct Layout {
    offsets: Vec<usize>,
    length: usize,
}

impl Layout {
    fn new(axes: &[Axis]) -> Self {
        let mut length = 0;
        let mut offsets = Vec::with_capacity(axes.len());
        for axis in axes {
            offsets.push(length);
            length += padded(axis.codes());
        }
        Self { offsets, length }
    }
}

/// The values of the two sides of every cut of a node as trees of depth 1, plus the cost of a split.
struct Children {
    inside: Vec<f64>,
    outside: Vec<f64>,
}

impl Children {
    fn new(layout: &Layout) -> Self {
        let unknown = vec![f64::NEG_INFINITY; layout.length];
        Self { inside: unknown.clone(), outside: unknown }
    }

    fn forget(&mut self) {
        self.inside.fill(f64::NEG_INFINITY);
        self.outside.fill(f64::NEG_INFINITY);
    }

    /// The best tree of depth 2 that is not a leaf. The costs of all three splits, the root's and the children's,
    /// are subtracted here: the children's values do not contain them.
    fn best<const T: u8, const M: bool>(
        &self,
        score: &Score<T, M>,
        axes: &[Axis],
        layout: &Layout,
        leaf: f64,
    ) -> Best {
        let mut best = Best { value: leaf, root: None };
        for (column, (axis, &offset)) in axes.iter().zip(&layout.offsets).enumerate() {
            let sides = self.inside[offset..].iter().zip(&self.outside[offset..]);
            for (cut, (&inside, &outside)) in sides.take(axis.len()).enumerate() {
                best = best.or(inside + outside - 3.0 * score.cost, Root { column, cut });
            }
        }
        best
    }
}

/// d and m of the rows of a node, over the cuts of one column (lines) and another (entries).
struct Table {
    d: Vec<f64>,
    m: Vec<f64>,
}

impl Table {
    /// A table with room for any pair of columns.
    fn new(axes: &[Axis]) -> Self {
        let codes = axes.iter().map(Axis::codes).max().unwrap_or(0);
        let room = vec![0.0; codes * padded(codes)];
        Self { d: room.clone(), m: room }
    }

    fn read(&mut self, counts: impl Iterator<Item = i64>) {
        for ((d, m), count) in self.d.iter_mut().zip(&mut self.m).zip(counts) {
            *d = difference(count);
            *m = size(count);
        }
    }

    fn line(&self, line: usize, width: usize) -> Counts<'_> {
        let range = line * width..(line + 1) * width;
        Counts { d: &self.d[range.clone()], m: &self.m[range] }
    }

    /// Raises the values of the children of every cut of both columns by dividing them at cuts of the other.
    fn raise<const T: u8, const M: bool>(
        &self,
        score: &Score<T, M>,
        axes: &[Axis],
        layout: &Layout,
        g: usize,
        h: usize,
        children: &mut Children,
    ) {
        let width = padded(axes[h].codes());
        let total = self.line(axes[g].len(), width);
        let all = (total.d[axes[h].len()], total.m[axes[h].len()]);
        let columns = layout.offsets[h]..layout.offsets[h] + width;
        for cut in 0..axes[g].len() {
            let line = self.line(cut, width);
            let inside = (line.d[axes[h].len()], line.m[axes[h].len()]);
            let pair = [inside, (all.0 - inside.0, all.1 - inside.1)];
            let (mut best_inside, mut best_outside) = cross_both(
                score,
                line,
                total,
                pair,
                [&mut children.inside[columns.clone()], &mut children.outside[columns.clone()]],
            );
            if g == h {
                // Left undivided they are leaves, and save the cost of a split.
                let leaf = |part: NodeCounts| score.leaf(part.0, part.1) + score.cost;
                best_inside = larger(best_inside, leaf(pair[0]));
                best_outside = larger(best_outside, leaf(pair[1]));
            }
            let position = layout.offsets[g] + cut;
            children.inside[position] = larger(children.inside[position], best_inside);
            children.outside[position] = larger(children.outside[position], best_outside);
        }
    }
}

/// The best tree of depth 2.
pub(super) fn pairs<const T: u8, const M: bool>(score: &Score<T, M>, axes: &[Axis], rows: &Rows) -> Best {
    let layout = Layout::new(axes);
    let mut children = Children::new(&layout);
    let mut table = Table::new(axes);
    let mut counts = vec![0; table.d.len()];
    for g in 0..axes.len() {
        for h in g..axes.len() {
            progress::check();
            let width = padded(axes[h].codes());
            let counts = &mut counts[..axes[g].codes() * width];
            tally(counts, rows, &rows.codes[g], &rows.codes[h], width);
            accumulate(counts, &axes[h], 1, width);
            accumulate(counts, &axes[g], width, counts.len());
            table.read(counts.iter().copied());
            table.raise(score, axes, &layout, g, h, &mut children);
        }
    }
    children.best(score, axes, &layout, Best::leaf(score, rows).value)
}

/// The best tree of depth 3. Root columns are searched in parallel; each is searched alone and they are compared
/// in order, so that the result does not depend on the number of threads.
pub(super) fn triples<const T: u8, const M: bool>(score: &Score<T, M>, axes: &[Axis], rows: &Rows) -> Best {
    let layout = Layout::new(axes);
    let roots: Vec<Best> = (0..axes.len())
        .into_par_iter()
        .map_init(
            || Scratch::new(axes, &layout, rows.all),
            |scratch, f| scratch.root(score, axes, rows, &layout, f),
        )
        .collect();
    let leaf = Best::leaf(score, rows);
    roots.iter().fold(leaf, |best, root| root.root.map_or(best, |cut| best.or(root.value, cut)))
}

/// Memory for the search of one root column.
struct Scratch {
    /// The two sides of every cut of the root column.
    sides: Vec<[Children; 2]>,
    table: Table,
    counts: Vec<i64>,
    /// Per row its codes in the root column and another one, as one number.
    lines: Vec<u32>,
}

impl Scratch {
    fn new(axes: &[Axis], layout: &Layout, rows: usize) -> Self {
        let codes = axes.iter().map(Axis::codes).max().unwrap_or(0);
        Self {
            sides: (1..codes).map(|_| [Children::new(layout), Children::new(layout)]).collect(),
            table: Table::new(axes),
            counts: vec![0; codes * codes * padded(codes)],
            lines: vec![0; rows],
        }
    }

    /// The best tree of depth 3 with a root that cuts column f.
    fn root<const T: u8, const M: bool>(
        &mut self,
        score: &Score<T, M>,
        axes: &[Axis],
        rows: &Rows,
        layout: &Layout,
        f: usize,
    ) -> Best {
        let cuts = axes[f].len();
        self.sides[..cuts].iter_mut().flatten().for_each(Children::forget);
        for g in 0..axes.len() {
            let pairs = rows.codes[f].iter().zip(&rows.codes[g]);
            for (line, (outer, inner)) in self.lines.iter_mut().zip(pairs) {
                *line = outer * axes[g].codes() as u32 + inner;
            }
            for h in g..axes.len() {
                progress::check();
                let width = padded(axes[h].codes());
                let slab = axes[g].codes() * width;
                let counts = &mut self.counts[..axes[f].codes() * slab];
                tally(counts, rows, &self.lines, &rows.codes[h], width);
                accumulate(counts, &axes[h], 1, width);
                accumulate(counts, &axes[g], width, slab);
                accumulate(counts, &axes[f], slab, counts.len());
                let (cut_slabs, all) = counts.split_at(cuts * slab);
                for (inside, sides) in cut_slabs.chunks_exact(slab).zip(&mut self.sides) {
                    self.table.read(inside.iter().copied());
                    self.table.raise(score, axes, layout, g, h, &mut sides[0]);
                    self.table.read(all.iter().zip(inside).map(|(all, inside)| all - inside));
                    self.table.raise(score, axes, layout, g, h, &mut sides[1]);
                }
            }
        }
        self.combine(score, axes, rows, layout, f)
    }

    /// The values of both sides of every cut as trees of depth 2, and the best pair of them.
    fn combine<const T: u8, const M: bool>(
        &mut self,
        score: &Score<T, M>,
        axes: &[Axis],
        rows: &Rows,
        layout: &Layout,
        f: usize,
    ) -> Best {
        let counts = &mut self.counts[..axes[f].codes()];
        tally_one(counts, rows, &rows.codes[f]);
        accumulate(counts, &axes[f], 1, counts.len());
        let all = counts[axes[f].len()];
        let mut best = Best { value: f64::NEG_INFINITY, root: None };
        for (cut, (&inside, sides)) in counts[..axes[f].len()].iter().zip(&self.sides).enumerate() {
            let side = |count: i64, children: &Children| {
                let leaf = score.leaf(difference(count), size(count));
                children.best(score, axes, layout, leaf).value
            };
            let value = side(inside, &sides[0]) + side(all - inside, &sides[1]) - score.cost;
            best = best.or(value, Root { column: f, cut });
        }
        best
    }
}
