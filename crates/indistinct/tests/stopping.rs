//! Work that is no longer wanted stops between two units of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::atomic::{AtomicU64, Ordering};

use indistinct::Synthesis;
use indistinct::discriminator::cart::CartOptions;
use indistinct::evaluate::{
    Discriminator, EvaluateParams, EvaluationError, Null, distinguishability, evaluate,
};
use indistinct::normal::NormalOptions;
use indistinct::privacy::Randomness;
use indistinct::progress::{Progress, Silent};
use indistinct::random::Seed;
use indistinct::synthesis::{SampleError, SynthesisError};
use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table, Values};

/// Wants so many units of work and no more.
struct Enough {
    wanted: u64,
    done: AtomicU64,
}

impl Progress for Enough {
    fn expect(&self, _units: u64) {}

    fn tick(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn reach(&self, _units: u64) {}

    fn stopped(&self) -> bool {
        self.done.load(Ordering::Relaxed) >= self.wanted
    }
}

#[test]
fn an_evaluation_stops_when_it_is_told() {
    let table = |shift: f64| {
        let column = |factor: usize| (0..60).map(|row| shift + (row * factor % 7) as f64).collect();
        Table::new(vec![Column::float("x", column(3)), Column::float("y", column(5))]).unwrap()
    };
    let (real, synthetic) = (table(0.0), table(0.5));
    let discriminator = Discriminator::Cart(CartOptions::default().check().unwrap());
    let params = EvaluateParams::default().with(|params| {
        params.discriminator = discriminator;
        params.null = Null::Permutation;
        params.reference = None;
        params.replicates = 1000;
        params.seed = Seed(1);
    });
    let tables = [("synthetic".to_owned(), synthetic)];
    let run = |wanted| {
        let progress = Enough { wanted, done: AtomicU64::new(0) };
        let found = evaluate(&real, &tables, &params, &progress);
        (found.map(|found| found.mean.pmse), progress.done.into_inner())
    };
    for wanted in [1, 2, 10] {
        let (found, done) = run(wanted);
        assert_eq!(found, Err(EvaluationError::Stopped));
        // Every thread may finish the unit that it is at.
        assert!(done < 500, "{done} units after {wanted} were wanted");
    }
    let alone = distinguishability(&real, &tables[0].1, &params.discriminator).unwrap();
    assert_eq!(run(u64::MAX).0, Ok(alone.pmse), "the headline number alone is the same");
}

/// Releases by either model, and rows of them, end as a listener asks, without a thread pool or a flag.
#[test]
fn a_release_and_its_rows_stop_when_they_are_told() {
    let column = |name: &str| ColumnSchema::new(name, ColumnType::Float).with_limits(Some(0.0), Some(60.0));
    let values = |factor: usize| Values::Float((0..1000).map(|row| (row * factor % 59) as f64).collect());
    let table =
        Table::new(vec![Column::new(column("x"), values(3)), Column::new(column("y"), values(5))]).unwrap();
    let schema = Schema::new(Vec::new(), vec![column("x"), column("y")]).unwrap();
    let mixed = Synthesis::of(schema).epsilon("5").unwrap();
    for synthesis in [mixed.clone(), mixed.normal(NormalOptions::default())] {
        let plan = || synthesis.clone().plan(&table, &mut Randomness::seeded(Seed(1))).unwrap();
        for wanted in [1, 2] {
            let progress = Enough { wanted, done: AtomicU64::new(0) };
            let found = plan().release(&progress);
            assert!(matches!(found, Err(SynthesisError::Stopped(_))), "{found:?}");
        }
        let release = plan().release(&Silent).unwrap().release;
        let progress = Enough { wanted: 0, done: AtomicU64::new(0) };
        let rows = release.table(0, &release.streams().unwrap(), &progress);
        assert!(matches!(rows, Err(SampleError::Stopped(_))));
    }
}
