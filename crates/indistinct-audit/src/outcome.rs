//! Everything that a release publishes, as named numbers that an attacker can compare.

use indistinct::table::{Column, ColumnType, Table, Values};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Most numbers of one release: the margins of wide grids have more than anyone can look at.
const MOST_NUMBERS: usize = 3000;
/// Keys that say when and with what a release was made, and nothing about rows.
const IGNORED: [&str; 5] = ["created", "tool", "version", "files", "format"];

/// Named numbers, in the order in which they were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    numbers: Vec<(String, f64)>,
}

impl Outcome {
    /// Adds one number.
    pub fn number(&mut self, name: impl Into<String>, value: f64) {
        if self.numbers.len() < MOST_NUMBERS {
            self.numbers.push((name.into(), value));
        }
    }

    /// Adds every number of a document under its path; texts become a number that only equal texts share.
    pub fn document(&mut self, path: &str, document: &Value) {
        match document {
            Value::Null => {}
            Value::Bool(value) => self.number(path, f64::from(u8::from(*value))),
            Value::Number(value) => self.number(path, value.as_f64().unwrap_or(f64::INFINITY)),
            Value::String(text) => {
                self.number(path, text.parse().unwrap_or_else(|_| fingerprint(text.as_bytes())));
            }
            Value::Array(values) => {
                self.number(format!("{path}.length"), values.len() as f64);
                for (place, value) in values.iter().enumerate() {
                    self.document(&format!("{path}[{place}]"), value);
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields.iter().filter(|(name, _)| !IGNORED.contains(&name.as_str())) {
                    self.document(&format!("{path}.{name}"), value);
                }
            }
        }
    }

    /// Adds the contents of a synthetic table: for every column the values that occur, their location, and the
    /// missing values.
    pub fn table(&mut self, table: &Table) {
        for column in table.columns() {
            self.column(column);
        }
    }

    fn column(&mut self, column: &Column) {
        let name = format!("table.{}", column.name());
        self.number(format!("{name}.missing"), column.values().missing() as f64);
        if let (Values::Code(codes), Some(levels)) = (column.values(), column.schema().kind().levels()) {
            for (level, text) in levels.iter().enumerate() {
                let count = codes.iter().filter(|&&code| code as usize == level).count();
                self.number(format!("{name}.count of {text}"), count as f64);
            }
            return;
        }
        if *column.schema().kind() == ColumnType::Identifier {
            return;
        }
        let mut values: Vec<f64> =
            column.values().to_reals().into_iter().filter(|value| !value.is_nan()).collect();
        values.sort_unstable_by(f64::total_cmp);
        let mut distinct = values.clone();
        distinct.dedup();
        self.number(format!("{name}.distinct values"), distinct.len() as f64);
        if let Some(last) = values.len().checked_sub(1) {
            self.number(format!("{name}.mean"), values.iter().sum::<f64>() / values.len() as f64);
            for tenths in [0, 1, 5, 9, 10] {
                self.number(format!("{name}.quantile {tenths}/10"), values[last * tenths / 10]);
            }
        }
    }

    /// All numbers, with their names.
    pub fn numbers(&self) -> &[(String, f64)] {
        &self.numbers
    }
}

/// A number that other bytes do not have: 48 bits of their hash, exact in a double.
pub fn fingerprint(bytes: &[u8]) -> f64 {
    let hash = Sha256::digest(bytes);
    hash[..6].iter().fold(0.0, |number, byte| number * 256.0 + f64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_become_numbers_by_path() {
        let mut outcome = Outcome::default();
        outcome.document(
            "m",
            &json!({"a": [1.5, {"b": "2"}], "created": "now", "t": "x", "n": null, "w": true}),
        );
        let value = |name: &str| outcome.numbers().iter().find(|(found, _)| found == name).map(|(_, v)| *v);
        assert_eq!(value("m.a.length"), Some(2.0));
        assert_eq!(value("m.a[0]"), Some(1.5));
        assert_eq!(value("m.a[1].b"), Some(2.0));
        assert_eq!(value("m.w"), Some(1.0));
        assert_eq!(value("m.t"), Some(fingerprint(b"x")));
        assert_eq!((value("m.created"), value("m.n")), (None, None));
        assert_ne!(fingerprint(b"x"), fingerprint(b"y"));
    }

    #[test]
    fn tables_tell_levels_and_places() {
        let table = Table::new(vec![
            Column::float("x", vec![3.0, 1.0, f64::NAN, 2.0]),
            Column::nominal("l", &["a", "b"], vec![0, 0, 0, 0]),
        ])
        .unwrap();
        let mut outcome = Outcome::default();
        outcome.table(&table);
        let value = |name: &str| outcome.numbers().iter().find(|(found, _)| found == name).unwrap().1;
        assert_eq!(value("table.x.missing"), 1.0);
        assert_eq!(value("table.x.mean"), 2.0);
        assert_eq!(value("table.x.quantile 10/10"), 3.0);
        assert_eq!((value("table.l.count of a"), value("table.l.count of b")), (4.0, 0.0));
    }
}
