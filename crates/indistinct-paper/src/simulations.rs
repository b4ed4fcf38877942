//! Numbers of simulations.
//!
//! A release of most methods takes milliseconds. One of the paper's chains takes half a second, and some of the chains with other
//! choices take ten times as long: so each of these kinds has a number of its own.

use std::str::FromStr;

use crate::methods::Method;

/// Fewest simulations that have a variance.
const FEWEST: u64 = 2;

/// Simulations of every setting, by what they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simulations {
    /// Of table 1.
    pub table1: u64,
    /// Of the methods of table 2 and the regression study that have no chains.
    pub methods: u64,
    /// Of the paper's own chains, in both.
    pub chains: u64,
    /// Of these chains with another choice where the paper leaves one, in table 2.
    pub variants: u64,
    /// The same where it takes ten times as long ([`Variant::is_slow`](crate::methods::Variant::is_slow)).
    pub slow_variants: u64,
}

impl Default for Simulations {
    fn default() -> Self {
        Self { table1: 200_000, methods: 500, chains: 500, variants: 50, slow_variants: 10 }
    }
}

/// The reason why a number of simulations is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimulationsError {
    /// Not a number, or too few.
    #[error("{0:?} is not a number of simulations, which is {FEWEST} or more")]
    Number(String),
    /// An unknown name.
    #[error("{0:?} is not one of table1, methods, chains, variants, slow-variants")]
    Name(String),
}

impl FromStr for Simulations {
    type Err = SimulationsError;

    /// `N`, of everything but variants, of which there are no more than usual; or some of `table1=N,methods=N,chains=N,variants=N,slow-variants=N`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| match text.trim().parse::<u64>() {
            Ok(number) if number >= FEWEST => Ok(number),
            _ => Err(SimulationsError::Number(text.to_owned())),
        };
        let usual = Self::default();
        if !text.contains('=') {
            let all = number(text)?;
            let (variants, slow_variants) = (all.min(usual.variants), all.min(usual.slow_variants));
            return Ok(Self { table1: all, methods: all, chains: all, variants, slow_variants });
        }
        text.split(',').try_fold(usual, |own, part| {
            let (name, value) =
                part.split_once('=').ok_or_else(|| SimulationsError::Name(part.to_owned()))?;
            let value = number(value)?;
            match name.trim() {
                "table1" => Ok(Self { table1: value, ..own }),
                "methods" => Ok(Self { methods: value, ..own }),
                "chains" => Ok(Self { chains: value, ..own }),
                "variants" => Ok(Self { variants: value, ..own }),
                "slow-variants" => Ok(Self { slow_variants: value, ..own }),
                other => Err(SimulationsError::Name(other.to_owned())),
            }
        })
    }
}

impl Simulations {
    /// Of a method.
    pub fn of(&self, method: &Method) -> u64 {
        match method {
            Method::PmseMechanism { .. } => self.chains,
            Method::PmseVariant(variant) if variant.is_slow() => self.slow_variants,
            Method::PmseVariant(_) => self.variants,
            _ => self.methods,
        }
    }

    /// The numbers as typed for table 2 alone.
    pub(crate) fn of_table2(&self) -> String {
        let Self { variants, slow_variants, .. } = self;
        format!("{},variants={variants},slow-variants={slow_variants}", self.of_regression())
    }

    /// The numbers as typed for the regression study alone.
    pub(crate) fn of_regression(&self) -> String {
        format!("methods={},chains={}", self.methods, self.chains)
    }

    /// The numbers as typed for all experiments.
    pub(crate) fn of_all(&self) -> String {
        format!("table1={},{}", self.table1, self.of_table2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::Variant;

    #[test]
    fn numbers_are_read_as_they_are_shown() {
        let own = Simulations { table1: 50_000, methods: 300, chains: 60, variants: 20, slow_variants: 5 };
        assert_eq!(own.of_all().parse(), Ok(own));
        assert_eq!("chains=7".parse(), Ok(Simulations { chains: 7, ..Simulations::default() }));
        let few = Simulations { table1: 20, methods: 20, chains: 20, variants: 20, slow_variants: 10 };
        assert_eq!("20".parse(), Ok(few));
        for wrong in ["", "1", "x", "chains=1", "chains=", "chain=5", "chains=5,6", "chains=5,"] {
            assert!(wrong.parse::<Simulations>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_takes_long_has_fewer() {
        let usual = Simulations::default();
        assert_eq!(usual.of(&Method::NonDp), 500);
        assert_eq!(usual.of(&Method::PmseVariant(Variant::LogSd)), 50);
        assert_eq!(usual.of(&Method::PmseVariant(Variant::Sets)), 10);
    }
}
