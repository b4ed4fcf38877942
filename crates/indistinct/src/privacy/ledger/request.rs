//! Requests to a ledger.

use super::{LedgerError, Price};
use crate::privacy::{Guarantee, Neighbours, Rho};

/// A charge to be made, and the data it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// The time, as RFC 3339 text.
    pub time: &'a str,
    /// The guarantee of the release, from which its price follows.
    pub guarantee: &'a Guarantee,
    /// The rho of the release's budget, if that has a delta.
    pub rho: Option<Rho>,
    /// The kind of neighbouring tables between which its guarantee holds.
    pub neighbours: Neighbours,
    /// Whether a conditional guarantee is accepted.
    pub accept_conditional: bool,
    /// A description of the release.
    pub what: &'a str,
    /// The fingerprint of the table's schema.
    pub schema: &'a str,
    /// The declared name of the data set, if there is one.
    pub id: Option<&'a str>,
}

impl Request<'_> {
    /// The price of the release for its own neighbours, and the conditions of its guarantee.
    ///
    /// # Guarantee
    /// Sums bound what releases reveal together only if every one of them has its guarantee
    /// (`proofs/ledger_account.md`): a release without one cannot be added, whatever epsilon was requested.
    /// Neither can a delta without a rho.
    ///
    /// # Errors
    /// If the release will promise nothing, or only conditionally where that was not accepted, or has a delta and
    /// no rho.
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
