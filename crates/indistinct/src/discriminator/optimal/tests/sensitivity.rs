//! The sensitivity bound by brute force: all tables of a few rows over a tiny domain, all substitutions.

use crate::discriminator::Stacked;
use crate::discriminator::optimal::{OptimalOptions, Thresholds, fit};
use crate::quality::Quality;
use crate::table::{Column, MISSING_CODE, Table};

/// A row: an ordered value (NaN is missing) and a nominal one.
pub(super) type Row = (f64, u32);

pub(super) fn table(rows: &[Row]) -> Table {
    let ordered = Column::float("x", rows.iter().map(|row| row.0).collect());
    let nominal = Column::nominal("c", &["a", "b", "c"], rows.iter().map(|row| row.1).collect());
    Table::new(vec![ordered, nominal]).unwrap()
}

/// All multisets of n rows, as sorted positions in the domain.
pub(super) fn multisets(domain: usize, n: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    for _ in 0..n {
        let longer = |set: &Vec<usize>| {
            let set = set.clone();
            let first = set.last().copied().unwrap_or(0);
            (first..domain).map(move |next| set.iter().copied().chain([next]).collect())
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    sets
}

/// Whether one substitution turns one multiset into the other.
pub(super) fn neighbours(left: &[usize], right: &[usize]) -> bool {
    let mut rest = right.to_vec();
    let unmatched = left.iter().filter(|row| match rest.iter().position(|other| other == *row) {
        Some(place) => {
            rest.swap_remove(place);
            false
        }
        None => true,
    });
    unmatched.count() == 1
}

/// The largest change of the objective by a substitution, over all pairs of real and synthetic tables.
fn sensitivity(domain: &[Row], n: usize, options: OptimalOptions) -> f64 {
    let params = options.check().unwrap();
    let sets = multisets(domain.len(), n);
    let tables: Vec<Table> =
        sets.iter().map(|set| table(&set.iter().map(|&row| domain[row]).collect::<Vec<_>>())).collect();
    let mut largest = 0.0_f64;
    for synthetic in &tables {
        let objective = |real: &Table| fit(&Stacked::new(real, synthetic).unwrap(), &params).objective;
        let objectives: Vec<f64> = tables.iter().map(objective).collect();
        for (left, u) in sets.iter().zip(&objectives) {
            for (right, v) in sets.iter().zip(&objectives) {
                if u > v && neighbours(left, right) {
                    largest = largest.max(u - v);
                }
            }
        }
    }
    largest
}

fn check(domain: &[Row], n: usize, depths: &[(u32, Thresholds)]) {
    let (bound, exact) = (1.0 / (2.0 * n as f64), 1.0 / (2.0 * (n as f64 + 1.0)));
    for &(depth, thresholds) in depths {
        for quality in [Quality::Pmse, Quality::Pmae] {
            for (leaf_penalty, min_synthetic_mass) in [(0.0, 0), (0.03, 0), (0.0, 1), (0.0, 2), (0.01, 1)] {
                let options = OptimalOptions {
                    depth: Some(depth),
                    thresholds: Some(thresholds),
                    quality,
                    leaf_penalty,
                    min_synthetic_mass,
                };
                let found = sensitivity(domain, n, options);
                assert!(found <= bound + 1e-12, "{options:?}: {found} > {bound}");
                if quality == Quality::Pmse {
                    assert!(found <= exact + 1e-12, "{options:?}: {found} > {exact}");
                    let free = leaf_penalty == 0.0 && min_synthetic_mass == 0;
                    if free && depth > 0 && thresholds == Thresholds::All {
                        assert!((found - exact).abs() < 1e-12, "{options:?}: {found} is not attained");
                    }
                }
            }
        }
    }
}

const DEPTHS: [(u32, Thresholds); 6] = [
    (0, Thresholds::All),
    (1, Thresholds::All),
    (2, Thresholds::All),
    (1, Thresholds::Binned(2)),
    (2, Thresholds::Binned(2)),
    (3, Thresholds::Binned(2)),
];

#[test]
fn one_ordered_column() {
    let domain = [(f64::NAN, 0), (0.0, 0), (1.0, 0), (2.0, 0)];
    for n in 2..=4 {
        check(&domain, n, &DEPTHS);
    }
}

#[test]
fn an_ordered_and_a_nominal_column() {
    let domain = [(0.0, 0), (0.0, 1), (1.0, 0), (1.0, 1), (1.0, MISSING_CODE)];
    check(&domain, 2, &DEPTHS);
    check(&domain, 3, &DEPTHS);
}
