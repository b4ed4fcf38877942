//! Table 2 on the page.

use indistinct::sampler::metropolis::PriorScale;

use super::{Made, table, with_interval, with_simulations, yes};
use crate::methods::{BURN_IN, Method, Ours, STEPS};
use crate::paper::{DRAWS, NON_DP, PMSE_MECHANISM, TABLE2_EPSILONS};
use crate::population::ROWS;
use crate::table2::{Cell, Line, Table2};

pub(super) fn section(results: &Table2, made: &Made) -> String {
    let simulations =
        results.lines.first().and_then(|line| line.cells.first()).map_or(0, |cell| cell.simulations);
    let mut text = format!(
        "\n## Table 2: the pMSE of released tables\n\n\
         `indistinct reproduce table2 --simulations {simulations} --seed {}`\n\n\
         Mean pMSE (rpart's classification tree, cp 0.001, at least 5 rows in a leaf, unlimited depth; 0 cannot be told apart,\n\
         0.25 always) with its interval, and the published mean below it. Bounds, where a method needs them, are 4 standard\n\
         deviations, given. A value is the mean over the {DRAWS} tables of a release; the histogram makes one.\n\n",
        made.seed
    );
    let epsilons: Vec<String> = TABLE2_EPSILONS.iter().map(|epsilon| format!("epsilon {epsilon}")).collect();
    let header = |last: &'static str| -> Vec<String> {
        [vec!["method".to_owned()], epsilons.clone(), vec![last.to_owned()]].concat()
    };
    let tabulate = |header: Vec<String>, rows: Vec<Vec<String>>| {
        table(&header.iter().map(String::as_str).collect::<Vec<_>>(), rows)
    };
    text += &tabulate(
        header("guarantee of a release"),
        results.lines.iter().flat_map(|line| means(line, simulations)).collect(),
    );
    text += "\nVariances of the same values:\n\n";
    text += &tabulate(header(""), results.lines.iter().flat_map(variances).collect());
    text += &words(results);
    text += &claims(results);
    text += &shown(results);
    text += &format!(
        "\n![Mean pMSE over epsilon]({}table2.svg)\n\n*Figure of table 2.* Lines are ours; dots are the published means.\n",
        made.figures
    );
    text
}

/// A method's means, with their number of simulations where it is another than that of the table.
fn means(line: &Line, usual: u64) -> Vec<Vec<String>> {
    let own = line.cells.iter().map(|cell| cell.simulations).max().unwrap_or(usual);
    let ours = [
        vec![with_simulations(&line.method.name(), own, usual)],
        line.cells.iter().map(|cell| with_interval(&cell.mean, 5)).collect(),
        vec![line.method.guarantee().to_owned()],
    ];
    let mut rows = vec![ours.concat()];
    rows.extend(published(line, |mean, _| format!("{mean:.5}")));
    rows
}

fn variances(line: &Line) -> Vec<Vec<String>> {
    let ours = [
        vec![line.method.name()],
        line.cells.iter().map(|cell| format!("{:.2e}", cell.variance)).collect(),
        vec![String::new()],
    ];
    let mut rows = vec![ours.concat()];
    rows.extend(published(line, |_, variance| format!("{variance:.2e}")));
    rows
}

fn published(line: &Line, show: impl Fn(f64, f64) -> String) -> Option<Vec<String>> {
    let cells: Option<Vec<String>> =
        line.cells.iter().map(|cell| cell.paper.map(|(mean, variance)| show(mean, variance))).collect();
    Some([vec!["*published*".to_owned()], cells?, vec![String::new()]].concat())
}

/// A sentence on every difference.
fn words(results: &Table2) -> String {
    let mut text = String::from("\n### Differences, and why\n\n");
    for line in &results.lines {
        if let Some(differences) = differences(line) {
            text += &format!("- **{}**: {} {}\n", line.method.name(), differences, reason(&line.method));
        } else if let Method::Ours(ours) = line.method {
            text += &format!(
                "- **{}**: `indistinct synth --epsilon E --tables {DRAWS}{}`, one private draw.\n",
                line.method.name(),
                ours.flags()
            );
        }
    }
    text += "- The published variances at epsilon 2 repeat those at epsilon 1 in all four columns, which cannot be chance: a slip of\n  \
             copying.\n";
    text += &explained(results);
    text
}

/// How the means compare with the published ones.
fn differences(line: &Line) -> Option<String> {
    let ratios: Option<Vec<f64>> =
        line.cells.iter().map(|cell| Some(cell.mean.value / cell.paper?.0)).collect();
    let ratios = ratios?;
    let inside =
        line.cells.iter().filter(|cell| cell.paper.is_some_and(|paper| cell.mean.holds(paper.0))).count();
    let shown =
        |ratios: &[f64]| ratios.iter().map(|ratio| format!("{ratio:.2}")).collect::<Vec<_>>().join(", ");
    let variances: Vec<f64> =
        line.cells.iter().filter_map(|cell| Some(cell.variance / cell.paper?.1)).collect();
    Some(format!(
        "our means are {} times the published ones, of which {inside} of {} lie in our intervals; our variances are {} times \
         the published ones.",
        shown(&ratios),
        ratios.len(),
        shown(&variances)
    ))
}

fn reason(method: &Method) -> String {
    match method {
        Method::NonDp => {
            "Two sequential normal regressions, parameters drawn from their posterior for each of ten tables.".to_owned()
        }
        Method::PmseMechanism { .. } => format!(
            "The paper says neither how long its chains ran nor where they began. Ours: one chain for each simulation, started \
             near the parameters that fit the private table, {BURN_IN} steps to adapt and {STEPS} over which ten states are \
             taken, cp 0.01, one synthetic table for each state (m = 1), sensitivity 1/n, prior variance 100,000 on means, slope and \
             standard deviations (cut off at zero), epsilon/10 for each state."
        ),
        Method::NoisyBayes { .. } => {
            "A reconstruction: Laplace noise on sums of products, epsilon/10 for each table, and impossible variances set to \
             nearly zero. The published variances are about what single tables would have, where ours are of means over ten. That floor is what makes it bad; with moments projected to the nearest possible ones (next line of \
             the table) the same noise does better."
                .to_owned()
        }
        Method::SmoothHistogram { .. } => {
            "The published column is what lambda = K/(K + n epsilon) with 50 x 50 cells gives; that is not epsilon-differentially \
             private. The printed formula (next line of the table) is, and hardly depends on epsilon because almost all of \
             its mass is uniform. Why the published values vary more at small epsilons we do not know."
                .to_owned()
        }
        _ => String::new(),
    }
}

/// How far the published column depends on what the paper leaves open, and what the exact target would give.
fn explained(results: &Table2) -> String {
    let nats = |epsilon: f64| epsilon / f64::from(DRAWS) * ROWS as f64 / 8.0;
    let mut text = format!(
        "- **What the exact target would give.** With sensitivity 1/n and epsilon/10 a draw, the density at the best theta is at most\n  \
         exp(epsilon n / 80) times that at the worst: {} nats at the five epsilons. The prior N(0, 100,000), on means, slope and\n  \
         standard deviations as the paper has it, has about {} nats more volume far from the truth than near it (a theta is near if\n  \
         its density is within a factor of e or so of the best; fine cells, pMSE about an eighth of the divergence); on the\n  \
         logarithms of standard deviations, as earlier versions of this page had it, about {}. Where the first number is the\n  \
         smaller one, nearly all mass is in the tails, where the pMSE is near 0.25: so at epsilon 0.25 under either prior, and the published\n  \
         mean of {:.3} there cannot come from the target, only from chains that had not left the neighbourhood of their start.\n  \
         At epsilon 0.5 it is a close thing, and from 1 on the data win.\n",
        TABLE2_EPSILONS.map(|epsilon| format!("{:.0}", nats(epsilon))).join(", "),
        TABLE2_EPSILONS.map(|epsilon| format!("{:.0}", prior_nats(epsilon, PriorScale::Sd))).join(", "),
        TABLE2_EPSILONS.map(|epsilon| format!("{:.0}", prior_nats(epsilon, PriorScale::LogSd))).join(", "),
        PMSE_MECHANISM.means[0],
    );
    text += "- **What the column depends on.** The same chains with one choice made differently; after the semicolon the ratio to the published mean:\n\n";
    let header: Vec<String> = [
        vec!["choice".to_owned(), "simulations".to_owned()],
        TABLE2_EPSILONS.iter().map(|epsilon| format!("epsilon {epsilon}")).collect(),
    ]
    .concat();
    let main = results.lines.iter().find(|line| matches!(line.method, Method::PmseMechanism { .. }));
    let rows = main.into_iter().chain(&results.variants).map(|line| {
        let cell = |cell: &Cell| {
            let ratio =
                cell.paper.map_or(String::new(), |paper| format!("; {:.2}", cell.mean.value / paper.0));
            format!("{}{ratio}", with_interval(&cell.mean, 4))
        };
        let simulations = line.cells.iter().map(|cell| cell.simulations).max().unwrap_or(0);
        [vec![line.method.name(), simulations.to_string()], line.cells.iter().map(cell).collect()].concat()
    });
    text += &table(&header.iter().map(String::as_str).collect::<Vec<_>>(), rows);
    text + &closest(results)
}

/// Which of the choices comes nearest to the published column, by the mean absolute logarithm of the ratios.
fn closest(results: &Table2) -> String {
    let distance = |line: &Line| {
        let logarithm = |cell: &Cell| cell.paper.map_or(0.0, |paper| (cell.mean.value / paper.0).ln().abs());
        line.cells.iter().map(logarithm).sum::<f64>() / line.cells.len().max(1) as f64
    };
    let main = results.lines.iter().find(|line| matches!(line.method, Method::PmseMechanism { .. }));
    let mut lines: Vec<&Line> = main.into_iter().chain(&results.variants).collect();
    lines.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    let order = lines.iter().map(|line| format!("{} ({:.2})", line.method.name(), distance(line)));
    format!(
        "\nFrom the nearest to the furthest, by the mean absolute logarithm of the ratio to the published mean: {}. Most have few\n\
         simulations, and their intervals overlap: the order is a hint, and not a finding.\n",
        order.collect::<Vec<_>>().join("; ")
    )
}

/// The logarithm of the prior's volume over that of what is near the truth, for a draw of epsilon/10 at sensitivity 1/n.
///
/// A shift by d standard deviations has a divergence of d^2/2 and so a pMSE of about d^2/16: the density falls like that of a
/// normal with standard deviation sqrt(16 / (epsilon n / 10)), and by a root of 2 less for a logarithm of a standard deviation.
fn prior_nats(epsilon: f64, scale: PriorScale) -> f64 {
    let prior_sd = 100_000_f64.sqrt();
    let near = (16.0 / (epsilon / f64::from(DRAWS) * ROWS as f64)).sqrt();
    let [x_sd, residual_sd] = [10.0, 3.0];
    let root_mean_square = (x_sd * x_sd + 4.0_f64).sqrt();
    let locations = [x_sd * near, residual_sd * near, residual_sd * near / root_mean_square];
    let scales = [x_sd, residual_sd].map(|sd| match scale {
        // Half normal: twice the density.
        PriorScale::Sd => 2.0 * sd * near / 2_f64.sqrt(),
        PriorScale::LogSd => near / 2_f64.sqrt(),
    });
    locations.iter().chain(&scales).map(|width| (prior_sd / width).ln()).sum()
}

/// What the paper says of the table, checked in its own numbers and in ours.
fn claims(results: &Table2) -> String {
    let of = |method: Method| results.lines.iter().find(|line| line.method == method);
    let (Some(mechanism), Some(non_dp)) = (of(Method::PmseMechanism { depth: 30 }), of(Method::NonDp)) else {
        return String::new();
    };
    let place = |epsilon: f64| TABLE2_EPSILONS.iter().position(|&own| own == epsilon).unwrap_or(0);
    // Ours, and published, over the non-DP column.
    let ratios = |line: &Line, place: usize| {
        let (cell, base) = (&line.cells[place], &non_dp.cells[place]);
        let published = cell.paper.map_or(f64::NAN, |paper| paper.0 / NON_DP.means[place]);
        (cell.mean.value / base.mean.value, published)
    };
    let published_columns = || {
        results
            .lines
            .iter()
            .filter(|line| line.method.claims_privacy() && line.cells.iter().all(|cell| cell.paper.is_some()))
    };
    let (last, one) = (place(4.0), place(1.0));
    let best = published_columns()
        .min_by(|left, right| left.cells[last].mean.value.total_cmp(&right.cells[last].mean.value))
        .unwrap_or(mechanism);
    let roughly = |times: f64, (ours, _): (f64, f64)| yes((ours - times).abs() <= 0.5);
    let shown = |(ours, published): (f64, f64)| format!("{ours:.2} times; published {published:.2}");
    let first = TABLE2_EPSILONS.iter().enumerate().filter(|&(place, _)| {
        published_columns().all(|line| line.cells[place].mean.value >= mechanism.cells[place].mean.value)
    });
    let first: Vec<String> = first.map(|(_, epsilon)| epsilon.to_string()).collect();
    let rows = [
        vec![
            "the best private method at epsilon 4 is roughly two times the non-DP column (1.5 to 2.5)".to_owned(),
            roughly(2.0, ratios(best, last)).to_owned(),
            format!("{}: {} ({})", best.method.name(), shown(ratios(best, last)), best.method.guarantee()),
        ],
        vec![
            "the pMSE mechanism at epsilon 1 is roughly three times the non-DP column (2.5 to 3.5)".to_owned(),
            roughly(3.0, ratios(mechanism, one)).to_owned(),
            shown(ratios(mechanism, one)),
        ],
        vec![
            "the pMSE mechanism is the best or one of the best (within a quarter of the best) at every epsilon".to_owned(),
            yes((0..TABLE2_EPSILONS.len()).all(|place| {
                let least = published_columns().map(|line| line.cells[place].mean.value).fold(f64::INFINITY, f64::min);
                mechanism.cells[place].mean.value <= 1.25 * least
            }))
            .to_owned(),
            format!("the best of the published methods at epsilon {}", first.join(", ")),
        ],
    ];
    format!(
        "\n### What the paper says of it, and what we find\n\n{}",
        table(&["claim", "holds", "figures"], rows)
    )
}

/// What this program must show, and whether it does.
fn shown(results: &Table2) -> String {
    let find = |wanted: &dyn Fn(&Method) -> bool| results.lines.iter().find(|line| wanted(&line.method));
    let (Some(ours), Some(non_dp)) =
        (find(&|method| *method == Method::Ours(Ours::Default)), find(&|method| *method == Method::NonDp))
    else {
        return String::new();
    };
    let rivals: Vec<&Line> = results
        .lines
        .iter()
        .filter(|line| line.method.claims_privacy() && !matches!(line.method, Method::Ours(_)))
        .collect();
    let beats = ours.cells.iter().enumerate().all(|(place, ours)| {
        rivals.iter().all(|line| {
            let rival = &line.cells[place];
            ours.mean.high < rival.mean.low && rival.paper.is_none_or(|paper| ours.mean.high < paper.0)
        })
    });
    let (strict, loose) = (&ours.cells[0].mean, PMSE_MECHANISM.means[4]);
    let at_one = TABLE2_EPSILONS.iter().position(|&epsilon| epsilon == 1.0).unwrap_or(0);
    let ratio = ours.cells[at_one].mean.value / non_dp.cells[at_one].mean.value;
    format!(
        "\n### What our certified default shows\n\n{}",
        table(
            &["claim", "holds", "figures"],
            [
                vec![
                    "below every private column, published and rerun, at every epsilon (intervals apart)"
                        .to_owned(),
                    yes(beats).to_owned(),
                    String::new(),
                ],
                vec![
                    format!("mean at epsilon 0.25 below the paper's at epsilon 4 ({loose})"),
                    yes(strict.high < loose).to_owned(),
                    with_interval(strict, 5),
                ],
                vec![
                    "within 10 % of the non-DP column at epsilon 1".to_owned(),
                    yes(ratio <= 1.1).to_owned(),
                    format!(
                        "{:.5} against {:.5} (published {:.5}): {:+.1} %",
                        ours.cells[at_one].mean.value,
                        non_dp.cells[at_one].mean.value,
                        NON_DP.means[at_one],
                        100.0 * (ratio - 1.0)
                    ),
                ],
            ]
        )
    )
}
