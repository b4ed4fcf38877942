//! Rows that stand for many: a part of a large sample whose tables of two columns are nearly those of all of it, and whose
//! columns are distributed as the model says.
//!
//! Rows that are drawn one by one vary about their model, and that noise protects nobody: privacy was paid for when the
//! model was found, and what is made from a model is post-processing. So several times as many rows are drawn as are
//! wanted, and rows that were to be kept are exchanged for others wherever this brings the tables of pairs closer to those
//! of the large sample. Microsimulation fits survey records to census tables in this way (Williamson, Birkin and Rees 1998).
//! What the large sample has of each class of a column is known better from the model's margin: tables are fitted to that.

use rayon::prelude::*;

use crate::interrupt;
use crate::margin::{Codes, Margin, fit_proportionally};
use crate::table::{Column, Table};

/// Classes of a column, at most: of about equal mass, but frequent levels, atoms and heaps by themselves.
const CLASSES: usize = 32;
/// How often another row is tried in the place of each, at most.
const SWEEPS: usize = 20;
/// Comparisons of cells, about, at most: fewer sweeps are made where there are many columns.
const EFFORT: usize = 50_000_000;
/// Rounds of proportional fitting of a table to the margins.
const ROUNDS: usize = 5;
/// Rows after which to ask whether they are still wanted.
const CHECKED: usize = 1024;

/// Which `rows` of a pool to keep, in ascending order. `margins` are those of the model, to which classes are fitted unless
/// `constrained` rows are distributed otherwise.
///
/// # Panics
/// When there are fewer rows in the pool, or there is not a margin for every column.
pub(super) fn representative(pool: &Table, rows: usize, margins: &[Margin], constrained: bool) -> Vec<u32> {
    assert!(pool.rows() >= rows, "the pool has the rows");
    assert_eq!(pool.columns().len(), margins.len(), "a margin for every column");
    let columns = pool.columns().par_iter().zip(margins);
    let classes: Vec<Classes> = columns.map(|(column, margin)| Classes::new(column, margin)).collect();
    let mut tables = Tables::new(&classes, pool.rows());
    let mut kept: Vec<u32> = (0..rows as u32).collect();
    let mut others: Vec<u32> = (rows as u32..pool.rows() as u32).collect();
    tables.aim(&kept, (!constrained).then_some(classes.as_slice()));

    let sweeps = (EFFORT / (rows * tables.pairs.len()).max(1)).clamp(1, SWEEPS);
    let mut next = 0;
    for _ in 0..sweeps {
        for (number, row) in kept.iter_mut().enumerate() {
            if number.is_multiple_of(CHECKED) {
                interrupt::check();
            }
            let Some(other) = others.get_mut(next) else { break };
            if tables.falls(*row, *other) {
                tables.exchange(*row, *other);
                std::mem::swap(row, other);
            }
            next = (next + 1) % others.len();
        }
    }
    kept.sort_unstable();
    kept
}

/// The classes of a column.
struct Classes {
    of_rows: Vec<u8>,
    /// What the model gives to each.
    probabilities: Vec<f64>,
}

impl Classes {
    fn new(column: &Column, margin: &Margin) -> Self {
        let codes: Codes = margin.codes(CLASSES);
        let class = |value: &f64| codes.class(margin.grid().position(*value)) as u8;
        Self {
            of_rows: column.values().to_reals().iter().map(class).collect(),
            probabilities: codes.probabilities().to_vec(),
        }
    }

    fn count(&self) -> usize {
        self.probabilities.len()
    }
}

/// Tables of all pairs of columns (and of each with itself, for its margin): rows that are kept, less what there should be.
/// What is to be made small is the sum of squares: that of absolute values stops at the first rows that are as good.
struct Tables {
    /// Classes, row after row.
    of_rows: Vec<u8>,
    columns: usize,
    /// Columns of each table, and where it starts.
    pairs: Vec<Pair>,
    excess: Vec<f32>,
}

struct Pair {
    first: usize,
    second: usize,
    start: usize,
    width: usize,
}

impl Pair {
    fn cell(&self, row: &[u8]) -> usize {
        self.start + usize::from(row[self.first]) * self.width + usize::from(row[self.second])
    }

    /// Proportional fitting of the counts of this pair, among all, to the probabilities of both columns' classes.
    fn fit(&self, counts: &mut [f64], all: f64, classes: &[Classes]) {
        let (first, second) = (&classes[self.first].probabilities, &classes[self.second].probabilities);
        let table = &mut counts[self.start..][..first.len() * self.width];
        if self.first == self.second {
            for (class, probability) in first.iter().enumerate() {
                table[class * self.width + class] = all * probability;
            }
            return;
        }
        let targets =
            |probabilities: &[f64]| probabilities.iter().map(|probability| all * probability).collect();
        let (rows, columns): (Vec<f64>, Vec<f64>) = (targets(first), targets(second));
        fit_proportionally(table, &rows, &columns, ROUNDS);
    }
}

impl Tables {
    fn new(classes: &[Classes], rows: usize) -> Self {
        let columns = classes.len();
        let mut pairs = Vec::with_capacity(columns * (columns + 1) / 2);
        let mut start = 0;
        for first in 0..columns {
            for second in first..columns {
                let width = classes[second].count();
                pairs.push(Pair { first, second, start, width });
                start += classes[first].count() * width;
            }
        }
        let mut of_rows = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            of_rows.extend(classes.iter().map(|classes| classes.of_rows[row]));
        }
        Self { of_rows, columns, pairs, excess: vec![0.0; start] }
    }

    fn row(&self, row: u32) -> &[u8] {
        &self.of_rows[row as usize * self.columns..][..self.columns]
    }

    /// Counts all rows, fits that to what is known of the classes of columns, and counts the rows that are kept.
    fn aim(&mut self, kept: &[u32], known: Option<&[Classes]>) {
        let mut counts = vec![0.0; self.excess.len()];
        for row in self.of_rows.chunks_exact(self.columns) {
            self.pairs.iter().for_each(|pair| counts[pair.cell(row)] += 1.0);
        }
        let all = (self.of_rows.len() / self.columns) as f64;
        if let Some(classes) = known {
            self.pairs.iter().for_each(|pair| pair.fit(&mut counts, all, classes));
        }
        // Large counts are exact in doubles only; what is left of them is small.
        let part = kept.len() as f64 / all;
        for count in &mut counts {
            *count *= -part;
        }
        for &row in kept {
            let row = self.row(row);
            self.pairs.iter().for_each(|pair| counts[pair.cell(row)] += 1.0);
        }
        for (excess, count) in self.excess.iter_mut().zip(counts) {
            *excess = count as f32;
        }
    }

    fn add(&mut self, row: u32, count: f32) {
        let row = &self.of_rows[row as usize * self.columns..][..self.columns];
        self.pairs.iter().for_each(|pair| self.excess[pair.cell(row)] += count);
    }

    /// Whether the sum of squares falls if `other` is kept instead of `row`: it does by twice what is summed here.
    fn falls(&self, row: u32, other: u32) -> bool {
        let (row, other) = (self.row(row), self.row(other));
        let of_pair = |pair: &Pair| {
            let (from, to) = (pair.cell(row), pair.cell(other));
            if from == to { 0.0 } else { self.excess[from] - self.excess[to] - 1.0 }
        };
        self.pairs.iter().map(of_pair).sum::<f32>() > 0.0
    }

    fn exchange(&mut self, row: u32, other: u32) {
        self.add(row, -1.0);
        self.add(other, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::table::{ColumnSchema, ColumnType, Values};
    use rand::RngExt;

    /// A number, two levels that depend on it, and a third column that is neither's alone: the parity of both.
    fn pool(rows: usize, levels: u32) -> Table {
        let mut random = Seed(4).stream(0);
        let mut columns: [Vec<f64>; 2] = Default::default();
        let mut codes: [Vec<u32>; 2] = Default::default();
        for _ in 0..rows {
            let x: f64 = random.random();
            let one = u32::from(random.random::<f64>() < x) + levels - 2;
            let two = random.random_range(0..2u32);
            columns[0].push(if random.random::<f64>() < 0.1 { f64::NAN } else { x });
            columns[1].push(f64::from((one + two) % 2) + 0.01 * random.random::<f64>());
            codes[0].push(if two == 1 && x > 0.9 { random.random_range(0..levels) } else { one });
            codes[1].push(two);
        }
        let [x, parity] = columns;
        let [one, two] = codes;
        let names = |count: u32| (0..count).map(|level| level.to_string()).collect();
        let nominal = |name: &str, count: u32, codes: Vec<u32>| {
            Column::new(
                ColumnSchema::new(name, ColumnType::Nominal { levels: names(count) }),
                Values::Code(codes),
            )
        };
        let columns = vec![
            Column::float("x", x),
            nominal("one", levels, one),
            nominal("two", 2, two),
            Column::float("parity", parity),
        ];
        Table::new(columns).unwrap()
    }

    /// About the margins of that: even over a grid, levels by how often they are.
    fn margins(pool: &Table) -> Vec<Margin> {
        let margin = |column: &Column| {
            let values = column.values().to_reals();
            let there: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            let cells = match column.schema().kind().levels() {
                Some(levels) => levels.len(),
                None => 200,
            };
            let (spacing, step) = if column.schema().kind().levels().is_some() {
                ("levels", 1.0)
            } else {
                ("cells", there.iter().fold(0.0, |most: f64, value| most.max(*value)) * 1.001 / cells as f64)
            };
            let mut counts = vec![0.0; cells];
            for value in &there {
                counts[(value / step) as usize] += 1.0 / there.len() as f64;
            }
            let runs = counts.iter().enumerate().filter(|(_, mass)| **mass > 0.0);
            let runs: Vec<String> = runs.map(|(place, mass)| format!("[{place},1,{mass},0.0]")).collect();
            let missing = 1.0 - there.len() as f64 / values.len() as f64;
            let grid = format!(r#"{{"spacing":"{spacing}","step":{step},"count":{cells}}}"#);
            let text = format!(r#"{{"grid":{grid},"missing":{missing},"runs":[{}]}}"#, runs.join(","));
            serde_json::from_str(&text).unwrap()
        };
        pool.columns().iter().map(margin).collect()
    }

    fn classes(pool: &Table, margins: &[Margin]) -> Vec<Classes> {
        pool.columns().iter().zip(margins).map(|(column, margin)| Classes::new(column, margin)).collect()
    }

    /// Mean distance between the tables of pairs of some rows and of all of them.
    fn distance(pool: &Table, kept: &[u32]) -> f64 {
        let mut tables = Tables::new(&classes(pool, &margins(pool)), pool.rows());
        tables.aim(kept, None);
        let moved: f32 = tables.excess.iter().map(|excess| excess.abs()).sum();
        f64::from(moved) / (2 * kept.len() * tables.pairs.len()) as f64
    }

    #[test]
    fn tables_of_pairs_are_nearer_to_the_large_sample() {
        for levels in [2, 100] {
            let pool = pool(16_000, levels);
            let margins = margins(&pool);
            let first: Vec<u32> = (0..1000).collect();
            let plain = distance(&pool, &first);
            for constrained in [false, true] {
                let kept = representative(&pool, 1000, &margins, constrained);
                assert_eq!(kept.len(), 1000);
                assert!(kept.windows(2).all(|pair| pair[0] < pair[1]), "every row at most once");
                let chosen = distance(&pool, &kept);
                assert!(chosen < 0.4 * plain, "{levels}: {chosen} {plain}");
                let again = representative(&pool, 1000, &margins, constrained);
                assert_eq!(kept, again, "nothing is drawn");
            }
        }
    }

    #[test]
    fn columns_are_as_the_model_says_and_not_as_the_sample_has_them() {
        let model = margins(&pool(100_000, 2));
        // Some rows with a one are left out, so that the sample has too few.
        let sample = pool(4000, 2);
        let one = sample.columns()[1].values().to_reals();
        let odd = |row: &u32| one[*row as usize] == 0.0 || !row.is_multiple_of(5);
        let kept: Vec<u32> = (0..4000).filter(odd).collect();
        let sample = sample.take(&kept[..3000]);
        let share =
            |table: &Table| table.columns()[1].values().to_reals().iter().sum::<f64>() / table.rows() as f64;
        let wanted = model[1].probability(1);
        let free = sample.take(&representative(&sample, 1000, &model, true));
        let fitted = sample.take(&representative(&sample, 1000, &model, false));
        assert!((share(&sample) - wanted).abs() > 0.03 && (share(&free) - share(&sample)).abs() < 0.005);
        assert!((share(&fitted) - wanted).abs() < 0.01, "{} {wanted}", share(&fitted));
    }

    #[test]
    fn what_three_columns_do_together_stays() {
        let pool = pool(16_000, 2);
        let kept = pool.take(&representative(&pool, 1000, &margins(&pool), false));
        let agree = |table: &Table| {
            let [_, one, two, parity] =
                [0, 1, 2, 3].map(|column| table.columns()[column].values().to_reals());
            let rows = one.iter().zip(&two).zip(&parity);
            let agree = rows.filter(|((one, two), parity)| (*one + *two) % 2.0 == parity.floor()).count();
            agree as f64 / table.rows() as f64
        };
        assert!((agree(&pool) - agree(&kept)).abs() < 0.02, "{} {}", agree(&pool), agree(&kept));
    }

    #[test]
    fn odd_tables_have_representative_rows_too() {
        let kept = |values: Vec<f64>, rows: usize, margin: &str| {
            let table = Table::new(vec![Column::float("x", values)]).unwrap();
            representative(&table, rows, &[serde_json::from_str(margin).unwrap()], false)
        };
        let one = r#"{"grid":{"spacing":"lattice","low":1,"count":1},"missing":0.0,"runs":[[0,1,1.0,0.0]]}"#;
        assert_eq!(kept(vec![1.0; 64], 4, one).len(), 4);
        // What the model hardly allows is chosen from all the same.
        assert_eq!(kept(vec![f64::NAN; 64], 32, one).len(), 32);
        let even = r#"{"grid":{"spacing":"lattice","count":64},"missing":0.0,"runs":[[0,64,1.0,0.0]]}"#;
        let numbers: Vec<f64> = (0..64).map(f64::from).collect();
        assert_eq!(kept(numbers.clone(), 1, even).len(), 1);
        assert_eq!(kept(numbers, 64, even), (0..64).collect::<Vec<u32>>());
        assert!(kept(Vec::new(), 0, even).is_empty());
    }
}
