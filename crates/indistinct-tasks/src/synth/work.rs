//! What `synth` does between reading and writing: the mechanism of this program, or a method that it is compared with.

use std::num::NonZeroU32;

use indistinct::mixed::{MixedOptions, MixedPlan, MixedReleased, release_counted};
use indistinct::privacy::{
    Budget, Delta, Epsilon, Facts, Guarantee, Neighbours, Randomness, Rho, SchemaSource, Score,
};
use indistinct::private::{PrivateRows, PrivateTable};
use indistinct::quality::Quality;
use indistinct::release::{Model, Part, ReleaseError, ReleasePlan, release};
use indistinct::sampler::diagnostics::Diagnostics;
use indistinct::table::{ColumnSchema, Schema, Table};

use super::comparison;
use super::expected::{Expected, column_warnings, doubtful_warnings};
use super::failures::{Places, mixed_failure, mixed_plan_failure, plan_failure, rows_failure};
use super::mechanism::Mechanism;
use super::persons::Persons;
use super::typed::SynthOptions;
use crate::Failure;

/// What was asked for, before the table is known.
pub(super) enum Wanted {
    Mechanism(Box<Mechanism>),
    Comparison(comparison::Asked),
}

/// What will be done, with the private rows that it will be done to.
pub(super) enum Planned {
    Normal(Box<ReleasePlan>, PrivateRows, Randomness),
    Mixed(Box<MixedPlan>, PrivateTable, Randomness),
    /// A table of any columns whose rows are counted first, as their number is private.
    Counted(Box<Uncounted>, PrivateTable, Randomness),
    Comparison(Box<comparison::Planned>, PrivateRows),
}

/// What is known of a release before rows are counted.
pub(super) struct Uncounted {
    options: MixedOptions,
    schema: Schema,
    /// What would be done with as many rows as are to be made, if that was said.
    supposed: Option<MixedPlan>,
}

/// What was drawn: models to simulate tables from, or the tables themselves.
pub(super) enum Drawn {
    Models(Vec<Model>),
    Tables(Vec<Vec<Vec<f64>>>),
}

/// Everything that a run found, all of it paid for by `budget`.
pub(super) struct Outcome {
    pub(super) drawn: Drawn,
    pub(super) diagnostics: Vec<Diagnostics>,
    pub(super) score: Option<Score>,
    pub(super) budget: Budget,
    /// What was planned once rows were counted, if they were.
    pub(super) counted: Option<MixedPlan>,
    /// What somebody should know of columns, as the release shows.
    pub(super) warnings: Vec<String>,
}

/// What somebody should know of a plan for tables of any columns: a budget that is small for all, and columns for which it is.
pub(super) fn mixed_warnings(plan: &MixedPlan) -> Vec<String> {
    let mut warnings = Vec::from_iter(plan.warning());
    warnings.extend(column_warnings(&plan.outlooks()));
    warnings
}

impl Outcome {
    fn of_mixed(released: MixedReleased, counted: Option<MixedPlan>) -> Self {
        Self {
            drawn: Drawn::Models(released.models.into_iter().map(Model::Mixed).collect()),
            diagnostics: Vec::new(),
            score: released.score,
            budget: released.budget,
            counted,
            warnings: doubtful_warnings(&released.doubtful),
        }
    }
}

impl Wanted {
    pub(super) fn of(arguments: &SynthOptions) -> Result<Self, Failure> {
        if arguments.rows == Some(0) {
            return Err(plan_failure(&ReleaseError::Zero("the number of rows")));
        }
        Ok(match comparison::asked(arguments)? {
            Some(asked) => Self::Comparison(asked),
            None => Self::Mechanism(Box::new(Mechanism::of(arguments)?)),
        })
    }

    pub(super) fn epsilon(&self) -> Epsilon {
        match self {
            Self::Mechanism(asked) => asked.options.epsilon,
            Self::Comparison(asked) => asked.epsilon,
        }
    }

    /// The guarantee that its steps will have, as far as that is known without the table: without a seed, and with a schema that
    /// somebody vouches for.
    pub(super) fn guarantee(&self, rows: Option<usize>) -> Guarantee {
        match self {
            Self::Mechanism(asked) => asked.options.expected_guarantee(rows),
            Self::Comparison(asked) => asked.guarantee(),
        }
    }

    /// The rho of the budget that it will be made from, if that has a delta.
    pub(super) fn rho(&self) -> Option<Rho> {
        match self {
            Self::Mechanism(asked) => rho_of_budget(asked.options.epsilon, asked.options.delta),
            Self::Comparison(_) => None,
        }
    }

    /// Between which tables its guarantee will hold.
    pub(super) fn neighbours(&self) -> Neighbours {
        match self {
            Self::Mechanism(asked) => asked.neighbours,
            Self::Comparison(_) => Neighbours::Substitute,
        }
    }

    /// Whether only numbers can be released.
    pub(super) fn is_of_numbers(&self) -> bool {
        match self {
            Self::Mechanism(asked) => asked.is_of_numbers(),
            Self::Comparison(_) => true,
        }
    }

    /// Everything that can fail is tried here, before a ledger is charged: by options, schema and the number of rows if that is
    /// public. `schema` is without identifiers and derived columns; `to_make` rows were asked for.
    pub(super) fn plan(
        self,
        (table, places): (Table, Places<'_>),
        schema: &Schema,
        (to_make, randomness): (Option<usize>, Randomness),
    ) -> Result<Planned, Failure> {
        let rows = |table: &Table| PrivateRows::new(table).map_err(|error| rows_failure(&error, places));
        match self {
            Self::Mechanism(asked) if asked.is_mixed()? => {
                let private = PrivateTable::new(table);
                let options = asked.mixed_options();
                if options.neighbours == Neighbours::AddRemove {
                    options.check(schema).map_err(|error| mixed_plan_failure(&error, places))?;
                    let supposed = to_make.and_then(|rows| options.clone().plan(rows, schema).ok());
                    let uncounted = Uncounted { options, schema: schema.clone(), supposed };
                    return Ok(Planned::Counted(Box::new(uncounted), private, randomness));
                }
                let plan = options.plan(private.rows(), schema);
                let plan = plan.map_err(|error| mixed_plan_failure(&error, places))?;
                Ok(Planned::Mixed(Box::new(plan), private, randomness))
            }
            Self::Mechanism(asked) => {
                let rows = rows(&table)?;
                let plan = asked.options.plan(rows.rows(), rows.columns());
                Ok(Planned::Normal(Box::new(plan.map_err(|error| plan_failure(&error))?), rows, randomness))
            }
            Self::Comparison(asked) => {
                let rows = rows(&table)?;
                let planned = asked.plan(&rows, (schema, places), randomness)?;
                Ok(Planned::Comparison(Box::new(planned), rows))
            }
        }
    }
}

impl Planned {
    /// What a ledger is charged.
    pub(super) fn epsilon(&self) -> Epsilon {
        match self {
            Self::Normal(plan, ..) => plan.options().epsilon,
            Self::Mixed(plan, ..) => plan.options().epsilon,
            Self::Counted(uncounted, ..) => uncounted.options.epsilon,
            Self::Comparison(planned, _) => planned.asked().epsilon,
        }
    }

    /// And the delta; comparison methods have none.
    pub(super) fn delta(&self) -> Delta {
        match self {
            Self::Normal(plan, ..) => plan.options().delta,
            Self::Mixed(plan, ..) => plan.options().delta,
            Self::Counted(uncounted, ..) => uncounted.options.delta,
            Self::Comparison(..) => Delta::ZERO,
        }
    }

    /// The rho of the budget that it will be made from, if that has a delta.
    pub(super) fn rho(&self) -> Option<Rho> {
        rho_of_budget(self.epsilon(), self.delta())
    }

    /// Private draws, and synthetic tables for each.
    pub(super) fn draws_and_tables(&self) -> (u64, u64) {
        let (draws, tables) = match self {
            Self::Normal(plan, ..) => (plan.options().draws, plan.options().tables),
            Self::Mixed(plan, ..) => (plan.options().draws, plan.options().tables),
            Self::Counted(uncounted, ..) => (uncounted.options.draws, uncounted.options.tables),
            Self::Comparison(planned, _) => (planned.asked().draws, planned.asked().tables),
        };
        (u64::from(draws), u64::from(tables))
    }

    /// What somebody should know before anything is charged.
    pub(super) fn warnings(&self) -> Vec<String> {
        match self {
            Self::Normal(plan, ..) => Vec::from_iter(plan.warning()),
            Self::Mixed(plan, ..) => mixed_warnings(plan),
            Self::Counted(uncounted, ..) => {
                uncounted.supposed.as_ref().map(mixed_warnings).unwrap_or_default()
            }
            Self::Comparison(planned, _) => Vec::from_iter(planned.warning()),
        }
    }

    /// Stages that report progress.
    pub(super) fn stages(&self) -> u64 {
        match self {
            Self::Normal(plan, ..) => plan.stages(),
            Self::Mixed(plan, ..) => plan.stages(),
            Self::Counted(uncounted, ..) => uncounted.options.most_stages(&uncounted.schema),
            Self::Comparison(..) => self.draws_and_tables().0,
        }
    }

    /// The kind of model, as it is typed.
    pub(super) fn model(&self) -> &'static str {
        match self {
            Self::Mixed(..) | Self::Counted(..) => "mixed",
            Self::Normal(..) | Self::Comparison(..) => "normal",
        }
    }

    /// How the budget is divided, by public quantities.
    pub(super) fn split(&self) -> Vec<Part> {
        match self {
            Self::Mixed(plan, ..) => plan.split(),
            Self::Counted(uncounted, ..) => match &uncounted.supposed {
                Some(plan) => plan.split(),
                None => uncounted.options.split_before_counting(),
            },
            Self::Normal(plan, ..) => plan.split(),
            Self::Comparison(planned, _) => {
                vec![Part { step: planned.asked().name().to_owned(), share: 1.0, noise_sd: None }]
            }
        }
    }

    /// What is expected of a release of any columns; none of others.
    pub(super) fn expected(&self) -> Option<Expected> {
        match self {
            Self::Mixed(plan, ..) => Some(Expected::of(plan)),
            Self::Counted(uncounted, ..) => uncounted.supposed.as_ref().map(Expected::of),
            Self::Normal(..) | Self::Comparison(..) => None,
        }
    }

    /// Between which tables the guarantee will hold.
    pub(super) fn neighbours(&self) -> Neighbours {
        match self {
            Self::Counted(..) => Neighbours::AddRemove,
            Self::Normal(..) | Self::Mixed(..) | Self::Comparison(..) => Neighbours::Substitute,
        }
    }

    /// The public settings of the run, for the certificate; the score, and what follows from counting rows, are filled in when they
    /// are known.
    pub(super) fn facts(
        &self,
        rows: Option<usize>,
        released: &Schema,
        (schema_source, persons): (SchemaSource, Option<&Persons>),
    ) -> Facts {
        let person = persons.map(Persons::told);
        let columns: Vec<ColumnSchema> =
            released.columns().iter().filter(|column| column.is_measured()).cloned().collect();
        let (draws, tables) = self.draws_and_tables();
        let mut facts = Facts {
            rows: rows.unwrap_or(0) as u64,
            columns: columns.len() as u64,
            model: self.model().to_owned(),
            quality: "none".to_owned(),
            discriminator: "none".to_owned(),
            sampler: String::new(),
            measure_share: 0.0,
            sensitivity: "tight".to_owned(),
            draws,
            tables,
            schema_source,
            outside_the_guarantee: Vec::new(),
            score: None,
            comparison: None,
            person: person.cloned(),
            derived: released.derived().map(|column| column.name().to_owned()).collect(),
        };
        match self {
            Self::Normal(plan, ..) => {
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
            Self::Mixed(..) | Self::Counted(..) => {
                "pmae".clone_into(&mut facts.quality);
                "pairs".clone_into(&mut facts.discriminator);
                "measure".clone_into(&mut facts.sampler);
                if let Self::Mixed(plan, ..) = self {
                    facts.measure_share = plan.measure_share();
                }
            }
            Self::Comparison(planned, _) => {
                let told = planned.told(&columns);
                facts.sampler.clone_from(&told.method);
                facts.comparison = Some(told);
            }
        }
        let levels = columns.iter().any(|column| column.kind().has_levels());
        let conditions = Facts::conditions_of(schema_source, levels);
        facts.outside_the_guarantee = facts.outside(self.rows_per_person(), self.neighbours(), &conditions);
        facts
    }

    /// The most rows that a person owns.
    fn rows_per_person(&self) -> NonZeroU32 {
        let rows = match self {
            Self::Normal(plan, ..) => plan.options().rows_per_person,
            Self::Mixed(plan, ..) => plan.options().rows_per_person,
            Self::Counted(uncounted, ..) => uncounted.options.rows_per_person,
            Self::Comparison(planned, _) => planned.asked().rows_per_person().get(),
        };
        NonZeroU32::new(rows).unwrap_or(NonZeroU32::MIN)
    }

    /// The guarantee that its steps will have, without a seed and with a schema that somebody vouches for.
    pub(super) fn guarantee(&self) -> Guarantee {
        match self {
            Self::Normal(plan, rows, _) => plan.options().expected_guarantee(Some(rows.rows())),
            Self::Mixed(plan, ..) => plan.options().expected_guarantee(),
            Self::Counted(uncounted, ..) => uncounted.options.expected_guarantee(),
            Self::Comparison(planned, _) => planned.asked().guarantee(),
        }
    }

    pub(super) fn release(self, progress: &(dyn Fn() + Sync)) -> Result<Outcome, Failure> {
        match self {
            Self::Normal(plan, rows, randomness) => {
                let released =
                    release(&rows, &plan, randomness, progress).map_err(|error| plan_failure(&error))?;
                Ok(Outcome {
                    drawn: Drawn::Models(released.models.into_iter().map(Model::Normal).collect()),
                    diagnostics: released.diagnostics,
                    score: released.score,
                    budget: released.budget,
                    counted: None,
                    warnings: Vec::new(),
                })
            }
            Self::Mixed(plan, table, randomness) => {
                let released = indistinct::mixed::release(&table, &plan, randomness, progress);
                Ok(Outcome::of_mixed(released.map_err(|error| mixed_failure(&error))?, None))
            }
            Self::Counted(uncounted, table, randomness) => {
                let Uncounted { options, schema, .. } = *uncounted;
                let released = release_counted(table, (options, &schema), randomness, progress);
                let (plan, released) = released.map_err(|error| mixed_failure(&error))?;
                Ok(Outcome::of_mixed(released, Some(plan)))
            }
            Self::Comparison(planned, rows) => {
                let (drawn, budget) = planned.release(&rows, progress)?;
                let (diagnostics, warnings) = (Vec::new(), Vec::new());
                Ok(Outcome { drawn, diagnostics, score: None, budget, counted: None, warnings })
            }
        }
    }
}

/// The rho of a budget of the mechanism, which composes by it where there is a delta.
fn rho_of_budget(epsilon: Epsilon, delta: Delta) -> Option<Rho> {
    (!delta.is_zero()).then(|| Rho::largest(epsilon, delta))
}
