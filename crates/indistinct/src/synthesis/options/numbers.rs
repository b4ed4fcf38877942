//! Numbers of a budget as typed.

use std::fmt;
use std::str::FromStr;

use crate::field::{Field, Message, OptionsError};
use crate::privacy::{Delta, Epsilon};

/// A budget as text.
///
/// # Errors
/// When it is no positive number.
pub fn epsilon_of(text: &str) -> Result<Epsilon, OptionsError> {
    read(Field::Epsilon, text).map_err(|error| {
        error.advise(Message::of("give a positive number, as in {} 1", [Field::Epsilon.into()]))
    })
}

/// The part of it for the score as text: a positive number, or 0 for none.
///
/// # Errors
/// When it is neither.
pub fn score_epsilon_of(text: &str) -> Result<Epsilon, OptionsError> {
    if text == "0" {
        return Ok(Epsilon::ZERO);
    }
    read(Field::ScoreEpsilon, text).map_err(|error| {
        error.advise(Message::of("give a positive number below {}, or 0", [Field::Epsilon.into()]))
    })
}

/// The probability with which the guarantee may fail, as text.
///
/// # Errors
/// When it is none, or so small that it would be rounded to zero: what is not zero as written must not become pure.
pub fn delta_of(text: &str) -> Result<Delta, OptionsError> {
    let advice = || Message::of("leave {} out for pure differential privacy", [Field::Delta.into()]);
    let delta: Delta = read(Field::Delta, text).map_err(|error| error.advise(advice()))?;
    if delta.is_zero() && text.trim().parse() != Ok(0.0) {
        let what = Message::of("{} is too small: the least is 1e-15", [Field::Delta.into()]);
        return Err(OptionsError::new(Field::Delta, what).advise(advice()));
    }
    Ok(delta)
}

/// A number as typed.
fn read<T: FromStr<Err: fmt::Display>>(field: Field, text: &str) -> Result<T, OptionsError> {
    text.parse().map_err(|error: T::Err| {
        OptionsError::new(field, Message::of("{}: {}", [field.into(), error.to_string().as_str().into()]))
    })
}
