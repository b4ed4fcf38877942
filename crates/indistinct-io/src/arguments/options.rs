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
    let default = SynthOptions::default();
    Ok(SynthOptions {
        epsilon: given.parsed("epsilon", epsilon_of)?,
        delta: given.parsed("delta", delta_of)?.unwrap_or(default.delta),
        model: given.word("model")?.unwrap_or(default.model),
        quality: given.word("quality")?,
        discriminator: given.word("discriminator")?,
        sampler: given.word("sampler")?,
        measure_share: given.real("measure_share")?,
        sensitivity: given.word("sensitivity")?,
        candidates: given.count("candidates")?,
        steps: given.count("steps")?,
        chains: given.count("chains")?,
        prior_sd: given.real("prior_sd")?,
        prior_scale: given.word("prior_scale")?,
        fresh_tables: given.truth("fresh_tables")?.unwrap_or(default.fresh_tables),
        sets: given.count("sets")?,
        depth: given.count("depth")?,
        cp: given.real("cp")?,
        minsplit: given.count("minsplit")?,
        minbucket: given.count("minbucket")?,
        invalid: given.word("invalid")?.unwrap_or(default.invalid),
        neighbours: given.word("neighbours")?.unwrap_or(default.neighbours),
        person: given.text("person")?,
        rows_per_person: given.count("rows_per_person")?.unwrap_or(default.rows_per_person),
        draws: given.count("draws")?.unwrap_or(default.draws),
        tables: given.count("tables")?.unwrap_or(default.tables),
        rows: given.count("rows")?,
        score_epsilon: given.parsed("score_epsilon", score_epsilon_of)?.unwrap_or(default.score_epsilon),
    })
}

/// The options of an evaluation.
///
/// # Errors
/// When an argument is not what its option takes.
pub fn evaluate_options(given: &impl Arguments) -> Result<EvaluateOptions, Failure> {
    let default = EvaluateOptions::default();
    Ok(EvaluateOptions {
        discriminator: given.word("discriminator")?.unwrap_or(default.discriminator),
        depth: given.count("depth")?,
        cp: given.real("cp")?,
        minsplit: given.count("minsplit")?,
        minbucket: given.count("minbucket")?,
        method: given.word("method")?,
        thresholds: given.count_or_word("thresholds", thresholds_of)?,
        objective: given.word("objective")?,
        leaf_penalty: given.real("leaf_penalty")?,
        min_synthetic: given.count("min_synthetic")?,
        interactions: given.truth("interactions")?.unwrap_or(default.interactions),
        null: given.word("null")?,
        null_reference: given.word("null_reference")?,
        replicates: given.count("replicates")?,
        predict: given.text("predict")?,
        sample: given.count_or_word("sample", sample_size_of)?.unwrap_or(default.sample),
    })
}

/// The options of a regression over synthetic tables.
///
/// # Errors
/// When an argument is not what its option takes.
pub fn combine_options(given: &impl Arguments) -> Result<CombineOptions, Failure> {
    let default = CombineOptions::default();
    Ok(CombineOptions {
        rule: given.word("rule")?,
        target: given.word("target")?.unwrap_or(default.target),
        n: given.count("n")?,
        draws: given.count("draws")?,
        epsilon: given.real("epsilon")?,
        efficiency: given.real("efficiency")?,
        level: given.real("level")?.unwrap_or(default.level),
    })
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
