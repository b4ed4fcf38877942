//! What was drawn, and synthetic tables of it: from here on no private row is looked at.

use std::path::Path;

use indistinct::privacy::{Certificate, Randomness};
use indistinct::random::Generator;
use indistinct::release::table_of;
use indistinct::table::{Schema, Table};
use indistinct_io::{FileState, ModelFile, ReleaseCheck};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::randomness;
use crate::Failure;
use crate::sample::{SampleOptions, model_failure, sample};

/// Random streams of synthetic tables are numbered from here on, past those of the draws.
const TABLE_STREAMS: u64 = 1 << 32;

/// What rows are made from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Made {
    /// A model of each draw.
    Model(ModelFile),
    /// No model, but the tables themselves.
    Tables {
        /// What their columns mean.
        schema: Schema,
        /// Their columns.
        tables: Vec<Vec<Vec<f64>>>,
    },
}

/// A release in memory: the private table is gone, and what is here may be published.
#[derive(Debug, Clone, PartialEq)]
pub struct Released {
    made: Made,
    /// Without files; none if a model came without it.
    certificate: Option<Certificate>,
    rows: usize,
    seed: Option<u64>,
}

/// A release as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    model: String,
    certificate: Option<Certificate>,
    rows: usize,
    seed: Option<u64>,
}

impl Released {
    pub(super) fn new(made: Made, certificate: Certificate, rows: usize, seed: Option<u64>) -> Self {
        Self { made, certificate: Some(certificate), rows, seed }
    }

    /// A released model from its file, with the certificate of its release where that lies beside it and lists the file as
    /// it is.
    ///
    /// # Errors
    /// When it cannot be read or is no model.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let model = ModelFile::read(path).map_err(|error| model_failure(&error))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let listed = |check: &ReleaseCheck| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            check.files.iter().any(|file| file.name == name && file.state == FileState::Same)
        };
        let certificate = ReleaseCheck::of(folder).ok().filter(listed);
        // Its tables are not those that will be made from here on.
        let certificate =
            certificate.map(|check| changed(&check.certificate, "files", json!({}))).transpose()?;
        let rows = model.rows;
        Ok(Self { made: Made::Model(model), certificate, rows, seed: None })
    }

    /// The release that [`to_text`](Self::to_text) wrote.
    ///
    /// # Errors
    /// When the text is none.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let document: Document = serde_json::from_str(text)
            .map_err(|_| Failure::failed("this is no release").advise("make it again from its model.json"))?;
        let Document { model, certificate, rows, seed } = document;
        let model = ModelFile::parse("model", &model).map_err(|error| model_failure(&error))?;
        Ok(Self { made: Made::Model(model), certificate, rows, seed })
    }

    /// All of it as text.
    ///
    /// # Errors
    /// When there is no model.
    pub fn to_text(&self) -> Result<String, Failure> {
        let document = Document {
            model: self.model_json()?,
            certificate: self.certificate.clone(),
            rows: self.rows,
            seed: self.seed,
        };
        serde_json::to_string(&document).map_err(Failure::failed)
    }

    /// What rows are made from.
    pub(super) fn made(&self) -> &Made {
        &self.made
    }

    /// What the columns mean.
    pub fn schema(&self) -> &Schema {
        match &self.made {
            Made::Model(model) => &model.schema,
            Made::Tables { schema, .. } => schema,
        }
    }

    /// The certificate, without files.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// The text of its model file.
    ///
    /// # Errors
    /// When there is no model.
    pub fn model_json(&self) -> Result<String, Failure> {
        match &self.made {
            Made::Model(model) => model.to_json().map_err(Failure::failed),
            Made::Tables { .. } => Err(no_model()),
        }
    }

    /// Rows of each table.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Tables of each draw.
    pub fn tables(&self) -> u64 {
        self.certificate.as_ref().map_or(1, |certificate| certificate.facts().tables)
    }

    /// Tables in all.
    pub fn count(&self) -> u64 {
        match &self.made {
            Made::Model(model) => model.draws.len() as u64 * self.tables(),
            Made::Tables { tables, .. } => tables.len() as u64,
        }
    }

    /// The same with so many tables of each draw, which cost nothing.
    ///
    /// # Errors
    /// When there is no model to make them from, or it is to be none at all.
    pub fn with_tables(mut self, tables: u64) -> Result<Self, Failure> {
        if tables == self.tables() {
            return Ok(self);
        }
        if tables == 0 {
            return Err(Failure::failed("the number of tables must be at least 1")
                .advise("leave the option out for the usual 1"));
        }
        if let Made::Tables { .. } = self.made {
            return Err(no_model());
        }
        if let Some(certificate) = &self.certificate {
            self.certificate = Some(changed(certificate, "tables", json!(tables))?);
        }
        Ok(self)
    }

    /// The randomness of its tables: that of its seed, or fresh.
    pub(super) fn streams(&self) -> Result<Randomness, Failure> {
        randomness(self.seed)
    }

    /// Table number `number`, counted from 0: the tables of the first draw come first.
    pub(super) fn table(
        &self,
        number: u64,
        streams: &Randomness,
        progress: &dyn Fn(usize),
    ) -> Result<Table, Failure> {
        match &self.made {
            Made::Model(model) => {
                let draw = (number / self.tables()) as usize + 1;
                let options = SampleOptions { rows: self.rows, draw, condition: None };
                sample(model, &options, &mut streams.public_stream(TABLE_STREAMS + number), progress)
            }
            Made::Tables { schema, tables } => {
                let measured = schema.measured().map_err(Failure::failed)?;
                Ok(schema.with_derived(table_of(tables[number as usize].clone(), measured.columns())))
            }
        }
    }

    /// More rows, at no cost. They start where `seed` says as `indistinct sample` has it; without, those of a seeded
    /// release are those of its first table of the draw, and those of any other are new every time.
    ///
    /// # Errors
    /// When there is no such draw, or rows cannot be made as demanded.
    pub fn sample(
        &self,
        options: &SampleOptions,
        seed: Option<u64>,
        progress: &dyn Fn(usize),
    ) -> Result<Table, Failure> {
        options.check()?;
        let first = options.draw.saturating_sub(1) as u64 * self.tables();
        match &self.made {
            Made::Model(model) => {
                let mut random: Generator = match (seed, self.seed) {
                    (None, Some(_)) => self.streams()?.public_stream(TABLE_STREAMS + first),
                    (seed, _) => crate::sample::random(seed)?,
                };
                sample(model, options, &mut random, progress)
            }
            Made::Tables { .. } if first >= self.count() || options.draw == 0 => {
                Err(crate::sample::no_such_draw((self.count() / self.tables()) as usize))
            }
            Made::Tables { .. } => {
                if options.rows != self.rows || options.condition.is_some() || seed.is_some() {
                    return Err(no_model());
                }
                self.table(first, &self.streams()?, progress)
            }
        }
    }
}

/// A certificate that says something else of what is no claim. It cannot be set, but read it can be.
fn changed(certificate: &Certificate, field: &str, value: Value) -> Result<Certificate, Failure> {
    let mut document = serde_json::to_value(certificate).map_err(Failure::failed)?;
    document[field] = value;
    serde_json::from_value(document).map_err(Failure::failed)
}

fn no_model() -> Failure {
    Failure::failed("a smooth histogram has no model to make rows from: each of its rows is paid for")
        .advise("use the tables that were released, or another method")
}
