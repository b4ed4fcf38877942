//! The best split of one node on one column.

use super::criterion::{Count, Criterion};
use super::presort::MISSING_KEY;

/// The key of a working entry.
pub(super) fn key(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// The row of a working entry: its lowest bit is the row's label.
pub(super) fn row(entry: u64) -> usize {
    (entry as u32 >> 1) as usize
}

/// Whether the row of a working entry is synthetic.
pub(super) fn synthetic(entry: u64) -> bool {
    entry & 1 == 1
}

/// The count of all rows of these entries.
pub(super) fn count(entries: &[u64]) -> Count {
    Count { rows: entries.len() as u32, synthetic: entries.iter().map(|&entry| entry as u32 & 1).sum() }
}

/// The best split found on a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The gain that is compared between columns.
    pub(super) gain: f64,
    /// Ordered: present rows on the low side. Nominal: levels on the low side, in the order of [`order_levels`].
    pub(super) cut: usize,
    /// Ordered columns: whether missing values are on the low side.
    pub(super) missing_low: bool,
    /// Rows on the low side.
    pub(super) low: Count,
    /// Whether the low side becomes the left child.
    pub(super) low_goes_left: bool,
}

/// The best candidate so far: strictly better ones replace it, so that the first of equals stays.
struct Best<C> {
    criterion: C,
    node: Count,
    minbucket: u32,
    nominal: bool,
    value: f64,
    found: Option<Found>,
}

impl<C: Criterion> Best<C> {
    fn new(node: Count, minbucket: u32, nominal: bool) -> Self {
        let criterion = C::of_node(node);
        Self { criterion, node, minbucket, nominal, value: criterion.baseline(), found: None }
    }

    fn consider(&mut self, low: Count, low_sum: f64, cut: usize, missing_low: bool) {
        let high = self.node.without(low);
        if low.rows < self.minbucket || high.rows < self.minbucket {
            return;
        }
        let value = self.criterion.value(low, high, low_sum);
        if value > self.value {
            self.value = value;
            let low_goes_left = self.criterion.low_goes_left(low, high, low_sum, self.nominal);
            self.found = Some(Found { gain: 0.0, cut, missing_low, low, low_goes_left });
        }
    }

    fn finish(self) -> Option<Found> {
        let gain = self.criterion.gain(self.value);
        self.found.map(|found| Found { gain, ..found })
    }
}

/// The best threshold of an ordered column. `entries` are the node's, sorted, missing ones last.
pub(super) fn ordered<C: Criterion>(entries: &[u64], node: Count, minbucket: u32) -> Option<Found> {
    let present =
        entries.len() - entries.iter().rev().take_while(|&&entry| key(entry) == MISSING_KEY).count();
    let (entries, missing) = entries.split_at(present);
    if missing.is_empty() {
        complete::<C>(entries, node, minbucket)
    } else {
        with_missing::<C>(entries, count(missing), node, minbucket)
    }
}

/// A screen for splits that are worth computing the criterion.
///
/// Both criteria grow with S = sum a^2 / m over the two sides. Whether S is above a bound is found without a
/// division; only where S comes within rounding of the best one is the criterion computed and compared.
struct Screen {
    rows: f64,
    synthetic: f64,
    slack: f64,
    bound: f64,
}

impl Screen {
    fn new(node: Count) -> Self {
        let (rows, synthetic) = (f64::from(node.rows), f64::from(node.synthetic));
        let slack = rows * 1e-12;
        Self { rows, synthetic, slack, bound: synthetic * synthetic / rows - slack }
    }

    /// S times the rows of either side, and this product of rows.
    fn scaled(&self, low: Count) -> (f64, f64) {
        let (a, m) = (f64::from(low.synthetic), f64::from(low.rows));
        let (high_a, high_m) = (self.synthetic - a, self.rows - m);
        (a * a * high_m + high_a * high_a * m, m * high_m)
    }

    fn lets_pass(&self, low: Count) -> bool {
        let (s, scale) = self.scaled(low);
        s > self.bound * scale
    }

    /// Raises the bound to a valid split that passed.
    fn raise(&mut self, low: Count) {
        let (s, scale) = self.scaled(low);
        self.bound = self.bound.max(s / scale - self.slack);
    }
}

/// The innermost loop: one pass over the sorted rows.
fn complete<C: Criterion>(entries: &[u64], node: Count, minbucket: u32) -> Option<Found> {
    let mut best = Best::<C>::new(node, minbucket, false);
    let (n, edge) = (entries.len(), minbucket as usize);
    if n < 2 * edge || key(entries[0]) == key(entries[n - 1]) {
        return None;
    }
    let criterion = best.criterion;
    let mut screen = Screen::new(node);
    let mut low = count(&entries[..edge - 1]);
    let mut low_sum = 0.0;
    for &entry in &entries[..edge - 1] {
        low_sum += criterion.term(synthetic(entry));
    }
    // The low side holds `edge` rows at first and all but `edge` at last.
    for (&entry, &following) in entries[edge - 1..n - edge].iter().zip(&entries[edge..=n - edge]) {
        low.rows += 1;
        low.synthetic += entry as u32 & 1;
        low_sum += criterion.term(synthetic(entry));
        if key(entry) != key(following) && screen.lets_pass(low) {
            best.consider(low, low_sum, low.rows as usize, false);
            screen.raise(low);
        }
    }
    best.finish()
}

/// The best threshold where some rows are missing: every threshold is tried with them on either side, and finally
/// they are tried alone against all others.
fn with_missing<C: Criterion>(entries: &[u64], missing: Count, node: Count, minbucket: u32) -> Option<Found> {
    let mut best = Best::<C>::new(node, minbucket, false);
    let criterion = best.criterion;
    let missing_sum = f64::from(missing.synthetic) * criterion.term(true)
        + f64::from(missing.rows - missing.synthetic) * criterion.term(false);
    let mut screen = Screen::new(node);
    let mut try_with = |low: Count, low_sum: f64, cut: usize, missing_low: bool| {
        if screen.lets_pass(low) && low.rows.min(node.rows - low.rows) >= minbucket {
            best.consider(low, low_sum, cut, missing_low);
            screen.raise(low);
        }
    };
    let mut low = Count { rows: 0, synthetic: 0 };
    let mut low_sum = 0.0;
    for (position, &entry) in entries.iter().enumerate() {
        low.rows += 1;
        low.synthetic += entry as u32 & 1;
        low_sum += criterion.term(synthetic(entry));
        let Some(&following) = entries.get(position + 1) else { break };
        if key(entry) != key(following) {
            try_with(low, low_sum, position + 1, false);
            try_with(low.and(missing), low_sum + missing_sum, position + 1, true);
        }
    }
    best.consider(low, low_sum, entries.len(), false);
    best.finish()
}

/// The rows of a node that have one level of a nominal column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// The level's number; the one after the last stands for *missing*.
    pub(super) number: usize,
    count: Count,
    sum: f64,
    order: f64,
}

/// Lists the levels in the node in the order in which they move to the low side.
pub(super) fn order_levels<C: Criterion>(
    entries: &[u64],
    levels: usize,
    node: Count,
    found: &mut Vec<Level>,
) {
    let criterion = C::of_node(node);
    let empty = Level { number: 0, count: Count { rows: 0, synthetic: 0 }, sum: 0.0, order: 0.0 };
    found.clear();
    found.extend((0..=levels).map(|number| Level { number, ..empty }));
    for &entry in entries {
        let level = &mut found[(key(entry) as usize).min(levels)];
        level.count.rows += 1;
        level.count.synthetic += entry as u32 & 1;
        level.sum += criterion.term(synthetic(entry));
    }
    found.retain(|level| level.count.rows > 0);
    for level in found.iter_mut() {
        level.order = criterion.level_order(level.count, level.sum);
    }
    found.sort_by(|a, b| a.order.total_cmp(&b.order));
}

/// The best split of a nominal column, whose levels [`order_levels`] has ordered.
///
/// For two classes the best of all subsets of levels is among the prefixes of that order (Breiman et al. 1984).
pub(super) fn nominal<C: Criterion>(levels: &[Level], node: Count, minbucket: u32) -> Option<Found> {
    let mut best = Best::<C>::new(node, minbucket, true);
    let mut low = Count { rows: 0, synthetic: 0 };
    let mut low_sum = 0.0;
    for (position, level) in levels.iter().enumerate() {
        low = low.and(level.count);
        low_sum += level.sum;
        best.consider(low, low_sum, position + 1, false);
    }
    best.finish()
}
