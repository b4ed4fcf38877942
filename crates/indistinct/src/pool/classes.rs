//! The classes of a column in tables of several columns, and coarser views of them.

use crate::grid::Codes;
use crate::margin::Margin;

/// Most classes of an ordered column, including that of missing values.
const ORDERED_CLASSES: usize = 32;
/// Most classes of a nominal column, including that of missing values.
const NOMINAL_CLASSES: usize = 400;
/// Numbers of classes of values in coarser views.
const COARSER: [usize; 10] = [24, 16, 12, 10, 8, 6, 5, 4, 3, 2];
/// Levels of a nominal column beyond which there are two ways to join them.
pub(crate) const MANY_LEVELS: usize = COARSER[0];
/// The weight of the blur of an ordered column against that of a nominal one.
const ORDERED_BLUR: f64 = 0.5;

/// The classes of one column: levels, or parts of an ordered column of about equal mass by its released margin,
/// with atoms and heavy single values by themselves; missing values, if possible, are the last class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Classes {
    codes: Codes,
    /// Views, finest first: in the first, every class is by itself.
    views: Vec<View>,
    /// Views that join the levels of a nominal column with many levels in another way; none for other columns.
    views_in_order: Vec<View>,
}

/// A partition into fewer, joined classes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    /// For every class, the class of this view to which it is joined.
    of: Vec<u16>,
    count: usize,
    /// The blur of the view: the probability that two rows are of the same class, by the margin. Half of it for
    /// ordered columns, whose neighbours are alike, and are told apart by correlations.
    blur: f64,
}

impl Classes {
    /// The classes of a released margin; classes also begin at `cuts`, where rules say so.
    pub(crate) fn new(margin: &Margin, is_ordered: bool, cuts: &[usize]) -> Self {
        let most = if is_ordered { ORDERED_CLASSES } else { NOMINAL_CLASSES };
        let codes = margin.codes_cut_at(most, cuts);
        let weight = if is_ordered { ORDERED_BLUR } else { 1.0 };
        let view = |of: Vec<u16>, count: usize| {
            let mut masses = vec![0.0; count];
            of.iter()
                .zip(codes.probabilities())
                .for_each(|(&class, mass)| masses[usize::from(class)] += mass);
            View { blur: weight * masses.iter().map(|mass| mass * mass).sum::<f64>(), of, count }
        };
        let views = |join: fn(&Codes, usize) -> (Vec<u16>, usize)| {
            let mut views = vec![view((0..codes.len() as u16).collect(), codes.len())];
            for parts in COARSER {
                let (of, count) = join(&codes, parts);
                let view = view(of, count);
                if views.last().is_some_and(|finer| view.count < finer.count) {
                    views.push(view);
                }
            }
            views
        };
        let has_many = !is_ordered && present(&codes).0 > MANY_LEVELS;
        Self {
            views: views(if is_ordered { neighbours } else { heaviest }),
            views_in_order: if has_many { views(neighbours) } else { Vec::new() },
            codes,
        }
    }

    /// The map from values to classes.
    pub(crate) fn codes(&self) -> &Codes {
        &self.codes
    }

    /// Number of classes, including that of missing values.
    pub(crate) fn count(&self) -> usize {
        self.codes.len()
    }

    /// All views, finest first: they join neighbours of an ordered column, and the rare levels of a nominal one.
    pub(crate) fn views(&self) -> &[View] {
        &self.views
    }

    /// Other views of a nominal column with many levels, which join neighbours in the declared order: codes of
    /// industries, diseases or areas are often alike if they are close. `None` if there are few levels.
    pub(crate) fn views_in_order(&self) -> Option<&[View]> {
        (!self.views_in_order.is_empty()).then_some(&self.views_in_order[..])
    }
}

impl View {
    /// Number of classes in this view.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The class of this view that each class belongs to.
    pub(crate) fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.of.iter().map(|&class| usize::from(class))
    }

    /// The loss from this view to a coarser one, for every factor of e by which classes are fewer.
    pub(crate) fn loss(&self, coarser: &Self) -> f64 {
        (coarser.blur - self.blur) / (self.count as f64 / coarser.count as f64).ln()
    }
}

/// For every class, the class to which it is joined, and the number of joined classes: neighbouring classes of
/// values are joined to parts of about equal mass.
fn neighbours(codes: &Codes, parts: usize) -> (Vec<u16>, usize) {
    let (values, masses) = present(codes);
    let all: f64 = masses.iter().sum();
    let mut before = 0.0;
    let mut of = Vec::with_capacity(codes.len());
    for mass in masses {
        let middle = (before + mass / 2.0) / all.max(f64::MIN_POSITIVE);
        of.push(((middle * parts as f64) as usize).min(parts - 1));
        before += mass;
    }
    // Parts that hold no middle of a class are left out.
    let mut seen: Vec<usize> = of.clone();
    seen.dedup();
    let mut of: Vec<u16> = of.iter().map(|part| seen.partition_point(|other| other < part) as u16).collect();
    if values < codes.len() {
        of.push(seen.len() as u16);
    }
    (of, seen.len() + (codes.len() - values))
}

/// For every class, the class to which it is joined, and their number: the heaviest levels stay, and all others
/// become one.
fn heaviest(codes: &Codes, parts: usize) -> (Vec<u16>, usize) {
    let (values, masses) = present(codes);
    let mut order: Vec<usize> = (0..values).collect();
    order.sort_by(|&a, &b| masses[b].total_cmp(&masses[a]).then(a.cmp(&b)));
    let mut of = vec![0; codes.len()];
    for (rank, &level) in order.iter().enumerate() {
        of[level] = rank.min(parts - 1) as u16;
    }
    let parts = values.min(parts);
    if values < codes.len() {
        of[values] = parts as u16;
    }
    (of, parts + (codes.len() - values))
}

/// The number of classes without that of missing values, and their probabilities.
fn present(codes: &Codes) -> (usize, &[f64]) {
    let values = codes.len() - usize::from(codes.has_missing());
    (values, &codes.probabilities()[..values])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A margin with these probabilities on whole numbers or levels.
    fn margin(masses: &[f64], missing: f64, spacing: &str) -> Margin {
        let runs: Vec<String> =
            masses.iter().enumerate().map(|(place, mass)| format!("[{place},1,{mass},0.0]")).collect();
        let grid = format!(r#"{{"spacing":"{spacing}","count":{}}}"#, masses.len());
        let text = format!(r#"{{"grid":{grid},"missing":{missing},"runs":[{}]}}"#, runs.join(","));
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn views_get_coarser_and_keep_missing_values_apart() {
        let even = Classes::new(&margin(&[0.01; 100], 0.2, "lattice"), true, &[]);
        assert_eq!(even.count(), 32);
        let counts: Vec<usize> = even.views().iter().map(View::count).collect();
        assert_eq!(counts, [32, 25, 17, 13, 11, 9, 7, 6, 5, 4, 3]);
        for view in even.views() {
            assert_eq!(view.all().nth(31).unwrap(), view.count() - 1, "missing values");
            let of: Vec<usize> = view.all().take(31).collect();
            assert!(of.is_sorted() && of[0] == 0 && of[30] == view.count() - 2, "{of:?}");
        }
    }

    #[test]
    fn rare_levels_are_joined_and_frequent_ones_are_not() {
        let levels = Classes::new(&margin(&[0.05, 0.5, 0.05, 0.3, 0.1], 0.0, "levels"), false, &[]);
        let coarse = levels.views().iter().find(|view| view.count() == 3).unwrap();
        assert_eq!(coarse.all().collect::<Vec<_>>(), [2, 0, 2, 1, 2]);
        let two = Classes::new(&margin(&[0.4, 0.6], 0.0, "levels"), false, &[]);
        assert_eq!(two.views().len(), 1);
    }

    #[test]
    fn spikes_do_not_leave_empty_parts() {
        let spike = Classes::new(&margin(&[0.95, 0.01, 0.01, 0.01, 0.01, 0.01], 0.0, "lattice"), true, &[]);
        for view in spike.views() {
            let mut of: Vec<usize> = view.all().collect();
            of.dedup();
            assert_eq!(of, (0..view.count()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn levels_are_lost_last_if_they_are_even_and_first_if_they_are_rare() {
        let number = Classes::new(&margin(&[0.01; 100], 0.0, "lattice"), true, &[]);
        let even = Classes::new(&margin(&[0.1; 10], 0.0, "levels"), false, &[]);
        let rare = [0.9, 0.08, 0.004, 0.004, 0.004, 0.002, 0.002, 0.002, 0.001, 0.001];
        let rare = Classes::new(&margin(&rare, 0.0, "levels"), false, &[]);
        let loss = |classes: &Classes, view: usize| classes.views()[view].loss(&classes.views()[view + 1]);
        let coarse = number.views().iter().position(|view| view.count() == 4).unwrap();
        assert!(loss(&number, coarse) < loss(&even, 0));
        assert!(loss(&rare, 0) < loss(&number, 0));
    }
}
