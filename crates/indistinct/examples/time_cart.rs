//! Times `cart` on a table that another program timed too: `time_cart FILE DEPTH CP REPEATS`.
//!
//! FILE is a CSV of numbers whose last column says whether a row is synthetic. Prints one JSON document: the median
//! milliseconds of a whole fit (sort included, as in the programs it is compared with) and of one with columns sorted
//! before, the number of leaves and the pMSE. Runs on one thread.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a timing program, not a library")]

use std::time::Instant;

use indistinct::discriminator::Predictor;
use indistinct::discriminator::cart::{self, CartOptions, Presorted, Workspace};

fn median(repeats: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..repeats)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[repeats / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&arguments[1]).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|field| field.parse().unwrap()).collect())
        .collect();
    let q = rows[0].len() - 1;
    let predictors: Vec<Predictor> =
        (0..q).map(|column| Predictor::Ordered(rows.iter().map(|row| row[column]).collect())).collect();
    let labels: Vec<bool> = rows.iter().map(|row| row[q] == 1.0).collect();
    let params = CartOptions::default().with(|options| {
        options.maxdepth = Some(arguments[2].parse().unwrap());
        options.cp = Some(arguments[3].parse().unwrap());
    });
    let params = params.check().unwrap();
    let repeats: usize = arguments[4].parse().unwrap();

    let sort = || -> Vec<Presorted> { predictors.iter().map(Presorted::new).collect() };
    let sorted = sort();
    let sorted: Vec<&Presorted> = sorted.iter().collect();
    let mut workspace = Workspace::default();
    let tree = cart::fit_presorted(&sorted, &labels, &params, &mut workspace);
    let whole = median(repeats, || {
        let sorted = sort();
        let sorted: Vec<&Presorted> = sorted.iter().collect();
        std::hint::black_box(cart::fit_presorted(&sorted, &labels, &params, &mut workspace));
    });
    let presorted = median(repeats, || {
        std::hint::black_box(cart::fit_presorted(&sorted, &labels, &params, &mut workspace));
    });
    println!(
        "{{\"milliseconds\":{whole},\"milliseconds_presorted\":{presorted},\"leaves\":{},\"pmse\":{}}}",
        tree.leaves().count(),
        tree.distinguishability().pmse
    );
}
