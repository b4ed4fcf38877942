//! `evaluate`: a checked plan, the work, and what is shown of it.

mod page;
mod show;
mod tables;

pub use page::{page_path, write_page};
pub use show::as_text;
pub use tables::{Tables, read};

use indistinct::discriminator::cart::{self, CartOptions};
use indistinct::discriminator::logistic;
use indistinct::discriminator::optimal::{OptimalOptions, Thresholds};
use indistinct::discriminator::partition::PartitionParams;
use indistinct::evaluate::{
    Discriminator, Evaluation, EvaluationError, EvaluationOptions, FEWEST_SAMPLE_ROWS, PredictColumn,
    REPLICATES, SampleSize, distinguishability, evaluate,
};
use indistinct::progress::Progress;
use indistinct::quality::null::Reference;
use indistinct::quality::{Distinguishability, Quality};
use indistinct::random::Seed;
use indistinct::table::Table;

use crate::word::words;
use crate::{Failure, Word};

/// Evaluation is repeatable: without a seed it starts here.
const DEFAULT_SEED: u64 = 1;

/// An evaluation as it is asked for, not yet checked.
#[derive(Debug, Clone, Default)]
pub struct EvaluateOptions {
    /// Who judges.
    pub discriminator: DiscriminatorArg,

    /// Deepest level of a leaf [default: 30 for cart, 2 for optimal, 6 halvings for partition].
    pub depth: Option<u32>,
    /// cart: complexity that a split must exceed [default: 0.01].
    pub cp: Option<f64>,
    /// cart: fewest rows of a node that may be split [default: 20, or 3 times --minbucket if that is given].
    pub minsplit: Option<u32>,
    /// cart: fewest rows of a leaf [default: a third of --minsplit].
    pub minbucket: Option<u32>,
    /// cart: Gini splits and cp on misclassification, or sums of squares for both [default: class].
    pub method: Option<cart::Method>,
    /// optimal: thresholds per column, from quantiles of the synthetic table, or `all` (depth 1 and 2) [default: 32, or
    /// 16 at depth 3].
    pub thresholds: Option<Thresholds>,
    /// optimal: what the tree maximises [default: pmse].
    pub objective: Option<Quality>,
    /// optimal: what each leaf costs, in units of the objective [default: 0].
    pub leaf_penalty: Option<f64>,
    /// optimal: fewest synthetic rows of a leaf [default: 0].
    pub min_synthetic: Option<u32>,

    /// logistic: add all pairwise interactions.
    pub interactions: bool,

    /// How the pMSE of tables that are alike is found [default: permutation, analytic for logistic].
    pub null: Option<Null>,
    /// Which table has S_pMSE 1 [default: sample, fitted-model for logistic].
    pub null_reference: Option<Reference>,
    /// Replicates of the null [default: 50].
    pub replicates: Option<u64>,

    /// Also predict this column from all others: a forest trained on the synthetic rows and one trained on two thirds of the real
    /// rows are tested on the other third. Accuracy for classes, R2 for numbers.
    pub predict: Option<String>,

    /// Trees, forests and three-way distances see at most so many rows of each table, drawn at random [default: 1000000].
    pub sample: SampleSize,
}

/// Who judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiscriminatorArg {
    /// Greedy tree with the rules of R's rpart
    #[default]
    Cart,
    /// Globally optimal tree of depth 1, 2 or 3
    Optimal,
    /// Cells cut at medians of the synthetic table
    Partition,
    /// Logistic regression
    Logistic,
}

words!(DiscriminatorArg {
    "cart" => Cart: "Greedy tree with the rules of R's rpart",
    "optimal" => Optimal: "Globally optimal tree of depth 1, 2 or 3",
    "partition" => Partition: "Cells cut at medians of the synthetic table",
    "logistic" => Logistic: "Logistic regression",
});

/// How the pMSE of tables that are alike is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// Deal the stacked rows anew
    Permutation,
    /// Draw both tables from the real rows (not for cart)
    Bootstrap,
    /// In closed form (logistic only)
    Analytic,
    /// No null, no `S_pMSE`
    None,
}

words!(Null {
    "permutation" => Permutation: "Deal the stacked rows anew",
    "bootstrap" => Bootstrap: "Draw both tables from the real rows (not for cart)",
    "analytic" => Analytic: "In closed form (logistic only)",
    "none" => None: "No null, no S_pMSE",
});

impl EvaluateOptions {
    /// Turns what was typed into something that can run, or says why not.
    ///
    /// # Errors
    /// When options do not fit together, or are out of range.
    pub fn plan(&self, seed: Option<u64>) -> Result<EvaluationOptions, Failure> {
        use indistinct::evaluate::Null as Planned;
        self.refuse_foreign_options()?;
        let discriminator = self.judge()?;
        let null = match (self.null, self.discriminator) {
            (None, DiscriminatorArg::Logistic) | (Some(Null::Analytic), _) => Planned::Analytic,
            (None | Some(Null::Permutation), _) => Planned::Permutation,
            (Some(Null::Bootstrap), _) => Planned::Bootstrap,
            (Some(Null::None), _) => Planned::None,
        };
        let replicates = self.replicates.unwrap_or(REPLICATES);
        if !(2..=1_000_000).contains(&replicates) {
            return Err(Failure::usage("--replicates must be between 2 and 1000000")
                .advise("for no null distribution say --null none"));
        }
        let reference = self.null_reference;
        let seed = Seed(seed.unwrap_or(DEFAULT_SEED));
        if matches!(self.sample, SampleSize::AtMost(rows) if rows < FEWEST_SAMPLE_ROWS) {
            return Err(Failure::usage("--sample must be at least 2, or `all`").advise(
                "say how many rows of each table trees may see, as in --sample 100000, or --sample all",
            ));
        }
        let predict = self.predict.clone().map(|name| PredictColumn { name, declared: false });
        let sample = self.sample;
        let options = EvaluationOptions { discriminator, null, reference, replicates, seed, predict, sample };
        options.check().map_err(|error| Failure::usage(error).advise(error.advice()))?;
        Ok(options)
    }

    /// Who judges, with checked parameters.
    fn judge(&self) -> Result<Discriminator, Failure> {
        Ok(match self.discriminator {
            DiscriminatorArg::Cart => {
                let options = CartOptions {
                    method: self.method.unwrap_or_default(),
                    maxdepth: self.depth,
                    cp: self.cp,
                    minsplit: self.minsplit,
                    minbucket: self.minbucket,
                };
                Discriminator::Cart(options.check().map_err(Failure::usage)?)
            }
            DiscriminatorArg::Optimal => {
                let options = OptimalOptions {
                    depth: self.depth,
                    thresholds: self.thresholds,
                    quality: self.objective.unwrap_or_default(),
                    leaf_penalty: self.leaf_penalty.unwrap_or(0.0),
                    min_synthetic_mass: self.min_synthetic.unwrap_or(0),
                };
                Discriminator::Optimal(options.check().map_err(Failure::usage)?)
            }
            DiscriminatorArg::Partition => {
                let params = self.depth.map_or(Ok(PartitionParams::default()), PartitionParams::new);
                Discriminator::Partition(params.map_err(Failure::usage)?)
            }
            DiscriminatorArg::Logistic => Discriminator::Logistic(logistic::Options {
                interactions: self.interactions,
                ..logistic::Options::default()
            }),
        })
    }

    /// An option that the chosen discriminator would ignore is a mistake, not a wish.
    fn refuse_foreign_options(&self) -> Result<(), Failure> {
        let Self { depth, cp, minsplit, minbucket, method, thresholds, objective, .. } = self;
        let given: [(&str, bool, &[DiscriminatorArg]); 10] = [
            (
                "--depth",
                depth.is_some(),
                &[DiscriminatorArg::Cart, DiscriminatorArg::Optimal, DiscriminatorArg::Partition],
            ),
            ("--cp", cp.is_some(), &[DiscriminatorArg::Cart]),
            ("--minsplit", minsplit.is_some(), &[DiscriminatorArg::Cart]),
            ("--minbucket", minbucket.is_some(), &[DiscriminatorArg::Cart]),
            ("--method", method.is_some(), &[DiscriminatorArg::Cart]),
            ("--thresholds", thresholds.is_some(), &[DiscriminatorArg::Optimal]),
            ("--objective", objective.is_some(), &[DiscriminatorArg::Optimal]),
            ("--leaf-penalty", self.leaf_penalty.is_some(), &[DiscriminatorArg::Optimal]),
            ("--min-synthetic", self.min_synthetic.is_some(), &[DiscriminatorArg::Optimal]),
            ("--interactions", self.interactions, &[DiscriminatorArg::Logistic]),
        ];
        let judge = self.discriminator;
        match given.iter().find(|(_, given, judges)| *given && !judges.contains(&judge)) {
            None => Ok(()),
            Some((option, _, judges)) => {
                let names: Vec<&str> = judges.iter().map(|judge| judge.word()).collect();
                Err(Failure::usage(format!("{option} means nothing to --discriminator {}", judge.word()))
                    .advise(format!("leave it out, or choose --discriminator {}", names.join(" or "))))
            }
        }
    }
}

/// Thresholds as text: a number, or `all`.
///
/// # Errors
/// When it is neither.
pub fn thresholds(typed: &str) -> Result<Thresholds, Failure> {
    match (typed, typed.parse()) {
        ("all", _) => Ok(Thresholds::All),
        (_, Ok(count)) => Ok(Thresholds::Binned(count)),
        _ => Err(Failure::usage("--thresholds takes a number or `all`")),
    }
}

/// The size of a sample as text: a number of rows, or `all`.
///
/// # Errors
/// When it is neither.
pub fn sample_size(typed: &str) -> Result<SampleSize, Failure> {
    match (typed, typed.parse()) {
        ("all", _) => Ok(SampleSize::All),
        (_, Ok(rows)) => Ok(SampleSize::AtMost(rows)),
        _ => Err(Failure::usage("--sample takes a number of rows, or `all`")
            .advise("as in --sample 100000, or --sample all")),
    }
}

/// The evaluation.
///
/// # Errors
/// When the tables cannot be compared, the discriminator cannot judge them, a column cannot be predicted, or the work is
/// stopped.
pub fn run(
    tables: &Tables,
    options: &EvaluationOptions,
    progress: &dyn Progress,
) -> Result<Evaluation, Failure> {
    let mut options = options.clone();
    if let Some(predict) = &mut options.predict {
        predict.declared = tables.declared;
    }
    let evaluation = evaluate(&tables.real, &tables.synthetic, &options, progress);
    evaluation.map_err(|error| evaluation_failure(&error))
}

/// The headline numbers of one synthetic table alone, without columns, pairs, control and null: the same numbers,
/// sooner.
///
/// # Errors
/// When the tables cannot be compared, or the discriminator cannot judge them.
pub fn judged(
    real: &Table,
    synthetic: &Table,
    discriminator: &Discriminator,
) -> Result<Distinguishability, Failure> {
    distinguishability(real, synthetic, discriminator).map_err(|error| evaluation_failure(&error))
}

fn evaluation_failure(error: &EvaluationError) -> Failure {
    let failure = Failure::failed(error);
    match error {
        EvaluationError::Tables(_) => failure.advise(
            "compare tables with the same columns; a schema (indistinct schema) declares what the columns mean",
        ),
        EvaluationError::Judge(_) => {
            failure.advise("leave out --interactions, or judge with --discriminator cart")
        }
        EvaluationError::Null(error) => failure.advise(error.advice()),
        EvaluationError::Predict(error) => failure.advise(error.advice()),
        EvaluationError::Stopped => Failure::stopped(),
    }
}
