//! Tables of the classes of several columns, as plain data: they give the cell of a row.

use serde::{Deserialize, Serialize};

/// A table of the classes of some columns. The cell of a row is the sum of the steps of its classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct ClassTable {
    columns: Vec<usize>,
    steps: Vec<Vec<u32>>,
    cells: usize,
}

/// A table as it comes from elsewhere.
#[derive(Deserialize)]
struct Written {
    columns: Vec<usize>,
    steps: Vec<Vec<u32>>,
    cells: usize,
}

impl TryFrom<Written> for ClassTable {
    type Error = &'static str;

    fn try_from(Written { columns, steps, cells }: Written) -> Result<Self, Self::Error> {
        let last: u64 = steps.iter().map(|steps| u64::from(steps.iter().copied().max().unwrap_or(0))).sum();
        if !matches!(columns.len(), 2 | 3) || steps.len() != columns.len() || last >= cells as u64 {
            return Err("a table needs two or three columns, and cells for all their classes");
        }
        Ok(Self { columns, steps, cells })
    }
}

impl ClassTable {
    /// A table of these columns. `views` has, for each of them, the table's class for each of the column's own
    /// classes, and the number of the table's classes.
    ///
    /// # Panics
    /// When a class is beyond their number, or there are not two or three columns.
    pub(crate) fn new(columns: &[usize], views: &[(Vec<usize>, usize)]) -> Self {
        assert_eq!(columns.len(), views.len(), "a view of every column");
        assert!(matches!(columns.len(), 2 | 3), "two or three columns");
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

    /// For every column and class, its step: its summand in the number of the cell.
    pub(crate) fn steps(&self) -> &[Vec<u32>] {
        &self.steps
    }

    /// The cell of a row of a public pool, by its classes in all columns.
    pub(crate) fn cell(&self, row: &[u16]) -> usize {
        let steps = self.columns.iter().zip(&self.steps);
        steps.map(|(&column, steps)| steps[usize::from(row[column])]).sum::<u32>() as usize
    }

    /// Rows in every cell, where `classes` gives the classes of a column's rows. A row with a class unknown to
    /// the table counts nowhere.
    ///
    /// # Guarantee
    /// Counts of the cells of a fixed partition: the cell of a row is a function of its classes
    /// (`proofs/counts_sensitivity.md`).
    pub(crate) fn counts<'a>(&self, classes: impl Fn(usize) -> &'a Vec<u16>) -> Vec<i64> {
        let mut counts = vec![0; self.cells];
        self.add(classes, &mut counts);
        counts
    }

    /// Adds the rows in every cell to counts of others, as [`counts`](Self::counts) has them.
    pub(super) fn add<'a>(&self, classes: impl Fn(usize) -> &'a Vec<u16>, counts: &mut [i64]) {
        let side = |place: usize| Side { classes: classes(self.columns[place]), steps: &self.steps[place] };
        match self.columns.len() {
            2 => count([side(0), side(1)], counts),
            3 => count([side(0), side(1), side(2)], counts),
            columns => unreachable!("a table of {columns} columns"),
        }
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.cells
    }
}

/// The classes of a column's rows, and the step of each class.
struct Side<'a> {
    classes: &'a [u16],
    steps: &'a [u32],
}

/// Counts rows. The number of columns is a constant, so that the compiler unrolls the loop over them.
fn count<const COLUMNS: usize>(sides: [Side<'_>; COLUMNS], counts: &mut [i64]) {
    let rows = sides.iter().map(|side| side.classes.len()).min().unwrap_or(0);
    for row in 0..rows {
        let mut cell = Some(0);
        for side in &sides {
            let step = side.steps.get(usize::from(side.classes[row]));
            cell = cell.zip(step).map(|(cell, step)| cell + step);
        }
        if let Some(cell) = cell {
            counts[cell as usize] += 1;
        }
    }
}
