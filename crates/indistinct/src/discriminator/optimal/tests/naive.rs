//! Every tree, one after the other: slow, independent of the searches, and obviously right.

use crate::discriminator::optimal::{OptimalParams, Thresholds};
use crate::discriminator::{Predictor, Stacked};
use crate::quality::Quality;
use crate::table::MISSING_CODE;

/// For every member of the family of cuts, the rows inside it.
fn family(stacked: &Stacked, thresholds: Thresholds) -> Vec<Vec<bool>> {
    let real = stacked.real_rows();
    let mut cuts = Vec::new();
    for predictor in stacked.predictors() {
        match predictor {
            Predictor::Ordered(values) => {
                cuts.push(values.iter().map(|x| x.is_nan()).collect());
                let lowest = values[real..].iter().copied().fold(f64::NAN, f64::min);
                cuts.push(values.iter().map(|&x| x.is_nan() || x < lowest).collect());
                let candidates = match thresholds {
                    Thresholds::All => values.clone(),
                    Thresholds::Binned(count) => naive_quantiles(&values[real..], count),
                };
                for t in candidates.into_iter().filter(|t| !t.is_nan()) {
                    cuts.push(values.iter().map(|&x| x.is_nan() || x <= t).collect());
                }
            }
            Predictor::Nominal { codes, levels } => {
                cuts.push(codes.iter().map(|&code| code == MISSING_CODE).collect());
                let count = |level: u32| codes[real..].iter().filter(|&&code| code == level).count();
                let levels = *levels as u32;
                for level in 0..levels {
                    let ahead = |other: &u32| {
                        count(*other) > count(level) || (count(*other) == count(level) && *other < level)
                    };
                    let rank = (0..levels).filter(ahead).count();
                    if matches!(thresholds, Thresholds::Binned(most) if rank >= most) {
                        continue;
                    }
                    cuts.push(codes.iter().map(|&code| code == level).collect());
                }
            }
        }
    }
    cuts
}

/// The lowest value that at least a share k/(count+1) of the present values do not exceed, for every k.
fn naive_quantiles(values: &[f64], count: usize) -> Vec<f64> {
    let present: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    let at_most = |t: f64| present.iter().filter(|&&x| x <= t).count();
    let quantile = |k: usize| {
        let enough = present.iter().copied().filter(|&t| at_most(t) * (count + 1) >= k * present.len());
        enough.fold(f64::NAN, f64::min)
    };
    (1..=count + 1).map(quantile).collect()
}

/// The largest objective of any tree.
pub(super) fn best(stacked: &Stacked, params: &OptimalParams) -> f64 {
    let cuts = family(stacked, params.thresholds());
    let rows: Vec<usize> = (0..stacked.rows()).collect();
    let leaf = leaf(stacked, params, &rows);
    leaf.max(best_of(stacked, params, &cuts, &rows, params.depth()))
}

fn leaf(stacked: &Stacked, params: &OptimalParams, rows: &[usize]) -> f64 {
    let a = rows.iter().filter(|&&row| row >= stacked.real_rows()).count() as f64;
    let m = rows.len() as f64;
    let sum = match params.quality() {
        _ if rows.is_empty() => 0.0,
        Quality::Pmse => m * (a / m - 0.5).powi(2),
        Quality::Pmae => m * (a / m - 0.5).abs(),
    };
    sum / stacked.rows() as f64 - params.leaf_penalty()
}

fn best_of(stacked: &Stacked, params: &OptimalParams, cuts: &[Vec<bool>], rows: &[usize], depth: u32) -> f64 {
    let synthetic = rows.iter().filter(|&&row| row >= stacked.real_rows()).count();
    if synthetic < params.min_synthetic_mass() as usize {
        return f64::NEG_INFINITY;
    }
    let mut best = leaf(stacked, params, rows);
    if depth > 0 {
        for cut in cuts {
            let (inside, outside): (Vec<usize>, Vec<usize>) = rows.iter().partition(|&&row| cut[row]);
            let side = |rows: &[usize]| best_of(stacked, params, cuts, rows, depth - 1);
            best = best.max(side(&inside) + side(&outside));
        }
    }
    best
}
