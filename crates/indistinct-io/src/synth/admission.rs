//! Whether a ledger may be charged for a release: only for one that has a guarantee to add up.

use std::path::Path;

use indistinct::privacy::ledger::Request;
use indistinct::privacy::{ReleaseFacts, SchemaSource};
use indistinct::synthesis::{CheckedOptions, ExpectedCharge};

use super::prepared::Prepared;
use crate::ledger::{ledger_error_failure, ledger_failure};
use crate::{Failure, LedgerCharge, LedgerFile, Receipt, SchemaFingerprint};

/// The ledger that a release is charged to, and on which terms.
#[derive(Debug, Clone, Copy)]
pub struct LedgerTerms<'a> {
    /// The file.
    pub file: &'a Path,
    /// The name that it must have been opened with, if one was asked for.
    pub id: Option<&'a str>,
    /// Whether a release whose guarantee is conditional may be charged.
    pub accept_conditional: bool,
}

/// Whether a ledger would take the charge of a release that is not made.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The ledger's file.
    pub file: String,
    /// The reason why it would refuse, if it would.
    pub refusal: Option<Failure>,
    /// The part of the ledger that the charge would leave, if it would not.
    pub receipt: Option<Receipt>,
}

/// Refuses what a ledger would refuse for its guarantee, as far as options, seed and the source of the schema (none if it will
/// be drafted) decide that: before the table is read.
///
/// # Errors
/// When the release would have no guarantee that a ledger can add up.
pub fn admit(
    options: &CheckedOptions,
    ledger: Option<&LedgerTerms<'_>>,
    seed: Option<u64>,
    schema: Option<SchemaSource>,
) -> Result<(), Failure> {
    let Some(terms) = ledger else { return Ok(()) };
    let source = schema.unwrap_or(SchemaSource::Drafted);
    let ExpectedCharge { guarantee, rho, neighbours } = options.expected_charge();
    let guarantee = if seed.is_some() { guarantee.seeded() } else { guarantee };
    let guarantee = guarantee.provided(&ReleaseFacts::conditions_of(source, false));
    let request = Request {
        time: "",
        guarantee: &guarantee,
        rho,
        neighbours,
        accept_conditional: terms.accept_conditional,
        what: "",
        schema: "",
        id: terms.id,
    };
    request
        .price()
        .map(|_| ())
        .map_err(|error| ledger_error_failure(&terms.file.display().to_string(), &error))
}

impl Prepared {
    /// Charges a ledger, where one is named.
    pub(super) fn charge_ledger(&self, terms: &LedgerTerms<'_>, what: &str) -> Result<(), Failure> {
        self.with_charge(terms, what, |charge| {
            LedgerFile::charge(terms.file, charge).map_err(ledger_failure)
        })?;
        Ok(())
    }

    /// Whether a ledger would take the charge; nothing is written.
    pub fn fit(&self, terms: &LedgerTerms<'_>) -> Fit {
        let tried = self.with_charge(terms, "", |charge| {
            LedgerFile::try_charge(terms.file, charge).map_err(ledger_failure)
        });
        let file = terms.file.display().to_string();
        match tried {
            Ok(receipt) => Fit { file, refusal: None, receipt: Some(receipt) },
            Err(refusal) => Fit { file, refusal: Some(refusal), receipt: None },
        }
    }

    fn with_charge<T>(
        &self,
        terms: &LedgerTerms<'_>,
        what: &str,
        charge: impl FnOnce(&LedgerCharge<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let guarantee = self.planned.guarantee();
        let schema = SchemaFingerprint::of(&self.schema);
        let LedgerTerms { id, accept_conditional, .. } = *terms;
        charge(&LedgerCharge {
            guarantee: &guarantee,
            rho: self.planned.rho(),
            neighbours: self.planned.terms().neighbours,
            accept_conditional,
            what,
            schema: &schema,
            id,
        })
    }
}
