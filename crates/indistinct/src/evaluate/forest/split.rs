//! The best split of a node by one column: rows in the order of their keys, and the response summed from below.

use super::Response;

/// A row of a bootstrap sample, and the number of times that it was drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) row: u32,
    pub(super) weight: u32,
}

/// A cut of a column: between these two rows in the order of keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    /// The score; the larger, the purer the two sides.
    pub(super) score: f64,
    pub(super) low: u32,
    pub(super) high: u32,
}

/// The response of a node, and memory for one side of a split.
#[derive(Debug)]
pub(super) enum Summary<'a> {
    Class { codes: &'a [u32], node: Vec<u64>, low: Vec<u64>, high: Vec<u64>, squares: [u64; 2] },
    Number { values: &'a [f64], mean: f64, low: f64 },
}

impl<'a> Summary<'a> {
    pub(super) fn new(response: &'a Response) -> Self {
        match response {
            Response::Class { codes, classes } => Self::Class {
                codes,
                node: vec![0; *classes],
                low: vec![0; *classes],
                high: vec![0; *classes],
                squares: [0; 2],
            },
            Response::Number(values) => Self::Number { values, mean: 0.0, low: 0.0 },
        }
    }

    /// Summarises the rows of a node; returns whether they all have the same response.
    pub(super) fn look_at(&mut self, cases: &[Case]) -> bool {
        match self {
            Self::Class { codes, node, .. } => {
                node.fill(0);
                for case in cases {
                    node[codes[case.row as usize] as usize] += u64::from(case.weight);
                }
                node.iter().filter(|&&count| count > 0).count() == 1
            }
            Self::Number { values, mean, .. } => {
                let (mut sum, mut rows) = (0.0, 0.0);
                let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
                for case in cases {
                    let (value, weight) = (values[case.row as usize], f64::from(case.weight));
                    (sum, rows) = (sum + weight * value, rows + weight);
                    (least, most) = (least.min(value), most.max(value));
                }
                *mean = sum / rows;
                least == most
            }
        }
    }

    /// Puts all rows of the node on the high side.
    fn start(&mut self) {
        match self {
            Self::Class { node, low, high, squares, .. } => {
                low.fill(0);
                high.copy_from_slice(node);
                *squares = [0, node.iter().map(|&count| count * count).sum()];
            }
            Self::Number { low, .. } => *low = 0.0,
        }
    }

    /// Moves a row to the low side.
    #[inline]
    fn lower(&mut self, case: Case) {
        match self {
            Self::Class { codes, low, high, squares, .. } => {
                let (class, weight) = (codes[case.row as usize] as usize, u64::from(case.weight));
                // (c + w)^2 - c^2 = w (2c + w), and the other way round.
                squares[0] += weight * (2 * low[class] + weight);
                squares[1] -= weight * (2 * high[class] - weight);
                low[class] += weight;
                high[class] -= weight;
            }
            Self::Number { values, mean, low } => {
                *low += f64::from(case.weight) * (values[case.row as usize] - *mean);
            }
        }
    }

    /// A score that is larger the smaller the Gini impurity, or the sum of squares, of both sides.
    #[inline]
    fn score(&self, low_rows: u64, high_rows: u64) -> f64 {
        let (low_rows, high_rows) = (low_rows as f64, high_rows as f64);
        match self {
            Self::Class { squares, .. } => squares[0] as f64 / low_rows + squares[1] as f64 / high_rows,
            // Deviations from the mean sum to zero: the high side's sum is the low side's, negated.
            Self::Number { low, .. } => low * low / low_rows + low * low / high_rows,
        }
    }

    /// The amount by which levels of a nominal column are ordered: whether a row has `class`, or its number.
    #[inline]
    pub(super) fn amount(&self, row: u32, class: u32) -> f64 {
        match self {
            Self::Class { codes, .. } => f64::from(u8::from(codes[row as usize] == class)),
            Self::Number { values, mean, .. } => values[row as usize] - mean,
        }
    }

    /// The class of a row; 0 for numbers.
    pub(super) fn class(&self, row: u32) -> u32 {
        match self {
            Self::Class { codes, .. } => codes[row as usize],
            Self::Number { .. } => 0,
        }
    }
}

/// Memory for the rows of a node in the order of their keys.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Keys with the place of the case in the node, in the order of keys.
    pub(super) sorted: Vec<u64>,
    starts: Vec<u32>,
    unsorted: Vec<u64>,
}

impl Order {
    /// Sorts the cases of a node by key; returns whether there is more than one key.
    pub(super) fn sort(&mut self, cases: &[Case], key: impl Fn(Case) -> u32) -> bool {
        self.unsorted.clear();
        let (mut least, mut most) = (u32::MAX, 0);
        for (case, place) in cases.iter().zip(0u64..) {
            let key = key(*case);
            (least, most) = (least.min(key), most.max(key));
            self.unsorted.push(u64::from(key) << 32 | place);
        }
        if least == most {
            return false;
        }
        let span = (most - least) as usize + 1;
        if span > 2 * cases.len() {
            std::mem::swap(&mut self.sorted, &mut self.unsorted);
            self.sorted.sort_unstable();
            return true;
        }
        // Few keys for so many rows: they are counted, which keeps equal ones in their order too.
        let bucket = |word: u64| ((word >> 32) as u32 - least) as usize;
        self.starts.clear();
        self.starts.resize(span, 0);
        for &word in &self.unsorted {
            self.starts[bucket(word)] += 1;
        }
        let mut start = 0;
        for slot in &mut self.starts {
            start += std::mem::replace(slot, start);
        }
        self.sorted.clear();
        self.sorted.resize(cases.len(), 0);
        for &word in &self.unsorted {
            let next = &mut self.starts[bucket(word)];
            self.sorted[*next as usize] = word;
            *next += 1;
        }
        true
    }

    /// The best cut between rows with different keys that leaves enough rows on both sides.
    pub(super) fn best_cut(
        &self,
        cases: &[Case],
        rows: u64,
        smallest: u32,
        summary: &mut Summary,
    ) -> Option<Cut> {
        let smallest = u64::from(smallest);
        let mut best: Option<Cut> = None;
        let mut low_rows = 0;
        summary.start();
        for pair in self.sorted.windows(2) {
            let case = cases[pair[0] as u32 as usize];
            summary.lower(case);
            low_rows += u64::from(case.weight);
            let (low, high) = ((pair[0] >> 32) as u32, (pair[1] >> 32) as u32);
            if low == high || low_rows < smallest {
                continue;
            }
            if rows - low_rows < smallest {
                break;
            }
            let score = summary.score(low_rows, rows - low_rows);
            if best.is_none_or(|best| score > best.score) {
                best = Some(Cut { score, low, high });
            }
        }
        best
    }
}
