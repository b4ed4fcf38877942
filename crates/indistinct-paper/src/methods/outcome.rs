//! A simulated private table, and what a release from it is worth.

use std::num::NonZeroU32;

use indistinct::discriminator::cart::{CartOptions, CartParams};
use indistinct::discriminator::{Stacked, cart};
use indistinct::model::SequentialNormal;
use indistinct::privacy::{Budget, Epsilon, Randomness};
use indistinct::private::PrivateRows;
use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, ColumnSchema, ColumnType, Table, Values};
use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::population::{self, ROWS};

/// The outcome of a method for one simulated table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Mean pMSE of its synthetic tables against the private one, if it makes any.
    pub pmse: Option<f64>,
    /// |intercept - intercept in the private table| of the regression of the second column on the first.
    pub intercept: f64,
    /// The same for the slope.
    pub slope: f64,
}

/// A simulated private table.
pub(super) struct Private {
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) rows: PrivateRows,
}

/// The results that a method publishes.
pub(super) enum Published {
    /// Parameters, each of which makes one table.
    Models(Vec<SequentialNormal>),
    /// A table.
    Table(Vec<Vec<f64>>),
    /// Intercept and slope.
    Coefficients(f64, f64),
}

impl Private {
    pub(super) fn draw(random: &mut Generator) -> Result<Self, String> {
        let columns = population::draw(&population::population(), ROWS, random);
        let column = |(name, values): (&str, &Vec<f64>)| {
            Column::new(ColumnSchema::new(name, ColumnType::Float), Values::Float(values.clone()))
        };
        let table = Table::new(["x1", "x2"].into_iter().zip(&columns).map(column).collect());
        let table = table.map_err(|error| error.to_string())?;
        let rows = PrivateRows::new(&table).map_err(|error| error.to_string())?;
        Ok(Self { columns, rows })
    }

    pub(super) fn compare(&self, published: Published, random: &mut Generator) -> Outcome {
        let (intercept, slope) = line(&self.columns);
        let tables: Vec<Vec<Vec<f64>>> = match published {
            Published::Models(models) => {
                models.iter().map(|model| population::draw(model, ROWS, random)).collect()
            }
            Published::Table(table) => vec![table],
            Published::Coefficients(private_intercept, private_slope) => {
                return Outcome {
                    pmse: None,
                    intercept: apart(private_intercept, intercept),
                    slope: apart(private_slope, slope),
                };
            }
        };
        let mean =
            |of: &dyn Fn(&Vec<Vec<f64>>) -> f64| tables.iter().map(of).sum::<f64>() / tables.len() as f64;
        Outcome {
            pmse: Some(mean(&|table| self.pmse(table))),
            intercept: apart(mean(&|table| line(table).0), intercept),
            slope: apart(mean(&|table| line(table).1), slope),
        }
    }

    /// The pMSE of table 2: rpart's classification tree, cp 0.001, at least five rows in a leaf, unlimited depth.
    fn pmse(&self, synthetic: &[Vec<f64>]) -> f64 {
        cart::fit(&Stacked::of_numbers(&self.columns, synthetic), &tree(0.001, 30)).distinguishability().pmse
    }
}

/// |one - other|; the largest number there is where a table is so wild that its regression overflows, as results are kept
/// in JSON, which has no infinities.
fn apart(one: f64, other: f64) -> f64 {
    let difference = (one - other).abs();
    if difference.is_finite() { difference } else { f64::MAX }
}

/// The trees of the paper.
pub(super) fn tree(cp: f64, depth: u32) -> CartParams {
    let options = CartOptions::default().with(|options| {
        options.cp = Some(cp);
        options.maxdepth = Some(depth);
        options.minbucket = Some(5);
    });
    options.check().expect("constants make sense")
}

/// A budget whose noise can be repeated.
pub(super) fn budget(epsilon: Epsilon, random: &mut Generator) -> Budget {
    Budget::new(epsilon, NonZeroU32::MIN, Randomness::seeded(Seed(random.next_u64())))
}

/// Intercept and slope of the second column regressed on the first.
pub(super) fn line(columns: &[Vec<f64>]) -> (f64, f64) {
    let n = columns[0].len() as f64;
    let [x_mean, y_mean] = [0, 1].map(|column: usize| columns[column].iter().sum::<f64>() / n);
    let (mut xx, mut xy) = (0.0, 0.0);
    for (x, y) in columns[0].iter().zip(&columns[1]) {
        xx += (x - x_mean) * (x - x_mean);
        xy += (x - x_mean) * (y - y_mean);
    }
    let slope = xy / xx;
    (y_mean - slope * x_mean, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wild_regressions_can_be_kept_and_read_again() {
        for wild in [f64::NAN, f64::INFINITY, -f64::INFINITY, f64::MAX] {
            let outcome =
                Outcome { pmse: Some(0.25), intercept: apart(wild, -1.0), slope: apart(wild, f64::MAX) };
            let text = serde_json::to_string(&outcome).unwrap();
            assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome);
        }
    }
}
