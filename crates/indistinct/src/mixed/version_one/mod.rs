//! Models released by versions 0.1: read from files and sampled from, no longer made.
//!
//! Nominal columns and missing values depend on one other node each (branches), ordered columns have correlated
//! scores, and rows are kept in proportion to weights (corrections).

mod nodes;

use std::collections::BTreeSet;

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use super::scored::Scored;
use crate::margin::{Margin, declared};
use crate::model::distribution;
use crate::random::{Generator, Seed};
use crate::table::{ColumnSchema, Table};
use nodes::{Classed, FEWEST_CLASSES, MOST_CLASSES, Node, USUAL_CLASSES};

/// Largest weight of a row, relative to the mean.
const HEAVIEST: f64 = 10.0;

/// Rejected rows after which one is kept whatever its weight: only the weights of a damaged file lead to that.
const PATIENCE: usize = 100_000;
/// Least share of rows kept for a model to be used: in models made by the program it is a tenth, or little less.
const LEAST_KEPT: f64 = 0.01;
/// Rows that are made to find that share.
const TRIALS: usize = 1000;
/// Largest distance from one of the sum of probabilities in a file.
const ROUNDING: f64 = 1e-6;

/// A node that depends on another, or on none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Branch {
    child: Node,
    parent: Option<Node>,
    /// For each class of the parent (or for all), the probabilities of the child's classes.
    given: Vec<Vec<f64>>,
}

/// Factors of a row's weight by its class in one node, or in two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Correction {
    first: Node,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second: Option<Node>,
    /// Factors, row after row.
    factors: Vec<f64>,
}

/// Margins, correlations of scores, branches and corrections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionOneModel {
    margins: Vec<Margin>,
    /// Columns with scores, in order.
    block: Vec<usize>,
    /// Most classes of these columns in tables of pairs.
    #[serde(default = "usual_classes")]
    classes: usize,
    /// The lower triangular factor of the scores' correlations.
    factor: Vec<Vec<f64>>,
    branches: Vec<Branch>,
    corrections: Vec<Correction>,
    /// The mean weight of a row.
    mean_weight: f64,
}

/// The number of classes in models that do not state it.
fn usual_classes() -> usize {
    USUAL_CLASSES
}

impl VersionOneModel {
    /// The margins, column by column.
    pub fn margins(&self) -> &[Margin] {
        &self.margins
    }

    /// Makes rows in the declared form.
    ///
    /// # Panics
    /// When another number of columns is declared, or the model does not pass [`check`](Self::check).
    pub fn simulate(&self, schema: &[ColumnSchema], rows: usize, random: &mut Generator) -> Table {
        assert_eq!(schema.len(), self.margins.len(), "a schema for every column");
        let drawer = Drawer::new(self);
        let mut made: Vec<Vec<Option<usize>>> = vec![Vec::with_capacity(rows); schema.len()];
        let mut row = Row::new(schema.len());
        let mut patience = PATIENCE;
        while made[0].len() < rows {
            drawer.draw(&mut row, random);
            let weight = drawer.weight(&row) / self.mean_weight;
            if self.corrections.is_empty() || random.random::<f64>() * HEAVIEST < weight || patience == 0 {
                for (column, position) in made.iter_mut().zip(&row.positions) {
                    column.push(*position);
                }
                patience = PATIENCE;
            }
            patience = patience.saturating_sub(1);
        }
        let columns = made.into_iter().zip(schema).zip(&self.margins);
        Table::of_columns(
            columns.map(|((positions, column), margin)| declared(&positions, column, margin)).collect(),
        )
    }

    /// Checks a model that was read from a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn check(&self, schema: &[ColumnSchema]) -> Result<(), &'static str> {
        let Self { margins, block, factor, .. } = self;
        Scored { margins, block, factor }.check(schema)?;
        if !(FEWEST_CLASSES..=MOST_CLASSES).contains(&self.classes) {
            return Err("its ordered columns have too few classes or too many");
        }
        let drawer = Drawer::new(self);
        let mut placed: BTreeSet<Node> = self.block.iter().map(|&column| Node::Value(column)).collect();
        for branch in &self.branches {
            let known = drawer.classes(branch.child).filter(|_| !placed.contains(&branch.child));
            let parents = match branch.parent {
                None => Some(1),
                Some(parent) if placed.contains(&parent) => drawer.classes(parent),
                Some(_) => None,
            };
            let distribution = |given: &Vec<f64>| {
                let sum: f64 = given.iter().sum();
                Some(given.len()) == known && given.iter().all(|p| *p >= 0.0) && (sum - 1.0).abs() <= ROUNDING
            };
            if parents != Some(branch.given.len()) || !branch.given.iter().all(distribution) {
                return Err("a branch does not fit what it hangs below");
            }
            placed.insert(branch.child);
        }
        if (0..schema.len()).any(|column| !placed.contains(&Node::Value(column))) {
            return Err("a column has no place");
        }
        let fits = |correction: &Correction| {
            let second = correction.second.map_or(Some(1), |second| drawer.classes(second));
            let cells = drawer.classes(correction.first).zip(second);
            cells.is_some_and(|(first, second)| first * second == correction.factors.len())
                && correction.factors.iter().all(|factor| factor.is_finite() && *factor >= 0.0)
        };
        let weighed = self.mean_weight > 0.0 && self.mean_weight.is_finite();
        if !weighed || !self.corrections.iter().all(fits) {
            return Err("a correction does not fit its columns");
        }
        if self.kept(&drawer) < LEAST_KEPT {
            return Err("its corrections leave hardly any rows");
        }
        Ok(())
    }

    /// Approximate share of rows that are kept.
    fn kept(&self, drawer: &Drawer<'_>) -> f64 {
        if self.corrections.is_empty() {
            return 1.0;
        }
        let mut random = Seed(0).stream(0);
        let mut row = Row::new(self.margins.len());
        let kept = |_| {
            drawer.draw(&mut row, &mut random);
            let kept = drawer.weight(&row) / self.mean_weight / HEAVIEST;
            if kept.is_nan() { 0.0 } else { kept.min(1.0) }
        };
        (0..TRIALS).map(kept).sum::<f64>() / TRIALS as f64
    }
}

/// One row while it is made.
struct Row {
    positions: Vec<Option<usize>>,
    /// Values before some are made missing.
    values: Vec<usize>,
    /// Independent scores.
    z: Vec<f64>,
}

impl Row {
    fn new(columns: usize) -> Self {
        Self { positions: vec![None; columns], values: vec![0; columns], z: Vec::with_capacity(columns) }
    }
}

/// A model with the classes of its branches and corrections.
struct Drawer<'a> {
    model: &'a VersionOneModel,
    /// The value of every column.
    values: Vec<Classed>,
    in_block: Vec<bool>,
}

impl<'a> Drawer<'a> {
    fn new(model: &'a VersionOneModel) -> Self {
        let mut in_block = vec![false; model.margins.len()];
        for &column in &model.block {
            if let Some(ordered) = in_block.get_mut(column) {
                *ordered = true;
            }
        }
        let each = model.margins.iter().enumerate();
        let classed = |(column, margin): (usize, &Margin)| {
            if in_block[column] { Classed::ordered(margin, model.classes) } else { Classed::nominal(margin) }
        };
        let values = each.map(classed).collect();
        Self { model, values, in_block }
    }

    /// The number of a node's classes, if the node exists.
    fn classes(&self, node: Node) -> Option<usize> {
        match node {
            Node::Value(column) => self.values.get(column).map(Classed::count),
            Node::Missing(column) => self.in_block.get(column).filter(|ordered| **ordered).map(|_| 2),
        }
    }

    /// The class of a row in a node, if the node applies to it.
    fn class(&self, row: &Row, node: Node) -> Option<usize> {
        match node {
            Node::Missing(column) => Some(usize::from(row.positions[column].is_none())),
            Node::Value(column) => match row.positions[column] {
                None if self.in_block[column] => None,
                position => Some(self.values[column].codes.class(position)),
            },
        }
    }

    /// Makes a row.
    fn draw(&self, row: &mut Row, random: &mut Generator) {
        let model = self.model;
        row.z.clear();
        for (&column, loadings) in model.block.iter().zip(&model.factor) {
            row.z.push(StandardNormal.sample(&mut *random));
            let score: f64 = loadings.iter().zip(&row.z).map(|(loading, z)| loading * z).sum();
            let position = model.margins[column].quantile(distribution(score));
            row.values[column] = position;
            row.positions[column] = Some(position);
        }
        for branch in &model.branches {
            let class = match branch.parent {
                None => 0,
                // The latent value decides, even where it is missing in the end.
                Some(Node::Value(column)) if self.in_block[column] => {
                    self.values[column].codes.class(Some(row.values[column]))
                }
                Some(node) => self.class(row, node).unwrap_or(0),
            };
            let drawn = draw(&branch.given[class], random);
            match branch.child {
                Node::Missing(column) if drawn == 1 => row.positions[column] = None,
                Node::Missing(_) => {}
                Node::Value(column) => {
                    let position = self.values[column].within(&model.margins[column], drawn, random);
                    row.positions[column] = position;
                }
            }
        }
    }

    /// The product of all corrections.
    fn weight(&self, row: &Row) -> f64 {
        let factor = |correction: &Correction| {
            let (second, width) = match correction.second {
                None => (Some(0), 1),
                Some(second) => (self.class(row, second), self.classes(second).unwrap_or(1)),
            };
            let classes = self.class(row, correction.first).zip(second);
            classes.map_or(1.0, |(first, second)| correction.factors[first * width + second])
        };
        self.model.corrections.iter().map(factor).product()
    }
}

/// A random class by its probability.
fn draw(probabilities: &[f64], random: &mut Generator) -> usize {
    let mut left: f64 = random.random();
    for (class, probability) in probabilities.iter().enumerate() {
        left -= probability;
        if left < 0.0 {
            return class;
        }
    }
    probabilities.iter().rposition(|probability| *probability > 0.0).unwrap_or(0)
}
