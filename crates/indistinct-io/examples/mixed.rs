//! Trial.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::pedantic)]
use indistinct::margin::Facts;
use indistinct::mixed::{MixedOptions, release};
use indistinct::privacy::*;
use indistinct::private::PrivateTable;
use indistinct::random::Seed;
use indistinct::table::*;
use indistinct_io::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let source = Source::open(std::path::Path::new(&args[1])).unwrap();
    let schema = draft_schema(&source).unwrap().schema;
    let table = source.read(&schema).unwrap();
    let private = PrivateTable::new(&table);
    let mut facts = vec![];
    let mut ordered = vec![];
    for c in table.columns() {
        let mut f = Facts::of(c.schema().kind());
        if let Some(d) = c.schema().decimals() {
            f.step = Some(10f64.powi(-(d as i32)));
        }
        f.atoms = c.schema().atoms().to_vec();
        let ord = !matches!(c.schema().kind(), ColumnType::Nominal { .. });
        if matches!(c.values(), Values::Float(_) | Values::Integer(_)) {
            let v: Vec<f64> = c.values().to_reals().into_iter().filter(|v| v.is_finite()).collect();
            if args.get(5).is_none() {
                f.minimum = v.iter().copied().reduce(f64::min);
                f.maximum = v.iter().copied().reduce(f64::max);
            }
        }
        facts.push(f);
        ordered.push(ord);
    }
    let q = facts.len();
    let t = std::time::Instant::now();
    let mut budget = Budget::with_delta(
        args[2].parse().unwrap(),
        args[3].parse().unwrap(),
        std::num::NonZeroU32::MIN,
        Randomness::seeded(Seed(1)),
    );
    let mut random = Seed(2).stream(0);
    let model = release(
        &private,
        &MixedOptions { facts, ordered, rounds: std::env::var("ROUNDS").map_or(q, |r| r.parse().unwrap()) },
        &mut budget,
        &mut random,
    )
    .unwrap();
    println!("fit {:?} spent {} guarantee {:?}", t.elapsed(), budget.spent(), budget.guarantee());
    let positions = model.simulate(table.rows(), &mut random);
    println!("simulated {:?}", t.elapsed());
    let columns = table
        .columns()
        .iter()
        .zip(positions)
        .zip(model.margins())
        .map(|((c, p), m)| {
            let values = match c.values() {
                Values::Code(_) => {
                    Values::Code(p.iter().map(|p| p.map_or(MISSING_CODE, |p| p as u32)).collect())
                }
                Values::Integer(_) => Values::Integer(
                    p.iter().map(|p| p.map_or(MISSING_INTEGER, |p| m.to_value(p).round() as i64)).collect(),
                ),
                _ => Values::Float(p.iter().map(|p| p.map_or(f64::NAN, |p| m.to_value(p))).collect()),
            };
            Column::new(c.schema().clone(), values)
        })
        .collect();
    write(&Table::new(columns).unwrap(), std::path::Path::new(&args[4])).unwrap();
}
