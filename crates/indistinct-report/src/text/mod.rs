//! Text and documents: a release, its plan, an evaluation, a combination, a ledger and a check, as people and scripts read
//! them.

mod combination;
mod evaluation;
mod expected;
mod interval;
pub mod ledger;
mod split;
mod summary;
pub mod verify;

pub use combination::{combination_document, combination_text};
pub use evaluation::evaluation_text;
pub(crate) use interval::percent;
pub use interval::{interval_document, interval_text};
pub use split::Split;
pub use summary::{summary, told_diagnostics};

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
