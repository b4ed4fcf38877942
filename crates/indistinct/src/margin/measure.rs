//! Measuring a margin: discover where the rows are, measure that, and make a distribution of it.
//!
//! Everything but the noisy counts is post-processing and costs nothing.

use std::num::NonZeroU64;

use super::merge::{Piece, merge};
use super::simplex::project;
use super::tilt::tilted;
use super::tree::Tree;
use super::{Facts, Grid, Margin, Run, range, whole_share};
use crate::privacy::{Budget, CountsCharge, Cost, Sensitivity, noisy_counts};
use crate::private::PrivateTable;
use crate::sampler::SamplerError;

/// The share of what is left after the range that goes into finding the cells.
const DISCOVER: f64 = 0.4;
/// Positions that are looked at one by one from the start.
const FEW: usize = 128;
/// Cells of the first level, where there are more.
const FIRST: usize = 32;
/// Children of a cell, as long as levels last.
const FAN_OUT: usize = 64;
/// Children of a cell at most.
const MOST_CHILDREN: usize = 512;
/// Levels at most.
const LEVELS: usize = 4;
/// Standard deviations of noise that a cell must hold to be looked into.
const LOOK_INTO: f64 = 3.0;
/// A level more is worth its budget if so small a part of the rows is then still looked into.
const SMALLEST_PART: f64 = 6.0;
/// Standard deviations of noise that a measured cell of a smooth column should hold.
const CELL: f64 = 8.0;
/// Cells of a smooth column that are enough.
const ENOUGH: f64 = 40.0;
/// Standard deviations of noise that cells hold on average at least.
const NOT_DROWNED: f64 = 4.0;
/// What contrasts must exceed, beyond what chance explains: when cells are found, and when they were measured.
const FOUND: f64 = 2.0;
const MEASURED: f64 = 1.0;
/// Standard deviations of noise below which a cell counts as empty, and missing values as none.
const EMPTY: f64 = 1.5;
const NO_MISSING: f64 = 2.0;

/// Measures the margin of a column with a share of the whole budget.
///
/// Levels are counted once. Numbers are found first: their range, unless both ends are declared; then, with 40 % of the
/// rest, where the rows are, by cells that are divided level by level wherever noise leaves something to see, down to
/// single values; cells that do not differ are joined. With what remains the cells that were found are counted.
///
/// # Guarantee
/// Discrete noise on the counts of one partition at a time (`proofs/counts_sensitivity.md`), each fixed by what was
/// released before, and the charged choices of the range (`proofs/interval_search.md`); the rest is post-processing.
/// What is spent is at most the share, and nothing but charged outputs decides how much.
///
/// # Errors
/// When the budget does not allow it.
pub fn measure(
    table: &PrivateTable,
    column: usize,
    facts: &Facts,
    budget: &mut Budget,
    share: f64,
) -> Result<Margin, SamplerError> {
    let rows = table.rows() as f64;
    if let Some(levels) = table.levels(column) {
        let grid = Grid::levels(levels);
        let cost = budget.portion(whole_share(share));
        let charge = charge(budget, column, "counts", cost)?;
        let sd = charge.noise_sd();
        let starts: Vec<usize> = (0..=grid.len()).collect();
        let noisy = noisy_counts(charge, &table.counts(column, &grid, &starts))?;
        let cells = starts.iter().zip(noisy);
        let pieces = cells.map(|(&start, rows)| Piece::new(start, 1, rows as f64, sd * sd, true)).collect();
        return Ok(distribution(grid, pieces, rows, 0.0));
    }
    let (low, high, spent) = range::find(table, column, facts, budget, share)?;
    let grid = Grid::numbers(facts, low, high);
    let rest = whole_share(share - spent);
    // Charged first, so that its noise is known: what the cells are may depend on it.
    let cost = budget.portion(whole_share(rest * (1.0 - DISCOVER)));
    let charged = charge(budget, column, "counts", cost)?;
    let sd = charged.noise_sd();
    let tree = discover(table, column, &grid, (budget, rest * DISCOVER, rest, sd))?;
    let cells = cells(&tree, &grid, rows, sd);
    let starts: Vec<usize> = cells.iter().map(|(first, _)| *first).collect();
    let noisy = noisy_counts(charged, &table.counts(column, &grid, &starts))?;
    let combined = cells.iter().zip(noisy).map(|(&(first, length), noisy)| {
        let (found, variance) = tree.interval(first, length);
        let precision = 1.0 / (sd * sd) + 1.0 / variance;
        let rows = (noisy as f64 / (sd * sd) + found / variance) / precision;
        Piece::new(first, length, rows, 1.0 / precision, stands_alone(&grid, first))
    });
    Ok(distribution(grid.clone(), combined.collect(), rows, EMPTY))
}

fn charge(budget: &mut Budget, column: usize, what: &str, cost: Cost) -> Result<CountsCharge, SamplerError> {
    let step = format!("{what} of column {}", column + 1);
    Ok(budget.charge_counts(step, cost, Sensitivity::counts(NonZeroU64::MIN))?)
}

/// Whether a cell that begins there is an atom, or the missing values.
fn stands_alone(grid: &Grid, first: usize) -> bool {
    first == grid.len() || grid.atoms().binary_search(&first).is_ok()
}

/// The levels of the search for a grid of so many positions, by public quantities.
///
/// `level_sd` is the noise of a level among so many.
fn levels(positions: usize, rows: f64, level_sd: impl Fn(usize) -> f64) -> usize {
    let mut levels = 1;
    let mut reach = FIRST;
    if positions > FEW {
        while levels < LEVELS
            && reach < positions
            && LOOK_INTO * SMALLEST_PART * level_sd(levels + 1) <= rows
        {
            levels += 1;
            reach *= FAN_OUT;
        }
    }
    levels
}

/// Counts rows in cells that are divided level by level where there is something to see.
fn discover(
    table: &PrivateTable,
    column: usize,
    grid: &Grid,
    (budget, share, whole, sd): (&mut Budget, f64, f64, f64),
) -> Result<Tree, SamplerError> {
    let rows = table.rows() as f64;
    // Noise falls with the share itself for pure epsilon, and with its root for other accounts.
    let power = if matches!(budget.portion(1.0), Cost::Epsilon(_)) { 1.0 } else { 0.5 };
    let level_sd = |levels: usize| sd * (whole * (1.0 - DISCOVER) * levels as f64 / share).powf(power);
    let levels = levels(grid.len(), rows, level_sd);
    let first = match grid.len() {
        few if few <= FEW => few,
        _ if levels == 1 => FAN_OUT,
        _ => FIRST,
    };
    let deeper = (grid.len() as f64 / first as f64).powf(1.0 / (levels.max(2) - 1) as f64);
    let fan_out = (deeper.ceil() as usize).clamp(2, MOST_CHILDREN);
    let mut tree = Tree::new(grid.len() + 1, rows);
    let mut frontier: Vec<usize> = tree.divide(0, &cuts(0, grid.len(), first, grid)).collect();
    for level in 0..levels {
        let cost = budget.portion(whole_share(share / levels as f64));
        let charge = charge(budget, column, &format!("cells, level {},", level + 1), cost)?;
        let sd = charge.noise_sd();
        if level > 0 {
            tree.solve();
            let divided = frontier.into_iter().flat_map(|node| {
                let (start, length) = tree.cell(node);
                let look = length > 1 && tree.estimate(node) > LOOK_INTO * sd;
                if look { tree.divide(node, &cuts(start, length, fan_out, grid)) } else { node..node + 1 }
            });
            frontier = divided.collect();
        }
        let starts: Vec<usize> = frontier.iter().map(|&node| tree.cell(node).0).collect();
        let noisy = noisy_counts(charge, &table.counts(column, grid, &starts))?;
        for (&node, noisy) in frontier.iter().zip(noisy) {
            tree.measure(node, noisy as f64, sd * sd);
        }
    }
    tree.solve();
    Ok(tree)
}

/// Where a cell is divided into equal parts, and around the atoms in it.
fn cuts(first: usize, length: usize, parts: usize, grid: &Grid) -> Vec<usize> {
    let parts = parts.min(length);
    let equal = (1..parts).map(|part| first + (length as u128 * part as u128 / parts as u128) as usize);
    let inside = |cut: &usize| first < *cut && *cut < first + length;
    let atoms = grid.atoms();
    let near = atoms.partition_point(|atom| atom + 1 <= first)..;
    let near = atoms[near].iter().take_while(|atom| **atom < first + length);
    let mut cuts: Vec<usize> =
        equal.chain(near.flat_map(|atom| [*atom, atom + 1]).filter(inside)).collect();
    // The missing values, at the root.
    if first == 0 && length == grid.len() {
        cuts.push(length);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The cells to measure, as first positions and lengths: neighbours that do not differ are one, unless that is heavy.
fn cells(tree: &Tree, grid: &Grid, rows: f64, sd: f64) -> Vec<(usize, usize)> {
    let piece = |leaf: usize| {
        let (first, length) = tree.cell(leaf);
        let variance = tree.variance(leaf);
        Piece::new(first, length, tree.estimate(leaf), variance, stands_alone(grid, first))
    };
    let leaves: Vec<Piece> = tree.leaves().into_iter().map(piece).collect();
    let most = (rows / (NOT_DROWNED * sd)).ceil().max(1.0) as usize;
    let heavy = (CELL * sd).max(rows / ENOUGH);
    let divided = |piece: Piece| {
        let parts = (piece.rows / heavy).clamp(1.0, piece.length as f64) as usize;
        let start = move |part: usize| (piece.length as u128 * part as u128 / parts as u128) as usize;
        (0..parts).map(move |part| (piece.first + start(part), start(part + 1) - start(part)))
    };
    merge(&leaves, FOUND, most).into_iter().flat_map(divided).collect()
}

/// The distribution that measured cells make: neighbours that do not differ joined, none below zero, nothing where noise
/// explains what there is.
fn distribution(grid: Grid, measured: Vec<Piece>, rows: f64, empty: f64) -> Margin {
    let pieces = merge(&measured, MEASURED, usize::MAX);
    let counts: Vec<f64> = pieces.iter().map(|piece| piece.rows).collect();
    let variances: Vec<f64> = pieces.iter().map(|piece| piece.variance).collect();
    let first = project(&counts, &variances, rows);
    let kept = |place: usize| {
        let least = if pieces[place].first == grid.len() { NO_MISSING } else { empty };
        first[place] > least * variances[place].sqrt()
    };
    let kept: Vec<usize> = (0..pieces.len()).filter(|&place| kept(place)).collect();
    let pick = |from: &[f64]| -> Vec<f64> { kept.iter().map(|&place| from[place]).collect() };
    let masses = project(&pick(&counts), &pick(&variances), rows);
    let mut runs: Vec<Run> = pieces.iter().map(|piece| Run::even(piece.first, piece.length, 0.0)).collect();
    for (&place, mass) in kept.iter().zip(masses) {
        runs[place].mass = mass;
    }
    let missing = match runs.last() {
        Some(last) if last.first == grid.len() => last.mass,
        _ => 0.0,
    };
    runs.retain(|run| run.first < grid.len());
    let alone = |run: &Run| grid.is_levels() || stands_alone(&grid, run.first);
    let runs = tilted(&runs, alone);
    let present: f64 = runs.iter().map(|run| run.mass).sum();
    let missing = if missing + present > 0.0 { missing / (missing + present) } else { 0.0 };
    Margin::of_masses(grid, runs, missing)
}
