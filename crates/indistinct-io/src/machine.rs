//! Memory that the machine has left.

use indistinct::number::{number_of, size};

use crate::Failure;

/// Bytes of a number, which is what the cell of a table takes at least.
const NUMBER: u64 = 8;

/// Bytes of memory that can be had, where the system tells.
pub(crate) fn free_memory() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Refuses tables for which there is certainly no memory, as the system would end the program. Room is assumed where the
/// system does not tell.
///
/// # Errors
/// When their numbers alone would not fit.
pub(crate) fn require_memory(rows: usize, columns: usize) -> Result<(), Failure> {
    free_memory().map_or(Ok(()), |free| fits(rows, columns, free))
}

fn fits(rows: usize, columns: usize, free: u64) -> Result<(), Failure> {
    let needed = (rows as u64).saturating_mul(columns as u64).saturating_mul(NUMBER);
    if needed <= free {
        return Ok(());
    }
    let (rows, columns) = (number_of(rows, "row"), number_of(columns, "column"));
    let what = format!(
        "{rows} of {columns} take at least {} of memory, of which {} are free",
        size(needed),
        size(free)
    );
    Err(Failure::failed(what)
        .advise("make fewer rows at a time: rows made again from a model are new, and cost nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_cannot_fit_are_refused() {
        assert!(fits(1000, 10, 80_000).is_ok());
        assert_eq!(
            fits(1000, 10, 50_000).unwrap_err().what(),
            "1000 rows of 10 columns take at least 80.0 kB of memory, of which 50.0 kB are free"
        );
        for rows in [usize::MAX, usize::MAX / 8, usize::MAX / 80 + 1] {
            assert!(fits(rows, 10, u64::MAX / 2).is_err(), "{rows}");
        }
    }
}
