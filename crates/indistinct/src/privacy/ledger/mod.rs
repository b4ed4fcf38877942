//! The ledger: the privacy budget of one data set, across releases, as text that shows what was done to it.
//!
//! ```text
//! # indistinct privacy ledger ...                                 a comment
//! # entries 000002 head 5f2a...                                   how many lines follow, and the hash of the last
//! {"ledger":2,"time":...,"id":...,"epsilon":3.0,...,"hash":...}   the budget
//! {"time":...,"epsilon":0.5,"what":...,"schema":...,"hash":...}   a charge
//! ```
//!
//! One ledger is for one data set, whatever columns and persons are released from it. Its charges add up in an
//! [`Account`].
//!
//! Every line carries the SHA-256 of its own text and of the hash before it, so that no line can be changed, left
//! out or moved without the next one showing it; and the second line, which is overwritten in place, says how
//! many there must be, so that cutting lines off the end shows too. Someone who rewrites the *whole* file cannot
//! be found out by the file alone: keep the head of the chain elsewhere if that matters.
//!
//! This module maps text to text. The program that keeps the file must write in this order, which is part of the
//! promise:
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
//! - killed in step 2 or 4, the header is the old one, the new one, or the beginning of the new one over the old one.
//!   This is told apart from a changed header by its bytes, as both are known from the entries; the next charge
//!   repairs it.
//!
//! Checked by `tests/privacy_ledger.rs`, which kills at every byte.

mod account;
mod entry;
mod error;
mod parse;
mod price;
mod request;

pub use account::{Account, Left, Total};
pub use entry::{Opening, Posting};
pub use error::LedgerError;
pub use price::Price;
pub use request::Request;

use super::{Delta, Epsilon, Neighbours};
use account::NextReleases;
use entry::{Line, sealed};
use sha2::{Digest, Sha256};

/// The first line, up to its end.
const COMMENT: &str = "# indistinct privacy ledger: every line is sealed by its hash; do not edit, only append \
                       (`indistinct synth --ledger`)";

/// Most lines that the header can count.
const MOST_ENTRIES: usize = 999_999;

/// A ledger that was read and whose chain is intact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    opening: Opening,
    postings: Vec<Posting>,
    /// The hash of the last entry.
    head: String,
    /// Bytes of the text up to the end of the last entry.
    keep: usize,
    /// Whether the last entry lacks its line end.
    unterminated: bool,
    /// Whether the header does not count the last entry.
    uncounted: bool,
    /// The offset of the header: the length of the comment.
    header_at: usize,
}

/// The parts to write to charge a ledger, in this order, each synced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// First write this at [`header_at`](Self::header_at), if present: a killed run left the header behind.
    pub repair: Option<String>,
    /// Then cut the file to this many bytes, which drops a torn last line if there is one.
    pub keep: u64,
    /// Write this at the end.
    pub text: String,
    /// Then write this header at [`header_at`](Self::header_at).
    pub header: String,
    /// The offset of the header, which replaces the old one of the same length.
    pub header_at: u64,
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

    /// Charges a release, if it fits and is for the same data set.
    ///
    /// # Guarantee
    /// All charges together stay within the ledger's total, by [`Account::fits`], in exact arithmetic, whatever
    /// runs were killed; that bounds what all releases together reveal (`proofs/ledger_account.md`). Write the
    /// result as the module says, *before* anything is released.
    ///
    /// # Errors
    /// If the release has no guarantee to add up, does not fit, is for another data set or other neighbours, or
    /// costs nothing; the ledger is then as it was.
    pub fn charge(&mut self, request: &Request<'_>) -> Result<Append, LedgerError> {
        let (price, provided) = request.price()?;
        if price.epsilon.is_zero() {
            return Err(LedgerError::Nothing);
        }
        match (&self.opening.id, request.id) {
            (Some(own), Some(asked)) if own != asked => {
                return Err(LedgerError::AnotherDataSet { own: own.clone(), asked: asked.to_owned() });
            }
            (None, Some(_)) => return Err(LedgerError::NoName),
            _ => {}
        }
        self.require_room(&price, request.neighbours)?;
        if self.entries() >= MOST_ENTRIES {
            return Err(LedgerError::Full);
        }
        let posting = Posting {
            time: request.time.to_owned(),
            epsilon: price.epsilon,
            delta: price.delta,
            rho: price.rho,
            neighbours: request.neighbours,
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

    /// Refuses a price that does not fit.
    fn require_room(&self, price: &Price, neighbours: Neighbours) -> Result<(), LedgerError> {
        let own = price.between(neighbours, self.opening.neighbours).ok_or(LedgerError::OtherNeighbours)?;
        let account = self.account();
        if account.with(&own, 1).fits(self.opening.total()) {
            return Ok(());
        }
        let Price { epsilon: asked, delta, .. } = *price;
        if !delta.is_zero() && account.remaining_delta(self.opening.total()).is_zero() {
            return Err(LedgerError::NoDelta(delta));
        }
        let next = NextReleases { count: 1, delta, neighbours, ledger: self.opening.neighbours };
        let left = account.largest_epsilon(self.opening.total(), &next);
        Err(LedgerError::Exhausted { asked, left, delta })
    }

    /// The first entry: the total budget.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// All charges, in order.
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// Number of entries, including the opening.
    pub fn entries(&self) -> usize {
        1 + self.postings.len()
    }

    /// The hash of the last entry: kept elsewhere, it shows whether the file was rewritten.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// The sums of all charges, for the ledger's neighbours.
    pub fn account(&self) -> Account {
        self.accounts().last().unwrap_or_default()
    }

    /// The sums after each charge.
    pub fn accounts(&self) -> impl Iterator<Item = Account> {
        self.postings.iter().scan(Account::default(), |account, posting| {
            // None of the postings is of other neighbours: no such charge is taken, nor read.
            let price = posting.price().between(posting.neighbours, self.opening.neighbours)?;
            *account = account.with(&price, 1);
            Some(*account)
        })
    }

    /// The least epsilon of an account at the ledger's delta: the part of the total that it takes.
    pub fn counted(&self, account: &Account) -> Epsilon {
        let Total { epsilon, delta } = self.opening.total();
        // Rounding up must not make what fits exceed the total.
        account.epsilon_at(delta).unwrap_or(epsilon).min(epsilon)
    }

    /// The epsilon of all charges together at the ledger's delta.
    pub fn spent(&self) -> Epsilon {
        self.counted(&self.account())
    }

    /// The epsilon and delta of all charges together, at the sum of their deltas or at the ledger's delta if that
    /// is less.
    pub fn together(&self) -> Total {
        let account = self.account();
        let delta = account.deltas().min(self.opening.delta);
        Total { epsilon: account.epsilon_at(delta).unwrap_or(self.opening.epsilon), delta }
    }

    /// The budget for one more release.
    pub fn left(&self) -> Left {
        let delta = self.remaining_delta();
        let with_delta = (!delta.is_zero()).then(|| Total { epsilon: self.remaining_for(1, delta), delta });
        Left { pure: self.remaining(), with_delta }
    }

    /// The largest epsilon of a pure release that fits.
    pub fn remaining(&self) -> Epsilon {
        self.remaining_for(1, Delta::ZERO)
    }

    /// The largest epsilon with which this many releases fit, each with this delta and for the ledger's
    /// neighbours; zero if there is none.
    pub fn remaining_for(&self, releases: u64, delta: Delta) -> Epsilon {
        let neighbours = self.opening.neighbours;
        let next = NextReleases { count: releases, delta, neighbours, ledger: neighbours };
        self.account().largest_epsilon(self.opening.total(), &next)
    }

    /// The delta at which the rhos of further charges can be converted: zero if only pure releases fit.
    pub fn remaining_delta(&self) -> Delta {
        self.account().remaining_delta(self.opening.total())
    }

    /// The number of further releases like a charged one that would fit, up to a million.
    pub fn how_many_like(&self, posting: &Posting) -> u64 {
        let price = posting.price().between(posting.neighbours, self.opening.neighbours);
        price.map_or(0, |price| self.account().how_many(self.opening.total(), &price, MOST_ENTRIES as u64))
    }
}

/// The second line, which always has the same length.
fn header(entries: usize, head: &str) -> String {
    format!("# entries {entries:06} head {head}\n")
}

/// The hash before the first entry: it seals the comment.
fn genesis(comment: &str) -> String {
    entry::hexadecimal(&Sha256::digest(comment))
}
