//! Rehearsals: the same every time, made as the release is, and no release.

use indistinct::Synthesis;
use indistinct::interval::{Of, Rehearsal, RehearsalError, Statistic, series_of, study};
use indistinct::normal::NormalOptions;
use indistinct::privacy::{Guarantee, Neighbours, Randomness};
use indistinct::progress::{Progress, Silent};
use indistinct::random::Seed;
use indistinct::synthesis::{Release, RowSource};
use indistinct::table::{Schema, Table};

use super::populations::population;

fn released(name: &str, rows: usize, with: impl FnOnce(Synthesis) -> Synthesis) -> Release {
    let from = population(name);
    let private = from.sample(rows, &mut Seed(5).stream(0));
    let synthesis = with(Synthesis::of(from.schema).epsilon("2").unwrap());
    synthesis.release(&private, &mut Randomness::from_system().unwrap()).unwrap()
}

#[test]
fn rehearsals_repeat_and_have_the_shape_of_the_release() {
    let release = released("rules", 600, |synthesis| synthesis.tables(2).rows(200));
    let rehearsal = Rehearsal::of(&release, 1).unwrap();
    let (one, again) = (rehearsal.rehearse(3).unwrap(), rehearsal.rehearse(3).unwrap());
    assert_eq!(one, again);
    assert_ne!(one, rehearsal.rehearse(4).unwrap());
    assert_ne!(one, Rehearsal::of(&release, 2).unwrap().rehearse(3).unwrap());
    assert_eq!((one.drawn.rows(), one.tables.len()), (600, 2));
    assert!(one.tables.iter().all(|table| table.rows() == 200));
    assert!(rehearsal.population().rows() >= 50_000);
    // Functions that depend on the number of rows see the population in tables of any size.
    let parts = rehearsal.population_in_tables_of(600);
    assert_eq!((parts.len(), rehearsal.population_in_tables_of(2_000).len()), (50, 25));
    assert!(parts.iter().all(|part| part.rows() == 600) && parts[0] != parts[1]);
    let large = rehearsal.population_in_tables_of(120_000);
    assert_eq!((large.len(), large[0].rows()), (1, 120_000));
    // Rules hold in all of them.
    for constraint in rehearsal.schema().constraints() {
        for table in one.tables.iter().chain([&one.drawn, rehearsal.population()]) {
            assert!(constraint.condition().satisfied(table).into_iter().all(|holds| holds));
        }
    }
}

#[test]
fn releases_of_all_terms_are_rehearsed() {
    let with_delta = |synthesis: Synthesis| synthesis.delta("1e-6").unwrap().score_epsilon("0.1").unwrap();
    let releases = [
        released("normal", 800, |synthesis| synthesis.normal(NormalOptions::default())),
        released("people", 800, with_delta),
        released("people", 800, |synthesis| synthesis.neighbours(Neighbours::AddRemove)),
        released("normal", 2000, |synthesis| synthesis.draws(2).rows_per_person(1)),
    ];
    for release in releases {
        let rehearsed = Rehearsal::of(&release, 0).unwrap().rehearse(0).unwrap();
        assert_eq!(rehearsed.tables.len() as u64, release.count());
        assert!(rehearsed.tables.iter().all(|table| table.rows() == release.rows()));
    }
}

#[test]
fn what_has_no_recipe_is_refused() {
    let release = released("normal", 800, |synthesis| synthesis);
    let RowSource::Model(model) = release.source() else { panic!("a model") };
    let alone = Release::of_parts(RowSource::Model(model.clone()), None, 800, None);
    assert!(matches!(Rehearsal::of(&alone, 0), Err(RehearsalError::NoCertificate)));
    let tables = RowSource::Tables { schema: model.schema.clone(), tables: Vec::new() };
    let histogram = Release::of_parts(tables, release.certified().cloned(), 800, None);
    assert!(matches!(Rehearsal::of(&histogram, 0), Err(RehearsalError::NoModel)));
    // A seeded release has no guarantee, and rehearsals like any other.
    let from = population("normal");
    let private = from.sample(800, &mut Seed(5).stream(0));
    let seeded = Synthesis::of(from.schema).epsilon("2").unwrap();
    let seeded = seeded.release(&private, &mut Randomness::seeded(Seed(1))).unwrap();
    assert!(matches!(seeded.certificate().guarantee(), Guarantee::None { .. }));
    assert!(Rehearsal::of(&seeded, 0).is_ok());
}

#[test]
fn studies_do_not_depend_on_threads_and_can_be_stopped() {
    struct Unwanted;
    impl Progress for Unwanted {
        fn expect(&self, _: u64) {}
        fn tick(&self) {}
        fn reach(&self, _: u64) {}
        fn stopped(&self) -> bool {
            true
        }
    }
    let release = released("normal", 400, |synthesis| synthesis);
    let tables: Vec<Table> = vec![release.sample(400).unwrap()];
    let schema: &Schema = release.schema();
    let statistics: Vec<Statistic> =
        ["mean(x)", "y ~ x"].iter().map(|text| Statistic::parse(text, schema).unwrap()).collect();
    let rehearsal = Rehearsal::of(&release, 0).unwrap();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| study(&rehearsal, &tables, &statistics, 10, &Silent).unwrap())
    };
    assert_eq!(with(1), with(3));
    assert!(study(&rehearsal, &tables, &statistics, 10, &Unwanted).is_err());
    // A function of one's own gives the same as the statistic.
    let mean = |tables: &[Table]| {
        let numbers = tables[0].column("x").unwrap().values().to_reals();
        vec![numbers.iter().sum::<f64>() / numbers.len() as f64]
    };
    let own = series_of(&rehearsal, &tables, &mean, 10, &Silent).unwrap();
    let (own, theirs) =
        (own[0].interval(Of::Population, 0.9), with(1)[0].series[0].interval(Of::Population, 0.9));
    assert!((own.low - theirs.low).abs() < 1e-9 && (own.high - theirs.high).abs() < 1e-9);
}
