//! Figures, pages and text about synthetic tables.
//!
//! [`chart`] draws figures as SVG, and [`page`] makes pages of them: one from what is released, one for the data
//! holder. [`text`] is what the command prints. [`Writing`] and [`write_release`] write the folder of a release with
//! its page.
//!
//! The page of an evaluation is computed **from the private data**, for its holder. None of it is differentially
//! private.

pub mod chart;
mod evaluation_file;
pub mod page;
mod release_folder;
pub mod text;

pub use evaluation_file::{page_path, write_page};
pub use release_folder::{Writing, write_release};
