//! Words of options for the parser of arguments.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indistinct::Word;

/// Takes one of the words of a type, and tells in help what each means.
pub(crate) fn one_of<T: Word>() -> impl TypedValueParser<Value = T> {
    let values = T::WORDS
        .iter()
        .map(|(word, value, means)| PossibleValue::new(*word).help(*means).hide(value.is_hidden()));
    PossibleValuesParser::new(values).try_map(|word| T::of_word(&word).ok_or("not one of these"))
}
