//! The plan of a method for private rows, by public quantities: one trait for all methods.

use super::{Model, SynthesisError};
use crate::field::Message;
use crate::mixed::{self, DoubtfulColumn, MixedPlan, MixedReleased, release_counted};
use crate::normal::diagnostics::Diagnostics;
use crate::normal::{self, NormalPlan};
use crate::privacy::{Budget, Comparison, Guarantee, Neighbours, Randomness, Score};
use crate::private::{PrivateRows, PrivateSource};
use crate::progress::Progress;
use crate::quality::Quality;
use crate::table::{ColumnSchema, Schema};
use crate::terms::{Part, Terms};

/// A release that can be made by one method, with the private rows it will be made from.
///
/// # Guarantee
/// Everything but [`release`](Self::release) is a function of public quantities: options, schema, and the number
/// of rows where that is public.
pub trait Plan: Send {
    /// The kind of model: `mixed` or `normal`.
    fn model(&self) -> &'static str;
    /// The terms as given.
    fn terms(&self) -> &Terms;
    /// The guarantee that its steps will have, without a seed and with a schema that someone vouches for.
    fn guarantee(&self) -> Guarantee;
    /// The parts of the budget.
    fn parts(&self) -> Vec<Part>;
    /// A warning to be shown before anything is charged.
    fn warning(&self) -> Option<Message>;
    /// Number of stages that report progress.
    fn stages(&self) -> u64;
    /// The method as stated by the certificate; `columns` are the measured ones.
    fn method(&self, columns: &[ColumnSchema]) -> Method;
    /// The plan for columns of any type, if this is one and the number of rows is known, or assumed.
    fn mixed(&self) -> Option<&MixedPlan> {
        None
    }
    /// Carries out the plan.
    ///
    /// # Guarantee
    /// Everything that looks at rows is charged to the returned budget.
    ///
    /// # Errors
    /// When the mechanism fails; what was spent is spent.
    fn release(self: Box<Self>, progress: &dyn Progress) -> Result<Drawn, SynthesisError>;
}

/// The method of a release, as its certificate states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// The quality function.
    pub quality: &'static str,
    /// The discriminator that found the cells.
    pub discriminator: &'static str,
    /// The sampler that drew the parameters.
    pub sampler: String,
    /// The share of the budget for noisy counts.
    pub measure_share: f64,
    /// The kind of sensitivity: `tight` or `paper`.
    pub sensitivity: &'static str,
    /// The comparison method, if it is one.
    pub comparison: Option<Comparison>,
}

/// The results of the draws, all of them paid for by `budget`.
#[derive(Debug)]
pub struct Drawn {
    /// The models or tables from which rows are made.
    pub rows: DrawnRows,
    /// Diagnostics of chains. Not private: for the owner of the table only.
    pub diagnostics: Vec<Diagnostics>,
    /// The noisy quality of the first draw, if it was requested.
    pub score: Option<Score>,
    /// The budget, with all that was spent.
    pub budget: Budget,
    /// The plan that was made after rows were counted, if they were.
    pub counted: Option<MixedPlan>,
    /// Columns that are not reliable, by the search for their limits.
    pub doubtful: Vec<DoubtfulColumn>,
}

/// The models or tables from which rows are made.
#[derive(Debug)]
pub enum DrawnRows {
    /// A model of each draw.
    Models(Vec<Model>),
    /// The tables themselves, by column, where there is no model.
    Tables(Vec<Vec<Vec<f64>>>),
}

/// The normal model of the paper.
pub(super) struct Normal {
    pub(super) plan: NormalPlan,
    pub(super) rows: PrivateRows,
    pub(super) randomness: Randomness,
}

impl Plan for Normal {
    fn model(&self) -> &'static str {
        "normal"
    }

    fn terms(&self) -> &Terms {
        self.plan.terms()
    }

    fn guarantee(&self) -> Guarantee {
        self.plan.options().expected_guarantee(self.plan.terms(), Some(self.rows.rows()))
    }

    fn parts(&self) -> Vec<Part> {
        self.plan.split()
    }

    fn warning(&self) -> Option<Message> {
        self.plan.warning().map(Message::from)
    }

    fn stages(&self) -> u64 {
        self.plan.stages()
    }

    fn method(&self, _: &[ColumnSchema]) -> Method {
        let options = self.plan.options();
        Method {
            quality: match options.quality {
                Quality::Pmae => "pmae",
                Quality::Pmse => "pmse",
            },
            discriminator: options.discriminator.name(),
            sampler: options.sampler.name().to_owned(),
            measure_share: self.plan.measure_share(),
            sensitivity: if options.paper_sensitivity { "paper" } else { "tight" },
            comparison: None,
        }
    }

    fn release(self: Box<Self>, progress: &dyn Progress) -> Result<Drawn, SynthesisError> {
        let released = normal::release(&self.rows, &self.plan, self.randomness, progress)?;
        Ok(Drawn {
            rows: DrawnRows::Models(released.models.into_iter().map(Model::Normal).collect()),
            diagnostics: released.diagnostics,
            score: released.score,
            budget: released.budget,
            counted: None,
            doubtful: Vec::new(),
        })
    }
}

/// The engine for columns of any type, as stated by the certificate.
fn mixed_method(measure_share: f64) -> Method {
    Method {
        quality: "pmae",
        discriminator: "pairs",
        sampler: "measure".to_owned(),
        measure_share,
        sensitivity: "tight",
        comparison: None,
    }
}

fn drawn(released: MixedReleased, counted: Option<MixedPlan>) -> Drawn {
    Drawn {
        rows: DrawnRows::Models(released.models.into_iter().map(Model::Mixed).collect()),
        diagnostics: Vec::new(),
        score: released.score,
        budget: released.budget,
        counted,
        doubtful: released.doubtful,
    }
}

/// Columns of any type, of a table whose number of rows is public.
pub(super) struct Mixed {
    pub(super) plan: MixedPlan,
    pub(super) source: Box<dyn PrivateSource>,
    pub(super) randomness: Randomness,
}

impl Plan for Mixed {
    fn model(&self) -> &'static str {
        "mixed"
    }

    fn terms(&self) -> &Terms {
        self.plan.terms()
    }

    fn guarantee(&self) -> Guarantee {
        self.plan.terms().exact_guarantee()
    }

    fn parts(&self) -> Vec<Part> {
        self.plan.split()
    }

    fn warning(&self) -> Option<Message> {
        self.plan.warning()
    }

    fn stages(&self) -> u64 {
        self.plan.stages()
    }

    fn method(&self, _: &[ColumnSchema]) -> Method {
        mixed_method(self.plan.measure_share())
    }

    fn mixed(&self) -> Option<&MixedPlan> {
        Some(&self.plan)
    }

    fn release(self: Box<Self>, progress: &dyn Progress) -> Result<Drawn, SynthesisError> {
        Ok(drawn(mixed::release(&*self.source, &self.plan, self.randomness, progress)?, None))
    }
}

/// Columns of any type, in a table whose rows are counted first, because their number is private.
pub(super) struct Counted {
    pub(super) terms: Terms,
    pub(super) schema: Schema,
    /// The plan for the requested number of rows, if one was given.
    pub(super) supposed: Option<MixedPlan>,
    pub(super) source: Box<dyn PrivateSource>,
    pub(super) randomness: Randomness,
}

impl Plan for Counted {
    fn model(&self) -> &'static str {
        "mixed"
    }

    fn terms(&self) -> &Terms {
        debug_assert_eq!(self.terms.neighbours, Neighbours::AddRemove);
        &self.terms
    }

    fn guarantee(&self) -> Guarantee {
        self.terms.exact_guarantee()
    }

    fn parts(&self) -> Vec<Part> {
        self.supposed.as_ref().map_or_else(|| self.terms.split_before_counting(), MixedPlan::split)
    }

    fn warning(&self) -> Option<Message> {
        self.supposed.as_ref().and_then(MixedPlan::warning)
    }

    fn stages(&self) -> u64 {
        self.terms.most_stages(&self.schema)
    }

    fn method(&self, _: &[ColumnSchema]) -> Method {
        mixed_method(0.0)
    }

    fn mixed(&self) -> Option<&MixedPlan> {
        self.supposed.as_ref()
    }

    fn release(self: Box<Self>, progress: &dyn Progress) -> Result<Drawn, SynthesisError> {
        let Self { terms, schema, source, randomness, .. } = *self;
        let (plan, released) = release_counted(&*source, terms, &schema, randomness, progress)?;
        Ok(drawn(released, Some(plan)))
    }
}
