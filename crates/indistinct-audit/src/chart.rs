//! The privacy curve as a figure: proven bounds, and the promise.

use indistinct_report::chart::{Axis, Chart, Marks, NEUTRAL, Panel, Point, Reference, Scale, Series};

use crate::audit::{Audited, CurvePoint};

/// The place of a delta of zero on the logarithmic axis.
const ZERO: f64 = 1e-7;
/// Points of the promised trade-off.
const STEPS: usize = 200;

/// Lower bounds on epsilon over delta, and the errors of the best guess beside those that the claim allows.
pub fn chart(audits: &[Audited]) -> Chart {
    Chart {
        title: "What an attacker can prove".to_owned(),
        description: "Left: lower bounds on epsilon over delta for every pair of neighbouring tables, and the epsilon that is \
                      promised. Right: how often the best statistic is wrong about either table, and the least errors that the \
                      promise allows."
            .to_owned(),
        panels: vec![curves(audits), trade_offs(audits)],
        across: 2,
    }
}

fn curves(audits: &[Audited]) -> Panel {
    let point = |point: &CurvePoint| {
        let (x, y) = (point.delta.max(ZERO), point.epsilon_lower_bound);
        Point { x, y, low: y, high: y }
    };
    let promised = audits.first().and_then(|audit| audit.claim.epsilon);
    Panel {
        title: "lower bound on epsilon".to_owned(),
        x: Axis { label: "delta (0 at the left end)".to_owned(), scale: Scale::Log },
        y: Axis { label: "epsilon is at least".to_owned(), scale: Scale::Linear },
        series: audits
            .iter()
            .enumerate()
            .map(|(colour, audit)| Series {
                name: audit.world.clone(),
                colour,
                marks: Marks::Line(audit.curve.iter().map(point).collect()),
            })
            .collect(),
        references: promised
            .map(|value| Reference { value, label: "promised".to_owned(), on_x: false })
            .into_iter()
            .collect(),
    }
}

fn trade_offs(audits: &[Audited]) -> Panel {
    let dots = |(colour, audit): (usize, &Audited)| Series {
        name: String::new(),
        colour,
        marks: Marks::Dots {
            points: audit.trade_off.iter().map(|(x, neighbour)| (*x, 1.0 - neighbour)).collect(),
            radius: 1.8,
            opacity: 0.8,
        },
    };
    let mut series: Vec<Series> = audits.iter().enumerate().map(dots).collect();
    if let Some((epsilon, delta)) =
        audits.first().and_then(|audit| Some((audit.claim.epsilon?, audit.claim.delta)))
    {
        // A test that is wrong about X with probability a is wrong about the neighbour with at least this one.
        let least =
            |a: f64| (1.0 - delta - epsilon.exp() * a).max((-epsilon).exp() * (1.0 - delta - a)).max(0.0);
        let points = (0..=STEPS).map(|step| step as f64 / STEPS as f64);
        let limits = points.flat_map(|a| [(a, least(a)), (a, 1.0 - least(1.0 - a))]);
        series.push(Series {
            name: "allowed by the promise".to_owned(),
            colour: NEUTRAL,
            marks: Marks::Dots { points: limits.collect(), radius: 0.9, opacity: 0.9 },
        });
    }
    Panel {
        title: "errors of the best guess".to_owned(),
        x: Axis { label: "takes X for its neighbour".to_owned(), scale: Scale::Linear },
        y: Axis { label: "takes the neighbour for X".to_owned(), scale: Scale::Linear },
        series,
        references: Vec::new(),
    }
}
