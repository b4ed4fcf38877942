//! Formulas: what can be read is fitted, where the columns allow it.

use indistinct::combine::{Formula, Rule, Target, combine, fit_all};

use crate::condition::every_type;

/// A formula.
pub(crate) fn formula(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    let formula = match Formula::parse(text) {
        Ok(formula) => formula,
        Err(error) => {
            assert!((1..=text.chars().count() + 1).contains(&error.position()) && !error.advice().is_empty());
            return;
        }
    };
    assert_eq!(formula.text(), text.trim());
    let (_, table) = every_type();
    if let Ok(fits) = fit_all(&[table, table], &formula) {
        _ = combine(&fits, &Rule::Raab { n: table.rows() }, Target::Population, 0.95);
    }
}
