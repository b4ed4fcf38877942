//! Separated text (CSV, TSV), read in blocks by all threads.

mod blocks;
mod columns;
mod fields;
mod form;
mod input;
mod load;
mod marks;
mod part;
mod rows;
mod slot;
mod starts;

use crate::cells::{Collector, Total};
use crate::error::Problem;
use blocks::Blocks;
pub(crate) use form::Formed;
pub(crate) use input::Input;
pub(crate) use load::Text;
pub(crate) use part::rows_of;
use slot::{Slot, Workspace};

/// Bytes of a block, which one thread reads at a time, so that it stays in the processor's cache.
const BLOCK: usize = 1 << 17;
/// Least bytes of a block for every column: the memory for each block and column is then in proportion to the
/// text.
const BLOCK_PER_COLUMN: usize = 1 << 8;
/// Bytes in which the rows of a sample start.
const SAMPLE: usize = 1 << 16;

/// Reads all rows, of which there must be one; `collector` returns a fresh collector for a column. The result has one
/// entry per column.
pub(crate) fn collect(
    text: &Text,
    collector: &(dyn Fn(usize) -> Collector + Sync),
) -> Result<Vec<Total>, Problem> {
    if text.body().is_empty() {
        return Err(Problem::NoRows);
    }
    collect_blocks(text, BLOCK.max(BLOCK_PER_COLUMN * text.names().len()), collector)
}

/// Reads blocks of this size, which is fixed so that nothing depends on the number of threads.
fn collect_blocks(
    text: &Text,
    size: usize,
    collector: &(dyn Fn(usize) -> Collector + Sync),
) -> Result<Vec<Total>, Problem> {
    let threads = rayon::current_num_threads();
    let blocks = Blocks::new(text, size, threads, collector);
    rayon::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| blocks.work());
        }
    });
    blocks.finish()
}

/// Reads the first rows only, as far as they are well-formed: `collect` will report errors.
pub(crate) fn sample(text: &Text, collector: &dyn Fn(usize) -> Collector) -> Vec<Collector> {
    let mut slot = Slot::new((0..text.names().len()).map(collector).collect());
    let body = text.body();
    let block = body.start..body.end.min(body.start + SAMPLE);
    slot.read(text, &block, Some(body.start), &mut Workspace::default());
    slot.collectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{Dictionary, Missing};
    use crate::source::Header;
    use proptest::prelude::*;
    use std::sync::Arc;

    /// The cells of all columns, read in blocks of this size.
    fn read(text: &[u8], size: usize) -> Result<Vec<Vec<String>>, Problem> {
        let text = Text::new(Input::Memory(text.to_vec()), b',', Header::Present)?;
        let missing = Arc::new(Missing::usual());
        let collector = |_| Collector::Text(Dictionary::new(Arc::clone(&missing)));
        let totals = collect_blocks(&text, size, &collector)?;
        let cells = totals.into_iter().map(|total| {
            let Total::Text(total) = total else { unreachable!("asked for text") };
            let (levels, codes) = total.finish();
            codes.iter().map(|&code| levels.get(code as usize).cloned().unwrap_or_default()).collect()
        });
        Ok(cells.collect())
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let row = |row: usize| format!("{row},\"{}\n,\"\n", "x".repeat(row % 7));
        let good: String = (0..3000).map(row).collect();
        let bad = format!("{good}1,2,3\n{good}");
        for text in [format!("p,q\n{good}"), format!("p,q\n{bad}")] {
            let whole = read(text.as_bytes(), text.len());
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| read(text.as_bytes(), 50)), whole, "{threads} threads");
            }
        }
    }

    proptest! {
        /// Any text reads the same wherever it is cut into blocks.
        #[test]
        fn blocks_do_not_show(body in "(a|b|,|,|\n|\n|\"|\r\n|é|\"\"|,\"|\",|\"\n|1,2\n|\"x\ny\",z\n){0,60}", size in 1_usize..40) {
            let text = format!("p,q\n{body}");
            prop_assert_eq!(read(text.as_bytes(), size), read(text.as_bytes(), text.len()));
        }

        /// Rows of the right length read the same too, with quotes of every kind.
        #[test]
        fn blocks_do_not_show_in_good_rows(
            rows in prop::collection::vec("(a{0,9}|\"(b|,|\n|\"\"){0,9}\"),(c{0,9}|\"(d|,|\r\n|\"\"){0,9}\")\r?\n", 1..30),
            size in 1_usize..60,
        ) {
            let text = format!("p,q\n{}", rows.concat());
            let whole = read(text.as_bytes(), text.len());
            prop_assert!(whole.is_ok());
            prop_assert_eq!(read(text.as_bytes(), size), whole);
        }

        /// One row of an only column does not decide whether others are rows: blank lines are missing values wherever
        /// they are, in blocks and in parts.
        #[test]
        fn blank_lines_of_an_only_column_are_rows(
            rows in prop::collection::vec(("(|a|bb|\"\"|\"x\ny\"|\"\"\"\")", "\r?\n"), 0..40),
            size in 1_usize..20,
            part in 1_usize..20,
            named: bool,
        ) {
            let body: String = rows.iter().map(|(cell, end)| format!("{cell}{end}")).collect();
            prop_assume!(named || rows.iter().any(|(cell, _)| !cell.is_empty()));
            let header = if named { Header::Present } else { Header::Absent };
            let text = if named { format!("p\r\n{body}") } else { body };
            let text = Text::new(Input::Memory(text.into_bytes()), b',', header).unwrap();
            let missing = Arc::new(Missing::usual());
            let collector = |_: usize| Collector::Text(Dictionary::new(Arc::clone(&missing)));
            let cells = |text: &Text| -> Vec<String> {
                let Total::Text(total) = collect_blocks(text, size, &collector).unwrap().remove(0) else {
                    unreachable!("asked for text")
                };
                let (levels, codes) = total.finish();
                codes.iter().map(|&code| levels.get(code as usize).cloned().unwrap_or_default()).collect()
            };
            let expected: Vec<String> = rows
                .iter()
                .map(|(cell, _)| match cell.strip_prefix('"') {
                    Some(quoted) => quoted[..quoted.len() - 1].replace("\"\"", "\""),
                    None => cell.clone(),
                })
                .collect();
            prop_assert_eq!(&cells(&text), &expected);
            let (mut start, mut together) = (text.body().start, Vec::new());
            while let Some((own, next)) = text.part_from(start, part).unwrap() {
                together.extend(cells(&own));
                start = next;
            }
            prop_assert_eq!(&together, &expected);
        }
    }
}
