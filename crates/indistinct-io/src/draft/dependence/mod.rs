//! Columns that others decide in every row: copies, squares, products, ratios, sums, parts of dates, groups of numbers, and lookups.
//!
//! A dependence that holds by chance would be worse than one that is missed. So it must hold in every row, in rows
//! enough and of values different enough that chance is out of the question, and values must be missing in the same rows.

mod agreement;
mod arithmetic;
mod cuts;
mod dates;
mod lines;
mod lookups;

use indistinct::table::{ColumnType, Derive};

use super::facets::{Facet, Sort};

/// Fewest rows with values.
const ROWS: usize = 100;
/// Fewest different values of a number that is computed from others.
const DIFFERENT: usize = 10;
/// Most columns among which dependences are looked for.
const MOST_COLUMNS: usize = 200;

/// A column that can be computed from others.
#[derive(Debug)]
pub(super) struct Proposal {
    /// The position of the column.
    pub(super) column: usize,
    pub(super) derive: Derive,
    /// Levels in the order that the expression needs.
    pub(super) levels: Option<Vec<usize>>,
}

impl Proposal {
    fn new(column: usize, expression: String) -> Self {
        Self { column, derive: Derive { expression, ..Derive::default() }, levels: None }
    }
}

/// The columns that others decide, each from columns that are not decided themselves, but for groups of those. `kinds` are
/// their types.
pub(super) fn find(facets: &[Facet], kinds: &[ColumnType]) -> Vec<Proposal> {
    let mut found: Vec<Proposal> = Vec::new();
    if facets.len() > MOST_COLUMNS {
        return found;
    }
    // First from columns before it, as people add columns; then from any.
    for any_order in [false, true] {
        for column in 0..facets.len() {
            indistinct::progress::check();
            let is_decided = |place: usize| found.iter().any(|proposal| proposal.column == place);
            let is_needed =
                found.iter().any(|proposal| mentions(&proposal.derive.expression, &facets[column]));
            if is_decided(column) || is_needed || !is_varied(&facets[column]) {
                continue;
            }
            let is_source = |place: usize| {
                let facet = &facets[place];
                place != column
                    && (any_order || place < column)
                    && !is_decided(place)
                    && is_varied(facet)
                    && facet.term().is_some()
            };
            let sources: Vec<usize> = (0..facets.len()).filter(|&place| is_source(place)).collect();
            if let Some(proposal) = decided(column, &sources, facets, kinds, any_order) {
                found.push(proposal);
            }
        }
    }
    // Groups of what is computed itself: of a body-mass index, for example. Nothing needs these, so that there are no circles.
    for column in 0..facets.len() {
        indistinct::progress::check();
        let is_decided = |place: usize| found.iter().any(|proposal| proposal.column == place);
        let is_needed = found.iter().any(|proposal| mentions(&proposal.derive.expression, &facets[column]));
        if is_decided(column) || is_needed || !is_varied(&facets[column]) {
            continue;
        }
        let computed: Vec<usize> = found
            .iter()
            .map(|proposal| proposal.column)
            .filter(|&place| is_varied(&facets[place]) && facets[place].term().is_some())
            .collect();
        let proposal = cuts::cut(column, &computed, facets, kinds)
            .or_else(|| lookups::lookup(column, &computed, facets, kinds, true));
        found.extend(proposal);
    }
    found
}

/// Whether an expression has a column in it.
fn mentions(expression: &str, facet: &Facet) -> bool {
    let Some(term) = facet.term() else { return false };
    let is_border = |letter: Option<char>| {
        letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_' && letter != '`')
    };
    expression.match_indices(&term).any(|(at, _)| {
        is_border(expression[..at].chars().next_back())
            && is_border(expression[at + term.len()..].chars().next())
    })
}

/// Whether a column has values enough to be compared.
fn is_varied(facet: &Facet) -> bool {
    facet.sort != Sort::Other && facet.different >= 2 && facet.values.len() - facet.missing >= ROWS
}

/// The first way in which sources decide a column.
fn decided(
    column: usize,
    sources: &[usize],
    facets: &[Facet],
    kinds: &[ColumnType],
    any_order: bool,
) -> Option<Proposal> {
    let facet = &facets[column];
    if let Some(copied) = sources.iter().find(|&&source| lookups::is_copy(column, source, facets, kinds)) {
        return Some(Proposal::new(column, facets[*copied].term()?));
    }
    let of_dates = match facet.sort {
        Sort::Number { .. } => dates::number(facet, sources, facets),
        Sort::Day if !any_order => dates::day(facet, sources, facets),
        _ => None,
    };
    if let Some(expression) = of_dates {
        return Some(Proposal::new(column, expression));
    }
    if facet.is_number() && facet.different >= DIFFERENT {
        let expression = arithmetic::expression(facet, sources, facets, any_order);
        if let Some(expression) = expression {
            return Some(Proposal::new(column, expression));
        }
    }
    cuts::cut(column, sources, facets, kinds)
        .or_else(|| lookups::lookup(column, sources, facets, kinds, any_order))
}
