//! From options to the terms of a release and the settings of the normal model.

use super::{CandidateDiscriminatorName, RowEffect, SamplerName, SynthOptions};
use crate::discriminator::cart::CartOptions;
use crate::discriminator::optimal::{BinnedTrees, OptimalOptions};
use crate::field::{Field, Message, OptionsError};
use crate::normal::metropolis::Metropolis;
use crate::normal::{CandidateDiscriminator, NormalOptions, Sampler};
use crate::quality::Quality;
use crate::synthesis::SynthesisError;
use crate::terms::Terms;

/// Candidates of a joint stage, and steps of a chain, where each costs a tree.
const TREE_CANDIDATES: usize = 500;
const TREE_STEPS: usize = 3000;

impl SynthOptions {
    /// The budget, and what is made of it.
    ///
    /// # Errors
    /// When there is no budget.
    pub fn terms(&self) -> Result<Terms, SynthesisError> {
        Ok(Terms {
            epsilon: self.epsilon.ok_or(SynthesisError::NoEpsilon)?,
            delta: self.delta,
            neighbours: self.neighbours,
            rows_per_person: self.rows_per_person,
            draws: self.draws,
            tables: self.tables,
            score_epsilon: self.score_epsilon,
        })
    }

    /// The first of the given options that only the normal model knows.
    pub fn normal_only(&self) -> Option<Field> {
        let given = [
            (Field::Quality, self.quality.is_some()),
            (Field::Discriminator, self.discriminator.is_some()),
            (Field::Sampler, self.sampler.is_some()),
            (Field::MeasureShare, self.measure_share.is_some()),
            (Field::Sensitivity, self.sensitivity.is_some()),
            (Field::Candidates, self.candidates.is_some()),
            (Field::Steps, self.steps.is_some()),
            (Field::Chains, self.chains.is_some()),
            (Field::PriorSd, self.prior_sd.is_some()),
            (Field::PriorScale, self.prior_scale.is_some()),
            (Field::FreshTables, self.fresh_tables),
            (Field::Sets, self.sets.is_some()),
            (Field::Depth, self.depth.is_some()),
            (Field::Cp, self.cp.is_some()),
            (Field::Minsplit, self.minsplit.is_some()),
            (Field::Minbucket, self.minbucket.is_some()),
        ];
        first(&given)
    }
}

/// The first field that was given.
fn first(given: &[(Field, bool)]) -> Option<Field> {
    given.iter().find(|(_, given)| *given).map(|(field, _)| *field)
}

/// The sampler of the normal model.
pub(super) fn normal_options(arguments: &SynthOptions) -> Result<NormalOptions, OptionsError> {
    let discriminator = discriminator(arguments)?;
    let sampler = sampler(arguments)?;
    if !arguments.delta.is_zero() && sampler != Sampler::Zoom {
        let both = || [Field::Delta.into(), Field::Sampler.into()];
        let what = Message::of("{} is not for {} metropolis: a chain has no such guarantee", both());
        return Err(
            OptionsError::new(Field::Delta, what).advise(Message::of("leave {} out, or use {} zoom", both()))
        );
    }
    let trees = discriminator != CandidateDiscriminator::Partition;
    Ok(NormalOptions {
        discriminator,
        sampler,
        quality: arguments.quality.unwrap_or(Quality::Pmae),
        measure_share: arguments.measure_share,
        paper_sensitivity: arguments.sensitivity == Some(RowEffect::Paper),
        candidates: arguments.candidates.or(trees.then_some(TREE_CANDIDATES)),
        sets: arguments.sets.unwrap_or(1),
    })
}

fn discriminator(arguments: &SynthOptions) -> Result<CandidateDiscriminator, OptionsError> {
    let SynthOptions { depth, cp, minsplit, minbucket, .. } = *arguments;
    let cells = arguments.discriminator.unwrap_or(CandidateDiscriminatorName::Partition);
    let greedy = [
        (Field::Cp, cp.is_some()),
        (Field::Minsplit, minsplit.is_some()),
        (Field::Minbucket, minbucket.is_some()),
    ];
    let shaped = matches!(cells, CandidateDiscriminatorName::Optimal | CandidateDiscriminatorName::Cart);
    let foreign = first(&greedy).filter(|_| cells != CandidateDiscriminatorName::Cart);
    if let Some(option) = foreign.or((depth.is_some() && !shaped).then_some(Field::Depth)) {
        let what = Message::of("{} means nothing to this {}", [option.into(), Field::Discriminator.into()]);
        let advice = Message::of(
            "leave it out, or choose {} cart (or optimal for {})",
            [Field::Discriminator.into(), Field::Depth.into()],
        );
        return Err(OptionsError::new(option, what).advise(advice));
    }
    if arguments.sets.is_some() && !shaped {
        let what = Message::of(
            "{} is for {} optimal or cart, which judge a candidate by synthetic tables made for it",
            [Field::Sets.into(), Field::Discriminator.into()],
        );
        return Err(OptionsError::new(Field::Sets, what).advise(
            "leave it out: the cells of partition and private-tree are fixed before, and need no average",
        ));
    }
    let wrong = |error: String| OptionsError::new(Field::Discriminator, error);
    Ok(match cells {
        CandidateDiscriminatorName::Partition => CandidateDiscriminator::Partition,
        CandidateDiscriminatorName::PrivateTree => CandidateDiscriminator::PrivateTree,
        CandidateDiscriminatorName::Optimal => {
            let params = OptimalOptions { depth, ..OptimalOptions::default() }.check();
            let trees = BinnedTrees::new(params.map_err(|error| wrong(error.to_string()))?);
            CandidateDiscriminator::Optimal(trees.map_err(|error| wrong(error.to_string()))?)
        }
        CandidateDiscriminatorName::Cart => {
            let options = CartOptions { maxdepth: depth, cp, minsplit, minbucket, ..CartOptions::default() };
            CandidateDiscriminator::Cart(options.check().map_err(|error| wrong(error.to_string()))?)
        }
    })
}

fn sampler(arguments: &SynthOptions) -> Result<Sampler, OptionsError> {
    let SynthOptions { steps, chains, prior_sd, prior_scale, fresh_tables, candidates, .. } = *arguments;
    let walk = [
        (Field::Steps, steps.is_some()),
        (Field::Chains, chains.is_some()),
        (Field::PriorSd, prior_sd.is_some()),
        (Field::PriorScale, prior_scale.is_some()),
        (Field::FreshTables, fresh_tables),
    ];
    let sampler = arguments.sampler.unwrap_or(SamplerName::Zoom);
    let foreign = match sampler {
        SamplerName::Zoom => first(&walk),
        SamplerName::Metropolis => first(&[(Field::Candidates, candidates.is_some())]),
    };
    if let Some(option) = foreign {
        let what = Message::of("{} means nothing to this {}", [option.into(), Field::Sampler.into()]);
        let advice = Message::of("leave it out, or choose another {}", [Field::Sampler.into()]);
        return Err(OptionsError::new(option, what).advise(advice));
    }
    Ok(match sampler {
        SamplerName::Zoom => Sampler::Zoom,
        SamplerName::Metropolis => {
            let default = Metropolis::default();
            let trees =
                !matches!(arguments.discriminator, None | Some(CandidateDiscriminatorName::Partition));
            let usual = if trees { TREE_STEPS } else { default.burn_in + default.steps };
            Sampler::Metropolis {
                chains: chains.unwrap_or(default.chains),
                steps: steps.unwrap_or(usual),
                prior_sd: prior_sd.unwrap_or(default.prior_sd),
                prior_scale: prior_scale.unwrap_or(default.prior_scale),
                fresh_tables,
            }
        }
    })
}
