//! Cells that a schema does not allow.

/// The treatment of a cell that the schema does not allow: an undeclared level, or text that is not a number or
/// date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Invalid {
    /// An error, which reveals that there is such a cell, and where.
    #[default]
    Refuse,
    /// A missing value, whatever the other cells are: every table can be read.
    Missing,
}

words!(Invalid {
    "refuse" => Refuse: "They end the run",
    "missing" => Missing: "They become missing values",
});
