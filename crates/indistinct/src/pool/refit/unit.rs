//! Columns that an exchange moves, and the tables that it changes.

/// The unit of an exchange: a column, or a block of columns, with the tables that it changes.
pub(super) struct Unit {
    pub(super) columns: Vec<usize>,
    pub(super) sides: Vec<Side>,
}

/// A table from the side of an exchange: the effect on it of exchanging some of its columns.
pub(super) struct Side {
    /// The columns that are exchanged. The second adds nothing where there is only one.
    pub(super) own: [Axis; 2],
    /// The columns that are not exchanged. The second adds nothing where there is only one.
    pub(super) others: [Axis; 2],
    /// The place of the table's first cell.
    pub(super) start: u32,
    pub(super) weight: f32,
}

/// A column of a table, and the place in [`Refit::steps`](super::Refit) of the steps of its classes.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) column: u32,
    pub(super) steps: u32,
}

/// The cells of a table from which an exchange takes rows, and those to which it brings them.
#[derive(Clone, Copy, Default)]
pub(super) struct Touched {
    pub(super) gaining: [u32; 2],
    pub(super) losing: [u32; 2],
    pub(super) weight: f32,
}

impl Unit {
    /// Whether an exchange between two rows would change them.
    pub(super) fn differs(&self, r: &[u16], s: &[u16]) -> bool {
        self.columns.iter().any(|&column| r[column] != s[column])
    }
}

impl Axis {
    #[inline]
    pub(super) fn step(self, steps: &[u32], row: &[u16]) -> u32 {
        steps[self.steps as usize + usize::from(row[self.column as usize])]
    }
}

/// One or two columns as two, where the second may add nothing; `None` if there are none, or more.
pub(super) fn both(axes: &[Axis]) -> Option<[Axis; 2]> {
    match *axes {
        [axis] => Some([axis, Axis { column: axis.column, steps: 0 }]),
        [first, second] => Some([first, second]),
        _ => None,
    }
}
