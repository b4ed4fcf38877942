//! Times one evaluation of the utility that samplers choose by, on one thread, and prints medians in microseconds as JSON.
//!
//! `cargo run --release --example time_utility [ROWS]`. Data: the paper's two columns, n = 5000 rows. What is timed is a
//! stage of zoom, over its candidates. `partition` is one pass over the rows with 8 x 8 cells; the trees simulate a
//! synthetic table from theta and judge both tables.
#![expect(clippy::print_stdout, reason = "an example that prints its result")]

use std::num::NonZeroU32;
use std::time::Instant;

use indistinct::discriminator::cart::CartOptions;
use indistinct::discriminator::fixed_tree::{Cut, FixedTree};
use indistinct::discriminator::judge::Judge;
use indistinct::discriminator::optimal::{BinnedTrees, OptimalOptions};
use indistinct::model::SequentialNormal;
use indistinct::normal::zoom::{JointStage, Zoom};
use indistinct::privacy::{Budget, Randomness};
use indistinct::private::PrivateRows;
use indistinct::quality::Quality;
use indistinct::random::Seed;
use indistinct::synthesis::simulate;
use indistinct::table::{Column, Table};
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = std::env::args().nth(1).map_or(Ok(5000), |text| text.parse())?;
    let truth = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    let mut columns = simulate(&truth, n, &mut Seed(1).stream(0)).into_iter();
    let (x, y) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
    let rows = PrivateRows::new(&Table::new(vec![Column::float("x", x), Column::float("y", y)])?)?;
    let theta = SequentialNormal::new(vec![2.3, -1.2], vec![vec![10.4], vec![4.8, 3.1]]);

    let halves = |tree: &FixedTree, column: usize, threshold: f64| {
        tree.divided(&vec![Some(Cut { column, threshold }); tree.leaves()])
    };
    let mut tree = FixedTree::undivided();
    for (column, threshold) in [(0, 2.0), (1, -1.5), (0, -5.0), (1, 3.0), (0, 9.0), (1, -6.0)] {
        tree = halves(&tree, column, threshold);
    }
    let paper = CartOptions::default().with(|options| {
        options.cp = Some(0.001);
        options.minbucket = Some(5);
    });
    let judges = [
        ("partition", Judge::Views, 2000),
        ("private_tree_64_leaves", Judge::PrivateTree(tree), 1000),
        ("optimal_depth_2", Judge::Optimal(BinnedTrees::new(OptimalOptions::default().check()?)?), 200),
        ("cart_paper", Judge::Cart(paper.check()?), 50),
    ];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut results = Map::new();
    for (name, judge, candidates) in judges {
        for (quality, suffix) in [(Quality::Pmse, "pmse"), (Quality::Pmae, "pmae")] {
            let zoom = Zoom {
                quality,
                paper_sensitivity: false,
                candidates,
                sets: 1,
                progress: &indistinct::progress::Silent,
            };
            let mut times = Vec::new();
            for seed in 0..11 {
                let mut budget = Budget::new("1".parse()?, NonZeroU32::MIN, Randomness::seeded(Seed(seed)));
                let stages = [JointStage { epsilon: "1".parse()?, width: 0.05 }];
                let mut random = Seed(seed).stream(1);
                let start = Instant::now();
                pool.install(|| zoom.joint(&judge, &rows, theta.clone(), &stages, &mut budget, &mut random))?;
                times.push(start.elapsed().as_secs_f64() * 1e6 / candidates as f64);
            }
            times.sort_by(f64::total_cmp);
            results.insert(format!("{name}_{suffix}"), Value::from(times[times.len() / 2]));
        }
    }
    println!(
        "{}",
        serde_json::to_string_pretty(&json!({ "rows": n, "columns": 2, "microseconds": results }))?
    );
    Ok(())
}
