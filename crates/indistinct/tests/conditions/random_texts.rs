//! No text makes the reader panic.

use indistinct::table::Condition;
use proptest::prelude::*;

use super::{schema, table};

fn words() -> impl Strategy<Value = String> {
    let words = [
        "x",
        "y",
        "age",
        "sex",
        "partner",
        "grade",
        "target",
        "visits",
        "smoker",
        "born",
        "died",
        "seen",
        "record",
        "`odd name`",
        "'F'",
        "'low'",
        "'2001-02-03'",
        "true",
        "false",
        "and",
        "or",
        "not",
        "in",
        "is",
        "missing",
        "when",
        "(",
        ")",
        ",",
        "+",
        "-",
        "*",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "1",
        "2.5",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..25).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_text(text in "\\PC{0,40}|[-+*(),<>=!'\"`a-z0-9. ]{0,40}") {
        if let Ok(condition) = Condition::parse(&text, &schema()) {
            prop_assert_eq!(condition.holds(&table()).len(), 2);
        }
    }

    #[test]
    fn any_words(text in words()) {
        match Condition::parse(&text, &schema()) {
            Ok(condition) => prop_assert_eq!(condition.holds(&table()).len(), 2),
            Err(error) => {
                prop_assert!(error.position() <= text.chars().count() + 1);
                prop_assert!(!error.what().is_empty() && !error.advice().is_empty());
            }
        }
    }
}
