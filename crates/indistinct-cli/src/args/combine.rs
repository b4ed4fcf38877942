//! `indistinct combine` as typed.

use std::path::PathBuf;

use clap::Args;
use indistinct::combine::Target;
use indistinct::combine::{CombineOptions, DEFAULT_LEVEL, RuleName};
use indistinct::interval::DEFAULT_REPLICATES;

use super::words::one_of;

/// Regression over synthetic tables, with standard errors that fit how the tables were made
///
/// Fits the formula to every table by ordinary least squares (R's lm, digit for digit), averages the coefficients, and
/// combines their variances by a rule. Standard errors of a synthetic table taken for real ones are too small: the
/// synthetic rows say no more than the original ones did, and less if privacy noise was added.
///
/// A release folder (what `indistinct synth --out` made) says all that the rule needs: give the folder, and the rule
/// includes the noise of the mechanism where its size is known. Where it is not, there are estimates without standard
/// errors; several draws (`indistinct synth --draws`) show their noise. For other tables the rule is `raab` unless one is chosen,
/// and the original table is taken to be as large as the synthetic ones unless --n says otherwise.
///
/// FORMULAS are R's: `y ~ x + z`, `.` for all other columns, `- x` to leave one out, `x:z` for an interaction, `x*z` for
/// x + z + x:z, `log(x)`, `C(x)` for whole numbers as categories, `- 1` for no intercept, and back quotes around names
/// with odd characters. The response is a number, its logarithm, or a boolean as 0 and 1. Categories are compared with
/// their first level that occurs (ordered ones too, where R would use polynomials). Rows with a missing value in a
/// column of the formula are left out.
#[derive(Debug, Args)]
#[command(after_long_help = RULES_AND_EXAMPLES)]
pub(crate) struct Combine {
    /// A release folder, or synthetic tables: .csv, .csv.gz, .tsv, .parquet, .arrow, .feather, or - for CSV on standard
    /// input
    #[arg(value_name = "SYNTHETIC", required = true)]
    pub(crate) synthetic: Vec<PathBuf>,
    /// The regression, as in R: "y ~ x + z"
    #[arg(long, value_name = "FORMULA")]
    pub(crate) formula: String,
    /// What the columns mean [default: the release's own schema; without one a column whose values are all numbers in
    /// all tables is numeric, any other categorical]
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,

    /// Standard errors by rehearsals of a release, in the place of a rule: they show all of its noise, whatever its model. Also
    /// for logistic regression: --formula "logit(y ~ x)"
    #[arg(long, help_heading = "Inference")]
    pub(crate) rehearse: bool,
    /// How many rehearsals
    #[arg(long, value_name = "B", default_value_t = DEFAULT_REPLICATES, requires = "rehearse", help_heading = "Inference")]
    pub(crate) replicates: usize,

    #[command(flatten)]
    pub(crate) options: CombineArgs,
}

/// Options of the inference.
#[derive(Debug, Clone, Args)]
pub(crate) struct CombineArgs {
    /// How variances are combined [default: what the release was made by, none where that is one draw with noise of unknown
    /// size; raab for other tables, private-draws if --draws is given, private-draw if --epsilon is]
    #[arg(long, value_parser = one_of::<RuleName>(), value_name = "RULE", help_heading = "Inference")]
    pub(crate) rule: Option<RuleName>,
    /// What the intervals are for
    #[arg(long, value_parser = one_of::<Target>(), default_value = "population", help_heading = "Inference")]
    pub(crate) target: Target,
    /// Rows of the original table [default: the release's; as many as a synthetic table has]
    #[arg(long, value_name = "N", help_heading = "Inference")]
    pub(crate) n: Option<usize>,
    /// private-draws: private draws that the tables come from, in order, as many tables from each
    #[arg(long, value_name = "L", help_heading = "Inference")]
    pub(crate) draws: Option<usize>,
    /// private-draw: epsilon of the draw
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Inference")]
    pub(crate) epsilon: Option<f64>,
    /// private-draw: information that the mechanism's cells keep, relative to the rows [default: 1]
    #[arg(long, value_name = "F", allow_hyphen_values = true, help_heading = "Inference")]
    pub(crate) efficiency: Option<f64>,
    /// Probability that an interval is to have
    #[arg(
        long,
        value_name = "P",
        default_value_t = DEFAULT_LEVEL,
        allow_hyphen_values = true,
        help_heading = "Inference"
    )]
    pub(crate) level: f64,
}

impl CombineArgs {
    /// The same as options.
    pub(crate) fn options(&self) -> CombineOptions {
        let Self { rule, target, n, draws, epsilon, efficiency, level } = *self;
        let mut options = CombineOptions::default();
        options.rule = rule;
        options.target = target;
        options.n = n;
        options.draws = draws;
        options.epsilon = epsilon;
        options.efficiency = efficiency;
        options.level = level;
        options
    }
}

const RULES_AND_EXAMPLES: &str = "\
Rules, with k rows in each of m synthetic tables and n in the original one; v is the mean of the
tables' variances, b the variance of their estimates:
  raab            v (k/n + 1/m)
                  all columns synthesised from parameters that were fitted once
  raab-posterior  v (k/n + (1 + k/n)/m)
                  from parameters that were drawn from their posterior, anew for every table
  reiter          v + b/m
                  some values of the original table replaced, and k = n
  private-draws   v k/n + e + b/l
                  l private draws of the parameters, b being the variance of the draws' means and
                  e what fitting cells instead of rows loses (known for normal releases only)
  private-draw    v (k/n (1 + 8/epsilon)/efficiency + 1/m)
                  one draw of the exponential mechanism with pMSE, approximately
  private-counts  v (k/n + 1/m) + w
                  one draw fitted to noisy counts; w is their noise, carried over to the coefficients
                  (for releases only)
  none            estimates without standard errors: one draw with noise of unknown size, as of
                  tables of any columns
With --target original v k/n (with reiter, v) is subtracted.

Examples:
  indistinct combine release --formula \"weight ~ height + sex\"
  indistinct combine release --formula \"log(income) ~ age * sex + C(region)\" --target original
  indistinct combine release --formula \"log(income) ~ age * sex\" --rehearse
  indistinct combine release --formula \"logit(smoker ~ age + sex)\" --rehearse --replicates 200
  indistinct combine synthetic-*.csv --formula \"y ~ . - id\" --n 5000
  indistinct combine synthetic-*.csv --formula \"y ~ x\" --rule reiter --level 0.9
  indistinct synth private.csv --epsilon 5 --draws 5 --tables 2
  indistinct combine release --formula \"y ~ x\" --json | jq '.coefficients[] | {name, low, high}'";
