//! One column of a schema file.

use std::ops::Range;

use indistinct::table::moment::{ISO_DATE, ISO_DATETIME, MomentFormat, declared_day, declared_moment};
use indistinct::table::{ColumnSchema, ColumnType, Family, nearest};
use toml::Spanned;
use toml::de::DeValue;

use super::reader::{Reader, Result, Table, Value, decimal};

const KEYS: [&str; 22] = [
    "name",
    "type",
    "missing",
    "levels",
    "false",
    "true",
    "format",
    "decimals",
    "atoms",
    "minimum",
    "maximum",
    "predictors",
    "family",
    "focus",
    "weight",
    "derive",
    "lookup",
    "decimal_mark",
    "thousands",
    "prefix",
    "suffix",
    "parentheses",
];
/// Keys of every type.
const COMMON: [&str; 3] = ["name", "type", "missing"];
/// Keys of numbers and dates.
const NUMERIC: [&str; 4] = ["atoms", "minimum", "maximum", "family"];
/// Keys of every type but identifiers.
const MODELLED: [&str; 5] = ["predictors", "focus", "weight", "derive", "lookup"];
const TYPES: [&str; 8] =
    ["float", "integer", "nominal", "ordered", "boolean", "date", "datetime", "identifier"];

impl Reader {
    pub(super) fn column(&self, table: &Table<'_>, span: &Range<usize>) -> Result<ColumnSchema> {
        self.check_keys(table, &KEYS, "a column")?;
        let required = |key: &str, advice: &str| {
            let value = table.get(key);
            value.ok_or_else(|| self.error(span, format!("a column without `{key}`"), advice))
        };
        let name = self.string(required("name", "add name = \"...\"")?, "name")?;
        let word_value = required("type", &format!("add type = \"...\": {}", TYPES.join(", ")))?;
        let word = self.string(word_value, "type")?;
        let text = |key: &str| table.get(key).map(|value| self.string(value, key)).transpose();
        let format =
            |default: &str| -> Result<String> { Ok(text("format")?.unwrap_or_else(|| default.to_owned())) };
        let levels = || -> Result<_> {
            let value = required("levels", "add levels = [\"...\", \"...\"]")?;
            Ok(self.strings(value, "levels")?.into())
        };
        let (kind, own): (ColumnType, &[&str]) = match word.as_str() {
            "float" => (
                ColumnType::Float,
                &["decimals", "decimal_mark", "thousands", "prefix", "suffix", "parentheses"],
            ),
            "integer" => {
                (ColumnType::Integer, &["decimal_mark", "thousands", "prefix", "suffix", "parentheses"])
            }
            "identifier" => (ColumnType::Identifier, &[]),
            "nominal" => (ColumnType::Nominal { levels: levels()? }, &["levels"]),
            "ordered" => (ColumnType::Ordered { levels: levels()? }, &["levels"]),
            "date" => (ColumnType::Date { format: format(ISO_DATE)? }, &["format"]),
            "datetime" => (ColumnType::DateTime { format: format(ISO_DATETIME)? }, &["format"]),
            "boolean" => {
                let (when_false, when_true) = match (text("false")?, text("true")?) {
                    (Some(when_false), Some(when_true)) => (when_false, when_true),
                    (None, None) => ("false".to_owned(), "true".to_owned()),
                    _ => {
                        let what = format!("column `{name}` gives one of `false` and `true`");
                        return Err(self.error(span, what, "give both, or neither"));
                    }
                };
                (ColumnType::Boolean { when_false, when_true }, &["false", "true"])
            }
            other => {
                let what = format!("column `{name}`: there is no type `{other}`");
                return Err(self.error(&word_value.span(), what, nearest(other, TYPES)));
            }
        };
        let numeric = matches!(word.as_str(), "float" | "integer" | "date" | "datetime");
        for (key, _) in table {
            let key_name = key.get_ref().as_ref();
            let fits = COMMON.contains(&key_name)
                || own.contains(&key_name)
                || (numeric && NUMERIC.contains(&key_name))
                || (MODELLED.contains(&key_name) && kind != ColumnType::Identifier);
            if !fits {
                let what = format!("column `{name}`: `{key_name}` does not belong to type `{word}`");
                return Err(self.error(&key.span(), what, "remove the key, or correct the type"));
            }
        }
        self.check_format(&name, &kind, table, span)?;
        let missing = table.get("missing").map(|value| self.strings(value, "missing")).transpose()?;
        let number = |key: &str| table.get(key).map(|value| self.number(value, key, &kind)).transpose();
        let (minimum, maximum) = (number("minimum")?, number("maximum")?);
        let atoms = match table.get("atoms") {
            Some(value) => {
                let list = self.list(value, "atoms")?;
                list.iter().map(|item| self.number(item, "atoms", &kind)).collect::<Result<Vec<f64>>>()?
            }
            None => Vec::new(),
        };
        let decimals = table.get("decimals").map(|value| self.count(value, "decimals")).transpose()?;
        let predictors =
            table.get("predictors").map(|value| self.strings(value, "predictors")).transpose()?;
        let family = table.get("family").map(|value| self.family(&name, value)).transpose()?;
        Ok(ColumnSchema::new(&name, kind)
            .with_missing(missing.unwrap_or_default())
            .with_decimals(decimals)
            .with_atoms(atoms)
            .with_limits(minimum, maximum)
            .with_predictors(predictors)
            .with_family(family)
            .with_notation(self.notation(table)?)
            .with_focus(table.get("focus").map(|value| self.focus(value)).transpose()?)
            .with_weight(
                table.get("weight").map(|value| self.truth(value, "weight")).transpose()?.unwrap_or(false),
            )
            .with_derive(self.derive(&name, table)?))
    }

    fn family(&self, name: &str, value: &Value<'_>) -> Result<Family> {
        let word = self.string(value, "family")?;
        Family::ALL.into_iter().find(|family| family.word() == word).ok_or_else(|| {
            let what = format!("column `{name}`: there is no family `{word}`");
            self.error(&value.span(), what, nearest(&word, Family::ALL.map(Family::word)))
        })
    }

    /// A value of the column: a number, or a date in TOML's form or as a string.
    fn number(&self, value: &Value<'_>, key: &str, kind: &ColumnType) -> Result<f64> {
        let text = match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Datetime(moment) => Some(moment.to_string()),
            _ => None,
        };
        // What TOML writes without quotes is in ISO form, whatever the column's format.
        let own = value.get_ref().as_datetime().is_none();
        let (read, noun, advice) = match kind {
            ColumnType::Date { format } => {
                let format = if own { format } else { ISO_DATE };
                let day = text.and_then(|text| declared_day(format, &text)).map(f64::from);
                (day, "a date", "write it as in 2001-02-03, or as a string in the column's format")
            }
            ColumnType::DateTime { format } => {
                let format = if own { format } else { ISO_DATETIME };
                let moment = text.and_then(|text| declared_moment(format, &text)).map(|moment| moment as f64);
                let advice = "write it as in 2001-02-03T04:05:06, or as a string in the column's format";
                (moment, "a date with a time", advice)
            }
            _ => (decimal(value), "a number", "write it without quotes"),
        };
        read.ok_or_else(|| {
            self.error(&value.span(), format!("`{key}` must be {noun} in this column"), advice)
        })
    }

    fn check_format(
        &self,
        name: &str,
        kind: &ColumnType,
        table: &Table<'_>,
        span: &Range<usize>,
    ) -> Result<()> {
        let usable = match kind {
            ColumnType::Date { format } => {
                MomentFormat::new(format).is_some_and(|format| format.tells_days())
            }
            ColumnType::DateTime { format } => {
                MomentFormat::new(format).is_some_and(|format| format.tells_moments())
            }
            _ => true,
        };
        if usable {
            return Ok(());
        }
        let span = table.get("format").map_or(span.clone(), Spanned::span);
        let what =
            format!("column `{name}`: the format does not spell a {} that can be read back", kind.word());
        Err(self.error(&span, what, "use strftime's notation, as in %d/%m/%Y or %Y-%m-%d %H:%M:%S"))
    }
}
