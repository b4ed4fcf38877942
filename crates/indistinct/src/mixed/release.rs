//! From a private table of any columns to models, by a budget that is divided by public quantities.

use std::num::NonZeroU64;

use super::block::factor;
use super::branches::{distance, hang};
use super::corrections::{Population, correct, correctable};
use super::model::{Drawer, MixedModel, Row};
use super::nodes::{Classed, Node, Private};
use super::plan::{MixedError, MixedPlan};
use crate::interrupt;
use crate::margin::{self, Margin};
use crate::privacy::{Budget, Randomness, SCORE_STEP, Score, Sensitivity, discrete_laplace};
use crate::private::PrivateTable;
use crate::random::Generator;
use crate::sampler::SamplerError;

/// Rows that the model makes to be weighted, at most and at least: fewer where there are many nodes.
const MOST_ROWS: usize = 200_000;
const FEWEST_ROWS: usize = 50_000;
/// Rows times nodes, where that leaves enough rows.
const CLASSED: usize = 4_000_000;
/// Rows after which to ask whether they are still wanted.
const CHECKED: usize = 1024;

/// What a run found, all of it paid for by `budget`.
#[derive(Debug)]
pub struct MixedReleased {
    /// One for each draw.
    pub models: Vec<MixedModel>,
    /// The noisy quality of the first, if it was asked for.
    pub score: Option<Score>,
    /// What was spent, and on what.
    pub budget: Budget,
}

/// Finds the models of a table, as many as planned, and the quality score if planned.
///
/// # Guarantee
/// Everything that looks at rows is charged to the budget that is returned; its guarantee is that of the release. Synthetic
/// tables made from the models are post-processing.
///
/// # Errors
/// When the budget does not allow a step; nothing is then released.
pub fn release(
    table: &PrivateTable,
    plan: &MixedPlan,
    randomness: Randomness,
    progress: &(dyn Fn() + Sync),
) -> Result<MixedReleased, MixedError> {
    let mut budget = plan.budget(randomness);
    let mut models = Vec::new();
    let mut score = None;
    for draw in 0..plan.options().draws {
        let mut random = budget.public_stream(u64::from(draw));
        let fitted = fit(table, plan, (&mut budget, &mut random), progress)?;
        if draw == 0 && !plan.options().score_epsilon.is_zero() {
            score = Some(fitted.score(table.rows(), plan, &mut budget)?);
        }
        models.push(fitted.model);
    }
    Ok(MixedReleased { models, score, budget })
}

/// A model with what it was fitted to.
struct Fitted {
    model: MixedModel,
    nodes: Vec<Private>,
    population: Population,
}

fn fit(
    table: &PrivateTable,
    plan: &MixedPlan,
    (budget, random): (&mut Budget, &mut Generator),
    progress: &(dyn Fn() + Sync),
) -> Result<Fitted, SamplerError> {
    let mut margins: Vec<Margin> = Vec::with_capacity(table.columns());
    for (column, facts) in plan.facts.iter().enumerate() {
        margins.push(margin::measure(table, column, facts, budget, plan.margin_share(column))?);
        progress();
    }
    let (block, classes) = (plan.block().to_vec(), plan.classes());
    let trunk: Vec<Private> = block
        .iter()
        .map(|&column| Classed::ordered(column, &margins[column], classes).of_rows(table, &margins))
        .collect();
    let nominal = (0..margins.len()).filter(|column| !block.contains(column));
    let nominal = nominal.map(|column| Classed::nominal(column, &margins[column]));
    let holes = block.iter().filter(|&&column| margins[column].missing() > 0.0);
    let holes = holes.map(|&column| Classed::hole(column, &margins[column]));
    let children: Vec<Private> = nominal.chain(holes).map(|node| node.of_rows(table, &margins)).collect();
    let hung = children.len();

    let branches =
        hang(table.rows(), &trunk, &children, &plan.predictors, (budget, plan.branch_shares(hung)))?;
    progress();
    let independent = (0..block.len()).map(|row| [vec![0.0; row], vec![1.0]].concat()).collect();
    let mut model = MixedModel {
        margins,
        block,
        classes,
        factor: independent,
        branches,
        corrections: Vec::new(),
        mean_weight: 1.0,
    };
    let nodes: Vec<Private> = trunk.into_iter().chain(children).collect();
    let presence = Presence::new(&model, &nodes, random);
    let both = |first: usize, second: usize| presence.both(first, second);
    model.factor = factor(table, &model.margins, plan, &both, (budget, plan.block_share(hung)))?;
    progress();

    let mut population = populate(&model, &nodes, random);
    let rounds = (budget, plan.correction_shares(hung), plan.rounds());
    model.corrections = correct(table.rows(), &nodes, &mut population, &plan.predictors, rounds)?;
    model.mean_weight = population.mean_weight();
    progress();
    Ok(Fitted { model, nodes, population })
}

/// Rows of the model without corrections, by classes.
fn populate(model: &MixedModel, nodes: &[Private], random: &mut Generator) -> Population {
    let drawer = Drawer::new(model);
    let rows = (CLASSED / nodes.len().max(1)).clamp(FEWEST_ROWS, MOST_ROWS);
    let mut classes: Vec<Vec<Option<u16>>> = vec![Vec::with_capacity(rows); nodes.len()];
    let mut row = Row::new(model.margins.len());
    for number in 0..rows {
        if number.is_multiple_of(CHECKED) {
            interrupt::check();
        }
        drawer.draw(&mut row, random);
        for (classes, private) in classes.iter_mut().zip(nodes) {
            classes.push(drawer.class(&row, private.node.node).map(|class| class as u16));
        }
    }
    Population::new(classes)
}

/// How often two columns are both there, as far as the branches say.
struct Presence {
    /// For every column that can be missing, which rows of a population have it.
    there: Vec<Option<Vec<bool>>>,
}

impl Presence {
    fn new(model: &MixedModel, nodes: &[Private], random: &mut Generator) -> Self {
        let mut there: Vec<Option<Vec<bool>>> = vec![None; model.margins.len()];
        let is_hole = |private: &&Private| matches!(private.node.node, Node::Missing(_));
        let holes: Vec<usize> =
            nodes.iter().filter(is_hole).map(|private| private.node.node.column()).collect();
        if holes.is_empty() {
            return Self { there };
        }
        let population = populate(model, nodes, random);
        for (private, classes) in nodes.iter().zip(population.classes()) {
            if let Node::Missing(column) = private.node.node {
                there[column] = Some(classes.iter().map(|class| *class != Some(1)).collect());
            }
        }
        Self { there }
    }

    fn both(&self, first: usize, second: usize) -> f64 {
        let share = |count: usize, rows: usize| count as f64 / rows as f64;
        match (&self.there[first], &self.there[second]) {
            (None, None) => 1.0,
            (Some(one), None) | (None, Some(one)) => {
                share(one.iter().filter(|there| **there).count(), one.len())
            }
            (Some(one), Some(other)) => {
                share(one.iter().zip(other).filter(|(one, other)| **one && **other).count(), one.len())
            }
        }
    }
}

impl Fitted {
    /// The mean pMAE of the tables of all pairs that may depend, with exact noise; of nothing but noise where there are none.
    ///
    /// # Guarantee
    /// n * TV moves by at most one in every pair (`proofs/pmae_sensitivity.md`), so that their sum moves by at most the number
    /// of pairs.
    fn score(&self, rows: usize, plan: &MixedPlan, budget: &mut Budget) -> Result<Score, SamplerError> {
        let pairs = correctable(&self.nodes, &plan.predictors);
        let views = NonZeroU64::new(pairs.len() as u64).unwrap_or(NonZeroU64::MIN);
        let epsilon = budget.worth(plan.options().score_epsilon).pure_epsilon();
        let charge = budget.charge(SCORE_STEP, epsilon, Sensitivity::pmae(views).released())?;
        let units = charge.bound().units().get() as f64 / charge.epsilon().to_f64();
        let whole = |share: f64| (rows as f64 * share).round() as i64;
        let of_pair = |pair: &(usize, usize)| {
            let expected: Vec<i64> =
                self.population.shares(*pair, &self.nodes).into_iter().map(whole).collect();
            distance(&expected, &self.nodes[pair.0].rows.pair_counts(&self.nodes[pair.1].rows))
        };
        let noisy = discrete_laplace(charge, pairs.iter().map(of_pair).sum())?;
        let scale = 1.0 / (2.0 * rows as f64 * views.get() as f64);
        Ok(Score { value: noisy as f64 * scale, epsilon, scale: units * scale })
    }
}
