//! `indistinct._indistinct`: the Rust functions of the Python package.
//!
//! Thin on purpose: tables come in as streams of Arrow arrays ([`frame`]), options as keyword arguments
//! ([`given`]), the work is that of the command ([`indistinct_io`]) in a thread of its own ([`work`]), and
//! results go back as the JSON document and the text that the command would print. Classes for people are written
//! in Python (`python/indistinct`).

mod buffers;
mod combine;
mod evaluate;
mod failure;
mod frame;
mod given;
mod interval;
mod ledger;
mod passes;
mod persons;
mod schema;
mod streams;
mod synth;
mod verify;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _indistinct {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::combine::{combine_files, combine_sources};
    #[pymodule_export]
    use crate::evaluate::{Evaluated, evaluate, judge};
    #[pymodule_export]
    use crate::failure::{BudgetExceeded, NoGuarantee, in_keywords};
    #[pymodule_export]
    use crate::frame::{ArrowTable, Source};
    #[pymodule_export]
    use crate::interval::{OpenedRelease, Rehearsing};
    #[pymodule_export]
    use crate::ledger::{init_ledger, plan_ledger, read_ledger, verify_ledger};
    #[pymodule_export]
    use crate::passes::{Counter, PassFailed, add_counts, asked_columns, check_columns};
    #[pymodule_export]
    use crate::persons::{PersonChooser, RowsOfPersons, hash_rows, person_key};
    #[pymodule_export]
    use crate::schema::{draft_schema, parse_schema, read_schema, read_table, save_schema};
    #[pymodule_export]
    use crate::streams::has_rows;
    #[pymodule_export]
    use crate::synth::{Fitted, Preparation, prepare, prepare_passes};
    #[pymodule_export]
    use crate::verify::{certificate_problems, verify};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Panics are caught where work is done; their text may hold private values and is not printed. The hook is
        // this module's own: other modules written in Rust have theirs.
        std::panic::set_hook(Box::new(|_| {}));
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
