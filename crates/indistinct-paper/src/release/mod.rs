//! Releases by comparison methods: what was asked for, what is planned, and the release.
//!
//! [`MethodOptions::check`] gives what [`SynthOptions::check`](indistinct::synthesis::SynthOptions::check) gives, so that
//! everything after it is the same for every method.

mod bounds;
mod options;

pub use bounds::BoundsArg;
pub use options::{MethodArg, MethodOptions};

use std::num::NonZeroU32;

use indistinct::model::SequentialNormal;
use indistinct::privacy::{BoundsSource, Budget, Comparison, Epsilon, Guarantee, Neighbours, Randomness};
use indistinct::private::PrivateRows;
use indistinct::progress::{Progress, done};
use indistinct::random::Seed;
use indistinct::synthesis::{
    CheckedMethod, CheckedOptions, Drawn, DrawnRows, Method, MethodInput, Model, Modelling, Plan,
    SynthOptions, SynthesisError,
};
use indistinct::table::{ColumnSchema, Invalid};
use indistinct::{FEWEST_ROWS, Message, Part, Terms, TermsError, Word};
use indistinct_io::Failure;
use indistinct_io::synth::terms_failure;

use crate::baseline::noisy_bayes::{self, Repair};
use crate::baseline::smooth_histogram::{self, Smoothing};
use crate::baseline::{BaselineError, Bounds, posterior_predictive};
use bounds::NamedColumns;

/// Intervals of a column that fit the published figures.
const BINS: usize = 50;

/// A comparison method as asked for.
struct Checked {
    method: Asking,
    name: &'static str,
    terms: Terms,
    rows: Option<usize>,
    rows_per_person: NonZeroU32,
}

/// The method and what it needs.
enum Asking {
    Posterior,
    Bayes(Repair, BoundsArg),
    Histogram(Smoothing, BoundsArg, usize),
}

/// One that fits the table, with the budget that it will spend.
struct Planned {
    checked: Checked,
    private: PrivateRows,
    method: Work,
    computed: bool,
    per_draw: Epsilon,
    rows: usize,
    budget: Budget,
}

enum Work {
    Posterior,
    Bayes(Repair, Bounds),
    Histogram(smooth_histogram::Options, Bounds),
}

impl MethodOptions {
    /// Turns what was asked for into something that can be planned, or says why not.
    ///
    /// # Errors
    /// When options do not fit together, or are out of range.
    pub fn check(&self) -> Result<CheckedOptions, Failure> {
        Ok(match self.comparison()? {
            None => self.synth.check()?,
            Some(comparison) => self.synth.check_with(Box::new(comparison))?,
        })
    }

    /// The comparison method that was asked for, if one was.
    fn comparison(&self) -> Result<Option<Checked>, Failure> {
        let Self { synth, method, .. } = self;
        let name = method.word();
        let needs_bounds = || {
            match &self.bounds {
            Some(bounds) => Ok(bounds.clone()),
            None => Err(Failure::usage(format!("{name} needs --bounds")).advise(
                "say which interval each column lies in, as in --bounds -40:40 or --bounds x1=-40:40,x2=-20:20",
            )),
        }
        };
        let bins = self.bins.unwrap_or(BINS);
        let method = match method {
            MethodArg::Pmse => {
                refuse(&[("--bounds", self.bounds.is_some()), ("--bins", self.bins.is_some())], name)?;
                return Ok(None);
            }
            MethodArg::Functional | MethodArg::KNorm => {
                return Err(Failure::usage(format!(
                    "{name} gives regression coefficients only, and no table"
                ))
                .advise("it is in the library indistinct-paper; choose another method for a table"));
            }
            MethodArg::PosteriorPredictive => {
                refuse(&[("--bounds", self.bounds.is_some())], name)?;
                Asking::Posterior
            }
            MethodArg::NoisyBayes => Asking::Bayes(Repair::Projected, needs_bounds()?),
            MethodArg::NoisyBayesFloored => Asking::Bayes(Repair::Floored, needs_bounds()?),
            MethodArg::SmoothHistogram => Asking::Histogram(Smoothing::Printed, needs_bounds()?, bins),
            MethodArg::SmoothHistogramMatching => {
                Asking::Histogram(Smoothing::Matching, needs_bounds()?, bins)
            }
        };
        if !matches!(method, Asking::Histogram(..)) {
            refuse(&[("--bins", self.bins.is_some())], name)?;
        }
        refuse_foreign_options(synth, name)?;
        let terms = synth.terms()?;
        let rows_per_person = terms.checked_rows_per_person().map_err(|error| terms_failure(&error))?;
        Ok(Some(Checked { method, name, terms, rows: synth.rows, rows_per_person }))
    }
}

/// Options of the mechanism that mean nothing to any comparison method.
fn refuse_foreign_options(synth: &SynthOptions, method: &str) -> Result<(), Failure> {
    if let Some(option) = synth.normal_only() {
        refuse(&[(&option.flag(), true)], method)?;
    }
    let other = [
        ("--score-epsilon", !synth.score_epsilon.is_zero()),
        ("--delta", !synth.delta.is_zero()),
        ("--model", synth.model != Modelling::Auto),
        ("--invalid missing", synth.invalid == Invalid::Missing),
        ("--neighbours add-remove", synth.neighbours == Neighbours::AddRemove),
    ];
    refuse(&other, method)
}

/// Options that mean nothing to a method, of which none may be given.
fn refuse(options: &[(&str, bool)], method: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::usage(format!("{option} means nothing to {method}"))
            .advise("leave it out, or choose another method")),
    }
}

impl Checked {
    /// The reason why nothing is promised, where what was typed says so.
    fn unprotected(&self) -> Option<&'static str> {
        match &self.method {
            Asking::Posterior => Some("this method reads the private rows without noise"),
            Asking::Bayes(_, typed) | Asking::Histogram(_, typed, _) if typed.are_computed() => {
                Some("the bounds are computed from the private rows")
            }
            Asking::Histogram(Smoothing::Matching, ..) => Some("this smoothing is not private at epsilon"),
            Asking::Bayes(..) | Asking::Histogram(Smoothing::Printed, ..) => None,
        }
    }

    fn planned(self, input: MethodInput<'_>) -> Result<Planned, Failure> {
        let MethodInput { rows, schema, places, randomness } = input;
        let columns = schema.columns();
        let named = NamedColumns { columns, places };
        if rows.rows() < FEWEST_ROWS {
            return Err(terms_failure(&TermsError::TooFewRows(rows.rows())));
        }
        let mut budget = Budget::new(self.terms.epsilon, self.rows_per_person, randomness);
        let drawn = self.rows.unwrap_or(rows.rows());
        let (method, computed) = match &self.method {
            Asking::Posterior => {
                self.try_posterior(&rows, named)?;
                (Work::Posterior, false)
            }
            Asking::Bayes(repair, typed) => {
                (Work::Bayes(*repair, typed.of_columns(&rows, named, &mut budget)?), typed.are_computed())
            }
            Asking::Histogram(smoothing, typed, bins) => {
                if !schema.constraints().is_empty() {
                    return Err(Failure::failed(
                        "a smooth histogram pays for every row it draws: it cannot reject rows that break constraints",
                    )
                    .advise("remove the constraints from the schema, or use another method"));
                }
                let rows_of_a_draw = drawn.saturating_mul(self.terms.tables as usize);
                let options =
                    smooth_histogram::Options { bins: *bins, smoothing: *smoothing, rows: rows_of_a_draw };
                smooth_histogram::check(columns.len(), &options).map_err(|error| failure(&error))?;
                (Work::Histogram(options, typed.of_columns(&rows, named, &mut budget)?), typed.are_computed())
            }
        };
        let per_draw = budget.remaining().divided_by(u64::from(self.terms.draws));
        if per_draw.divided_by(u64::from(self.rows_per_person.get())).is_zero() {
            return Err(Failure::usage(
                "--epsilon is too small to be divided by --draws and --rows-per-person",
            )
            .advise("raise --epsilon"));
        }
        Ok(Planned { checked: self, private: rows, method, computed, per_draw, rows: drawn, budget })
    }

    /// A posterior that does not exist is found out before anything is charged: this method promises nothing anyway.
    fn try_posterior(&self, rows: &PrivateRows, named: NamedColumns<'_>) -> Result<(), Failure> {
        let mut scratch = Budget::new(self.terms.epsilon, self.rows_per_person, Randomness::seeded(Seed(0)));
        posterior_predictive::draw(rows, &mut scratch, &mut Seed(0).stream(0)).map(|_| ()).map_err(|error| {
            match error {
                BaselineError::Determined(column) => {
                    determined(&(named.places)(named.columns[column].name()))
                }
                error => failure(&error),
            }
        })
    }
}

impl CheckedMethod for Checked {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn guarantee(&self) -> Guarantee {
        match self.unprotected() {
            None => Guarantee::Pure { epsilon: self.terms.epsilon },
            Some(why) => Guarantee::None { because: vec![why.to_owned()] },
        }
    }

    fn plan(self: Box<Self>, input: MethodInput<'_>) -> Result<Box<dyn Plan>, SynthesisError> {
        // Front ends show the failure as it is.
        let planned = self.planned(input).map_err(|failure| SynthesisError::Other(Box::new(failure)))?;
        Ok(Box::new(planned))
    }
}

impl Planned {
    /// The entry of the certificate about the method.
    fn certificate_entry(&self, columns: &[ColumnSchema]) -> Comparison {
        let (bounds, bins) = match &self.method {
            Work::Posterior => (None, None),
            Work::Bayes(_, bounds) => (Some(bounds), None),
            Work::Histogram(options, bounds) => (Some(bounds), Some(options.bins as u64)),
        };
        let source = if self.computed { BoundsSource::Computed } else { BoundsSource::User };
        Comparison {
            method: self.checked.name.to_owned(),
            bounds: bounds.map(|bounds| bounds::certificate_entry(bounds, columns)).unwrap_or_default(),
            bounds_source: bounds.map(|_| source),
            bins,
        }
    }
}

impl Plan for Planned {
    fn model(&self) -> &'static str {
        "normal"
    }

    fn terms(&self) -> &Terms {
        &self.checked.terms
    }

    fn guarantee(&self) -> Guarantee {
        self.checked.guarantee()
    }

    fn parts(&self) -> Vec<Part> {
        vec![Part { step: self.checked.name.to_owned(), share: 1.0, noise_sd: None }]
    }

    /// A warning that nothing is promised, where what was typed says so.
    fn warning(&self) -> Option<Message> {
        let why = self.checked.unprotected()?;
        Some(format!("{why}: the release carries no guarantee, and must not be published").into())
    }

    fn stages(&self) -> u64 {
        u64::from(self.checked.terms.draws)
    }

    fn method(&self, columns: &[ColumnSchema]) -> Method {
        Method {
            quality: "none",
            discriminator: "none",
            sampler: self.checked.name.to_owned(),
            measure_share: 0.0,
            sensitivity: "tight",
            comparison: Some(self.certificate_entry(columns)),
        }
    }

    fn release(mut self: Box<Self>, progress: &dyn Progress) -> Result<Drawn, SynthesisError> {
        let failure = |error: BaselineError| SynthesisError::Other(Box::new(failure(&error)));
        let (mut models, mut tables): (Vec<SequentialNormal>, Vec<Vec<Vec<f64>>>) = (Vec::new(), Vec::new());
        for draw in 0..self.checked.terms.draws {
            let mut random = self.budget.public_stream(u64::from(draw));
            let (rows, budget, epsilon) = (&self.private, &mut self.budget, self.per_draw);
            match &self.method {
                Work::Posterior => {
                    models.push(posterior_predictive::draw(rows, budget, &mut random).map_err(failure)?);
                }
                Work::Bayes(repair, bounds) => {
                    let drawn = noisy_bayes::draw(rows, bounds, *repair, budget, epsilon, &mut random);
                    models.push(drawn.map_err(failure)?);
                }
                Work::Histogram(options, bounds) => {
                    let drawn =
                        smooth_histogram::simulate(rows, bounds, options, budget, epsilon, &mut random);
                    let drawn = drawn.map_err(failure)?;
                    tables.extend((0..self.checked.terms.tables as usize).map(|table| {
                        let part = table * self.rows..(table + 1) * self.rows;
                        drawn.iter().map(|column| column[part.clone()].to_vec()).collect::<Vec<Vec<f64>>>()
                    }));
                }
            }
            done(progress)?;
        }
        let rows = if tables.is_empty() {
            DrawnRows::Models(models.into_iter().map(Model::Normal).collect())
        } else {
            DrawnRows::Tables(tables)
        };
        Ok(Drawn {
            rows,
            diagnostics: Vec::new(),
            score: None,
            budget: self.budget,
            counted: None,
            doubtful: Vec::new(),
        })
    }
}

/// The failure of a method that has no posterior because of this column.
fn determined(column: &str) -> Failure {
    Failure::failed(format!("{column} is constant, or determined by the columns before it"))
        .advise("leave the column out: declare it `type = \"identifier\"` in a schema")
}

/// The failure of a method that cannot be used, with advice.
fn failure(error: &BaselineError) -> Failure {
    let advice = match error {
        BaselineError::TooManyCells { columns, most, .. } => {
            let fits = (1..).take_while(|bins: &usize| {
                bins.checked_pow(*columns as u32).is_some_and(|cells| cells <= *most)
            });
            format!(
                "at most {} --bins fit so many columns; or release fewer columns",
                fits.last().unwrap_or(1)
            )
        }
        BaselineError::NoBins => {
            return Failure::usage(error).advise("leave --bins out, or give a number such as 50");
        }
        BaselineError::Determined(column) => return determined(&format!("column {}", column + 1)),
        BaselineError::TooFewRows { .. } => "use a longer table".to_owned(),
        _ => "raise --epsilon".to_owned(),
    };
    Failure::failed(error).advise(advice)
}
