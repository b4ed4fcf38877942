//! Tables and lines for people.

use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};
use indistinct::privacy::Guarantee;

/// A table for people, whose columns are aligned right but for those in `left`.
pub fn grid(header: &[&str], left: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table
        .set_style(TableComponent::HeaderLines, '─')
        .set_style(TableComponent::MiddleHeaderIntersections, '─');
    table.set_header(header);
    for (position, column) in table.column_iter_mut().enumerate() {
        if !left.contains(&position) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Text on one line, from a file that anybody may have written: it must not move a terminal's cursor.
pub fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The promise of a guarantee with its numbers, and in the same sentence what it is conditional on.
pub(crate) fn conditional_promise(guarantee: &Guarantee) -> String {
    let epsilon = guarantee.epsilon().map(|epsilon| format!(" with epsilon {epsilon}")).unwrap_or_default();
    let delta = guarantee.delta();
    let delta = if delta.is_zero() { String::new() } else { format!(" and delta {delta}") };
    let proviso = guarantee.proviso().map(|proviso| format!(", {}", one_line(&proviso))).unwrap_or_default();
    format!("differential privacy{epsilon}{delta}{proviso}")
}
