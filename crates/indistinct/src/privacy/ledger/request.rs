//! What is asked of a ledger.

use super::{LedgerError, Price};
use crate::privacy::{Guarantee, Neighbours, Rho};

/// What is to be charged, and for which data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// When, as RFC 3339 text.
    pub time: &'a str,
    /// What the release will promise: what it costs follows from that.
    pub guarantee: &'a Guarantee,
    /// The rho of the budget that it will be made from, if that has a delta.
    pub rho: Option<Rho>,
    /// Between which tables its guarantee holds.
    pub neighbours: Neighbours,
    /// Whether a conditional guarantee will do.
    pub accept_conditional: bool,
    /// What it is for.
    pub what: &'a str,
    /// The fingerprint of the table's schema.
    pub schema: &'a str,
    /// The declared name of the data set, if one is declared.
    pub id: Option<&'a str>,
}

impl Request<'_> {
    /// What the release costs for its own neighbours, and what that is conditional on.
    ///
    /// # Guarantee
    /// Sums bound what releases reveal together only if every one of them has its guarantee (`proofs/ledger_account.md`): what
    /// has none cannot be added, whatever epsilon was asked for. Neither can a delta without a rho.
    ///
    /// # Errors
    /// If the release will promise nothing, or only conditionally where that was not accepted, or has a delta and no rho.
    pub fn price(&self) -> Result<(Price, &[String]), LedgerError> {
        let guarantee = self.guarantee;
        let (epsilon, provided): (_, &[String]) = match guarantee {
            Guarantee::Pure { epsilon } | Guarantee::Approximate { epsilon, .. } => (*epsilon, &[]),
            Guarantee::Conditional { epsilon, provided, .. } if self.accept_conditional => {
                (*epsilon, provided)
            }
            Guarantee::Conditional { provided, .. } => {
                return Err(LedgerError::Conditional(provided.join("; ")));
            }
            Guarantee::AtStationarity { .. } => {
                return Err(LedgerError::NoGuarantee { kind: guarantee.kind(), why: String::new() });
            }
            Guarantee::None { because } => {
                return Err(LedgerError::NoGuarantee {
                    kind: guarantee.kind(),
                    why: format!(", because {}", because.join("; ")),
                });
            }
        };
        let delta = guarantee.delta();
        if delta.is_zero() {
            return Ok((Price::pure(epsilon), provided));
        }
        let rho = self.rho.ok_or(LedgerError::NoRho)?;
        Ok((Price { epsilon, delta, rho: Some(rho) }, provided))
    }
}
