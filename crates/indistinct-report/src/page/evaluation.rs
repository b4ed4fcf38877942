//! The page of an evaluation, for the data holder.

mod drawn_tree;
mod maps;
mod numbers;

use indistinct::Word;
use indistinct::table::{Column, Table};
use serde::Serialize;

use super::column::{both, distribution};
use super::scatter::scatter;
use super::words::{count, number, optional, percent, shown};
use super::{Figure, FigureGroup, PAIR, PageError, SMALL, render};
use drawn_tree::{DrawnTree, drawn_tree};
use indistinct::evaluate::{
    Discriminator, EvaluateParams, Evaluation, EvaluationError, TableEvaluation, Verdict,
};
use maps::{Control, Maps, mapped_columns, maps, pairs};
use numbers::{Card, cards, measures};

/// Most tables with figures; for further ones the page has the headline numbers.
const TABLES: usize = 5;
/// Most figures of columns, in all tables together.
const COLUMN_FIGURES: usize = 240;
/// Most scatter plots of one table.
const PAIR_FIGURES: usize = 6;
/// Most dots in each panel, in all tables together.
const DOTS: usize = 2000;
/// Most pairs in a table of numbers.
const PAIR_ROWS: usize = 200;
/// Most columns in a table of numbers.
const COLUMN_ROWS: usize = 400;

/// The contents of an evaluation page.
#[derive(Debug, Clone, Copy)]
pub struct EvaluationPage<'a> {
    /// The private table.
    pub real: &'a Table,
    /// The synthetic tables, as evaluated.
    pub synthetic: &'a [(String, Table)],
    /// The results of the evaluation.
    pub evaluation: &'a Evaluation,
    /// The parameters of the evaluation.
    pub params: &'a EvaluateParams,
}

/// The reason why there is no page of an evaluation.
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
    /// The level of the verdict.
    level: &'static str,
    /// Rows told apart.
    told: String,
    pmse: String,
    pmae: String,
    s_pmse: String,
}

/// The verdict in words and as a colour.
#[derive(Serialize)]
struct PageVerdict {
    level: &'static str,
    meaning: &'static str,
    because: Vec<String>,
}

impl PageVerdict {
    fn of(found: &TableEvaluation) -> Self {
        let Verdict { level, because } = &found.verdict;
        Self { level: level.word(), meaning: level.meaning(), because: because.clone() }
    }
}

#[derive(Serialize)]
struct Section {
    anchor: String,
    file: String,
    rows: String,
    /// The numbers that come from a sample, in words.
    sample: String,
    cards: Vec<Card>,
    verdict: PageVerdict,
    columns: Vec<FigureGroup>,
    columns_left_out: usize,
    maps: Vec<Maps>,
    map_left_out: usize,
    tree: DrawnTree,
    pairs: Vec<Figure>,
    measures: Vec<Vec<String>>,
    column_rows: Vec<Vec<String>>,
    column_rows_left_out: usize,
    pair_rows: Vec<Vec<String>>,
    pair_rows_left_out: usize,
}

/// The page of an evaluation, computed **from the private data** and saying so throughout.
///
/// # Errors
/// When the control cannot be judged, which [`evaluate`](indistinct::evaluate::evaluate) would have found before.
pub fn evaluation_page(page: EvaluationPage) -> Result<String, EvaluationPageError> {
    let EvaluationPage { real, synthetic, evaluation, params } = page;
    let mapped = mapped_columns(evaluation, real.columns().len());
    let control = Control::of(real, params, &mapped)?;
    let shown_tables = evaluation.tables.len().min(TABLES);
    let sections = evaluation.tables.iter().zip(synthetic).take(shown_tables).enumerate();
    let sections = sections.map(|(place, (found, (_, table)))| {
        Section::of(place, real, table, found, &control, params, shown_tables)
    });
    let tables = sections.collect::<Result<Vec<_>, EvaluationError>>()?;
    let several = evaluation.tables.len() > 1;
    let overview = evaluation.tables.iter().enumerate().filter(|_| several);
    let overview = overview.map(|(place, found)| Overview {
        file: shown(&found.file),
        anchor: if place < shown_tables { anchor(place) } else { String::new() },
        level: found.verdict.level.word(),
        told: percent(found.resampled.told_apart),
        pmse: number(found.pmse),
        pmae: number(found.pmae),
        s_pmse: optional(found.s_pmse),
    });
    let mean = several.then(|| Overview {
        file: format!("mean of {} tables", evaluation.tables.len()),
        anchor: String::new(),
        level: "",
        told: String::new(),
        pmse: number(evaluation.mean.pmse),
        pmae: number(evaluation.mean.pmae),
        s_pmse: optional(evaluation.mean.s_pmse),
    });
    let context = Context {
        rows: count(real.rows() as u64),
        columns: count(real.columns().len() as u64),
        discriminator: discriminator_words(&params.discriminator),
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

impl Section {
    fn of(
        place: usize,
        real: &Table,
        synthetic: &Table,
        found: &TableEvaluation,
        control: &Control,
        params: &EvaluateParams,
        tables: usize,
    ) -> Result<Self, EvaluationError> {
        let column_of = |column: &Column| synthetic.column(column.name());
        let mut columns: Vec<usize> = (0..found.columns.len()).collect();
        columns.sort_by(|&a, &b| {
            let (a, b) = (&found.columns[a], &found.columns[b]);
            b.pmse.total_cmp(&a.pmse).then(b.tvd.total_cmp(&a.tvd))
        });
        let figures = COLUMN_FIGURES / tables;
        let chosen = if columns.len() > figures { &columns[..figures] } else { &columns[..] };
        let column_figures = chosen.iter().filter_map(|&column| {
            let real = &real.columns()[column];
            let figure = distribution(&both(real, column_of(real)?))?;
            Some((shown(real.name()), Figure::of(&figure.chart, SMALL, figure.note)))
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
        Ok(Self {
            anchor: anchor(place),
            file: shown(&found.file),
            rows: count(found.n_synthetic as u64),
            sample: found.sample_sentence(|rows| count(rows as u64)).unwrap_or_default(),
            cards: cards(found),
            verdict: PageVerdict::of(found),
            columns: FigureGroup::of(column_figures, "Columns that are harder to tell"),
            columns_left_out: columns.len() - chosen.len(),
            maps: maps(found, control, place + 1),
            map_left_out: found.columns.len() - control.mapped.len(),
            tree: drawn_tree(
                params.sample.of_real(real, params.seed).table(),
                params.sample.of_synthetic(synthetic, place, params.seed).table(),
                params,
            )?,
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
