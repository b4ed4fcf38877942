//! From a private table of any columns to a model, by a budget that is divided by public quantities.

use super::block::factor;
use super::branches::{Shares, hang};
use super::corrections::{Population, correct};
use super::model::{Drawer, MixedModel, nodes};
use super::nodes::{Classed, Node};
use crate::margin::{self, Facts, Margin};
use crate::privacy::Budget;
use crate::private::{PrivateClasses, PrivateTable};
use crate::random::Generator;
use crate::sampler::SamplerError;

/// The part of the budget for margins.
const MARGINS: f64 = 0.5;
/// What a choice costs, in units of a measurement.
const CHOICE: f64 = 0.15;
/// Rows that the model makes to be weighted.
const POPULATION: usize = 50_000;

/// What is public of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedOptions {
    /// For every column what is known of its values.
    pub facts: Vec<Facts>,
    /// Which columns have an order, and so a score.
    pub ordered: Vec<bool>,
    /// Rounds of corrections.
    pub rounds: usize,
}

/// Finds the model of a table.
///
/// # Guarantee
/// All that looks at rows is charged to the budget: see the modules.
///
/// # Errors
/// When the budget does not allow it.
pub fn release(
    table: &PrivateTable,
    options: &MixedOptions,
    budget: &mut Budget,
    random: &mut Generator,
) -> Result<MixedModel, SamplerError> {
    let columns = table.columns();
    let each = MARGINS / columns as f64;
    let margins = (0..columns)
        .map(|column| margin::measure(table, column, &options.facts[column], budget, each))
        .collect::<Result<Vec<Margin>, SamplerError>>()?;
    let block: Vec<usize> = (0..columns).filter(|&column| options.ordered[column]).collect();
    let all: Vec<(Classed, PrivateClasses)> = nodes(&margins, &block)
        .into_iter()
        .map(|node| {
            let rows = node.of_rows(table, &margins);
            (node, rows)
        })
        .collect();
    let in_trunk = |node: &Classed| matches!(node.node, Node::Value(column) if options.ordered[column]);
    let pairs = block.len() * block.len().saturating_sub(1) / 2;
    let branches = all.iter().filter(|(node, _)| !in_trunk(node)).count();
    // Units: every measurement one, every choice a little.
    let units = pairs as f64 + (branches + options.rounds) as f64 * (1.0 + CHOICE);
    let unit = (1.0 - MARGINS) / units.max(1.0) * (1.0 - 1e-9);
    let shares = Shares { choice: CHOICE * unit, counts: unit };

    let factor = factor(table, &margins, &block, (budget, unit), random)?;
    let (trunk, children): (Vec<_>, Vec<_>) = all.into_iter().partition(|(node, _)| in_trunk(node));
    let branches = hang(table.rows(), &trunk, &children, budget, shares)?;
    let mut model =
        MixedModel { margins, block, factor, branches, corrections: Vec::new(), mean_weight: 1.0 };
    let nodes: Vec<(Classed, PrivateClasses)> = trunk.into_iter().chain(children).collect();
    let mut population = populate(&model, &nodes, random);
    model.corrections =
        correct(table.rows(), &nodes, &mut population, (budget, shares, options.rounds))?;
    model.mean_weight = population.weights.iter().sum::<f64>() / population.weights.len() as f64;
    Ok(model)
}

/// Rows of the model without corrections, by classes.
fn populate(model: &MixedModel, nodes: &[(Classed, PrivateClasses)], random: &mut Generator) -> Population {
    let drawer = Drawer::new(model);
    let mut classes: Vec<Vec<Option<u16>>> = vec![Vec::with_capacity(POPULATION); nodes.len()];
    for _ in 0..POPULATION {
        let row = drawer.row(random);
        for (classes, (node, _)) in classes.iter_mut().zip(nodes) {
            classes.push(drawer.class(&row, node.node).map(|class| class as u16));
        }
    }
    Population { classes, weights: vec![1.0; POPULATION] }
}
