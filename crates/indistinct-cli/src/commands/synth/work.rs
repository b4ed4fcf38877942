//! What `synth` does between reading and writing: the mechanism of this program, or a method that it is compared with.

use indistinct::model::SequentialNormal;
use indistinct::privacy::{Budget, Comparison, Delta, Epsilon, Facts, Randomness, SchemaSource, Score};
use indistinct::private::PrivateRows;
use indistinct::quality::Quality;
use indistinct::release::{ReleaseOptions, ReleasePlan, release};
use indistinct::sampler::diagnostics::Diagnostics;
use indistinct::table::{ColumnSchema, Schema};

use super::{comparison, options, plan_failure};
use crate::args::Synth;
use crate::failure::Failure;

/// What was asked for, before the table is known.
pub(super) enum Asked {
    Mechanism(Box<ReleaseOptions>),
    Comparison(comparison::Asked),
}

/// What will be done with the table.
pub(super) enum Planned {
    Mechanism(Box<ReleasePlan>, Randomness),
    Comparison(Box<comparison::Planned>),
}

/// What was drawn: models to simulate tables from, or the tables themselves.
pub(super) enum Drawn {
    Models(Vec<SequentialNormal>),
    Tables(Vec<Vec<Vec<f64>>>),
}

/// Everything that a run found, all of it paid for by `budget`.
pub(super) struct Outcome {
    pub(super) drawn: Drawn,
    pub(super) diagnostics: Vec<Diagnostics>,
    pub(super) score: Option<Score>,
    pub(super) budget: Budget,
}

impl Asked {
    pub(super) fn of(arguments: &Synth) -> Result<Self, Failure> {
        Ok(match comparison::asked(arguments)? {
            Some(asked) => Self::Comparison(asked),
            None => Self::Mechanism(Box::new(options::options(arguments)?)),
        })
    }

    pub(super) fn epsilon(&self) -> Epsilon {
        match self {
            Self::Mechanism(options) => options.epsilon,
            Self::Comparison(asked) => asked.epsilon,
        }
    }

    pub(super) fn plan(
        self,
        rows: &PrivateRows,
        schema: &Schema,
        randomness: Randomness,
    ) -> Result<Planned, Failure> {
        match self {
            Self::Mechanism(options) => {
                let plan = options.plan(rows.rows(), rows.columns()).map_err(|error| plan_failure(&error))?;
                Ok(Planned::Mechanism(Box::new(plan), randomness))
            }
            Self::Comparison(asked) => {
                asked.plan(rows, schema, randomness).map(|planned| Planned::Comparison(Box::new(planned)))
            }
        }
    }
}

impl Planned {
    /// What a ledger is charged.
    pub(super) fn epsilon(&self) -> Epsilon {
        match self {
            Self::Mechanism(plan, _) => plan.options().epsilon,
            Self::Comparison(planned) => planned.asked().epsilon,
        }
    }

    /// And the delta; comparison methods have none.
    pub(super) fn delta(&self) -> Delta {
        match self {
            Self::Mechanism(plan, _) => plan.options().delta,
            Self::Comparison(_) => Delta::ZERO,
        }
    }

    /// Private draws, and synthetic tables for each.
    pub(super) fn draws_and_tables(&self) -> (u64, u64) {
        let (draws, tables) = match self {
            Self::Mechanism(plan, _) => (plan.options().draws, plan.options().tables),
            Self::Comparison(planned) => (planned.asked().draws, planned.asked().tables),
        };
        (u64::from(draws), u64::from(tables))
    }

    pub(super) fn warning(&self) -> Option<String> {
        match self {
            Self::Mechanism(plan, _) => plan.warning(),
            Self::Comparison(planned) => planned.warning(),
        }
    }

    /// Stages that report progress.
    pub(super) fn stages(&self) -> u64 {
        match self {
            Self::Mechanism(plan, _) => plan.stages(),
            Self::Comparison(_) => self.draws_and_tables().0,
        }
    }

    /// The public settings of the run, for the certificate; a score is filled in when there is one.
    pub(super) fn facts(&self, rows: usize, columns: &[ColumnSchema], schema_source: SchemaSource) -> Facts {
        let mut outside = vec![format!("the number of rows, {rows}")];
        if schema_source == SchemaSource::Drafted {
            outside.push("column names and types, read from the data".to_owned());
        }
        let (draws, tables) = self.draws_and_tables();
        let mut facts = Facts {
            rows: rows as u64,
            columns: columns.len() as u64,
            quality: "none".to_owned(),
            discriminator: "none".to_owned(),
            sampler: String::new(),
            measure_share: 0.0,
            sensitivity: "tight".to_owned(),
            draws,
            tables,
            schema_source,
            outside_the_guarantee: outside,
            score: None,
            comparison: None,
        };
        match self {
            Self::Mechanism(plan, _) => {
                let options = plan.options();
                facts.quality = match options.quality {
                    Quality::Pmae => "pmae".to_owned(),
                    Quality::Pmse => "pmse".to_owned(),
                };
                options.discriminator.name().clone_into(&mut facts.discriminator);
                options.sampler.name().clone_into(&mut facts.sampler);
                facts.measure_share = plan.measure_share();
                if options.paper_sensitivity {
                    "paper".clone_into(&mut facts.sensitivity);
                }
            }
            Self::Comparison(planned) => {
                let told = planned.told(columns);
                facts.sampler.clone_from(&told.method);
                facts.outside_the_guarantee.extend(assumed(&told));
                facts.comparison = Some(told);
            }
        }
        facts
    }

    pub(super) fn release(
        self,
        rows: &PrivateRows,
        progress: &(dyn Fn() + Sync),
    ) -> Result<Outcome, Failure> {
        match self {
            Self::Mechanism(plan, randomness) => {
                let released =
                    release(rows, &plan, randomness, progress).map_err(|error| plan_failure(&error))?;
                Ok(Outcome {
                    drawn: Drawn::Models(released.models),
                    diagnostics: released.diagnostics,
                    score: released.score,
                    budget: released.budget,
                })
            }
            Self::Comparison(planned) => {
                let (drawn, budget) = planned.release(rows, progress)?;
                Ok(Outcome { drawn, diagnostics: Vec::new(), score: None, budget })
            }
        }
    }
}

/// The bounds that a method assumed, in words.
fn assumed(comparison: &Comparison) -> Option<String> {
    let source = match comparison.bounds_source? {
        indistinct::privacy::BoundsSource::User => "given, and not to come from the data",
        indistinct::privacy::BoundsSource::Computed => "computed from the data",
    };
    let each = comparison
        .bounds
        .iter()
        .map(|bounds| format!("{} in [{}, {}]", bounds.column, bounds.low, bounds.high));
    Some(format!("the bounds of the columns, {source}: {}", each.collect::<Vec<String>>().join(", ")))
}
