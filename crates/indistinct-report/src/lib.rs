//! Figures and pages about synthetic tables.
//!
//! [`chart`] draws figures as SVG, and [`page`] makes pages of them: one from what is released, one for the data
//! holder.
//!
//! The page of an evaluation is computed **from the private data**, for its holder. None of it is differentially
//! private.

pub mod chart;
pub mod page;
