//! Certified configurations stay below what they promise, in worlds made for the worst. Short: docs/audit.md has the long form,
//! which `AUDIT_RELEASES=1000` and `--no-capture` print.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot release has failed, and prints what it found"
)]

use indistinct::privacy::{Guarantee, Neighbours};
use indistinct::progress::Silent;
use indistinct::quality::Quality;
use indistinct::synthesis::{CandidateDiscriminatorName, Modelling, SamplerName, SynthOptions};
use indistinct_audit::audit::{Claim, judge};
use indistinct_audit::sample::collect;
use indistinct_audit::subject::Synth;
use indistinct_audit::world::World;
use indistinct_paper::release::{BoundsArg, MethodArg, MethodOptions};
use indistinct_paper::store::Run;

fn releases() -> u64 {
    std::env::var("AUDIT_RELEASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn of(epsilon: &str) -> SynthOptions {
    SynthOptions::default().with(|options| options.epsilon = Some(epsilon.parse().unwrap()))
}

fn mixed(epsilon: &str) -> SynthOptions {
    of(epsilon).with(|options| options.model = Modelling::Mixed)
}

/// Audits a configuration, and returns what its certificate promises.
fn passes(
    name: &str,
    options: &(impl Clone + Into<MethodOptions>),
    world: World,
    rows: usize,
    columns: usize,
) -> Guarantee {
    let options: MethodOptions = options.clone().into();
    let (moved, neighbours) = (options.synth.rows_per_person as usize, options.synth.neighbours);
    let subject =
        Synth::new(options, world.pair(rows, columns, moved, neighbours).unwrap(), Some(11)).unwrap();
    let claim = Claim::from(subject.guarantee().unwrap());
    let sample = collect(&subject, &Run::unkept(1, releases(), &Silent), "certified").unwrap();
    let found = judge(world.name(), &sample, claim.clone(), 0.05);
    println!(
        "| {name} | {} | {:?} | {} | {:.2} |",
        found.world, claim.epsilon, claim.delta, found.epsilon_lower_bound
    );
    assert!(!found.exceeds, "{name}: {found:?}");
    claim.guarantee
}

fn is_pure(guarantee: &Guarantee) -> bool {
    matches!(guarantee, Guarantee::Pure { .. })
}

#[test]
fn the_normal_model() {
    let measured = of("2").with(|options| options.model = Modelling::Normal);
    for world in World::ALL.into_iter().filter(|world| world.is_numeric()) {
        assert!(is_pure(&passes("normal", &measured, world, 100, 1)));
    }
    let chosen = of("2").with(|options| options.measure_share = Some(0.0));
    assert!(is_pure(&passes("normal, measure-share 0", &chosen, World::Outlier, 100, 1)));
    let squares = of("4").with(|options| options.quality = Some(Quality::Pmse));
    assert!(is_pure(&passes("normal, pmse", &squares, World::Outlier, 100, 1)));
    let two = of("4").with(|options| options.model = Modelling::Normal);
    assert!(is_pure(&passes("normal, two columns", &two, World::Outlier, 100, 2)));
}

#[test]
fn trees() {
    for (name, cells) in [
        ("optimal", CandidateDiscriminatorName::Optimal),
        ("private-tree", CandidateDiscriminatorName::PrivateTree),
    ] {
        let options = of("2").with(|options| {
            options.discriminator = Some(cells);
            options.measure_share = Some(0.0);
            options.candidates = Some(50);
        });
        assert!(is_pure(&passes(name, &options, World::Outlier, 100, 1)));
    }
}

#[test]
fn the_mixed_model() {
    for world in World::ALL {
        assert!(is_pure(&passes("mixed", &mixed("2"), world, 60, 1)));
    }
    assert!(is_pure(&passes("mixed, two columns", &mixed("4"), World::RareLevel, 60, 2)));
    // So few rows leave room for a table of all eight cells.
    assert!(is_pure(&passes("mixed, three columns", &mixed("4"), World::Parity, 150, 3)));
}

#[test]
fn with_a_delta() {
    let options = mixed("1").with(|options| options.delta = "0.01".parse().unwrap());
    let promised = passes("mixed, delta 0.01", &options, World::RareLevel, 60, 1);
    assert!(matches!(promised, Guarantee::Approximate { .. }));
    let options = of("4").with(|options| {
        options.delta = "1e-6".parse().unwrap();
        options.model = Modelling::Normal;
    });
    let promised = passes("normal, delta 1e-6", &options, World::Spike, 100, 1);
    assert!(matches!(promised, Guarantee::Approximate { .. }));
}

#[test]
fn rows_added_or_removed() {
    let added = |epsilon: &str| mixed(epsilon).with(|options| options.neighbours = Neighbours::AddRemove);
    for world in World::ALL {
        assert!(is_pure(&passes("mixed, add-remove", &added("4"), world, 150, 1)));
    }
    assert!(is_pure(&passes("mixed, add-remove, three columns", &added("8"), World::Parity, 150, 3)));
    let persons = added("8").with(|options| options.rows_per_person = 2);
    assert!(is_pure(&passes("mixed, add-remove, rows-per-person 2", &persons, World::RareLevel, 150, 1)));
    let options = added("2").with(|options| options.delta = "0.01".parse().unwrap());
    let promised = passes("mixed, add-remove, delta 0.01", &options, World::RareLevel, 150, 1);
    assert!(matches!(promised, Guarantee::Approximate { .. }));
}

#[test]
fn scores_draws_and_persons() {
    let score = mixed("2").with(|options| options.score_epsilon = "1".parse().unwrap());
    assert!(is_pure(&passes("mixed, score-epsilon 1", &score, World::RareLevel, 60, 1)));
    let score = of("3").with(|options| {
        options.score_epsilon = "1".parse().unwrap();
        options.model = Modelling::Normal;
    });
    assert!(is_pure(&passes("normal, score-epsilon 1", &score, World::Outlier, 100, 1)));
    let draws = mixed("4").with(|options| options.draws = 2);
    assert!(is_pure(&passes("mixed, draws 2", &draws, World::RareLevel, 60, 1)));
    let persons = mixed("4").with(|options| options.rows_per_person = 2);
    assert!(is_pure(&passes("mixed, rows-per-person 2", &persons, World::RareLevel, 60, 1)));
}

#[test]
fn comparison_methods() {
    for (name, method) in
        [("noisy-bayes", MethodArg::NoisyBayes), ("smooth-histogram", MethodArg::SmoothHistogram)]
    {
        let bounds = Some(BoundsArg::parse("0:2").unwrap());
        let options = MethodOptions { method, bounds, ..of("2").into() };
        assert!(is_pure(&passes(name, &options, World::Spike, 60, 1)));
    }
}

#[test]
fn what_is_not_promised_is_said_so() {
    let cart = of("2").with(|options| {
        options.discriminator = Some(CandidateDiscriminatorName::Cart);
        options.measure_share = Some(0.0);
        options.candidates = Some(20);
    });
    assert!(matches!(passes("cart", &cart, World::Outlier, 100, 1), Guarantee::None { .. }));
    let chain = of("8").with(|options| {
        options.sampler = Some(SamplerName::Metropolis);
        options.steps = Some(60);
        options.chains = Some(1);
    });
    let promised = passes("metropolis", &chain, World::Outlier, 100, 1);
    assert!(matches!(promised, Guarantee::AtStationarity { .. }), "{promised:?}");
}
