//! A column of declared type.

use std::sync::Arc;

use indistinct::table::{
    ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Notation, Values,
};
use rustc_hash::FxHashMap;

use super::number::{Number, trim_spaces};
use super::{Cell, MIDNIGHT, Missing, notation, number, spell, spell_float};
use crate::error::Fault;
pub use indistinct::table::Invalid;
use indistinct::table::moment::{DAY, ISO_DATE, MomentFormat};

/// The values that a declared column accepts: shared by all parts of it that are read in parallel.
#[derive(Debug)]
pub(crate) struct TypedPlan {
    rule: Rule,
    missing: Missing,
    /// The way numbers are written.
    notation: Notation,
    /// Days or moments that mean missing.
    missing_times: Vec<i64>,
    /// The numbers that replace those too low, or too high, to be stored.
    limits: [Option<f64>; 2],
    invalid: Invalid,
}

/// A conversion from spellings to values.
#[derive(Debug)]
enum Rule {
    Float,
    Integer,
    /// Codes of all levels, and of the spellings that mean missing; `boolean` chooses the message.
    Code {
        known: FxHashMap<String, u32>,
        /// Codes of the levels that are numbers, by their shortest spelling: `3` and `3.0` are one level.
        numbers: FxHashMap<String, u32>,
        boolean: bool,
    },
    Date(MomentFormat),
    DateTime(MomentFormat),
}

impl TypedPlan {
    /// The plan for a column, given the table's missing codes; `None` for identifiers, or a format that strftime
    /// does not know.
    pub(crate) fn new(column: &ColumnSchema, table_missing: &[String], invalid: Invalid) -> Option<Self> {
        // An empty cell is missing whatever the codes, unless it is a level.
        let empty = column.kind().levels().is_none_or(|levels| !levels.iter().any(String::is_empty));
        let codes = table_missing.iter().chain(column.missing()).map(String::as_str);
        let missing = Missing::new(codes.chain(empty.then_some("")));
        let codes = |spellings: &[&String], boolean| {
            let gone = missing.spellings().iter().map(|spelling| (spelling.clone(), MISSING_CODE));
            let levels = spellings.iter().zip(0..).map(|(&spelling, code)| (spelling.clone(), code));
            Rule::Code { known: gone.chain(levels).collect(), numbers: numbers_of(spellings), boolean }
        };
        let rule = match column.kind() {
            ColumnType::Float => Rule::Float,
            ColumnType::Integer => Rule::Integer,
            ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
                codes(&levels.iter().collect::<Vec<_>>(), false)
            }
            ColumnType::Boolean { when_false, when_true } => codes(&[when_false, when_true], true),
            ColumnType::Date { format } => Rule::Date(MomentFormat::new(format)?),
            ColumnType::DateTime { format } => Rule::DateTime(MomentFormat::new(format)?),
            ColumnType::Identifier => return None,
        };
        let time = |spelling: &String| match &rule {
            Rule::Date(format) => format.parse_day(spelling).map(i64::from),
            Rule::DateTime(format) => format.parse_moment(spelling),
            _ => None,
        };
        let missing_times = missing.spellings().iter().filter_map(time).collect();
        let limits = [column.minimum(), column.maximum()];
        let notation = column.notation().clone();
        Some(Self { rule, missing, notation, missing_times, limits, invalid })
    }
}

/// Codes of the spellings that are numbers, by their shortest spelling; those that two share have none.
fn numbers_of(spellings: &[&String]) -> FxHashMap<String, u32> {
    let mut numbers = FxHashMap::default();
    let mut shared = Vec::new();
    for (spelling, code) in spellings.iter().zip(0..) {
        if let Some(number) = shortest(spelling)
            && numbers.insert(number.clone(), code).is_some()
        {
            shared.push(number);
        }
    }
    numbers.retain(|number, _| !shared.contains(number));
    numbers
}

/// The shortest spelling of a number; none for text, and for digits with zeros in front, which are codes: `01` is not `1`.
pub(crate) fn shortest(text: &str) -> Option<String> {
    let digits = trim_spaces(text).trim_start_matches(['-', '+']).as_bytes();
    if matches!(digits, [b'0', b'0'..=b'9', ..]) {
        return None;
    }
    let mut out = String::new();
    match number::parse(text) {
        Number::Whole(value) => out = value.to_string(),
        // Minus zero is zero.
        Number::Real(value) => spell_float(value + 0.0, &mut out),
        Number::Nan | Number::Infinite | Number::Not => return None,
    }
    Some(out)
}

/// The day at whose beginning a moment in ISO form is: sheets have no dates without a time.
fn midnight(text: &str) -> Option<i32> {
    let day = text.strip_suffix(MIDNIGHT)?;
    MomentFormat::new(ISO_DATE)?.parse_day(day)
}

/// The level that a truth value of another library is written as in text.
fn truth(known: &FxHashMap<String, u32>, value: bool) -> Option<u32> {
    let words = if value { ["true", "True", "TRUE"] } else { ["false", "False", "FALSE"] };
    words.into_iter().find_map(|word| known.get(word).copied())
}

/// A declared column, or a part of one, while it is read.
#[derive(Debug)]
pub(crate) struct Typed {
    plan: Arc<TypedPlan>,
    values: Values,
    scratch: String,
}

impl Typed {
    /// An empty column.
    pub(crate) fn new(plan: Arc<TypedPlan>) -> Self {
        let values = plan.no_values();
        Self { plan, values, scratch: String::new() }
    }

    /// Whether the values are real numbers, written as usual.
    #[inline]
    pub(crate) fn is_float(&self) -> bool {
        matches!(self.values, Values::Float(_)) && self.plan.notation.is_plain()
    }

    /// Adds a row, whose number `real` was already read.
    #[inline]
    pub(crate) fn push_real(&mut self, real: f64, text: &str) -> Result<(), Fault> {
        match &mut self.values {
            Values::Float(values) if !self.plan.missing.is_number(real) => {
                values.push(real);
                Ok(())
            }
            _ => self.push(Cell::Text(text)),
        }
    }

    /// An empty column of the same type.
    pub(crate) fn no_values(&self) -> Values {
        self.plan.no_values()
    }

    /// Moves the values to the end of others of the same type.
    pub(crate) fn drain_into(&mut self, all: &mut Values) {
        match (all, &mut self.values) {
            (Values::Float(all), Values::Float(part)) => all.append(part),
            (Values::Integer(all), Values::Integer(part))
            | (Values::DateTime(all), Values::DateTime(part)) => {
                all.append(part);
            }
            (Values::Code(all), Values::Code(part)) => all.append(part),
            (Values::Date(all), Values::Date(part)) => all.append(part),
            // Both follow one plan.
            _ => {}
        }
    }

    /// Adds a row: the cell, if the column allows it, or the replacement of invalid cells.
    pub(crate) fn push(&mut self, cell: Cell<'_>) -> Result<(), Fault> {
        match (self.push_valid(cell), self.plan.invalid) {
            (Err(_), Invalid::Missing) => self.push_valid(Cell::Missing),
            (pushed, _) => pushed,
        }
    }

    fn push_valid(&mut self, cell: Cell<'_>) -> Result<(), Fault> {
        let plan = &*self.plan;
        match (&mut self.values, &plan.rule) {
            (Values::Float(values), _) => values.push(plan.float(cell)?),
            (Values::Integer(values), _) => values.push(plan.integer(cell)?),
            (Values::Date(values), Rule::Date(format)) => values.push(plan.day(format, cell)?),
            (Values::DateTime(values), Rule::DateTime(format)) => values.push(plan.moment(format, cell)?),
            (Values::Code(values), Rule::Code { known, boolean, .. }) => {
                let code = match cell {
                    Cell::Missing => MISSING_CODE,
                    Cell::Text(text) => plan.code(text)?,
                    Cell::Float(value) if value.is_nan() => MISSING_CODE,
                    Cell::Boolean(value) if *boolean => u32::from(value),
                    Cell::Boolean(value) => truth(known, value).ok_or(Fault::UnknownLevel)?,
                    other => {
                        self.scratch.clear();
                        spell(other, &mut self.scratch);
                        plan.code(&self.scratch)?
                    }
                };
                values.push(code);
            }
            // The values were made to fit the rule.
            (Values::Code(_) | Values::Date(_) | Values::DateTime(_), _) => {}
        }
        Ok(())
    }
}

impl TypedPlan {
    fn no_values(&self) -> Values {
        match self.rule {
            Rule::Float => Values::Float(Vec::new()),
            Rule::Integer => Values::Integer(Vec::new()),
            Rule::Code { .. } => Values::Code(Vec::new()),
            Rule::Date(_) => Values::Date(Vec::new()),
            Rule::DateTime(_) => Values::DateTime(Vec::new()),
        }
    }

    fn float(&self, cell: Cell<'_>) -> Result<f64, Fault> {
        let value = match cell {
            Cell::Missing => return Ok(f64::NAN),
            Cell::Text(text) => match notation::parse(&self.notation, text) {
                Number::Whole(value) => value as f64,
                Number::Real(value) => value,
                Number::Nan => return Ok(f64::NAN),
                Number::Infinite | Number::Not if self.missing.is(text) => return Ok(f64::NAN),
                Number::Infinite => return self.limit(trim_spaces(text).starts_with('-'), Fault::Infinite),
                Number::Not => return Err(Fault::NotANumber),
            },
            Cell::Integer(value) => value as f64,
            Cell::Float(value) => value,
            Cell::Boolean(_) | Cell::Day(_) | Cell::Moment(_) => return Err(Fault::NotANumber),
        };
        if value.is_infinite() {
            return self.limit(value < 0.0, Fault::Infinite);
        }
        Ok(if self.missing.is_number(value) { f64::NAN } else { value })
    }

    /// The declared limit, which replaces a number too low, or too high, to be stored. Without a limit it is a
    /// fault.
    fn limit(&self, low: bool, fault: Fault) -> Result<f64, Fault> {
        self.limits[usize::from(!low)].ok_or(fault)
    }

    fn integer(&self, cell: Cell<'_>) -> Result<i64, Fault> {
        let whole = match cell {
            Cell::Integer(value) => Some(value),
            Cell::Text(text) => match notation::parse(&self.notation, text) {
                Number::Whole(value) => Some(value),
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = whole {
            return match value {
                MISSING_INTEGER => self.limit(true, Fault::TooLarge).map(|limit| limit as i64),
                value if self.missing.is_number(value as f64) => Ok(MISSING_INTEGER),
                value => Ok(value),
            };
        }
        let value = self.float(cell)?;
        if value.is_nan() {
            Ok(MISSING_INTEGER)
        } else if value.fract() != 0.0 {
            Err(Fault::Fraction)
        } else if value.abs() >= 9_223_372_036_854_775_808.0 {
            self.limit(value < 0.0, Fault::TooLarge).map(|limit| limit as i64)
        } else {
            Ok(value as i64)
        }
    }

    fn code(&self, text: &str) -> Result<u32, Fault> {
        let Rule::Code { known, numbers, boolean } = &self.rule else { return Err(Fault::UnknownLevel) };
        let day = || known.get(text.strip_suffix(MIDNIGHT)?);
        if let Some(&code) = known.get(text).or_else(day) {
            return Ok(code);
        }
        if self.missing.is(text) {
            return Ok(MISSING_CODE);
        }
        let number = if numbers.is_empty() { None } else { shortest(text) };
        let code = number.and_then(|number| numbers.get(&number).copied());
        code.ok_or(if *boolean { Fault::NotABoolean } else { Fault::UnknownLevel })
    }

    fn day(&self, format: &MomentFormat, cell: Cell<'_>) -> Result<i32, Fault> {
        let day = match cell {
            Cell::Missing => return Ok(MISSING_DATE),
            Cell::Text(text) if self.missing.is(text) => return Ok(MISSING_DATE),
            Cell::Text(text) => {
                let text = trim_spaces(text);
                format.parse_day(text).or_else(|| midnight(text)).ok_or(Fault::NotADate)?
            }
            Cell::Day(day) => day,
            Cell::Moment(moment) if moment % DAY == 0 => {
                i32::try_from(moment / DAY).map_err(|_| Fault::NotADate)?
            }
            Cell::Float(value) if value.is_nan() => return Ok(MISSING_DATE),
            _ => return Err(Fault::NotADate),
        };
        Ok(if self.missing_times.contains(&i64::from(day)) { MISSING_DATE } else { day })
    }

    fn moment(&self, format: &MomentFormat, cell: Cell<'_>) -> Result<i64, Fault> {
        let moment = match cell {
            Cell::Missing => return Ok(MISSING_INTEGER),
            Cell::Text(text) if self.missing.is(text) => return Ok(MISSING_INTEGER),
            Cell::Text(text) => format.parse_moment(trim_spaces(text)).ok_or(Fault::NotADateTime)?,
            Cell::Day(day) => i64::from(day) * DAY,
            Cell::Moment(moment) => moment,
            Cell::Float(value) if value.is_nan() => return Ok(MISSING_INTEGER),
            _ => return Err(Fault::NotADateTime),
        };
        Ok(if self.missing_times.contains(&moment) { MISSING_INTEGER } else { moment })
    }
}
