//! Passes over private rows: questions that are asked at the same time are answered together.
//!
//! Each column is measured by steps of which the next depends on the answer to the last, and columns do not depend on
//! each other. So all columns take their first step, one pass over the rows answers them all, then their second, and
//! so on: a table of two hundred columns takes no more passes than the column that takes most.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::num::NonZeroU64;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::{CountQuery, PrivateCounts, PrivateTable};
use crate::privacy::{Budget, NUMBER_OF_ROWS, Sensitivity, SourceError, StepError, noisy_counts};
use crate::progress;
use crate::table::{ColumnSchema, ColumnType};

/// The place where private rows are: memory, a file, a cluster.
///
/// # Guarantee
/// An implementation answers every query by [`PrivateTable::count`] for parts of the table that have every row once,
/// adds the answers up, and tells nothing else: no error, message or file of it may depend on the rows, but for
/// cells that the schema does not allow, as everywhere.
pub trait PrivateSource: Send + Sync {
    /// Answers all queries in one pass over the rows.
    ///
    /// # Errors
    /// When the rows cannot be read.
    fn count(&self, queries: &[CountQuery]) -> Result<PrivateCounts, SourceError>;
}

/// Public facts about a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnShape {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
}

/// The kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Number,
    /// Whole numbers that doubles may not hold exactly.
    Whole,
    Levels(usize),
}

impl ColumnShape {
    /// The shape of a measured column, by its schema.
    pub(crate) fn new(column: &ColumnSchema) -> Self {
        let kind = match column.kind() {
            ColumnType::Integer | ColumnType::DateTime { .. } => ColumnKind::Whole,
            ColumnType::Float | ColumnType::Date { .. } | ColumnType::Identifier => ColumnKind::Number,
            levels => ColumnKind::Levels(levels.levels().map_or(2, |levels| levels.len())),
        };
        Self { name: column.name().to_owned(), kind }
    }
}

/// The number of rows of a source, by one pass.
///
/// # Guarantee
/// For tables in which it is public, because rows are substituted.
///
/// # Errors
/// When the rows cannot be read.
pub(crate) fn public_rows(source: &dyn PrivateSource) -> Result<usize, SourceError> {
    Ok(source.count(&[])?.rows() as usize)
}

/// Most counts that are asked for in one pass: 128 MB of them, wherever they are added up.
const MOST_COUNTS: usize = 1 << 24;

/// Private rows as the engine sees them: counts of them, and public facts.
pub(crate) struct Passes<'a> {
    source: &'a dyn PrivateSource,
    columns: Vec<ColumnShape>,
    /// The number of rows, as far as it is public.
    rows: usize,
    /// The number of rows that every pass must see: the public one, or that of the first pass.
    seen: Cell<Option<u64>>,
    desk: RefCell<Desk>,
}

/// Questions that wait for a pass, and answers that wait to be fetched, by number.
#[derive(Default)]
struct Desk {
    numbers: usize,
    asked: Vec<(usize, CountQuery)>,
    answers: HashMap<usize, Vec<i64>>,
}

/// Work that asks questions on its way.
pub(crate) type Task<'t, T> = Pin<Box<dyn Future<Output = Result<T, StepError>> + 't>>;

impl<'a> Passes<'a> {
    /// Rows of these columns, whose number is public.
    pub(crate) fn new(source: &'a dyn PrivateSource, columns: Vec<ColumnShape>, rows: usize) -> Self {
        Self { source, columns, rows, seen: Cell::new(Some(rows as u64)), desk: RefCell::default() }
    }

    /// The rows of a table.
    pub(crate) fn of_table(table: &'a PrivateTable) -> Self {
        Self::new(table, table.shapes(), table.rows())
    }

    /// Rows whose number is private: they are counted with noise, with a share of the budget, and the count is at
    /// least one. Nothing else sees the true number.
    ///
    /// # Guarantee
    /// One count of all rows, the only cell of a partition (`proofs/counts_sensitivity.md`).
    ///
    /// # Errors
    /// When the budget does not allow it, or the rows cannot be read.
    pub(crate) fn counted(
        source: &'a dyn PrivateSource,
        columns: Vec<ColumnShape>,
        budget: &mut Budget,
        share: f64,
    ) -> Result<Self, StepError> {
        let passes = Self { seen: Cell::new(None), ..Self::new(source, columns, 1) };
        let cost = budget.portion(share);
        let charge = budget.charge_counts(NUMBER_OF_ROWS, cost, Sensitivity::counts(NonZeroU64::MIN))?;
        passes.pass(&[])?;
        let noisy = noisy_counts(charge, &[passes.seen.get().unwrap_or(0).cast_signed()])?;
        let rows = noisy.first().map_or(1, |rows| usize::try_from(*rows).unwrap_or(0).max(1));
        Ok(Self { rows, ..passes })
    }

    /// Number of rows, or the noisy count where only that is public.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The name of a column, from the schema.
    pub(crate) fn name(&self, column: usize) -> &str {
        &self.columns[column].name
    }

    /// The number of declared levels of a column with levels.
    pub(crate) fn levels(&self, column: usize) -> Option<usize> {
        match self.columns[column].kind {
            ColumnKind::Number | ColumnKind::Whole => None,
            ColumnKind::Levels(levels) => Some(levels),
        }
    }

    /// Whether a column has whole numbers that doubles may not hold exactly.
    pub(crate) fn is_whole(&self, column: usize) -> bool {
        self.columns[column].kind == ColumnKind::Whole
    }

    /// One pass over the rows.
    ///
    /// # Guarantee
    /// That of the queries: counts that are private until a mechanism has used them. That a table has changed is
    /// told, and nothing is released then.
    ///
    /// # Errors
    /// When the rows cannot be read, or are not as many as before.
    pub(crate) fn pass(&self, queries: &[CountQuery]) -> Result<Vec<Vec<i64>>, StepError> {
        progress::check();
        let counts = self.source.count(queries)?;
        if self.seen.get().is_some_and(|seen| seen != counts.rows()) {
            return Err(StepError::Source(SourceError::changed()));
        }
        self.seen.set(Some(counts.rows()));
        Ok(counts.into_lists())
    }

    /// Asks a question. The answer comes with the next pass, together with those to all others that were asked.
    ///
    /// # Guarantee
    /// That of the query.
    pub(crate) async fn ask(&self, query: CountQuery) -> Vec<i64> {
        let number = {
            let mut desk = self.desk.borrow_mut();
            desk.numbers += 1;
            let number = desk.numbers;
            desk.asked.push((number, query));
            number
        };
        poll_fn(|_| self.desk.borrow_mut().answers.remove(&number).map_or(Poll::Pending, Poll::Ready)).await
    }

    /// Runs several tasks that ask questions, in steps: one pass answers what all of them have asked. Which noise
    /// each gets follows from their order alone.
    ///
    /// # Errors
    /// That of the first task that fails, or of a pass.
    pub(crate) fn together<T>(&self, mut tasks: Vec<Task<'_, T>>) -> Result<Vec<T>, StepError> {
        let mut results: Vec<Option<T>> = tasks.iter().map(|_| None).collect();
        let mut context = Context::from_waker(Waker::noop());
        loop {
            for (task, result) in tasks.iter_mut().zip(&mut results).filter(|(_, result)| result.is_none()) {
                if let Poll::Ready(done) = task.as_mut().poll(&mut context) {
                    *result = Some(done?);
                }
            }
            if results.iter().all(Option::is_some) {
                return Ok(results.into_iter().flatten().collect());
            }
            let (numbers, queries) = self.next_questions();
            assert!(!queries.is_empty(), "tasks wait for passes only");
            let answers = self.pass(&queries)?;
            self.desk.borrow_mut().answers.extend(numbers.into_iter().zip(answers));
        }
    }

    /// The questions of the next pass: all that wait, or as many as have not too many counts, in order.
    fn next_questions(&self) -> (Vec<usize>, Vec<CountQuery>) {
        let mut desk = self.desk.borrow_mut();
        let mut counts = 0;
        let fits = |(_, query): &&(usize, CountQuery)| {
            counts += query.answers();
            counts <= MOST_COUNTS
        };
        let many = desk.asked.iter().take_while(fits).count().max(1).min(desk.asked.len());
        desk.asked.drain(..many).unzip()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::grid::{Axis, Grid};

    /// A source that counts passes, and has one row more every `grows` passes.
    struct Odd {
        passes: AtomicU64,
        grows: u64,
    }

    impl PrivateSource for Odd {
        fn count(&self, queries: &[CountQuery]) -> Result<PrivateCounts, SourceError> {
            let pass = self.passes.fetch_add(1, Ordering::Relaxed);
            let lists = queries.iter().map(|query| vec![pass.cast_signed(); query.answers()]).collect();
            Ok(PrivateCounts::new(5 + pass / self.grows, lists))
        }
    }

    fn columns(count: usize) -> Vec<ColumnShape> {
        vec![ColumnShape { name: "x".to_owned(), kind: ColumnKind::Number }; count]
    }

    #[test]
    fn questions_of_all_tasks_share_passes() {
        let source = Odd { passes: AtomicU64::new(0), grows: u64::MAX };
        let passes = Passes::new(&source, columns(3), 5);
        let grid = Grid::levels(2);
        let query = |column: usize| CountQuery::cells(column, &Axis::new(&grid, None), &[0, 1]);
        // Task k asks k questions, one after the other.
        let task = |column: usize| -> Task<'_, Vec<i64>> {
            let passes = &passes;
            Box::pin(async move {
                let mut answers = Vec::new();
                for _ in 0..column {
                    answers.push(passes.ask(query(column)).await[0]);
                }
                Ok(answers)
            })
        };
        let answers = passes.together((0..3).map(task).collect()).unwrap();
        assert_eq!(answers, [vec![], vec![0], vec![0, 1]]);
        assert_eq!(source.passes.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_table_that_changes_is_told_of_without_numbers() {
        let source = Odd { passes: AtomicU64::new(0), grows: 2 };
        let passes = Passes::new(&source, columns(1), 5);
        assert!(passes.pass(&[]).is_ok() && passes.pass(&[]).is_ok());
        let error = passes.pass(&[]).unwrap_err().to_string();
        assert!(error.contains("changed") && !error.contains(char::is_numeric), "{error}");
    }
}
