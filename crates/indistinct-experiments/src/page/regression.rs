//! The regression study on the page.

use super::{Made, readable, table, with_interval, yes};
use crate::figures::LARGEST_ERROR;
use crate::intervals::{Estimate, median};
use crate::methods::{Method, Ours};
use crate::paper::{REGRESSION_DEPTHS, REGRESSION_EPSILONS};
use crate::regression::{Errors, Values};

const COEFFICIENTS: [(&str, Values, usize); 2] =
    [("intercept", |errors| &errors.intercepts, 4), ("slope", |errors| &errors.slopes, 5)];

fn mean(values: &[f64]) -> f64 {
    Estimate::mean(values).value
}

pub(super) fn section(errors: &[Errors], made: &Made) -> String {
    let simulations = errors.first().map_or(0, |errors| errors.slopes.len());
    let mut text = format!(
        "\n## Figure 2 and the appendix figure: linear regression\n\n\
         `indistinct reproduce regression --simulations {simulations} --seed {}`\n\n\
         |estimate - estimate in the private table| of the regression of X2 on X1: the mean with its interval, and the median.\n\
         *Astray* counts simulations in which the slope, about 0.5, was off by more than 1: there the release missed the data\n\
         altogether, and a few such simulations are all that the mean then shows. Methods that make several tables are averaged\n\
         over ten; the functional and the K-norm mechanism give coefficients only. Bounds are multiples of the standard\n\
         deviation on either side of zero, given. The paper shows this study as figures without numbers, so what can be compared\n\
         is what it says about them.\n",
        made.seed
    );
    for (coefficient, values, decimals) in COEFFICIENTS {
        text += &format!("\n### Error of the {coefficient}\n\n{}", errors_of(errors, values, decimals));
    }
    text += &format!("\n### What the paper says of it, and what we find\n\n{}", claims(errors));
    text += &format!("\n### What our certified default shows\n\n{}", shown(errors));
    text += &format!(
        "\n![Figure 2: mean errors over epsilon]({0}figure2.svg)\n\n*Figure 2.* The setting of every method whose slope is best at \
         epsilon 1. Means of errors of which those above {LARGEST_ERROR} count as {LARGEST_ERROR}.\n\n![Appendix figure: all errors]({0}appendix.svg)\n\n*Appendix figure.* All methods and settings; errors above {LARGEST_ERROR} are drawn as {LARGEST_ERROR}, diamonds are means.\n",
        made.figures
    );
    text
}

fn errors_of(errors: &[Errors], values: Values, decimals: usize) -> String {
    let epsilons = REGRESSION_EPSILONS.map(|epsilon| format!("epsilon {epsilon}: mean; median"));
    let header =
        [&["method"], &epsilons.each_ref().map(String::as_str)[..], &["astray", "guarantee of a release"]]
            .concat();
    let mut methods: Vec<Method> = Vec::new();
    for errors in errors {
        if !methods.contains(&errors.method) {
            methods.push(errors.method);
        }
    }
    let row = |method: &Method| {
        let of_method: Vec<&Errors> = errors.iter().filter(|errors| errors.method == *method).collect();
        let cell = |errors: &&Errors| {
            let values = values(errors);
            let (mean, middle) = (Estimate::mean(values), readable(median(values), decimals));
            format!("{}; {middle}", with_interval(&mean, decimals))
        };
        let astray =
            of_method.iter().map(|errors| errors.astray().to_string()).collect::<Vec<_>>().join(", ");
        let cells = of_method.iter().map(cell).collect();
        [vec![method.name()], cells, vec![astray, method.guarantee().to_owned()]].concat()
    };
    table(&header, methods.iter().map(row))
}

/// The least mean or median error among methods, at one epsilon.
fn best(
    errors: &[Errors],
    epsilon: f64,
    (values, centre): (Values, fn(&[f64]) -> f64),
    wanted: impl Fn(&Method) -> bool,
) -> f64 {
    let found = errors.iter().filter(|errors| errors.epsilon == epsilon && wanted(&errors.method));
    found.map(|errors| centre(values(errors))).fold(f64::INFINITY, f64::min)
}

/// The paper's claims are compared by medians: means are decided by the chains that go astray.
const SLOPE: (Values, fn(&[f64]) -> f64) = (|errors| &errors.slopes, median);

fn claims(errors: &[Errors]) -> String {
    let depth = |epsilon: f64, depth: u32| {
        best(errors, epsilon, SLOPE, |method| *method == Method::PmseMechanism { depth })
    };
    let everywhere =
        |claim: &dyn Fn(f64) -> bool| yes(REGRESSION_EPSILONS.iter().all(|&epsilon| claim(epsilon)));
    let figures = |figure: &dyn Fn(f64) -> String| REGRESSION_EPSILONS.map(figure).join("; ");
    let synthesis =
        |method: &Method| matches!(method, Method::NoisyBayes { .. } | Method::SmoothHistogram { .. });
    let functional = |method: &Method| matches!(method, Method::Functional { .. } | Method::KNorm { .. });
    let of_bound = |bound: f64| {
        move |method: &Method| match method {
            Method::NoisyBayes { bound: own, .. } | Method::SmoothHistogram { bound: own, .. } => {
                *own == bound
            }
            Method::Functional { bound: own, .. } | Method::KNorm { bound: own } => *own == bound,
            _ => false,
        }
    };
    let rows = [
        (
            "the mechanism improves from depth 1 to 2 and from 2 to 5",
            everywhere(&|epsilon| {
                depth(epsilon, 1) > depth(epsilon, 2) && depth(epsilon, 2) > depth(epsilon, 5)
            }),
            figures(&|epsilon| REGRESSION_DEPTHS.map(|of| format!("{:.3}", depth(epsilon, of))).join(", ")),
        ),
        (
            "little change from depth 5 to unlimited (within a quarter)",
            everywhere(&|epsilon| (depth(epsilon, 30) / depth(epsilon, 5) - 1.0).abs() < 0.25),
            figures(&|epsilon| format!("{:.2}", depth(epsilon, 30) / depth(epsilon, 5))),
        ),
        (
            "with depth 5 or unlimited it outperforms the other two synthesis methods, whatever the bounds",
            everywhere(&|epsilon| {
                depth(epsilon, 5).max(depth(epsilon, 30)) < best(errors, epsilon, SLOPE, synthesis)
            }),
            figures(&|epsilon| {
                format!(
                    "{:.4} against {:.4}",
                    depth(epsilon, 5).max(depth(epsilon, 30)),
                    best(errors, epsilon, SLOPE, synthesis)
                )
            }),
        ),
        (
            "almost as good as the mechanisms that give coefficients only (within a factor of two)",
            everywhere(&|epsilon| {
                depth(epsilon, 5).min(depth(epsilon, 30)) < 2.0 * best(errors, epsilon, SLOPE, functional)
            }),
            figures(&|epsilon| {
                format!(
                    "{:.4} against {:.4}",
                    depth(epsilon, 5).min(depth(epsilon, 30)),
                    best(errors, epsilon, SLOPE, functional)
                )
            }),
        ),
        (
            "bounds of 10 standard deviations do worse than 4",
            everywhere(&|epsilon| {
                best(errors, epsilon, SLOPE, of_bound(10.0)) > best(errors, epsilon, SLOPE, of_bound(4.0))
            }),
            figures(&|epsilon| {
                format!(
                    "{:.4} against {:.4}",
                    best(errors, epsilon, SLOPE, of_bound(10.0)),
                    best(errors, epsilon, SLOPE, of_bound(4.0))
                )
            }),
        ),
    ];
    let rows = rows.map(|(claim, holds, figures)| vec![claim.to_owned(), holds.to_owned(), figures]);
    table(&["claim", "holds at every epsilon", "median errors of the slope, epsilon 0.25; 0.5; 1"], rows)
        + "\nThe chain's length and start, and the form of the noisy Bayes method, are reconstructions: a claim that does not hold here\n\
           need not be wrong of what the authors ran. Medians are compared, as a few chains that go astray decide the means.\n"
}

fn shown(errors: &[Errors]) -> String {
    let ours = |method: &Method| *method == Method::Ours(Ours::Default);
    let rival = |method: &Method| method.claims_privacy() && !matches!(method, Method::Ours(_));
    let row = |(coefficient, values, decimals): (&str, Values, usize)| {
        let mean = (values, mean as fn(&[f64]) -> f64);
        let holds = REGRESSION_EPSILONS
            .iter()
            .all(|&epsilon| best(errors, epsilon, mean, ours) < best(errors, epsilon, mean, rival));
        let figures = REGRESSION_EPSILONS.map(|epsilon| {
            format!(
                "{:.decimals$} against {:.decimals$}",
                best(errors, epsilon, mean, ours),
                best(errors, epsilon, mean, rival)
            )
        });
        vec![
            format!(
                "error of the {coefficient} below that of every private method of the paper, without bounds"
            ),
            yes(holds).to_owned(),
            figures.join("; "),
        ]
    };
    table(
        &[
            "claim",
            "holds at every epsilon",
            "mean errors, ours against the best of all others, epsilon 0.25; 0.5; 1",
        ],
        COEFFICIENTS.map(row),
    )
}
