//! Division of a budget among stages, by n, epsilon and the number of columns, which are public, and nothing
//! else.
//!
//! What a stage can find out depends on epsilon times n. The constants below are the needs of each kind of stage,
//! found by simulation on invented data; what locating does not need goes to measuring.

use crate::privacy::Epsilon;
use crate::quality::Quality;

/// Needs of the stages that locate a model, as epsilon times n.
#[derive(Debug, Clone, Copy)]
struct Needs {
    scale: f64,
    location: f64,
    refine: f64,
    loading: f64,
}

/// The needs for a quality function. Searching compares numbers of rows, whatever the function; zooming in uses
/// it, and the squares of pMSE need more.
fn needs(quality: Quality) -> Needs {
    let zoom = match quality {
        Quality::Pmae => 1.0,
        Quality::Pmse => 3.0,
    };
    Needs { scale: 70.0, location: 70.0, refine: 70.0 * zoom, loading: 70.0 * zoom }
}

/// The budget of every stage for each column, or pair of columns, in one draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// For finding the scale of a column.
    pub scale: Epsilon,
    /// For finding its location: for every division.
    pub location: Epsilon,
    /// For divisions beyond the first, of all columns together: for columns that lie far out.
    pub far: Epsilon,
    /// For zooming in on both.
    pub refine: Epsilon,
    /// For zooming in on the loading of a column on an earlier one.
    pub loading: Epsilon,
}

/// The public facts from which a schedule follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScheduleFacts {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Epsilon of one draw, for all rows of a person.
    pub epsilon: Epsilon,
    /// The most rows that a person owns.
    pub rows_per_person: u32,
    /// The least share of the budget for noisy counts; 0 for none.
    pub measure_share: f64,
    /// The least share for candidates judged by a discriminator; 0 for none.
    pub judge_share: f64,
    /// The quality by which candidates are compared.
    pub quality: Quality,
    /// The rho of one draw, if the budget has a delta: `epsilon` is then divided, and rho in the same
    /// proportions.
    pub rho: Option<f64>,
}

impl ScheduleFacts {
    /// The signal: epsilon times n, for one row of a person.
    pub fn signal(&self) -> f64 {
        self.epsilon.to_f64() * self.rows as f64 / f64::from(self.rows_per_person)
    }

    /// The signal that locating all columns needs.
    pub fn needed(&self) -> f64 {
        let needs = needs(self.quality);
        let columns = self.columns as f64;
        let pairs = columns * (columns - 1.0) / 2.0;
        columns * (needs.scale + needs.location + needs.refine) + pairs * needs.loading
    }

    /// The share of the budget that locating needs: squares add up where rhos do.
    pub fn needed_share(&self) -> f64 {
        let Some(rho) = self.rho else { return self.needed() / self.signal() };
        let needs = needs(self.quality);
        let columns = self.columns as f64;
        let pairs = columns * (columns - 1.0) / 2.0;
        let each = [needs.scale, needs.location, needs.refine].map(|need| columns * self.rho_for(need));
        (each.iter().sum::<f64>() + pairs * self.rho_for(needs.loading)) / rho
    }

    /// The rho of a choice that needs this signal.
    fn rho_for(&self, need: f64) -> f64 {
        (need * f64::from(self.rows_per_person) / self.rows as f64).powi(2) / 8.0
    }

    /// The epsilon of a choice with this part of the budget.
    pub fn choice_epsilon(&self, part: Epsilon) -> f64 {
        match self.rho {
            None => part.to_f64(),
            Some(rho) => (8.0 * rho * part.to_f64() / self.epsilon.to_f64()).sqrt(),
        }
    }

    /// The signal for locating, over the signal that it needs: below 1 stages starve.
    pub fn flatness(&self) -> f64 {
        let share = 1.0 - self.measure_share - self.judge_share;
        match self.rho {
            None => share * self.signal() / self.needed(),
            Some(_) => (share / self.needed_share()).sqrt(),
        }
    }

    /// Divides the budget.
    pub fn schedule(&self) -> Schedule {
        if let Some(rho) = self.rho {
            return self.schedule_of_rho(rho);
        }
        let needs = needs(self.quality);
        // With plenty to spend, twice the need makes a failed search all but impossible for a tenth of the budget.
        let generous = (0.1 * self.signal() / self.needed()).clamp(1.0, 2.0).min(self.flatness());
        let per_unit = f64::from(self.rows_per_person) / self.rows as f64 * generous;
        let epsilon = |need: f64| Epsilon::from_f64(need * per_unit).unwrap_or(Epsilon::ZERO);
        let planned = Epsilon::from_f64(self.needed() * per_unit).unwrap_or(Epsilon::ZERO);
        Schedule {
            far: self.epsilon.saturating_sub(planned).divided_by(2),
            scale: epsilon(needs.scale),
            location: epsilon(needs.location),
            refine: epsilon(needs.refine),
            loading: epsilon(needs.loading),
        }
    }
}

impl ScheduleFacts {
    /// Divides the budget where rhos add up: twice the need costs four times as much.
    fn schedule_of_rho(&self, rho: f64) -> Schedule {
        let needs = needs(self.quality);
        let generous = (0.1 / self.needed_share()).sqrt().clamp(1.0, 2.0).min(self.flatness());
        let part = |share: f64| Epsilon::from_f64(self.epsilon.to_f64() * share).unwrap_or(Epsilon::ZERO);
        let stage = |need: f64| part(self.rho_for(need * generous) / rho);
        Schedule {
            far: self.epsilon.saturating_sub(part(self.needed_share() * generous * generous)).divided_by(2),
            scale: stage(needs.scale),
            location: stage(needs.location),
            refine: stage(needs.refine),
            loading: stage(needs.loading),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(rows: usize, epsilon: f64) -> ScheduleFacts {
        ScheduleFacts {
            rows,
            columns: 2,
            epsilon: Epsilon::from_f64(epsilon).unwrap(),
            rows_per_person: 1,
            measure_share: 0.6,
            judge_share: 0.0,
            quality: Quality::Pmae,
            rho: None,
        }
    }

    #[test]
    fn locating_stays_within_its_share() {
        for (rows, epsilon, share) in
            [(100, 0.1, 0.6), (5000, 0.25, 0.6), (5000, 1.0, 0.6), (1_000_000, 5.0, 0.6), (20_000, 1.0, 0.95)]
        {
            let facts = ScheduleFacts {
                measure_share: 0.75 * share,
                judge_share: 0.25 * share,
                ..facts(rows, epsilon)
            };
            let schedule = facts.schedule();
            let all = |schedule: &Schedule| {
                let single = schedule.scale.to_f64() + schedule.location.to_f64() + schedule.refine.to_f64();
                2.0 * single + schedule.loading.to_f64()
            };
            assert!(all(&schedule) <= (1.0 - share) * epsilon + 1e-9, "{rows} {epsilon}");
            let with_delta = ScheduleFacts { rho: Some(0.02 * epsilon * epsilon), ..facts };
            let schedule = with_delta.schedule();
            assert!(all(&schedule) <= (1.0 - share) * epsilon + 1e-9, "{rows} {epsilon} with a delta");
            // Stages tell apart what they need where there is enough.
            let told = with_delta.choice_epsilon(schedule.scale) * rows as f64;
            assert!(with_delta.flatness() < 1.0 || told > 69.9, "{rows} {epsilon}: {told}");
        }
    }
}
