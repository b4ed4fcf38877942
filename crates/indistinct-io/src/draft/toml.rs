//! A draft as a schema file, with comments for the steward.

use std::fmt::Write as _;

use super::Draft;
use crate::schema_file::{VERSION, column_lines, delimiter_line, list, string};

const HEADER: &str = "\
#
# REVIEW BEFORE USE. Lines marked `learned from the private data` were found by looking at the private rows. Whoever
# reads this file learns them too: that is outside the privacy guarantee, as is a release that relies on them unreviewed.
# The steward of the data should
#   - replace what was learned by what is publicly known (a code book, a questionnaire), above all the levels:
#     rare levels can point at persons, and possible levels that did not occur are missing here;
#   - check that every name is a name, and not the value of a first record;
#   - check the type of every column: float, integer, nominal, ordered, boolean, date, datetime, identifier;
#   - declare codes such as -8 or 999 that stand for missing values: `missing = [\"-8\"]` below the column's type;
#   - declare as identifier what names rows or persons: such columns are read past and never released.
# Delete the marks when done.
";

const FOOTER: &str = "
# What no data can tell, and the steward may add where it is publicly known:
#   - below a column of numbers or dates its limits: `minimum = 0`, `maximum = 120`;
#   - below any column those that it may depend on, without circles: `predictors = [\"age\", \"sex\"]`;
#   - here, rules that every synthetic row shall satisfy (docs/schema.md has the language):
#       [[constraint]]
#       rule = \"married == false when age < 16\"
#       because = \"the law\"
";

/// The mark of a line that was learned.
const MARK: &str = "# learned from the private data:";

/// Whether the text of a schema file still has marks of a draft: the marked lines were found by looking at
/// private rows, and nobody has reviewed them.
pub fn has_marks(text: &str) -> bool {
    text.contains(MARK)
}

/// The text of a schema that was learned by a release, with a mark: whoever saves it and gives it to another release says
/// by it that nobody has reviewed it.
pub(crate) fn with_mark(text: &str) -> String {
    format!("{MARK} all of this. Review it, and delete this line.\n{text}")
}

pub(super) fn to_toml(draft: &Draft) -> String {
    // File names may contain line breaks; comments must not.
    let file = draft.file.replace(char::is_control, "?");
    let mut out = format!("# Draft of a schema for {file}\n{HEADER}\nversion = {VERSION}\n");
    out.push_str("# Spellings that mean missing, in every column: assumed, not learned.\n");
    // Writing to a string cannot fail.
    _ = writeln!(out, "missing = {}", list(draft.schema.missing()));
    if draft.schema.delimiter().is_some() {
        let line = delimiter_line(&draft.schema);
        _ = writeln!(out, "{}  {MARK} the header has it", line.trim_end());
    }
    for (column, notes) in draft.schema.columns().iter().zip(&draft.notes) {
        out.push_str("\n[[column]]\n");
        for line in &notes.learned {
            _ = writeln!(out, "{MARK} {line}");
        }
        if let Some(warning) = &notes.warning {
            _ = writeln!(out, "# WARNING: {warning}");
        }
        for line in &notes.check {
            _ = writeln!(out, "# check: {line}");
        }
        for line in column_lines(column) {
            let note = notes.keys.iter().find(|(key, _)| line.starts_with(&format!("{key} = ")));
            match note {
                Some((_, note)) => _ = writeln!(out, "{line}  {MARK} {note}"),
                None => _ = writeln!(out, "{line}"),
            }
        }
    }
    for constraint in draft.schema.constraints() {
        _ = writeln!(
            out,
            "\n[[constraint]]\n{MARK} it holds in all rows; keep it if it must, delete it if that is chance"
        );
        _ = writeln!(out, "rule = {}", string(constraint.rule()));
    }
    out.push_str(FOOTER);
    out
}
