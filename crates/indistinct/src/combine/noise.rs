//! The origin of tables as their release states it: which draws they come from, and how noisy those were.

use crate::model::SequentialNormal;
use crate::normal::measure::{COUNTS_STEP, noise_scale, noise_scale_of_rho};
use crate::privacy::{Certificate, SCORE_STEP, Spent};
use crate::synthesis::Model;

/// Known facts about how tables were made.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Draws that the tables come from.
    pub draws: usize,
    /// Rows of the private table.
    pub n: usize,
    /// The noise of the first draw; others have as much.
    pub noise: Noise,
}

/// The noise of a draw.
#[derive(Debug, Clone)]
pub enum Noise {
    /// Noise on counts as wide as Laplace noise of this scale, and the model that was fitted to them.
    Counts {
        /// The scale.
        scale: f64,
        /// The model.
        model: SequentialNormal,
    },
    /// The exponential mechanism with pMSE and this epsilon for one row.
    Exponential {
        /// The epsilon.
        epsilon: f64,
    },
    /// Noise of a table of any columns: of many steps, and of no simple law.
    Mixed,
    /// Not known in closed form.
    Unknown,
}

impl Noise {
    /// The noise of one draw of a release, counted from 0, by its certificate and its model if there is one.
    pub fn of(certificate: &Certificate, draw: usize, model: Option<&Model>) -> Self {
        match model {
            Some(Model::Mixed(_) | Model::VersionOne(_)) => Self::Mixed,
            Some(Model::Normal(model)) => of_numbers(certificate, draw, Some(model)),
            None => of_numbers(certificate, draw, None),
        }
    }
}

fn of_numbers(certificate: &Certificate, draw: usize, model: Option<&SequentialNormal>) -> Noise {
    let facts = certificate.facts();
    let rows_per_person = certificate.rows_per_person();
    let steps = |wanted: fn(&&Spent) -> bool| certificate.spent().iter().filter(wanted);
    // Every draw ends with its counts, so that they come in the order of the draws.
    let counts = steps(|step| step.step == COUNTS_STEP).nth(draw);
    if let (Some(counts), Some(model)) = (counts, model) {
        let columns = model.location().len();
        let scale = match counts.rho {
            None => noise_scale(columns, counts.epsilon, rows_per_person),
            Some(rho) => noise_scale_of_rho(columns, rho, rows_per_person),
        };
        if scale.is_finite() {
            return Noise::Counts { scale, model: model.clone() };
        }
    }
    if facts.sampler == "metropolis" && facts.quality == "pmse" && facts.discriminator != "private-tree" {
        let spent: f64 = steps(|step| step.step != SCORE_STEP).map(|step| step.epsilon.to_f64()).sum();
        let sensitivity = if facts.sensitivity == "paper" { 2.0 } else { 1.0 };
        let epsilon = spent / facts.draws.max(1) as f64 / sensitivity / f64::from(rows_per_person.get());
        return Noise::Exponential { epsilon };
    }
    Noise::Unknown
}
