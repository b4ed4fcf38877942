//! The functions of the language.

use std::ops::RangeInclusive;

/// A function, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Round,
    Floor,
    Ceil,
    Abs,
    Min,
    Max,
    Log,
    Exp,
    Sqrt,
    Year,
    Month,
    Cut,
    Lookup,
}

impl Function {
    pub(super) const ALL: [Self; 13] = [
        Self::Round,
        Self::Floor,
        Self::Ceil,
        Self::Abs,
        Self::Min,
        Self::Max,
        Self::Log,
        Self::Exp,
        Self::Sqrt,
        Self::Year,
        Self::Month,
        Self::Cut,
        Self::Lookup,
    ];

    /// The function of that name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Round => "round",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Abs => "abs",
            Self::Min => "min",
            Self::Max => "max",
            Self::Log => "log",
            Self::Exp => "exp",
            Self::Sqrt => "sqrt",
            Self::Year => "year",
            Self::Month => "month",
            Self::Cut => "cut",
            Self::Lookup => "lookup",
        }
    }

    /// The number of arguments that it takes.
    pub(super) fn arguments(self) -> RangeInclusive<usize> {
        match self {
            Self::Round => 1..=2,
            Self::Min | Self::Max | Self::Cut => 2..=usize::MAX,
            _ => 1..=1,
        }
    }

    /// An example of a call.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Round => "round(x), or round(x, 2) for two decimals",
            Self::Floor => "floor(x)",
            Self::Ceil => "ceil(x)",
            Self::Abs => "abs(x)",
            Self::Min => "min(x, y)",
            Self::Max => "max(x, y)",
            Self::Log => "log(x)",
            Self::Exp => "exp(x)",
            Self::Sqrt => "sqrt(x)",
            Self::Year => "year(born)",
            Self::Month => "month(born)",
            Self::Cut => "cut(age, 18, 65)",
            Self::Lookup => "lookup(region)",
        }
    }
}
