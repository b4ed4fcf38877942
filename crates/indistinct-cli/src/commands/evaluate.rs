//! `indistinct evaluate`: a checked plan, the work, and what is shown of it.

mod html;
mod show;

use indistinct::discriminator::cart::{self, CartOptions};
use indistinct::discriminator::logistic;
use indistinct::discriminator::optimal::{OptimalOptions, Thresholds};
use indistinct::discriminator::partition::PartitionParams;
use indistinct::quality::Quality;
use indistinct::random::Seed;
use indistinct::table::Table;
use indistinct_io::{Source, read_comparable, read_schema};
use indistinct_report::{Discriminator, EvaluationError, EvaluationOptions, Null, evaluate};

use super::{one_standard_input, open, read_failure};
use crate::args::{self, Common, Evaluate, Judge};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json};

/// Evaluation is repeatable: without `--seed` it starts here.
const DEFAULT_SEED: u64 = 1;

pub(crate) fn run(arguments: &Evaluate, common: &Common) -> Result<(), Failure> {
    let options = plan(arguments, common)?;
    let page = html::place(arguments, common)?;
    let (real, synthetic) = read(arguments)?;
    let bar = Bar::new(common.quiet, "evaluating");
    let evaluation = evaluate(&real, &synthetic, &options, &bar);
    bar.finish();
    let evaluation = evaluation.map_err(|error| evaluation_failure(&error))?;
    if let Some(path) = &page {
        html::write(path, &real, &synthetic, &evaluation, &options)?;
    }
    if common.json { print_json(&evaluation) } else { print(&show::as_text(&evaluation, arguments)) }
}

/// Turns what was typed into something that can run, or says why not.
fn plan(arguments: &Evaluate, common: &Common) -> Result<EvaluationOptions, Failure> {
    let judge = arguments.discriminator;
    refuse_foreign_options(arguments)?;
    let discriminator = match judge {
        Judge::Cart => {
            let options = CartOptions {
                method: match arguments.method {
                    Some(args::Method::Anova) => cart::Method::Anova,
                    Some(args::Method::Class) | None => cart::Method::Class,
                },
                maxdepth: arguments.depth,
                cp: arguments.cp,
                minsplit: arguments.minsplit,
                minbucket: arguments.minbucket,
            };
            Discriminator::Cart(options.check().map_err(Failure::usage)?)
        }
        Judge::Optimal => {
            let options = OptimalOptions {
                depth: arguments.depth,
                thresholds: arguments.thresholds.as_deref().map(thresholds).transpose()?,
                quality: match arguments.objective {
                    Some(args::Objective::Pmae) => Quality::Pmae,
                    Some(args::Objective::Pmse) | None => Quality::Pmse,
                },
                leaf_penalty: arguments.leaf_penalty.unwrap_or(0.0),
                min_synthetic_mass: arguments.min_synthetic.unwrap_or(0),
            };
            Discriminator::Optimal(options.check().map_err(Failure::usage)?)
        }
        Judge::Partition => {
            let params = arguments.depth.map_or(Ok(PartitionParams::default()), PartitionParams::new);
            Discriminator::Partition(params.map_err(Failure::usage)?)
        }
        Judge::Logistic => Discriminator::Logistic(logistic::Options {
            interactions: arguments.interactions,
            ..logistic::Options::default()
        }),
    };
    let null = match (arguments.null, judge) {
        (None | Some(args::Null::Analytic), Judge::Logistic) => Null::Analytic,
        (Some(args::Null::Analytic), _) => {
            return Err(Failure::usage("--null analytic is for --discriminator logistic")
                .advise("use --null permutation or --null bootstrap"));
        }
        (None | Some(args::Null::Permutation), _) => Null::Permutation,
        (Some(args::Null::Bootstrap), _) => Null::Bootstrap,
        (Some(args::Null::None), _) => Null::None,
    };
    let replicates = arguments.replicates.unwrap_or(50);
    if !(2..=1_000_000).contains(&replicates) {
        return Err(Failure::usage("--replicates must be between 2 and 1000000")
            .advise("for no null distribution say --null none"));
    }
    Ok(EvaluationOptions { discriminator, null, replicates, seed: Seed(common.seed.unwrap_or(DEFAULT_SEED)) })
}

fn thresholds(typed: &str) -> Result<Thresholds, Failure> {
    match (typed, typed.parse()) {
        ("all", _) => Ok(Thresholds::All),
        (_, Ok(count)) => Ok(Thresholds::Binned(count)),
        _ => Err(Failure::usage("--thresholds takes a number or `all`")),
    }
}

/// An option that the chosen discriminator would ignore is a mistake, not a wish.
fn refuse_foreign_options(arguments: &Evaluate) -> Result<(), Failure> {
    let Evaluate { depth, cp, minsplit, minbucket, method, thresholds, objective, .. } = arguments;
    let given: [(&str, bool, &[Judge]); 10] = [
        ("--depth", depth.is_some(), &[Judge::Cart, Judge::Optimal, Judge::Partition]),
        ("--cp", cp.is_some(), &[Judge::Cart]),
        ("--minsplit", minsplit.is_some(), &[Judge::Cart]),
        ("--minbucket", minbucket.is_some(), &[Judge::Cart]),
        ("--method", method.is_some(), &[Judge::Cart]),
        ("--thresholds", thresholds.is_some(), &[Judge::Optimal]),
        ("--objective", objective.is_some(), &[Judge::Optimal]),
        ("--leaf-penalty", arguments.leaf_penalty.is_some(), &[Judge::Optimal]),
        ("--min-synthetic", arguments.min_synthetic.is_some(), &[Judge::Optimal]),
        ("--interactions", arguments.interactions, &[Judge::Logistic]),
    ];
    let judge = arguments.discriminator;
    match given.iter().find(|(_, given, judges)| *given && !judges.contains(&judge)) {
        None => Ok(()),
        Some((option, _, judges)) => {
            let names: Vec<String> = judges.iter().map(|judge| show::name(*judge)).collect();
            Err(Failure::usage(format!("{option} means nothing to --discriminator {}", show::name(judge)))
                .advise(format!("leave it out, or choose --discriminator {}", names.join(" or "))))
        }
    }
}

/// The real table, and the synthetic ones with the names they were given.
type Tables = (Table, Vec<(String, Table)>);

fn read(arguments: &Evaluate) -> Result<Tables, Failure> {
    one_standard_input(std::iter::once(&arguments.real).chain(&arguments.synthetic))?;
    let schema = arguments.schema.as_deref().map(read_schema).transpose();
    let schema = schema.map_err(|error| Failure::failed(&error).advise(error.advice()))?;
    let real = open(&arguments.real)?;
    let sources: Vec<Source> = arguments.synthetic.iter().map(|path| open(path)).collect::<Result<_, _>>()?;
    let (real, tables) = match &schema {
        None => read_comparable(&real, &sources).map_err(read_failure)?,
        Some(schema) => {
            let read = |source: &Source| source.read(schema).map_err(read_failure);
            (read(&real)?, sources.iter().map(read).collect::<Result<_, _>>()?)
        }
    };
    let names = arguments.synthetic.iter().map(|path| path.display().to_string());
    Ok((real, names.zip(tables).collect()))
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
    }
}
