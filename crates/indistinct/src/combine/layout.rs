//! The columns of a regression as one table has them, computed for other tables of the same schema: coefficients then
//! mean the same in all of them.

use super::design::Design;
pub(crate) use super::frame::Part;
use super::frame::{Cells, Frame, Frames, Label, read};
use super::{CombineError, Formula, FormulaError};
use crate::table::{MISSING_CODE, Table};

/// The names and columns of a regression's coefficients.
#[derive(Debug)]
pub(crate) struct Layout {
    frames: Frames,
    design: Design,
    left: Part,
}

/// A regression in numbers.
#[derive(Debug)]
pub(crate) struct Regression {
    /// The columns of the design.
    pub(crate) columns: Vec<Vec<f64>>,
    /// The response.
    pub(crate) response: Vec<f64>,
    /// The rows of the table that are complete.
    pub(crate) rows: Vec<usize>,
}

impl Layout {
    /// Lays out the columns of a formula, with the levels that occur in a table.
    pub(crate) fn new(table: &Table, formula: &Formula, left: Part) -> Result<Self, CombineError> {
        let frames = Frames::new(&[table], formula, left)?;
        let design = Design::new(&frames)?;
        Ok(Self { frames, design, left })
    }

    /// Names of the coefficients, as in R.
    pub(crate) fn names(&self) -> &[String] {
        &self.design.names
    }

    /// The numbers of another table. Rows with a missing value, or with a level that the first table did not have,
    /// are left out.
    pub(crate) fn regression(&self, table: &Table) -> Result<Regression, FormulaError> {
        let model = &self.frames.model;
        let (response, _) = read(table, &model.response, self.left)?;
        let mut variables = Vec::with_capacity(model.variables.len());
        for (variable, levels) in model.variables.iter().zip(&self.frames.levels) {
            let (cells, declared) = read(table, variable, Part::Predictor)?;
            variables.push(match levels {
                Some(levels) => recoded(cells, &declared, levels),
                None => cells,
            });
        }
        let complete =
            |row: &usize| !response.is_missing(*row) && variables.iter().all(|cells| !cells.is_missing(*row));
        let rows: Vec<usize> = (0..table.rows()).filter(complete).collect();
        let frame = Frame {
            rows: table.rows(),
            response: response.take(&rows).into_numbers(),
            variables: variables.iter().map(|cells| cells.take(&rows)).collect(),
        };
        Ok(Regression { columns: self.design.columns(&frame), response: frame.response, rows })
    }
}

/// Codes as positions in the levels of the layout; missing for others.
fn recoded(cells: Cells, declared: &[Label], levels: &[String]) -> Cells {
    let Cells::Codes(codes) = cells else { return cells };
    let place = |label: &Label| {
        let name = label.to_string();
        levels.iter().position(|level| *level == name).map_or(MISSING_CODE, |place| place as u32)
    };
    let places: Vec<u32> = declared.iter().map(place).collect();
    Cells::Codes(
        codes.into_iter().map(|code| places.get(code as usize).copied().unwrap_or(MISSING_CODE)).collect(),
    )
}
