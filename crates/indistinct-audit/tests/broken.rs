//! Every deliberate fault is caught, and the same configuration without the fault passes. Only with the feature `broken`:
//!
//!     cargo nextest run -p indistinct-audit --features broken
//!
//! With `--no-capture` the numbers of docs/audit.md are printed; `AUDIT_POWER=1` makes four times as many releases.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot release has failed, and prints what it found"
)]

use indistinct::privacy::broken::{self, Fault};
use indistinct::progress::Silent;
use indistinct::synthesis::SynthOptions;
use indistinct_audit::audit::{Audited, Claim, judge, releases_needed};
use indistinct_audit::fault::Broken;
use indistinct_audit::fault::chain::Chain;
use indistinct_audit::fault::counts::Counts;
use indistinct_audit::sample::{Mechanism, Sample, collect};
use indistinct_audit::subject::Synth;
use indistinct_audit::world::NeighbouringTables;
use indistinct_paper::store::Run;

const ALPHA: f64 = 0.05;

fn more() -> u64 {
    if std::env::var_os("AUDIT_POWER").is_some() { 4 } else { 1 }
}

fn sample(mechanism: &dyn Mechanism, releases: u64) -> Sample {
    collect(mechanism, &Run::unkept(1, releases, &Silent), "broken").unwrap()
}

fn audited(options: SynthOptions, pair: NeighbouringTables, releases: u64) -> (Audited, Sample) {
    let name = pair.name.clone();
    let subject = Synth::new(options, pair, Some(7)).unwrap();
    let claim = Claim::from(subject.guarantee().unwrap());
    let sample = sample(&subject, releases);
    (judge(&name, &sample, claim, ALPHA), sample)
}

/// The fault is caught, and its absence is not mistaken for it.
fn caught(broken: Broken) {
    let shown = broken.shown().unwrap();
    let releases = shown.releases * more();
    let (found, sample) =
        broken.with(|| audited(shown.options.clone(), broken.pair(shown.pair.clone()).unwrap(), releases));
    let needed = releases_needed(&sample, &found.claim, ALPHA);
    println!(
        "| {} | {} | {:?} | {:.2} | {:?} of {releases} |",
        broken.name(),
        found.world,
        found.claim.epsilon,
        found.epsilon_lower_bound,
        needed
    );
    assert!(found.exceeds, "{}: {found:?}", broken.name());
    let sound = broken::with(None, || audited(shown.options, shown.pair, releases.min(1000)).0);
    println!("  without the fault: {:.2}", sound.epsilon_lower_bound);
    // Greedy trees carry no guarantee: there nothing is promised, and the leak is there all the same.
    let promised = sound.claim.epsilon.is_some();
    assert_eq!(promised, broken != Broken::Library(Fault::CertifiedCart), "{:?}", sound.claim);
    assert!(!sound.exceeds, "{}: {sound:?}", broken.name());
}

#[test]
fn half_the_noise() {
    caught(Broken::Library(Fault::HalfNoise));
}

#[test]
fn a_quarter_of_the_sensitivity() {
    caught(Broken::Library(Fault::QuarterSensitivity));
}

#[test]
fn a_greedy_tree_called_certified() {
    caught(Broken::Library(Fault::CertifiedCart));
}

#[test]
fn noise_redrawn_until_valid() {
    let found = |fault: Option<Fault>, releases: u64| {
        broken::with(fault, || {
            let counts = Counts { epsilon: "1.4".parse().unwrap(), seed: 1 };
            let claim = Claim::from(counts.guarantee().unwrap());
            let sample = sample(&counts, releases);
            let needed = releases_needed(&sample, &claim, ALPHA);
            (judge("counts", &sample, claim, ALPHA), needed)
        })
    };
    let (broken, needed) = found(Some(Fault::RedrawnNoise), 8000 * more());
    println!("| redrawn-noise | counts | 1.4 | {:.2} | {needed:?} |", broken.epsilon_lower_bound);
    assert!(broken.exceeds, "{broken:?}");
    let (sound, _) = found(None, 8000 * more());
    println!("  without the fault: {:.2}", sound.epsilon_lower_bound);
    assert!(!sound.exceeds && sound.claim.epsilon == Some(1.4), "{sound:?}");
}

#[test]
fn learned_levels() {
    caught(Broken::LearnedLevels);
}

#[test]
fn an_uncharged_stage() {
    caught(Broken::Library(Fault::UnchargedStage));
}

#[test]
fn a_fixed_seed() {
    caught(Broken::Library(Fault::FixedSeed));
}

#[test]
fn cells_that_overflow() {
    caught(Broken::Library(Fault::OverflowingCells));
}

#[test]
fn new_synthetic_tables_at_every_step() {
    let found = |fresh: bool, releases: u64| {
        let chain = Chain { epsilon: "1".parse().unwrap(), fresh, seed: 1 };
        let claim = Claim::from(chain.guarantee().unwrap());
        let sample = sample(&chain, releases);
        let needed = releases_needed(&sample, &claim, ALPHA);
        (judge("chain", &sample, claim, ALPHA), needed)
    };
    let (broken, needed) = found(true, 4000 * more());
    println!("| fresh-tables | circle | 1 | {:.2} | {needed:?} |", broken.epsilon_lower_bound);
    assert!(broken.exceeds, "{broken:?}");
    let (sound, _) = found(false, 4000 * more());
    println!("  without the fault: {:.2}", sound.epsilon_lower_bound);
    assert!(!sound.exceeds && sound.claim.epsilon == Some(1.0), "{sound:?}");
}
