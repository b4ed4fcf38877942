//! The time, as written in ledgers and certificates.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};

/// The time in UTC, to the second, as RFC 3339 text: `2026-11-15T12:00:00Z`.
pub fn now() -> String {
    DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_time_is_rfc_3339_in_utc() {
        let now = super::now();
        assert!(now.len() == 20 && now.ends_with('Z'), "{now}");
        assert!(chrono::DateTime::parse_from_rfc3339(&now).is_ok());
    }
}
