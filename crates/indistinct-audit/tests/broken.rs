//! scratch
use indistinct_audit::*;
use indistinct_audit::fault::*;
use indistinct_audit::sample::*;
use indistinct_experiments::store::Run;
use indistinct_report::Silent;
use std::time::Instant;
fn one(name: &str, options: indistinct_tasks::synth::SynthOptions, pair: world::Pair, releases: u64) {
    let t = Instant::now();
    let subject = subject::Synth::new(options, pair, Some(1)).unwrap();
    let g = match subject.guarantee() { Ok(g) => g, Err(e) => { println!("{name}: {e}"); return; } };
    let sample = match collect(&subject, &Run::unkept(1, releases, &Silent), "x") { Ok(s)=>s, Err(e)=>{println!("{name}: {e}"); return;} };
    let made = t.elapsed();
    let claim = audit::Claim::from(g);
    let a = audit::judge(name, &sample, claim.clone(), 0.05);
    println!("{name}: claim {:?} {} found {:.3} exceeds {} needed {:?} attack {:?}  numbers {} | {:?} {:?}", claim.epsilon, claim.delta, a.epsilon_lower_bound, a.exceeds, audit::releases_needed(&sample,&claim,0.05), a.attack, sample.names().len(), made, t.elapsed());
}
#[test]
fn scratch() {
    let n: u64 = std::env::var("N").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let which = std::env::var("W").unwrap_or_default();
    for b in Broken::ALL {
        if !which.is_empty() && !b.name().contains(&which) { continue; }
        let s = b.shown();
        let pair = s.world.pair(s.rows, 1, 1).unwrap();
        let releases = if n > 0 { n } else { s.releases };
        indistinct::broken::with(None, || one(&format!("sound {}", b.name()), s.options.clone(), pair.clone(), releases));
        b.with(|| one(&format!("BROKEN {}", b.name()), s.options.clone(), b.pair(pair.clone()).unwrap(), releases));
    }
}
