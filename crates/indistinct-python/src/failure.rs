//! Failures as exceptions, with the command's text in the words of Python.

use indistinct_io::arguments::{self, PYTHON};
use indistinct_io::{Failure, FailureKind};
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    indistinct,
    BudgetExceeded,
    PyException,
    "A ledger refused a charge: what is left of the privacy budget does not suffice, or it is that of another table. Nothing \
     was released."
);

pyo3::create_exception!(
    indistinct,
    NoGuarantee,
    PyValueError,
    "A ledger refused a release for what it would promise: nothing, nothing of a chain that stopped, or something conditional \
     that was not accepted. Nothing was charged or released."
);

/// The exception for a failure.
pub(crate) fn raised(failure: &Failure) -> PyErr {
    let message = in_keywords(&failure.message());
    match failure.kind() {
        FailureKind::Failed | FailureKind::Usage | FailureKind::Overclaim => PyValueError::new_err(message),
        FailureKind::NoGuarantee => NoGuarantee::new_err(message),
        FailureKind::Refused => BudgetExceeded::new_err(message),
        FailureKind::Stopped => PyKeyboardInterrupt::new_err(()),
    }
}

/// A text of the command in the words of Python, for errors and warnings.
#[pyfunction]
pub(crate) fn in_keywords(text: &str) -> String {
    arguments::in_keywords(text, PYTHON)
}

/// The exception for a caught panic. Its text is not passed on: it may contain private values.
pub(crate) fn internal() -> PyErr {
    PyRuntimeError::new_err(
        "an internal error, which is a bug in indistinct\n help: please report the call and indistinct.__version__, \
         without any data",
    )
}
