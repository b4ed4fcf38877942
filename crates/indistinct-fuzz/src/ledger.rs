//! Ledgers: what can be read is charged, and what that makes of the text is read again as the same.
//!
//! Every line of a ledger is sealed by a hash that no mutation hits. So the bytes are read as they are, and once more
//! with all hashes put right: as whoever can write the file could write it.

use indistinct::privacy::ledger::{Append, Ledger, Request};
use indistinct::privacy::{Delta, Guarantee, Rho};
use sha2::{Digest, Sha256};

/// A ledger.
pub(crate) fn ledger(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    charged(text);
    charged(&sealed(text));
}

fn charged(text: &str) {
    let mut ledger = match Ledger::parse(text) {
        Ok(ledger) => ledger,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.advice().to_string().is_empty());
            return;
        }
    };
    let total = ledger.opening().total();
    assert!(ledger.account().fits(total) && ledger.spent() <= total.epsilon, "nothing is overdrawn");
    assert!(ledger.together().delta <= total.delta);
    let before = (ledger.account(), ledger.entries());
    let id = ledger.opening().id.clone();
    let left = ledger.left();
    let (epsilon, delta) =
        left.with_delta.map_or((left.pure, Delta::ZERO), |total| (total.epsilon, total.delta));
    let guarantee =
        if delta.is_zero() { Guarantee::Pure { epsilon } } else { Guarantee::Approximate { epsilon, delta } };
    let request = Request {
        time: "2020-01-01T00:00:00Z",
        guarantee: &guarantee,
        rho: (!delta.is_zero()).then(|| Rho::largest(epsilon, delta)),
        neighbours: ledger.opening().neighbours,
        accept_conditional: false,
        what: "all that is left",
        schema: "a table",
        id: id.as_deref(),
    };
    match ledger.charge(&request) {
        Err(error) => {
            assert!(epsilon.is_zero() && error.is_refusal(), "{error}");
            assert_eq!((ledger.account(), ledger.entries()), before);
        }
        Ok(append) => {
            assert!(ledger.account().fits(total), "what is left fits");
            assert_eq!(Ledger::parse(&appended(text, &append)).as_ref(), Ok(&ledger));
        }
    }
}

/// The text of the ledger after a charge.
fn appended(text: &str, append: &Append) -> String {
    let mut bytes = text.as_bytes()[..append.keep as usize].to_vec();
    bytes.extend(append.text.as_bytes());
    let at = append.header_at as usize;
    bytes[at..at + append.header.len()].copy_from_slice(append.header.as_bytes());
    String::from_utf8(bytes).expect("a ledger is text")
}

/// The same with every hash that it should have, and as many entries counted as there are.
fn sealed(text: &str) -> String {
    let mut lines = text.split_inclusive('\n');
    let comment = lines.next().unwrap_or_default().trim_end_matches('\n').to_owned();
    lines.next();
    let mut head = hexadecimal(&Sha256::digest(&comment));
    let mut body = String::new();
    let mut entries = 0;
    for line in lines {
        let Some((content, _)) = line.rsplit_once(",\"hash\":\"") else {
            body.push_str(line);
            continue;
        };
        let digest = Sha256::new().chain_update(&head).chain_update("\n").chain_update(content).finalize();
        head = hexadecimal(&digest);
        body.push_str(&format!("{content},\"hash\":\"{head}\"}}\n"));
        entries += 1;
    }
    format!("{comment}\n# entries {entries:06} head {head}\n{body}")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
