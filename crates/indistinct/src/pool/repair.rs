//! A pool that obeys rules: rows that break some exchange classes with others; where margins do not agree with
//! the rules, classes are changed, so that the distributions of columns stay as measured as far as rules allow.

use rand::RngExt;

use super::Pool;
use super::rules::ClassRules;
use crate::grid::Codes;
use crate::progress;
use crate::random::Generator;

/// Most rounds in which every row that breaks a rule tries to exchange a class.
const ROUNDS: usize = 100;
/// Tries of a row in each round.
const TRIES: usize = 8;
/// Rounds without fewer broken rules after which exchanges end.
const IDLE: usize = 5;
/// Rows that are tried as donors of the classes of a block, where nothing else helps.
const DONORS: usize = 1000;

/// Repairs a pool whose columns have these classes; returns the number of rows that still break a rule.
pub(crate) fn repair(pool: &mut Pool, codes: &[&Codes], rules: &ClassRules, random: &mut Generator) -> usize {
    exchange(pool, rules, random);
    let wanted: Vec<Vec<f64>> = (0..pool.columns())
        .map(|column| {
            let mut counts = vec![0.0; codes[column].len()];
            pool.column(column).for_each(|class| counts[usize::from(class)] += 1.0);
            counts
        })
        .collect();
    change(pool, codes, rules, wanted);
    copy_blocks(pool, rules, random);
    broken_rows(pool, rules).len()
}

fn broken_rows(pool: &Pool, rules: &ClassRules) -> Vec<usize> {
    (0..pool.rows()).filter(|&row| rules.broken(pool.row(row)) > 0).collect()
}

/// Makes exchanges between a row that breaks a rule and another, of one class of the rule, alone or with the
/// columns that other rules tie to it, wherever fewer rules are broken then.
fn exchange(pool: &mut Pool, rules: &ClassRules, random: &mut Generator) {
    let mut idle = 0;
    for _ in 0..ROUNDS {
        progress::check();
        let broken = broken_rows(pool, rules);
        if broken.is_empty() || idle == IDLE {
            return;
        }
        let mut fell = false;
        for &row in &broken {
            for attempt in 0..TRIES {
                let from = random.random_range(0..rules.count());
                let Some(moves) = rules.moves_of_broken(pool.row(row), from) else { break };
                let columns = &moves[random.random_range(0..moves.len())];
                // Those that break a rule the other way round help each other.
                let other = if attempt % 2 == 0 {
                    broken[random.random_range(0..broken.len())]
                } else {
                    random.random_range(0..pool.rows())
                };
                let both = |pool: &Pool| rules.broken(pool.row(row)) + rules.broken(pool.row(other));
                let before = both(pool);
                pool.exchange(columns, row, other);
                if row != other && both(pool) < before {
                    fell = true;
                } else {
                    pool.exchange(columns, row, other);
                }
            }
        }
        idle = if fell { 0 } else { idle + 1 };
    }
}

/// Changes one class of a row to the one that harms its column least, as long as fewer rules are broken then.
/// Values do not become missing, which satisfies most rules, unless rules say when they are.
fn change(pool: &mut Pool, codes: &[&Codes], rules: &ClassRules, wanted: Vec<Vec<f64>>) {
    let mut counts = wanted.clone();
    for row in broken_rows(pool, rules) {
        while let Some(columns) = rules.columns_of_broken(pool.row(row)) {
            let mut best: Option<(isize, f64, usize, u16)> = None;
            for &column in columns {
                let own = usize::from(pool.row(row)[column]);
                // By how much chi squared of the column rises if a class has so many rows more.
                let rise = |class: usize, more: f64| {
                    let off = counts[column][class] - wanted[column][class];
                    (2.0 * off * more + 1.0) / (wanted[column][class] + 1.0)
                };
                let present = codes[column].starts().len();
                let all = if rules.say_when_missing(column) { codes[column].len() } else { present };
                for class in (0..all).filter(|class| *class != own) {
                    let more = rules.broken_more(pool.row(row), column, class as u16);
                    let harm = rise(own, -1.0) + rise(class, 1.0);
                    let is_better = best.is_none_or(|(least, harmed, ..)| (more, harm) < (least, harmed));
                    if more < 0 && is_better {
                        best = Some((more, harm, column, class as u16));
                    }
                }
            }
            let Some((_, _, column, class)) = best else { break };
            let own = pool.row(row)[column];
            counts[column][usize::from(own)] -= 1.0;
            counts[column][usize::from(class)] += 1.0;
            let columns = pool.columns;
            pool.classes[row * columns + column] = class;
        }
    }
}

/// Copies the classes of whole blocks from rows that obey.
fn copy_blocks(pool: &mut Pool, rules: &ClassRules, random: &mut Generator) {
    let blocks = rules.blocks();
    for row in broken_rows(pool, rules) {
        for _ in 0..DONORS {
            let donor = random.random_range(0..pool.rows());
            let Some(columns) = rules.columns_of_broken(pool.row(row)) else { break };
            let Some(block) = blocks.iter().find(|block| block.contains(&columns[0])) else { break };
            if rules.broken(pool.row(donor)) > 0 {
                continue;
            }
            for &column in block {
                let class = pool.row(donor)[column];
                let columns = pool.columns;
                pool.classes[row * columns + column] = class;
            }
        }
    }
}
