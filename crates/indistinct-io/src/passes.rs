//! A file that is read in passes, a part at a time, so that the table is never in memory.

use indistinct::privacy::SourceError;
use indistinct::private::{CountQuery, PrivateCounts, PrivateSource, PrivateTable};
use indistinct::progress;
use indistinct::table::Schema;
use rayon::prelude::*;

use crate::cells::Invalid;
use crate::error::ReadError;
use crate::source::Source;

/// Bytes of a value in memory, with what is needed to read it.
const VALUE: usize = 24;
/// Least bytes of text that are read at once.
const LEAST_TEXT: usize = 1 << 20;
/// Most bytes of text that are read at once.
const MOST_TEXT: usize = 1 << 26;

/// A private table in a file, whose rows are counted part by part: groups of rows of a Parquet file, batches of an
/// Arrow file, some megabytes of text.
#[derive(Debug)]
pub struct FileInPasses {
    source: Source,
    schema: Schema,
    invalid: Invalid,
    /// Most bytes of memory for parts of the table.
    memory: usize,
}

impl FileInPasses {
    /// The measured columns of a file, as a schema declares them. Parts that are read at the same time take about this
    /// many bytes of memory.
    ///
    /// # Errors
    /// When a part of the file is larger than that.
    pub fn new(source: Source, schema: Schema, invalid: Invalid, memory: usize) -> Result<Self, SourceError> {
        let file = Self { source, schema, invalid, memory };
        let largest = file.source.rows_of_parts();
        let largest = largest.iter().max().map_or(0, |&rows| file.bytes_of(rows));
        if largest > memory {
            return Err(SourceError::new(
                format!("{} has groups of rows that take more memory than was allowed", file.source.file()),
                format!(
                    "allow {} MB, or write the file with smaller groups of rows (row_group_size=100_000 in pyarrow)",
                    largest.div_ceil(1_000_000)
                ),
            ));
        }
        Ok(file)
    }

    /// Bytes of memory for so many rows.
    fn bytes_of(&self, rows: usize) -> usize {
        rows.saturating_mul(self.schema.columns().len()).saturating_mul(VALUE)
    }

    /// Bytes of text for which parts of all threads together fit the memory.
    fn text_at_once(&self) -> usize {
        // Numbers of few digits take several times as much in memory as in text.
        (self.memory / (8 * rayon::current_num_threads())).clamp(LEAST_TEXT, MOST_TEXT)
    }

    /// The counts of a part, and its number of rows.
    fn count_part(&self, part: &Source, queries: &[CountQuery]) -> Result<(PrivateCounts, usize), ReadError> {
        let table = part.read_measured(&self.schema, self.invalid)?;
        let rows = table.rows();
        Ok((PrivateTable::new(table).count(queries), rows))
    }
}

impl PrivateSource for FileInPasses {
    fn count(&self, queries: &[CountQuery]) -> Result<PrivateCounts, SourceError> {
        let mut all = PrivateCounts::none(queries);
        let mut before = 0;
        let mut parts = self.source.parts(self.text_at_once());
        loop {
            progress::check();
            // As many at a time as there are threads, and as fit into memory: at least one.
            let mut batch = Vec::new();
            let mut bytes = 0;
            while batch.len() < rayon::current_num_threads() && (batch.is_empty() || bytes < self.memory / 2)
            {
                let Some(part) = parts.next() else { break };
                let (part, rows) = part.map_err(|error| source_error(&error))?;
                bytes += self.bytes_of(rows);
                batch.push(part);
            }
            if batch.is_empty() {
                break;
            }
            let counted: Vec<Result<(PrivateCounts, usize), ReadError>> =
                batch.par_iter().map(|part| self.count_part(part, queries)).collect();
            for counts in counted {
                let (counts, rows) = counts.map_err(|error| source_error(&error.after(before)))?;
                all.add(&counts)?;
                before += rows;
            }
        }
        Ok(all)
    }
}

/// The reason why a part could not be read, as it is said of whole files.
fn source_error(error: &ReadError) -> SourceError {
    SourceError::new(error.to_string(), error.advice())
}
