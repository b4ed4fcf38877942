//! Dependence between columns, as released numbers: correlations of normal scores, and tables of two or three
//! columns that are chosen because model and private rows are easiest to tell apart there.

mod candidates;
mod correlations;
mod predictors;
mod rounds;
mod scores;

pub(crate) use candidates::{Candidates, FEWEST_CELLS};
pub(crate) use correlations::{Fineness, Products};
pub(crate) use predictors::Predictors;
pub(crate) use rounds::{CHOICE_STEP, CodedRows, PairTables, Rounds, Setting, moved_by_noise, run_rounds};
