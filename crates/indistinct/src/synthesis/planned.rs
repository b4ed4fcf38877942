//! A release that can be made: nothing is charged or drawn.

use crate::progress::Progress;
use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};

use super::warnings::{doubtful_warnings, plan_warnings};
use super::{
    Drawn, DrawnRows, Method, Plan, Release, ReleasedModel, RowSource, SynthesisError, rows_of_a_person,
};
use crate::field::Message;
use crate::mixed::{DoubtfulColumn, MixedPlan};
use crate::normal::diagnostics::Diagnostics;
use crate::privacy::{Certificate, Guarantee, Person, ReleaseFacts, Rho, SchemaSource};
use crate::table::{ColumnSchema, Schema};
use crate::terms::{Part, Terms};

/// A release that can be made once, with the private rows it will be made from.
#[must_use = "a plan releases nothing by itself"]
pub struct Planned {
    pub(super) method: Box<dyn Plan>,
    /// The schema of the release: without identifiers.
    pub(super) schema: Schema,
    pub(super) schema_source: SchemaSource,
    pub(super) person: Option<Person>,
    /// The number of private rows; `None` if it is private.
    pub(super) private_rows: Option<usize>,
    /// Rows of each synthetic table; `None` for the noisy count.
    pub(super) rows: Option<usize>,
    pub(super) seed: Option<u64>,
}

/// A release, with facts that its maker should know.
#[derive(Debug)]
pub struct Released {
    /// The release, which may be published.
    pub release: Release,
    /// Diagnostics of the chains of each draw. **Not private**: computed from the rows, and not paid for.
    pub diagnostics: Vec<Diagnostics>,
    /// The plan that was made after rows were counted, if they were.
    pub counted: Option<MixedPlan>,
    /// Columns that are not reliable, by the search for their limits.
    pub doubtful: Vec<DoubtfulColumn>,
}

impl Released {
    /// Warnings of a release that could not be given before: rows were counted, and limits searched for.
    pub fn warnings(&self) -> Vec<Message> {
        let counted = self.counted.iter().flat_map(|plan| plan_warnings(plan.warning(), Some(plan)));
        counted.chain(doubtful_warnings(&self.doubtful)).collect()
    }
}

impl fmt::Debug for Planned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It holds private rows.
        formatter.debug_struct("Planned").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl Planned {
    /// The terms.
    pub fn terms(&self) -> &Terms {
        self.method.terms()
    }

    /// The schema of the release.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The kind of model: `mixed` or `normal`.
    pub fn model(&self) -> &'static str {
        self.method.model()
    }

    /// The parts of the budget.
    pub fn parts(&self) -> Vec<Part> {
        self.method.parts()
    }

    /// Warnings before anything is charged: a budget that is small for all, and columns for which
    /// it is.
    pub fn warnings(&self) -> Vec<Message> {
        plan_warnings(self.method.warning(), self.mixed())
    }

    /// The plan for columns of any type, which predicts how close the release will come; `None` for other
    /// methods, and where the number of rows is neither known nor assumed.
    pub fn mixed(&self) -> Option<&MixedPlan> {
        self.method.mixed()
    }

    /// Number of stages that report progress.
    pub fn stages(&self) -> u64 {
        self.method.stages()
    }

    /// The number of private rows, where it is public.
    pub fn private_rows(&self) -> Option<usize> {
        self.private_rows
    }

    /// Rows of each synthetic table, if that is known before rows are counted.
    pub fn rows(&self) -> Option<usize> {
        self.rows
    }

    /// The guarantee that the release will have, by its options, its schema and the public number of rows.
    pub fn guarantee(&self) -> Guarantee {
        let guarantee = self.method.guarantee();
        let guarantee = if self.seed.is_some() { guarantee.seeded() } else { guarantee };
        guarantee.provided(&ReleaseFacts::conditions_of(self.schema_source, self.has_levels()))
    }

    /// The rho of its budget, if that has a delta.
    pub fn rho(&self) -> Option<Rho> {
        self.method.terms().rho()
    }

    /// Makes the release. `progress` is told after every stage, and can stop it there.
    ///
    /// # Guarantee
    /// That of the certificate: everything that looks at rows was charged to the budget from which it was
    /// computed.
    ///
    /// # Errors
    /// When the mechanism fails, or the release is no longer wanted; the budget is spent nevertheless.
    pub fn release(self, progress: &dyn Progress) -> Result<Released, SynthesisError> {
        let mut facts = self.facts();
        let (guarantee, rho) = (self.guarantee(), self.rho());
        let Self { method, schema, rows, seed, .. } = self;
        let Drawn { rows: drawn, diagnostics, score, budget, counted, doubtful } =
            method.release(progress).map_err(SynthesisError::of_model)?;
        facts.score = score;
        if let Some(plan) = &counted {
            (facts.rows, facts.measure_share) = (plan.rows() as u64, plan.measure_share());
        }
        let public_rows = facts.rows as usize;
        let certificate = Certificate::new(&budget, now(), facts);
        // What was planned may have been charged to a ledger; the steps must have kept it. None is never charged.
        let kept = *certificate.guarantee() == guarantee && budget.total_rho() == rho;
        if !kept && !matches!(guarantee, Guarantee::None { .. }) {
            return Err(SynthesisError::Overclaim);
        }
        let source = match drawn {
            DrawnRows::Models(draws) => RowSource::Model(ReleasedModel { schema, rows: public_rows, draws }),
            // A histogram has no parameters to make more rows from: each of its rows is paid for.
            DrawnRows::Tables(tables) => RowSource::Tables { schema, tables },
        };
        let release = Release::of_parts(source, Some(certificate), rows.unwrap_or(public_rows), seed);
        Ok(Released { release, diagnostics, counted, doubtful })
    }

    fn measured(&self) -> impl Iterator<Item = &ColumnSchema> {
        self.schema.columns().iter().filter(|column| column.is_measured())
    }

    fn has_levels(&self) -> bool {
        self.measured().any(|column| column.kind().has_levels())
    }

    /// The public settings of the run, for the certificate; the score, and what follows from counting rows, are
    /// filled in when they are known.
    fn facts(&self) -> ReleaseFacts {
        let columns: Vec<ColumnSchema> = self.measured().cloned().collect();
        let terms = self.method.terms();
        let Method { quality, discriminator, sampler, measure_share, sensitivity, comparison } =
            self.method.method(&columns);
        let mut facts = ReleaseFacts {
            rows: self.private_rows.unwrap_or(0) as u64,
            columns: columns.len() as u64,
            model: self.method.model().to_owned(),
            quality: quality.to_owned(),
            discriminator: discriminator.to_owned(),
            sampler,
            measure_share,
            sensitivity: sensitivity.to_owned(),
            draws: u64::from(terms.draws),
            tables: u64::from(terms.tables),
            schema_source: self.schema_source,
            outside_the_guarantee: Vec::new(),
            score: None,
            comparison,
            person: self.person.clone(),
            derived: self.schema.derived().map(|column| column.name().to_owned()).collect(),
        };
        let conditions = ReleaseFacts::conditions_of(self.schema_source, self.has_levels());
        facts.outside_the_guarantee = facts.outside(rows_of_a_person(terms), terms.neighbours, &conditions);
        facts
    }
}

/// The time in UTC, to the second, as RFC 3339 text: `2026-11-15T12:00:00Z`.
fn now() -> String {
    DateTime::<Utc>::from(std::time::SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true)
}
