//! `model.json`: everything that `sample` needs to make more rows. Made of released things only.

use std::path::Path;

use indistinct::model::{Regression, SequentialNormal};
use indistinct::table::Schema;
use serde::{Deserialize, Serialize};

use crate::schema_file::{parse_schema, write_schema};

/// The version of the file format.
const FORMAT: u32 = 1;

/// A released model: the schema, and one theta for each private draw.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFile {
    /// What the columns mean.
    pub schema: Schema,
    /// Rows of the private table, which are public.
    pub rows: usize,
    /// The parameters of each draw.
    pub draws: Vec<SequentialNormal>,
}

/// Why a model file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {what}")]
pub struct ModelFileError {
    file: String,
    what: String,
    advice: &'static str,
}

impl ModelFileError {
    /// What to do about it, in one line.
    pub fn advice(&self) -> &'static str {
        self.advice
    }
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    tool: String,
    version: String,
    format: u32,
    family: String,
    rows: usize,
    /// A schema file.
    schema: String,
    draws: Vec<Draw>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Draw {
    location: Vec<f64>,
    /// Lower triangle: x = location + factor * z, z standard normal.
    factor: Vec<Vec<f64>>,
    /// The same as regressions on the columns before, for readers.
    regressions: Vec<Columnwise>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columnwise {
    intercept: f64,
    slopes: Vec<f64>,
    sd: f64,
}

/// What any version of the file has.
#[derive(Deserialize)]
struct Header {
    tool: String,
    format: u32,
}

impl ModelFile {
    /// The text of the file.
    ///
    /// # Errors
    /// When a number is not finite: JSON has no spelling for it.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let draw = |model: &SequentialNormal| Draw {
            location: model.location().to_vec(),
            factor: model.factor().to_vec(),
            regressions: model
                .regressions()
                .into_iter()
                .map(|Regression { intercept, slopes, sd }| Columnwise { intercept, slopes, sd })
                .collect(),
        };
        let document = Document {
            tool: "indistinct".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            family: "sequential normal".to_owned(),
            rows: self.rows,
            schema: write_schema(&self.schema),
            draws: self.draws.iter().map(draw).collect(),
        };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// When it cannot be read, is not a model file, is of a newer version, or contradicts itself.
    pub fn read(path: &Path) -> Result<Self, ModelFileError> {
        let fail = |what: String, advice| ModelFileError { file: path.display().to_string(), what, advice };
        let text = std::fs::read_to_string(path)
            .map_err(|error| fail(format!("cannot be read: {error}"), "name the model.json of a release"))?;
        let foreign = || fail("this is not a model file".to_owned(), "name the model.json of a release");
        let header: Header = serde_json::from_str(&text).map_err(|_| foreign())?;
        if header.tool != "indistinct" {
            return Err(foreign());
        }
        if header.format > FORMAT {
            let what =
                format!("the file has format {}, and this program knows up to {FORMAT}", header.format);
            return Err(fail(what, "use the version of indistinct that made it, or a newer one"));
        }
        let damaged = |what: &str| fail(format!("the model is damaged: {what}"), "copy the release again");
        let document: Document = serde_json::from_str(&text).map_err(|error| damaged(&error.to_string()))?;
        let schema = parse_schema(&document.schema).map_err(|error| damaged(&error.to_string()))?;
        let columns = schema.columns().len();
        let fits = |draw: &Draw| {
            let finite =
                draw.location.iter().chain(draw.factor.iter().flatten()).all(|value| value.is_finite());
            let triangular =
                draw.factor.iter().enumerate().all(|(j, row)| row.len() == j + 1 && row[j] > 0.0);
            finite && triangular && draw.location.len() == columns && draw.factor.len() == columns
        };
        if document.draws.is_empty() || !document.draws.iter().all(fits) {
            return Err(damaged("its parameters do not fit its columns"));
        }
        let draws = document
            .draws
            .into_iter()
            .map(|draw| SequentialNormal::new(draw.location, draw.factor))
            .collect();
        Ok(Self { schema, rows: document.rows, draws })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::table::{ColumnSchema, ColumnType};

    fn model() -> ModelFile {
        let columns = ["x", "y"].map(|name| ColumnSchema::new(name, ColumnType::Float)).to_vec();
        ModelFile {
            schema: Schema::new(vec!["NA".to_owned()], columns).unwrap(),
            rows: 5000,
            draws: vec![SequentialNormal::new(vec![0.1, -1e300], vec![vec![1.0 / 3.0], vec![5e-324, 2.0]])],
        }
    }

    fn read(text: &str) -> Result<ModelFile, ModelFileError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        std::fs::write(&path, text).unwrap();
        ModelFile::read(&path)
    }

    #[test]
    fn numbers_come_back_to_the_last_bit() {
        assert_eq!(read(&model().to_json().unwrap()).unwrap(), model());
    }

    #[test]
    fn all_of_the_schema_goes_along_and_older_files_are_read() {
        let mut model = model();
        let columns = vec![
            ColumnSchema::new("x", ColumnType::Float)
                .with_decimals(Some(2))
                .with_atoms(vec![0.0])
                .with_limits(Some(0.0), None),
            ColumnSchema::new("y", ColumnType::Float).with_predictors(Some(vec!["x".to_owned()])),
        ];
        let schema = Schema::new(vec!["NA".to_owned()], columns).unwrap();
        model.schema = schema.with_constraint("x <= y", Some("so it is")).unwrap();
        let text = model.to_json().unwrap();
        assert_eq!(read(&text).unwrap(), model);
        // The text of a file made before the schema had any of this.
        let old = r#"{"tool": "indistinct", "version": "0.1.0", "format": 1, "family": "sequential normal", "rows": 9,
            "schema": "version = 1\nmissing = [\"NA\"]\n\n[[column]]\nname = \"x\"\ntype = \"float\"\n",
            "draws": [{"location": [1.0], "factor": [[2.0]], "regressions": [{"intercept": 1.0, "slopes": [], "sd": 2.0}]}]}"#;
        let old = read(old).unwrap();
        assert_eq!(old.schema.columns(), [ColumnSchema::new("x", ColumnType::Float)]);
        assert!(old.schema.constraints().is_empty());
        let broken = text.replace("x <= y", "x <= z");
        assert!(read(&broken).unwrap_err().to_string().contains("damaged"));
    }

    #[test]
    fn other_files_are_refused() {
        let text = model().to_json().unwrap();
        assert!(read("{}").unwrap_err().to_string().contains("not a model file"));
        assert!(
            read(&text.replace("\"format\": 1", "\"format\": 2"))
                .unwrap_err()
                .to_string()
                .contains("format 2")
        );
        assert!(read(&text.replace("2.0", "-2.0")).unwrap_err().to_string().contains("damaged"));
        assert!(read(&text[..text.len() / 2]).is_err());
    }
}
