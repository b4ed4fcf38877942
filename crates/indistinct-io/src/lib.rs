//! Tables and schemas in files.
