//! Schema files: what can be read is written and read again as the same schema.

use indistinct_io::{Format, Invalid, SchemaFingerprint, Source, parse_schema, write_schema};

/// A schema file, and a table that it is used for.
pub(crate) fn schema(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    let schema = match parse_schema(text) {
        Ok(schema) => schema,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.advice().is_empty());
            return;
        }
    };
    let written = write_schema(&schema);
    assert_eq!(parse_schema(&written).as_ref(), Ok(&schema), "what is written is read as the same");
    _ = SchemaFingerprint::of(&schema);
    _ = schema.without_identifiers();
    if let Ok(measured) = schema.measured() {
        assert_eq!(measured.constraints().len(), schema.constraints().len(), "no rule is lost");
    }
    let names: Vec<String> =
        schema.columns().iter().map(|column| format!("\"{}\"", column.name().replace('"', "\"\""))).collect();
    let cells = vec!["1"; names.len()].join(",");
    let table = format!("{}\n{cells}\n{}\n", names.join(","), ",".repeat(names.len() - 1));
    if let Ok(source) = Source::from_reader("table", Format::CSV, table.as_bytes()) {
        _ = source.read(&schema);
        if let Ok(table) = source.read_measured(&schema, Invalid::Missing) {
            let whole = schema.with_derived(table);
            for constraint in schema.constraints() {
                let measured = schema.measured_condition(constraint.condition());
                let holds = constraint.condition().holds(&whole);
                assert_eq!(measured.holds(&whole), holds, "rules see derived columns as they are");
            }
        }
    }
}
