//! Schema files: TOML that declares what the columns of a table mean.
//!
//! ```toml
//! version = 1
//! missing = ["", "NA", "NaN", "?"]   # spellings that mean "missing" in every column (these are the default)
//! delimiter = ";"                    # between fields of text files; by their header unless declared
//!
//! [[column]]
//! name = "age"
//! type = "integer"        # float, integer, nominal, ordered, boolean, date, datetime, identifier
//! missing = ["-8"]        # further codes, for this column only
//!
//! [[column]]
//! name = "sex"
//! type = "nominal"        # ordered: levels from lowest to highest
//! levels = ["F", "M"]
//!
//! [[column]]
//! name = "smoker"
//! type = "boolean"
//! false = "no"            # default "false"
//! true = "yes"            # default "true"
//!
//! [[column]]
//! name = "born"
//! type = "date"
//! format = "%d/%m/%Y"     # default %Y-%m-%d; of a datetime %Y-%m-%dT%H:%M:%S%.f
//! minimum = 1900-01-01    # public limits, of numbers too; or a string in the column's format
//!
//! [[column]]
//! name = "income"
//! type = "float"
//! decimals = 2            # values are multiples of 0.01
//! decimal_mark = ","      # in text files; default "."
//! thousands = "."         # also ",", " ", "'" and "_"; default none
//! suffix = " €"           # also `prefix`
//! atoms = [0, -8]         # values with a mass of their own, within the limits or not
//! maximum = 1000000
//! predictors = ["age"]    # columns it may depend on
//! family = "skewed"       # normal, skewed, count or histogram
//! focus = 3               # tables with this column matter three times as much
//!
//! [[column]]
//! name = "income per month"
//! type = "float"
//! decimals = 2
//! derive = "income / 12"  # computed from other columns, not measured
//!
//! [[column]]
//! name = "title"
//! type = "nominal"
//! levels = ["Mr", "Ms"]
//! derive = "lookup(sex)"
//! [column.lookup]
//! F = "Ms"
//! M = "Mr"
//!
//! [[constraint]]
//! rule = "income == 0 when age < 15"
//! because = "children do not earn"
//! ```

mod column;
mod derive;
mod error;
mod parse;
mod reader;
mod write;

pub use error::SchemaFileError;
pub use parse::{parse_schema, read_schema, read_schema_text};
pub use write::write_schema;
pub(crate) use write::{column_lines, delimiter_line, list, string};

/// The version of the format that this program writes and reads.
pub(crate) const VERSION: i64 = 1;
