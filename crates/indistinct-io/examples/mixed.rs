//! Trial.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::pedantic)]
use indistinct::mixed::{MixedOptions, release};
use indistinct::privacy::*;
use indistinct::private::PrivateTable;
use indistinct::random::Seed;
use indistinct_io::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let source = Source::open(std::path::Path::new(&args[1])).unwrap();
    let schema = read_schema(std::path::Path::new(&args[2])).unwrap();
    let table = source.read(&schema).unwrap();
    let private = PrivateTable::new(&table);
    let t = std::time::Instant::now();
    let plan = MixedOptions {
        epsilon: args[3].parse().unwrap(),
        delta: args[4].parse().unwrap(),
        draws: 1,
        tables: 1,
        score_epsilon: Epsilon::ZERO,
        rows_per_person: 1,
    }
    .plan(private.rows(), &schema)
    .unwrap();
    let seed: u64 = args.get(6).map_or(1, |s| s.parse().unwrap());
    let released = release(&private, &plan, Randomness::seeded(Seed(seed)), &|| {}).unwrap();
    if std::env::var("V").is_ok() {
        for s in released.budget.spends() {
            println!("{} {:?}", s.step, s.concentrated.map(|c| c.rho.to_f64()));
        }
    }
    print!("fit {:?} ", t.elapsed());
    let modelled = schema.without_identifiers().unwrap();
    let synthetic =
        released.models[0].simulate(modelled.columns(), table.rows(), &mut Seed(seed + 100).stream(0));
    println!("simulated {:?}", t.elapsed());
    write(&synthetic, std::path::Path::new(&args[5])).unwrap();
}
