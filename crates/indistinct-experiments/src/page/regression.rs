//! The regression study on the page.

use super::{Made, table, with_interval, yes};
use crate::intervals::Estimate;
use crate::methods::{Method, Ours};
use crate::paper::{REGRESSION_DEPTHS, REGRESSION_EPSILONS};
use crate::regression::Errors;

/// A mean error of one coefficient.
type Mean = fn(&Errors) -> Estimate;
const COEFFICIENTS: [(&str, Mean, usize); 2] =
    [("intercept", Errors::intercept, 4), ("slope", Errors::slope, 5)];

pub(super) fn section(errors: &[Errors], made: &Made) -> String {
    let simulations = errors.first().map_or(0, |errors| errors.slopes.len());
    let mut text = format!(
        "\n## Figure 2 and the appendix figure: linear regression\n\n\
         `indistinct reproduce regression --simulations {simulations} --seed {}`\n\n\
         Mean |estimate - estimate in the private table| of the regression of X2 on X1. Methods that make several tables are\n\
         averaged over ten; the functional and the K-norm mechanism give coefficients only. Bounds are multiples of the\n\
         standard deviation on either side of zero, given. The paper shows this study as figures without numbers, so what can\n\
         be compared is what it says about them.\n",
        made.seed
    );
    for (coefficient, mean, decimals) in COEFFICIENTS {
        text += &format!("\n### Mean error of the {coefficient}\n\n{}", means(errors, mean, decimals));
    }
    text += &format!("\n### What the paper says of it, and what we find\n\n{}", claims(errors));
    text += &format!("\n### What our certified default shows\n\n{}", shown(errors));
    text += &format!(
        "\n![Figure 2: mean errors over epsilon]({0}figure2.svg)\n\n*Figure 2.* The setting of every method whose slope is best at \
         epsilon 1.\n\n![Appendix figure: all errors]({0}appendix.svg)\n\n*Appendix figure.* All methods and settings.\n",
        made.figures
    );
    text
}

fn means(errors: &[Errors], mean: Mean, decimals: usize) -> String {
    let epsilons = REGRESSION_EPSILONS.map(|epsilon| format!("epsilon {epsilon}"));
    let header =
        [&["method"], &epsilons.each_ref().map(String::as_str)[..], &["guarantee of a release"]].concat();
    let mut methods: Vec<Method> = Vec::new();
    for errors in errors {
        if !methods.contains(&errors.method) {
            methods.push(errors.method);
        }
    }
    let row = |method: &Method| {
        let of_method = errors.iter().filter(|errors| errors.method == *method);
        let cells = of_method.map(|errors| with_interval(&mean(errors), decimals)).collect();
        [vec![method.name()], cells, vec![method.guarantee().to_owned()]].concat()
    };
    table(&header, methods.iter().map(row))
}

/// The least mean error among methods, at one epsilon.
fn best(errors: &[Errors], epsilon: f64, mean: Mean, wanted: impl Fn(&Method) -> bool) -> f64 {
    let found = errors.iter().filter(|errors| errors.epsilon == epsilon && wanted(&errors.method));
    found.map(|errors| mean(errors).value).fold(f64::INFINITY, f64::min)
}

fn claims(errors: &[Errors]) -> String {
    let depth = |epsilon: f64, depth: u32| {
        best(errors, epsilon, Errors::slope, |method| *method == Method::PmseMechanism { depth })
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
                depth(epsilon, 5).max(depth(epsilon, 30)) < best(errors, epsilon, Errors::slope, synthesis)
            }),
            figures(&|epsilon| {
                format!(
                    "{:.4} against {:.4}",
                    depth(epsilon, 5).max(depth(epsilon, 30)),
                    best(errors, epsilon, Errors::slope, synthesis)
                )
            }),
        ),
        (
            "almost as good as the mechanisms that give coefficients only (within a factor of two)",
            everywhere(&|epsilon| {
                depth(epsilon, 5).min(depth(epsilon, 30))
                    < 2.0 * best(errors, epsilon, Errors::slope, functional)
            }),
            figures(&|epsilon| {
                format!(
                    "{:.4} against {:.4}",
                    depth(epsilon, 5).min(depth(epsilon, 30)),
                    best(errors, epsilon, Errors::slope, functional)
                )
            }),
        ),
        (
            "bounds of 10 standard deviations do worse than 4",
            everywhere(&|epsilon| {
                best(errors, epsilon, Errors::slope, of_bound(10.0))
                    > best(errors, epsilon, Errors::slope, of_bound(4.0))
            }),
            figures(&|epsilon| {
                format!(
                    "{:.4} against {:.4}",
                    best(errors, epsilon, Errors::slope, of_bound(10.0)),
                    best(errors, epsilon, Errors::slope, of_bound(4.0))
                )
            }),
        ),
    ];
    let rows = rows.map(|(claim, holds, figures)| vec![claim.to_owned(), holds.to_owned(), figures]);
    table(&["claim", "holds at every epsilon", "mean errors of the slope, epsilon 0.25; 0.5; 1"], rows)
        + "\nThe chain's length and start, and the form of the noisy Bayes method, are reconstructions: a claim that does not hold here\n\
           need not be wrong of what the authors ran.\n"
}

fn shown(errors: &[Errors]) -> String {
    let ours = |method: &Method| *method == Method::Ours(Ours::Default);
    let rival = |method: &Method| method.claims_privacy() && !matches!(method, Method::Ours(_));
    let row = |(coefficient, mean, decimals): (&str, Mean, usize)| {
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
        &["claim", "holds at every epsilon", "ours against the best of all others, epsilon 0.25; 0.5; 1"],
        COEFFICIENTS.map(row),
    )
}
