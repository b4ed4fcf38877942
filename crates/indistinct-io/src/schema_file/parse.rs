//! From the text of a schema file to a schema.

use std::ops::Range;
use std::path::Path;

use indistinct::table::{ColumnSchema, ColumnType, DEFAULT_MISSING, Schema, SchemaError};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::VERSION;
use super::error::{SchemaFileError, nearest};
use crate::cells::moment::{ISO_DATE, ISO_DATETIME, MomentFormat};

const ROOT_KEYS: [&str; 3] = ["version", "missing", "column"];
const COLUMN_KEYS: [&str; 7] = ["name", "type", "missing", "levels", "false", "true", "format"];
const TYPES: [&str; 8] =
    ["float", "integer", "nominal", "ordered", "boolean", "date", "datetime", "identifier"];

type Result<T> = std::result::Result<T, SchemaFileError>;
type Table<'a> = DeTable<'a>;
type Value<'a> = Spanned<DeValue<'a>>;

/// Reads a schema file.
///
/// # Errors
/// When the file cannot be read or is not a schema; the message has the line.
pub fn read_schema(path: &Path) -> Result<Schema> {
    let named = |error| SchemaFileError { file: Some(path.display().to_string()), ..error };
    let text = std::fs::read_to_string(path).map_err(|error| {
        let what = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::InvalidData => "the file is not UTF-8 text".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        named(SchemaFileError::new(None, what, "check the path; `indistinct schema` drafts a schema file"))
    })?;
    parse_schema(&text).map_err(named)
}

/// Reads the text of a schema file.
///
/// # Errors
/// When it is not TOML, has unknown or misplaced keys, or contradicts itself.
pub fn parse_schema(text: &str) -> Result<Schema> {
    let reader = Reader { text };
    let root = DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| reader.line(&span));
        let what = format!("not valid TOML: {}", error.message().replace('\n', " "));
        SchemaFileError::new(line, what, "strings stand in double quotes, lists in square brackets")
    })?;
    let root = root.get_ref();
    reader.check_keys(root, &ROOT_KEYS, "a schema")?;
    reader.check_version(root)?;
    let missing = match root.get("missing") {
        Some(value) => reader.strings(value, "missing")?,
        None => DEFAULT_MISSING.map(str::to_owned).to_vec(),
    };
    let mut columns = Vec::new();
    let mut lines = Vec::new();
    if let Some(value) = root.get("column") {
        let advice = "begin every column with a line `[[column]]`";
        let error = |span| reader.error(&span, "`column` must be a list of columns", advice);
        let list = value.get_ref().as_array().ok_or_else(|| error(value.span()))?;
        for column in list {
            let table = column.get_ref().as_table().ok_or_else(|| error(column.span()))?;
            columns.push(reader.column(table, &column.span())?);
            lines.push(reader.line(&table.get("name").map_or(column.span(), Spanned::span)));
        }
    }
    let names: Vec<String> = columns.iter().map(|column: &ColumnSchema| column.name().to_owned()).collect();
    Schema::new(missing, columns).map_err(|error| contradiction(&error, &names, &lines))
}

/// The text, to turn positions into lines.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.as_bytes().get(..span.start).unwrap_or(self.text.as_bytes());
        memchr::memchr_iter(b'\n', before).count() + 1
    }

    fn error(
        &self,
        span: &Range<usize>,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> SchemaFileError {
        SchemaFileError::new(Some(self.line(span)), what, advice)
    }

    fn check_keys(&self, table: &Table<'_>, known: &[&str], owner: &str) -> Result<()> {
        for (key, _) in table {
            if !known.contains(&key.get_ref().as_ref()) {
                let what = format!("{owner} has no key `{}`", key.get_ref());
                return Err(self.error(&key.span(), what, nearest(key.get_ref(), known)));
            }
        }
        Ok(())
    }

    fn check_version(&self, root: &Table<'_>) -> Result<()> {
        let Some(value) = root.get("version") else {
            return Err(SchemaFileError::new(
                None,
                "the schema has no `version`",
                "add the line `version = 1`",
            ));
        };
        let version = value.get_ref().as_integer().and_then(|number| number.as_str().parse::<i64>().ok());
        if version == Some(VERSION) {
            return Ok(());
        }
        let what = format!("this program reads schemas of version {VERSION} only");
        Err(self.error(&value.span(), what, "write `version = 1`, or use a newer program"))
    }

    fn string(&self, value: &Value<'_>, key: &str) -> Result<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        text.ok_or_else(|| {
            self.error(&value.span(), format!("`{key}` must be a string"), "put it in double quotes")
        })
    }

    /// A list of strings; whole numbers are taken by their digits.
    fn strings(&self, value: &Value<'_>, key: &str) -> Result<Vec<String>> {
        let error = |span| {
            let advice = format!("write {key} = [\"...\", \"...\"]");
            self.error(&span, format!("`{key}` must be a list of strings"), advice)
        };
        let list = value.get_ref().as_array().ok_or_else(|| error(value.span()))?;
        let item = |item: &Value<'_>| match item.get_ref() {
            DeValue::String(text) => Ok(text.clone().into_owned()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            _ => Err(error(item.span())),
        };
        list.iter().map(item).collect()
    }

    fn column(&self, table: &Table<'_>, span: &Range<usize>) -> Result<ColumnSchema> {
        self.check_keys(table, &COLUMN_KEYS, "a column")?;
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
            "float" => (ColumnType::Float, &[]),
            "integer" => (ColumnType::Integer, &[]),
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
                return Err(self.error(&word_value.span(), what, nearest(other, &TYPES)));
            }
        };
        for (key, _) in table {
            let key_name = key.get_ref().as_ref();
            if !["name", "type", "missing"].contains(&key_name) && !own.contains(&key_name) {
                let what = format!("column `{name}`: `{key_name}` does not belong to type `{word}`");
                return Err(self.error(&key.span(), what, "remove the key, or correct the type"));
            }
        }
        self.check_format(&name, &kind, table, span)?;
        let missing = table.get("missing").map(|value| self.strings(value, "missing")).transpose()?;
        Ok(ColumnSchema::new(&name, kind).with_missing(missing.unwrap_or_default()))
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

/// A contradiction, with the line of the last column that it concerns.
fn contradiction(error: &SchemaError, names: &[String], lines: &[usize]) -> SchemaFileError {
    let (position, advice) = match error {
        SchemaError::Empty => (None, "begin every column with a line `[[column]]`"),
        SchemaError::EmptyName(position) => {
            (position.checked_sub(1), "give the column the name it has in the file")
        }
        SchemaError::DuplicateName(name) => (last(names, name), "remove one of the two"),
        SchemaError::DuplicateLevel { column, .. } => (last(names, column), "remove one of the two"),
        SchemaError::NoLevels(name) => {
            (last(names, name), "list the levels, or declare the column identifier")
        }
        SchemaError::SameTruth(name) => (last(names, name), "give `false` and `true` different spellings"),
        SchemaError::ValueIsMissing { column, .. } => {
            (last(names, column), "remove it from the values or from `missing`")
        }
    };
    SchemaFileError::new(
        position.and_then(|position| lines.get(position).copied()),
        error.to_string(),
        advice,
    )
}

fn last(names: &[String], name: &str) -> Option<usize> {
    names.iter().rposition(|own| own == name)
}
