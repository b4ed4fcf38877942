//! Exchanges between random rows, at a temperature.

use rand::{Rng, RngExt};

use super::{Refit, Unit};
use crate::progress;
use crate::random::Generator;

/// The temperature, if the pool has as many rows as the private table. With more rows, chance pulls towards
/// independence that many times as hard.
const TEMPERATURE: f64 = 0.03;
/// Tries after which to check whether the work is still wanted.
const CHECKED: usize = 1 << 16;

impl Refit<'_> {
    /// Tries this many exchanges for every row and column, on average.
    pub(crate) fn exchange(&mut self, tries: f64, random: &mut Generator) {
        let more_rows = self.pool.rows() as f64 / self.private_rows as f64;
        self.exchange_at(TEMPERATURE / more_rows.max(1.0), tries, random);
    }

    /// Tries exchanges at this temperature.
    pub(super) fn exchange_at(&mut self, temperature: f64, tries: f64, random: &mut Generator) {
        let is_known = |unit: &usize| {
            let Unit { columns, sides } = &self.units[*unit];
            !sides.is_empty() || columns.iter().any(|&column| self.products.has(column))
        };
        let units: Vec<usize> = (0..self.units.len()).filter(is_known).collect();
        let rows = self.pool.rows();
        if units.is_empty() || rows < 2 {
            return;
        }
        let temperature = temperature as f32;
        let mut touched = Vec::new();
        let any_row = |bits: u32| ((u64::from(bits) * rows as u64) >> 32) as usize;
        for number in 0..(tries * (rows * units.len()) as f64) as usize {
            if number.is_multiple_of(CHECKED) {
                progress::check();
            }
            let unit = &self.units[units[number % units.len()]];
            let bits = random.next_u64();
            let (first, second) = (any_row(bits as u32), any_row((bits >> 32) as u32));
            let (r, s) = (self.pool.row(first), self.pool.row(second));
            if !unit.differs(r, s) {
                continue;
            }
            // As if rows were drawn from the copula, and tables decided at the temperature.
            let rise = self.copula.rise(&unit.columns, r, s);
            let change = self.change(unit, r, s, &mut touched) - 2.0 * temperature * rise;
            let is_better = change <= 0.0 || random.random::<f32>() < (-0.5 * change / temperature).exp();
            if is_better && self.obeys(unit, r, s) {
                self.make(units[number % units.len()], first, second);
            }
        }
    }
}
