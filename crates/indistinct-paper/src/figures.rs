//! The paper's figures, drawn from our results.

use indistinct_report::chart::{
    Axis, BoxSummary, Chart, Marks, NEUTRAL, Panel, Point, Reference, Scale, Series,
};

use crate::intervals::Estimate;
use crate::methods::Method;
use crate::paper;
use crate::regression::{Errors, Values};
use crate::table1::simulation::{COMPLEXITIES, DEPTHS};
use crate::table1::{PAPER_BOUND, TIGHT_BOUND, Table1};
use crate::table2::Table2;

/// Errors of coefficients beyond this are drawn as this: twenty times the slope, all of them as useless.
pub const LARGEST_ERROR: f64 = 10.0;

/// Figure 1: differences by depth, violations darker, both bounds drawn.
pub fn figure1(table: &Table1) -> Chart {
    let settings = COMPLEXITIES.iter().flat_map(|&cp| DEPTHS.map(|depth| (cp, depth)));
    let panel = |(cell, (cp, depth)): (usize, (f64, u32))| {
        let points = table
            .shown
            .iter()
            .enumerate()
            .map(|(place, differences)| (place as f64 + 1.0, differences[cell]));
        let (beyond, within): (Vec<_>, Vec<_>) =
            points.partition(|(_, difference)| difference.abs() > PAPER_BOUND);
        let dots = |name: &str, colour, points, radius, opacity| Series {
            name: name.to_owned(),
            colour,
            marks: Marks::Dots { points, radius, opacity },
        };
        let bound = |value: f64, label: &str| Reference { value, label: label.to_owned(), on_x: false };
        Panel {
            title: format!("depth {}, cp {cp}", depth_name(depth)),
            x: Axis { label: "simulation".to_owned(), scale: Scale::Linear },
            y: Axis {
                label: "u(X) - u(X')".to_owned(),
                scale: Scale::SymmetricLog { linear_within: TIGHT_BOUND },
            },
            series: vec![
                dots("within 1/n", NEUTRAL, within, 0.9, 0.5),
                dots("beyond 1/n", 1, beyond, 2.0, 1.0),
            ],
            references: vec![
                bound(PAPER_BOUND, "1/n"),
                bound(TIGHT_BOUND, "1/2n"),
                bound(-TIGHT_BOUND, "-1/2n"),
                bound(-PAPER_BOUND, "-1/n"),
            ],
        }
    };
    Chart {
        title: "How far one row moves the pMSE of a greedy tree".to_owned(),
        description: format!(
            "Differences of the pMSE between neighbouring tables in the first {} simulations, for trees of depth 1, 2, 5 and \
             unlimited and two complexity parameters. Deeper trees exceed the bounds more often.",
            table.shown.len()
        ),
        panels: settings.enumerate().map(panel).collect(),
        across: DEPTHS.len(),
    }
}

/// The figure of table 2: mean pMSE over epsilon.
pub fn table2(table: &Table2) -> Chart {
    let lines = &table.lines;
    let ours = lines.iter().enumerate().map(|(colour, line)| Series {
        name: line.method.family().to_owned(),
        colour,
        marks: Marks::Line(line.cells.iter().map(|cell| point(cell.epsilon, &cell.mean)).collect()),
    });
    let published = lines.iter().enumerate().filter_map(|(colour, line)| {
        let points =
            line.cells.iter().map(|cell| Some((cell.epsilon, cell.paper?.0))).collect::<Option<_>>()?;
        let name = if colour == 0 { "published" } else { "" }.to_owned();
        Some(Series { name, colour, marks: Marks::Dots { points, radius: 4.0, opacity: 0.6 } })
    });
    Chart {
        title: "Mean pMSE of released tables".to_owned(),
        description:
            "Mean pMSE over epsilon for every method, and the published means as dots. Lower is better."
                .to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis { label: "epsilon".to_owned(), scale: Scale::Log },
            y: Axis { label: "mean pMSE".to_owned(), scale: Scale::Log },
            series: published.chain(ours).collect(),
            references: Vec::new(),
        }],
        across: 1,
    }
}

/// Figure 2: mean errors over epsilon, for the best setting of every family.
pub fn figure2(errors: &[Errors]) -> Chart {
    let best = best_settings(errors);
    let panel = |(title, values): (&str, Values)| Panel {
        title: title.to_owned(),
        x: Axis { label: "epsilon".to_owned(), scale: Scale::Log },
        y: Axis { label: format!("mean |error| of the {title}"), scale: Scale::Log },
        series: best
            .iter()
            .enumerate()
            .map(|(colour, method)| Series {
                name: method.name(),
                colour,
                marks: Marks::Line(
                    errors
                        .iter()
                        .filter(|errors| errors.method == *method)
                        .map(|errors| point(errors.epsilon, &Estimate::mean(&capped(values(errors)))))
                        .collect(),
                ),
            })
            .collect(),
        references: Vec::new(),
    };
    Chart {
        title: "Error of regression coefficients".to_owned(),
        description: "Mean absolute error of intercept and slope over epsilon, for the setting of every method whose slope is \
                      best at epsilon 1. Errors above 10 count as 10. Lower is better."
            .to_owned(),
        panels: COEFFICIENTS.into_iter().map(panel).collect(),
        across: 2,
    }
}

/// The appendix figure: box plots of all errors.
pub fn appendix(errors: &[Errors]) -> Chart {
    let mut methods: Vec<Method> = Vec::new();
    for errors in errors {
        if !methods.contains(&errors.method) {
            methods.push(errors.method);
        }
    }
    let families = families(&methods);
    let names: Vec<String> = methods.iter().map(Method::name).collect();
    let panel = |(title, epsilon, values): (&str, f64, Values)| Panel {
        title: format!("{title}, epsilon {epsilon}"),
        x: Axis { label: format!("|error| of the {title}"), scale: Scale::Log },
        y: Axis { label: String::new(), scale: Scale::Categories(names.clone()) },
        series: families
            .iter()
            .enumerate()
            .map(|(colour, family)| {
                let boxes = errors.iter().filter(|errors| errors.epsilon == epsilon).filter_map(|errors| {
                    let at = methods.iter().position(|method| *method == errors.method)?;
                    let same = errors.method.family() == *family;
                    same.then(|| BoxSummary::of(at as f64, &capped(values(errors))))?
                });
                Series { name: String::new(), colour, marks: Marks::Boxes(boxes.collect()) }
            })
            .collect(),
        references: Vec::new(),
    };
    let cells = COEFFICIENTS
        .into_iter()
        .flat_map(|(title, values)| paper::REGRESSION_EPSILONS.map(|epsilon| (title, epsilon, values)));
    Chart {
        title: "Errors of regression coefficients, all settings".to_owned(),
        description: "Box plots of the absolute errors of intercept and slope for every method, depth and bound at three \
                      epsilons. Errors above 10 are drawn as 10."
            .to_owned(),
        panels: cells.map(panel).collect(),
        across: paper::REGRESSION_EPSILONS.len(),
    }
}

/// Both coefficients of the regression.
const COEFFICIENTS: [(&str, Values); 2] =
    [("intercept", |errors| &errors.intercepts), ("slope", |errors| &errors.slopes)];

fn capped(errors: &[f64]) -> Vec<f64> {
    errors.iter().map(|error| error.min(LARGEST_ERROR)).collect()
}

/// Of every family the setting with the least error of the slope at the largest epsilon.
pub fn best_settings(errors: &[Errors]) -> Vec<Method> {
    let last = paper::REGRESSION_EPSILONS[paper::REGRESSION_EPSILONS.len() - 1];
    let last: Vec<&Errors> = errors.iter().filter(|errors| errors.epsilon == last).collect();
    let methods: Vec<Method> = last.iter().map(|errors| errors.method).collect();
    let best = |family: &&str| {
        let of_family = last.iter().filter(|errors| errors.method.family() == *family);
        of_family.min_by(|a, b| a.slope().value.total_cmp(&b.slope().value)).map(|errors| errors.method)
    };
    families(&methods).iter().filter_map(best).collect()
}

fn families(methods: &[Method]) -> Vec<&'static str> {
    let mut families = Vec::new();
    for method in methods {
        if !families.contains(&method.family()) {
            families.push(method.family());
        }
    }
    families
}

pub(crate) fn depth_name(depth: u32) -> String {
    if depth == 30 { "unlimited".to_owned() } else { depth.to_string() }
}

fn point(x: f64, estimate: &Estimate) -> Point {
    Point { x, y: estimate.value, low: estimate.low, high: estimate.high }
}
