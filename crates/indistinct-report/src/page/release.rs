//! The page of a release: its promise, its cost, and the look of the synthetic table.

mod bars;
mod budget;
mod dependence;
mod guarantee;

use indistinct::mixed::{is_margins_only, mostly_noise};
use indistinct::privacy::Certificate;
use indistinct::table::{Column, ColumnSchema, Table};
use serde::Serialize;

use super::column::{Side, distribution_with, summary};
use super::words::{count, number, shown};
use super::{Figure, FigureGroup, PageError, SMALL, render};
use bars::Bars;
pub use bars::ReleaseBars;
use budget::{Account, budget, step_row};
use dependence::{Dependence, pair_figure, pair_row, strongest_row};
use guarantee::{headline, outside, promise, settings};

/// Most figures of columns, of about 10 kB each.
const COLUMN_FIGURES: usize = 300;
/// Most columns in the table of numbers.
const COLUMN_ROWS: usize = 400;
/// Most scatter plots.
const PAIR_FIGURES: usize = 6;
/// Pairs in the table beside the map.
const STRONGEST: usize = 12;
/// Most pairs in a table of numbers.
const PAIR_ROWS: usize = 200;
/// Most steps that are listed one by one.
const STEPS: usize = 500;
/// Most files that are listed.
const FILES: usize = 100;

/// The contents of a release page: nothing that is not released.
#[derive(Debug, Clone, Copy)]
pub struct ReleasePage<'a> {
    /// The certificate, with the files written so far.
    pub certificate: &'a Certificate,
    /// The first synthetic table.
    pub table: &'a Table,
    /// The name of its file.
    pub table_name: &'a str,
    /// Numbers with error bars, if the release was rehearsed.
    pub bars: Option<&'a ReleaseBars>,
}

#[derive(Serialize)]
struct Context {
    headline: String,
    /// `good`, `weak` or `none`: how much the headline stands out.
    tone: &'static str,
    warning: String,
    reasons: Vec<String>,
    promise: Vec<String>,
    facts: Vec<(&'static str, String)>,
    outside: Vec<String>,
    /// The unit of the budget: epsilon, or rho.
    unit: &'static str,
    spent: String,
    whole: String,
    left: String,
    budget: Figure,
    kinds: Vec<Vec<String>>,
    steps: Vec<Vec<String>>,
    steps_left_out: usize,
    score: Option<Score>,
    table_name: String,
    rows: String,
    columns: Vec<Vec<String>>,
    columns_left_out: usize,
    figures: Vec<FigureGroup>,
    figures_left_out: usize,
    /// Whether no table of several columns was measured.
    margins_only: bool,
    /// Numbers with error bars, if the release was rehearsed.
    bars: Option<Bars>,
    /// Columns that are mostly noise.
    noisy: Vec<String>,
    map: Option<Figure>,
    /// Whether the map takes the whole width.
    wide_map: bool,
    mapped: usize,
    map_left_out: usize,
    map_rows: String,
    pairs: Vec<Figure>,
    strongest: Vec<Vec<String>>,
    partners: Vec<Vec<String>>,
    partners_note: String,
    pair_rows: Vec<Vec<String>>,
    pair_rows_left_out: usize,
    files: Vec<(String, String)>,
    files_left_out: usize,
    more_ending: String,
    has_model: bool,
    version: String,
    created: String,
}

#[derive(Serialize)]
struct Score {
    name: &'static str,
    value: String,
    scale: String,
    range: String,
    epsilon: String,
    words: &'static str,
}

/// The page of a release, made **only from what is released**: it shows nothing that a reader of the other files
/// could not compute, and costs nothing.
///
/// # Errors
/// When a template does not fit, which the tests exclude.
pub fn release_page(page: ReleasePage) -> Result<String, PageError> {
    let ReleasePage { certificate, table, table_name, bars } = page;
    let (headline, tone, warning, reasons) = headline(certificate);
    let facts = certificate.facts();
    let account = Account::of(certificate);
    let (budget, kinds) = budget(certificate);
    let steps = certificate.spent().iter().take(STEPS).map(|step| step_row(account, step)).collect();
    let figures = table.columns().iter().take(COLUMN_FIGURES).filter_map(|column| {
        let reach = bars.map(|bars| bars.of_levels(column.schema()));
        let reach = |level: usize| reach.as_ref().and_then(|reach| reach(level));
        let figure = distribution_with(&[Side { name: "", colour: 0, column }], &reach)?;
        Some((shown(column.name()), Figure::of(&figure.chart, SMALL, figure.note)))
    });
    let dependence = Dependence::of(table);
    let schemas: Vec<&ColumnSchema> = table.columns().iter().map(Column::schema).collect();
    let ending = table_name.find('.').map_or(".csv", |dot| &table_name[dot..]);
    let files = certificate.files();
    let context = Context {
        headline,
        tone,
        warning,
        reasons,
        promise: promise(certificate),
        facts: settings(certificate),
        outside: outside(certificate),
        unit: account.unit(),
        spent: account.spent().text,
        whole: account.whole().text,
        left: account.left().map(|left| left.text).unwrap_or_default(),
        budget,
        kinds,
        steps,
        steps_left_out: certificate.spent().len().saturating_sub(STEPS),
        score: facts.score.as_ref().map(|score| Score {
            name: if facts.quality == "pmse" { "pMSE" } else { "pMAE" },
            value: number(score.value),
            scale: number(score.scale),
            // 95 % of Laplace noise is within ln(20) times its scale.
            range: format!(
                "{} to {}",
                number((score.value - 20f64.ln() * score.scale).max(0.0)),
                number(score.value + 20f64.ln() * score.scale)
            ),
            epsilon: score.epsilon.to_string(),
            words: if facts.quality == "pmse" {
                "0: real and synthetic rows cannot be told apart by the cells that were looked at; 1/4: always."
            } else {
                "0: real and synthetic rows cannot be told apart by the cells that were looked at; 1/2: always."
            },
        }),
        table_name: shown(table_name),
        rows: count(table.rows() as u64),
        columns: table.columns().iter().take(COLUMN_ROWS).enumerate().map(|(place, column)| column_row(place, column)).collect(),
        columns_left_out: table.columns().len().saturating_sub(COLUMN_ROWS),
        figures: FigureGroup::of(figures, "Further columns"),
        figures_left_out: table.columns().len().saturating_sub(COLUMN_FIGURES),
        margins_only: is_margins_only(certificate),
        bars: bars.map(Bars::of),
        noisy: mostly_noise(certificate, &schemas).into_iter().map(shown).collect(),
        map: dependence.map(table, bars),
        wide_map: dependence.is_wide(),
        mapped: dependence.mapped.len(),
        map_left_out: table.columns().len() - dependence.mapped.len(),
        strongest: dependence.pairs.iter().take(STRONGEST).map(|pair| strongest_row(table, bars, pair)).collect(),
        partners: dependence.partners(table, bars, COLUMN_ROWS),
        partners_note: match table.columns().len().saturating_sub(COLUMN_ROWS) {
            0 => String::new(),
            left_out => format!("{} further columns are left out.", count(left_out as u64)),
        },
        map_rows: count(table.rows().min(dependence::ROWS) as u64),
        pairs: dependence.pairs.iter().take(PAIR_FIGURES).map(|pair| pair_figure(table, bars, pair)).collect(),
        pair_rows: dependence.pairs.iter().take(PAIR_ROWS).map(|pair| pair_row(table, bars, pair)).collect(),
        pair_rows_left_out: dependence.pairs.len().saturating_sub(PAIR_ROWS),
        files: files.iter().take(FILES).map(|(name, hash)| (shown(name), hash.clone())).collect(),
        files_left_out: files.len().saturating_sub(FILES),
        more_ending: shown(ending),
        has_model: files.contains_key("model.json"),
        version: certificate.version().to_owned(),
        created: certificate.created().to_owned(),
    };
    render("release.html", context)
}

fn column_row(place: usize, column: &Column) -> Vec<String> {
    let found = summary(column);
    vec![(place + 1).to_string(), shown(column.name()), found.kind.to_owned(), found.missing, found.values]
}
