//! Columns from the golden files that R made.

use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, Values};
use serde_json::Value;

/// A list of numbers; null is missing.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|item| item.as_f64().unwrap_or(f64::NAN)).collect()
}

pub(crate) fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

/// A column of numbers, of levels if it has any, or a boolean one if it says so.
pub(crate) fn column(value: &Value) -> Column {
    let name = value["name"].as_str().unwrap();
    let codes = || {
        let codes = value["values"].as_array().unwrap().iter();
        codes.map(|code| code.as_u64().map_or(MISSING_CODE, |code| code as u32)).collect()
    };
    if value["boolean"] == true {
        let kind = ColumnType::Boolean { when_false: "no".to_owned(), when_true: "yes".to_owned() };
        Column::new(ColumnSchema::new(name, kind), Values::Code(codes()))
    } else if value["levels"].is_array() {
        let levels = strings(&value["levels"]);
        let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
        Column::nominal(name, &levels, codes())
    } else {
        Column::float(name, numbers(&value["values"]))
    }
}
