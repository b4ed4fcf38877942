//! What the columns mean, as declared by the data's steward.

use std::sync::Arc;

/// Spellings that mean *missing* unless the schema says otherwise.
pub const DEFAULT_MISSING: [&str; 4] = ["", "NA", "NaN", "?"];

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
        /// How false is spelled.
        when_false: String,
        /// How true is spelled.
        when_true: String,
    },
    /// Calendar days.
    Date {
        /// How they are spelled, in the notation of C's strftime.
        format: String,
    },
    /// Moments without a time zone (those with an offset are kept in UTC).
    DateTime {
        /// How they are spelled, in the notation of C's strftime.
        format: String,
    },
    /// A row's name: read past, never compared, modelled or released.
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

    /// The declared levels of a nominal or ordered column.
    pub fn levels(&self) -> Option<&Arc<[String]>> {
        match self {
            Self::Nominal { levels } | Self::Ordered { levels } => Some(levels),
            _ => None,
        }
    }
}

/// What is declared of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSchema {
    name: String,
    kind: ColumnType,
    missing: Vec<String>,
}

impl ColumnSchema {
    /// A column with no missing codes of its own.
    pub fn new(name: &str, kind: ColumnType) -> Self {
        Self { name: name.to_owned(), kind, missing: Vec::new() }
    }

    /// The same with spellings that mean *missing* in this column, beside the table's.
    #[must_use]
    pub fn with_missing(mut self, missing: Vec<String>) -> Self {
        self.missing = missing;
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

    /// Spellings that mean *missing* in this column, beside the table's.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}

/// A schema that contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// No columns.
    #[error("the schema declares no columns")]
    Empty,
    /// A column without a name.
    #[error("column {0} of the schema has an empty name")]
    EmptyName(usize),
    /// Two columns of one name.
    #[error("the schema declares column `{0}` twice")]
    DuplicateName(String),
    /// A level declared twice.
    #[error("column `{column}`: level `{level}` is declared twice")]
    DuplicateLevel {
        /// The column.
        column: String,
        /// The level.
        level: String,
    },
    /// A categorical column without levels.
    #[error("column `{0}`: a nominal or ordered column needs at least one level")]
    NoLevels(String),
    /// One spelling for both truth values.
    #[error("column `{0}`: true and false are spelled alike")]
    SameTruth(String),
    /// A spelling that means a value and missing at once.
    #[error("column `{column}`: `{spelling}` is declared both as a value and as missing")]
    ValueIsMissing {
        /// The column.
        column: String,
        /// The spelling.
        spelling: String,
    },
}

/// The declared columns of a table, and how it spells missing values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    missing: Vec<String>,
    columns: Vec<ColumnSchema>,
}

impl Schema {
    /// A schema, checked for contradictions.
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn new(missing: Vec<String>, columns: Vec<ColumnSchema>) -> Result<Self, SchemaError> {
        if columns.is_empty() {
            return Err(SchemaError::Empty);
        }
        for (position, column) in columns.iter().enumerate() {
            let name = column.name.clone();
            if name.is_empty() {
                return Err(SchemaError::EmptyName(position + 1));
            }
            if columns[..position].iter().any(|earlier| earlier.name == name) {
                return Err(SchemaError::DuplicateName(name));
            }
            if let Some(levels) = column.kind.levels() {
                if levels.is_empty() {
                    return Err(SchemaError::NoLevels(name));
                }
                let mut seen = std::collections::BTreeSet::new();
                if let Some(level) = levels.iter().find(|level| !seen.insert(*level)) {
                    return Err(SchemaError::DuplicateLevel { column: name, level: level.clone() });
                }
            }
            let spellings: Vec<&String> = match &column.kind {
                ColumnType::Boolean { when_false, when_true } => {
                    if when_false == when_true {
                        return Err(SchemaError::SameTruth(name));
                    }
                    vec![when_false, when_true]
                }
                kind => kind.levels().into_iter().flat_map(|levels| levels.iter()).collect(),
            };
            let is_missing =
                |spelling: &String| missing.contains(spelling) || column.missing.contains(spelling);
            if let Some(spelling) = spellings.into_iter().find(|spelling| is_missing(spelling)) {
                return Err(SchemaError::ValueIsMissing { column: name, spelling: spelling.clone() });
            }
        }
        Ok(Self { missing, columns })
    }

    /// Spellings that mean *missing* in every column.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[ColumnSchema] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nominal(levels: &[&str]) -> ColumnSchema {
        let levels = levels.iter().map(|&level| level.to_owned()).collect();
        ColumnSchema::new("sex", ColumnType::Nominal { levels })
    }

    #[test]
    fn contradictions_are_found() {
        let check = |columns| Schema::new(vec!["NA".to_owned()], columns);
        assert!(check(vec![nominal(&["F", "M"])]).is_ok());
        assert_eq!(check(vec![]), Err(SchemaError::Empty));
        assert!(matches!(check(vec![nominal(&["F", "F"])]), Err(SchemaError::DuplicateLevel { .. })));
        assert!(matches!(check(vec![nominal(&[])]), Err(SchemaError::NoLevels(_))));
        assert!(matches!(check(vec![nominal(&["F", "NA"])]), Err(SchemaError::ValueIsMissing { .. })));
        assert!(matches!(check(vec![nominal(&["F"]), nominal(&["F"])]), Err(SchemaError::DuplicateName(_))));
        assert_eq!(check(vec![ColumnSchema::new("", ColumnType::Float)]), Err(SchemaError::EmptyName(1)));
        let boolean = ColumnType::Boolean { when_false: "y".to_owned(), when_true: "y".to_owned() };
        assert!(matches!(check(vec![ColumnSchema::new("b", boolean)]), Err(SchemaError::SameTruth(_))));
    }
}
