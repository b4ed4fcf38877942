//! Reading a ledger, and detecting changes to it.

use super::entry::{self, Opening, Posting, unsealed};
use super::{COMMENT, Ledger, LedgerError, MOST_ENTRIES, genesis, header};

/// The beginning of the first line in every version.
const MAGIC: &str = "# indistinct privacy ledger";
/// The beginning of the second line.
const HEADER: &str = "# entries ";

impl Ledger {
    /// Reads a ledger and checks its chain, its count, and that nothing was overdrawn.
    ///
    /// # Guarantee
    /// A charge for which a release was made is counted, or this is an error: such a charge was synced, and
    /// counted by a synced header, before the release. So a line that is neither whole nor counted can be
    /// dropped; see the module.
    ///
    /// # Errors
    /// If the text is not a ledger, or is one of a newer version, or if lines were changed or are missing.
    pub fn parse(text: &str) -> Result<Self, LedgerError> {
        let (comment, rest) = text.split_once('\n').ok_or(LedgerError::NotALedger)?;
        if !comment.starts_with(MAGIC) {
            return Err(LedgerError::NotALedger);
        }
        let (header_line, body) = rest.split_once('\n').ok_or(LedgerError::NotALedger)?;
        if !header_line.starts_with(HEADER) {
            return Err(LedgerError::Header);
        }
        let mut chain = Chain::new(genesis(comment));
        for piece in body.split_inclusive('\n') {
            let (line, ended) = piece.strip_suffix('\n').map_or((piece, false), |line| (line, true));
            let entry = chain.hashes.len();
            match unsealed(chain.head(), line) {
                Some((json, hash)) => chain.extend(&json, hash, piece.len(), ended)?,
                // Only the last piece lacks the end of its line: it is torn, and the header must not count it.
                None if !ended => break,
                // With the first line sealed by an unknown comment this is another version, or an edited one.
                None if entry == 1 && comment != COMMENT => return Err(LedgerError::Newer),
                None => return Err(LedgerError::Tampered { entry }),
            }
        }
        let found = chain.hashes.len() - 1;
        // One behind is a run that was killed before it counted its line, or while it did. Charging repairs that first: no
        // more can be.
        let uncounted = if chain.is_half_counted(header_line) {
            true
        } else {
            let (counted, counted_head) = read_header(header_line).ok_or(LedgerError::Header)?;
            if counted > found {
                return Err(LedgerError::Truncated { counted, found });
            }
            if found - counted > 1 || chain.hashes[counted] != counted_head {
                return Err(LedgerError::Header);
            }
            counted < found
        };
        let opening = chain.opening.ok_or(LedgerError::Truncated { counted: 1, found: 0 })?;
        let front = comment.len() + 1 + header_line.len() + 1;
        let ledger = Self {
            opening,
            postings: chain.postings,
            head: chain.hashes.pop().unwrap_or_default(),
            keep: front + chain.length,
            unterminated: chain.unterminated,
            uncounted,
            header_at: comment.len() + 1,
        };
        if ledger.account().fits(ledger.opening.total()) { Ok(ledger) } else { Err(LedgerError::Overdrawn) }
    }
}

/// The entries read so far.
struct Chain {
    /// The hashes of the comment and of every entry.
    hashes: Vec<String>,
    opening: Option<Opening>,
    postings: Vec<Posting>,
    length: usize,
    unterminated: bool,
}

impl Chain {
    fn new(genesis: String) -> Self {
        Self { hashes: vec![genesis], opening: None, postings: Vec::new(), length: 0, unterminated: false }
    }

    fn head(&self) -> &str {
        self.hashes.last().map_or("", String::as_str)
    }

    /// Whether the second line is one that a killed run was writing over the one before: the new one up to some
    /// byte, and the old one from there.
    fn is_half_counted(&self, line: &str) -> bool {
        let [.., before, last] = &self.hashes[1..] else { return false };
        let found = self.hashes.len() - 1;
        let (new, old) = (header(found, last), header(found - 1, before));
        let begun = line.bytes().zip(new.bytes()).take_while(|(own, new)| own == new).count();
        let rest = &line.as_bytes()[begun..];
        line.len() == old.trim_end().len() && !rest.is_empty() && old.trim_end().as_bytes().ends_with(rest)
    }

    /// Adds an entry whose seal is intact.
    fn extend(&mut self, json: &str, hash: String, length: usize, ended: bool) -> Result<(), LedgerError> {
        let entry = self.hashes.len();
        match &self.opening {
            None => self.opening = Some(entry::opening(json)?),
            Some(opening) => {
                let posting: Posting =
                    serde_json::from_str(json).map_err(|_| LedgerError::Tampered { entry })?;
                // No run writes a charge from which nothing follows for the ledger's neighbours.
                let price = posting.price().between(posting.neighbours, opening.neighbours);
                price.ok_or(LedgerError::Tampered { entry })?;
                self.postings.push(posting);
            }
        }
        self.hashes.push(hash);
        self.length += length;
        self.unterminated = !ended;
        Ok(())
    }
}

/// The count and the head in the second line, which must be written as this program writes it.
fn read_header(line: &str) -> Option<(usize, &str)> {
    let (count, head) = line.strip_prefix(HEADER)?.split_once(" head ")?;
    let count: usize = count.parse().ok()?;
    (count <= MOST_ENTRIES && count > 0 && header(count, head).trim_end() == line).then_some((count, head))
}
