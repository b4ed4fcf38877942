//! The numeric columns that a formula stands for, named and ordered as in R's `model.matrix`.

use super::CombineError;
use super::frame::{Cells, Frame, Frames};

/// The name of the constant, as in R.
pub(crate) const INTERCEPT: &str = "(Intercept)";
/// Most columns of a design.
const MOST_COLUMNS: usize = 1000;

/// The columns of every table's design.
#[derive(Debug)]
pub(super) struct Design {
    pub(super) names: Vec<String>,
    /// For each column, its factors; none for the intercept.
    columns: Vec<Vec<Factor>>,
}

/// A number, or 1 for one level of a category and 0 for the others.
#[derive(Debug, Clone, Copy)]
enum Factor {
    Number { variable: usize },
    Level { variable: usize, code: u32 },
}

impl Design {
    /// Lays out the columns. Ordered categories are coded like others, against their first level.
    pub(super) fn new(frames: &Frames) -> Result<Self, CombineError> {
        let Frames { model, levels, .. } = frames;
        let full = model.full_coding(|variable| levels[variable].is_some());
        let mut design = Self { names: Vec::new(), columns: Vec::new() };
        if model.intercept {
            design.names.push(INTERCEPT.to_owned());
            design.columns.push(Vec::new());
        }
        for (term, full) in model.terms.iter().zip(&full) {
            // The factors of every variable of the term; the first variable's vary fastest.
            let mut products: Vec<(String, Vec<Factor>)> = vec![(String::new(), Vec::new())];
            for (&variable, &full) in term.iter().zip(full) {
                let name = model.variables[variable].to_string();
                let own: Vec<(String, Factor)> = match &levels[variable] {
                    None => vec![(name, Factor::Number { variable })],
                    Some(levels) => levels
                        .iter()
                        .zip(0..)
                        .skip(usize::from(!full))
                        .map(|(level, code)| (format!("{name}{level}"), Factor::Level { variable, code }))
                        .collect(),
                };
                let columns = products.len().saturating_mul(own.len()).saturating_add(design.names.len());
                if columns > MOST_COLUMNS {
                    return Err(CombineError::TooManyColumns { columns, limit: MOST_COLUMNS });
                }
                products = own
                    .iter()
                    .flat_map(|(name, factor)| {
                        products.iter().map(move |(before, factors)| {
                            let colon = if before.is_empty() { "" } else { ":" };
                            (format!("{before}{colon}{name}"), [factors.as_slice(), &[*factor]].concat())
                        })
                    })
                    .collect();
            }
            for (name, factors) in products {
                design.names.push(name);
                design.columns.push(factors);
            }
        }
        if design.names.is_empty() { Err(CombineError::NoCoefficients) } else { Ok(design) }
    }

    /// The columns for one table's complete rows.
    pub(super) fn columns(&self, frame: &Frame) -> Vec<Vec<f64>> {
        let build = |factors: &Vec<Factor>| {
            let mut column = vec![1.0; frame.response.len()];
            for factor in factors {
                match *factor {
                    Factor::Number { variable } => {
                        if let Cells::Numbers(numbers) = &frame.variables[variable] {
                            column.iter_mut().zip(numbers).for_each(|(product, number)| *product *= number);
                        }
                    }
                    Factor::Level { variable, code } => {
                        if let Cells::Codes(codes) = &frame.variables[variable] {
                            let indicator = |own: &u32| f64::from(u8::from(*own == code));
                            column
                                .iter_mut()
                                .zip(codes)
                                .for_each(|(product, own)| *product *= indicator(own));
                        }
                    }
                }
            }
            column
        };
        self.columns.iter().map(build).collect()
    }
}
