//! Charts as their readers meet them: documents that parse, marks within frames, text that does not overlap.

#[path = "chart/invented.rs"]
mod invented;
#[path = "chart/seen.rs"]
mod seen;

use indistinct_report::chart::{
    Axis, Bar, BoxSummary, Chart, HeatCell, HeatMap, Marks, Panel, Point, Reference, Scale, Series, Strip,
    StripPart, TreeBranch, TreeChart, TreeNode,
};
use invented::{Invented, axis, boxes, differences, errors};
use proptest::prelude::*;
use roxmltree::Document;
use seen::{assert_marks_in_frames, assert_text_is_readable};

const DEPTHS: [(&str, f64); 4] =
    [("depth 1", 0.0), ("depth 2", 0.005), ("depth 5", 0.02), ("unlimited", 0.025)];

/// The figures are left in `target/tmp` for people to look at.
#[test]
fn figures_are_sound() {
    let eight = [DEPTHS, DEPTHS].concat();
    let mut standing = boxes(12);
    for panel in &mut standing.panels {
        std::mem::swap(&mut panel.x, &mut panel.y);
        panel.references.iter_mut().for_each(|line| line.on_x = false);
    }
    let mut long = errors(12);
    for panel in &mut long.panels {
        let line = |value, label: &str, on_x| Reference { value, label: label.repeat(4), on_x };
        panel.references = vec![line(0.5, "half of it ", false), line(0.51, "a little more ", false)];
        panel.references.extend([line(0.9, "nearly one ", true), line(1.0, "one ", true)]);
        panel.title = panel.title.repeat(12);
        panel.series.iter_mut().for_each(|series| series.name = series.name.repeat(3));
    }
    long.title = long.title.repeat(5);
    let figures: [(&str, Chart); 7] = [
        ("differences", differences(&DEPTHS, 2500)),
        ("differences-eight", differences(&eight, 1000)),
        ("errors", errors(12)),
        ("errors-few", errors(5)),
        ("boxes", boxes(40)),
        ("boxes-standing", standing),
        ("errors-long", long),
    ];
    for (name, figure) in figures {
        let svg = figure.to_svg();
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.svg"));
        std::fs::write(path, &svg).unwrap();
        let document = Document::parse(&svg).unwrap();
        assert_eq!(assert_marks_in_frames(&document), figure.panels.len(), "{name}");
        assert_text_is_readable(&document);
        assert_eq!(svg, figure.to_svg(), "{name}");
    }
}

fn bar(from: f64, to: f64, value: f64) -> Bar {
    Bar { from, to, value, reach: None, hover: format!("from {from} to {to}: {value}") }
}

#[test]
fn bars_grow_from_the_side_of_the_frame() {
    let rects = |svg: &str| {
        let document = Document::parse(svg).unwrap();
        assert_marks_in_frames(&document);
        assert_text_is_readable(&document);
        let solid = document.descendants().filter(|node| node.attribute("class") == Some("ic-solid"));
        let number =
            |node: roxmltree::Node, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let rect = |node| ["x", "y", "width", "height"].map(|name| number(node, name));
        // The first are samples of the legend.
        let all: Vec<[f64; 4]> = solid.map(rect).collect();
        let frame =
            document.descendants().find(|n| n.attribute("class") == Some("ic-axis ic-frame")).unwrap();
        (all, frame.attribute("d").unwrap().to_owned())
    };
    let marks = || vec![Marks::Bars(vec![bar(0.0, 1.0, 2.0), bar(1.0, 2.0, 4.0)])];
    let (standing, frame) =
        rects(&one_panel(Scale::Linear, Scale::Linear, marks()).to_inline_svg(400.0, 150.0));
    let bottom: f64 = frame.split(['V', 'H']).nth(1).unwrap().parse().unwrap();
    let [first, second] = [standing[1], standing[2]];
    assert!((first[1] + first[3] - bottom).abs() < 0.11 && (second[1] + second[3] - bottom).abs() < 0.11);
    assert!((second[3] - 2.0 * first[3]).abs() < 0.21, "twice the value is twice as high");
    assert!((first[0] + first[2] - second[0]).abs() < 0.11, "they touch");
    let names = Scale::Categories(vec!["a".into(), "b".into()]);
    let lying = vec![Marks::Bars(vec![bar(-0.4, 0.4, 2.0), bar(0.6, 1.4, 4.0)])];
    let (lying, frame) = rects(&one_panel(Scale::Linear, names, lying).to_inline_svg(400.0, 150.0));
    let left: f64 = frame[1..].split(' ').next().unwrap().parse().unwrap();
    assert!((lying[1][0] - left).abs() < 0.11 && (lying[2][2] - 2.0 * lying[1][2]).abs() < 0.21);
}

#[test]
fn unnamed_series_have_their_own_colours() {
    let mut chart =
        one_panel(Scale::Linear, Scale::Linear, vec![dots(vec![(0.0, 0.0)]), dots(vec![(1.0, 1.0)])]);
    chart.panels[0].series.iter_mut().for_each(|series| series.name.clear());
    let svg = chart.to_svg();
    assert!(svg.contains("<g class=\"ic-c0\">") && svg.contains("<g class=\"ic-c1\">"), "{svg}");
}

fn heat(names: usize, full: f64) -> HeatMap {
    let mut random = Invented::new(4);
    let cells = (0..names).flat_map(|a| (0..=a).map(move |b| (a, b))).map(|(a, b)| HeatCell {
        names: (a, b),
        value: random.uniform(),
        hover: format!("{a} and {b}"),
    });
    HeatMap {
        title: "How strongly columns depend on each other".into(),
        description: "Association.".into(),
        cells: cells.collect(),
        names: (0..names).map(|name| format!("a column named {name}")).collect(),
        full,
        label: "none to one".into(),
    }
}

#[test]
fn heat_maps_are_sound() {
    for (names, full) in [(1, 1.0), (4, 0.5), (12, 1.0), (40, 0.0)] {
        let svg = heat(names, full).to_inline_svg(540.0);
        let document = Document::parse(&svg).unwrap();
        assert_eq!(assert_marks_in_frames(&document), 1);
        assert_text_is_readable(&document);
        let marks = document.descendants().find(|node| node.attribute("class") == Some("ic-marks")).unwrap();
        let tiles = marks.descendants().filter(|node| node.has_tag_name("rect")).count();
        assert_eq!(tiles, names * (names + 1) / 2);
        assert_eq!(svg, heat(names, full).to_inline_svg(540.0));
    }
    let mut colours = heat(2, 0.5);
    colours.cells[0].value = 0.25;
    colours.cells[1].value = 7.0;
    colours.cells[2].value = f64::NAN;
    let svg = colours.to_inline_svg(540.0);
    assert!(svg.contains("fill-opacity=\"0.5\"") && svg.contains("fill-opacity=\"1\""));
    assert!(!svg.contains("NaN"));
}

#[test]
fn a_strip_is_divided_in_proportion() {
    let part = |value, kind| StripPart { value, kind, hover: format!("{value}") };
    let strip = |parts| Strip {
        title: "a whole".into(),
        description: String::new(),
        parts,
        kinds: vec![(0, "one".into()), (1, "another kind of part".repeat(12))],
    };
    let svg = strip(vec![part(1.0, 0), part(f64::NAN, 1), part(3.0, 1), part(-1.0, 0)]).to_inline_svg(428.0);
    let document = Document::parse(&svg).unwrap();
    assert_eq!(assert_marks_in_frames(&document), 1);
    assert_text_is_readable(&document);
    let marks = document.descendants().find(|node| node.attribute("class") == Some("ic-marks")).unwrap();
    let widths: Vec<&str> = marks.descendants().filter_map(|node| node.attribute("width")).collect();
    assert_eq!(widths, ["100", "300"]);
    Document::parse(&strip(vec![]).to_inline_svg(300.0)).unwrap();
    assert!(!strip(vec![part(f64::MAX, 0), part(f64::MAX, 1)]).to_inline_svg(300.0).contains("NaN"));
}

fn tree(depth: usize) -> TreeChart {
    let inner = (1 << depth) - 1;
    let node = |place: usize| TreeNode {
        heading: format!("node {place}"),
        detail: "half of one".into(),
        share: place as f64 / 40.0,
        hover: String::new(),
        branches: if place < inner {
            [1, 2].map(|k| TreeBranch { condition: "one and one".into(), to: 2 * place + k }).into()
        } else {
            vec![]
        },
        more: if place == inner { "and one".into() } else { String::new() },
    };
    TreeChart {
        title: "a tree".into(),
        description: String::new(),
        nodes: (0..=2 * inner).map(node).collect(),
    }
}

#[test]
fn trees_are_sound() {
    for depth in 0..5 {
        let svg = tree(depth).to_inline_svg();
        let document = Document::parse(&svg).unwrap();
        assert_eq!(assert_marks_in_frames(&document), 1);
        assert_text_is_readable(&document);
        let boxes = document.descendants().filter(|node| node.attribute("class") == Some("ic-node")).count();
        assert_eq!(boxes, (1 << (depth + 1)) - 1);
        assert_eq!(svg, tree(depth).to_inline_svg());
    }
    // Branches that lead nowhere, back or to one box twice are not followed.
    let mut odd = tree(1);
    odd.nodes[1].branches = [0, 1, 2, 99].map(|to| TreeBranch { condition: String::new(), to }).into();
    odd.nodes[2].share = f64::NAN;
    let svg = odd.to_inline_svg();
    assert!(!svg.contains("NaN"));
    Document::parse(&svg).unwrap();
    Document::parse(&TreeChart { nodes: vec![], ..tree(0) }.to_inline_svg()).unwrap();
}

#[test]
fn a_chart_in_a_page_has_no_style_of_its_own() {
    let svg = errors(3).to_inline_svg(500.0, 200.0);
    assert!(!svg.contains("<style>") && errors(3).to_svg().contains("<style>"));
    assert_marks_in_frames(&Document::parse(&svg).unwrap());
}

#[test]
fn thousands_of_dots_stay_small() {
    let size = differences(&DEPTHS, 2500).to_svg().len();
    assert!(size < 180_000, "{size}");
}

#[test]
fn names_and_numbers_are_there_once() {
    let svg = errors(12).to_svg();
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<&str> =
        document.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
    assert_eq!(texts.iter().filter(|text| **text == "noisy Bayes").count(), 1);
    assert_eq!(texts.iter().filter(|text| **text == "ε").count(), 1);
    // The few values of the axis are its labels, in both panels.
    assert_eq!(texts.iter().filter(|text| **text == "0.25").count(), 2);
    let hovers = document.descendants().filter(|n| n.has_tag_name("title")).count();
    assert_eq!(hovers, 1 + 2 * 12 * 5);
    assert!(svg.contains("noisy Bayes\nε: 0.25\nmean |error|: "));
}

fn one_panel(x: Scale, y: Scale, marks: Vec<Marks>) -> Chart {
    let series = marks.into_iter().enumerate();
    let series = series.map(|(colour, marks)| Series { name: format!("series {colour}"), colour, marks });
    let panel = Panel {
        title: "t".into(),
        x: axis("x", x),
        y: axis("y", y),
        series: series.collect(),
        references: vec![],
    };
    Chart { title: "title".into(), description: "About.".into(), panels: vec![panel], across: 1 }
}

fn dots(points: Vec<(f64, f64)>) -> Marks {
    Marks::Dots { points, radius: 2.0, opacity: 1.0 }
}

#[test]
fn what_cannot_be_drawn_is_counted() {
    let points = vec![(1.0, 1.0), (f64::NAN, 1.0), (1.0, 0.0), (f64::INFINITY, -1.0)];
    let bar = Point { x: 1.0, y: 1.0, low: -0.5, high: 2.0 };
    let svg = one_panel(Scale::Linear, Scale::Log, vec![dots(points), Marks::Line(vec![bar])]).to_svg();
    assert!(
        svg.contains("About. 5 values are not drawn: they are not finite or not on their axes."),
        "{svg}"
    );
    let summary = BoxSummary::of(0.0, &[1.0, 2.0, f64::NAN]).unwrap();
    let categories = Scale::Categories(vec!["a".into()]);
    let svg = one_panel(Scale::Linear, categories, vec![Marks::Boxes(vec![summary])]).to_svg();
    assert!(svg.contains("About. 1 value is not drawn"));
    assert!(one_panel(Scale::Linear, Scale::Linear, vec![]).to_svg().contains(">About.<"));
}

#[test]
fn nothing_to_draw_is_an_empty_frame() {
    let scales = [
        Scale::Linear,
        Scale::Log,
        Scale::SymmetricLog { linear_within: f64::NAN },
        Scale::Categories(vec![]),
    ];
    for x in &scales {
        for y in &scales {
            let marks = vec![dots(vec![]), Marks::Line(vec![]), Marks::Boxes(vec![])];
            let svg = one_panel(x.clone(), y.clone(), marks).to_svg();
            assert_eq!(assert_marks_in_frames(&Document::parse(&svg).unwrap()), 1);
        }
    }
    let nothing = Chart { title: String::new(), description: String::new(), panels: vec![], across: 0 };
    Document::parse(&nothing.to_svg()).unwrap();
}

#[test]
fn ids_are_of_the_content() {
    let id = |chart: &Chart| {
        let svg = chart.to_svg();
        let document = Document::parse(&svg).unwrap();
        let names = document.root_element().attribute("aria-labelledby").unwrap().to_owned();
        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        assert_eq!(ids.join(" "), names);
        names
    };
    assert_eq!(id(&errors(3)), id(&errors(3)));
    assert_ne!(id(&errors(3)), id(&errors(4)));
}

#[test]
fn panels_share_a_range_if_their_axes_are_equal() {
    let panel = |y: &str, height: f64| Panel {
        title: String::new(),
        x: axis("x", Scale::Linear),
        y: axis(y, Scale::Linear),
        series: vec![Series { name: String::new(), colour: 0, marks: dots(vec![(0.0, 0.0), (1.0, height)]) }],
        references: vec![],
    };
    let paths = |panels: Vec<Panel>| {
        let svg = Chart { title: String::new(), description: String::new(), panels, across: 2 }.to_svg();
        let document = Document::parse(&svg).unwrap();
        let dots = document.descendants().filter(|node| node.attribute("class") == Some("ic-dots"));
        let highest = |d: &str| {
            d.split(['M', 'h']).filter_map(|p| p.split_once(' ')?.1.parse::<f64>().ok()).fold(1e9, f64::min)
        };
        dots.filter_map(|node| node.attribute("d")).map(highest).collect::<Vec<f64>>()
    };
    let shared = paths(vec![panel("y", 1.0), panel("y", 10.0)]);
    assert!(shared[0] > shared[1] + 100.0, "{shared:?}");
    let own = paths(vec![panel("y", 1.0), panel("z", 10.0)]);
    assert_eq!(own[0], own[1]);
}

/// Words, and anything else.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[abcdeghnopqsuvxyz]{1,9}( [abcdeghnopqsuvxyz]{1,9}){0,5}", ".{0,40}"]
}

fn scales() -> impl Strategy<Value = Scale> {
    prop_oneof![
        Just(Scale::Linear),
        Just(Scale::Log),
        (-320i32..320).prop_map(|k| Scale::SymmetricLog { linear_within: 10f64.powi(k) }),
        proptest::collection::vec(text(), 0..20).prop_map(Scale::Categories),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    let odd =
        vec![0.0, f64::NAN, f64::INFINITY, f64::MAX, f64::MIN, 5e-324, f64::MIN_POSITIVE, 1e300, 1e-300, 1.0];
    prop_oneof![3 => any::<f64>(), 4 => -3.0..20.0, 2 => (0.0..1e-12).prop_map(|x| 1.0 + x), 2 => proptest::sample::select(odd)]
}

fn marks() -> impl Strategy<Value = Marks> {
    let many = 0..6usize;
    prop_oneof![
        (proptest::collection::vec((number(), number()), many.clone()), number(), number())
            .prop_map(|(points, radius, opacity)| Marks::Dots { points, radius, opacity }),
        proptest::collection::vec([number(), number(), number(), number()], many.clone()).prop_map(
            |points| Marks::Line(
                points.into_iter().map(|[x, y, low, high]| Point { x, y, low, high }).collect()
            )
        ),
        proptest::collection::vec(
            ([number(), number(), number()], proptest::option::of([number(), number()]), text()),
            many.clone()
        )
        .prop_map(|bars| {
            let bar = |([from, to, value], reach, hover): ([f64; 3], Option<[f64; 2]>, String)| Bar {
                from,
                to,
                value,
                reach,
                hover,
            };
            Marks::Bars(bars.into_iter().map(bar).collect())
        }),
        proptest::collection::vec((number(), proptest::collection::vec(number(), 1..8)), many).prop_map(
            |samples| {
                Marks::Boxes(
                    samples
                        .into_iter()
                        .filter_map(|(at, values)| BoxSummary::of(at.round(), &values))
                        .collect(),
                )
            }
        ),
    ]
}

fn panels() -> impl Strategy<Value = Panel> {
    let series = proptest::collection::vec((text(), 0usize..20, marks()), 0..4);
    let references = proptest::collection::vec((number(), text(), any::<bool>()), 0..4);
    (text(), [text(), text()], [scales(), scales()], series, references).prop_map(
        |(title, [across, up], [x, y], series, references)| Panel {
            title,
            x: Axis { label: across, scale: x },
            y: Axis { label: up, scale: y },
            series: series.into_iter().map(|(name, colour, marks)| Series { name, colour, marks }).collect(),
            references: references
                .into_iter()
                .map(|(value, label, on_x)| Reference { value, label, on_x })
                .collect(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn anything_is_drawn_within_its_frame(
        title in text(), description in text(),
        panels in proptest::collection::vec(panels(), 0..5), across in 0usize..4,
    ) {
        let chart = Chart { title, description, panels, across };
        let svg = chart.to_svg();
        let document = Document::parse(&svg).unwrap();
        prop_assert_eq!(assert_marks_in_frames(&document), chart.panels.len());
        assert_text_is_readable(&document);
        prop_assert_eq!(&svg, &chart.to_svg());
    }

    #[test]
    fn anything_is_drawn_in_a_page_too(
        names in proptest::collection::vec(text(), 0..12), values in proptest::collection::vec(number(), 30),
        full in number(), title in text(), panel in panels(),
    ) {
        let places = names.len().max(1);
        let cells = values.iter().enumerate().map(|(place, &value)| HeatCell {
            names: (place % places, place / places), value, hover: title.clone(),
        });
        let map = HeatMap {
            title: title.clone(), description: title.clone(), cells: cells.collect(), names: names.clone(), full,
            label: title.clone(),
        };
        let parts = values.iter().enumerate().map(|(kind, &value)| StripPart { value, kind, hover: title.clone() });
        let strip = Strip {
            title: title.clone(), description: String::new(), parts: parts.collect(),
            kinds: names.iter().cloned().enumerate().collect(),
        };
        let nodes = values.iter().enumerate().map(|(place, &share)| TreeNode {
            heading: title.clone(), detail: title.clone(), share, hover: title.clone(), more: String::new(),
            branches: names.iter().enumerate().map(|(k, name)| TreeBranch {
                condition: name.clone(), to: place * 2 + k,
            }).collect(),
        });
        let tree = TreeChart { title: title.clone(), description: String::new(), nodes: nodes.collect() };
        let chart = Chart { title: title.clone(), description: title, panels: vec![panel], across: 1 };
        for svg in [
            map.to_inline_svg(540.0), strip.to_inline_svg(400.0), tree.to_inline_svg(), chart.to_inline_svg(346.0, 150.0),
        ] {
            let document = Document::parse(&svg).unwrap();
            prop_assert_eq!(assert_marks_in_frames(&document), 1);
            prop_assert!(!svg.contains("\"NaN\"") && !svg.contains("\"inf\""));
        }
    }
}
