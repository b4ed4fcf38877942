//! Statistics of a release: one of its numbers, or how much likelier many of them are on one side.

use rayon::prelude::*;

/// Classes of a number: its values if there are few, otherwise intervals that contain equally many releases.
const CLASSES: usize = 16;
/// Number of numbers whose pairs are tried together.
const PAIRED: usize = 8;
/// Numbers of the most telling numbers that are added up.
const TOGETHER: [usize; 6] = [2, 4, 8, 16, 64, 256];

/// A real function of a release.
#[derive(Debug, Clone, PartialEq)]
pub enum Statistic {
    /// A published number.
    Number(usize),
    /// The sum of log-likelihood ratios of classes of numbers, as if they were independent.
    Scores(Vec<Score>),
}

/// Log-likelihood ratios, first side over second, of the classes of one number or of two.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    of: Vec<Classes>,
    ratios: Vec<f64>,
}

/// A number in classes.
#[derive(Debug, Clone, PartialEq)]
struct Classes {
    number: usize,
    /// Class k ends with the k-th of these, inclusive; the last has no end.
    ends: Vec<f64>,
}

impl Statistic {
    /// The value of the statistic for a release.
    pub fn value(&self, release: &[f64]) -> f64 {
        match self {
            Self::Number(number) => release[*number],
            Self::Scores(scores) => scores.iter().map(|score| score.value(release)).sum(),
        }
    }

    /// The statistic in words, with the names of numbers.
    pub fn told(&self, names: &[String]) -> String {
        match self {
            Self::Number(number) => names[*number].clone(),
            Self::Scores(scores) => {
                let numbers = scores.iter().flat_map(|score| score.of.iter().map(|classes| classes.number));
                let numbers: Vec<&str> = numbers.map(|number| names[number].as_str()).collect();
                match numbers.as_slice() {
                    [first, second] => format!("likelihood ratio of {first} and {second}"),
                    [first, ..] => format!("likelihood ratio of {first} and {} more", numbers.len() - 1),
                    [] => "nothing".to_owned(),
                }
            }
        }
    }
}

impl Classes {
    fn class(&self, release: &[f64]) -> usize {
        self.ends.partition_point(|end| *end < release[self.number])
    }

    fn count(&self) -> usize {
        self.ends.len() + 1
    }
}

impl Score {
    fn value(&self, release: &[f64]) -> f64 {
        self.ratios[class(&self.of, release)]
    }

    /// Fits a score, and returns with it how far apart the two sides are: the symmetric divergence.
    fn fitted(of: Vec<Classes>, sides: [&[Vec<f64>]; 2]) -> (f64, Self) {
        let classes: usize = of.iter().map(Classes::count).product();
        let shares = sides.map(|releases| {
            let mut counts = vec![0.5; classes];
            for release in releases {
                counts[class(&of, release)] += 1.0;
            }
            let all: f64 = counts.iter().sum();
            counts.into_iter().map(|count| count / all).collect::<Vec<f64>>()
        });
        let each = shares[0].iter().zip(&shares[1]);
        let ratios: Vec<f64> = each.clone().map(|(x, neighbour)| (x / neighbour).ln()).collect();
        let apart = each.zip(&ratios).map(|((x, neighbour), ratio)| (x - neighbour) * ratio).sum();
        (apart, Self { of, ratios })
    }
}

/// The class of several numbers together.
fn class(of: &[Classes], release: &[f64]) -> usize {
    of.iter().fold(0, |class, classes| class * classes.count() + classes.class(release))
}

/// Divides a number into classes; `None` if it never changes.
fn classes(number: usize, sides: [&[Vec<f64>]; 2], most: usize) -> Option<Classes> {
    let mut values: Vec<f64> = sides.iter().flat_map(|side| side.iter().map(|row| row[number])).collect();
    values.sort_unstable_by(f64::total_cmp);
    let mut distinct = values.clone();
    distinct.dedup();
    let mut ends = if distinct.len() <= most {
        distinct
    } else {
        (1..=most).map(|part| values[(values.len() - 1) * part / most]).collect()
    };
    ends.dedup();
    ends.pop();
    (!ends.is_empty()).then_some(Classes { number, ends })
}

/// All statistics: every number that varies, sums of the most telling ones, and pairs of them.
pub(super) fn statistics(sides: [&[Vec<f64>]; 2], numbers: usize) -> Vec<Statistic> {
    let score = |number: usize| {
        let classes = classes(number, sides, CLASSES)?;
        let (apart, score) = Score::fitted(vec![classes], sides);
        Some((apart, number, score))
    };
    let mut scores: Vec<(f64, usize, Score)> = (0..numbers).into_par_iter().filter_map(score).collect();
    let mut statistics: Vec<Statistic> =
        scores.iter().map(|(_, number, _)| Statistic::Number(*number)).collect();
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    for &together in TOGETHER.iter().filter(|together| **together <= scores.len()) {
        let best = scores.iter().take(together).map(|(_, _, score)| score.clone()).collect();
        statistics.push(Statistic::Scores(best));
    }
    let telling: Vec<usize> = scores.iter().take(PAIRED).map(|(_, number, _)| *number).collect();
    for (place, &first) in telling.iter().enumerate() {
        for &second in &telling[place + 1..] {
            let side = (CLASSES as f64).sqrt() as usize * 2;
            let both = [first, second].into_iter().map(|number| classes(number, sides, side)).collect();
            if let Some(both) = both {
                statistics.push(Statistic::Scores(vec![Score::fitted(both, sides).1]));
            }
        }
    }
    statistics
}
