//! The search for the rows of a column: cells that are worth measuring.

use super::measure::{SharedBudget, charge};
use super::merge::{Piece, merge};
use super::tree::Tree;
use crate::grid::Axis;
use crate::privacy::StepError;
use crate::privacy::{Cost, noisy_counts};
use crate::private::{CountQuery, Passes};

/// Share of the counting budget that is spent on finding the cells.
pub(super) const DISCOVER: f64 = 0.4;
/// Largest number of positions that are counted one by one from the start.
pub(super) const FEW: usize = 512;
/// Cells of the first level, if there are more positions, and children of a cell as long as levels last.
const FAN_OUT: usize = 64;
/// Most children of a cell.
const MOST_CHILDREN: usize = 512;
/// Most levels.
const LEVELS: usize = 4;
/// Standard deviations of noise that a cell must hold to be divided.
const LOOK_INTO: f64 = 6.0;
/// One more level is worth its budget if a cell with one in this many rows would then be divided.
const PARTS: f64 = 2.0;
/// Standard deviations of noise that a measured cell of a smooth column should hold.
const CELL: f64 = 4.0;
/// A sufficient number of cells of a smooth column.
const ENOUGH: f64 = 40.0;
/// Least mean count of cells, in standard deviations of noise.
const NOT_DROWNED: f64 = 4.0;
/// Excess of contrasts of cells over what chance explains. It is small: cells found by mistake are measured, and
/// joined.
const FOUND: f64 = 0.5;

/// The number of levels of the search for a grid with this many positions, by public quantities.
///
/// `level_sd` gives the noise of one level among a number of them.
fn levels(positions: usize, rows: f64, level_sd: impl Fn(usize) -> f64) -> usize {
    let mut levels = 1;
    let mut reach = FAN_OUT;
    if positions > FEW {
        while levels < LEVELS && reach < positions && LOOK_INTO * PARTS * level_sd(levels + 1) <= rows {
            levels += 1;
            reach *= FAN_OUT;
        }
    }
    levels
}

/// Counts rows in cells that are divided level by level where the counts exceed the noise.
///
/// # Guarantee
/// Every level counts the cells of one partition, which is fixed by public facts and by what earlier levels
/// released; each is charged, and the number of levels is public.
///
/// # Errors
/// When the budget does not allow it.
pub(super) async fn tree(
    table: &Passes<'_>,
    column: usize,
    axis: &Axis<'_>,
    budget: &SharedBudget<'_>,
    share: f64,
    sd: f64,
) -> Result<Tree, StepError> {
    let rows = table.rows() as f64;
    // Noise falls with the share itself for pure epsilon, and with its root for other accounts.
    let power = if matches!(budget.borrow().portion(1.0), Cost::Epsilon(_)) { 1.0 } else { 0.5 };
    let level_sd = |levels: usize| sd * ((1.0 - DISCOVER) / DISCOVER * levels as f64).powf(power);
    let others = axis.len() - axis.heaps();
    let levels = levels(axis.heaps().max(others), rows, level_sd);
    let first = |length: usize| if length <= FEW { length } else { FAN_OUT };
    let deeper = |length: usize| {
        let most =
            (length.max(1) as f64 / first(length).max(1) as f64).powf(1.0 / (levels.max(2) - 1) as f64);
        (most.ceil() as usize).clamp(2, MOST_CHILDREN)
    };
    let mut tree = Tree::new(axis.len() + 1, rows);
    let mut top = cuts(0, axis.heaps(), first(axis.heaps()), axis);
    top.extend((axis.heaps() > 0 && others > 0).then_some(axis.heaps()));
    top.extend(cuts(axis.heaps(), others, first(others), axis));
    // Missing values are the position after the last.
    top.push(axis.len());
    let mut frontier: Vec<usize> = tree.divide(0, &top).collect();
    for level in 0..levels {
        let step = format!("cells, level {},", level + 1);
        let (charge, sd) = charge(budget, table.name(column), &step, share / levels as f64)?;
        if level > 0 {
            tree.solve();
            let divided = frontier.into_iter().flat_map(|node| {
                let (start, length) = tree.cell(node);
                let look = length > 1 && tree.estimate(node) > LOOK_INTO * sd;
                let fan_out = deeper(if start < axis.heaps() { axis.heaps() } else { others });
                if look { tree.divide(node, &cuts(start, length, fan_out, axis)) } else { node..node + 1 }
            });
            frontier = divided.collect();
        }
        let starts: Vec<usize> = frontier.iter().map(|&node| tree.cell(node).0).collect();
        let noisy = noisy_counts(charge, &table.ask(CountQuery::cells(column, axis, &starts)).await)?;
        for (&node, noisy) in frontier.iter().zip(noisy) {
            tree.measure(node, noisy as f64, sd * sd);
        }
    }
    tree.solve();
    Ok(tree)
}

/// The positions at which a cell is divided into equal parts, and around the atoms in it.
fn cuts(first: usize, length: usize, parts: usize, axis: &Axis<'_>) -> Vec<usize> {
    let parts = parts.min(length);
    let equal = (1..parts).map(|part| first + (length as u128 * part as u128 / parts as u128) as usize);
    let inside = |cut: &usize| first < *cut && *cut < first + length;
    let atoms = axis.atoms();
    let near = atoms.partition_point(|atom| *atom < first)..;
    let near = atoms[near].iter().take_while(|atom| **atom < first + length);
    let mut cuts: Vec<usize> = equal.chain(near.flat_map(|atom| [*atom, atom + 1]).filter(inside)).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The cells to measure, as first positions and lengths: neighbours that do not differ are joined, unless the
/// result is heavy.
pub(super) fn cells(tree: &Tree, axis: &Axis<'_>, rows: f64, sd: f64) -> Vec<(usize, usize)> {
    let most = (rows / (NOT_DROWNED * sd)).ceil().max(1.0) as usize;
    let heavy = (CELL * sd).max(rows / ENOUGH);
    let divided = |piece: Piece| {
        let parts = (piece.rows / heavy).clamp(1.0, piece.length as f64) as usize;
        let start = move |part: usize| (piece.length as u128 * part as u128 / parts as u128) as usize;
        (0..parts).map(move |part| (piece.first + start(part), start(part + 1) - start(part)))
    };
    let parts: Vec<Piece> = tree.children(0).flat_map(|child| pieces(tree, child, axis)).collect();
    let (heaps, others) = parts.split_at(parts.partition_point(|piece| piece.first < axis.heaps()));
    let found = [heaps, others].into_iter().flat_map(|parts| guarded(&merge(parts, FOUND, most), heavy));
    found.flat_map(divided).collect()
}

/// Cuts long pieces next to dense ones, at a distance of the dense one's length: tails end somewhere in there.
fn guarded(pieces: &[Piece], heavy: f64) -> Vec<Piece> {
    let mut found = Vec::with_capacity(pieces.len());
    for (place, piece) in pieces.iter().enumerate() {
        let beside = |other: Option<&Piece>| match other {
            Some(other) if !piece.alone && !other.alone && other.length > 1 && other.rows > heavy => {
                let denser = other.rows * piece.length as f64 > 2.0 * piece.rows * other.length as f64;
                if denser && piece.length > 3 * other.length { other.length } else { 0 }
            }
            _ => 0,
        };
        let before = beside(place.checked_sub(1).and_then(|place| pieces.get(place)));
        let after = beside(pieces.get(place + 1));
        let ends = [before, piece.length - after, piece.length];
        let mut from = 0;
        for end in ends {
            if end > from {
                let part = (end - from) as f64 / piece.length as f64;
                let rows = piece.rows * part;
                found.push(Piece::new(piece.first + from, end - from, rows, piece.variance, piece.alone));
                from = end;
            }
        }
    }
    found
}

/// The pieces of a node. If its parts do not differ it is one piece, known as well as the node itself.
fn pieces(tree: &Tree, node: usize, axis: &Axis<'_>) -> Vec<Piece> {
    let parts: Vec<Piece> = tree.children(node).flat_map(|child| pieces(tree, child, axis)).collect();
    let parts = merge(&parts, FOUND, usize::MAX);
    if parts.len() > 1 {
        return parts;
    }
    let (first, length) = tree.cell(node);
    vec![Piece::new(first, length, tree.estimate(node), tree.variance(node), axis.stands_alone(first))]
}
