//! The boundary, bit by bit: every function that lets something of private rows out is compared with a plain
//! implementation, and its results move no further than its sensitivity says, for rows of any bits and any row
//! substituted by any other, or added or removed where tables may differ in that way.
//!
//! A bound can be proven for numbers and broken by the code that computes them: by an overflow, a rounding, an
//! order of rows. So nothing here is chosen by what the code does; `planted` shows that such faults are caught.

mod bits;
mod listed;
mod planted;
mod rows;
mod search;
mod table;

use crate::privacy::{Movement, Neighbours, Sensitivity};

/// The result of a function of private rows: lists of whole numbers, one if there is nothing to be told apart.
type Lists = Vec<Vec<i64>>;

/// The sensitivity between such neighbours.
fn between(neighbours: Neighbours, sensitivity: &Sensitivity) -> Sensitivity {
    sensitivity.clone().between(neighbours).expect("proven for both")
}

/// A description of how the difference between two neighbours' lists exceeds a sensitivity; `None` if it does
/// not.
fn excess(sensitivity: &Sensitivity, before: &Lists, after: &Lists) -> Option<String> {
    let lengths = |lists: &Lists| lists.iter().map(Vec::len).collect::<Vec<usize>>();
    if lengths(before) != lengths(after) {
        return Some("how much is given depends on the rows".to_owned());
    }
    let moves: Vec<Vec<i128>> = before
        .iter()
        .zip(after)
        .map(|(before, after)| {
            before.iter().zip(after).map(|(a, b)| i128::from(*b) - i128::from(*a)).collect()
        })
        .collect();
    let each = || moves.iter().flatten().map(|by| by.unsigned_abs());
    let apart = |list: &Vec<i128>| {
        let (least, most) = (list.iter().min().copied(), list.iter().max().copied());
        (most.unwrap_or_default() - least.unwrap_or_default()).unsigned_abs()
    };
    let bound = sensitivity.bound();
    let moved = match bound.movement() {
        Movement::EachCandidate | Movement::Largest => each().max().unwrap_or_default(),
        // What moves both ways is further apart than each moves.
        Movement::SameWay => moves.iter().map(apart).chain(each()).max().unwrap_or_default(),
        Movement::BetweenCandidates | Movement::AcrossLists => moves.iter().map(apart).sum(),
        Movement::Sum | Movement::Counts => each().sum(),
    };
    if moved > u128::from(bound.units().get()) {
        return Some(format!("{moved} where {bound} is claimed"));
    }
    let squares: u128 = each().map(|by| by * by).sum();
    match bound.squared() {
        Some(most) if squares > most => Some(format!("squares of {squares} where {most} is claimed")),
        _ => None,
    }
}
