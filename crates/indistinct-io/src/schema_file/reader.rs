//! Values of a schema file, with their lines.

use std::ops::Range;

use indistinct::table::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::VERSION;
use super::error::SchemaFileError;

pub(super) type Result<T> = std::result::Result<T, SchemaFileError>;
pub(super) type Table<'a> = DeTable<'a>;
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// The ends of the text's lines, to turn positions into lines.
pub(super) struct Reader {
    ends: Vec<usize>,
}

impl Reader {
    pub(super) fn new(text: &str) -> Self {
        Self { ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect() }
    }

    pub(super) fn line(&self, span: &Range<usize>) -> usize {
        self.ends.partition_point(|end| *end < span.start) + 1
    }

    pub(super) fn error(
        &self,
        span: &Range<usize>,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> SchemaFileError {
        SchemaFileError::new(Some(self.line(span)), what, advice)
    }

    pub(super) fn check_keys(&self, table: &Table<'_>, known: &[&str], owner: &str) -> Result<()> {
        for (key, _) in table {
            if !known.contains(&key.get_ref().as_ref()) {
                let what = format!("{owner} has no key `{}`", key.get_ref());
                return Err(self.error(&key.span(), what, nearest(key.get_ref(), known.iter().copied())));
            }
        }
        Ok(())
    }

    /// The tables under a key that is written `[[key]]`.
    pub(super) fn tables<'t, 'b>(
        &self,
        root: &'t Table<'b>,
        key: &str,
    ) -> Result<Vec<(&'t Table<'b>, Range<usize>)>> {
        let Some(value) = root.get(key) else { return Ok(Vec::new()) };
        let error = |span| {
            let what = format!("`{key}` must be a list of {key}s");
            self.error(&span, what, format!("begin every {key} with a line `[[{key}]]`"))
        };
        let list = value.get_ref().as_array().ok_or_else(|| error(value.span()))?;
        let table = |item: &'t Value<'b>| {
            let table = item.get_ref().as_table().ok_or_else(|| error(item.span()))?;
            Ok((table, item.span()))
        };
        list.iter().map(table).collect()
    }

    pub(super) fn check_version(&self, root: &Table<'_>) -> Result<()> {
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

    pub(super) fn string(&self, value: &Value<'_>, key: &str) -> Result<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        text.ok_or_else(|| {
            self.error(&value.span(), format!("`{key}` must be a string"), "put it in double quotes")
        })
    }

    /// A list of strings; whole numbers stand for their digits.
    pub(super) fn strings(&self, value: &Value<'_>, key: &str) -> Result<Vec<String>> {
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

    /// A whole number that is not negative.
    pub(super) fn count(&self, value: &Value<'_>, key: &str) -> Result<u32> {
        let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok());
        number.ok_or_else(|| {
            let what = format!("`{key}` must be a whole number that is not negative");
            self.error(&value.span(), what, format!("write {key} = 2"))
        })
    }

    /// A list of anything.
    pub(super) fn list<'t, 'b>(&self, value: &'t Value<'b>, key: &str) -> Result<&'t [Value<'b>]> {
        let list = value.get_ref().as_array().map(|list| &**list);
        list.ok_or_else(|| {
            self.error(&value.span(), format!("`{key}` must be a list"), format!("write {key} = [...]"))
        })
    }
}

/// The number that is written in decimal digits.
pub(super) fn decimal(value: &Value<'_>) -> Option<f64> {
    match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}
