//! Tests of optimal trees against naive enumeration, and against the theory.

mod integers;
mod naive;
mod random_tables;
mod sensitivity;
mod ties;
