//! `model.json`: what can be read is written and read again as the same, and makes rows.

use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::synthesis::synthetic_table;
use indistinct_io::{Format, model_json, parse_model, write_to};

/// Rows that are made of every draw.
const ROWS: usize = 20;
/// Draws of which rows are made.
const DRAWS: usize = 3;

/// A model file.
pub(crate) fn model(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    let model = match parse_model("model.json", text) {
        Ok(model) => model,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.advice().is_empty());
            return;
        }
    };
    let written = model_json(&model).expect("numbers that were read are finite");
    assert_eq!(parse_model("model.json", &written).as_ref(), Ok(&model));
    let measured = model.schema.measured().expect("a model of columns");
    for draw in model.draws.iter().take(DRAWS) {
        let mut random = Seed(1).stream(0);
        if let Ok(table) = synthetic_table(draw, &measured, None, ROWS, &mut random, &Silent) {
            let table = model.schema.with_derived(table);
            assert_eq!(table.rows(), ROWS);
            _ = write_to(&table, Format::CSV, &mut Vec::new());
        }
    }
}
