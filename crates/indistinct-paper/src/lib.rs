//! The experiments of Snoke and Slavković (2018), and the methods that they compare the pMSE mechanism with.
//!
//! - [`baseline`]: the comparison methods themselves; [`release`]: releases by them, as `indistinct baseline` makes;
//! - [`table1`]: how often one row moves the pMSE of a greedy tree beyond the bound (and never that of a certified one);
//! - [`table2`]: the pMSE of released tables, for five epsilons;
//! - [`regression`]: the error of regression coefficients (figure 2 and the appendix figure);
//! - [`paper`]: the published numbers; [`methods`]: what is compared; [`store`]: blocks that survive being killed;
//! - [`reproduction`]: all of it, written as CSV, SVG and a page.
//!
//! All tables are simulated from public laws: nothing here is private, and everything is seeded.

pub mod baseline;
pub mod csv;
pub mod figures;
pub mod intervals;
pub mod methods;
pub mod page;
pub mod paper;
pub mod population;
pub mod regression;
pub mod release;
pub mod reproduction;
pub mod simulations;
pub mod store;
pub mod table1;
pub mod table2;
