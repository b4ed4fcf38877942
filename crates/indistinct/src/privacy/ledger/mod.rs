//! The ledger: the privacy budget of one data set, across releases, as text that shows what was done to it.
//!
//! ```text
//! # indistinct privacy ledger ...                                 a comment
//! # entries 000002 head 5f2a...                                   how many lines follow, and the hash of the last
//! {"ledger":1,"time":...,"id":...,"epsilon":3.0,...,"hash":...}   the budget
//! {"time":...,"epsilon":0.5,"what":...,"schema":...,"hash":...}   a charge
//! ```
//!
//! Every line carries the SHA-256 of its own text and of the hash before it, so that no line can be changed, left out
//! or moved without the next one showing it; and the second line, which is overwritten in place, says how many there
//! must be, so that cutting lines off the end shows too. Who rewrites the *whole* file cannot be found out by the file
//! alone: keep the head of the chain elsewhere if that matters.
//!
//! This is text in and text out. The order of writing that whoever keeps the file must follow is part of the promise:
//!
//! 1. lock the file, read it, [`Ledger::parse`] it and [`Ledger::charge`] it;
//! 2. if there is an [`Append::repair`], write it at [`Append::header_at`], and sync;
//! 3. cut the file to [`Append::keep`] bytes, write [`Append::text`] there, and sync;
//! 4. write [`Append::header`] at [`Append::header_at`], and sync;
//! 5. only then release anything.
//!
//! # Guarantee
//! Killed at any moment, budget may be lost but never privacy:
//! - killed in step 3, the last line may be torn. The header does not count it, and nothing was released for it, as
//!   that is step 5: it is dropped. A torn line that the header counts was whole once, and that is an error;
//! - killed between 3 and 4, a whole last line is not counted by the header. Nothing was released for it; it is
//!   counted all the same, as a charge, since that is the safe side. The next charge repairs the header before it
//!   appends, so that it is never more than one line behind, whatever is killed again;
//! - killed in step 2 or 4, the header is the old one, the new one, or the beginning of the new one over the old one. That
//!   is told apart from a changed header by its bytes, as both are known from the entries; the next charge repairs it.
//!
//! Checked by `tests/privacy_ledger.rs`, which kills at every byte.

mod entry;
mod error;
mod parse;

pub use entry::{Opening, Posting};
pub use error::LedgerError;

use super::{Delta, Epsilon, Guarantee};
use entry::{Line, sealed};
use sha2::{Digest, Sha256};

/// The first line, up to its end.
const COMMENT: &str = "# indistinct privacy ledger: every line is sealed by its hash; do not edit, only append \
                       (`indistinct synth --ledger`)";

/// The most lines that the header can count.
const MOST_ENTRIES: usize = 999_999;

/// A ledger that was read and whose chain holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    opening: Opening,
    postings: Vec<Posting>,
    /// The hash of the last entry.
    head: String,
    /// Bytes of the text up to the end of the last entry.
    keep: usize,
    /// Whether that entry lacks the end of its line.
    unterminated: bool,
    /// Whether the header does not count that entry.
    uncounted: bool,
    /// Where the header begins: the length of the comment.
    header_at: usize,
}

/// What to write to charge a ledger, in this order, each part synced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// First write this at [`header_at`](Self::header_at), if it is there: a killed run left the header behind.
    pub repair: Option<String>,
    /// Then cut the file to so many bytes: it drops a torn last line, and nothing otherwise.
    pub keep: u64,
    /// Write this there.
    pub text: String,
    /// Then write this,
    pub header: String,
    /// at this place, over the old one of the same length.
    pub header_at: u64,
}

/// What is to be charged, and for which data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// When, as RFC 3339 text.
    pub time: &'a str,
    /// What the release will promise: what it costs follows from that.
    pub guarantee: &'a Guarantee,
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
    /// The epsilon and delta that a ledger can add up, and what they are conditional on.
    ///
    /// # Guarantee
    /// Sums of epsilons bound what releases reveal together only if every one of them has its guarantee
    /// (`proofs/budget_charge.md`): what has none cannot be added, whatever epsilon was asked for.
    ///
    /// # Errors
    /// If the release will promise nothing, or only conditionally where that was not accepted.
    pub fn cost(&self) -> Result<(Epsilon, Delta, &[String]), LedgerError> {
        let guarantee = self.guarantee;
        match guarantee {
            Guarantee::Pure { epsilon } => Ok((*epsilon, Delta::ZERO, &[])),
            Guarantee::Approximate { epsilon, delta } => Ok((*epsilon, *delta, &[])),
            Guarantee::Conditional { epsilon, provided, .. } if self.accept_conditional => {
                Ok((*epsilon, guarantee.delta(), provided))
            }
            Guarantee::Conditional { provided, .. } => Err(LedgerError::Conditional(provided.join("; "))),
            Guarantee::AtStationarity { .. } => {
                Err(LedgerError::NoGuarantee { kind: guarantee.kind(), why: String::new() })
            }
            Guarantee::None { because } => Err(LedgerError::NoGuarantee {
                kind: guarantee.kind(),
                why: format!(", because {}", because.join("; ")),
            }),
        }
    }
}

impl Ledger {
    /// The text of a new ledger.
    ///
    /// # Errors
    /// If the opening cannot be written as JSON, which does not happen.
    pub fn open_text(opening: &Opening) -> Result<String, LedgerError> {
        let (line, head) = sealed(&genesis(COMMENT), &Line::Opening(opening))?;
        Ok(format!("{COMMENT}\n{}{line}\n", header(1, &head)))
    }

    /// Charges a release, if it fits and is for the same table.
    ///
    /// # Guarantee
    /// The sums of all charges, of epsilons and of deltas, never exceed the ledger's totals, in exact arithmetic,
    /// whatever runs were killed; by composition (`proofs/budget_charge.md`) that bounds what all releases together
    /// reveal. Write the result as the module says, *before* anything is released.
    ///
    /// # Errors
    /// If the release has no guarantee to add up, does not fit, is for another table, or costs nothing; the ledger is then
    /// as it was.
    pub fn charge(&mut self, request: &Request<'_>) -> Result<Append, LedgerError> {
        let (epsilon, delta, provided) = request.cost()?;
        if epsilon.is_zero() {
            return Err(LedgerError::Nothing);
        }
        let another_id = match (&self.opening.id, request.id) {
            (_, None) => false,
            (Some(own), Some(id)) => own != id,
            (None, Some(_)) => return Err(LedgerError::NoName),
        };
        if another_id || self.schema().is_some_and(|own| own != request.schema) {
            return Err(LedgerError::AnotherTable);
        }
        let left = self.remaining();
        if epsilon > left {
            return Err(LedgerError::Exhausted { asked: epsilon, left });
        }
        let left = self.remaining_delta();
        if delta > left {
            return Err(LedgerError::ExhaustedDelta { asked: delta, left });
        }
        if self.entries() >= MOST_ENTRIES {
            return Err(LedgerError::Full);
        }
        let posting = Posting {
            time: request.time.to_owned(),
            epsilon,
            delta,
            what: request.what.to_owned(),
            schema: request.schema.to_owned(),
            provided: provided.to_vec(),
        };
        let (line, head) = sealed(&self.head, &Line::Posting(&posting))?;
        let text = format!("{}{line}\n", if self.unterminated { "\n" } else { "" });
        let repair = self.uncounted.then(|| header(self.entries(), &self.head));
        let keep = self.keep as u64;
        self.keep += text.len();
        self.unterminated = false;
        self.uncounted = false;
        self.postings.push(posting);
        self.head = head;
        let header = header(self.entries(), &self.head);
        Ok(Append { repair, keep, text, header, header_at: self.header_at as u64 })
    }

    /// The first entry: what there was to spend.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// All charges, in order.
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// How many entries there are, the opening among them.
    pub fn entries(&self) -> usize {
        1 + self.postings.len()
    }

    /// The hash of the last entry: kept elsewhere, it shows whether the file was rewritten.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// What was spent.
    pub fn spent(&self) -> Epsilon {
        self.postings.iter().map(|posting| posting.epsilon).sum()
    }

    /// What is left.
    pub fn remaining(&self) -> Epsilon {
        self.opening.epsilon.saturating_sub(self.spent())
    }

    /// The deltas that were spent.
    pub fn spent_delta(&self) -> Delta {
        self.postings.iter().map(|posting| posting.delta).fold(Delta::ZERO, Delta::saturating_add)
    }

    /// The delta that is left.
    pub fn remaining_delta(&self) -> Delta {
        self.opening.delta.saturating_sub(self.spent_delta())
    }

    /// The fingerprint of the table that this is the ledger of: declared when it was opened, or that of the first charge.
    pub fn schema(&self) -> Option<&str> {
        self.opening.schema.as_deref().or(self.postings.first().map(|posting| posting.schema.as_str()))
    }
}

/// The second line: always of the same length.
fn header(entries: usize, head: &str) -> String {
    format!("# entries {entries:06} head {head}\n")
}

/// What stands for the hash before the first entry: it seals the comment.
fn genesis(comment: &str) -> String {
    entry::hexadecimal(&Sha256::digest(comment))
}
