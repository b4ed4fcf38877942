//! Maps of how different the tables are in every pair of columns, beside those of the shuffled control.

use indistinct::discriminator::Stacked;
use indistinct::discriminator::cart::Workspace;
use indistinct::evaluate::distances::{Counts, Distances};
use indistinct::table::Table;
use rayon::prelude::*;
use serde::Serialize;

use crate::chart::{HeatCell, HeatMap};
use crate::page::Figure;
use crate::page::words::{number, shown};
use indistinct::evaluate::PreparedDiscriminator;
use indistinct::evaluate::shuffle_columns;
use indistinct::evaluate::{EvaluateParams, Evaluation, EvaluationError, TableEvaluation};

/// Most columns of a heat map.
const HEAT: usize = 30;

/// One measure of the synthetic table and of the control.
#[derive(Serialize)]
pub(super) struct Maps {
    name: &'static str,
    synthetic: Figure,
    control: Figure,
}

/// Positions of the columns in heat maps: all, or those in the most different pairs.
pub(super) fn mapped_columns(evaluation: &Evaluation, columns: usize) -> Vec<usize> {
    if columns <= HEAT {
        return (0..columns).collect();
    }
    let mut worst = vec![0.0f64; columns];
    for table in &evaluation.tables {
        for ((a, b), pair) in pairs(columns).zip(&table.pairs) {
            worst[a] = worst[a].max(pair.tvd);
            worst[b] = worst[b].max(pair.tvd);
        }
    }
    let mut order: Vec<usize> = (0..columns).collect();
    order.sort_by(|&a, &b| worst[b].total_cmp(&worst[a]).then(a.cmp(&b)));
    order.truncate(HEAT);
    order.sort_unstable();
    order
}

/// Pairs of positions in the order of [`TableEvaluation::pairs`].
pub(super) fn pairs(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..columns).flat_map(move |a| (a + 1..columns).map(move |b| (a, b)))
}

/// The results of the shuffled control for the columns and pairs of the heat maps.
pub(super) struct Control {
    pub(super) mapped: Vec<usize>,
    /// Positions, pMSE, distance; single columns have equal positions.
    cells: Vec<(usize, usize, f64, f64)>,
}

impl Control {
    pub(super) fn of(
        real: &Table,
        params: &EvaluateParams,
        mapped: &[usize],
    ) -> Result<Self, EvaluationError> {
        let sample = params.sample.of_real(real, params.seed);
        let stacked = Stacked::new(sample.table(), &shuffle_columns(sample.table(), params.seed))?;
        let judge = PreparedDiscriminator::new(&params.discriminator, &stacked);
        let distances = Distances::of_tables(real, real)?.shuffled(params.seed);
        let wanted: Vec<(usize, usize)> = mapped
            .iter()
            .enumerate()
            .flat_map(|(place, &a)| mapped[place..].iter().map(move |&b| (a, b)))
            .collect();
        let cells = wanted
            .into_par_iter()
            .map_init(<(Workspace, Counts)>::default, |(workspace, counts), (a, b)| {
                let (columns, distance) = if a == b {
                    (vec![a], distances.column(a, counts))
                } else {
                    (vec![a, b], distances.pair(a, b, counts))
                };
                let found = judge.columns(&columns, workspace)?.distinguishability;
                Ok((a, b, found.pmse, distance))
            })
            .collect::<Result<_, indistinct::evaluate::JudgeError>>()?;
        Ok(Self { mapped: mapped.to_vec(), cells })
    }
}

/// Both measures, each for the synthetic table and for the control in the same colours.
pub(super) fn maps(found: &TableEvaluation, control: &Control, table: usize) -> Vec<Maps> {
    if control.mapped.len() < 2 {
        return Vec::new();
    }
    let place_of = |column: usize| control.mapped.binary_search(&column).ok();
    let columns =
        found.columns.iter().enumerate().map(|(place, column)| (place, place, column.pmse, column.tvd));
    let pairs =
        pairs(found.columns.len()).zip(&found.pairs).map(|((a, b), pair)| (a, b, pair.pmse, pair.tvd));
    let cells: Vec<(usize, usize, f64, f64)> = columns.chain(pairs).collect();
    let names: Vec<String> =
        control.mapped.iter().map(|&column| shown(&found.columns[column].name)).collect();
    let map = |name: &'static str, label: &str, value: fn(&(usize, usize, f64, f64)) -> f64| {
        let kept: Vec<_> =
            cells.iter().filter(|cell| place_of(cell.0).is_some() && place_of(cell.1).is_some()).collect();
        let all = kept.iter().copied().chain(&control.cells).map(value);
        let full = all.fold(0.0, f64::max).max(1e-6);
        let figure = |title: &str, cells: Vec<&(usize, usize, f64, f64)>| {
            let cells = cells.into_iter().filter_map(|cell| {
                let (a, b) = (place_of(cell.0)?, place_of(cell.1)?);
                let who = if a == b { names[a].clone() } else { format!("{} and {}", names[a], names[b]) };
                let hover = format!("{who}\n{name}: {}", number(value(cell)));
                Some(HeatCell { names: (a, b), value: value(cell), hover })
            });
            let map = HeatMap {
                title: title.to_owned(),
                description: format!(
                    "{name} for every pair of columns of synthetic table {table}, and for each column on the diagonal."
                ),
                names: names.clone(),
                cells: cells.collect(),
                full,
                label: label.to_owned(),
            };
            Figure::new(map.to_inline_svg(540.0), "")
        };
        Maps {
            name,
            synthetic: figure("Synthetic table", kept.clone()),
            control: figure("Shuffled control", control.cells.iter().collect()),
        }
    };
    vec![
        map("two-way distance", "total variation distance; on the diagonal that of one column", |cell| {
            cell.3
        }),
        map("pMSE", "pMSE of the discriminator that sees two columns; on the diagonal one", |cell| cell.2),
    ]
}
