//! `certificate.json`: what can be read is checked, shown, and written and read again as the same.

use indistinct::privacy::Certificate;
use indistinct_io::{ReleaseCheck, is_overclaim};
use indistinct_report::text::verify;

/// A certificate.
pub(crate) fn certificate(bytes: &[u8]) {
    let Ok(certificate) = serde_json::from_slice::<Certificate>(bytes) else { return };
    let problems = certificate.check();
    for problem in &problems {
        _ = is_overclaim(&certificate, problem);
        assert!(!problem.to_string().is_empty());
    }
    let written = serde_json::to_string(&certificate).expect("what was read has a spelling");
    let back: Certificate = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(back, certificate, "what was written is read as the same");
    let check = ReleaseCheck { certificate, problems, files: Vec::new(), contradictions: Vec::new() };
    assert!(!verify::as_text(&check, "release").is_empty());
    _ = verify::as_json(&check, "release").to_string();
}
