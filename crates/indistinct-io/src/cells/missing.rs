//! Spellings that mean *missing*.

use super::number::{self, Number, trim_spaces};

/// The spellings that mean *missing* in one column, compared without the spaces around them.
#[derive(Debug, Clone)]
pub(crate) struct Missing {
    spellings: Vec<String>,
    /// The spellings that are numbers: in a numeric column every spelling of such a number is missing.
    numbers: Vec<f64>,
}

impl Missing {
    /// A set of these spellings.
    pub(crate) fn new<'a>(spellings: impl IntoIterator<Item = &'a str>) -> Self {
        let spellings: Vec<String> = spellings.into_iter().map(|code| trim_spaces(code).to_owned()).collect();
        let numbers = spellings
            .iter()
            .filter_map(|code| match number::parse(code) {
                Number::Whole(value) => Some(value as f64),
                Number::Real(value) => Some(value),
                Number::Nan | Number::Infinite | Number::Not => None,
            })
            .collect();
        Self { spellings, numbers }
    }

    /// The default spellings: empty, `NA`, `NaN` and `?`.
    pub(crate) fn usual() -> Self {
        Self::new(indistinct::table::DEFAULT_MISSING)
    }

    /// Whether the cell has a spelling that means missing.
    pub(crate) fn is(&self, cell: &str) -> bool {
        let cell = trim_spaces(cell);
        self.spellings.iter().any(|code| code == cell)
    }

    /// Whether the number is one that means missing.
    #[inline]
    pub(crate) fn is_number(&self, value: f64) -> bool {
        self.numbers.contains(&value)
    }

    /// The spellings, trimmed.
    pub(crate) fn spellings(&self) -> &[String] {
        &self.spellings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_compared_without_spaces_and_as_numbers() {
        let missing = Missing::new(["", "NA", " -8 "]);
        assert!(missing.is("") && missing.is("  ") && missing.is(" NA") && missing.is("-8"));
        assert!(!missing.is("na") && !missing.is("-8.0"));
        assert!(missing.is_number(-8.0) && !missing.is_number(8.0));
        assert!(Missing::usual().is("?") && Missing::usual().is("NaN"));
    }
}
