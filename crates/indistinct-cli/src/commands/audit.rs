//! `indistinct audit`: what an attacker can prove about releases, beside what is certified.

use indistinct::privacy::Epsilon;
use indistinct::progress::Progress;
use indistinct::synthesis::{SynthOptions, epsilon_of};
use indistinct::table::Schema;
use indistinct_audit::audit::{Audited, Claim, judge};
use indistinct_audit::chart::chart;
use indistinct_audit::exact::{Case, Found, verify};
use indistinct_audit::neighbours;
use indistinct_audit::sample::{BLOCK, collect};
use indistinct_audit::show::{as_text, exact_as_text};
use indistinct_audit::subject::Synth;
use indistinct_audit::world::{NeighbouringTables, World};
use indistinct_io::{
    FailureKind, TypedForm, draft_schema, open_named, read_failure, read_schema, schema_failure,
    write_atomically,
};
use indistinct_paper::release::MethodOptions;
use indistinct_paper::store::{ExperimentError, Run, blocks};
use serde::Serialize;

use crate::args::{Audit, Common};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json, tell};

/// Rows times epsilon that one column can be found with.
const ROWS_TIMES_EPSILON: f64 = 150.0;
/// The fewest and the most rows of the tables of a world, if nobody says how long.
const FEWEST_USUAL_ROWS: f64 = 60.0;
const MOST_USUAL_ROWS: f64 = 5000.0;

/// The document that `--json` prints.
#[derive(Serialize)]
struct Report {
    /// Whether it was computed from private data, and must not be published.
    private: bool,
    audits: Vec<Audited>,
}

#[derive(Serialize)]
struct ExactReport {
    exact: Vec<Found>,
}

pub(crate) fn run(arguments: &Audit, common: &Common) -> Result<(), Failure> {
    if !(arguments.confidence > 0.5 && arguments.confidence < 1.0) {
        return Err(Failure::usage("--confidence must be between 0.5 and 1").advise("leave it out for 0.95"));
    }
    if arguments.exact {
        return enumerate(arguments, common);
    }
    #[cfg(feature = "broken")]
    if let Some(broken) = arguments.broken {
        return broken.with(|| attack(arguments, common));
    }
    attack(arguments, common)
}

fn attack(arguments: &Audit, common: &Common) -> Result<(), Failure> {
    let options = arguments.options.options(arguments.method)?;
    let pairs = pairs(arguments, &options, common)?;
    let private = arguments.table.is_some();
    let alpha = (1.0 - arguments.confidence) / pairs.len() as f64;
    let subjects = pairs.into_iter().map(|pair| {
        let name = pair.name.clone();
        let subject = Synth::new(options.clone(), pair, common.seed)?;
        let claim =
            subject.guarantee().map_err(|failure| if private { failure } else { more_rows(failure) })?;
        Ok((name, subject, Claim::from(claim)))
    });
    let subjects = subjects.collect::<Result<Vec<_>, Failure>>()?;
    let bar = Bar::new(common.quiet, "releasing");
    bar.expect(subjects.len() as u64 * blocks(arguments.releases, BLOCK));
    let seed = common.seed.unwrap_or(0);
    let run = match &arguments.work {
        Some(folder) => {
            Run::new(folder, arguments.resume, seed, arguments.releases, &bar).map_err(failure)?
        }
        None => Run::unkept(seed, arguments.releases, &bar),
    };
    let mut audits = Vec::new();
    for (name, subject, claim) in subjects {
        let sample = collect(&subject, &run, &subject.fingerprint()).map_err(failure)?;
        audits.push(judge(&name, &sample, claim, alpha));
    }
    bar.finish();
    if let Some(path) = &arguments.out {
        let svg = chart(&audits).to_svg();
        write_atomically(path, |out| out.write_all(svg.as_bytes()))
            .map_err(|error: std::io::Error| Failure::failed(format!("{}: {error}", path.display())))?;
    }
    if common.json {
        print_json(&Report { private, audits: audits.clone() })?;
    } else {
        let warning = if private { "computed from the private data: do not publish this\n" } else { "" };
        print(&format!("{warning}{}", as_text(&audits)))?;
    }
    leak(&audits)
}

/// The pairs of neighbouring tables that were asked for and fit.
fn pairs(
    arguments: &Audit,
    options: &MethodOptions,
    common: &Common,
) -> Result<Vec<NeighbouringTables>, Failure> {
    let (moved, relation) = (options.synth.rows_per_person.max(1) as usize, options.synth.neighbours);
    let worlds = arguments.world.worlds();
    let pairs: Vec<NeighbouringTables> = if let Some(path) = &arguments.table {
        let declared = arguments.schema.as_deref().map(read_schema).transpose().map_err(schema_failure)?;
        let form = TypedForm { no_header: arguments.no_header, encoding: arguments.encoding.clone() };
        let source = open_named(path, &form, declared.as_ref())?;
        let schema: Schema = if let Some(declared) = declared {
            declared
        } else {
            if !common.quiet {
                tell("warning: the schema was drafted from the table, and is the same for its neighbours");
            }
            draft_schema(&source).map_err(read_failure)?.schema
        };
        let table = source.read(&schema).map_err(read_failure)?;
        let found = worlds.iter().map(|world| neighbours::pair(*world, &table, &schema, moved, relation));
        found.filter_map(Result::transpose).collect::<Result<_, Failure>>()?
    } else {
        let numbers_only = options.check()?.requires_numeric();
        let fits = |world: &&World| !numbers_only || world.is_numeric();
        let columns = usize::from(arguments.world_columns);
        let rows = |world: &World| {
            let usual = || world.rows(usual_rows(&options.synth, world.columns(columns)));
            arguments.world_rows.unwrap_or_else(usual)
        };
        let made = worlds.iter().filter(fits).map(|world| world.pair(rows(world), columns, moved, relation));
        let pairs = made.map(|pair| broken_or_not(arguments, pair.map_err(Failure::failed)?));
        pairs.collect::<Result<_, Failure>>()?
    };
    if pairs.is_empty() {
        return Err(Failure::usage("there is no such world for these options, or for this table")
            .advise("choose another --world; those of levels and missing values need --model mixed"));
    }
    Ok(pairs)
}

/// The fewest rows on which a budget can work, about: one row matters most where there are few.
fn usual_rows(options: &SynthOptions, columns: usize) -> usize {
    let epsilon = options.epsilon.map_or(1.0, Epsilon::to_f64);
    let columns = columns as f64;
    let persons = f64::from(options.rows_per_person) * f64::from(options.draws);
    (ROWS_TIMES_EPSILON * columns * columns * persons / epsilon).clamp(FEWEST_USUAL_ROWS, MOST_USUAL_ROWS)
        as usize
}

/// Tables of a world can be as long as anybody wants.
fn more_rows(failure: Failure) -> Failure {
    if failure.kind() == FailureKind::Failed && failure.what().contains("rows") {
        failure.advise("raise --epsilon, or give the tables more --world-rows")
    } else {
        failure
    }
}

#[cfg(not(feature = "broken"))]
#[expect(clippy::unnecessary_wraps, reason = "the broken program may fail here")]
fn broken_or_not(_: &Audit, pair: NeighbouringTables) -> Result<NeighbouringTables, Failure> {
    Ok(pair)
}

#[cfg(feature = "broken")]
fn broken_or_not(arguments: &Audit, pair: NeighbouringTables) -> Result<NeighbouringTables, Failure> {
    match arguments.broken {
        Some(broken) => broken.pair(pair).map_err(Failure::failed),
        None => Ok(pair),
    }
}

/// A leak is a failure, told after everything was printed.
fn leak(audits: &[Audited]) -> Result<(), Failure> {
    let worst = audits.iter().filter(|audit| audit.exceeds);
    let worst = worst.max_by(|a, b| a.epsilon_lower_bound.total_cmp(&b.epsilon_lower_bound));
    match worst {
        None => Ok(()),
        Some(audit) => Err(Failure::overclaim(format!(
            "releases leak more than is certified: epsilon is at least {:.3} in the world `{}`, and {} is promised",
            audit.epsilon_lower_bound,
            audit.world,
            audit.claim.epsilon.unwrap_or_default()
        ))
        .advise("publish nothing that was made with these options, and report the command and the version")),
    }
}

fn enumerate(arguments: &Audit, common: &Common) -> Result<(), Failure> {
    let Some(typed) = &arguments.options.epsilon else {
        return Err(Failure::usage("--epsilon is missing").advise("say for which, as in --epsilon 1"));
    };
    let epsilon = epsilon_of(typed)?;
    let bar = Bar::new(common.quiet, "enumerating");
    bar.expect(Case::ALL.iter().map(|case| case.rows().len() as u64).sum());
    let mut found = Vec::new();
    for case in Case::ALL {
        for rows in case.rows() {
            found.push(verify(case, rows, epsilon));
            bar.tick();
        }
    }
    bar.finish();
    let wrong = found.iter().find(|one| one.overclaims()).map(|one| one.case);
    if common.json {
        print_json(&ExactReport { exact: found })?;
    } else {
        print(&exact_as_text(&found))?;
    }
    match wrong {
        None => Ok(()),
        Some(case) => Err(Failure::overclaim(format!("{case}: output probabilities exceed e^epsilon"))
            .advise("publish nothing that was made with it, and report the command and the version")),
    }
}

fn failure(error: ExperimentError) -> Failure {
    let advice = match &error {
        ExperimentError::Exists(_) => "add --resume to go on with them, or name another folder with --work",
        ExperimentError::Other(_) | ExperimentError::Damaged { .. } => "name another folder with --work",
        ExperimentError::Method { .. } => "check the options with `indistinct synth --dry-run`",
        ExperimentError::Io { .. } => error.advice(),
    };
    Failure::failed(&error).advise(advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::privacy::Guarantee;

    fn audited(world: &str, found: f64) -> Audited {
        let claim = Claim::from(Guarantee::Pure { epsilon: "1".parse().unwrap() });
        let sample = indistinct_audit::sample::Sample::default();
        let exceeds = found > 1.0;
        Audited { epsilon_lower_bound: found, exceeds, ..judge(world, &sample, claim, 0.05) }
    }

    #[test]
    fn a_leak_has_an_exit_code_of_its_own() {
        assert!(leak(&[audited("outlier", 0.3), audited("spike", 1.0)]).is_ok());
        let failure = leak(&[audited("outlier", 1.2), audited("spike", 3.5), audited("missing", 0.0)]);
        let failure = failure.unwrap_err();
        assert_eq!(failure.code(), 3);
        assert!(failure.what().contains("at least 3.500 in the world `spike`, and 1 is promised"));
        assert!(failure.message().contains("help: publish nothing"));
    }
}
