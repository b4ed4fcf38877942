//! The meaning of columns, as declared by the data's steward.

mod check;
mod column;
mod derived;
mod error;
mod notation;
mod order;

pub(in crate::table) use check::{DAYS, EXACT};
pub use column::{ColumnSchema, ColumnType, Family, round_to_decimals};
pub use derived::DecidedColumn;
pub use error::SchemaError;
pub use notation::Notation;

use super::condition::{Condition, Derivation, contradiction_among};

/// Spellings that mean *missing* unless the schema says otherwise.
pub const DEFAULT_MISSING: [&str; 4] = ["", "NA", "NaN", "?"];

/// Characters that may separate the fields of a text file.
pub const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// Most constraints in a schema: every synthetic row is tried on all of them.
const MOST_CONSTRAINTS: usize = 1000;

/// A rule that every row satisfies, or in which a value is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    rule: String,
    because: Option<String>,
    condition: Condition,
}

impl Constraint {
    /// The rule as it was written.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The reason why it holds, if one was given.
    pub fn because(&self) -> Option<&str> {
        self.because.as_deref()
    }

    /// The rule as a condition on the schema's columns.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }
}

/// The declared columns of a table, its spellings of missing values, and the constraints on its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    missing: Vec<String>,
    /// The character between fields of text files, if declared.
    delimiter: Option<char>,
    columns: Vec<ColumnSchema>,
    constraints: Vec<Constraint>,
    /// The derivations of columns, in an order in which they can be computed.
    derivations: Vec<Derivation>,
}

impl Schema {
    /// A schema, checked for contradictions.
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn new(missing: Vec<String>, mut columns: Vec<ColumnSchema>) -> Result<Self, SchemaError> {
        check::columns(&missing, &columns)?;
        for column in &mut columns {
            column.table_missing.0 = missing.first().cloned();
        }
        let derivations = derived::derivations(&missing, &columns)?;
        Ok(Self { missing, delimiter: None, columns, constraints: Vec::new(), derivations })
    }

    /// Declares the character between the fields of text files; `None` leaves it to the file's header and name.
    ///
    /// # Errors
    /// When it is not one of [`DELIMITERS`].
    pub fn with_delimiter(mut self, delimiter: Option<char>) -> Result<Self, SchemaError> {
        if delimiter.is_some_and(|mark| !DELIMITERS.contains(&mark)) {
            return Err(SchemaError::Delimiter);
        }
        self.delimiter = delimiter;
        Ok(self)
    }

    /// Adds a constraint, which is checked against the columns and the constraints before it.
    ///
    /// # Errors
    /// When it is not a condition on the columns, or no row can satisfy all constraints.
    pub fn with_constraint(self, rule: &str, because: Option<&str>) -> Result<Self, SchemaError> {
        self.with_constraints([(rule, because)])
    }

    /// Adds constraints, each a rule and the reason why it holds, and checks them together.
    ///
    /// # Errors
    /// When [`Self::with_constraint`] fails for one of them, or there are too many.
    pub fn with_constraints<'a>(
        mut self,
        rules: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Result<Self, SchemaError> {
        for (rule, because) in rules {
            let number = self.constraints.len() + 1;
            if number > MOST_CONSTRAINTS {
                return Err(SchemaError::TooManyConstraints);
            }
            let condition =
                Condition::parse(rule, &self).map_err(|error| SchemaError::Constraint { number, error })?;
            let because = because.map(str::to_owned);
            self.constraints.push(Constraint { rule: rule.to_owned(), because, condition });
        }
        let conditions: Vec<&Condition> = self.constraints.iter().map(Constraint::condition).collect();
        match contradiction_among(&conditions, &self) {
            None => Ok(self),
            Some(found) => Err(SchemaError::Contradiction {
                numbers: found.conditions.into_iter().map(|position| position + 1).collect(),
                what: found.what,
            }),
        }
    }

    /// The schema of a table as it is read and released: without identifiers.
    ///
    /// # Errors
    /// When no other column is declared.
    pub fn without_identifiers(&self) -> Result<Self, SchemaError> {
        self.without(|_| true)
    }

    /// The schema without the identifier of this name; other columns stay.
    ///
    /// # Errors
    /// When no other column is declared.
    pub fn without_identifier(&self, name: &str) -> Result<Self, SchemaError> {
        self.without(|column| column.name == name)
    }

    /// The schema without the identifiers for which `goes` is true.
    fn without(&self, goes: impl Fn(&ColumnSchema) -> bool) -> Result<Self, SchemaError> {
        let stays = |column: &&ColumnSchema| column.kind != ColumnType::Identifier || !goes(column);
        let columns: Vec<ColumnSchema> = self.columns.iter().filter(stays).cloned().collect();
        if columns.is_empty() {
            return Err(SchemaError::Empty);
        }
        let position = |name: &str| columns.iter().position(|column| column.name == name);
        // Neither constraints nor predictors nor derivations can name identifiers: all are kept.
        let kept = |constraint: &Constraint| {
            Some(Constraint { condition: constraint.condition.moved(position)?, ..constraint.clone() })
        };
        let constraints = self.constraints.iter().filter_map(kept).collect();
        let derivations = self.derivations.iter().map(|derivation| derivation.moved(position)).collect();
        Ok(Self {
            missing: self.missing.clone(),
            delimiter: self.delimiter,
            columns,
            constraints,
            derivations,
        })
    }

    /// The constraints that every row satisfies, in order.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The character between the fields of text files, if declared.
    pub fn delimiter(&self) -> Option<char> {
        self.delimiter
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

    #[test]
    fn declarations_must_fit_the_type() {
        let check = |column: ColumnSchema| Schema::new(vec!["-8".to_owned()], vec![column]).map(|_| ());
        let float = || ColumnSchema::new("x", ColumnType::Float);
        let whole = || ColumnSchema::new("x", ColumnType::Integer);
        let day = || ColumnSchema::new("x", ColumnType::Date { format: "%Y-%m-%d".to_owned() });
        assert!(check(float().with_decimals(Some(1)).with_atoms(vec![0.0, -7.5])).is_ok());
        assert!(check(float().with_limits(Some(0.0), Some(1.0)).with_atoms(vec![9.0])).is_ok());
        assert!(matches!(check(whole().with_decimals(Some(1))), Err(SchemaError::Misplaced { .. })));
        assert!(matches!(
            check(nominal(&["F"]).with_family(Some(Family::Count))),
            Err(SchemaError::Misplaced { .. })
        ));
        let name = ColumnSchema::new("x", ColumnType::Identifier);
        assert!(matches!(check(name.with_predictors(Some(vec![]))), Err(SchemaError::Misplaced { .. })));
        assert!(matches!(check(float().with_decimals(Some(16))), Err(SchemaError::Decimals { .. })));
        for column in [
            float().with_atoms(vec![f64::NAN]),
            float().with_atoms(vec![-8.0]),
            float().with_limits(Some(f64::NEG_INFINITY), None),
            float().with_decimals(Some(1)).with_limits(None, Some(0.25)),
            whole().with_atoms(vec![0.5]),
            day().with_atoms(vec![1e7]),
        ] {
            assert!(matches!(check(column.clone()), Err(SchemaError::Unfit { .. })), "{column:?}");
        }
        assert!(matches!(check(float().with_limits(Some(1.0), Some(1.0))), Err(SchemaError::Limits { .. })));
    }

    #[test]
    fn identifiers_are_left_out_and_constraints_stay() {
        let column = |name: &str, kind| ColumnSchema::new(name, kind);
        let columns = vec![
            column("id", ColumnType::Identifier),
            column("a", ColumnType::Float),
            column("b", ColumnType::Float).with_predictors(Some(vec!["a".to_owned()])),
        ];
        let schema = Schema::new(vec![], columns).unwrap().with_constraint("a < b", Some("so")).unwrap();
        assert_eq!(schema.constraints()[0].condition().columns(), [1, 2]);
        let released = schema.without_identifiers().unwrap();
        let expected = Schema::new(vec![], schema.columns()[1..].to_vec()).unwrap();
        assert_eq!(released, expected.with_constraint("a < b", Some("so")).unwrap());
        assert_eq!(schema.without_identifier("id").unwrap(), released);
        assert_eq!(schema.without_identifier("a").unwrap(), schema, "not an identifier");
        let only = Schema::new(vec![], schema.columns()[..1].to_vec()).unwrap();
        assert_eq!(only.without_identifiers(), Err(SchemaError::Empty));
    }
}
