//! Rows that are counted part by part, elsewhere and in any order, give the same release as a table in memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use indistinct::Synthesis;
use indistinct::privacy::{Neighbours, Randomness, SourceError};
use indistinct::private::{CountQuery, PrivateCounts, PrivateSource, PrivateTable};
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::synthesis::SynthesisError;
use indistinct::table::Table;

use crate::{schema, table};

/// A table in parts, each of which is sent queries as bytes and sends counts as bytes.
struct Parts {
    tables: Vec<PrivateTable>,
    columns: usize,
    passes: AtomicUsize,
    /// The pass from which on the last part is missing.
    lost_from: usize,
}

impl Parts {
    fn of(table: &Table, parts: usize) -> Self {
        let rows: Vec<u32> = (0..table.rows() as u32).collect();
        // The last rows come first, and one part is empty.
        let taken = rows.chunks(rows.len().div_ceil(parts)).rev();
        let mut parts: Vec<PrivateTable> = taken.map(|rows| PrivateTable::new(table.take(rows))).collect();
        parts.insert(1, PrivateTable::new(table.take(&[])));
        Self {
            tables: parts,
            columns: table.columns().len(),
            passes: AtomicUsize::new(0),
            lost_from: usize::MAX,
        }
    }
}

impl PrivateSource for Parts {
    fn count(&self, queries: &[CountQuery]) -> Result<PrivateCounts, SourceError> {
        let pass = self.passes.fetch_add(1, Ordering::Relaxed);
        let sent = CountQuery::encode(queries);
        let mut all = PrivateCounts::none(queries);
        let lost = usize::from(pass >= self.lost_from);
        for part in &self.tables[..self.tables.len() - lost] {
            let counts = part.count(&CountQuery::decode(&sent, self.columns)?);
            all.add(&PrivateCounts::decode(&counts.encode())?)?;
        }
        Ok(all)
    }
}

fn synthesis(neighbours: Neighbours, delta: &str) -> Synthesis {
    let synthesis = Synthesis::of(schema()).epsilon("2").unwrap().delta(delta).unwrap();
    synthesis.neighbours(neighbours).score_epsilon("0.1").unwrap()
}

#[test]
fn parts_give_the_release_of_the_whole_byte_for_byte() {
    let real = table(3000, 5);
    for neighbours in [Neighbours::Substitute, Neighbours::AddRemove] {
        for delta in ["0", "0.00001"] {
            let randomness = || Randomness::seeded(Seed(7));
            let whole = synthesis(neighbours, delta).plan_of(real.clone(), randomness()).unwrap();
            let whole = whole.release(&Silent).unwrap().release;
            for parts in [1, 2, 7] {
                let source = Box::new(Parts::of(&real, parts));
                let planned = synthesis(neighbours, delta).plan_from(source, randomness()).unwrap();
                let released = planned.release(&Silent).unwrap().release;
                assert_eq!(released.source(), whole.source(), "{neighbours:?} {delta} {parts}");
                let spent = |release: &indistinct::Release| release.certificate().spent().to_vec();
                assert_eq!(spent(&released), spent(&whole));
            }
        }
    }
}

#[test]
fn passes_are_few_and_do_not_grow_with_columns() {
    let real = table(3000, 5);
    let source = Parts::of(&real, 2);
    let plan = crate::options("2", "0.00001").plan_mixed(real.rows(), &schema()).unwrap();
    indistinct::mixed::release(&source, &plan, Randomness::seeded(Seed(1)), &Silent).unwrap();
    let passes = source.passes.load(Ordering::Relaxed);
    assert!(passes <= 16, "{passes}");
}

#[test]
fn a_table_that_loses_rows_between_passes_is_not_released() {
    let real = table(3000, 5);
    // The first pass is that of the plan.
    for lost_from in [1, 3] {
        let source = Box::new(Parts { lost_from, ..Parts::of(&real, 4) });
        let planned = synthesis(Neighbours::Substitute, "0").plan_from(source, Randomness::seeded(Seed(1)));
        let error = planned.unwrap().release(&Silent).unwrap_err();
        assert!(error.to_string().contains("changed while it was read"), "{error}");
    }
}

#[test]
fn the_normal_model_wants_rows_in_memory() {
    let source = Box::new(Parts::of(&table(3000, 5), 2));
    let normal = synthesis(Neighbours::Substitute, "0").normal(indistinct::normal::NormalOptions::default());
    let refused = normal.plan_from(source, Randomness::seeded(Seed(1)));
    assert!(matches!(refused, Err(SynthesisError::RowsNotInMemory)));
}
