//! Values that obey rules: rows whose values break one exchange them with rows of the same class, so that the
//! distributions of columns stay as they are.

use rand::RngExt;

use super::{FillIn, Pool};
use crate::margin::{Margin, declared};
use crate::progress;
use crate::random::Generator;
use crate::table::{Condition, Constraint, Schema, Table};

/// Rounds in which rows that break a rule try to exchange a value.
const EXCHANGES: usize = 60;
/// Rounds in which rows that break a rule draw new values.
const DRAWS: usize = 40;

/// Rules on rows of values, given as positions.
pub(crate) struct RowRules<'a> {
    conditions: Vec<&'a Condition>,
    schema: &'a Schema,
    margins: &'a [Margin],
}

/// Positions, column by column; `None` where a value is missing.
type Positions = Vec<Vec<Option<usize>>>;

impl<'a> RowRules<'a> {
    /// The constraints of a schema whose columns have these margins.
    pub(crate) fn new(schema: &'a Schema, margins: &'a [Margin]) -> Self {
        let conditions = schema.constraints().iter().map(Constraint::condition).collect();
        Self { conditions, schema, margins }
    }

    /// Some constraints of a schema, by number.
    pub(crate) fn some_of(schema: &'a Schema, margins: &'a [Margin], numbers: &[usize]) -> Self {
        let conditions = numbers.iter().map(|&number| schema.constraints()[number].condition()).collect();
        Self { conditions, schema, margins }
    }

    /// The conditions that rows must satisfy.
    pub(super) fn conditions(&self) -> &[&'a Condition] {
        &self.conditions
    }

    /// Whether each row obeys a rule. `positions` are those of the columns that the rule uses, in its order.
    pub(super) fn obeyed(&self, rule: &Condition, positions: &[Vec<Option<usize>>]) -> Vec<bool> {
        let column = |(column, positions): (usize, &Vec<Option<usize>>)| {
            declared(positions, &self.schema.columns()[column], &self.margins[column])
        };
        let columns = rule.columns().into_iter().zip(positions).map(column).collect();
        rule.satisfied(&Table::of_columns(columns))
    }

    /// For each of some rows, a rule that it breaks, if there is one.
    fn broken(&self, positions: &Positions, rows: &[u32]) -> Vec<Option<usize>> {
        let mut broken = vec![None; rows.len()];
        for (number, rule) in self.conditions.iter().enumerate() {
            let of_rows = |column: usize| rows.iter().map(|&row| positions[column][row as usize]).collect();
            let looked_at: Positions = rule.columns().into_iter().map(of_rows).collect();
            for (broken, obeys) in broken.iter_mut().zip(self.obeyed(rule, &looked_at)) {
                if !obeys && broken.is_none() {
                    *broken = Some(number);
                }
            }
        }
        broken
    }

    fn broken_among(&self, positions: &Positions, rows: &[u32]) -> Vec<(u32, usize)> {
        let broken = self.broken(positions, rows);
        rows.iter().zip(broken).filter_map(|(&row, rule)| Some((row, rule?))).collect()
    }
}

/// Makes the positions of filled-in rows obey, as far as the classes of the pool's `rows` allow; returns the rows
/// that do.
pub(crate) fn obey(
    positions: &mut Positions,
    rules: &RowRules<'_>,
    fill_in: &FillIn<'_>,
    pool: &Pool,
    rows: &[u32],
    random: &mut Generator,
) -> Vec<u32> {
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    let mut broken = rules.broken_among(positions, &all);
    if !broken.is_empty() {
        let class = |column: usize, row: u32| pool.row(rows[row as usize] as usize)[column];
        exchange(positions, &mut broken, rules, &class, rows.len(), random);
        draw_again(positions, &mut broken, rules, fill_in, &class, random);
    }
    let mut obeys = vec![true; rows.len()];
    for &(row, _) in &broken {
        obeys[row as usize] = false;
    }
    all.into_iter().filter(|&row| obeys[row as usize]).collect()
}

type ClassOf<'a> = dyn Fn(usize, u32) -> u16 + 'a;

/// Every row that breaks a rule tries to exchange its value in one of the rule's columns with a row of the same
/// class. The exchange is made if both rows then obey.
fn exchange(
    positions: &mut Positions,
    broken: &mut Vec<(u32, usize)>,
    rules: &RowRules<'_>,
    class: &ClassOf<'_>,
    rows: usize,
    random: &mut Generator,
) {
    // The rows of every class, of columns that have been looked at.
    let mut members: Vec<Option<Vec<Vec<u32>>>> = vec![None; positions.len()];
    for _ in 0..EXCHANGES {
        if broken.is_empty() {
            return;
        }
        progress::check();
        let mut is_taken = vec![false; rows];
        let mut tried: Vec<(u32, u32, usize)> = Vec::with_capacity(broken.len());
        for &(row, rule) in broken.iter() {
            let columns = rules.conditions[rule].columns();
            let column = columns[random.random_range(0..columns.len())];
            let of_column = members[column].get_or_insert_with(|| by_class(column, class, rows));
            let alike = &of_column[usize::from(class(column, row))];
            let other = alike[random.random_range(0..alike.len())];
            if row != other && !is_taken[row as usize] && !is_taken[other as usize] {
                is_taken[row as usize] = true;
                is_taken[other as usize] = true;
                tried.push((row, other, column));
            }
        }
        let swap = |positions: &mut Positions, &(row, other, column): &(u32, u32, usize)| {
            positions[column].swap(row as usize, other as usize);
        };
        for one in &tried {
            swap(positions, one);
        }
        let both: Vec<u32> = tried.iter().flat_map(|&(row, other, _)| [row, other]).collect();
        let breaks = rules.broken(positions, &both);
        for (one, breaks) in tried.iter().zip(breaks.chunks_exact(2)) {
            if breaks.iter().any(Option::is_some) {
                swap(positions, one);
            }
        }
        let rows: Vec<u32> = broken.iter().map(|(row, _)| *row).collect();
        *broken = rules.broken_among(positions, &rows);
    }
}

/// The rows of every class of a column.
fn by_class(column: usize, class: &ClassOf<'_>, rows: usize) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> = Vec::new();
    for row in 0..rows as u32 {
        let class = usize::from(class(column, row));
        if members.len() <= class {
            members.resize(class + 1, Vec::new());
        }
        members[class].push(row);
    }
    members
}

/// Rows that still break a rule draw new values within their classes.
fn draw_again(
    positions: &mut Positions,
    broken: &mut Vec<(u32, usize)>,
    rules: &RowRules<'_>,
    fill_in: &FillIn<'_>,
    class: &ClassOf<'_>,
    random: &mut Generator,
) {
    for _ in 0..DRAWS {
        if broken.is_empty() {
            return;
        }
        for &(row, rule) in broken.iter() {
            for column in rules.conditions[rule].columns() {
                positions[column][row as usize] =
                    fill_in.position_within(column, usize::from(class(column, row)), random);
            }
        }
        let rows: Vec<u32> = broken.iter().map(|(row, _)| *row).collect();
        *broken = rules.broken_among(positions, &rows);
    }
}
