//! Files that are read in passes, a part at a time, so that the table is never in memory.

mod kept;
mod parts;
mod ranges;
mod unordered;

use indistinct::privacy::SourceError;
use indistinct::private::{CountQuery, PrivateCounts, PrivateSource, PrivateTable};
use indistinct::table::Schema;

use crate::cells::Invalid;
use crate::error::ReadError;
use crate::source::Source;
use kept::KeptPart;
pub use kept::owned_rows;
pub(crate) use kept::{KeptRows, PersonChoice};
pub(crate) use parts::Division;
pub use parts::PassProgress;
pub use unordered::{ChosenPass, ChosenRows, PersonChooser, PersonColumn};

/// A private table in a file, whose rows are counted part by part: rows of a Parquet file, batches of an Arrow file, some
/// megabytes of text.
#[derive(Debug)]
pub struct FileInPasses {
    source: Source,
    schema: Schema,
    invalid: Invalid,
    division: Division,
    /// The rows that are kept of each person, where persons are told apart.
    kept: Option<KeptRows>,
}

impl FileInPasses {
    /// The measured columns of a file, as a schema declares them. Parts that are read at the same time take about this
    /// many bytes of memory. `progress` hears how far each pass is.
    ///
    /// # Errors
    /// When a batch of an Arrow file, which is read whole, is larger than that.
    pub fn new(
        source: Source,
        schema: Schema,
        invalid: Invalid,
        memory: usize,
        progress: Option<PassProgress>,
    ) -> Result<Self, SourceError> {
        let division = Division::new(schema.columns().len(), memory, progress);
        let largest = division.bytes_of(source.largest_batch());
        if largest > memory {
            return Err(SourceError::new(
                format!("{} has batches of rows that take more memory than was allowed", source.file()),
                format!(
                    "allow {} MB, or write the table as a Parquet file, which can be read in smaller parts",
                    largest.div_ceil(1_000_000)
                ),
            ));
        }
        Ok(Self { source, schema, invalid, division, kept: None })
    }

    /// Whether all parts of a file fit this many bytes of memory.
    pub(crate) fn fits(source: &Source, memory: usize) -> bool {
        Division::new(source.names().len(), memory, None).bytes_of(source.largest_batch()) <= memory
    }

    /// The file with at most so many rows of each person, chosen once for all passes by passes of their own.
    ///
    /// # Errors
    /// When the rows cannot be read, or do not say whose they are.
    pub(crate) fn of_persons(self, choice: &PersonChoice<'_>) -> Result<Self, ReadError> {
        let kept = KeptRows::choose(&self.source, &self.division, choice)?;
        Ok(Self { kept: Some(kept), ..self })
    }

    /// The counts of a part, and its number of rows in the file. Queries are for the columns that are read.
    fn count_part(
        &self,
        place: usize,
        part: &Source,
        columns: &[usize],
        queries: &[CountQuery],
    ) -> Result<(PrivateCounts, usize), ReadError> {
        let kept = match &self.kept {
            None => None,
            Some(kept) => match kept.of_part(place, part)? {
                KeptPart { source: None, rows } => return Ok((PrivateCounts::none(queries), rows)),
                KeptPart { source: Some(source), rows } => Some((source, rows)),
            },
        };
        let (source, rows) = kept.as_ref().map_or((part, None), |(source, rows)| (source, Some(*rows)));
        let table = source.read_asked(&self.schema, self.invalid, columns)?;
        let rows = rows.unwrap_or(table.rows());
        Ok((PrivateTable::new(table).count(queries), rows))
    }
}

impl PrivateSource for FileInPasses {
    fn count(&self, queries: &[CountQuery]) -> Result<PrivateCounts, SourceError> {
        let columns = CountQuery::columns(queries);
        let queries = CountQuery::for_columns(queries, &columns);
        let mut all = PrivateCounts::none(&queries);
        self.division.for_each(
            &self.source,
            |place, part| self.count_part(place, part, &columns, &queries),
            |(counts, rows)| all.add(&counts).map(|()| rows),
        )?;
        Ok(all)
    }
}

impl From<ReadError> for SourceError {
    /// The reason why a part could not be read, as it is said of whole files.
    fn from(error: ReadError) -> Self {
        Self::new(error.to_string(), error.advice())
    }
}
