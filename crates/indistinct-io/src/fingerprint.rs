//! The fingerprint of a schema, by which a ledger identifies what was released.

use std::fmt;

use indistinct::table::{ColumnType, Schema};
use sha2::{Digest, Sha256};

use crate::hash::hexadecimal;

/// The name of the rule, which is hashed too, so that fingerprints of different rules never agree by accident.
const RULE: &str = "indistinct schema fingerprint 1";

/// The identity of the table that a schema describes, as text that stays the same across versions: `sha256:` and
/// 64 digits.
///
/// It covers the declarations about the *table*: names, types and levels of the columns, in order. It does not
/// cover how a *file* spells them (missing codes, formats of dates), nor the declarations for the *model*
/// (decimals, atoms, limits, predictors, families, focus, constraints), nor derived columns, which are not read:
/// the same columns saved or modelled another way have the same fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaFingerprint(String);

impl SchemaFingerprint {
    /// The fingerprint of a schema.
    pub fn of(schema: &Schema) -> Self {
        let mut hash = Sha256::new();
        let mut field = |text: &str| {
            // A length before every text: no two lists of texts run into the same bytes.
            hash.update(text.len().to_string());
            hash.update(":");
            hash.update(text);
        };
        field(RULE);
        for column in schema.columns().iter().filter(|column| column.derive().is_none()) {
            let levels: Vec<&str> = match column.kind() {
                ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
                    levels.iter().map(String::as_str).collect()
                }
                ColumnType::Boolean { when_false, when_true } => vec![when_false, when_true],
                _ => Vec::new(),
            };
            field(column.name());
            field(column.kind().word());
            field(&levels.len().to_string());
            levels.into_iter().for_each(&mut field);
        }
        Self(format!("sha256:{}", hexadecimal(&hash.finalize())))
    }

    /// The fingerprint as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SchemaFingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_schema;

    fn of(columns: &str) -> SchemaFingerprint {
        SchemaFingerprint::of(&parse_schema(&format!("version = 1\n{columns}")).unwrap())
    }

    fn column(name: &str, rest: &str) -> String {
        format!("[[column]]\nname = \"{name}\"\n{rest}\n")
    }

    const NOMINAL: &str = "type = \"nominal\"\nlevels = [\"F\", \"M\"]";

    #[test]
    fn names_types_levels_and_order_matter() {
        let (x, y) = (column("x", "type = \"float\""), column("y", "type = \"float\""));
        let sex = column("sex", NOMINAL);
        let all = [
            of(&x),
            of(&y),
            of(&format!("{x}{y}")),
            of(&format!("{y}{x}")),
            of(&column("x", "type = \"integer\"")),
            of(&sex),
            of(&column("sex", "type = \"nominal\"\nlevels = [\"M\", \"F\"]")),
            of(&column("sex", "type = \"ordered\"\nlevels = [\"F\", \"M\"]")),
            of(&column("sex", "type = \"nominal\"\nlevels = [\"F\", \"M\", \"X\"]")),
            of(&column("sex", "type = \"nominal\"\nlevels = [\"FM\"]")),
        ];
        for (position, one) in all.iter().enumerate() {
            assert!(all[..position].iter().all(|other| other != one), "{position}");
        }
    }

    #[test]
    fn spelling_in_a_file_does_not_matter() {
        assert_eq!(
            of(&column("x", "type = \"float\"")),
            of(&column("x", "type = \"float\"\nmissing = [\"-8\"]"))
        );
        let day = |format: &str| of(&column("d", &format!("type = \"date\"\nformat = \"{format}\"")));
        assert_eq!(day("%Y-%m-%d"), day("%d/%m/%Y"));
    }

    #[test]
    fn declarations_for_the_model_do_not_matter() {
        let more =
            "decimals = 2\natoms = [0]\nminimum = -1\nmaximum = 5\npredictors = []\nfamily = \"skewed\"";
        let constraint = "[[constraint]]\nrule = \"x < 3\"\n";
        let plain = of(&column("x", "type = \"float\""));
        assert_eq!(plain, of(&(column("x", &format!("type = \"float\"\n{more}")) + constraint)));
    }

    #[test]
    fn a_fingerprint_never_changes() {
        // Ledgers out there hold this: a change would take their budget away from its table.
        let found = of(&format!("{}{}", column("age", "type = \"integer\""), column("sex", NOMINAL)));
        let expected = "sha256:13cf28f1b26c03f7b14836f8ba9ca84ed2eaa7590b84960405b0203f4a7f40b0";
        assert_eq!(found.as_str(), expected);
    }
}
