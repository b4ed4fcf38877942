//! Entries, and the hash that seals each line.

use super::{LedgerError, Price, Total};
use crate::privacy::{Delta, Epsilon, Neighbours, Rho};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The version of the format. Ledgers of version 1 have no neighbours, and were tied to one schema.
pub(super) const FORMAT: u32 = 2;

/// The separator of a line's content and its seal.
const SEAL: &str = ",\"hash\":\"";
/// The end of a line.
const END: &str = "\"}";

/// The first entry: the budget of a data set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The time, as RFC 3339 text.
    pub time: String,
    /// The declared name of the data set.
    pub id: Option<String>,
    /// The total epsilon.
    pub epsilon: Epsilon,
    /// The probability with which the guarantee may fail.
    pub delta: Delta,
    /// The kind of neighbouring tables between which the sum of all guarantees holds.
    #[serde(default)]
    pub neighbours: Neighbours,
}

impl Opening {
    /// The total budget.
    pub fn total(&self) -> Total {
        Total { epsilon: self.epsilon, delta: self.delta }
    }
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Posting {
    /// The time, as RFC 3339 text.
    pub time: String,
    /// Its epsilon.
    pub epsilon: Epsilon,
    /// The probability with which its guarantee may fail; not written where that is zero.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub delta: Delta,
    /// The rho of the release's budget; not written without a delta, nor by versions before 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Rho>,
    /// The kind of neighbouring tables between which its guarantee holds; not written where one row is
    /// substituted.
    #[serde(default, skip_serializing_if = "is_substitute")]
    pub neighbours: Neighbours,
    /// A description of the release.
    pub what: String,
    /// The fingerprint of the table's schema.
    pub schema: String,
    /// The conditions of its guarantee; not written where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provided: Vec<String>,
}

impl Posting {
    /// Its price, for its own neighbours.
    pub fn price(&self) -> Price {
        Price { epsilon: self.epsilon, delta: self.delta, rho: self.rho }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde passes it")]
fn is_substitute(neighbours: &Neighbours) -> bool {
    *neighbours == Neighbours::Substitute
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde passes it")]
fn is_zero(delta: &Delta) -> bool {
    delta.is_zero()
}

/// An entry to be written.
pub(super) enum Line<'a> {
    Opening(&'a Opening),
    Posting(&'a Posting),
}

/// An opening as written in its line.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    ledger: u32,
    #[serde(flatten)]
    opening: T,
}

/// The line of an entry without its line end, and its hash.
pub(super) fn sealed(previous: &str, line: &Line<'_>) -> Result<(String, String), LedgerError> {
    let json = match line {
        Line::Opening(opening) => serde_json::to_string(&Versioned { ledger: FORMAT, opening }),
        Line::Posting(posting) => serde_json::to_string(posting),
    };
    let json = json.map_err(|_| LedgerError::Unwritable)?;
    let content = json.strip_suffix('}').ok_or(LedgerError::Unwritable)?;
    let hash = seal(previous, content);
    Ok((format!("{content}{SEAL}{hash}{END}"), hash))
}

/// The content of a line as JSON, and its hash, if that seals the content after `previous`.
pub(super) fn unsealed(previous: &str, line: &str) -> Option<(String, String)> {
    let (content, hash) = line.strip_suffix(END)?.rsplit_once(SEAL)?;
    (seal(previous, content) == hash).then(|| (format!("{content}}}"), hash.to_owned()))
}

/// The opening in the content of the first line.
pub(super) fn opening(json: &str) -> Result<Opening, LedgerError> {
    let mut line: Versioned<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(json).map_err(|_| LedgerError::NotALedger)?;
    if line.ledger > FORMAT {
        return Err(LedgerError::Newer);
    }
    if line.ledger == 1 {
        // One ledger is for all columns of a data set now.
        line.opening.remove("schema");
    }
    serde_json::from_value(line.opening.into()).map_err(|_| LedgerError::NotALedger)
}

/// SHA-256 over the hash before and the content. The two cannot run together: hashes have a fixed length.
fn seal(previous: &str, content: &str) -> String {
    hexadecimal(&Sha256::new().chain_update(previous).chain_update("\n").chain_update(content).finalize())
}

/// Bytes as lower-case hexadecimal.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
