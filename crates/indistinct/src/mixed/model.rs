//! The model of a table of any columns: the result of `release`, from which rows are made.

use rand::{Rng, RngExt, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::scored::Scored;
use crate::grid::Codes;
use crate::margin::{Margin, declared};
use crate::pool::{FillIn, Pool, RowRules, obey, subset};
use crate::progress;
use crate::random::Generator;
use crate::table::{ColumnSchema, Schema, Table};

/// Blocks of rows that are made at once, by all threads: this many are in memory twice.
const AT_ONCE: usize = 32;

/// Margins, correlations of scores, and a pool of rows of classes that agrees with them and with all measured tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixedModel {
    pub(super) margins: Vec<Margin>,
    /// For every column, the first positions of its classes.
    pub(super) classes: Vec<Vec<usize>>,
    /// Columns with scores, in order.
    pub(super) block: Vec<usize>,
    /// The lower triangular factor of the scores' correlations.
    pub(super) factor: Vec<Vec<f64>>,
    /// The measured tables.
    pub(super) tables: Vec<MeasuredTable>,
    pub(super) pool: Pool,
}

/// A measured table, to which the pool is fitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredTable {
    /// Names of its columns.
    pub columns: Vec<String>,
    /// Number of its cells.
    pub cells: usize,
    /// Standard deviation of the noise of each cell.
    pub noise_sd: f64,
}

impl MixedModel {
    /// The margins, column by column.
    pub fn margins(&self) -> &[Margin] {
        &self.margins
    }

    /// The measured tables.
    pub fn tables(&self) -> &[MeasuredTable] {
        &self.tables
    }

    /// Number of rows of the pool.
    pub fn pool_rows(&self) -> usize {
        self.pool.rows()
    }

    /// Makes rows in the declared form: all rows of the pool equally often, give or take one, and where only some
    /// are needed, those that stand for all. Rows that cannot obey the schema's constraints within their classes are
    /// left out.
    ///
    /// # Panics
    /// When another number of columns is declared, or the model does not pass [`check`](Self::check).
    pub fn simulate(&self, schema: &Schema, rows: usize, random: &mut Generator) -> Table {
        let all = self.pool.rows();
        let chosen =
            |block: usize, random: &mut Generator| subset(&self.pool, all.min(rows - block * all), random);
        self.filled_in(schema, rows.div_ceil(all).max(1), chosen, random)
    }

    /// Makes rows one by one, each from a row of the pool that is drawn at random, for callers that keep only
    /// some of them. Rows that cannot obey the schema's constraints are left out.
    ///
    /// # Panics
    /// When [`simulate`](Self::simulate) does.
    pub fn draw(&self, schema: &Schema, rows: usize, random: &mut Generator) -> Table {
        let all = self.pool.rows() as u32;
        let chosen = |_: usize, random: &mut Generator| {
            (0..rows).map(|_| random.random_range(0..all)).collect::<Vec<u32>>()
        };
        self.filled_in(schema, 1, chosen, random)
    }

    /// Fills in the rows that are chosen for each block. Blocks have random streams of their own, so that the
    /// table does not depend on the number of threads.
    fn filled_in(
        &self,
        schema: &Schema,
        blocks: usize,
        chosen: impl Fn(usize, &mut Generator) -> Vec<u32> + Sync,
        random: &mut Generator,
    ) -> Table {
        assert_eq!(schema.columns().len(), self.margins.len(), "a schema for every column");
        let codes = self.codes().expect("a model that was checked");
        let fill_in = FillIn::new(&self.margins, &codes, &self.block, &self.factor);
        let rules = RowRules::new(schema, &self.margins);
        let mut key = [0; 32];
        random.fill_bytes(&mut key);
        let block = |number: usize| {
            progress::check();
            let mut random = Generator::from_seed(key);
            random.set_stream(number as u64);
            let rows = chosen(number, &mut random);
            let mut positions = fill_in.positions(&self.pool, &rows, &mut random);
            let kept = obey(&mut positions, &rules, &fill_in, &self.pool, &rows, &mut random);
            let columns = positions.into_iter().zip(schema.columns()).zip(&self.margins);
            let table = Table::of_columns(
                columns.map(|((positions, column), margin)| declared(&positions, column, margin)).collect(),
            );
            if kept.len() == rows.len() { table } else { table.take(&kept) }
        };
        let mut all = block(0);
        all.reserve((blocks - 1) * all.rows());
        for first in (1..blocks).step_by(AT_ONCE) {
            let parts: Vec<Table> = (first..blocks.min(first + AT_ONCE)).into_par_iter().map(block).collect();
            for part in parts {
                all.append(part);
            }
        }
        all
    }

    fn codes(&self) -> Option<Vec<Codes>> {
        self.margins
            .iter()
            .zip(&self.classes)
            .map(|(margin, starts)| Codes::at(margin, starts.clone()))
            .collect()
    }

    /// Checks a model that was read from a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn check(&self, schema: &[ColumnSchema]) -> Result<(), &'static str> {
        let Self { margins, block, factor, .. } = self;
        Scored { margins, block, factor }.check(schema)?;
        let Some(codes) = self.codes().filter(|codes| codes.len() == schema.len()) else {
            return Err("its classes do not fit its columns");
        };
        let within = |(column, codes): (usize, &Codes)| {
            self.pool.column(column).all(|class| usize::from(class) < codes.len())
        };
        if self.pool.columns() != schema.len()
            || self.pool.rows() == 0
            || !codes.iter().enumerate().all(within)
        {
            return Err("its pool does not fit its classes");
        }
        Ok(())
    }
}
