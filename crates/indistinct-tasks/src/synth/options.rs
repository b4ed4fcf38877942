//! From options to what the library is asked for.

use indistinct::Terms;
use indistinct::discriminator::cart::CartOptions;
use indistinct::discriminator::optimal::{BinnedTrees, OptimalOptions};
use indistinct::normal::metropolis::Metropolis;
use indistinct::normal::{Discriminator, NormalOptions, Sampler};
use indistinct::privacy::{Delta, Epsilon};
use indistinct::quality::Quality;

use super::typed::{DiscriminatorArg, SamplerArg, Sensitivity, SynthOptions};
use crate::Failure;

/// Candidates of a joint stage, and steps of a chain, where each costs a tree.
const TREE_CANDIDATES: usize = 500;
const TREE_STEPS: usize = 3000;

/// The budget, and what is made of it.
pub(super) fn terms(options: &SynthOptions) -> Result<Terms, Failure> {
    let Some(epsilon) = options.epsilon else {
        return Err(Failure::failed("--epsilon is missing")
            .advise("say how much privacy the release may cost, as in --epsilon 1"));
    };
    Ok(Terms {
        epsilon,
        delta: options.delta,
        neighbours: options.neighbours,
        rows_per_person: options.rows_per_person,
        draws: options.draws,
        tables: options.tables,
        score_epsilon: options.score_epsilon,
    })
}

/// What the normal model is drawn by.
pub(super) fn normal_options(arguments: &SynthOptions) -> Result<NormalOptions, Failure> {
    let discriminator = discriminator(arguments)?;
    let sampler = sampler(arguments)?;
    if !arguments.delta.is_zero() && sampler != Sampler::Zoom {
        return Err(Failure::usage("--delta is not for --sampler metropolis: a chain has no such guarantee")
            .advise("leave --delta out, or use --sampler zoom"));
    }
    let trees = discriminator != Discriminator::Partition;
    Ok(NormalOptions {
        discriminator,
        sampler,
        quality: arguments.quality.unwrap_or(Quality::Pmae),
        measure_share: arguments.measure_share,
        paper_sensitivity: arguments.sensitivity == Some(Sensitivity::Paper),
        candidates: arguments.candidates.or(trees.then_some(TREE_CANDIDATES)),
        sets: arguments.sets.unwrap_or(1),
    })
}

/// Options that only the normal model knows, with whether they were given.
pub(super) fn normal_only_flags(arguments: &SynthOptions) -> [(&'static str, bool); 16] {
    [
        ("--quality", arguments.quality.is_some()),
        ("--discriminator", arguments.discriminator.is_some()),
        ("--sampler", arguments.sampler.is_some()),
        ("--measure-share", arguments.measure_share.is_some()),
        ("--sensitivity", arguments.sensitivity.is_some()),
        ("--candidates", arguments.candidates.is_some()),
        ("--steps", arguments.steps.is_some()),
        ("--chains", arguments.chains.is_some()),
        ("--prior-sd", arguments.prior_sd.is_some()),
        ("--prior-scale", arguments.prior_scale.is_some()),
        ("--fresh-tables", arguments.fresh_tables),
        ("--sets", arguments.sets.is_some()),
        ("--depth", arguments.depth.is_some()),
        ("--cp", arguments.cp.is_some()),
        ("--minsplit", arguments.minsplit.is_some()),
        ("--minbucket", arguments.minbucket.is_some()),
    ]
}

/// A budget as text.
///
/// # Errors
/// When it is no positive number.
pub fn epsilon_of(text: &str) -> Result<Epsilon, Failure> {
    text.parse().map_err(|error| {
        Failure::failed(format!("--epsilon: {error}")).advise("give a positive number, as in --epsilon 1")
    })
}

/// The part of it for the score as text: a positive number, or 0 for none.
///
/// # Errors
/// When it is neither.
pub fn score_epsilon_of(text: &str) -> Result<Epsilon, Failure> {
    if text == "0" {
        return Ok(Epsilon::ZERO);
    }
    text.parse().map_err(|error| {
        Failure::failed(format!("--score-epsilon: {error}"))
            .advise("give a positive number below --epsilon, or 0")
    })
}

/// The probability with which the guarantee may fail, as text.
///
/// # Errors
/// When it is none, or so small that it would be rounded to zero: what is not zero as written must not become pure.
pub fn delta_of(text: &str) -> Result<Delta, Failure> {
    let delta: Delta = text.parse().map_err(|error| {
        Failure::usage(format!("--delta: {error}")).advise("leave --delta out for pure differential privacy")
    })?;
    if delta.is_zero() && text.trim().parse() != Ok(0.0) {
        return Err(Failure::usage("--delta is too small: the least is 1e-15")
            .advise("leave --delta out for pure differential privacy"));
    }
    Ok(delta)
}

fn discriminator(arguments: &SynthOptions) -> Result<Discriminator, Failure> {
    let SynthOptions { depth, cp, minsplit, minbucket, .. } = *arguments;
    let cells = arguments.discriminator.unwrap_or(DiscriminatorArg::Partition);
    let greedy =
        [("--cp", cp.is_some()), ("--minsplit", minsplit.is_some()), ("--minbucket", minbucket.is_some())];
    let shaped = matches!(cells, DiscriminatorArg::Optimal | DiscriminatorArg::Cart);
    let foreign = (cells != DiscriminatorArg::Cart)
        .then(|| greedy.iter().find(|(_, given)| *given).map(|(name, _)| *name));
    if let Some(option) = foreign.flatten().or((depth.is_some() && !shaped).then_some("--depth")) {
        return Err(Failure::usage(format!("{option} means nothing to this --discriminator"))
            .advise("leave it out, or choose --discriminator cart (or optimal for --depth)"));
    }
    if arguments.sets.is_some() && !shaped {
        return Err(Failure::usage(
            "--sets is for --discriminator optimal or cart, which judge a candidate by synthetic tables made for it",
        )
        .advise("leave it out: the cells of partition and private-tree are fixed before, and need no average"));
    }
    Ok(match cells {
        DiscriminatorArg::Partition => Discriminator::Partition,
        DiscriminatorArg::PrivateTree => Discriminator::PrivateTree,
        DiscriminatorArg::Optimal => {
            let params =
                OptimalOptions { depth, ..OptimalOptions::default() }.check().map_err(Failure::failed)?;
            Discriminator::Optimal(BinnedTrees::new(params).map_err(Failure::failed)?)
        }
        DiscriminatorArg::Cart => {
            let options = CartOptions { maxdepth: depth, cp, minsplit, minbucket, ..CartOptions::default() };
            Discriminator::Cart(options.check().map_err(Failure::failed)?)
        }
    })
}

fn sampler(arguments: &SynthOptions) -> Result<Sampler, Failure> {
    let SynthOptions { steps, chains, prior_sd, prior_scale, fresh_tables, candidates, .. } = *arguments;
    let walk = [
        ("--steps", steps.is_some()),
        ("--chains", chains.is_some()),
        ("--prior-sd", prior_sd.is_some()),
        ("--prior-scale", prior_scale.is_some()),
        ("--fresh-tables", fresh_tables),
    ];
    let zoom = [("--candidates", candidates.is_some())];
    let sampler = arguments.sampler.unwrap_or(SamplerArg::Zoom);
    let foreign = if sampler == SamplerArg::Zoom { walk.as_slice() } else { zoom.as_slice() };
    if let Some((option, _)) = foreign.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!("{option} means nothing to this --sampler"))
            .advise("leave it out, or choose another --sampler"));
    }
    Ok(match sampler {
        SamplerArg::Zoom => Sampler::Zoom,
        SamplerArg::Metropolis => {
            let default = Metropolis::default();
            let trees = !matches!(arguments.discriminator, None | Some(DiscriminatorArg::Partition));
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
