//! The model of a table of any columns: what `release` finds and rows are made from.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use super::branches::Branch;
use super::corrections::{Correction, HEAVIEST};
use super::nodes::{Classed, Node};
use crate::margin::{Codes, Margin};
use crate::model::distribution;
use crate::random::Generator;

/// Margins, correlations of scores, branches and corrections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixedModel {
    pub(super) margins: Vec<Margin>,
    /// Columns with scores, in order.
    pub(super) block: Vec<usize>,
    /// The lower triangular factor of the scores' correlations.
    pub(super) factor: Vec<Vec<f64>>,
    pub(super) branches: Vec<Branch>,
    pub(super) corrections: Vec<Correction>,
    /// The mean weight of a row.
    pub(super) mean_weight: f64,
}

/// Synthetic rows by column: the position of every row's value, none where it is missing.
pub type Positions = Vec<Vec<Option<usize>>>;

impl MixedModel {
    /// The margins, column by column.
    pub fn margins(&self) -> &[Margin] {
        &self.margins
    }

    /// Makes rows.
    pub fn simulate(&self, rows: usize, random: &mut Generator) -> Positions {
        let mut made: Positions = vec![Vec::with_capacity(rows); self.margins.len()];
        let drawer = Drawer::new(self);
        let mut count = 0;
        while count < rows {
            let row = drawer.row(random);
            let keep = random.random::<f64>() * HEAVIEST < drawer.weight(&row) / self.mean_weight;
            if keep || self.corrections.is_empty() {
                for (column, position) in made.iter_mut().zip(&row.positions) {
                    column.push(*position);
                }
                count += 1;
            }
        }
        made
    }
}

/// One row while it is made.
pub(super) struct Row {
    pub(super) positions: Vec<Option<usize>>,
    /// Values before some are made missing.
    values: Vec<usize>,
}

/// A model with the classes that its branches and corrections speak of.
pub(super) struct Drawer<'a> {
    model: &'a MixedModel,
    classed: Vec<(Node, Classed)>,
}

impl<'a> Drawer<'a> {
    pub(super) fn new(model: &'a MixedModel) -> Self {
        let classed = nodes(&model.margins, &model.block).into_iter().map(|node| (node.node, node)).collect();
        Self { model, classed }
    }

    fn codes(&self, column: usize) -> &Codes {
        let found = self.classed.iter().find(|(node, _)| *node == Node::Value(column));
        &found.map_or(&self.classed[0].1, |(_, classed)| classed).codes
    }

    /// The class of a row in a node, if the node applies to it.
    pub(super) fn class(&self, row: &Row, node: Node) -> Option<usize> {
        match node {
            Node::Missing(column) => Some(usize::from(row.positions[column].is_none())),
            Node::Value(column) => match row.positions[column] {
                Some(position) => Some(self.codes(column).class(Some(position))),
                None if self.model.block.contains(&column) => None,
                None => Some(self.codes(column).class(None)),
            },
        }
    }

    pub(super) fn row(&self, random: &mut Generator) -> Row {
        let model = self.model;
        let mut row = Row { positions: vec![None; model.margins.len()], values: vec![0; model.margins.len()] };
        let z: Vec<f64> = model.block.iter().map(|_| StandardNormal.sample(&mut *random)).collect();
        for (&column, loadings) in model.block.iter().zip(&model.factor) {
            let score: f64 = loadings.iter().zip(&z).map(|(loading, z)| loading * z).sum();
            let position = model.margins[column].quantile(distribution(score));
            row.values[column] = position;
            row.positions[column] = Some(position);
        }
        for branch in &model.branches {
            let class = match branch.parent {
                None => 0,
                // The latent value decides, even where it is missing in the end.
                Some(Node::Value(column)) if model.block.contains(&column) => {
                    self.codes(column).class(Some(row.values[column]))
                }
                Some(node) => self.class(&row, node).unwrap_or(0),
            };
            let drawn = draw(&branch.given[class.min(branch.given.len() - 1)], random);
            match branch.child {
                Node::Missing(column) if drawn == 1 => row.positions[column] = None,
                Node::Missing(_) => {}
                Node::Value(column) => {
                    let codes = self.codes(column);
                    let values = codes.len() - usize::from(codes.has_missing());
                    row.positions[column] =
                        (drawn < values).then(|| within(&model.margins[column], codes, drawn, random));
                }
            }
        }
        row
    }

    /// The product of all corrections.
    pub(super) fn weight(&self, row: &Row) -> f64 {
        let factor = |correction: &Correction| {
            let (first, second) = (self.class(row, correction.first), self.class(row, correction.second));
            let width = self.count(correction.second);
            first.zip(second).map_or(1.0, |(first, second)| correction.factors[first * width + second])
        };
        self.model.corrections.iter().map(factor).product()
    }

    fn count(&self, node: Node) -> usize {
        self.classed.iter().find(|(own, _)| *own == node).map_or(1, |(_, classed)| classed.count())
    }
}

/// All nodes of a table: numbers, nominal columns, and holes in numbers.
pub(super) fn nodes(margins: &[Margin], block: &[usize]) -> Vec<Classed> {
    let value = |(column, margin): (usize, &Margin)| {
        if block.contains(&column) { Classed::number(column, margin) } else { Classed::nominal(column, margin) }
    };
    let holes = block.iter().filter(|&&column| margins[column].missing() > 0.0);
    let holes = holes.map(|&column| Classed::hole(column, &margins[column]));
    margins.iter().enumerate().map(value).chain(holes).collect()
}

/// A class by its probability.
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

/// A position of a class, as the margin has them.
fn within(margin: &Margin, codes: &Codes, class: usize, random: &mut Generator) -> usize {
    let starts = codes.starts();
    let low = margin.interval(starts[class]).0;
    let high = starts.get(class + 1).map_or(1.0, |&next| margin.interval(next).0);
    margin.quantile(low + (high - low) * random.random::<f64>())
}
