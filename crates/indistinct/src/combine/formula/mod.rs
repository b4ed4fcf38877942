//! Formulas as statisticians write them: `y ~ x + z`, with R's meaning.

mod lexer;
mod parse;
mod terms;

pub(super) use terms::Model;

use std::fmt;

/// A parsed formula; its columns are looked up in tables later.
///
/// ```
/// use indistinct::combine::Formula;
/// let formula = Formula::parse("log(income) ~ age * sex + C(region) - 1")?;
/// assert_eq!(formula.text(), "log(income) ~ age * sex + C(region) - 1");
/// assert_eq!(Formula::parse("y ~ x +").unwrap_err().position(), 8);
/// # Ok::<(), indistinct::combine::FormulaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    text: String,
    response: Variable,
    pieces: Vec<Piece>,
}

impl Formula {
    /// Parses a formula.
    ///
    /// # Errors
    /// When the text is not a formula; the error says where.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let (response, pieces) = parse::parse(text)?;
        Ok(Self { text: text.trim().to_owned(), response, pieces })
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The column left of `~`, and the number of its first character, from 1.
    pub(crate) fn response(&self) -> (&str, usize) {
        (&self.response.column, self.response.position)
    }

    /// Checks that its columns are among these.
    pub(crate) fn check_columns(&self, columns: &[&str]) -> Result<(), FormulaError> {
        self.model(columns).map(drop)
    }

    /// Whether a column is made a category by `C()`.
    pub(super) fn has_category(&self) -> bool {
        let variables = self.pieces.iter().flat_map(|piece| match &piece.content {
            Content::Crossed(interactions) => interactions.as_slice(),
            _ => &[],
        });
        variables.flatten().any(|variable| variable.transform == Transform::Category)
    }

    /// Whether `.` stands for columns that are not named.
    pub(super) fn has_dot(&self) -> bool {
        self.pieces.iter().any(|piece| piece.content == Content::Dot)
    }
}

/// Whether a column's name stands in a formula as it is; others need back quotes.
pub(crate) fn is_plain(name: &str) -> bool {
    lexer::is_name(name)
}

/// A column as a formula uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) column: String,
    pub(super) transform: Transform,
    /// The number of its first character, from 1.
    pub(super) position: usize,
}

/// The transformation of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transform {
    AsItIs,
    Log,
    Category,
}

impl Variable {
    /// Whether both are the same use of the same column, wherever it is written.
    fn is(&self, other: &Self) -> bool {
        self.column == other.column && self.transform == other.transform
    }
}

/// The name that R gives it in coefficients.
impl fmt::Display for Variable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            if lexer::is_name(&self.column) { self.column.clone() } else { format!("`{}`", self.column) };
        match self.transform {
            Transform::AsItIs => write!(formatter, "{name}"),
            Transform::Log => write!(formatter, "log({name})"),
            Transform::Category => write!(formatter, "C({name})"),
        }
    }
}

/// A part of the right side of `~` between two signs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// Whether it is removed.
    minus: bool,
    position: usize,
    content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// 1, or 0 for no intercept.
    Intercept(bool),
    /// All columns but the response's.
    Dot,
    /// Interactions (`a:b`) with `*` between them.
    Crossed(Vec<Vec<Variable>>),
}

/// The place and reason of an error in a formula, or of a formula that does not fit its tables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("formula, character {position}: {problem}")]
pub struct FormulaError {
    position: usize,
    problem: String,
    advice: String,
}

impl FormulaError {
    pub(super) fn new(position: usize, problem: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { position, problem: problem.into(), advice: advice.into() }
    }

    /// The number of the wrong character, from 1; one past the end if the formula ends too early.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The problem, without its place.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Advice in one line.
    pub fn advice(&self) -> &str {
        &self.advice
    }
}
