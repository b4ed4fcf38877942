//! Columns about which a release would say nothing, whatever they contain: by public quantities, before anything
//! is spent.

use std::fmt;

use super::{Look, MixedPlan, Outlook, TOO_MANY};
use crate::margin::RangeOutlook;
use crate::privacy::{Delta, Epsilon};
use crate::terms::{Terms, least_factor};

/// The delta that is tried for plans without one.
const USUAL_DELTA: &str = "0.000001";

/// A column about which a release would say nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct HopelessColumn {
    /// Its name.
    pub column: String,
    /// The reason.
    pub because: HopelessBecause,
}

/// The reason why a release would say nothing about a column.
#[derive(Debug, Clone, PartialEq)]
pub enum HopelessBecause {
    /// Too many levels for the number of rows, given the noise.
    Levels {
        /// Number of declared levels.
        levels: usize,
        /// The share of all rows that noise seems to move between them.
        moved: f64,
        /// Approximate largest number of levels.
        most: usize,
    },
    /// Limits that are not declared, with too little budget to find them.
    Limits,
    /// Noise as large as the number of rows.
    Noise,
}

impl fmt::Display for HopelessBecause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Levels { levels, moved, .. } => {
                write!(
                    formatter,
                    "{levels} levels, between which noise moves {moved:.1} times as many rows as there are"
                )
            }
            Self::Limits => {
                formatter.write_str("not both limits are declared, and the budget is too small to find them")
            }
            Self::Noise => formatter.write_str("the noise of a count is as large as the number of rows"),
        }
    }
}

/// A remedy for hopeless columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Remedy {
    /// An epsilon with which about none of them would be hopeless.
    pub epsilon: f64,
    /// A delta with which none would be hopeless at the present epsilon; `None` if there is one already, or it
    /// would not help.
    pub delta: Option<Delta>,
}

impl HopelessColumn {
    /// The columns, each written by `name`, with what is wrong: once for all columns with the same problem.
    pub fn list(columns: &[Self], name: impl Fn(&str) -> String) -> String {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for Self { column, because } in columns {
            let (because, name) = (because.to_string(), name(column));
            match groups.iter_mut().find(|(same, _)| *same == because) {
                Some((_, names)) => names.push(name),
                None => groups.push((because, vec![name])),
            }
        }
        let one = |(because, names): &(String, Vec<String>)| format!("{} ({because})", names.join(", "));
        groups.iter().map(one).collect::<Vec<_>>().join(" and ")
    }
}

/// The number rounded down to two significant digits.
fn two_digits(number: f64) -> usize {
    let unit = 10f64.powi((number.max(1.0).log10().floor() as i32 - 1).max(0));
    ((number / unit).floor() * unit) as usize
}

impl Outlook {
    /// The reason why a release would say nothing about the column, if it would.
    pub fn hopeless(&self) -> Option<HopelessBecause> {
        match (self.look, self.levels) {
            // Limits come first: to declare them also leaves more to count with.
            _ if self.range == RangeOutlook::Lost => Some(HopelessBecause::Limits),
            (Look::NothingButNoise, Some(levels)) if self.moved >= TOO_MANY => {
                let most = levels as f64 * TOO_MANY / self.moved;
                Some(HopelessBecause::Levels { levels, moved: self.moved, most: two_digits(most).max(2) })
            }
            (Look::NothingButNoise, _) => Some(HopelessBecause::Noise),
            _ => None,
        }
    }
}

impl MixedPlan {
    /// The columns about which a release would say nothing.
    pub fn hopeless(&self) -> Vec<HopelessColumn> {
        let hopeless = |outlook: Outlook| {
            let because = outlook.hopeless()?;
            Some(HopelessColumn { column: outlook.column, because })
        };
        self.outlooks().into_iter().filter_map(hopeless).collect()
    }

    /// The remedy for the hopeless columns.
    pub(super) fn remedy(&self) -> Remedy {
        let asked = self.terms.epsilon.to_f64();
        let would_do = |options: Terms| {
            options.divided(self.rows, self.rows_per_person, &self.schema).hopeless().is_empty()
        };
        let with = |epsilon: Epsilon| would_do(Terms { epsilon, ..self.terms.clone() });
        let factor = least_factor(|factor| Epsilon::from_f64(asked * factor).map_or(true, &with));
        let usual: Option<Delta> = USUAL_DELTA.parse().ok();
        let delta = usual.filter(|&delta| {
            self.terms.delta.is_zero()
                && delta.to_f64() * (self.rows as f64) < 1.0
                && would_do(Terms { delta, ..self.terms.clone() })
        });
        Remedy { epsilon: asked * factor, delta }
    }
}
