//! Regressions over synthetic tables: formulas, least squares, and rules that combine several tables.
//!
//! ```
//! use indistinct::combine::{Formula, Rule, Target, combine, fit_all};
//! use indistinct::table::{Column, Table};
//!
//! let table = |y: Vec<f64>| {
//!     let sex = Column::nominal("sex", &["F", "M"], vec![0, 1, 0, 1, 1, 0]);
//!     Table::new(vec![Column::float("y", y), sex])
//! };
//! let (one, two) = (table(vec![1.0, 3.0, 1.5, 2.5, 3.5, 1.2])?, table(vec![0.8, 2.9, 1.1, 3.3, 3.2, 1.4])?);
//! let fits = fit_all(&[&one, &two], &Formula::parse("y ~ sex")?)?;
//! let found = combine(&fits, &Rule::Raab { n: 6 }, Target::Population, 0.95)?;
//! assert_eq!(found.coefficients[1].name, "sexM");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Synthetic tables are public, and so is everything here: no privacy is spent.

mod choose;
mod combined;
mod design;
mod error;
mod formula;
mod frame;
mod layout;
mod logit;
mod measured;
mod noise;
mod ols;
mod options;
mod rule;
pub mod student;

pub use choose::{ChoiceError, ChosenRule, choose};
pub use combined::{Coefficient, Combined, combine};
pub(crate) use design::INTERCEPT;
pub use error::CombineError;
pub(crate) use formula::is_plain;
pub use formula::{Formula, FormulaError};
pub(crate) use layout::{Layout, Part, Regression};
pub(crate) use logit::{logit, weighted};
pub use measured::{cell_loss, measured_excess};
pub use noise::{Noise, Origin};
pub use ols::{Ols, fit, fit_all, ols};
pub use options::{CombineOptions, DEFAULT_LEVEL, RuleName};
pub use rule::{Rule, Target};
