//! Pages for people: one file each, nothing loaded from elsewhere, no script.
//!
//! [`release_page`] is made **only from what is released** and goes with a release. [`evaluation_page`] is made
//! from the private data, for their holder, and says so on every screen and every sheet of paper.
//!
//! [`interval_page`] shows numbers of a release with their error bars, and is made of released files, too.
//!
//! Names of columns and levels are hostile input: templates escape everything, names are cleaned and shortened, and a
//! content security policy forbids the page to load or to run anything.

mod association;
mod column;
mod evaluation;
mod interval;
mod release;
mod scatter;
mod tree;
mod words;

pub use evaluation::{EvaluationPage, EvaluationPageError, evaluation_page};
pub use interval::{IntervalPage, interval_page};
pub use release::{ReleaseBars, ReleasePage, release_page};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;

use crate::chart::{Chart, style_sheet};

/// The error of a template that does not fit its contents, which is a mistake of this crate.
#[derive(Debug, thiserror::Error)]
#[error("the page cannot be written: {0}")]
pub struct PageError(#[from] minijinja::Error);

const TEMPLATES: [(&str, &str); 8] = [
    ("base.html", include_str!("../../templates/base.html")),
    ("parts.html", include_str!("../../templates/parts.html")),
    ("release.html", include_str!("../../templates/release.html")),
    ("evaluation.html", include_str!("../../templates/evaluation.html")),
    ("interval.html", include_str!("../../templates/interval.html")),
    ("bars.css", include_str!("../../templates/bars.css")),
    ("page.css", include_str!("../../templates/page.css")),
    ("private.css", include_str!("../../templates/private.css")),
];

/// The size of a figure, in pixels of a page that is not scaled.
#[derive(Debug, Clone, Copy)]
struct FigureSize {
    width: f64,
    height: f64,
}

/// Size of a figure of one column.
const SMALL: FigureSize = FigureSize { width: 346.0, height: 150.0 };
/// Figures that are shown together.
const GROUP: usize = 60;
/// Size of a figure of one pair, in two panels.
const PAIR: FigureSize = FigureSize { width: 540.0, height: 210.0 };

/// A figure in a page.
#[derive(Debug, Serialize)]
struct Figure {
    /// Markup made here, with all text in it escaped.
    svg: Value,
    note: String,
}

impl Figure {
    fn new(svg: String, note: impl Into<String>) -> Self {
        Self { svg: Value::from_safe_string(svg), note: note.into() }
    }

    fn of(chart: &Chart, size: FigureSize, note: impl Into<String>) -> Self {
        Self::new(chart.to_inline_svg(size.width, size.height), note)
    }
}

/// Figures of columns that are shown together: the first ones at once, others when a reader opens them.
#[derive(Debug, Serialize)]
struct FigureGroup {
    name: String,
    figures: Vec<Figure>,
}

impl FigureGroup {
    /// Groups of [`GROUP`] figures, each with the name of its column; `what` says which columns they are.
    fn of(figures: impl IntoIterator<Item = (String, Figure)>, what: &str) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        let mut ends = (String::new(), String::new());
        for (name, figure) in figures {
            if groups.last().is_none_or(|group| group.figures.len() == GROUP) {
                groups.push(Self { name: String::new(), figures: Vec::new() });
                ends.0.clone_from(&name);
            }
            ends.1 = name;
            if let Some(group) = groups.last_mut() {
                group.figures.push(figure);
                let count = group.figures.len();
                group.name = if count == 1 {
                    format!("{what}: {}", ends.0)
                } else {
                    format!("{what}: {} to {} ({count})", ends.0, ends.1)
                };
            }
        }
        groups
    }
}

fn render(template: &str, context: impl Serialize) -> Result<String, PageError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    environment.add_global("charts", Value::from_safe_string(style_sheet()));
    Ok(environment.get_template(template)?.render(Serde(context))?)
}
