//! Code that several test binaries share.

#![allow(dead_code, reason = "each binary uses some of it")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

pub(crate) mod golden;

use std::sync::Arc;

use indistinct::model::SequentialNormal;
use indistinct::random::Generator;
use indistinct::table::{Column, Table};
use rand::RngExt;

/// The paper's data: X1 ~ N(2, 10), X2 ~ N(-2.5 + 0.5 x1, 3).
pub(crate) fn paper() -> SequentialNormal {
    SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]])
}

/// A table of numbers, whose columns are x1, x2 and so on.
pub(crate) fn float_table(columns: &[Vec<f64>]) -> Table {
    let column =
        |(place, values): (usize, &Vec<f64>)| Column::float(&format!("x{}", place + 1), values.clone());
    Table::new(columns.iter().enumerate().map(column).collect()).unwrap()
}

/// Names of levels as a schema has them.
pub(crate) fn levels(names: &[&str]) -> Arc<[String]> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// A number that is nearly standard normal: the sum of twelve uniform ones.
pub(crate) fn nearly_normal(random: &mut Generator) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}
