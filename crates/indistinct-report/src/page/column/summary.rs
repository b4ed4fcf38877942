//! A column in a line of numbers.

use indistinct::table::{Column, ColumnType};

use super::counted::{Places, count_levels};
use super::{Side, levels};
use crate::page::words::{number, percent, value};

/// Numbers that describe a column, as text: its type, and the location of its values.
pub(in crate::page) struct Summary {
    pub(in crate::page) kind: &'static str,
    pub(in crate::page) missing: String,
    pub(in crate::page) values: String,
}

pub(in crate::page) fn summary(column: &Column) -> Summary {
    let kind = column.schema().kind();
    let rows = column.values().len().max(1) as f64;
    let missing = percent(column.values().missing() as f64 / rows);
    Summary { kind: kind.word(), missing, values: described(column) }
}

fn described(column: &Column) -> String {
    let kind = column.schema().kind();
    if levels(kind).is_some() {
        let side = Side { name: "", colour: 0, column };
        let counted = count_levels(&[side]);
        let Places::Levels(names) = &counted.places else { return String::new() };
        let present = counted.present[0].max(1) as f64;
        let mut frequent: Vec<(&String, u64)> = names.iter().zip(counted.counts[0].iter().copied()).collect();
        frequent.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let said = frequent.iter().take(3);
        let said: Vec<String> =
            said.map(|(name, rows)| format!("{name} {}", percent(*rows as f64 / present))).collect();
        return said.join(", ");
    }
    let mut values: Vec<f64> =
        column.values().to_reals().into_iter().filter(|value| !value.is_nan()).collect();
    values.sort_unstable_by(f64::total_cmp);
    if values.is_empty() {
        return "no values".to_owned();
    }
    let at = |share: f64| value(kind, values[((values.len() - 1) as f64 * share).round() as usize]);
    let mut text = format!("median {}, middle half {} to {}", at(0.5), at(0.25), at(0.75));
    if matches!(kind, ColumnType::Float | ColumnType::Integer) {
        let n = values.len() as f64;
        let mean = values.iter().map(|value| value / n).sum::<f64>();
        let variance = values.iter().map(|value| (value - mean).powi(2) / (n - 1.0).max(1.0)).sum::<f64>();
        text += &format!(", mean {}, sd {}", number(mean), number(variance.sqrt()));
    }
    text
}
