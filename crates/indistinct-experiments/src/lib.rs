//! The paper's experiments, with its methods, their competitors and ours side by side.
//!
//! - [`table1`]: how often one row moves the pMSE of a greedy tree beyond the bound (and never that of a certified one).
//!
//! All tables are simulated from public laws: nothing here is private, and everything is seeded.

pub mod intervals;
pub mod methods;
pub mod paper;
pub mod population;
pub mod store;
pub mod table1;
