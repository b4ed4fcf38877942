//! The requirements of rules between columns, and whether rows can obey them at all: by the schema alone, before
//! anything is charged.

use crate::grid::{Codes, ColumnFacts, Grid};
use crate::margin::Margin;
use crate::pool::Classes;
use crate::pool::{ClassRules, RowRules, repair, start};
use crate::random::Seed;
use crate::table::Schema;

/// Most classes of a column that begin where rules do.
const MOST_CUTS: usize = 128;
/// Most values that rules add to a column.
const MOST_ATOMS: usize = 100;
/// Number of rows that are tried.
const ROWS: usize = 512;
/// Most rules among which contradicting ones are searched for: of more, all are named.
const MOST_TOLD_APART: usize = 32;

/// Public facts about a column. Numbers that rules compare it with by `==` are values of their own, if it has no
/// grid of values.
pub(super) fn facts(schema: &Schema, place: usize) -> ColumnFacts {
    let mut facts = ColumnFacts::of_column(&schema.columns()[place]);
    if facts.step.is_none() && !schema.columns()[place].kind().has_levels() {
        let constants = schema.constraints().iter().flat_map(|rule| rule.condition().equal_constants(place));
        for constant in constants.filter(|constant| constant.is_finite()) {
            if !facts.atoms.contains(&constant) && facts.atoms.len() < MOST_ATOMS {
                facts.atoms.push(constant);
            }
        }
    }
    facts
}

/// Whether a rule asks if a column is missing.
pub(super) fn asks_if_missing(schema: &Schema, column: usize) -> bool {
    schema.constraints().iter().any(|rule| rule.condition().asks_if_missing(column))
}

/// The positions of a margin at which the truth of rules may change.
pub(super) fn cuts(schema: &Schema, column: usize, margin: &Margin) -> Vec<usize> {
    let points = schema.constraints().iter().flat_map(|rule| rule.condition().cut_points(column));
    let positions = points.map(|point| margin.first_above(&point));
    let mut cuts: Vec<usize> =
        positions.filter(|position| (1..margin.grid().len()).contains(position)).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.truncate(MOST_CUTS);
    cuts
}

/// Rules by number, in words.
pub(super) fn told(numbers: &[usize]) -> String {
    if let [number] = numbers {
        return format!("constraint {number}");
    }
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("constraints {} together", numbers.join(", "))
}

/// The rules, counted from 1, that no row within the declared levels and limits obeys all at once; `None` if some
/// row does. Rules on numbers without limits are not judged: rows may lie anywhere.
pub(super) fn impossible(schema: &Schema, facts: &[ColumnFacts]) -> Option<Vec<usize>> {
    if schema.constraints().is_empty() {
        return None;
    }
    let margins: Vec<Option<Margin>> =
        (0..facts.len()).map(|column| declared_range(schema, column, &facts[column])).collect();
    let is_judged = |number: &usize| {
        let columns = schema.constraints()[*number].condition().columns();
        columns.iter().all(|&column| margins[column].is_some())
    };
    let judged: Vec<usize> = (0..schema.constraints().len()).filter(is_judged).collect();
    let margins: Vec<Margin> = margins
        .into_iter()
        .map(|margin| margin.unwrap_or_else(|| Margin::even(Grid::levels(1), 0.0)))
        .collect();
    let classes: Vec<Classes> = margins
        .iter()
        .enumerate()
        .map(|(column, margin)| Classes::new(margin, true, &cuts(schema, column, margin)))
        .collect();
    let codes: Vec<&Codes> = classes.iter().map(Classes::codes).collect();
    let can_be_obeyed = |numbers: &[usize]| {
        let rules = RowRules::some_of(schema, &margins, numbers);
        let rules = ClassRules::new(&rules, &margins, &codes);
        // The outcome is a yes or no about the schema: the same seed for the same schema.
        let mut random = Seed(0).stream(0);
        let mut pool = start(&classes, &[], &[], ROWS, &mut random);
        repair(&mut pool, &codes, &rules, &mut random) < ROWS
    };
    if judged.is_empty() || can_be_obeyed(&judged) {
        return None;
    }
    let mut needed = judged;
    let each = if needed.len() <= MOST_TOLD_APART { needed.clone() } else { Vec::new() };
    for number in each {
        let without: Vec<usize> = needed.iter().copied().filter(|other| *other != number).collect();
        if !without.is_empty() && !can_be_obeyed(&without) {
            needed = without;
        }
    }
    Some(needed.into_iter().map(|number| number + 1).collect())
}

/// A margin that is even over the declared range of a column; `None` if numbers have no limits.
fn declared_range(schema: &Schema, column: usize, facts: &ColumnFacts) -> Option<Margin> {
    let kind = schema.columns()[column].kind();
    let grid = match (kind.level_count(), facts.minimum, facts.maximum) {
        (Some(levels), ..) => Grid::levels(levels),
        (None, Some(minimum), Some(maximum)) => Grid::numbers(facts, minimum, maximum),
        _ => return None,
    };
    // A missing value satisfies most rules: it counts where a rule asks for it only.
    let missing = if asks_if_missing(schema, column) { 0.1 } else { 0.0 };
    Some(Margin::even(grid, missing))
}
