//! Figures of the kinds that the project draws, with invented numbers.

use indistinct_report::chart::{
    Axis, BoxSummary, Chart, Marks, NEUTRAL, Panel, Point, Reference, Scale, Series,
};

/// Uniform numbers that are the same every time.
pub(crate) struct Invented(u64);

impl Invented {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

pub(crate) fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.to_owned(), scale }
}

/// Differences of pMSE between neighbouring tables, one panel for each depth.
pub(crate) fn differences(depths: &[(&str, f64)], points: usize) -> Chart {
    let mut random = Invented::new(1);
    let n = 5000.0;
    let lines = [(1.0 / n, "1/n"), (0.5 / n, "1/(2n)"), (-0.5 / n, "−1/(2n)"), (-1.0 / n, "−1/n")];
    let panels = depths.iter().map(|&(title, share)| {
        let (mut within, mut beyond) = (Vec::new(), Vec::new());
        for place in 0..points {
            let x = place as f64 + random.uniform();
            let sign = if random.uniform() < 0.5 { -1.0 } else { 1.0 };
            if random.uniform() < share {
                beyond.push((x, sign * 10f64.powf(-3.7 + 2.2 * random.uniform().powi(2))));
            } else {
                let size = 1e-4 * random.uniform().powf(0.8);
                within.push((x, sign * size));
            }
        }
        let series = |name: &str, colour, points, radius, opacity| Series {
            name: name.to_owned(),
            colour,
            marks: Marks::Dots { points, radius, opacity },
        };
        Panel {
            title: title.to_owned(),
            x: axis("simulation", Scale::Linear),
            y: axis("difference of pMSE, u(X) − u(X′)", Scale::SymmetricLog { linear_within: 1e-4 }),
            series: vec![
                series("within ±1/n", NEUTRAL, within, 0.9, 0.5),
                series("beyond ±1/n", 1, beyond, 2.0, 0.9),
            ],
            references: lines
                .iter()
                .map(|&(value, label)| Reference { value, label: label.to_owned(), on_x: false })
                .collect(),
        }
    });
    Chart {
        title: "How far one row moves the pMSE of a tree".to_owned(),
        description: "Differences of pMSE between neighbouring tables, by depth of the tree.".to_owned(),
        panels: panels.collect(),
        across: 4,
    }
}

pub(crate) const METHODS: [&str; 12] = [
    "pMSE mechanism, zoom",
    "pMSE mechanism, measure",
    "pMSE mechanism, Metropolis (no proof)",
    "noisy Bayes",
    "noisy Bayes, floored",
    "smooth histogram, as printed",
    "smooth histogram, as published",
    "functional mechanism",
    "K-norm, l∞",
    "posterior predictive, not private",
    "private tree",
    "private-PGM",
];

/// Mean absolute errors of two coefficients over epsilon.
pub(crate) fn errors(methods: usize) -> Chart {
    let mut random = Invented::new(2);
    let panels = ["intercept", "slope"].map(|title| {
        let series = METHODS.iter().take(methods).enumerate().map(|(method, name)| {
            let (level, power) = (
                0.02 * 1.6f64.powi(method as i32) * (0.7 + 0.6 * random.uniform()),
                -0.3 - 0.7 * random.uniform(),
            );
            let points = [0.25, 0.5, 1.0, 2.0, 4.0].map(|epsilon: f64| {
                let y = level
                    * epsilon.powf(if method == 9 { 0.0 } else { power })
                    * (0.9 + 0.2 * random.uniform());
                Point { x: epsilon, y, low: y * 0.86, high: y * 1.16 }
            });
            Series { name: (*name).to_owned(), colour: method, marks: Marks::Line(points.to_vec()) }
        });
        Panel {
            title: title.to_owned(),
            x: axis("ε", Scale::Log),
            y: axis("mean |error|", Scale::Log),
            series: series.collect(),
            references: Vec::new(),
        }
    });
    Chart {
        title: "Error of regression coefficients from synthetic tables".to_owned(),
        description: "Mean absolute error of intercept and slope over epsilon.".to_owned(),
        panels: panels.to_vec(),
        across: 2,
    }
}

/// Box plots of errors for settings of several methods.
pub(crate) fn boxes(settings: usize) -> Chart {
    let mut random = Invented::new(3);
    let method = |setting: usize| setting * 5 / settings;
    let names: Vec<String> = (0..settings)
        .map(|setting| {
            let kind = ["pMSE", "noisy Bayes", "smooth histogram", "functional", "K-norm"][method(setting)];
            format!("{kind}, depth {}, l = {}", setting % 4 + 1, [1, 10][setting % 2])
        })
        .collect();
    let mut panels = Vec::new();
    for coefficient in ["intercept", "slope"] {
        for epsilon in ["0.5", "1", "2"] {
            let series = (0..5).map(|kind| {
                let boxes = (0..settings).filter(|&setting| method(setting) == kind).filter_map(|setting| {
                    let level = -1.5 + kind as f64 * 0.3 + 0.3 * random.uniform();
                    let values: Vec<f64> =
                        (0..100).map(|_| 10f64.powf(level + 0.35 * random.normal())).collect();
                    BoxSummary::of(setting as f64, &values)
                });
                let name =
                    ["pMSE mechanism", "noisy Bayes", "smooth histogram", "functional mechanism", "K-norm"];
                Series { name: name[kind].to_owned(), colour: kind, marks: Marks::Boxes(boxes.collect()) }
            });
            panels.push(Panel {
                title: format!("{coefficient}, ε = {epsilon}"),
                x: axis("|error|", Scale::Log),
                y: axis("", Scale::Categories(names.clone())),
                series: series.collect(),
                references: vec![Reference { value: 0.02, label: "without privacy".to_owned(), on_x: true }],
            });
        }
    }
    Chart {
        title: "Errors of every setting".to_owned(),
        description: "Box plots of absolute errors for every setting of every method.".to_owned(),
        panels,
        across: 3,
    }
}
