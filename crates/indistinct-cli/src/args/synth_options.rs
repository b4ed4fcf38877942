//! The options of a release as the command has them.

use clap::Args;
use indistinct::normal::metropolis::PriorScale;
use indistinct::privacy::Neighbours;
use indistinct::quality::Quality;
use indistinct::synthesis::{
    CandidateDiscriminatorName, Modelling, RowEffect, SamplerName, SynthOptions, delta_of, epsilon_of,
    score_epsilon_of,
};
use indistinct::table::Invalid;
use indistinct_paper::release::{BoundsArg, MethodArg, MethodOptions};

use super::words::one_of;
use crate::failure::Failure;

/// Headings of options in help: those that few need, those of the normal model, and those of methods that it is compared with.
pub(crate) const MORE: &str = "More options";
/// See [`MORE`].
pub(crate) const NORMAL: &str = "Options of the normal model";
/// See [`MORE`].
pub(crate) const BASELINE: &str = "Options of comparison methods";

#[derive(Debug, Clone, Args)]
pub(crate) struct SynthArgs {
    /// Total privacy budget of everything the run publishes (required)
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub(crate) epsilon: Option<String>,
    /// Probability with which the guarantee may fail, such as 1e-6; 0 is pure differential privacy
    ///
    /// With a delta the steps of a release add up by zero-concentrated differential privacy, which leaves less noise where
    /// there are many of them: tables of four columns and more. Choose it far below one over the number of rows. Not for
    /// the random walk of the normal model, nor for comparison methods.
    #[arg(long, value_name = "D", default_value = "0", allow_hyphen_values = true)]
    pub(crate) delta: String,
    /// What becomes of cells that the schema does not allow: undeclared levels, and what is no number or date
    ///
    /// `refuse` ends the run and says where the first one is; whoever sees that a run ended so has learned that there is such a
    /// cell. With `missing` each becomes a missing value, as if it had been left empty, and nothing tells that there was one: every
    /// table is released. Numbers beyond declared limits are taken as the limit in either case.
    #[arg(long, value_parser = one_of::<Invalid>(), value_name = "WHAT", default_value = "refuse", help_heading = MORE)]
    pub(crate) invalid: Invalid,

    /// Between which tables the guarantee holds: those in which one row is another, or of which one has a row more
    ///
    /// With `add-remove` the number of rows is private: it is counted with noise first, with 2 % of the budget, and everything else
    /// follows from that. It is the relation of most other tools; epsilon between such tables is up to twice epsilon between tables in
    /// which one row is substituted. For tables of any columns (--model mixed, which it chooses).
    #[arg(long, value_parser = one_of::<Neighbours>(), value_name = "WHICH", default_value = "substitute")]
    pub(crate) neighbours: Neighbours,

    /// What the columns are modelled by
    #[arg(long, value_parser = one_of::<Modelling>(), default_value = "auto", help_heading = MORE)]
    pub(crate) model: Modelling,
    /// Quality function that candidates are compared by [default: pmae]
    #[arg(long, value_parser = one_of::<Quality>(), help_heading = NORMAL, hide = true)]
    pub(crate) quality: Option<Quality>,
    /// What finds the cells that candidates are judged by; cart carries no guarantee [default: partition]
    #[arg(long, value_parser = one_of::<CandidateDiscriminatorName>(), help_heading = NORMAL, hide = true)]
    pub(crate) discriminator: Option<CandidateDiscriminatorName>,
    /// What draws the parameters [default: zoom]
    #[arg(long, value_parser = one_of::<SamplerName>(), help_heading = NORMAL, hide = true)]
    pub(crate) sampler: Option<SamplerName>,
    /// Least part of the budget for noisy cell counts, to which the parameters are fitted; 0 is the exponential mechanism
    /// alone [default: 0.6, or less where finding the columns needs more; 0 with metropolis]
    #[arg(long, value_name = "S", allow_hyphen_values = true, help_heading = NORMAL, hide = true)]
    pub(crate) measure_share: Option<f64>,
    /// 1/(2n), or twice that as in the paper [default: tight]
    #[arg(long, value_parser = one_of::<RowEffect>(), help_heading = NORMAL, hide = true)]
    pub(crate) sensitivity: Option<RowEffect>,
    /// zoom: candidates of a joint stage [default: 2000; 500 with trees]
    #[arg(long, value_name = "K", help_heading = NORMAL, hide = true)]
    pub(crate) candidates: Option<usize>,
    /// metropolis: steps of each chain, a third of them burn-in [default: 30000; 3000 with trees]
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub(crate) steps: Option<usize>,
    /// metropolis: chains [default: 4]
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub(crate) chains: Option<usize>,
    /// metropolis: standard deviation of the prior of every parameter [default: 316.2, variance 100000]
    #[arg(long, value_name = "SD", allow_hyphen_values = true, help_heading = NORMAL, hide = true)]
    pub(crate) prior_sd: Option<f64>,
    /// metropolis: what the prior of a standard deviation is normal in [default: sd]
    #[arg(long, value_parser = one_of::<PriorScale>(), help_heading = NORMAL, hide = true)]
    pub(crate) prior_scale: Option<PriorScale>,
    /// metropolis with trees: new synthetic tables at every step, as in the paper; carries no guarantee
    #[arg(long, help_heading = NORMAL, hide = true)]
    pub(crate) fresh_tables: bool,
    /// optimal and cart: synthetic tables over which the quality of a candidate is averaged, as in the paper; each costs a
    /// tree, none costs privacy [default: 1]
    #[arg(long, value_name = "M", help_heading = NORMAL, hide = true)]
    pub(crate) sets: Option<u32>,
    /// optimal and cart: deepest level of a leaf [default: 2 for optimal, 30 for cart]
    #[arg(long, value_name = "D", help_heading = NORMAL, hide = true)]
    pub(crate) depth: Option<u32>,
    /// cart: complexity that a split must exceed [default: 0.01]
    #[arg(long, value_name = "CP", allow_hyphen_values = true, help_heading = NORMAL, hide = true)]
    pub(crate) cp: Option<f64>,
    /// cart: fewest rows of a node that may be split
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub(crate) minsplit: Option<u32>,
    /// cart: fewest rows of a leaf
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub(crate) minbucket: Option<u32>,
    /// The column that says whose row it is: the guarantee then is for persons, however many rows they have
    ///
    /// Rows with the same value in it are those of one person (numbers by value, anything else as it is spelled). Before anything
    /// else looks at the table, at most --rows-per-person of them are kept, chosen at random. The column itself is not
    /// released; a schema declares it an identifier, or not at all. How many rows were kept in all is public, how many there
    /// were is not told: with --rows-per-person above 1 that number is no secret of a person who has fewer rows. A row that does
    /// not say whose it is ends the run, or is left out with --invalid missing.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) person: Option<String>,
    /// The most rows that one person owns, or, with --person, that are kept of each: the guarantee then is for persons
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) rows_per_person: u32,

    /// The interval that each column lies in: `-40:40` for all columns, `x1=-40:40,x2=-20:20` for each by name, or `4sd` for
    /// four standard deviations around zero
    ///
    /// Rows outside are moved to the nearest end. Intervals must be known without looking at the private rows: nothing in
    /// the guarantee speaks of them. With `4sd` (or `2.5sd`, and so on) they are computed from the private rows, as in the
    /// paper's experiments, and the release carries no guarantee.
    #[arg(long, value_name = "BOUNDS", allow_hyphen_values = true, help_heading = BASELINE, hide = true)]
    pub(crate) bounds: Option<String>,
    /// smooth-histogram: intervals of each column; a table of q columns has N^q cells, of which there may be 16777216
    /// [default: 50]
    #[arg(long, value_name = "N", help_heading = BASELINE, hide = true)]
    pub(crate) bins: Option<usize>,

    /// Private draws of the parameters, epsilon/L each
    #[arg(long, value_name = "L", default_value_t = 1, help_heading = MORE)]
    pub(crate) draws: u32,
    /// Synthetic tables for each draw, at no further privacy cost
    #[arg(long, value_name = "M", default_value_t = 1)]
    pub(crate) tables: u32,
    /// Rows of each table [default: as many as the private table has, or as the noisy count of them says]
    #[arg(long, value_name = "N")]
    pub(crate) rows: Option<usize>,
    /// Part of E to spend on releasing the quality score
    #[arg(long, value_name = "Q", default_value = "0", allow_hyphen_values = true, help_heading = MORE)]
    pub(crate) score_epsilon: String,
}

impl SynthArgs {
    /// The same as options of a method, numbers being numbers.
    ///
    /// # Errors
    /// When a number is none.
    pub(crate) fn options(&self, method: MethodArg) -> Result<MethodOptions, Failure> {
        let mut synth = SynthOptions::default();
        synth.epsilon = self.epsilon.as_deref().map(epsilon_of).transpose()?;
        synth.delta = delta_of(&self.delta)?;
        synth.invalid = self.invalid;
        synth.neighbours = self.neighbours;
        synth.model = self.model;
        synth.quality = self.quality;
        synth.discriminator = self.discriminator;
        synth.sampler = self.sampler;
        synth.measure_share = self.measure_share;
        synth.sensitivity = self.sensitivity;
        synth.candidates = self.candidates;
        synth.steps = self.steps;
        synth.chains = self.chains;
        synth.prior_sd = self.prior_sd;
        synth.prior_scale = self.prior_scale;
        synth.fresh_tables = self.fresh_tables;
        synth.sets = self.sets;
        synth.depth = self.depth;
        synth.cp = self.cp;
        synth.minsplit = self.minsplit;
        synth.minbucket = self.minbucket;
        synth.person.clone_from(&self.person);
        synth.rows_per_person = self.rows_per_person;
        synth.draws = self.draws;
        synth.tables = self.tables;
        synth.rows = self.rows;
        synth.score_epsilon = score_epsilon_of(&self.score_epsilon)?;
        let bounds = self.bounds.as_deref().map(BoundsArg::parse).transpose()?;
        Ok(MethodOptions { method, bounds, bins: self.bins, synth })
    }
}
