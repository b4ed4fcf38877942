//! Rules between columns, on rows of classes: the combinations of classes without any row that obeys.
//!
//! Classes begin where rules compare a column with a constant, so that most rules are either kept by all rows of
//! a combination or broken by all. Rules that compare columns with each other leave combinations in which some
//! values obey and some do not: those are allowed here, and [`obey`](super::obey) handles the values.

use super::RowRules;
use crate::grid::Codes;
use crate::margin::Margin;
use crate::table::Condition;

/// Most combinations of classes of one rule; a rule with more is left to the values.
const MOST_CELLS: usize = 1 << 18;
/// Approximate number of rows that are tried for one rule.
const EFFORT: usize = 1 << 19;
/// Most rows that are tried for one combination.
const MOST_DRAWS: usize = 64;
/// In some combination one in this many rows must obey, or classes are too coarse for the rule.
const LEAST_OBEYING: usize = 4;

/// The rules that rows of classes must obey.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClassRules {
    rules: Vec<ClassRule>,
    /// For every column, the rules that use it.
    of_column: Vec<Vec<usize>>,
    /// For every rule, the sets of columns that may be exchanged between two rows to keep it: each of its
    /// columns, alone and together with all that other rules tie to it.
    moves: Vec<Vec<Vec<usize>>>,
    /// For every column, whether rules say when it is missing.
    say_when_missing: Vec<bool>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq)]
struct ClassRule {
    columns: Vec<usize>,
    /// For every column, the step of each class: its summand in the number of a cell.
    steps: Vec<usize>,
    is_broken: Vec<bool>,
}

impl ClassRules {
    /// The rules for columns with these margins and classes.
    pub(crate) fn new(rules: &RowRules<'_>, margins: &[Margin], codes: &[&Codes]) -> Self {
        let found = rules.conditions().iter().filter_map(|rule| ClassRule::new(rule, rules, margins, codes));
        let is_asked = |column: usize| rules.conditions().iter().any(|rule| rule.asks_if_missing(column));
        Self::of(found.collect(), (0..margins.len()).map(is_asked).collect())
    }

    /// A set of no rules.
    #[cfg(test)]
    pub(super) fn none(columns: usize) -> Self {
        Self::of(Vec::new(), vec![false; columns])
    }

    fn of(rules: Vec<ClassRule>, say_when_missing: Vec<bool>) -> Self {
        let mut of_column = vec![Vec::new(); say_when_missing.len()];
        for (place, rule) in rules.iter().enumerate() {
            rule.columns.iter().for_each(|&column| of_column[column].push(place));
        }
        let moves = rules.iter().map(|rule| moves(rule, &rules)).collect();
        Self { rules, of_column, moves, say_when_missing }
    }

    /// Whether rules say when a column is missing.
    pub(super) fn say_when_missing(&self, column: usize) -> bool {
        self.say_when_missing[column]
    }

    /// The number of rules that a row breaks.
    pub(super) fn broken(&self, row: &[u16]) -> usize {
        self.rules.iter().filter(|rule| rule.is_broken[rule.cell(row)]).count()
    }

    /// The columns of a rule that a row breaks.
    pub(super) fn columns_of_broken(&self, row: &[u16]) -> Option<&[usize]> {
        self.rules.iter().find(|rule| rule.is_broken[rule.cell(row)]).map(|rule| rule.columns.as_slice())
    }

    /// Number of rules.
    pub(super) fn count(&self) -> usize {
        self.rules.len()
    }

    /// The exchanges that may repair a rule that a row breaks: the first such rule, counted from number `from`.
    pub(super) fn moves_of_broken(&self, row: &[u16], from: usize) -> Option<&[Vec<usize>]> {
        let in_turn = (from..self.rules.len()).chain(0..from);
        let mut broken = in_turn.filter(|&rule| self.rules[rule].is_broken[self.rules[rule].cell(row)]);
        broken.next().map(|rule| self.moves[rule].as_slice())
    }

    /// The number of additional rules that a row would break with another class in a column.
    pub(super) fn broken_more(&self, row: &[u16], column: usize, class: u16) -> isize {
        let own = usize::from(row[column]);
        let of_rule = |&place: &usize| {
            let rule = &self.rules[place];
            let cell = rule.cell(row);
            let step = rule.step(column);
            let moved = cell + step * usize::from(class) - step * own;
            isize::from(rule.is_broken[moved]) - isize::from(rule.is_broken[cell])
        };
        self.of_column[column].iter().map(of_rule).sum()
    }

    /// Columns that rules tie together, directly or through others: whole blocks can be exchanged without
    /// breaking any rule.
    pub(super) fn blocks(&self) -> Vec<Vec<usize>> {
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for rule in &self.rules {
            let is_tied = |block: &Vec<usize>| block.iter().any(|column| rule.columns.contains(column));
            let (tied, mut others): (Vec<_>, Vec<_>) = blocks.into_iter().partition(is_tied);
            let mut block = tied.concat();
            block.extend(&rule.columns);
            block.sort_unstable();
            block.dedup();
            others.push(block);
            blocks = others;
        }
        blocks.retain(|block| block.len() > 1);
        blocks
    }
}

/// Each column of a rule, alone and together with all that other rules tie to it, if there are any: an industry
/// that is missing below 16 can only be exchanged together with its sector, which another rule ties to it.
fn moves(rule: &ClassRule, rules: &[ClassRule]) -> Vec<Vec<usize>> {
    let mut moves: Vec<Vec<usize>> = rule.columns.iter().map(|&column| vec![column]).collect();
    for &column in &rule.columns {
        let mut tied = vec![column];
        let mut next = 0;
        while let Some(&from) = tied.get(next) {
            let through = rules.iter().filter(|other| other.columns.contains(&from));
            for &column in through.flat_map(|other| &other.columns) {
                if !tied.contains(&column) && !rule.columns.contains(&column) {
                    tied.push(column);
                }
            }
            next += 1;
        }
        if tied.len() > 1 {
            moves.push(tied);
        }
    }
    moves
}

impl ClassRule {
    /// The rule on classes. `None` if every combination of classes holds rows that obey, if there are too many
    /// combinations, or if classes are too coarse for the rule: no combination has enough rows that obey.
    fn new(rule: &Condition, rules: &RowRules<'_>, margins: &[Margin], codes: &[&Codes]) -> Option<Self> {
        let columns = rule.columns();
        let mut steps = Vec::with_capacity(columns.len());
        let mut cells: usize = 1;
        for &column in &columns {
            steps.push(cells);
            cells = cells.checked_mul(codes[column].len()).filter(|cells| *cells <= MOST_CELLS)?;
        }
        let draws = (EFFORT / cells).clamp(2, MOST_DRAWS);
        let tried = columns.iter().zip(&steps).enumerate().map(|(place, (&column, step))| {
            let ranges: Vec<_> =
                (0..codes[column].len()).map(|class| codes[column].range(&margins[column], class)).collect();
            let position = |number: usize| {
                let (cell, draw) = (number / draws, number % draws);
                let range = ranges[cell / step % ranges.len()].as_ref();
                range.map(|range| range.position(&margins[column], part(place, draw, draws)))
            };
            (0..cells * draws).map(position).collect::<Vec<Option<usize>>>()
        });
        let obeys = rules.obeyed(rule, &tried.collect::<Vec<_>>());
        let obeying: Vec<usize> =
            obeys.chunks_exact(draws).map(|cell| cell.iter().filter(|obeys| **obeys).count()).collect();
        // Missing values satisfy rules that do not ask for them: they tell nothing of how coarse classes are.
        let is_judged = |cell: usize| {
            columns.iter().zip(&steps).all(|(&column, step)| {
                let class = cell / step % codes[column].len();
                class < codes[column].starts().len() || rule.asks_if_missing(column)
            })
        };
        let mut judged = (0..cells).filter(|&cell| is_judged(cell)).map(|cell| obeying[cell]);
        if judged.all(|obeying| obeying * LEAST_OBEYING < draws) {
            return None;
        }
        let is_broken: Vec<bool> = obeying.iter().map(|&obeying| obeying == 0).collect();
        is_broken.contains(&true).then_some(Self { columns, steps, is_broken })
    }

    fn cell(&self, row: &[u16]) -> usize {
        self.columns.iter().zip(&self.steps).map(|(&column, step)| step * usize::from(row[column])).sum()
    }

    fn step(&self, column: usize) -> usize {
        let place = self.columns.iter().position(|own| *own == column);
        place.map_or(0, |place| self.steps[place])
    }
}

/// Shares of a class's mass that are spread evenly over all columns of a rule together: the first column goes
/// through them in order, others in steps of an irrational number.
fn part(place: usize, draw: usize, draws: usize) -> f64 {
    match place {
        0 => (draw as f64 + 0.5) / draws as f64,
        _ => (0.5 + draw as f64 * ((place + 1) as f64 * 1.25).sqrt() * 0.618_033_988_75).fract(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ColumnSchema, ColumnType, Schema};

    /// A margin that is even over whole numbers.
    fn even(count: usize, missing: f64) -> Margin {
        let text = format!(
            r#"{{"grid":{{"spacing":"lattice","count":{count}}},"missing":{missing},"runs":[[0,{count},1.0,0.0]]}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn rules_of(rules: &[&str]) -> ClassRules {
        let columns = ["a", "b", "c"].map(|name| ColumnSchema::new(name, ColumnType::Integer)).to_vec();
        let schema = Schema::new(Vec::new(), columns).unwrap();
        let schema = schema.with_constraints(rules.iter().map(|rule| (*rule, None))).unwrap();
        let margins = [even(100, 0.1), even(100, 0.1), even(10, 0.0)];
        let codes = [10, 10, 10].map(|max| max + 1);
        let codes: Vec<Codes> = margins.iter().zip(codes).map(|(margin, max)| margin.codes(max)).collect();
        let rules = RowRules::new(&schema, &margins);
        ClassRules::new(&rules, &margins, &codes.iter().collect::<Vec<_>>())
    }

    #[test]
    fn combinations_without_a_row_that_obeys_are_broken() {
        let rules = rules_of(&["a <= b", "c is not missing when a is missing"]);
        assert_eq!(rules.rules.len(), 1, "the second is never broken: c has no missing values");
        for (row, broken) in
            [([3, 2, 0], 1), ([3, 3, 0], 0), ([3, 4, 0], 0), ([10, 0, 0], 0), ([9, 10, 5], 0)]
        {
            assert_eq!(rules.broken(&row), broken, "{row:?}");
        }
        assert_eq!(rules.broken_more(&[3, 3, 0], 1, 2), 1);
        assert_eq!(rules.broken_more(&[3, 2, 0], 0, 1), -1);
        assert_eq!(rules.broken_more(&[3, 3, 0], 2, 7), 0);
        assert_eq!(rules.columns_of_broken(&[9, 0, 0]), Some([0, 1].as_slice()));
    }

    #[test]
    fn rules_too_fine_for_classes_are_left_to_the_values() {
        // Which combinations a few draws happen to hit would be chance.
        assert_eq!(rules_of(&["abs(a - b) < 1"]), ClassRules::of(Vec::new(), vec![false; 3]));
        assert_eq!(rules_of(&["abs(a - b) <= 30"]).rules.len(), 1);
    }

    #[test]
    fn columns_move_alone_or_with_those_that_other_rules_tie_to_them() {
        let rules = rules_of(&["a <= b", "c < 5 when b >= 90"]);
        assert_eq!(rules.moves[0], [vec![0], vec![1], vec![1, 2]]);
        assert_eq!(rules.moves[1], [vec![1], vec![2], vec![1, 0]]);
        assert_eq!(rules_of(&["a <= b"]).moves[0], [[0], [1]]);
        assert!(rules.moves_of_broken(&[3, 3, 0], 1).is_none());
        let both = [9, 9, 9];
        assert_eq!(
            rules.moves_of_broken(&both, 0),
            rules.moves_of_broken(&both, 1),
            "it breaks the second only"
        );
    }

    #[test]
    fn columns_are_tied_through_others() {
        assert_eq!(rules_of(&["a <= b"]).blocks(), [[0, 1]]);
        assert_eq!(rules_of(&["a <= b", "c < 5 when b >= 90"]).blocks(), [[0, 1, 2]]);
        assert!(rules_of(&[]).blocks().is_empty());
    }
}
