//! Tables of the classes of several columns, as plain data: which cell a row is in.

/// A table of the classes of some columns. The cell of a row is the sum of what its classes add.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClassTable {
    columns: Vec<usize>,
    steps: Vec<Vec<u32>>,
    cells: usize,
}

impl ClassTable {
    /// A table of these columns: for each of them, the class of the table that each of its own classes belongs to, and how
    /// many such classes the table has.
    ///
    /// # Panics
    /// When a class is beyond their number.
    pub(crate) fn new(columns: &[usize], views: &[(Vec<usize>, usize)]) -> Self {
        assert_eq!(columns.len(), views.len(), "a view of every column");
        let mut cells = 1;
        let mut steps = Vec::with_capacity(columns.len());
        for (of, count) in views {
            assert!(of.iter().all(|class| class < count), "classes of the table");
            steps.push(of.iter().map(|class| (class * cells) as u32).collect());
            cells *= count;
        }
        Self { columns: columns.to_vec(), steps, cells }
    }

    /// The columns.
    pub(crate) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// For every column and class, what it adds to the number of the cell.
    pub(crate) fn steps(&self) -> &[Vec<u32>] {
        &self.steps
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.cells
    }
}
