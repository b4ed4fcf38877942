//! The page of an evaluation, for the data holder.

use indistinct::discriminator::Stacked;
use indistinct::discriminator::cart::{self, Workspace};
use indistinct::discriminator::optimal::{self, OptimalParams};
use indistinct::table::{Column, ColumnType, Table};
use rayon::prelude::*;
use serde::Serialize;

use super::column::{both, distribution};
use super::scatter::scatter;
use super::words::{count, number, optional, percent, shown, three};
use super::{Figure, PAIR, PageError, SMALL, render, tree};
use crate::chart::{HeatCell, HeatMap, TreeChart};
use crate::distance::Distances;
use crate::evaluation::shuffle_columns;
use crate::judge::Judge;
use crate::{Discriminator, Evaluation, EvaluationError, EvaluationOptions, TableEvaluation};

/// Tables that have figures; of further ones the page has the headline numbers.
const TABLES: usize = 5;
/// Figures of columns, in all tables together.
const COLUMN_FIGURES: usize = 60;
/// Columns of a heat map.
const HEAT: usize = 30;
/// Scatter plots of one table, and dots in each panel, in all tables together.
const PAIR_FIGURES: usize = 6;
const DOTS: usize = 2000;
/// Pairs in a table of numbers.
const PAIR_ROWS: usize = 200;
/// Columns in a table of numbers.
const COLUMN_ROWS: usize = 400;

/// What an evaluation page is made of.
#[derive(Debug, Clone, Copy)]
pub struct EvaluationPage<'a> {
    /// The private table.
    pub real: &'a Table,
    /// The synthetic ones, as they were evaluated.
    pub synthetic: &'a [(String, Table)],
    /// What was found.
    pub evaluation: &'a Evaluation,
    /// How.
    pub options: &'a EvaluationOptions,
}

/// Why there is no page of an evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationPageError {
    /// The control cannot be judged.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The page cannot be written.
    #[error(transparent)]
    Page(#[from] PageError),
}

#[derive(Serialize)]
struct Context {
    rows: String,
    columns: String,
    discriminator: &'static str,
    null: String,
    tables: Vec<Section>,
    /// Headline numbers of all tables, if there are several.
    overview: Vec<Overview>,
    mean: Option<Overview>,
    without_figures: usize,
}

#[derive(Serialize)]
struct Overview {
    file: String,
    anchor: String,
    pmse: String,
    pmae: String,
    s_pmse: String,
}

#[derive(Serialize)]
struct Section {
    anchor: String,
    file: String,
    rows: String,
    cards: Vec<Card>,
    verdict: String,
    good: bool,
    columns: Vec<Figure>,
    columns_left_out: usize,
    maps: Vec<Maps>,
    map_left_out: usize,
    tree: Option<Figure>,
    tree_words: String,
    tree_rows: Vec<Vec<String>>,
    pairs: Vec<Figure>,
    measures: Vec<Vec<String>>,
    column_rows: Vec<Vec<String>>,
    column_rows_left_out: usize,
    pair_rows: Vec<Vec<String>>,
    pair_rows_left_out: usize,
}

/// A headline number: where it stands between the least and the most that it can be, and what it means.
#[derive(Serialize)]
struct Card {
    name: &'static str,
    value: String,
    words: String,
    /// In percent of the scale, with that of the control.
    meter: Option<(f64, Option<f64>)>,
    scale: &'static str,
}

/// The same measure of the synthetic table and of the control.
#[derive(Serialize)]
struct Maps {
    name: &'static str,
    synthetic: Figure,
    control: Figure,
}

/// The page of an evaluation, computed **from the private data** and saying so throughout.
///
/// # Errors
/// When the control cannot be judged, which [`evaluate`](crate::evaluate) would have found out before.
pub fn evaluation_page(page: EvaluationPage) -> Result<String, EvaluationPageError> {
    let EvaluationPage { real, synthetic, evaluation, options } = page;
    let mapped = mapped_columns(evaluation, real.columns().len());
    let control = Control::of(real, options, &mapped)?;
    let shown_tables = evaluation.tables.len().min(TABLES);
    let sections = evaluation.tables.iter().zip(synthetic).take(shown_tables).enumerate();
    let sections = sections.map(|(place, (found, (_, table)))| {
        Section::of(place, real, table, found, &control, (options, shown_tables))
    });
    let tables = sections.collect::<Result<Vec<_>, EvaluationError>>()?;
    let several = evaluation.tables.len() > 1;
    let overview = evaluation.tables.iter().enumerate().filter(|_| several);
    let overview = overview.map(|(place, found)| Overview {
        file: shown(&found.file),
        anchor: if place < shown_tables { anchor(place) } else { String::new() },
        pmse: number(found.pmse),
        pmae: number(found.pmae),
        s_pmse: optional(found.s_pmse),
    });
    let mean = several.then(|| Overview {
        file: format!("mean of {} tables", evaluation.tables.len()),
        anchor: String::new(),
        pmse: number(evaluation.mean.pmse),
        pmae: number(evaluation.mean.pmae),
        s_pmse: optional(evaluation.mean.s_pmse),
    });
    let context = Context {
        rows: count(real.rows() as u64),
        columns: count(real.columns().len() as u64),
        discriminator: discriminator_words(&options.discriminator),
        null: null_words(evaluation.tables.first()),
        overview: overview.collect(),
        mean,
        without_figures: evaluation.tables.len() - shown_tables,
        tables,
    };
    Ok(render("evaluation.html", context)?)
}

fn anchor(place: usize) -> String {
    format!("table-{}", place + 1)
}

fn discriminator_words(discriminator: &Discriminator) -> &'static str {
    match discriminator {
        Discriminator::Cart(_) => "cart, the classification tree of R's rpart",
        Discriminator::Optimal(_) => "optimal, the best tree of its depth",
        Discriminator::Partition(_) => "partition, cells cut at medians of the synthetic table",
        Discriminator::Logistic(_) => "logistic regression",
    }
}

fn null_words(table: Option<&TableEvaluation>) -> String {
    match table.map(|table| (table.null.kind, table.null.replicates)) {
        Some(("analytic", _)) => "in closed form".to_owned(),
        Some(("none", _)) | None => "none".to_owned(),
        Some((kind, replicates)) => format!("{kind}, {} replicates", count(replicates)),
    }
}

/// Positions of the columns that heat maps have: all, or those in the most different pairs.
fn mapped_columns(evaluation: &Evaluation, columns: usize) -> Vec<usize> {
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
fn pairs(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..columns).flat_map(move |a| (a + 1..columns).map(move |b| (a, b)))
}

/// What the shuffled control gives for the columns and pairs of the heat maps.
struct Control {
    mapped: Vec<usize>,
    /// Positions, pMSE, distance; columns have equal positions.
    cells: Vec<(usize, usize, f64, f64)>,
}

impl Control {
    fn of(real: &Table, options: &EvaluationOptions, mapped: &[usize]) -> Result<Self, EvaluationError> {
        let stacked = Stacked::new(real, &shuffle_columns(real, options.seed))?;
        let (judge, distances) = (Judge::new(&options.discriminator, &stacked), Distances::new(&stacked));
        let wanted: Vec<(usize, usize)> = mapped
            .iter()
            .enumerate()
            .flat_map(|(place, &a)| mapped[place..].iter().map(move |&b| (a, b)))
            .collect();
        let cells = wanted
            .into_par_iter()
            .map_init(Workspace::default, |workspace, (a, b)| {
                let (columns, distance) =
                    if a == b { (vec![a], distances.column(a)) } else { (vec![a, b], distances.pair(a, b)) };
                let found = judge.columns(&columns, workspace)?.distinguishability;
                Ok((a, b, found.pmse, distance))
            })
            .collect::<Result<_, crate::JudgeError>>()?;
        Ok(Self { mapped: mapped.to_vec(), cells })
    }
}

impl Section {
    fn of(
        place: usize,
        real: &Table,
        synthetic: &Table,
        found: &TableEvaluation,
        control: &Control,
        (options, tables): (&EvaluationOptions, usize),
    ) -> Result<Self, EvaluationError> {
        let column_of = |column: &Column| synthetic.column(column.name());
        let mut columns: Vec<usize> = (0..found.columns.len()).collect();
        columns.sort_by(|&a, &b| {
            let (a, b) = (&found.columns[a], &found.columns[b]);
            b.pmse.total_cmp(&a.pmse).then(b.tvd.total_cmp(&a.tvd))
        });
        let figures = COLUMN_FIGURES / tables;
        let chosen = if columns.len() > figures { &columns[..figures] } else { &columns[..] };
        let mut chosen = chosen.to_vec();
        chosen.sort_unstable();
        let column_figures = chosen.iter().filter_map(|&column| {
            let real = &real.columns()[column];
            let figure = distribution(&both(real, column_of(real)?))?;
            Some(Figure::of(&figure.chart, SMALL, figure.note))
        });
        let mut worst: Vec<((usize, usize), usize)> =
            pairs(found.columns.len()).zip(0..found.pairs.len()).collect();
        worst.sort_by(|(_, a), (_, b)| {
            let (a, b) = (&found.pairs[*a], &found.pairs[*b]);
            b.tvd.total_cmp(&a.tvd).then(b.pmse.total_cmp(&a.pmse))
        });
        let pair_figures = worst.iter().take(PAIR_FIGURES).filter_map(|&((a, b), pair)| {
            let (a, b) = (&real.columns()[a], &real.columns()[b]);
            let chart = scatter(&both(a, column_of(a)?), &both(b, column_of(b)?), DOTS / tables);
            let pair = &found.pairs[pair];
            let note = format!("pMSE {}, two-way distance {}", number(pair.pmse), number(pair.tvd));
            Some(Figure::of(&chart, PAIR, note))
        });
        let (tree, tree_words, tree_rows) = drawn_tree(real, synthetic, options)?;
        let (verdict, good) = verdict(found);
        Ok(Self {
            anchor: anchor(place),
            file: shown(&found.file),
            rows: count(found.n_synthetic as u64),
            cards: cards(found),
            verdict,
            good,
            columns: column_figures.collect(),
            columns_left_out: columns.len() - chosen.len(),
            maps: maps(found, control, place + 1),
            map_left_out: found.columns.len() - control.mapped.len(),
            tree,
            tree_words,
            tree_rows,
            pairs: pair_figures.collect(),
            measures: measures(found),
            column_rows: columns
                .iter()
                .take(COLUMN_ROWS)
                .map(|&column| {
                    let column = &found.columns[column];
                    vec![shown(&column.name), number(column.pmse), number(column.pmae), number(column.tvd)]
                })
                .collect(),
            column_rows_left_out: columns.len().saturating_sub(COLUMN_ROWS),
            pair_rows: worst
                .iter()
                .take(PAIR_ROWS)
                .map(|&(_, pair)| {
                    let pair = &found.pairs[pair];
                    vec![shown(&pair.a), shown(&pair.b), number(pair.pmse), number(pair.tvd)]
                })
                .collect(),
            pair_rows_left_out: worst.len().saturating_sub(PAIR_ROWS),
        })
    }
}

fn cards(found: &TableEvaluation) -> Vec<Card> {
    let control = &found.independent_control;
    let on = |value: f64, most: f64| (value / most * 100.0).clamp(0.0, 100.0);
    let mut cards = vec![
        Card {
            name: "pMSE",
            value: three(found.pmse),
            words: format!(
                "Mean squared distance of the propensity scores from 1/2. 0: the classifier cannot tell the tables apart; \
                 1/4: it always can. The shuffled control has {}.",
                number(control.pmse)
            ),
            meter: Some((on(found.pmse, 0.25), Some(on(control.pmse, 0.25)))),
            scale: "0 to 1/4",
        },
        Card {
            name: "pMAE",
            value: three(found.pmae),
            words: format!(
                "Mean absolute distance of the propensity scores from 1/2. Guessing which table a row is from, the classifier \
                 is right for {} of the rows. The shuffled control has {}.",
                percent(0.5 + found.pmae),
                number(control.pmae)
            ),
            meter: Some((on(found.pmae, 0.5), Some(on(control.pmae, 0.5)))),
            scale: "0 to 1/2",
        },
    ];
    cards.push(Card {
        name: "S_pMSE",
        value: found.s_pmse.map_or_else(|| "–".to_owned(), three),
        words: s_pmse_words(found),
        meter: None,
        scale: "1 is as good as can be expected",
    });
    let second = found.optimal_depth_2.pmse;
    cards.push(Card {
        name: "pMSE of the best tree of depth 2",
        value: three(second),
        words: format!(
            "A second opinion that sees lost dependence, to which greedy trees are nearly blind. The shuffled control has {}.",
            number(control.optimal_depth_2.pmse)
        ),
        meter: Some((on(second, 0.25), Some(on(control.optimal_depth_2.pmse, 0.25)))),
        scale: "0 to 1/4",
    });
    if let (Some(distance), Some(of_control)) = (found.mean_pair_tvd, control.mean_pair_tvd) {
        cards.push(Card {
            name: "Mean two-way distance",
            value: three(distance),
            words: format!(
                "Total variation distance of the binned joint distribution of two columns, mean over all pairs. The shuffled \
                 control has {}.",
                number(of_control)
            ),
            meter: Some((on(distance, 1.0), Some(on(of_control, 1.0)))),
            scale: "0 to 1",
        });
    }
    cards
}

fn s_pmse_words(found: &TableEvaluation) -> String {
    let Some(ratio) = found.s_pmse else {
        return "There is no null distribution to compare with.".to_owned();
    };
    let share = found.n_real as f64 / (found.n_real + found.n_synthetic) as f64;
    format!(
        "The centred pMSE is {} times what a synthesis from the correct model would give. Another sample of the same population \
         would have about {}.",
        number(ratio),
        number(1.0 / share)
    )
}

/// What the control says about dependence, and whether that is good news.
fn verdict(found: &TableEvaluation) -> (String, bool) {
    let control = &found.independent_control;
    if found.pairs.is_empty() {
        ("One column: there is no dependence to judge.".to_owned(), true)
    } else if found.optimal_depth_2.pmse < control.optimal_depth_2.pmse {
        let words =
            "It beats a table whose columns were shuffled independently: some of the dependence is there.";
        (words.to_owned(), true)
    } else {
        let words = "It does not beat a table whose columns were shuffled independently: do not trust any dependence in it.";
        (words.to_owned(), false)
    }
}

fn measures(found: &TableEvaluation) -> Vec<Vec<String>> {
    let control = &found.independent_control;
    let row = |what: &str, value: Option<f64>, control: Option<f64>| {
        vec![what.to_owned(), optional(value), control.map_or_else(String::new, number)]
    };
    let mut rows = vec![
        row("pMSE", Some(found.pmse), Some(control.pmse)),
        row("pMAE", Some(found.pmae), Some(control.pmae)),
        row("pMSE, centred at the share of synthetic rows", Some(found.pmse_centred), None),
        row("expected for a correct synthesis (null mean)", found.null.mean, None),
        row("standard deviation of the null", found.null.sd, None),
        row("S_pMSE: centred pMSE over the null mean", found.s_pmse, None),
        row("standard deviations above the null mean", found.null.z, None),
        row(
            "pMSE of the best tree of depth 2",
            Some(found.optimal_depth_2.pmse),
            Some(control.optimal_depth_2.pmse),
        ),
        row("mean two-way distance", found.mean_pair_tvd, control.mean_pair_tvd),
    ];
    let whole = |value: usize| count(value as u64);
    rows.extend(found.leaves.map(|leaves| vec!["leaves or cells".to_owned(), whole(leaves), String::new()]));
    rows.extend(found.coefficients.map(|k| vec!["coefficients".to_owned(), whole(k), String::new()]));
    rows
}

/// Both measures, each for the synthetic table and for the control in the same colours.
fn maps(found: &TableEvaluation, control: &Control, table: usize) -> Vec<Maps> {
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

/// The evaluation's own tree, or where it has none the best one of depth 2.
fn drawn_tree(
    real: &Table,
    synthetic: &Table,
    options: &EvaluationOptions,
) -> Result<(Option<Figure>, String, Vec<Vec<String>>), EvaluationError> {
    let stacked = Stacked::new(real, synthetic)?;
    let kinds: Vec<ColumnType> = real.columns().iter().map(|column| column.schema().kind().clone()).collect();
    let own = match &options.discriminator {
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
        return Ok((None, words.to_owned(), Vec::new()));
    }
    let rows = tree::rows(&chart);
    let chart = TreeChart {
        title: "How to tell them apart".to_owned(),
        description:
            "A tree of conditions; each box has the share of synthetic rows among those that fulfil them."
                .to_owned(),
        ..chart
    };
    Ok((Some(Figure::new(chart.to_inline_svg(), "")), words.to_owned(), rows))
}
