//! Agreement with rpart on small tables that mix types and ties: `golden/make_rpart_mixed.R` made them.
//!
//! Class trees must be the same without exception, and so must anova trees of columns without equal values. With
//! equal values rpart's anova adds up deviations in the order of its unstable sort; where two gains, or a complexity
//! and cp, are *exactly* the same, the rounding of that sum decides. Such differences must be rare.
//!
//! `RPART_MIXED=FILE` runs another file of the same make, of any length.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use indistinct::discriminator::Predictor;
use indistinct::discriminator::cart::{self, CartMethod, CartOptions, Presorted, Question, Workspace};
use serde_json::Value;

/// A node as rpart tells it: number, rows, synthetic rows, column or `<leaf>`, complexity, and the split: its threshold,
/// or for each level -1 (left), 1 (right) or 0 (not in the node).
type Node = (u64, u32, u32, String, f64, Vec<f64>);

fn describe(node: &cart::Node) -> Node {
    let (column, split) = match &node.split {
        None => ("<leaf>".to_owned(), Vec::new()),
        Some(split) => (
            format!("x{}", split.predictor + 1),
            match &split.question {
                Question::Below { threshold, .. } => vec![*threshold],
                Question::OneOf { left } => left.iter().map(|&left| if left { -1.0 } else { 1.0 }).collect(),
            },
        ),
    };
    (node.id, node.rows, node.synthetic, column, node.complexity, split)
}

/// Whether the same rows go the same way, as far as rpart says: it tells the splits of an ordered factor by level.
fn same_split(ours: &Node, theirs: &Node) -> bool {
    ours.3 == theirs.3
        && match (ours.5.as_slice(), theirs.5.as_slice()) {
            ([ours], [theirs]) => (ours - theirs).abs() <= 1e-9 * theirs.abs(),
            ([threshold], levels) => {
                // A level that is the threshold itself is not in the node: rpart may show it on either side.
                let side = |wanted: fn(f64, f64) -> bool| -> Vec<f64> {
                    let numbered =
                        levels.iter().zip(1..).filter(|(_, level)| wanted(f64::from(*level), *threshold));
                    numbered.map(|(side, _)| *side).collect()
                };
                let (low, high) = (side(|level, cut| level < cut), side(|level, cut| level > cut));
                low.iter().all(|side| *side == low[0]) && high.iter().all(|side| *side == -low[0])
            }
            (ours, theirs) => {
                ours.len() == theirs.len()
                    && ours.iter().zip(theirs).all(|(ours, theirs)| ours * theirs >= 0.0)
            }
        }
}

fn predictor(column: &Value) -> Predictor {
    if let Some(levels) = column["levels"].as_u64() {
        let codes = serde_json::from_value(column["codes"].clone()).unwrap();
        Predictor::Nominal { codes, levels: levels as usize }
    } else {
        Predictor::Ordered(serde_json::from_value(column["values"].clone()).unwrap())
    }
}

struct Difference {
    text: String,
    excused: bool,
}

/// What differs between our tree and rpart's, if anything does.
fn difference(case: &Value) -> Option<Difference> {
    let predictors: Vec<Predictor> = case["x"].as_array().unwrap().iter().map(predictor).collect();
    let columns: Vec<Presorted> = predictors.iter().map(Presorted::new).collect();
    let columns: Vec<&Presorted> = columns.iter().collect();
    let labels: Vec<u8> = serde_json::from_value(case["y"].clone()).unwrap();
    let labels: Vec<bool> = labels.iter().map(|&label| label == 1).collect();
    let whole = |key: &str| Some(case[key].as_u64().unwrap() as u32);
    let params = CartOptions::default().with(|options| {
        options.method = if case["method"] == "class" { CartMethod::Class } else { CartMethod::Anova };
        options.maxdepth = whole("depth");
        options.cp = case["cp"].as_f64();
        options.minsplit = whole("minsplit");
        options.minbucket = whole("minbucket");
    });
    let tree = cart::fit_presorted(&columns, &labels, &params.check().unwrap(), &mut Workspace::default());
    let expected: Vec<Node> = serde_json::from_value(case["nodes"].clone()).unwrap();
    let found: Vec<Node> = tree.nodes().iter().map(describe).collect();
    let same = |a: &Node, b: &Node| {
        (a.0, a.1, a.2) == (b.0, b.1, b.2)
            && same_split(a, b)
            && (a.3 == "<leaf>" || (a.4 - b.4).abs() < 1e-9)
    };
    if found.len() == expected.len() && found.iter().zip(&expected).all(|(a, b)| same(a, b)) {
        None
    } else {
        let text = format!("{} {params:?}\n ours  {found:?}\n rpart {expected:?}", case["method"]);
        Some(Difference { text, excused: case["method"] == "anova" && has_ties(&predictors) })
    }
}

/// Whether some column holds a value twice.
fn has_ties(predictors: &[Predictor]) -> bool {
    predictors.iter().any(|predictor| match predictor {
        Predictor::Nominal { .. } => true,
        Predictor::Ordered(values) => {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            sorted.windows(2).any(|pair| pair[0] == pair[1])
        }
    })
}

#[test]
fn mixed_tables_give_rparts_trees() {
    let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/rpart_mixed.jsonl.gz");
    let path = std::env::var_os("RPART_MIXED").map_or(kept, PathBuf::from);
    let lines = BufReader::new(flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap())).lines();
    let (mut cases, mut excused, mut different) = (0, 0, Vec::new());
    for line in lines {
        let case: Value = serde_json::from_str(&line.unwrap()).unwrap();
        cases += 1;
        match difference(&case) {
            Some(Difference { excused: true, .. }) => excused += 1,
            Some(Difference { text, .. }) => different.push(text),
            None => {}
        }
    }
    assert!(cases >= 100, "only {cases} cases");
    assert!(excused * 100 <= cases, "{excused} of {cases} differ by rounding");
    assert!(different.is_empty(), "{} of {cases} differ:\n{}", different.len(), different.join("\n"));
}
