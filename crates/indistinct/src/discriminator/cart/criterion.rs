//! The two ways to measure a node and a split, in rpart's order of operations.
//!
//! With a 0/1 response both criteria prefer the split with the larger `sum a^2 / m` over the two children; they differ
//! in how cp sees a node, and in the rounding that decides between equal gains.

use super::CartMethod;

/// Rows in a node or in one side of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    /// All rows (m).
    pub(super) rows: u32,
    /// Synthetic rows among them (a).
    pub(super) synthetic: u32,
}

impl Count {
    /// The rows that are not in `part`.
    pub(super) fn without(self, part: Self) -> Self {
        Self { rows: self.rows - part.rows, synthetic: self.synthetic - part.synthetic }
    }

    /// The sum of both counts.
    pub(super) fn and(self, other: Self) -> Self {
        Self { rows: self.rows + other.rows, synthetic: self.synthetic + other.synthetic }
    }

    fn real(self) -> f64 {
        f64::from(self.rows - self.synthetic)
    }

    /// Share of synthetic rows.
    fn share(self) -> f64 {
        f64::from(self.synthetic) / f64::from(self.rows)
    }
}

/// The risk that cp refers to: misclassified rows, or the sum of squares.
pub(super) fn risk(method: CartMethod, node: Count) -> f64 {
    match method {
        CartMethod::Class => f64::from(node.synthetic.min(node.rows - node.synthetic)),
        CartMethod::Anova if node.rows == 0 => 0.0,
        CartMethod::Anova => {
            let mean = node.share();
            f64::from(node.synthetic) * ((1.0 - mean) * (1.0 - mean)) + node.real() * (mean * mean)
        }
    }
}

/// A criterion that compares splits of one node.
pub(super) trait Criterion: Copy {
    /// The criterion of a node.
    fn of_node(node: Count) -> Self;

    /// The term that one row adds to the running sum of the low side (only `anova` keeps one).
    fn term(self, synthetic: bool) -> f64;

    /// The value that a split must exceed.
    fn baseline(self) -> f64;

    /// The value of a split; larger is better. `low_sum` is the sum of [`Self::term`] over the low side.
    fn value(self, low: Count, high: Count, low_sum: f64) -> f64;

    /// The gain that is compared between columns, from the best value found.
    fn gain(self, value: f64) -> f64;

    /// The key that orders the levels of a nominal column: real share, or mean response, ascending.
    fn level_order(self, level: Count, sum: f64) -> f64;

    /// Whether the low side becomes the left child.
    fn low_goes_left(self, low: Count, high: Count, low_sum: f64, nominal: bool) -> bool;
}

/// Gini impurity.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gini {
    total: f64,
}

/// m * p * (1 - p), as rpart computes it for one class.
fn impurity(count: f64, rows: f64) -> f64 {
    let p = count / rows;
    rows * (p * (1.0 - p))
}

impl Criterion for Gini {
    fn of_node(node: Count) -> Self {
        let rows = f64::from(node.rows);
        Self { total: impurity(node.real(), rows) + impurity(f64::from(node.synthetic), rows) }
    }

    fn term(self, _synthetic: bool) -> f64 {
        0.0
    }

    fn baseline(self) -> f64 {
        -self.total
    }

    /// The impurity of both sides, negated: rpart compares impurities, not gains, and this rounds ties as it
    /// does.
    fn value(self, low: Count, high: Count, _low_sum: f64) -> f64 {
        let (low_rows, high_rows) = (f64::from(low.rows), f64::from(high.rows));
        -(impurity(low.real(), low_rows)
            + impurity(high.real(), high_rows)
            + impurity(f64::from(low.synthetic), low_rows)
            + impurity(f64::from(high.synthetic), high_rows))
    }

    fn gain(self, value: f64) -> f64 {
        self.total + value
    }

    fn level_order(self, level: Count, _sum: f64) -> f64 {
        level.real() / f64::from(level.rows)
    }

    fn low_goes_left(self, low: Count, high: Count, _low_sum: f64, _nominal: bool) -> bool {
        low.share() < high.share()
    }
}

/// Sum of squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Squares {
    mean: f64,
    risk: f64,
}

impl Criterion for Squares {
    fn of_node(node: Count) -> Self {
        Self { mean: node.share(), risk: risk(CartMethod::Anova, node) }
    }

    fn term(self, synthetic: bool) -> f64 {
        f64::from(u8::from(synthetic)) - self.mean
    }

    fn baseline(self) -> f64 {
        0.0
    }

    fn value(self, low: Count, high: Count, low_sum: f64) -> f64 {
        // The deviations from the mean sum to zero: the high side's sum is the low side's, negated.
        low_sum * low_sum / f64::from(low.rows) + low_sum * low_sum / f64::from(high.rows)
    }

    fn gain(self, value: f64) -> f64 {
        value / self.risk
    }

    fn level_order(self, level: Count, sum: f64) -> f64 {
        sum / f64::from(level.rows)
    }

    fn low_goes_left(self, low: Count, high: Count, low_sum: f64, nominal: bool) -> bool {
        if nominal {
            low_sum / f64::from(low.rows) <= -low_sum / f64::from(high.rows)
        } else {
            low_sum < -low_sum
        }
    }
}
