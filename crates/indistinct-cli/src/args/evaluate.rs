//! The options of an evaluation as the command has them.

use clap::Args;
use indistinct::discriminator::cart::CartMethod;
use indistinct::evaluate::{
    DiscriminatorName, EvaluateOptions, Null, SampleSize, sample_size_of, thresholds_of,
};
use indistinct::quality::Quality;
use indistinct::quality::null::Reference;

use super::words::one_of;
use crate::failure::Failure;

#[derive(Debug, Clone, Args)]
pub(crate) struct EvaluateArgs {
    /// The discriminator that judges the tables
    #[arg(long, value_parser = one_of::<DiscriminatorName>(), default_value = "cart")]
    pub(crate) discriminator: DiscriminatorName,

    /// Deepest level of a leaf [default: 30 for cart, 2 for optimal, 6 halvings for partition]
    #[arg(long, value_name = "D", help_heading = "Options of trees")]
    pub(crate) depth: Option<u32>,
    /// cart: complexity that a split must exceed [default: 0.01]
    #[arg(long, value_name = "CP", help_heading = "Options of trees", allow_negative_numbers = true)]
    pub(crate) cp: Option<f64>,
    /// cart: fewest rows of a node that may be split [default: 20, or 3 times --minbucket if that is given]
    #[arg(long, value_name = "N", help_heading = "Options of trees")]
    pub(crate) minsplit: Option<u32>,
    /// cart: fewest rows of a leaf [default: a third of --minsplit]
    #[arg(long, value_name = "N", help_heading = "Options of trees")]
    pub(crate) minbucket: Option<u32>,
    /// cart: Gini splits and cp on misclassification, or sums of squares for both [default: class]
    #[arg(long, value_parser = one_of::<CartMethod>(), value_name = "METHOD", help_heading = "Options of trees")]
    pub(crate) method: Option<CartMethod>,
    /// optimal: thresholds per column, from quantiles of the synthetic table, or `all` (depth 1 and 2) [default: 32, or
    /// 16 at depth 3]
    #[arg(long, value_name = "B", help_heading = "Options of trees")]
    pub(crate) thresholds: Option<String>,
    /// optimal: what the tree maximises [default: pmse]
    #[arg(long, value_parser = one_of::<Quality>(), value_name = "QUALITY", help_heading = "Options of trees")]
    pub(crate) objective: Option<Quality>,
    /// optimal: what each leaf costs, in units of the objective [default: 0]
    #[arg(long, value_name = "LAMBDA", help_heading = "Options of trees")]
    pub(crate) leaf_penalty: Option<f64>,
    /// optimal: fewest synthetic rows of a leaf [default: 0]
    #[arg(long, value_name = "N", help_heading = "Options of trees")]
    pub(crate) min_synthetic: Option<u32>,

    /// logistic: add all pairwise interactions
    #[arg(long, help_heading = "Options of the logistic model")]
    pub(crate) interactions: bool,

    /// How the pMSE of tables that are alike is found [default: permutation, analytic for logistic]
    #[arg(long, value_parser = one_of::<Null>(), help_heading = "Null distribution")]
    pub(crate) null: Option<Null>,
    /// Which table has S_pMSE 1 [default: sample, fitted-model for logistic]
    #[arg(long, value_parser = one_of::<Reference>(), value_name = "REFERENCE", help_heading = "Null distribution")]
    pub(crate) null_reference: Option<Reference>,
    /// Replicates of the null [default: 50]
    #[arg(long, value_name = "N", help_heading = "Null distribution")]
    pub(crate) replicates: Option<u64>,

    /// Also predict this column from all others: a forest trained on the synthetic rows and one trained on two thirds of the real
    /// rows are tested on the other third. Accuracy for classes, R2 for numbers
    #[arg(long, value_name = "COLUMN", help_heading = "Prediction")]
    pub(crate) predict: Option<String>,

    /// Of tables with more than N rows, let trees, their null, forests and three-way distances see N rows drawn at
    /// random; `all` for all rows. One-way and two-way distances always count all rows [default: 1000000]
    #[arg(long, value_name = "N", help_heading = "Size")]
    pub(crate) sample: Option<String>,
}

impl EvaluateArgs {
    /// The same with thresholds and the size of a sample as numbers.
    ///
    /// # Errors
    /// When they are none.
    pub(crate) fn options(&self) -> Result<EvaluateOptions, Failure> {
        let mut options = EvaluateOptions::default();
        options.discriminator = self.discriminator;
        options.depth = self.depth;
        options.cp = self.cp;
        options.minsplit = self.minsplit;
        options.minbucket = self.minbucket;
        options.method = self.method;
        options.thresholds = self.thresholds.as_deref().map(thresholds_of).transpose()?;
        options.objective = self.objective;
        options.leaf_penalty = self.leaf_penalty;
        options.min_synthetic = self.min_synthetic;
        options.interactions = self.interactions;
        options.null = self.null;
        options.null_reference = self.null_reference;
        options.replicates = self.replicates;
        options.predict.clone_from(&self.predict);
        options.sample = self.sample.as_deref().map_or(Ok(SampleSize::default()), sample_size_of)?;
        Ok(options)
    }
}
