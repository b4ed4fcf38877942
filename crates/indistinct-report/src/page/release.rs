//! The page of a release: what is promised, what it cost, and what the synthetic table looks like.

use indistinct::privacy::{Certificate, Epsilon, Exactness, Guarantee, SchemaSource, Spent};
use indistinct::table::Table;
use rayon::prelude::*;
use serde::Serialize;

use super::association::{Measure, Prepared, association};
use super::column::{Side, distribution, summary};
use super::scatter::scatter;
use super::words::{count, number, percent, shown};
use super::{Figure, PAIR, PageError, SMALL, render};
use crate::chart::{HeatCell, HeatMap, Strip, StripPart};

/// Figures of columns, and columns in the table of numbers.
const COLUMN_FIGURES: usize = 60;
const COLUMN_ROWS: usize = 400;
/// Columns of the heat map, scatter plots, and dots in each.
const HEAT: usize = 36;
const PAIR_FIGURES: usize = 6;
const PAIR_ROWS: usize = 200;
const DOTS: usize = 2000;
/// Rows that dependence is computed from: synthetic rows are drawn independently, so that the first ones are a sample.
const ROWS: usize = 10_000;
/// Steps that are listed one by one, and parts of the picture.
const STEPS: usize = 500;
const PARTS: usize = 80;
/// Files that are listed.
const FILES: usize = 100;
/// Above this epsilon promises very little.
const LARGE_EPSILON: f64 = 10.0;

/// What a release page is made of: nothing that is not released.
#[derive(Debug, Clone, Copy)]
pub struct ReleasePage<'a> {
    /// The certificate, with the files that were written so far.
    pub certificate: &'a Certificate,
    /// The first synthetic table.
    pub table: &'a Table,
    /// The name of its file.
    pub table_name: &'a str,
}

#[derive(Serialize)]
struct Context {
    headline: String,
    /// `good`, `weak` or `none`, which is how much the headline stands out.
    tone: &'static str,
    warning: String,
    reasons: Vec<String>,
    promise: Vec<String>,
    facts: Vec<(&'static str, String)>,
    outside: Vec<String>,
    spent: String,
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
    figures: Vec<Figure>,
    figures_left_out: usize,
    map: Option<Figure>,
    map_left_out: usize,
    map_rows: String,
    pairs: Vec<Figure>,
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

/// The page of a release, made **only from what is released**: it tells nothing that a reader of the other files could
/// not compute, and costs nothing.
///
/// # Errors
/// When a template does not fit, which the tests exclude.
pub fn release_page(page: ReleasePage) -> Result<String, PageError> {
    let ReleasePage { certificate, table, table_name } = page;
    let (headline, tone, warning, reasons) = headline(certificate);
    let facts = certificate.facts();
    let spent: Epsilon = certificate.spent().iter().map(|step| step.epsilon).sum();
    let left = certificate.epsilon().saturating_sub(spent);
    let (budget, kinds) = budget(certificate, left);
    let steps = certificate.spent().iter().take(STEPS).map(step_row).collect();
    let figures = table.columns().iter().take(COLUMN_FIGURES).filter_map(|column| {
        let figure = distribution(&[Side { name: "", colour: 0, column }])?;
        Some(Figure::of(&figure.chart, SMALL, figure.note))
    });
    let dependence = Dependence::of(table);
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
        spent: spent.to_string(),
        left: if left.is_zero() { String::new() } else { left.to_string() },
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
        columns: table.columns().iter().take(COLUMN_ROWS).enumerate().map(column_row).collect(),
        columns_left_out: table.columns().len().saturating_sub(COLUMN_ROWS),
        figures: figures.collect(),
        figures_left_out: table.columns().len().saturating_sub(COLUMN_FIGURES),
        map: dependence.map(table),
        map_left_out: table.columns().len() - dependence.mapped.len(),
        map_rows: count(table.rows().min(ROWS) as u64),
        pairs: dependence.strongest().take(PAIR_FIGURES).map(|pair| pair_figure(table, pair)).collect(),
        pair_rows: dependence.strongest().take(PAIR_ROWS).map(|pair| pair_row(table, pair)).collect(),
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

/// The guarantee in a line, how good that is, and a warning with its reasons if it is not.
fn headline(certificate: &Certificate) -> (String, &'static str, String, Vec<String>) {
    let large = |epsilon: &Epsilon| {
        if epsilon.to_f64() > LARGE_EPSILON {
            (
                "weak",
                format!(
                    "An epsilon of {epsilon} promises very little: values above {LARGE_EPSILON} are rarely defensible."
                ),
            )
        } else {
            ("good", String::new())
        }
    };
    match certificate.guarantee() {
        Guarantee::Pure { epsilon } => {
            let (tone, warning) = large(epsilon);
            (format!("Differential privacy with epsilon {epsilon}"), tone, warning, Vec::new())
        }
        Guarantee::Approximate { epsilon, delta } => {
            let (tone, warning) = large(epsilon);
            (format!("Differential privacy with epsilon {epsilon} and delta {delta}"), tone, warning, Vec::new())
        }
        Guarantee::AtStationarity { epsilon } => (
            format!("Epsilon {epsilon} at stationarity only"),
            "weak",
            "Nothing is proven about these files. The guarantee is that of the law which the random walk tends to as it runs \
             for ever; this one was stopped. How far it was from that law is not known."
                .to_owned(),
            Vec::new(),
        ),
        Guarantee::None { because } => (
            "No guarantee".to_owned(),
            "none",
            "These files carry no privacy guarantee. Handle them as you would handle the private data.".to_owned(),
            because.iter().map(|why| shown_sentence(why)).collect(),
        ),
    }
}

/// A sentence of the certificate, which may be longer than a name.
fn shown_sentence(text: &str) -> String {
    text.chars().take(400).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// What the guarantee means for a person, in sentences.
fn promise(certificate: &Certificate) -> Vec<String> {
    let Some(epsilon) = certificate.guarantee().epsilon() else { return Vec::new() };
    let factor = epsilon.to_f64().exp();
    let (times, most) = if factor < 1e6 {
        (format!("{} times", number(factor)), percent(factor / (1.0 + factor)))
    } else {
        ("a million times and more".to_owned(), "practically 100 %".to_owned())
    };
    let rows = certificate.rows_per_person().get();
    let whose =
        if rows == 1 { "one row".to_owned() } else { format!("up to {rows} rows, those of one person") };
    let mut said = vec![
        format!(
            "For any two private tables that differ in {whose}, no outcome of this release is more than {times} as likely with \
             one table as with the other (e to the power of epsilon {epsilon})."
        ),
        format!(
            "For a person that means: whatever anybody knew before, and whatever is done with these files, they tell almost the \
             same as if that person's {} been another. Somebody who held two possibilities for equally likely can be led to at \
             most {most} certainty of one of them.",
            if rows == 1 { "row had" } else { "rows had" }
        ),
    ];
    if let Guarantee::Approximate { delta, .. } = certificate.guarantee() {
        said.push(format!("With a probability of at most {delta} that promise may fail."));
    }
    if matches!(certificate.guarantee(), Guarantee::AtStationarity { .. }) {
        said.insert(
            0,
            "If the walk had reached its law, which is not known, this would be promised:".to_owned(),
        );
    }
    said
}

fn settings(certificate: &Certificate) -> Vec<(&'static str, String)> {
    let facts = certificate.facts();
    let persons = match certificate.rows_per_person().get() {
        1 => "every person who is one row of the private table".to_owned(),
        rows => format!("every person who owns up to {rows} rows of the private table"),
    };
    let promised = certificate.guarantee().epsilon().map(|_| ("Promised to", persons));
    let others = vec![
        ("Neighbours", "tables with as many rows, in which one row was substituted".to_owned()),
        ("Private table", format!("{} rows, {} columns", count(facts.rows), count(facts.columns))),
        (
            "Released",
            format!(
                "{}, {} for each",
                counted(facts.draws, "draw of the parameters", "draws of the parameters"),
                counted(facts.tables, "table", "tables")
            ),
        ),
        (
            "Method",
            format!("{} judged by {}, drawn by {}", facts.quality, facts.discriminator, facts.sampler),
        ),
        (
            "Random numbers",
            if certificate.is_seeded() { "from a seed" } else { "from the operating system" }.to_owned(),
        ),
    ];
    promised.into_iter().chain(others).collect()
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// What no guarantee covers: the certificate's own list, and what is always so.
fn outside(certificate: &Certificate) -> Vec<String> {
    let facts = certificate.facts();
    let mut said: Vec<String> = facts.outside_the_guarantee.iter().map(|what| shown_sentence(what)).collect();
    if said.is_empty() {
        said.push(format!("the number of rows, {}", count(facts.rows)));
    }
    if facts.schema_source == SchemaSource::User {
        said.push(
            "the schema (names, types, levels of the columns): the data holder gave it, and vouches that it was written \
             without looking at the data"
                .to_owned(),
        );
    }
    if certificate.is_seeded() {
        said.push("the noise: who knows the seed can take it away".to_owned());
    }
    said.extend(
        [
            "the settings of the run, epsilon among them, which must not have been chosen by looking at the data",
            "other releases from the same data: their epsilons add up",
            "what is true of people in general: that can be learned from the release, and is about persons in the table too",
        ]
        .map(str::to_owned),
    );
    said
}

/// The name of a step without the numbers in it: steps that differ in those alone are of one kind.
fn kind_of(step: &str) -> String {
    let mut kind = String::new();
    for letter in shown_sentence(step).chars() {
        match (letter.is_ascii_digit(), kind.ends_with('#')) {
            (true, true) => {}
            (true, false) => kind.push('#'),
            (false, _) => kind.push(letter),
        }
    }
    kind.replace(" #", " k").replace('#', "k")
}

/// The budget as a picture, and a table of the kinds of steps.
fn budget(certificate: &Certificate, left: Epsilon) -> (Figure, Vec<Vec<String>>) {
    struct Kind<'a> {
        name: String,
        steps: Vec<&'a Spent>,
    }
    let mut kinds: Vec<Kind> = Vec::new();
    let mut parts: Vec<(usize, &Spent)> = Vec::new();
    for step in certificate.spent() {
        let name = kind_of(&step.step);
        let kind = kinds.iter().position(|kind| kind.name == name).unwrap_or_else(|| {
            kinds.push(Kind { name, steps: Vec::new() });
            kinds.len() - 1
        });
        kinds[kind].steps.push(step);
        parts.push((kind, step));
    }
    let sum = |steps: &[&Spent]| steps.iter().map(|step| step.epsilon).sum::<Epsilon>();
    let whole = certificate.epsilon().to_f64().max(f64::MIN_POSITIVE);
    let share = |epsilon: Epsilon| percent(epsilon.to_f64() / whole);
    let one_by_one = parts.len() <= PARTS;
    let mut drawn: Vec<StripPart> = if one_by_one {
        let part = |&(kind, step): &(usize, &Spent)| StripPart {
            value: step.epsilon.to_f64(),
            kind,
            hover: format!(
                "{}\nepsilon {} ({})",
                shown_sentence(&step.step),
                step.epsilon,
                share(step.epsilon)
            ),
        };
        parts.iter().map(part).collect()
    } else {
        let part = |(kind, of): (usize, &Kind)| StripPart {
            value: sum(&of.steps).to_f64(),
            kind,
            hover: format!(
                "{}: {} steps\nepsilon {} ({})",
                of.name,
                of.steps.len(),
                sum(&of.steps),
                share(sum(&of.steps))
            ),
        };
        kinds.iter().enumerate().map(part).collect()
    };
    let mut names: Vec<String> = kinds.iter().map(|kind| kind.name.clone()).collect();
    if left.to_f64() > whole * 1e-3 {
        names.push("not spent".to_owned());
        let hover = format!("not spent\nepsilon {left} ({})", share(left));
        drawn.push(StripPart { value: left.to_f64(), kind: names.len() - 1, hover });
    }
    let strip = Strip {
        title: format!("Where epsilon {} went", certificate.epsilon()),
        description: format!(
            "The budget divided among {} steps; the table below has the numbers.",
            parts.len()
        ),
        parts: drawn,
        kinds: names,
    };
    let rows = kinds.iter().map(|kind| {
        let all = sum(&kind.steps);
        vec![
            kind.name.clone(),
            count(kind.steps.len() as u64),
            all.to_string(),
            share(all),
            proofs(&kind.steps),
        ]
    });
    (Figure::new(strip.to_inline_svg(1060.0), ""), rows.collect())
}

fn proofs(steps: &[&Spent]) -> String {
    let mut pages: Vec<String> = steps
        .iter()
        .map(|step| step.proof.as_deref().map_or_else(|| "not proven".to_owned(), shown))
        .collect();
    pages.sort_unstable();
    pages.dedup();
    pages.join(", ")
}

fn step_row(step: &Spent) -> Vec<String> {
    let exactness = match &step.exactness {
        Exactness::Exact => "exact".to_owned(),
        Exactness::WithinDelta { delta } => format!("within {delta}"),
        Exactness::AtStationarity => "at stationarity".to_owned(),
        Exactness::NoGuarantee { why } => format!("no guarantee: {}", shown_sentence(why)),
    };
    vec![
        shown_sentence(&step.step),
        step.epsilon.to_string(),
        shown_sentence(&step.sensitivity),
        step.proof.as_deref().map_or_else(|| "not proven".to_owned(), shown),
        exactness,
    ]
}

fn column_row((place, column): (usize, &indistinct::table::Column)) -> Vec<String> {
    let found = summary(column);
    vec![(place + 1).to_string(), shown(column.name()), found.kind.to_owned(), found.missing, found.values]
}

/// The association of every pair of columns.
struct Dependence {
    /// Positions of two columns and their association, strongest first.
    pairs: Vec<(usize, usize, f64, Measure)>,
    /// Positions of the columns that the heat map has.
    mapped: Vec<usize>,
}

impl Dependence {
    fn of(table: &Table) -> Self {
        let prepared: Vec<Prepared> =
            table.columns().par_iter().map(|column| Prepared::of(column, ROWS)).collect();
        let q = prepared.len();
        let all: Vec<(usize, usize)> = (0..q).flat_map(|a| (a + 1..q).map(move |b| (a, b))).collect();
        let mut pairs: Vec<(usize, usize, f64, Measure)> = all
            .into_par_iter()
            .filter_map(|(a, b)| association(&prepared[a], &prepared[b]).map(|(value, by)| (a, b, value, by)))
            .collect();
        pairs.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        let mut mapped: Vec<usize> = Vec::new();
        for column in pairs.iter().flat_map(|pair| [pair.0, pair.1]).chain(0..q) {
            if mapped.len() < HEAT && !mapped.contains(&column) {
                mapped.push(column);
            }
        }
        mapped.sort_unstable();
        Self { pairs, mapped }
    }

    fn strongest(&self) -> impl Iterator<Item = &(usize, usize, f64, Measure)> {
        self.pairs.iter()
    }

    fn map(&self, table: &Table) -> Option<Figure> {
        if self.mapped.len() < 2 {
            return None;
        }
        let names: Vec<String> =
            self.mapped.iter().map(|&column| shown(table.columns()[column].name())).collect();
        let cells = self.pairs.iter().filter_map(|&(a, b, value, measure)| {
            let (a, b) = (self.mapped.binary_search(&a).ok()?, self.mapped.binary_search(&b).ok()?);
            let hover = format!("{} and {}\n{}: {}", names[a], names[b], measure.words(), number(value));
            Some(HeatCell { names: (a, b), value, hover })
        });
        let map = HeatMap {
            title: "Dependence in the synthetic table".to_owned(),
            description: "How strongly every two columns depend on each other, from 0 to 1.".to_owned(),
            cells: cells.collect(),
            names,
            full: 1.0,
            label: "0: none; 1: one column determines the other".to_owned(),
        };
        Some(Figure::new(map.to_inline_svg(700.0), ""))
    }
}

fn pair_figure(table: &Table, &(a, b, value, measure): &(usize, usize, f64, Measure)) -> Figure {
    let side = |column: usize| [Side { name: "", colour: 0, column: &table.columns()[column] }];
    let chart = scatter(&side(a), &side(b), DOTS);
    Figure::of(&chart, (346.0, PAIR.1), format!("{} {}", measure.words(), number(value)))
}

fn pair_row(table: &Table, &(a, b, value, measure): &(usize, usize, f64, Measure)) -> Vec<String> {
    let name = |column: usize| shown(table.columns()[column].name());
    vec![name(a), name(b), number(value), measure.words().to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_differ_in_numbers_are_of_one_kind() {
        assert_eq!(kind_of("scale of column 12"), "scale of column k");
        assert_eq!(kind_of("location of column 1, stage 20"), kind_of("location of column 33, stage 4"));
        assert_eq!(kind_of("quality score"), "quality score");
    }
}
