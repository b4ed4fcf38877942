//! The columns that a formula uses, of all tables together: as numbers, or as levels that all tables share.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use super::formula::{Model, Transform, Variable};
use super::{CombineError, Formula, FormulaError};
use crate::table::{Column, ColumnType, MISSING_CODE, Table, Values};

/// A formula with its columns in all tables.
#[derive(Debug)]
pub(super) struct Frames {
    pub(super) model: Model,
    /// For each variable, the levels of a category that occur in a complete row of any table; `None` for numbers.
    pub(super) levels: Vec<Option<Vec<String>>>,
    pub(super) by_table: Vec<Frame>,
}

/// The complete rows of one table.
#[derive(Debug)]
pub(super) struct Frame {
    /// Rows of the table, complete or not.
    pub(super) rows: usize,
    pub(super) response: Vec<f64>,
    /// Values by variable.
    pub(super) variables: Vec<Cells>,
}

/// The values of one variable.
#[derive(Debug)]
pub(super) enum Cells {
    Numbers(Vec<f64>),
    /// Positions in the variable's levels.
    Codes(Vec<u32>),
}

/// The part that a column has in a regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Left of `~`, a number.
    Response,
    /// Left of `~`, one of two outcomes: a category of two levels will do, and its second level counts as 1.
    Outcome,
    /// Right of `~`.
    Predictor,
}

/// A level, with its order and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Label {
    Whole(i64),
    Named(String),
}

impl fmt::Display for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(formatter, "{number}"),
            Self::Named(name) => write!(formatter, "{name}"),
        }
    }
}

impl Frames {
    /// Reads the columns of all tables.
    pub(super) fn new(tables: &[&Table], formula: &Formula, left: Part) -> Result<Self, CombineError> {
        let Some(first) = tables.first() else { return Err(CombineError::NoTables) };
        let names: Vec<&str> = first.columns().iter().map(Column::name).collect();
        let model = formula.model(&names)?;
        let mut frames = Vec::with_capacity(tables.len());
        // By variable and table: the levels that are declared there.
        let mut declared: Vec<Vec<Vec<Label>>> = vec![Vec::new(); model.variables.len()];
        for (table, number) in tables.iter().zip(1..) {
            same_columns(first, table, number, &model, formula.has_dot())?;
            let mark = |error| CombineError::InTable { table: number, error };
            let (response, _) = read(table, &model.response, left).map_err(mark)?;
            let mut variables = Vec::with_capacity(model.variables.len());
            for (variable, declared) in model.variables.iter().zip(&mut declared) {
                let (cells, levels) = read(table, variable, Part::Predictor).map_err(mark)?;
                variables.push(cells);
                declared.push(levels);
            }
            frames.push(Frame::of_complete_rows(table.rows(), response, &variables));
        }
        let mut levels = Vec::with_capacity(model.variables.len());
        for (place, (variable, declared)) in model.variables.iter().zip(&declared).enumerate() {
            levels.push(share_levels(&mut frames, place, declared));
            if levels[place].as_ref().is_some_and(|levels| levels.len() < 2) {
                return Err(FormulaError::new(
                    variable.position,
                    format!("`{}` has fewer than two levels in the complete rows", variable.column),
                    "leave it out, as a constant explains nothing",
                )
                .into());
            }
        }
        Ok(Self { model, levels, by_table: frames })
    }
}

impl Frame {
    fn of_complete_rows(rows: usize, response: Cells, variables: &[Cells]) -> Self {
        let complete: Vec<usize> = (0..rows)
            .filter(|&row| !response.is_missing(row) && variables.iter().all(|cells| !cells.is_missing(row)))
            .collect();
        let response = response.take(&complete).into_numbers();
        Self { rows, response, variables: variables.iter().map(|cells| cells.take(&complete)).collect() }
    }
}

impl Cells {
    /// Numbers as they are, and codes as numbers.
    pub(super) fn into_numbers(self) -> Vec<f64> {
        match self {
            Self::Numbers(numbers) => numbers,
            Self::Codes(codes) => codes.into_iter().map(f64::from).collect(),
        }
    }

    pub(super) fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numbers(numbers) => numbers[row].is_nan(),
            Self::Codes(codes) => codes[row] == MISSING_CODE,
        }
    }

    pub(super) fn take(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numbers(numbers) => Self::Numbers(rows.iter().map(|&row| numbers[row]).collect()),
            Self::Codes(codes) => Self::Codes(rows.iter().map(|&row| codes[row]).collect()),
        }
    }
}

/// Checks that tables have the same columns, at least those that the formula uses, with the same types.
fn same_columns(
    first: &Table,
    table: &Table,
    number: usize,
    model: &Model,
    all: bool,
) -> Result<(), CombineError> {
    let differs = |column: &str| CombineError::OtherColumns { table: number, column: column.to_owned() };
    let odd = table.columns().iter().find(|column| first.column(column.name()).is_none());
    if let Some(odd) = odd.filter(|_| all) {
        return Err(differs(odd.name()));
    }
    for variable in model.variables.iter().chain([&model.response]) {
        let (Some(wanted), Some(found)) = (first.column(&variable.column), table.column(&variable.column))
        else {
            return Err(differs(&variable.column));
        };
        let (found, expected) = (found.schema().kind().word(), wanted.schema().kind().word());
        if found != expected {
            let column = variable.column.clone();
            return Err(CombineError::OtherType { table: number, column, found, expected });
        }
    }
    Ok(())
}

/// A column in the form that the formula uses, and the possible levels if it is a category.
pub(super) fn read(
    table: &Table,
    variable: &Variable,
    part: Part,
) -> Result<(Cells, Vec<Label>), FormulaError> {
    let fail = |problem: String, advice: &str| Err(FormulaError::new(variable.position, problem, advice));
    let name = &variable.column;
    let Some(column) = table.column(name) else {
        return fail(format!("no column is named `{name}`"), "name columns as the table's header does");
    };
    let kind = column.schema().kind();
    let named = |levels: &[String]| levels.iter().cloned().map(Label::Named).collect();
    match (variable.transform, column.values(), kind) {
        (Transform::Log, Values::Code(_) | Values::Date(_) | Values::DateTime(_), kind) => {
            fail(format!("`{name}` is {}: it has no logarithm", kind.in_words()), "use log() with numbers")
        }
        (Transform::Log, values, _) => {
            let numbers = values.to_reals();
            let count = numbers.iter().filter(|&&number| number <= 0.0).count();
            if count > 0 {
                return fail(
                    if count == 1 {
                        format!("1 value of `{name}` is not positive and has no logarithm")
                    } else {
                        format!("{count} values of `{name}` are not positive and have no logarithm")
                    },
                    "use the column as it is, or make it positive before",
                );
            }
            Ok((Cells::Numbers(numbers.into_iter().map(f64::ln).collect()), Vec::new()))
        }
        (_, Values::Code(codes), ColumnType::Boolean { .. }) => {
            // R's spelling, whatever the file's.
            Ok((Cells::Codes(codes.clone()), named(&["FALSE".to_owned(), "TRUE".to_owned()])))
        }
        (_, Values::Code(codes), kind) if part == Part::Outcome && kind.level_count() == Some(2) => {
            Ok((Cells::Codes(codes.clone()), Vec::new()))
        }
        (_, Values::Code(_), kind) if part == Part::Outcome => fail(
            format!("the outcome `{name}` is {}, with more or fewer than two levels", kind.in_words()),
            "put a boolean, a category of two levels, or a column of 0 and 1 on the left of ~",
        ),
        (_, Values::Code(_), kind) if part == Part::Response => fail(
            format!("the response `{name}` is {}, not a number", kind.in_words()),
            "put a numeric or boolean column on the left of ~",
        ),
        (_, Values::Code(codes), kind) => {
            Ok((Cells::Codes(codes.clone()), named(kind.levels().map_or(&[], |levels| levels))))
        }
        (Transform::Category, values, _) => match whole_numbers(&values.to_reals()) {
            Some((codes, levels)) => Ok((Cells::Codes(codes), levels)),
            None => fail(
                format!("`{name}` has values that are not whole numbers"),
                "C() makes categories of whole numbers; use the column as it is",
            ),
        },
        // In seconds, as R counts.
        (Transform::AsItIs, values @ Values::DateTime(_), _) => Ok((
            Cells::Numbers(values.to_reals().into_iter().map(|micros| micros / 1e6).collect()),
            Vec::new(),
        )),
        (Transform::AsItIs, values, _) => Ok((Cells::Numbers(values.to_reals()), Vec::new())),
    }
}

/// Whole numbers as levels, in their order; `None` if there are other numbers.
fn whole_numbers(numbers: &[f64]) -> Option<(Vec<u32>, Vec<Label>)> {
    // Beyond 2^53 doubles cannot tell whole numbers apart.
    let whole = |number: f64| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    let present = || numbers.iter().copied().filter(|number| !number.is_nan());
    if !present().all(whole) {
        return None;
    }
    let levels: Vec<i64> =
        present().map(|number| number as i64).collect::<BTreeSet<_>>().into_iter().collect();
    let code = |&number: &f64| {
        if number.is_nan() {
            MISSING_CODE
        } else {
            levels.partition_point(|&level| level < number as i64) as u32
        }
    };
    Some((numbers.iter().map(code).collect(), levels.iter().copied().map(Label::Whole).collect()))
}

/// Recodes a category to the levels that occur in a complete row of any table: whole numbers in their order,
/// others in the order of the first table that declares them. Returns their names; `None` for numbers.
fn share_levels(frames: &mut [Frame], place: usize, declared: &[Vec<Label>]) -> Option<Vec<String>> {
    let mut numbers: HashMap<&Label, usize> = HashMap::new();
    let mut union: Vec<&Label> = Vec::new();
    for label in declared.iter().flatten() {
        numbers.entry(label).or_insert_with(|| {
            union.push(label);
            union.len() - 1
        });
    }
    let mut used = vec![false; union.len()];
    for (frame, declared) in frames.iter().zip(declared) {
        let Cells::Codes(codes) = &frame.variables[place] else { return None };
        for &code in codes {
            used[numbers[&declared[code as usize]]] = true;
        }
    }
    let mut shared: Vec<&Label> =
        union.iter().zip(&used).filter(|(_, used)| **used).map(|(label, _)| *label).collect();
    if shared.iter().all(|label| matches!(label, Label::Whole(_))) {
        shared.sort_unstable();
    }
    let places: HashMap<&Label, u32> = shared.iter().copied().zip(0..).collect();
    for (frame, declared) in frames.iter_mut().zip(declared) {
        if let Cells::Codes(codes) = &mut frame.variables[place] {
            let new: Vec<u32> =
                declared.iter().map(|label| places.get(label).copied().unwrap_or(MISSING_CODE)).collect();
            for code in codes {
                *code = new[*code as usize];
            }
        }
    }
    Some(shared.iter().map(ToString::to_string).collect())
}
