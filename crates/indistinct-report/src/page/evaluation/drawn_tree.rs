//! The tree that an evaluation page shows.

use indistinct::discriminator::Stacked;
use indistinct::discriminator::cart;
use indistinct::discriminator::optimal::{self, OptimalParams};
use indistinct::table::{ColumnType, Table};
use serde::Serialize;

use crate::chart::TreeChart;
use crate::page::{Figure, tree};
use indistinct::evaluate::{Discriminator, EvaluateParams, EvaluationError};

/// A tree as a figure and in words, if one splits.
#[derive(Serialize)]
pub(super) struct DrawnTree {
    figure: Option<Figure>,
    /// The name of the tree.
    words: &'static str,
    rows: Vec<Vec<String>>,
}

/// The evaluation's own tree, or the best one of depth 2 where it has none.
pub(super) fn drawn_tree(
    real: &Table,
    synthetic: &Table,
    params: &EvaluateParams,
) -> Result<DrawnTree, EvaluationError> {
    let stacked = Stacked::new(real, synthetic)?;
    let kinds: Vec<ColumnType> = real.columns().iter().map(|column| column.schema().kind().clone()).collect();
    let own = match &params.discriminator {
        Discriminator::Cart(params) => Some(tree::of_cart(&cart::fit(&stacked, params), &stacked, &kinds)),
        Discriminator::Optimal(params) => {
            Some(tree::of_optimal(&optimal::fit(&stacked, params).tree, &stacked, &kinds))
        }
        Discriminator::Partition(_) | Discriminator::Logistic(_) => None,
    };
    let splits = |chart: &TreeChart| chart.nodes.len() > 1;
    let (chart, words) = match own {
        Some(chart) if splits(&chart) => (chart, "The discriminator's own tree."),
        other => {
            let best = optimal::fit(&stacked, &OptimalParams::default()).tree;
            let words = if other.is_some() {
                "The discriminator's own tree does not split at all: it finds nothing worth a split. This is the best tree of \
                 depth 2 instead."
            } else {
                "This discriminator has no tree. This is the best tree of depth 2 instead."
            };
            (tree::of_optimal(&best, &stacked, &kinds), words)
        }
    };
    if !splits(&chart) {
        let words = "No tree splits: no cut of one or two columns tells the tables apart.";
        return Ok(DrawnTree { figure: None, words, rows: Vec::new() });
    }
    let rows = tree::rows(&chart);
    let chart = TreeChart {
        title: "How to tell them apart".to_owned(),
        description:
            "A tree of conditions; each box has the share of synthetic rows among those that fulfil them."
                .to_owned(),
        ..chart
    };
    Ok(DrawnTree { figure: Some(Figure::new(chart.to_inline_svg(), "")), words, rows })
}
