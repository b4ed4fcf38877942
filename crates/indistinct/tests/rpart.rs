//! Agreement with trees that R's rpart grew: see `golden/rpart/README.txt`.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

use std::io::Read;
use std::path::Path;

use indistinct::discriminator::Predictor;
use indistinct::discriminator::cart::{self, CartMethod, CartOptions, Presorted, Question, Tree, Workspace};
use serde_json::Value;

/// The columns of a golden table, and which rows are synthetic.
fn read(file: &str) -> (Vec<Predictor>, Vec<bool>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/rpart").join(file);
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let q = lines.next().unwrap().split(',').count() - 1;
    let mut columns = vec![Vec::new(); q];
    let mut synthetic = Vec::new();
    for line in lines {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        for (column, value) in columns.iter_mut().zip(&fields) {
            column.push(*value);
        }
        synthetic.push(fields[q] == 1.0);
    }
    (columns.into_iter().map(Predictor::Ordered).collect(), synthetic)
}

fn fit(predictors: &[Predictor], synthetic: &[bool], case: &Value, method: CartMethod) -> Tree {
    let whole = |key: &str| Some(case[key].as_u64().unwrap() as u32);
    let params = CartOptions::default().with(|options| {
        options.method = method;
        options.maxdepth = whole("depth");
        options.cp = case["cp"].as_f64();
        options.minsplit = whole("minsplit");
        options.minbucket = whole("minbucket");
    });
    let columns: Vec<Presorted> = predictors.iter().map(Presorted::new).collect();
    let columns: Vec<&Presorted> = columns.iter().collect();
    cart::fit_presorted(&columns, synthetic, &params.check().unwrap(), &mut Workspace::default())
}

fn golden() -> Vec<Value> {
    let text = include_str!("golden/rpart/golden.json");
    let golden: Value = serde_json::from_str(text).unwrap();
    golden["cases"].as_array().unwrap().clone()
}

#[test]
fn class_trees_are_the_same_to_the_last_split() {
    let cases = golden();
    assert_eq!(cases.len(), 26);
    for case in &cases {
        let file = case["file"].as_str().unwrap();
        let (predictors, synthetic) = read(file);
        let tree = fit(&predictors, &synthetic, case, CartMethod::Class);

        let mut leaves: Vec<[u64; 3]> =
            tree.leaves().map(|leaf| [leaf.id, leaf.rows.into(), leaf.synthetic.into()]).collect();
        leaves.sort_unstable();
        let expected: Vec<[u64; 3]> =
            serde_json::from_value(case["leaves_node_n_nsynthetic"].clone()).unwrap();
        assert_eq!(leaves, expected, "{file}");

        let mut nodes: Vec<_> = tree.nodes().iter().filter(|node| node.split.is_some()).collect();
        nodes.sort_unstable_by_key(|node| node.id);
        let mut splits = case["splits"].as_array().unwrap().clone();
        splits.sort_by_key(|split| split["node"].as_u64());
        assert_eq!(nodes.len(), splits.len(), "{file}");
        for (node, expected) in nodes.iter().zip(&splits) {
            let place = format!("{file}, node {}", node.id);
            let split = node.split.as_ref().unwrap();
            let Question::Below { threshold, low_goes_left } = split.question else { panic!("{place}") };
            assert_eq!(Some(node.id), expected["node"].as_u64(), "{place}");
            assert_eq!(
                format!("x{}", split.predictor + 1),
                expected["variable"].as_str().unwrap(),
                "{place}"
            );
            let wanted = expected["threshold"].as_f64().unwrap();
            assert!((threshold - wanted).abs() <= 1e-9 * wanted.abs(), "{place}: {threshold} {wanted}");
            assert_eq!(low_goes_left, expected["less_goes"] == "left", "{place}");
            assert_eq!(u64::from(node.rows), expected["n"].as_u64().unwrap(), "{place}");
            let complexity = expected["complexity"].as_f64().unwrap();
            assert!(
                (node.complexity - complexity).abs() < 1e-12,
                "{place}: {} {complexity}",
                node.complexity
            );
        }

        let pmse = tree.distinguishability().pmse;
        assert!((pmse - case["pmse"].as_f64().unwrap()).abs() < 1e-12, "{file}: {pmse}");
    }
}

#[test]
fn anova_trees_have_the_same_leaves_and_pmse() {
    for case in &golden() {
        let file = case["file"].as_str().unwrap();
        let (predictors, synthetic) = read(file);
        let tree = fit(&predictors, &synthetic, case, CartMethod::Anova);
        assert_eq!(tree.leaves().count() as u64, case["anova_n_leaves"].as_u64().unwrap(), "{file}");
        let pmse = tree.distinguishability().pmse;
        assert!((pmse - case["anova_pmse"].as_f64().unwrap()).abs() < 1e-12, "{file}: {pmse}");
    }
}

#[test]
fn rows_sent_down_the_tree_land_in_its_leaves() {
    for case in &golden() {
        let (predictors, synthetic) = read(case["file"].as_str().unwrap());
        let tree = fit(&predictors, &synthetic, case, CartMethod::Class);
        let mut counts = vec![(0, 0); tree.nodes().len()];
        for (row, &synthetic) in synthetic.iter().enumerate() {
            let count = &mut counts[tree.leaf_of(&predictors, row)];
            count.0 += 1;
            count.1 += u32::from(synthetic);
        }
        for (node, count) in tree.nodes().iter().zip(counts) {
            let expected = if node.split.is_none() { (node.rows, node.synthetic) } else { (0, 0) };
            assert_eq!(count, expected);
        }
    }
}
