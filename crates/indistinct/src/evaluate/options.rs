//! The options of an evaluation as they are asked for, the words that they know, and their check.

use super::{Discriminator, EvaluateParams, FEWEST_SAMPLE_ROWS, Null, PredictColumn, REPLICATES, SampleSize};
use crate::discriminator::cart::{self, CartOptions};
use crate::discriminator::logistic;
use crate::discriminator::optimal::{OptimalOptions, Thresholds};
use crate::discriminator::partition::PartitionParams;
use crate::field::{Field, Message, OptionsError};
use crate::quality::Quality;
use crate::quality::null::Reference;
use crate::random::Seed;
use crate::word::Word;

/// Evaluation is repeatable: without a seed it starts here.
const DEFAULT_SEED: u64 = 1;

/// An evaluation as it is asked for, not yet checked.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct EvaluateOptions {
    /// The discriminator that judges the tables.
    pub discriminator: DiscriminatorName,

    /// Deepest level of a leaf [default: 30 for cart, 2 for optimal, 6 halvings for partition].
    pub depth: Option<u32>,
    /// cart: complexity that a split must exceed [default: 0.01].
    pub cp: Option<f64>,
    /// cart: fewest rows of a node that may be split [default: 20, or 3 times `minbucket` if that is given].
    pub minsplit: Option<u32>,
    /// cart: fewest rows of a leaf [default: a third of `minsplit`].
    pub minbucket: Option<u32>,
    /// cart: Gini splits and cp on misclassification, or sums of squares for both [default: class].
    pub method: Option<cart::CartMethod>,
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

    /// The null: how the pMSE of tables that are alike is found [default: permutation, analytic for logistic].
    pub null: Option<Null>,
    /// The reference: the table that has S_pMSE 1 [default: sample, fitted-model for logistic].
    pub null_reference: Option<Reference>,
    /// Replicates of the null [default: 50].
    pub replicates: Option<u64>,

    /// Also predict this column from all others: a forest trained on the synthetic rows and one trained on two thirds of the real
    /// rows are tested on the other third. Accuracy for classes, R2 for numbers.
    pub predict: Option<String>,

    /// Trees, forests and three-way distances see at most so many rows of each table, drawn at random [default: 1000000].
    pub sample: SampleSize,
}

/// The discriminator that judges the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiscriminatorName {
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

words!(DiscriminatorName {
    "cart" => Cart: "Greedy tree with the rules of R's rpart",
    "optimal" => Optimal: "Globally optimal tree of depth 1, 2 or 3",
    "partition" => Partition: "Cells cut at medians of the synthetic table",
    "logistic" => Logistic: "Logistic regression",
});

impl EvaluateOptions {
    /// Turns what was typed into something that can run, or says why not.
    ///
    /// # Errors
    /// When options do not fit together, or are out of range.
    pub fn plan(&self, seed: Option<u64>) -> Result<EvaluateParams, OptionsError> {
        self.refuse_foreign_options()?;
        let discriminator = self.judge()?;
        let null = match (self.null, self.discriminator) {
            (Some(null), _) => null,
            (None, DiscriminatorName::Logistic) => Null::Analytic,
            (None, _) => Null::Permutation,
        };
        let replicates = self.replicates.unwrap_or(REPLICATES);
        if !(2..=1_000_000).contains(&replicates) {
            let what = Message::of("{} must be between 2 and 1000000", [Field::Replicates.into()]);
            let advice = Message::of("for no null distribution say {} none", [Field::Null.into()]);
            return Err(OptionsError::new(Field::Replicates, what).advise(advice));
        }
        let reference = self.null_reference;
        let seed = Seed(seed.unwrap_or(DEFAULT_SEED));
        if matches!(self.sample, SampleSize::AtMost(rows) if rows < FEWEST_SAMPLE_ROWS) {
            let what = Message::of("{} must be at least 2, or `all`", [Field::Sample.into()]);
            let advice = Message::of(
                "say how many rows of each table trees may see, as in {} 100000, or {} all",
                [Field::Sample.into(), Field::Sample.into()],
            );
            return Err(OptionsError::new(Field::Sample, what).advise(advice));
        }
        let predict = self.predict.clone().map(|name| PredictColumn { name, declared: false });
        let sample = self.sample;
        let params = EvaluateParams { discriminator, null, reference, replicates, seed, predict, sample };
        params
            .check()
            .map_err(|error| OptionsError::new(error.field(), error.to_string()).advise(error.advice()))?;
        Ok(params)
    }

    /// The discriminator, with checked parameters.
    fn judge(&self) -> Result<Discriminator, OptionsError> {
        let wrong = |error: String| OptionsError::new(Field::Discriminator, error);
        Ok(match self.discriminator {
            DiscriminatorName::Cart => {
                let options = CartOptions {
                    method: self.method.unwrap_or_default(),
                    maxdepth: self.depth,
                    cp: self.cp,
                    minsplit: self.minsplit,
                    minbucket: self.minbucket,
                };
                Discriminator::Cart(options.check().map_err(|error| wrong(error.to_string()))?)
            }
            DiscriminatorName::Optimal => {
                let options = OptimalOptions {
                    depth: self.depth,
                    thresholds: self.thresholds,
                    quality: self.objective.unwrap_or_default(),
                    leaf_penalty: self.leaf_penalty.unwrap_or(0.0),
                    min_synthetic_mass: self.min_synthetic.unwrap_or(0),
                };
                Discriminator::Optimal(options.check().map_err(|error| wrong(error.to_string()))?)
            }
            DiscriminatorName::Partition => {
                let params = self.depth.map_or(Ok(PartitionParams::default()), PartitionParams::new);
                Discriminator::Partition(params.map_err(|error| wrong(error.to_string()))?)
            }
            DiscriminatorName::Logistic => Discriminator::Logistic(logistic::Options {
                interactions: self.interactions,
                ..logistic::Options::default()
            }),
        })
    }

    /// An option that the chosen discriminator would ignore is a mistake, not a wish.
    fn refuse_foreign_options(&self) -> Result<(), OptionsError> {
        let Self { depth, cp, minsplit, minbucket, method, thresholds, objective, .. } = self;
        let given: [(Field, bool, &[DiscriminatorName]); 10] = [
            (
                Field::Depth,
                depth.is_some(),
                &[DiscriminatorName::Cart, DiscriminatorName::Optimal, DiscriminatorName::Partition],
            ),
            (Field::Cp, cp.is_some(), &[DiscriminatorName::Cart]),
            (Field::Minsplit, minsplit.is_some(), &[DiscriminatorName::Cart]),
            (Field::Minbucket, minbucket.is_some(), &[DiscriminatorName::Cart]),
            (Field::Method, method.is_some(), &[DiscriminatorName::Cart]),
            (Field::Thresholds, thresholds.is_some(), &[DiscriminatorName::Optimal]),
            (Field::Objective, objective.is_some(), &[DiscriminatorName::Optimal]),
            (Field::LeafPenalty, self.leaf_penalty.is_some(), &[DiscriminatorName::Optimal]),
            (Field::MinSynthetic, self.min_synthetic.is_some(), &[DiscriminatorName::Optimal]),
            (Field::Interactions, self.interactions, &[DiscriminatorName::Logistic]),
        ];
        let judge = self.discriminator;
        match given.iter().find(|(_, given, judges)| *given && !judges.contains(&judge)) {
            None => Ok(()),
            Some((option, _, judges)) => {
                let names: Vec<&str> = judges.iter().map(|judge| judge.word()).collect();
                let what = Message::of(
                    "{} means nothing to {} {}",
                    [(*option).into(), Field::Discriminator.into(), judge.word().into()],
                );
                let advice = Message::of(
                    "leave it out, or choose {} {}",
                    [Field::Discriminator.into(), names.join(" or ").as_str().into()],
                );
                Err(OptionsError::new(*option, what).advise(advice))
            }
        }
    }
}

/// Thresholds as text: a number, or `all`.
///
/// # Errors
/// When it is neither.
pub fn thresholds_of(typed: &str) -> Result<Thresholds, OptionsError> {
    match (typed, typed.parse()) {
        ("all", _) => Ok(Thresholds::All),
        (_, Ok(count)) => Ok(Thresholds::Binned(count)),
        _ => Err(OptionsError::new(
            Field::Thresholds,
            Message::of("{} takes a number or `all`", [Field::Thresholds.into()]),
        )),
    }
}

/// The size of a sample as text: a number of rows, or `all`.
///
/// # Errors
/// When it is neither.
pub fn sample_size_of(typed: &str) -> Result<SampleSize, OptionsError> {
    match (typed, typed.parse()) {
        ("all", _) => Ok(SampleSize::All),
        (_, Ok(rows)) => Ok(SampleSize::AtMost(rows)),
        _ => Err(OptionsError::new(
            Field::Sample,
            Message::of("{} takes a number of rows, or `all`", [Field::Sample.into()]),
        )
        .advise(Message::of("as in {} 100000, or {} all", [Field::Sample.into(), Field::Sample.into()]))),
    }
}
