//! From single cells to columns, whatever the file format: inferred, as text, or as declared.

mod collector;
mod decimal;
mod dictionary;
mod inferred;
mod missing;
pub(crate) mod notation;
pub(crate) mod number;
mod seen;
mod short;
mod spell;
mod total;
mod typed;

pub(crate) use collector::Collector;
pub(crate) use dictionary::{Dictionary, TextTotal};
pub(crate) use inferred::{Inferred, InferredColumn, InferredTotal, reals};
pub(crate) use missing::Missing;
pub(crate) use seen::{MissingSeen, SeenTotal};
pub(crate) use short::Short;
pub(crate) use spell::{spell, spell_decimals, spell_float};
pub(crate) use total::Total;
pub use typed::Invalid;
pub(crate) use typed::{Typed, TypedPlan, shortest};

/// The spelling of midnight after a date, which the dates of sheets end with.
pub(crate) const MIDNIGHT: &str = "T00:00:00";

/// One cell as in a file: text in CSV, typed in Parquet and Arrow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell<'a> {
    /// No value.
    Missing,
    /// A spelling, which may mean *missing*.
    Text(&'a str),
    /// A whole number.
    Integer(i64),
    /// A real number, NaN when missing.
    Float(f64),
    /// A truth value.
    Boolean(bool),
    /// Days since 1970-01-01.
    Day(i32),
    /// Microseconds since 1970-01-01T00:00:00.
    Moment(i64),
}

/// The vector instruction sets of this processor for which there is code.
#[cfg(test)]
pub(crate) fn vectors() -> Vec<fearless_simd::Level> {
    use fearless_simd::{Level, Simd};
    let best = Level::new();
    let mut all = vec![best, Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    {
        all.extend(best.as_avx2().map(Simd::level));
        all.extend(best.as_sse4_2().map(Simd::level));
    }
    all
}
