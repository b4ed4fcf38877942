//! A release in memory: the private table is gone, and everything here may be published.

use super::{Model, SampleError, synthetic_table, table_of};
use crate::privacy::{Certificate, Randomness};
use crate::progress::{Progress, Silent};
use crate::random::{Generator, Seed};
use crate::table::{Condition, Schema, Table};

/// Random streams of synthetic tables are numbered from here on, past those of the draws.
const TABLE_STREAMS: u64 = 1 << 32;

/// A released model: the schema, and one model for each private draw.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleasedModel {
    /// The schema, including derived columns, which are not in the draws.
    pub schema: Schema,
    /// Rows of the private table, or the noisy count of them.
    pub rows: usize,
    /// The model of each draw.
    pub draws: Vec<Model>,
}

/// A request for rows of a released model.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// Number of rows.
    pub rows: usize,
    /// The private draw to use, counted from 1.
    pub draw: usize,
    /// A condition that rows must pass.
    pub filter: Option<&'a Condition>,
}

impl ReleasedModel {
    /// Makes rows that pass the filter and satisfy the constraints of the schema, and computes its derived columns.
    ///
    /// # Guarantee
    /// The model has the measured columns; derived ones are computed from finished rows, and nothing else is
    /// looked at.
    ///
    /// # Errors
    /// When there is no such draw, or the model hardly ever makes such rows.
    pub fn sample(
        &self,
        sample: Sample<'_>,
        random: &mut Generator,
        progress: &dyn Progress,
    ) -> Result<Table, SampleError> {
        if sample.rows == 0 {
            return Err(SampleError::NoRows);
        }
        let model = sample.draw.checked_sub(1).and_then(|draw| self.draws.get(draw));
        let model = model.ok_or(SampleError::NoSuchDraw(self.draws.len()))?;
        let filter = sample.filter.map(|condition| self.schema.measured_condition(condition));
        let measured = self.schema.measured()?;
        let table = synthetic_table(model, &measured, filter.as_ref(), sample.rows, random, progress)?;
        Ok(self.schema.with_derived(table))
    }
}

/// The source of rows.
#[derive(Debug, Clone, PartialEq)]
pub enum RowSource {
    /// One model for each draw.
    Model(ReleasedModel),
    /// No model, but the tables themselves.
    Tables {
        /// The schema of their columns.
        schema: Schema,
        /// Their columns.
        tables: Vec<Vec<Vec<f64>>>,
    },
}

/// A release: the source of its rows, and the certificate that says what was paid for it.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "privacy was paid for: use it or say why not"]
pub struct Release {
    source: RowSource,
    /// The certificate; `None` if a model came without it.
    certificate: Option<Certificate>,
    rows: usize,
    seed: Option<u64>,
}

impl Release {
    /// A release from its parts, such as those kept in files.
    pub fn of_parts(
        source: RowSource,
        certificate: Option<Certificate>,
        rows: usize,
        seed: Option<u64>,
    ) -> Self {
        Self { source, certificate, rows, seed }
    }

    /// The source of rows.
    pub fn source(&self) -> &RowSource {
        &self.source
    }

    /// The schema of the columns.
    pub fn schema(&self) -> &Schema {
        match &self.source {
            RowSource::Model(model) => &model.schema,
            RowSource::Tables { schema, .. } => schema,
        }
    }

    /// The certificate, which lists no files.
    ///
    /// # Panics
    /// When the release was put together without one: see [`certified`](Self::certified).
    pub fn certificate(&self) -> &Certificate {
        self.certified().expect("a release that was made here has a certificate")
    }

    /// The certificate, if there is one: a model that was read from a file may come without.
    pub fn certified(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// Number of rows of each table.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The seed with which it was made, if it was seeded: it then has no guarantee.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Number of tables of each draw.
    pub fn tables(&self) -> u64 {
        self.certificate.as_ref().map_or(1, |certificate| certificate.facts().tables)
    }

    /// Number of tables in all.
    pub fn count(&self) -> u64 {
        match &self.source {
            RowSource::Model(model) => model.draws.len() as u64 * self.tables(),
            RowSource::Tables { tables, .. } => tables.len() as u64,
        }
    }

    /// Sets the number of tables of each draw, which cost nothing.
    ///
    /// # Errors
    /// When there is no model to make them from, or the number is zero.
    pub fn with_tables(mut self, tables: u64) -> Result<Self, SampleError> {
        if tables == self.tables() {
            return Ok(self);
        }
        if tables == 0 {
            return Err(SampleError::NoTables);
        }
        if let RowSource::Tables { .. } = self.source {
            return Err(SampleError::NoModel);
        }
        self.certificate = self.certificate.map(|certificate| certificate.with_tables(tables));
        Ok(self)
    }

    /// The randomness of its tables: that of its seed, or fresh.
    ///
    /// # Errors
    /// When the operating system gives no random numbers.
    pub fn streams(&self) -> Result<Randomness, SampleError> {
        Ok(match self.seed {
            Some(seed) => Randomness::seeded(Seed(seed)),
            None => Randomness::from_system()?,
        })
    }

    /// Table number `number`, counted from 0: the tables of the first draw come first.
    ///
    /// # Errors
    /// When no rows satisfy the schema.
    pub fn table(
        &self,
        number: u64,
        streams: &Randomness,
        progress: &dyn Progress,
    ) -> Result<Table, SampleError> {
        match &self.source {
            RowSource::Model(model) => {
                let draw = (number / self.tables()) as usize + 1;
                let sample = Sample { rows: self.rows, draw, filter: None };
                model.sample(sample, &mut streams.public_stream(TABLE_STREAMS + number), progress)
            }
            RowSource::Tables { schema, tables } => {
                let columns = tables.get(number as usize).ok_or(SampleError::NoSuchDraw(tables.len()))?;
                Ok(schema.with_derived(table_of(columns.clone(), schema.measured()?.columns())))
            }
        }
    }

    /// Makes rows from the first draw, at no cost to privacy.
    ///
    /// # Errors
    /// When no rows satisfy the schema, or each of them would have to be paid for.
    pub fn sample(&self, rows: usize) -> Result<Table, SampleError> {
        self.sample_as(Sample { rows, draw: 1, filter: None }, None, &Silent)
    }

    /// Makes rows from any draw, with a condition, from the random numbers of `seed`. Without a seed, rows of a
    /// seeded release are those of its first table of the draw, and rows of any other release are new every time.
    ///
    /// # Errors
    /// When there is no such draw, or no rows satisfy the demand.
    pub fn sample_as(
        &self,
        sample: Sample<'_>,
        seed: Option<u64>,
        progress: &dyn Progress,
    ) -> Result<Table, SampleError> {
        if sample.rows == 0 {
            return Err(SampleError::NoRows);
        }
        let first = sample.draw.saturating_sub(1) as u64 * self.tables();
        match &self.source {
            RowSource::Model(model) => {
                let mut random = match (seed, self.seed) {
                    (Some(seed), _) => Seed(seed).stream(0),
                    (None, Some(_)) => self.streams()?.public_stream(TABLE_STREAMS + first),
                    (None, None) => Randomness::from_system()?.public_stream(0),
                };
                model.sample(sample, &mut random, progress)
            }
            RowSource::Tables { .. } if first >= self.count() || sample.draw == 0 => {
                Err(SampleError::NoSuchDraw((self.count() / self.tables()) as usize))
            }
            RowSource::Tables { .. } => {
                if sample.rows != self.rows || sample.filter.is_some() || seed.is_some() {
                    return Err(SampleError::NoModel);
                }
                self.table(first, &self.streams()?, progress)
            }
        }
    }
}
