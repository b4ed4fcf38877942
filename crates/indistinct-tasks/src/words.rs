//! Tables and lines for people.

use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};

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

/// A number of things, which are one or several: `1 row`, `2 rows`.
pub(crate) fn number_of(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
