//! The declaration of one column.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::notation::Notation;
use crate::table::condition::Derive;

/// The type of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnType {
    /// Real numbers.
    Float,
    /// Whole numbers.
    Integer,
    /// Categories without order.
    Nominal {
        /// Their spellings.
        levels: Arc<[String]>,
    },
    /// Categories with an order.
    Ordered {
        /// Their spellings, from lowest to highest.
        levels: Arc<[String]>,
    },
    /// True or false.
    Boolean {
        /// The spelling of false.
        when_false: String,
        /// The spelling of true.
        when_true: String,
    },
    /// Calendar days.
    Date {
        /// Their format, in the notation of C's strftime.
        format: String,
    },
    /// Moments without a time zone (those with an offset are kept in UTC).
    DateTime {
        /// Their format, in the notation of C's strftime.
        format: String,
    },
    /// A row's name: skipped, never compared, modelled or released.
    Identifier,
}

impl ColumnType {
    /// The word a schema file uses for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Integer => "integer",
            Self::Nominal { .. } => "nominal",
            Self::Ordered { .. } => "ordered",
            Self::Boolean { .. } => "boolean",
            Self::Date { .. } => "date",
            Self::DateTime { .. } => "datetime",
            Self::Identifier => "identifier",
        }
    }

    /// A column of this type in a sentence: "`born` is a date".
    pub fn in_words(&self) -> &'static str {
        match self {
            Self::Float => "a float",
            Self::Integer => "an integer",
            Self::Nominal { .. } => "nominal",
            Self::Ordered { .. } => "ordered",
            Self::Boolean { .. } => "a boolean",
            Self::Date { .. } => "a date",
            Self::DateTime { .. } => "a datetime",
            Self::Identifier => "an identifier",
        }
    }

    /// Whether its values are declared texts, which a draft takes from the rows.
    pub fn has_levels(&self) -> bool {
        matches!(self, Self::Nominal { .. } | Self::Ordered { .. } | Self::Boolean { .. })
    }

    /// Number of declared values of a categorical or boolean column.
    pub fn level_count(&self) -> Option<usize> {
        match self {
            Self::Boolean { .. } => Some(2),
            kind => kind.levels().map(|levels| levels.len()),
        }
    }

    /// The declared levels of a nominal or ordered column.
    pub fn levels(&self) -> Option<&Arc<[String]>> {
        match self {
            Self::Nominal { levels } | Self::Ordered { levels } => Some(levels),
            _ => None,
        }
    }
}

/// The model of a column's margin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Family {
    /// Symmetric around a centre.
    Normal,
    /// With one long tail.
    Skewed,
    /// Numbers of events: 0, 1, 2, ...
    Count,
    /// Any shape, by the frequencies of intervals.
    #[default]
    Histogram,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 4] = [Self::Normal, Self::Skewed, Self::Count, Self::Histogram];

    /// The word a schema file uses for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Skewed => "skewed",
            Self::Count => "count",
            Self::Histogram => "histogram",
        }
    }
}

/// The declaration of one column.
///
/// Numbers in it (atoms, limits) are as in the column: days since 1970-01-01 for a date, microseconds for a
/// date-time.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSchema {
    pub(super) name: String,
    pub(super) kind: ColumnType,
    pub(super) missing: Vec<String>,
    pub(super) decimals: Option<u32>,
    pub(super) atoms: Vec<f64>,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    pub(super) predictors: Option<Vec<String>>,
    pub(super) family: Option<Family>,
    pub(super) focus: Option<f64>,
    pub(super) weight: bool,
    pub(super) derive: Option<Derive>,
    pub(super) notation: Notation,
    pub(super) table_missing: TableMissing,
}

/// The table's first spelling of missing values, which a schema passes on to its columns. It is nothing that a column
/// declares: columns are equal whatever it is.
#[derive(Debug, Clone, Default)]
pub(super) struct TableMissing(pub(super) Option<String>);

impl PartialEq for TableMissing {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl ColumnSchema {
    /// A column with a declared type and no other declarations.
    pub fn new(name: &str, kind: ColumnType) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            missing: Vec::new(),
            decimals: None,
            atoms: Vec::new(),
            minimum: None,
            maximum: None,
            predictors: None,
            family: None,
            focus: None,
            weight: false,
            derive: None,
            notation: Notation::default(),
            table_missing: TableMissing::default(),
        }
    }

    /// Declares spellings that mean *missing* in this column, in addition to the table's.
    #[must_use]
    pub fn with_missing(mut self, missing: Vec<String>) -> Self {
        self.missing = missing;
        self
    }

    /// Declares that values are multiples of 10^-decimals.
    #[must_use]
    pub fn with_decimals(mut self, decimals: Option<u32>) -> Self {
        self.decimals = decimals;
        self
    }

    /// Declares values that have a mass of their own.
    #[must_use]
    pub fn with_atoms(mut self, atoms: Vec<f64>) -> Self {
        self.atoms = atoms;
        self
    }

    /// Declares public limits.
    #[must_use]
    pub fn with_limits(mut self, minimum: Option<f64>, maximum: Option<f64>) -> Self {
        (self.minimum, self.maximum) = (minimum, maximum);
        self
    }

    /// Declares the names of the columns that it may depend on; `None` declares nothing.
    #[must_use]
    pub fn with_predictors(mut self, predictors: Option<Vec<String>>) -> Self {
        self.predictors = predictors;
        self
    }

    /// Declares a family for its margin.
    #[must_use]
    pub fn with_family(mut self, family: Option<Family>) -> Self {
        self.family = family;
        self
    }

    /// Declares how much more than others tables with this column matter; `None` is the usual 1.
    #[must_use]
    pub fn with_focus(mut self, focus: Option<f64>) -> Self {
        self.focus = focus;
        self
    }

    /// Declares that the column has survey weights: for how many persons of the population a row stands.
    #[must_use]
    pub fn with_weight(mut self, weight: bool) -> Self {
        self.weight = weight;
        self
    }

    /// Declares that the column is computed from others, so that it is not measured; `None` that it is not
    /// computed.
    #[must_use]
    pub fn with_derive(mut self, derive: Option<Derive>) -> Self {
        self.derive = derive;
        self
    }

    /// Declares how text files write its numbers.
    #[must_use]
    pub fn with_notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its type.
    pub fn kind(&self) -> &ColumnType {
        &self.kind
    }

    /// Spellings that mean *missing* in this column, in addition to the table's.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The spelling of a missing value in text: the first that is declared for the column, or else for the table.
    pub fn missing_spelling(&self) -> &str {
        self.missing.first().or(self.table_missing.0.as_ref()).map_or("", String::as_str)
    }

    /// The way text files write its numbers.
    pub fn notation(&self) -> &Notation {
        &self.notation
    }

    /// Digits after the point: values are multiples of 10^-decimals.
    pub fn decimals(&self) -> Option<u32> {
        self.decimals
    }

    /// Values that have a mass of their own, such as 0 for people without income.
    pub fn atoms(&self) -> &[f64] {
        &self.atoms
    }

    /// The lowest value that is not an atom. Lower ones count as this one.
    pub fn minimum(&self) -> Option<f64> {
        self.minimum
    }

    /// The highest value that is not an atom. Higher ones count as this one.
    pub fn maximum(&self) -> Option<f64> {
        self.maximum
    }

    /// The columns that it may depend on, if that is declared.
    pub fn predictors(&self) -> Option<&[String]> {
        self.predictors.as_deref()
    }

    /// The family of its margin, if declared.
    pub fn family(&self) -> Option<Family> {
        self.family
    }

    /// The weight of tables with this column, relative to others, when tables to measure are chosen: 1 unless
    /// declared.
    pub fn focus(&self) -> f64 {
        self.focus.unwrap_or(1.0)
    }

    /// Whether it has survey weights. It is modelled like other columns, and statistics may use it.
    pub fn is_weight(&self) -> bool {
        self.weight
    }

    /// The weight that [`Self::focus`] gives, if it is declared.
    pub fn declared_focus(&self) -> Option<f64> {
        self.focus
    }

    /// The derivation from other columns, if there is one.
    pub fn derive(&self) -> Option<&Derive> {
        self.derive.as_ref()
    }

    /// Whether its rows are looked at: identifiers are skipped, and derived columns are computed.
    pub fn is_measured(&self) -> bool {
        self.derive.is_none() && self.kind != ColumnType::Identifier
    }

    /// The nearest value to a number among those that the column can hold: within the limits, and on the grid of whole
    /// numbers or declared decimals. Values made by a model are brought into this form.
    pub fn nearest_value(&self, value: f64) -> f64 {
        let rounded = match (&self.kind, self.decimals) {
            (ColumnType::Float, None) => value,
            (ColumnType::Float, Some(decimals)) => round_to_decimals(value, decimals),
            _ => value.round(),
        };
        self.clamped(rounded)
    }

    /// The value as a model takes it: an atom as it is, any other value beyond a limit as that limit. It is a
    /// function of the value and of public declarations, so that it does not change what one private row can do.
    pub fn within_limits(&self, value: f64) -> f64 {
        if self.atoms.contains(&value) { value } else { self.clamped(value) }
    }

    /// The value within the limits. NaN stays NaN.
    fn clamped(&self, value: f64) -> f64 {
        let below = self.minimum.filter(|&minimum| value < minimum);
        let above = self.maximum.filter(|&maximum| value > maximum);
        below.or(above).unwrap_or(value)
    }
}

/// The multiple of 10^-decimals nearest to a number, as the double that its digits denote. Numbers so large that
/// doubles have no such digits are left as they are.
pub fn round_to_decimals(value: f64, decimals: u32) -> f64 {
    let scale = 10_f64.powi(decimals.min(22).cast_signed());
    let scaled = value * scale;
    if scaled.abs() < 4_503_599_627_370_496.0 { scaled.round() / scale } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_gives_the_double_of_the_digits() {
        for (value, decimals, expected) in [
            (0.299_999_9, 1, 0.3),
            (1.005, 2, 1.0),
            (-2.675, 1, -2.7),
            (1e300, 2, 1e300),
            (123_456.789, 0, 123_457.0),
            (0.1 + 0.2, 15, 0.3),
        ] {
            assert_eq!(round_to_decimals(value, decimals), expected, "{value} {decimals}");
        }
    }

    #[test]
    fn values_are_brought_into_the_column() {
        let column = ColumnSchema::new("x", ColumnType::Float).with_decimals(Some(1));
        let limited = column.with_limits(Some(-0.5), Some(2.5));
        assert_eq!([-3.0, 0.26, 2.44, 9.0].map(|value| limited.nearest_value(value)), [-0.5, 0.3, 2.4, 2.5]);
        let atom = limited.with_atoms(vec![-8.0]);
        assert_eq!([-8.0, -9.0, 0.26, 9.0].map(|value| atom.within_limits(value)), [-8.0, -0.5, 0.26, 2.5]);
        assert!(atom.within_limits(f64::NAN).is_nan());
        let whole = ColumnSchema::new("k", ColumnType::Integer).with_limits(Some(0.0), None);
        assert_eq!([-3.0, 0.6, 2.4].map(|value| whole.nearest_value(value)), [0.0, 1.0, 2.0]);
    }
}
