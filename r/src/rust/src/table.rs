//! Data frames as tables that can be read.

use std::path::PathBuf;
use std::sync::Arc;

use extendr_api::prelude::*;
use indistinct::table::{MISSING_CODE, MISSING_DATE, MISSING_INTEGER};
use indistinct_io::arguments::Arguments;
use indistinct_io::{Failure, MemoryColumn, MemoryValues, Source, open, read_failure};

use crate::given::Given;
use crate::job::{Answer, reply, start};

/// Microseconds in a second.
const MICROSECONDS: f64 = 1e6;

/// A table that can be read. It has a copy of the rows, and lives as long as the call that made it.
pub(crate) struct Table(Arc<Source>);

/// The source behind an R object.
pub(crate) fn source_of(table: &Robj) -> std::result::Result<Arc<Source>, Failure> {
    let table = ExternalPtr::<Table>::try_from(table.clone());
    table.map(|table| Arc::clone(&table.0)).map_err(|_| Failure::failed("this is no table"))
}

/// Sources of several tables, with their names.
pub(crate) fn sources_of(tables: &List) -> std::result::Result<Vec<(String, Arc<Source>)>, Failure> {
    tables.iter().map(|(name, table)| Ok((name.to_owned(), source_of(&table)?))).collect()
}

/// A table of columns that R took apart: `name`, `kind`, `values` and `levels` of each. `name` is the table's in
/// messages.
#[extendr]
fn table_of_columns(name: &str, columns: List) -> Robj {
    let made = columns.values().map(|column| column_of(&column)).collect::<std::result::Result<Vec<_>, _>>();
    reply(made.and_then(|columns| Source::from_columns(name, columns).map_err(read_failure)).map(pointer))
}

/// A table in a file, which may have to be unpacked before anything of it can be read.
#[extendr]
fn start_table_of_file(path: String, options: List) -> Robj {
    start(&options, move |_| open(&PathBuf::from(path)).map(pointer))
}

fn pointer(source: Source) -> Answer {
    Box::new(move || ExternalPtr::new(Table(Arc::new(source))).into())
}

fn column_of(column: &Robj) -> std::result::Result<MemoryColumn, Failure> {
    let wrong = || Failure::failed("this is no column of a table");
    let column = List::try_from(column.clone()).map_err(|_| wrong())?;
    let given = Given(&column);
    let (name, kind) = (given.text("name")?.ok_or_else(wrong)?, given.text("kind")?.ok_or_else(wrong)?);
    let part = |wanted: &str| column.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value);
    let values = part("values").ok_or_else(wrong)?;
    let integers = || values.as_integer_slice().ok_or_else(wrong);
    let reals = || values.as_real_slice().ok_or_else(wrong);
    let levels = || part("levels").and_then(|levels| levels.as_string_vector()).unwrap_or_default();
    // R counts levels from 1.
    let code = |&code: &i32| if code.is_na() { MISSING_CODE } else { (code - 1) as u32 };
    let codes = || integers().map(|values| values.iter().map(code).collect::<Vec<u32>>());
    let values = match kind.as_str() {
        "float" => MemoryValues::Float(reals()?.to_vec()),
        "integer" => MemoryValues::Integer(integers()?.iter().map(|&value| whole(value)).collect()),
        "boolean" => {
            let truth = |&value: &i32| (!value.is_na()).then_some(value != 0);
            MemoryValues::Boolean(integers()?.iter().map(truth).collect())
        }
        "date" => MemoryValues::Date(reals()?.iter().map(|&value| day(value)).collect()),
        "datetime" => MemoryValues::DateTime(reals()?.iter().map(|&value| moment(value)).collect()),
        "text" => MemoryValues::Text { levels: levels(), codes: codes()? },
        "nominal" => MemoryValues::Factor { levels: levels(), codes: codes()?, ordered: false },
        "ordered" => MemoryValues::Factor { levels: levels(), codes: codes()?, ordered: true },
        _ => return Err(wrong()),
    };
    Ok(MemoryColumn { name, values })
}

fn whole(value: i32) -> i64 {
    if value.is_na() { MISSING_INTEGER } else { i64::from(value) }
}

/// The day that a date of R is on; parts of days are left out, and days that no calendar has are missing.
fn day(value: f64) -> i32 {
    let day = value.floor();
    let known = day > f64::from(MISSING_DATE) && day <= f64::from(i32::MAX);
    if known { day as i32 } else { MISSING_DATE }
}

/// The moment that seconds since 1970 name, to the microsecond.
fn moment(seconds: f64) -> i64 {
    let moment = (seconds * MICROSECONDS).round();
    let known = moment.abs() < 9_223_372_036_854_775_807.0;
    if known { moment as i64 } else { MISSING_INTEGER }
}

extendr_module! {
    mod table;
    fn table_of_columns;
    fn start_table_of_file;
}
