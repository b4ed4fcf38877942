//! What is measured and shown about synthetic tables.
