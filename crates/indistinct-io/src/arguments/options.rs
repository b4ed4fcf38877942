//! The options of `synth`, `evaluate`, `combine` and `interval` from named arguments.

use indistinct::combine::CombineOptions;
use indistinct::evaluate::{EvaluateOptions, sample_size_of, thresholds_of};
use indistinct::interval::DEFAULT_REPLICATES;
use indistinct::synthesis::{SynthOptions, delta_of, epsilon_of, score_epsilon_of};

use super::Arguments;
use crate::Failure;
use crate::combine::RehearsedOptions;
use crate::interval::{DEFAULT_LEVEL, IntervalOptions};

/// The options of a release.
///
/// # Errors
/// When an argument is not what its option takes.
pub fn synth_options(given: &impl Arguments) -> Result<SynthOptions, Failure> {
    let mut options = SynthOptions::default();
    options.epsilon = given.parsed("epsilon", epsilon_of)?;
    options.delta = given.parsed("delta", delta_of)?.unwrap_or(options.delta);
    options.model = given.word("model")?.unwrap_or(options.model);
    options.quality = given.word("quality")?;
    options.discriminator = given.word("discriminator")?;
    options.sampler = given.word("sampler")?;
    options.measure_share = given.real("measure_share")?;
    options.sensitivity = given.word("sensitivity")?;
    options.candidates = given.count("candidates")?;
    options.steps = given.count("steps")?;
    options.chains = given.count("chains")?;
    options.prior_sd = given.real("prior_sd")?;
    options.prior_scale = given.word("prior_scale")?;
    options.fresh_tables = given.truth("fresh_tables")?.unwrap_or(options.fresh_tables);
    options.sets = given.count("sets")?;
    options.depth = given.count("depth")?;
    options.cp = given.real("cp")?;
    options.minsplit = given.count("minsplit")?;
    options.minbucket = given.count("minbucket")?;
    options.invalid = given.word("invalid")?.unwrap_or(options.invalid);
    options.neighbours = given.word("neighbours")?.unwrap_or(options.neighbours);
    options.person = given.text("person")?;
    options.rows_per_person = given.count("rows_per_person")?.unwrap_or(options.rows_per_person);
    options.draws = given.count("draws")?.unwrap_or(options.draws);
    options.tables = given.count("tables")?.unwrap_or(options.tables);
    options.rows = given.count("rows")?;
    options.score_epsilon = given.parsed("score_epsilon", score_epsilon_of)?.unwrap_or(options.score_epsilon);
    Ok(options)
}

/// The options of an evaluation.
///
/// # Errors
/// When an argument is not what its option takes.
pub fn evaluate_options(given: &impl Arguments) -> Result<EvaluateOptions, Failure> {
    let mut options = EvaluateOptions::default();
    options.discriminator = given.word("discriminator")?.unwrap_or(options.discriminator);
    options.depth = given.count("depth")?;
    options.cp = given.real("cp")?;
    options.minsplit = given.count("minsplit")?;
    options.minbucket = given.count("minbucket")?;
    options.method = given.word("method")?;
    options.thresholds = given.count_or_word("thresholds", thresholds_of)?;
    options.objective = given.word("objective")?;
    options.leaf_penalty = given.real("leaf_penalty")?;
    options.min_synthetic = given.count("min_synthetic")?;
    options.interactions = given.truth("interactions")?.unwrap_or(options.interactions);
    options.null = given.word("null")?;
    options.null_reference = given.word("null_reference")?;
    options.replicates = given.count("replicates")?;
    options.predict = given.text("predict")?;
    options.sample = given.count_or_word("sample", sample_size_of)?.unwrap_or(options.sample);
    Ok(options)
}

/// The options of a regression over synthetic tables.
///
/// # Errors
/// When an argument is not what its option takes.
pub fn combine_options(given: &impl Arguments) -> Result<CombineOptions, Failure> {
    let mut options = CombineOptions::default();
    options.rule = given.word("rule")?;
    options.target = given.word("target")?.unwrap_or(options.target);
    options.n = given.count("n")?;
    options.draws = given.count("draws")?;
    options.epsilon = given.real("epsilon")?;
    options.efficiency = given.real("efficiency")?;
    options.level = given.real("level")?.unwrap_or(options.level);
    Ok(options)
}

/// The rehearsals of a regression, if its errors come from rehearsals.
///
/// # Errors
/// When an argument is not what its option takes.
pub fn rehearsed_options(given: &impl Arguments) -> Result<Option<RehearsedOptions>, Failure> {
    let options = RehearsedOptions {
        replicates: given.count("replicates")?.unwrap_or(DEFAULT_REPLICATES),
        seed: given.count("seed")?.unwrap_or_default(),
    };
    Ok(given.truth("rehearse")?.unwrap_or(false).then_some(options))
}

/// The options of error bars.
///
/// # Errors
/// When an argument is not what its option takes.
pub fn interval_options(given: &impl Arguments) -> Result<IntervalOptions, Failure> {
    Ok(IntervalOptions {
        replicates: given.count("replicates")?.unwrap_or(DEFAULT_REPLICATES),
        level: given.real("level")?.unwrap_or(DEFAULT_LEVEL),
        of: given.word("of")?.unwrap_or_default(),
        seed: given.count("seed")?.unwrap_or_default(),
    })
}
