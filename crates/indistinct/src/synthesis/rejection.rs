//! Rows that satisfy constraints and pass a filter, by rejection: drawn in blocks until enough satisfy the
//! demand.

use rand::{Rng, SeedableRng};
use rayon::prelude::*;

use super::SampleError;
use crate::progress::{self, Progress, Stopped, wanted};
use crate::random::Generator;
use crate::table::{Condition, Constraint, Table};

/// Rows drawn at once, each block from a random stream of its own.
const BLOCK: usize = 1 << 13;
/// One row in this many is the least that is not too rare.
const RARE: usize = 100_000;
/// Rows drawn before anything is called rare.
const PATIENCE: usize = 10 * RARE;

/// The conditions on rows.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'a> {
    /// Constraints that are not false in any row.
    pub constraints: &'a [Constraint],
    /// A filter that is true in every row.
    pub filter: Option<&'a Condition>,
}

/// A model that hardly ever makes the demanded rows. Public, because the model is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("only {passed} of {drawn} rows that the model made {}", demand(*.broken))]
pub struct TooRare {
    /// Rows that satisfied the demand.
    pub passed: usize,
    /// Rows that were drawn.
    pub drawn: usize,
    /// The constraint, counted from 1, that most rows broke; `None` if it was the filter.
    pub broken: Option<usize>,
}

fn demand(broken: Option<usize>) -> String {
    match broken {
        Some(number) => format!("satisfy all constraints; most break constraint {number}"),
        None => "pass the condition".to_owned(),
    }
}

/// A block of which only demanded rows are left.
struct Sifted {
    rows: Table,
    /// The number of rows that broke each constraint, and finally of those that did not pass the filter.
    broken: Vec<usize>,
}

impl Demand<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.filter.is_none()
    }

    fn sift(&self, table: &Table) -> Sifted {
        let mut keep = vec![true; table.rows()];
        let satisfied = self.constraints.iter().map(|constraint| constraint.condition().satisfied(table));
        let passing = self.filter.map(|filter| filter.passing(table));
        let mut broken = Vec::with_capacity(self.constraints.len() + 1);
        for good in satisfied.chain(passing) {
            broken.push(good.iter().filter(|good| !**good).count());
            for (keep, good) in keep.iter_mut().zip(good) {
                *keep &= good;
            }
        }
        let rows: Vec<u32> = (0..).zip(&keep).filter(|(_, keep)| **keep).map(|(row, _)| row).collect();
        Sifted { rows: table.take(&rows), broken }
    }
}

/// Makes a table of `rows` demanded rows from blocks that `block` draws.
///
/// Every block has a random stream of its own and blocks are taken in order, so that neither the table nor an
/// error depends on the number of threads. `progress` is told how many rows are done.
///
/// # Errors
/// When fewer than one row in 100,000 satisfies the demand, or the rows are no longer wanted.
pub fn demanded_rows(
    rows: usize,
    demand: &Demand<'_>,
    random: &mut Generator,
    block: &(dyn Fn(usize, &mut Generator) -> Table + Sync),
    progress: &dyn Progress,
) -> Result<Table, SampleError> {
    let mut key = [0; 32];
    random.fill_bytes(&mut key);
    let draw = |number: usize, rows: usize| {
        progress::check();
        let mut random = Generator::from_seed(key);
        random.set_stream(number as u64);
        block(rows, &mut random)
    };
    if demand.is_empty() {
        let blocks = rows.div_ceil(BLOCK).max(1);
        let size = |number: usize| BLOCK.min(rows - number * BLOCK);
        let part = |number: usize| wanted(progress).map(|()| draw(number, size(number)));
        let parts = (0..blocks).into_par_iter().map(part).collect::<Result<_, Stopped>>()?;
        progress.reach(rows as u64);
        return Ok(Table::stacked(parts).unwrap_or_else(|| draw(0, 0)));
    }
    let mut parts = Vec::new();
    let (mut passed, mut drawn, mut next) = (0, 0, 0);
    let mut broken = vec![0; demand.constraints.len() + usize::from(demand.filter.is_some())];
    while passed < rows {
        wanted(progress)?;
        let blocks = next..next + rayon::current_num_threads();
        next = blocks.end;
        let sifted: Vec<Sifted> =
            blocks.into_par_iter().map(|number| demand.sift(&draw(number, BLOCK))).collect();
        for Sifted { rows: part, broken: more } in sifted {
            let wanted = rows - passed;
            let part = if part.rows() > wanted {
                let first: Vec<u32> = (0..).take(wanted).collect();
                part.take(&first)
            } else {
                part
            };
            passed += part.rows();
            drawn += BLOCK;
            parts.push(part);
            broken.iter_mut().zip(more).for_each(|(all, more)| *all += more);
            if passed == rows {
                break;
            }
            if drawn >= PATIENCE && passed < drawn / RARE {
                return Err(too_rare(passed, drawn, &broken, demand).into());
            }
        }
        progress.reach(passed as u64);
    }
    Ok(Table::stacked(parts).unwrap_or_else(|| draw(0, 0)))
}

fn too_rare(passed: usize, drawn: usize, broken: &[usize], demand: &Demand<'_>) -> TooRare {
    let worst = (0..broken.len()).max_by_key(|&place| broken[place]);
    TooRare {
        passed,
        drawn,
        broken: worst.filter(|&place| place < demand.constraints.len()).map(|place| place + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::random::Seed;
    use crate::table::{Column, Schema, Values};
    use crate::testing::float_schema;

    /// Uniform numbers.
    fn block(rows: usize, random: &mut Generator) -> Table {
        let mut column = |name: &str| {
            let values = (0..rows).map(|_| f64::from(random.next_u32()) / 4_294_967_296.0).collect();
            Column::float(name, values)
        };
        Table::new(vec![column("a"), column("b")]).unwrap()
    }

    fn reals(table: &Table, column: usize) -> &[f64] {
        match table.columns()[column].values() {
            Values::Float(values) => values,
            _ => panic!("numbers"),
        }
    }

    fn made(rows: usize, schema: &Schema, filter: Option<&str>) -> Result<Table, SampleError> {
        let filter = filter.map(|text| Condition::parse(text, schema).unwrap());
        let demand = Demand { constraints: schema.constraints(), filter: filter.as_ref() };
        demanded_rows(rows, &demand, &mut Seed(1).stream(0), &block, &Silent)
    }

    fn too_rare(rows: usize, schema: &Schema, filter: Option<&str>) -> TooRare {
        let Err(SampleError::TooRare(rare)) = made(rows, schema, filter) else { panic!("rows are made") };
        rare
    }

    #[test]
    fn all_rows_satisfy_the_demand() {
        let schema = float_schema(&["a", "b"]).with_constraint("a <= b", None).unwrap();
        for rows in [0, 1, 5000, 20_000] {
            let table = made(rows, &schema, Some("a > 0.5")).unwrap();
            assert_eq!((table.rows(), table.columns().len()), (rows, 2));
            let (a, b) = (reals(&table, 0), reals(&table, 1));
            assert!(a.iter().zip(b).all(|(a, b)| a <= b && *a > 0.5));
        }
        // Given a <= b and a > 1/2, a has the mean 2/3.
        let table = made(20_000, &schema, Some("a > 0.5")).unwrap();
        let mean = reals(&table, 0).iter().sum::<f64>() / 20_000.0;
        assert!((mean - 2.0 / 3.0).abs() < 0.005, "{mean}");
    }

    #[test]
    fn threads_do_not_matter() {
        let schema = float_schema(&["a", "b"]).with_constraint("a < b", None).unwrap();
        let with_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let error = too_rare(1000, &schema, Some("a > 0.9999995"));
                (
                    made(20_000, &schema, None).unwrap(),
                    made(20_000, &float_schema(&["a", "b"]), None).unwrap(),
                    error,
                )
            })
        };
        let one = with_threads(1);
        assert_eq!(one, with_threads(3));
        assert_ne!(one.0, one.1);
    }

    #[test]
    fn rare_rows_are_reported_with_the_constraint_that_fails() {
        let rare = too_rare(10, &float_schema(&["a", "b"]), Some("a < 0"));
        assert_eq!((rare.passed, rare.broken), (0, None));
        assert!(rare.drawn >= PATIENCE && rare.drawn < PATIENCE + BLOCK);
        let schema = float_schema(&["a", "b"])
            .with_constraint("a < b", None)
            .unwrap()
            .with_constraint("a > 2", None)
            .unwrap();
        let rare = too_rare(10, &schema, Some("b > 0.1"));
        assert_eq!(rare.broken, Some(2));
        assert!(rare.to_string().contains("most break constraint 2"), "{rare}");
    }
}
