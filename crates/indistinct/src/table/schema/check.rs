//! Checks of the columns of a schema.

use std::collections::{HashMap, HashSet};

use super::order::order;
use super::{ColumnSchema, ColumnType, SchemaError, round_to_decimals};
use crate::table::moment::{ISO_DATE, ISO_DATETIME, MomentFormat};
use crate::table::nearest;

/// Most decimals that a double has.
pub(super) const MOST_DECIMALS: u32 = 15;
/// Whole numbers up to here are exact.
pub(in crate::table) const EXACT: f64 = 9_007_199_254_740_992.0;
/// Most atoms or codes of missing values that may be declared: more are a mistake, and every value is compared
/// with all.
pub(super) const MOST_VALUES: usize = 1000;
/// Least and greatest weight of tables with a column, relative to others.
pub(super) const FOCUS: (f64, f64) = (0.1, 100.0);
/// Days of the years 0 to 9999.
pub(in crate::table) const DAYS: (f64, f64) = (-719_528.0, 2_932_896.0);

/// Checks all columns.
pub(super) fn columns(missing: &[String], columns: &[ColumnSchema]) -> Result<(), SchemaError> {
    if columns.is_empty() {
        return Err(SchemaError::Empty);
    }
    let missing_anywhere: HashSet<&str> = missing.iter().map(String::as_str).collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (position, column) in columns.iter().enumerate() {
        if column.name.is_empty() {
            return Err(SchemaError::EmptyName(position + 1));
        }
        if places.insert(&column.name, position).is_some() {
            return Err(SchemaError::DuplicateName(column.name.clone()));
        }
        few(missing, column)?;
        spellings(&missing_anywhere, column)?;
        types(column)?;
        numbers(missing, column)?;
    }
    columns.iter().try_for_each(|column| predictors(column, columns, &places))?;
    match circle(columns, &places) {
        Some(columns) => Err(SchemaError::Circle { columns }),
        None => Ok(()),
    }
}

/// Checks that there are not too many values with which others are compared.
fn few(missing: &[String], column: &ColumnSchema) -> Result<(), SchemaError> {
    let codes = missing.len().max(column.missing.len());
    let key = match (codes > MOST_VALUES, column.atoms.len() > MOST_VALUES) {
        (true, _) => "missing",
        (_, true) => "atoms",
        _ => return Ok(()),
    };
    Err(SchemaError::TooMany { column: column.name.clone(), key })
}

/// Checks that levels and truth values are spelled differently from each other and from missing values.
fn spellings(missing: &HashSet<&str>, column: &ColumnSchema) -> Result<(), SchemaError> {
    let name = || column.name.clone();
    if let Some(levels) = column.kind.levels() {
        if levels.is_empty() {
            return Err(SchemaError::NoLevels(name()));
        }
        let mut seen = HashSet::new();
        if let Some(level) = levels.iter().find(|level| !seen.insert(*level)) {
            return Err(SchemaError::DuplicateLevel { column: name(), level: level.clone() });
        }
    }
    let spellings: Vec<&String> = match &column.kind {
        ColumnType::Boolean { when_false, when_true } => {
            if when_false == when_true {
                return Err(SchemaError::SameTruth(name()));
            }
            vec![when_false, when_true]
        }
        kind => kind.levels().into_iter().flat_map(|levels| levels.iter()).collect(),
    };
    let own: HashSet<&str> = column.missing.iter().map(String::as_str).collect();
    let is_missing =
        |spelling: &String| missing.contains(spelling.as_str()) || own.contains(spelling.as_str());
    match spellings.into_iter().find(|spelling| is_missing(spelling)) {
        Some(spelling) => Err(SchemaError::ValueIsMissing { column: name(), spelling: spelling.clone() }),
        None => Ok(()),
    }
}

/// Checks that only floats have decimals, only numbers and dates have atoms, limits and families, and only
/// modelled columns have predictors.
fn types(column: &ColumnSchema) -> Result<(), SchemaError> {
    let float = column.kind == ColumnType::Float;
    let numeric = float
        || matches!(column.kind, ColumnType::Integer | ColumnType::Date { .. } | ColumnType::DateTime { .. });
    let modelled = column.kind != ColumnType::Identifier;
    for (key, given, fits) in [
        ("decimals", column.decimals.is_some(), float),
        ("atoms", !column.atoms.is_empty(), numeric),
        ("minimum", column.minimum.is_some(), numeric),
        ("maximum", column.maximum.is_some(), numeric),
        ("family", column.family.is_some(), numeric),
        ("predictors", column.predictors.is_some(), modelled),
        ("focus", column.focus.is_some(), modelled),
        ("weight", column.weight, float || column.kind == ColumnType::Integer),
        ("derive", column.derive.is_some(), modelled),
        ("decimal_mark", !column.notation.is_plain(), float || column.kind == ColumnType::Integer),
    ] {
        if given && !fits {
            let kind = column.kind.word();
            return Err(SchemaError::Misplaced { column: column.name.clone(), key, kind });
        }
    }
    if column.decimals.is_some_and(|decimals| decimals > MOST_DECIMALS) {
        return Err(SchemaError::Decimals { column: column.name.clone() });
    }
    if column.focus.is_some_and(|focus| !(FOCUS.0..=FOCUS.1).contains(&focus)) {
        return Err(SchemaError::Focus { column: column.name.clone() });
    }
    if let Some((key, why)) = column.notation.problem() {
        return Err(SchemaError::Notation { column: column.name.clone(), key, why });
    }
    computed(column)
}

/// Checks that a derived column declares how it looks, and nothing about how it is measured.
fn computed(column: &ColumnSchema) -> Result<(), SchemaError> {
    if column.derive.is_none() {
        return Ok(());
    }
    for (key, given) in [
        ("atoms", !column.atoms.is_empty()),
        ("minimum", column.minimum.is_some()),
        ("maximum", column.maximum.is_some()),
        ("family", column.family.is_some()),
        ("predictors", column.predictors.is_some()),
        ("focus", column.focus.is_some()),
    ] {
        if given {
            return Err(SchemaError::NotMeasured { column: column.name.clone(), key });
        }
    }
    Ok(())
}

/// Checks that atoms and limits are values that the column can hold.
fn numbers(missing: &[String], column: &ColumnSchema) -> Result<(), SchemaError> {
    let unfit = |key, value: f64, why: String| {
        let value = spelled(&column.kind, value);
        Err(SchemaError::Unfit { column: column.name.clone(), key, value, why })
    };
    let limits = [("minimum", column.minimum), ("maximum", column.maximum)];
    let limits = limits.into_iter().filter_map(|(key, value)| value.map(|value| (key, value)));
    for (key, value) in column.atoms.iter().map(|&atom| ("atoms", atom)).chain(limits) {
        if let Some(why) = misfit(column, value) {
            return unfit(key, value, why);
        }
    }
    for (position, &atom) in column.atoms.iter().enumerate() {
        if column.atoms[..position].contains(&atom) {
            return unfit("atoms", atom, "is there twice".to_owned());
        }
        let numeric = matches!(column.kind, ColumnType::Float | ColumnType::Integer);
        let codes = missing.iter().chain(&column.missing);
        if numeric && codes.into_iter().any(|code| code.trim().parse() == Ok(atom)) {
            return unfit("atoms", atom, "is declared as missing too".to_owned());
        }
    }
    match (column.minimum, column.maximum) {
        (Some(low), Some(high)) if low >= high => Err(SchemaError::Limits { column: column.name.clone() }),
        _ => Ok(()),
    }
}

/// The reason why the column cannot hold the value, if there is one.
fn misfit(column: &ColumnSchema, value: f64) -> Option<String> {
    let day = |day: f64| day >= DAYS.0 && day < DAYS.1 + 1.0;
    if !value.is_finite() {
        return Some("is not a finite number".to_owned());
    }
    match (&column.kind, column.decimals) {
        (ColumnType::Float, Some(decimals)) if round_to_decimals(value, decimals) != value => {
            Some(format!("has more than {decimals} decimals"))
        }
        (ColumnType::Date { .. }, _) if !day(value) => Some("is outside the years 0 to 9999".to_owned()),
        (ColumnType::DateTime { .. }, _) if !day(value / crate::table::moment::DAY as f64) => {
            Some("is outside the years 0 to 9999".to_owned())
        }
        (ColumnType::Float | ColumnType::DateTime { .. }, _) => None,
        _ if value.fract() != 0.0 => Some("is not a whole number".to_owned()),
        _ if value.abs() > EXACT => Some("is too large to be kept exactly".to_owned()),
        _ => None,
    }
}

/// A declared value as spelled in messages.
fn spelled(kind: &ColumnType, value: f64) -> String {
    let mut text = String::new();
    let written = match kind {
        ColumnType::Date { .. } => {
            MomentFormat::new(ISO_DATE).map(|format| format.write_day(value as i32, &mut text))
        }
        ColumnType::DateTime { .. } => {
            MomentFormat::new(ISO_DATETIME).map(|format| format.write_moment(value as i64, &mut text))
        }
        _ => None,
    };
    if written == Some(true) { text } else { value.to_string() }
}

/// Checks that predictors are other columns that have values.
fn predictors(
    column: &ColumnSchema,
    columns: &[ColumnSchema],
    places: &HashMap<&str, usize>,
) -> Result<(), SchemaError> {
    let mut named = HashSet::new();
    for predictor in column.predictors.iter().flatten() {
        let fail = |why, advice: String| {
            let (column, predictor) = (column.name.clone(), predictor.clone());
            Err(SchemaError::Predictor { column, predictor, why, advice })
        };
        match places.get(predictor.as_str()).map(|&place| &columns[place]) {
            None => {
                let others = columns.iter().filter(|other| other.name != column.name);
                return fail("is not a column", nearest(predictor, others.map(ColumnSchema::name)));
            }
            Some(found) if found.name == column.name => {
                return fail("is the column itself", "remove it".to_owned());
            }
            Some(found) if found.kind == ColumnType::Identifier => {
                return fail(
                    "is an identifier, which is read past",
                    "remove it, or declare its type".to_owned(),
                );
            }
            Some(found) if found.derive.is_some() => {
                return fail(
                    "is derived, and not measured",
                    "name the columns that it is computed from".to_owned(),
                );
            }
            Some(_) if !named.insert(predictor) => {
                return fail("is there twice", "remove one of the two".to_owned());
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Columns each predicted by the next, and the last by the first, if there are any.
fn circle(columns: &[ColumnSchema], places: &HashMap<&str, usize>) -> Option<Vec<String>> {
    let predictors: Vec<Vec<usize>> = columns
        .iter()
        .map(|column| {
            let named = column.predictors.iter().flatten();
            named.filter_map(|name| places.get(name.as_str()).copied()).collect()
        })
        .collect();
    let names = |circle: Vec<usize>| circle.into_iter().map(|place| columns[place].name.clone()).collect();
    order(&predictors).err().map(names)
}
