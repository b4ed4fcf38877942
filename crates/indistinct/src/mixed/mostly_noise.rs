//! Columns of a release that are mostly noise, by its certificate and schema: anyone who has the release can
//! tell.

use super::plan::{Look, cells_to_spoil, moved};
use crate::privacy::{Certificate, Neighbours, Spent};
use crate::table::ColumnSchema;

/// The names of the columns of a release, with or without derived ones, that are [`Look::MostlyNoise`] or worse.
pub fn mostly_noise<'a>(certificate: &Certificate, columns: &[&'a ColumnSchema]) -> Vec<&'a str> {
    let facts = certificate.facts();
    if facts.model != "mixed" {
        return Vec::new();
    }
    let is_derived = |column: &ColumnSchema| facts.derived.iter().any(|name| name == column.name());
    let measured = columns.iter().filter(|column| !is_derived(column));
    let is_noise = |(place, column): &(usize, &&'a ColumnSchema)| {
        // Certificates of 0.1 have columns by number.
        let names = [format!("counts of {}", column.name()), format!("counts of column {}", place + 1)];
        let step = certificate.spent().iter().find(|step| names.contains(&step.step));
        let noise = step.and_then(|step| noise_sd(certificate, step));
        let moved = noise.map(|sd| moved(sd, cells_to_spoil(column), facts.rows as f64));
        moved.is_some_and(|moved| Look::of(moved) >= Look::MostlyNoise)
    };
    measured.enumerate().filter(is_noise).map(|(_, column)| column.name()).collect()
}

/// The standard deviation of the noise of each of a column's counts.
fn noise_sd(certificate: &Certificate, step: &Spent) -> Option<f64> {
    let rows = f64::from(certificate.rows_per_person().get());
    // What one row moves, summed; squared it is as much, as no count moves by more than one.
    let moves = match certificate.neighbours() {
        Neighbours::Substitute => 2.0,
        Neighbours::AddRemove => 1.0,
    };
    match step.rho {
        Some(rho) if rho.to_f64() > 0.0 => Some(rows * (moves / (2.0 * rho.to_f64())).sqrt()),
        Some(_) => None,
        None => Some(std::f64::consts::SQRT_2 * rows * moves / step.epsilon.to_f64()),
    }
}
