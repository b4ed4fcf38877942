//! The keys for columns computed from others, for marks in numbers, and for the weight of a column.

use indistinct::table::{Derive, Lookup, LookupValue, Notation};
use toml::de::DeValue;

use super::reader::{Reader, Result, Table, Value, decimal};

impl Reader {
    /// The derivation of the column, if it has one.
    pub(super) fn derive(&self, name: &str, table: &Table<'_>) -> Result<Option<Derive>> {
        let lookup = table.get("lookup").map(|value| self.lookup(name, value)).transpose()?;
        match (table.get("derive"), table.get("lookup")) {
            (Some(value), _) => {
                let expression = self.string(value, "derive")?;
                Ok(Some(Derive { expression, lookup: lookup.unwrap_or_default() }))
            }
            (None, Some(value)) => {
                let what = format!("column `{name}` has a lookup, and is not derived");
                Err(self.error(&value.span(), what, "add derive = \"lookup(...)\", or remove the lookup"))
            }
            (None, None) => Ok(None),
        }
    }

    /// A table of levels with their values.
    fn lookup(&self, name: &str, value: &Value<'_>) -> Result<Lookup> {
        let advice = "write a line [column.lookup] and below it a line \"level\" = value for each level";
        let Some(table) = value.get_ref().as_table() else {
            let what = format!("column `{name}`: `lookup` must be a table");
            return Err(self.error(&value.span(), what, advice));
        };
        if table.is_empty() {
            return Err(self.error(&value.span(), format!("column `{name}`: the lookup is empty"), advice));
        }
        let entry = |(key, value): (&toml::Spanned<_>, &Value<'_>)| {
            let key: &std::borrow::Cow<'_, str> = key.get_ref();
            let found = match value.get_ref() {
                DeValue::String(text) => Some(LookupValue::Text(text.to_string())),
                DeValue::Datetime(moment) => Some(LookupValue::Text(moment.to_string())),
                DeValue::Boolean(truth) => Some(LookupValue::Truth(*truth)),
                _ => decimal(value).filter(|number| number.is_finite()).map(LookupValue::Number),
            };
            let found = found.ok_or_else(|| {
                let what = format!("column `{name}`: the lookup of `{key}` is not a value");
                self.error(&value.span(), what, "write a number, a \"string\", true, false or a date")
            })?;
            Ok((key.to_string(), found))
        };
        table.iter().map(entry).collect()
    }

    /// The marks in numbers.
    pub(super) fn notation(&self, table: &Table<'_>) -> Result<Notation> {
        let usual = Notation::default();
        let mark = |key: &str| table.get(key).map(|value| self.mark(value, key)).transpose();
        let text = |key: &str| table.get(key).map(|value| self.string(value, key)).transpose();
        Ok(Notation {
            decimal_mark: mark("decimal_mark")?.unwrap_or(usual.decimal_mark),
            thousands: mark("thousands")?,
            prefix: text("prefix")?.unwrap_or_default(),
            suffix: text("suffix")?.unwrap_or_default(),
            parentheses: table
                .get("parentheses")
                .map(|value| self.truth(value, "parentheses"))
                .transpose()?
                .unwrap_or(false),
        })
    }

    /// One character.
    pub(super) fn mark(&self, value: &Value<'_>, key: &str) -> Result<char> {
        let text = self.string(value, key)?;
        let mut characters = text.chars();
        if let (Some(mark), None) = (characters.next(), characters.next()) {
            return Ok(mark);
        }
        let advice = format!("write it in double quotes, as in {key} = \",\"");
        Err(self.error(&value.span(), format!("`{key}` must be one character"), advice))
    }

    pub(super) fn truth(&self, value: &Value<'_>, key: &str) -> Result<bool> {
        value.get_ref().as_bool().ok_or_else(|| {
            let advice = format!("write {key} = true, without quotes");
            self.error(&value.span(), format!("`{key}` must be true or false"), advice)
        })
    }

    pub(super) fn focus(&self, value: &Value<'_>) -> Result<f64> {
        decimal(value).ok_or_else(|| {
            self.error(&value.span(), "`focus` must be a number", "write it without quotes, as in focus = 3")
        })
    }
}
