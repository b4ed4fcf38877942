//! `model.json`: everything that `sample` needs to make more rows. It contains only what was released.

use std::path::Path;

use indistinct::mixed::{MixedModel, VersionOneModel};
use indistinct::model::{Regression, SequentialNormal};
use indistinct::synthesis::{Model, ReleasedModel};
use indistinct::table::{ColumnType, Schema};
use serde::{Deserialize, Serialize};

use crate::schema_file::{parse_schema, write_schema};

/// The newest version of the file format, for models of any columns.
const FORMAT: u32 = 2;
/// The first version of the file format, which models of numbers still have.
const FIRST_FORMAT: u32 = 1;

/// The reason why a model file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {what}")]
pub struct ModelFileError {
    file: String,
    what: String,
    advice: &'static str,
}

impl ModelFileError {
    /// The problem, without the file's name.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Advice in one line.
    pub fn advice(&self) -> &'static str {
        self.advice
    }
}

/// The names of the kinds of models in a file.
const NORMAL: &str = "sequential normal";
const MIXED: &str = "mixed";

/// The file as written, with draws of one kind.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<D> {
    tool: String,
    version: String,
    format: u32,
    family: String,
    rows: usize,
    /// The text of a schema file.
    schema: String,
    draws: Vec<D>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Draw {
    location: Vec<f64>,
    /// The lower triangle of the factor: x = location + factor * z, z standard normal.
    factor: Vec<Vec<f64>>,
    /// The model as regressions on the columns before, for readers.
    regressions: Vec<Columnwise>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columnwise {
    /// The intercept; null where it is beyond doubles, as with slopes on columns that hardly vary.
    intercept: Option<f64>,
    slopes: Vec<Option<f64>>,
    sd: f64,
}

/// The part that any version of the file has.
#[derive(Deserialize)]
struct Header {
    tool: String,
    format: u32,
    #[serde(default)]
    family: String,
}

/// The text of the file.
///
/// # Errors
/// When a number is not finite, which JSON cannot spell; or when draws are of different kinds.
pub fn model_json(model: &ReleasedModel) -> Result<String, serde_json::Error> {
    let normal: Option<Vec<Draw>> = model.draws.iter().map(normal_draw).collect();
    if let Some(draws) = normal {
        // JSON would have null for them.
        if !draws.iter().all(Draw::is_finite) {
            return Err(serde::ser::Error::custom("a parameter is not finite"));
        }
        return Ok(serde_json::to_string_pretty(&document(model, FIRST_FORMAT, NORMAL, draws))? + "\n");
    }
    // Margins are long lists of numbers, which nobody reads one below the other.
    if let Some(draws) = mixed_draws(model) {
        return Ok(serde_json::to_string(&document(model, FORMAT, MIXED, draws))? + "\n");
    }
    if let Some(draws) = version_one_draws(model) {
        return Ok(serde_json::to_string(&document(model, FIRST_FORMAT, MIXED, draws))? + "\n");
    }
    Err(serde::ser::Error::custom("draws of different kinds"))
}

fn mixed_draws(model: &ReleasedModel) -> Option<Vec<&MixedModel>> {
    fn mixed(model: &Model) -> Option<&MixedModel> {
        if let Model::Mixed(model) = model { Some(model) } else { None }
    }
    model.draws.iter().map(mixed).collect()
}

fn version_one_draws(model: &ReleasedModel) -> Option<Vec<&VersionOneModel>> {
    fn version_one(model: &Model) -> Option<&VersionOneModel> {
        if let Model::VersionOne(model) = model { Some(model) } else { None }
    }
    model.draws.iter().map(version_one).collect()
}

fn document<D>(model: &ReleasedModel, format: u32, family: &str, draws: Vec<D>) -> Document<D> {
    Document {
        tool: "indistinct".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        format,
        family: family.to_owned(),
        rows: model.rows,
        schema: write_schema(&model.schema),
        draws,
    }
}

/// Reads a model file.
///
/// # Errors
/// When it cannot be read, is not a model file, is of a newer version, or contradicts itself.
pub fn read_model(path: &Path) -> Result<ReleasedModel, ModelFileError> {
    let file = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => parse_model(&file, &text),
        Err(error) => Err(ModelFileError {
            file,
            what: format!("cannot be read: {error}"),
            advice: "name the model.json of a release",
        }),
    }
}

/// Reads the text of a model file, which messages call `file`.
///
/// # Errors
/// When it is not a model file, is of a newer version, or contradicts itself.
pub fn parse_model(file: &str, text: &str) -> Result<ReleasedModel, ModelFileError> {
    let fail = |what: String, advice| ModelFileError { file: file.to_owned(), what, advice };
    let foreign = || fail("this is not a model file".to_owned(), "name the model.json of a release");
    let header: Header = serde_json::from_str(text).map_err(|_| foreign())?;
    if header.tool != "indistinct" {
        return Err(foreign());
    }
    if header.format > FORMAT {
        let what = format!("the file has format {}, and this program knows up to {FORMAT}", header.format);
        return Err(fail(what, "use the version of indistinct that made it, or a newer one"));
    }
    let damaged = |what: &str| fail(format!("the model is damaged: {what}"), "copy the release again");
    let schema_of = |text: &str| parse_schema(text).map_err(|error| damaged(&error.to_string()));
    let measured_of = |schema: &Schema| schema.measured().map_err(|error| damaged(&error.to_string()));
    match header.family.as_str() {
        NORMAL => {
            let document: Document<Draw> =
                serde_json::from_str(text).map_err(|error| damaged(&error.to_string()))?;
            let schema = schema_of(&document.schema)?;
            let measured = measured_of(&schema)?;
            let columns = measured.columns().len();
            let numeric = |kind: &ColumnType| matches!(kind, ColumnType::Float | ColumnType::Integer);
            let numeric = measured.columns().iter().all(|column| numeric(column.kind()));
            let fit = document.draws.iter().all(|draw| draw.fits(columns));
            if document.draws.is_empty() || !fit || !numeric {
                return Err(damaged("its parameters do not fit its columns"));
            }
            let theta = |draw: Draw| Model::Normal(SequentialNormal::new(draw.location, draw.factor));
            Ok(ReleasedModel {
                schema,
                rows: document.rows,
                draws: document.draws.into_iter().map(theta).collect(),
            })
        }
        MIXED if header.format == FIRST_FORMAT => {
            let document: Document<VersionOneModel> =
                serde_json::from_str(text).map_err(|error| damaged(&error.to_string()))?;
            let schema = schema_of(&document.schema)?;
            let measured = measured_of(&schema)?;
            let checked = |model: &VersionOneModel| model.check(measured.columns());
            let draws = checked_draws(document.draws, checked).map_err(damaged)?;
            let draws = draws.into_iter().map(Model::VersionOne).collect();
            Ok(ReleasedModel { schema, rows: document.rows, draws })
        }
        MIXED => {
            let document: Document<MixedModel> =
                serde_json::from_str(text).map_err(|error| damaged(&error.to_string()))?;
            let schema = schema_of(&document.schema)?;
            let measured = measured_of(&schema)?;
            let checked = |model: &MixedModel| model.check(measured.columns());
            let draws = checked_draws(document.draws, checked).map_err(damaged)?;
            let draws = draws.into_iter().map(Model::Mixed).collect();
            Ok(ReleasedModel { schema, rows: document.rows, draws })
        }
        _ => Err(damaged("its family is not known")),
    }
}

/// Checks that there is at least one draw, and that each of them is valid.
fn checked_draws<M>(
    draws: Vec<M>,
    check: impl Fn(&M) -> Result<(), &'static str>,
) -> Result<Vec<M>, &'static str> {
    if draws.is_empty() {
        return Err("it has no draws");
    }
    draws.iter().try_for_each(check)?;
    Ok(draws)
}

impl Draw {
    fn is_finite(&self) -> bool {
        self.location.iter().chain(self.factor.iter().flatten()).all(|value| value.is_finite())
    }

    fn fits(&self, columns: usize) -> bool {
        let triangular = self.factor.iter().enumerate().all(|(j, row)| row.len() == j + 1 && row[j] > 0.0);
        self.is_finite() && triangular && self.location.len() == columns && self.factor.len() == columns
    }
}

fn normal_draw(model: &Model) -> Option<Draw> {
    let Model::Normal(model) = model else { return None };
    let finite = |value: f64| value.is_finite().then_some(value);
    let columnwise = |Regression { intercept, slopes, sd }| Columnwise {
        intercept: finite(intercept),
        slopes: slopes.into_iter().map(finite).collect(),
        sd,
    };
    Some(Draw {
        location: model.location().to_vec(),
        factor: model.factor().to_vec(),
        regressions: model.regressions().into_iter().map(columnwise).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::table::{ColumnSchema, Derive};

    fn model() -> ReleasedModel {
        let columns = ["x", "y"].map(|name| ColumnSchema::new(name, ColumnType::Float)).to_vec();
        ReleasedModel {
            schema: Schema::new(vec!["NA".to_owned()], columns).unwrap(),
            rows: 5000,
            draws: vec![Model::Normal(SequentialNormal::new(
                vec![0.1, -1e300],
                vec![vec![1.0 / 3.0], vec![5e-324, 2.0]],
            ))],
        }
    }

    fn read(text: &str) -> Result<ReleasedModel, ModelFileError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        std::fs::write(&path, text).unwrap();
        read_model(&path)
    }

    #[test]
    fn numbers_come_back_to_the_last_bit() {
        assert_eq!(read(&model_json(&model()).unwrap()).unwrap(), model());
    }

    #[test]
    fn slopes_beyond_doubles_are_left_out_and_other_numbers_are_not() {
        let mut model = model();
        model.draws = vec![Model::Normal(SequentialNormal::new(
            vec![1.0, 1e308],
            vec![vec![1e-300], vec![1e300, 2.0]],
        ))];
        let text = model_json(&model).unwrap();
        assert!(text.contains("null"));
        assert_eq!(read(&text).unwrap(), model);
        model.draws = vec![Model::Normal(SequentialNormal::new(
            vec![1.0, f64::INFINITY],
            vec![vec![1.0], vec![0.0, 2.0]],
        ))];
        assert!(model_json(&model).is_err());
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
        let text = model_json(&model).unwrap();
        assert_eq!(read(&text).unwrap(), model);
        // The text of a file made before the schema had any of this.
        let old = r#"{"tool": "indistinct", "version": "0.1.0", "format": 1, "family": "sequential normal", "rows": 9,
            "schema": "version = 1\nmissing = [\"NA\"]\n\n[[column]]\nname = \"x\"\ntype = \"float\"\n",
            "draws": [{"location": [1.0], "factor": [[2.0]], "regressions": [{"intercept": 1.0, "slopes": [], "sd": 2.0}]}]}"#;
        let old = read(old).unwrap();
        assert_eq!(old.schema.columns(), [ColumnSchema::new("x", ColumnType::Float)]);
        assert!(old.schema.constraints().is_empty());
        // Derived columns and focus are kept, and have no part in the draws.
        let derive = Derive { expression: "x + y".to_owned(), ..Derive::default() };
        let sum = ColumnSchema::new("sum", ColumnType::Float).with_derive(Some(derive));
        let mut columns = vec![sum];
        columns.extend(model.schema.columns().iter().cloned().map(|column| column.with_focus(Some(3.0))));
        let derived = ReleasedModel { schema: Schema::new(vec![], columns).unwrap(), ..model.clone() };
        assert_eq!(read(&model_json(&derived).unwrap()).unwrap(), derived);
        let broken = text.replace("x <= y", "x <= z");
        assert!(read(&broken).unwrap_err().to_string().contains("damaged"));
    }

    #[test]
    fn other_files_are_refused() {
        let text = model_json(&model()).unwrap();
        assert!(read("{}").unwrap_err().to_string().contains("not a model file"));
        assert!(
            read(&text.replace("\"format\": 1", "\"format\": 3"))
                .unwrap_err()
                .to_string()
                .contains("format 3")
        );
        assert!(read(&text.replace("2.0", "-2.0")).unwrap_err().to_string().contains("damaged"));
        assert!(read(&text[..text.len() / 2]).is_err());
    }
}
