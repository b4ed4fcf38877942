//! The tree that tells real from synthetic rows, in words.

use indistinct::discriminator::cart::{self, Question};
use indistinct::discriminator::optimal::{self, Cut};
use indistinct::discriminator::{Predictor, Stacked};
use indistinct::table::{ColumnType, MISSING_CODE};

use super::column::levels;
use super::words::{count, percent, shown, value};
use crate::chart::{TreeBranch, TreeChart, TreeNode};

/// Deepest nodes that are drawn; deeper ones are only counted.
const DEEPEST: usize = 4;
/// Most levels that a condition lists.
const LISTED: usize = 12;

/// A tree of either kind: for each node its synthetic rows, its rows, and its branches.
struct Grown {
    nodes: Vec<(u64, u64, Vec<TreeBranch>)>,
}

/// The columns of the conditions.
struct Columns<'a> {
    stacked: &'a Stacked,
    kinds: &'a [ColumnType],
}

pub(super) fn of_cart(tree: &cart::Tree, stacked: &Stacked, kinds: &[ColumnType]) -> TreeChart {
    let columns = Columns { stacked, kinds };
    let nodes = tree.nodes().iter().map(|node| {
        let branches = node.split.as_ref().map_or_else(Vec::new, |split| {
            let (left, right) = columns.of_question(split);
            vec![
                TreeBranch { condition: left, to: split.left },
                TreeBranch { condition: right, to: split.right },
            ]
        });
        (u64::from(node.synthetic), u64::from(node.rows), branches)
    });
    Grown { nodes: nodes.collect() }.chart()
}

pub(super) fn of_optimal(tree: &optimal::Tree, stacked: &Stacked, kinds: &[ColumnType]) -> TreeChart {
    let columns = Columns { stacked, kinds };
    let nodes = tree.nodes().iter().map(|node| {
        let branches = node.split.as_ref().map_or_else(Vec::new, |split| {
            let (inside, outside) = columns.of_cut(split.predictor, split.cut);
            vec![
                TreeBranch { condition: inside, to: split.inside },
                TreeBranch { condition: outside, to: split.outside },
            ]
        });
        (u64::from(node.synthetic), u64::from(node.synthetic) + u64::from(node.real), branches)
    });
    Grown { nodes: nodes.collect() }.chart()
}

/// The boxes of a tree as rows of a table, from the root down: the condition that a box adds to its parent's, its
/// number of rows, and what is not shown.
pub(super) fn rows(tree: &TreeChart) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut next = vec![(0, 0, "all rows")];
    while let Some((place, depth, condition)) = next.pop() {
        let Some(node) = tree.nodes.get(place) else { continue };
        let indent = "\u{2003}".repeat(depth);
        let more = if node.more.is_empty() { String::new() } else { format!(" ({})", node.more) };
        rows.push(vec![format!("{indent}{condition}{more}"), node.detail.clone(), node.heading.clone()]);
        next.extend(
            node.branches.iter().rev().map(|branch| (branch.to, depth + 1, branch.condition.as_str())),
        );
    }
    rows
}

impl Grown {
    fn chart(mut self) -> TreeChart {
        let mut depths = vec![0; self.nodes.len()];
        for place in 0..self.nodes.len() {
            for branch in &self.nodes[place].2 {
                depths[branch.to] = depths[place] + 1;
            }
        }
        let hidden: Vec<usize> = (0..self.nodes.len())
            .map(|place| if depths[place] == DEEPEST { self.leaves(place) } else { 0 })
            .collect();
        for (place, node) in self.nodes.iter_mut().enumerate() {
            if depths[place] >= DEEPEST {
                node.2.clear();
            }
        }
        let nodes = self.nodes.into_iter().zip(hidden);
        let nodes = nodes.map(|((synthetic, rows, branches), leaves)| {
            let share = synthetic as f64 / rows.max(1) as f64;
            let more = if leaves > 1 { format!("… {leaves} more leaves") } else { String::new() };
            TreeNode {
                heading: format!("{} synthetic", percent(share)),
                detail: format!("{} of {}", count(synthetic), count(rows)),
                share,
                hover: format!(
                    "{} synthetic and {} real rows: {} synthetic",
                    count(synthetic),
                    count(rows - synthetic),
                    percent(share)
                ),
                branches,
                more,
            }
        });
        TreeChart { title: String::new(), description: String::new(), nodes: nodes.collect() }
    }

    fn leaves(&self, place: usize) -> usize {
        let branches = &self.nodes[place].2;
        if branches.is_empty() { 1 } else { branches.iter().map(|branch| self.leaves(branch.to)).sum() }
    }
}

impl Columns<'_> {
    fn name(&self, column: usize) -> String {
        shown(&self.stacked.names()[column])
    }

    fn has_missing(&self, column: usize) -> bool {
        match &self.stacked.predictors()[column] {
            Predictor::Ordered(values) => values.iter().any(|value| value.is_nan()),
            Predictor::Nominal { codes, .. } => codes.contains(&MISSING_CODE),
        }
    }

    /// The conditions of the left child and of the right one.
    fn of_question(&self, split: &cart::Split) -> (String, String) {
        let name = self.name(split.predictor);
        let (mut left, mut right) = match &split.question {
            Question::Below { threshold, .. } if threshold.is_infinite() => {
                let (present, missing) = (format!("{name} is there"), format!("{name} is missing"));
                let (below, other) = if *threshold > 0.0 { (present, missing) } else { (missing, present) };
                return if split.missing_goes_left == below.ends_with("missing") {
                    (below, other)
                } else {
                    (other, below)
                };
            }
            Question::Below { threshold, low_goes_left } => {
                let (low, high) = self.halves(split.predictor, *threshold, false);
                if *low_goes_left { (low, high) } else { (high, low) }
            }
            Question::OneOf { left } => {
                let chosen: Vec<&String> = self
                    .stacked
                    .levels(split.predictor)
                    .iter()
                    .zip(left)
                    .filter_map(|(level, goes)| goes.then_some(level))
                    .collect();
                if chosen.is_empty() {
                    return (format!("{name} is missing"), format!("{name} is there"));
                }
                among(&name, &chosen)
            }
        };
        if self.has_missing(split.predictor) {
            let side = if split.missing_goes_left { &mut left } else { &mut right };
            side.push_str(" or missing");
        }
        (left, right)
    }

    /// The conditions inside the cut and outside.
    fn of_cut(&self, column: usize, cut: Cut) -> (String, String) {
        let name = self.name(column);
        let missing = if self.has_missing(column) { " or missing" } else { "" };
        match cut {
            Cut::Missing => (format!("{name} is missing"), format!("{name} is there")),
            Cut::Below(threshold) | Cut::AtMost(threshold) => {
                let (low, high) = self.halves(column, threshold, matches!(cut, Cut::AtMost(_)));
                (low + missing, high)
            }
            Cut::Level(level) => {
                let level = self.stacked.levels(column).get(level as usize);
                let (inside, outside) = among(&name, &level.into_iter().collect::<Vec<_>>());
                (inside, outside + missing)
            }
        }
    }

    /// The conditions below a threshold (or at most it), and above, by value or by level.
    fn halves(&self, column: usize, threshold: f64, closed: bool) -> (String, String) {
        let (name, kind) = (self.name(column), &self.kinds[column]);
        if let Some(levels) = levels(kind) {
            let low = |place: usize| {
                let code = place as f64;
                if closed { code <= threshold } else { code < threshold }
            };
            let side = |wanted: bool| {
                let chosen = levels.iter().enumerate().filter(|(place, _)| low(*place) == wanted);
                among(&name, &chosen.map(|(_, level)| level).collect::<Vec<_>>()).0
            };
            return (side(true), side(false));
        }
        let at = value(kind, threshold);
        if closed {
            (format!("{name} ≤ {at}"), format!("{name} > {at}"))
        } else {
            (format!("{name} < {at}"), format!("{name} ≥ {at}"))
        }
    }
}

/// The conditions of having one of these levels, and none of them.
fn among(name: &str, levels: &[&String]) -> (String, String) {
    let listed: Vec<String> = levels.iter().take(LISTED).map(|level| shown(level)).collect();
    let rest = levels.len().saturating_sub(LISTED);
    let mut list = listed.join(", ");
    if rest > 0 {
        list += &format!(" and {rest} more");
    }
    if levels.len() == 1 {
        (format!("{name} = {list}"), format!("{name} ≠ {list}"))
    } else {
        (format!("{name}: {list}"), format!("{name}: not {list}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::discriminator::cart::CartOptions;
    use indistinct::discriminator::optimal::OptimalParams;
    use indistinct::table::{Column, Table};

    fn stacked(real: Vec<Column>, synthetic: Vec<Column>) -> Stacked {
        Stacked::new(&Table::new(real).unwrap(), &Table::new(synthetic).unwrap()).unwrap()
    }

    fn conditions(chart: &TreeChart) -> Vec<&str> {
        chart.nodes[0].branches.iter().map(|branch| branch.condition.as_str()).collect()
    }

    #[test]
    fn splits_are_described_in_words() {
        let numbers = |shift: f64| Column::float("x", (0..60).map(|k| f64::from(k) + shift).collect());
        let tables = stacked(vec![numbers(0.0)], vec![numbers(30.0)]);
        let kinds = [ColumnType::Float];
        let chart = of_cart(&cart::fit(&tables, &cart::CartParams::default()), &tables, &kinds);
        // Values below 30 are real only, those from 60 on synthetic only; the midpoints are the thresholds.
        assert!(["x < 29.5", "x < 59.5"].contains(&conditions(&chart)[0]), "{:?}", conditions(&chart));
        assert_eq!(chart.nodes[0].detail, "60 of 120");
        assert_eq!(chart.nodes[0].heading, "50\u{2009}% synthetic");
        let chart = of_optimal(&optimal::fit(&tables, &OptimalParams::default()).tree, &tables, &kinds);
        assert!(["x < 30", "x ≤ 29"].contains(&conditions(&chart)[0]), "{:?}", conditions(&chart));
    }

    #[test]
    fn levels_and_missing_values_are_named() {
        let level = |codes: Vec<u32>| Column::nominal("c", &["a", "b", "z"], codes);
        let real = level([0, 1].repeat(40));
        let synthetic = level([2, 2, 2, MISSING_CODE].repeat(20));
        let tables = stacked(vec![real], vec![synthetic]);
        let kinds = [ColumnType::Nominal { levels: ["a", "b", "z"].map(str::to_owned).into() }];
        let chart = of_cart(&cart::fit(&tables, &cart::CartParams::default()), &tables, &kinds);
        assert_eq!(conditions(&chart), ["c: a, b", "c: not a, b or missing"]);
        let ordered = ColumnType::Boolean { when_false: "no".to_owned(), when_true: "yes".to_owned() };
        let tables = stacked(
            vec![Column::float("x", [0.0, 0.0, 0.0, 1.0].repeat(20))],
            vec![Column::float("x", [1.0, 1.0, 1.0, 0.0].repeat(20))],
        );
        let chart = of_cart(&cart::fit(&tables, &cart::CartParams::default()), &tables, &[ordered]);
        assert_eq!(conditions(&chart), ["x = no", "x = yes"]);
    }

    #[test]
    fn present_against_missing() {
        let real = Column::float("x", vec![1.0; 40]);
        let synthetic = Column::float("x", [vec![1.0; 20], vec![f64::NAN; 20]].concat());
        let tables = stacked(vec![real], vec![synthetic]);
        let chart = of_cart(&cart::fit(&tables, &cart::CartParams::default()), &tables, &[ColumnType::Float]);
        assert_eq!(conditions(&chart), ["x is there", "x is missing"]);
        let said: Vec<String> = rows(&chart).into_iter().map(|row| row.join("|")).collect();
        assert_eq!(
            said,
            [
                "all rows|40 of 80|50\u{2009}% synthetic",
                "\u{2003}x is there|20 of 60|33.3\u{2009}% synthetic",
                "\u{2003}x is missing|20 of 20|100\u{2009}% synthetic",
            ]
        );
        assert_eq!(chart.nodes[2].heading, "100\u{2009}% synthetic");
    }

    #[test]
    fn nodes_left_out_of_deep_trees_are_counted() {
        let real = Column::float("x", (0..512).map(|k| f64::from(k) + f64::from(k % 2) * 0.3).collect());
        let synthetic = Column::float("x", (0..512).map(|k| f64::from(k) + 0.4).collect());
        let tables = stacked(vec![real], vec![synthetic]);
        let params = CartOptions::default()
            .with(|options| {
                options.cp = Some(-1.0);
                options.minbucket = Some(1);
            })
            .check()
            .unwrap();
        let tree = cart::fit(&tables, &params);
        let leaves = tree.leaves().count();
        let chart = of_cart(&tree, &tables, &[ColumnType::Float]);
        let mut reached = vec![0];
        let (mut drawn, mut hidden) = (0, 0);
        while let Some(place) = reached.pop() {
            let node = &chart.nodes[place];
            reached.extend(node.branches.iter().map(|branch| branch.to));
            let more: usize = node.more.split(' ').nth(1).map_or(0, |number| number.parse().unwrap());
            drawn += usize::from(node.branches.is_empty() && more == 0);
            hidden += more;
        }
        assert!(hidden > 0 && drawn + hidden == leaves, "{drawn} {hidden} {leaves}");
    }
}
