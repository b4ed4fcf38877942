//! Our own rule for missing values, against enumeration and against rows sent down the tree.

use indistinct::discriminator::Predictor;
use indistinct::discriminator::cart::{self, CartMethod, CartOptions, Presorted, Question, Tree, Workspace};
use indistinct::table::MISSING_CODE;
use proptest::prelude::*;

fn fit(predictors: &[Predictor], labels: &[bool], options: CartOptions) -> Tree {
    let columns: Vec<Presorted> = predictors.iter().map(Presorted::new).collect();
    let columns: Vec<&Presorted> = columns.iter().collect();
    let params = options.check().expect("sensible parameters");
    cart::fit_presorted(&columns, labels, &params, &mut Workspace::default())
}

/// sum a^2 / m over the two sides.
fn squares(labels: &[bool], left: &[bool]) -> Option<f64> {
    let side = |wanted: bool| {
        let rows: Vec<bool> =
            labels.iter().zip(left).filter(|(_, left)| **left == wanted).map(|(label, _)| *label).collect();
        let a = rows.iter().filter(|label| **label).count() as f64;
        (!rows.is_empty()).then(|| a * a / rows.len() as f64)
    };
    Some(side(true)? + side(false)?)
}

/// The best value over every division of one column that the rule allows.
fn best_by_enumeration(predictor: &Predictor, labels: &[bool]) -> f64 {
    let mut divisions: Vec<Vec<bool>> = Vec::new();
    match predictor {
        Predictor::Ordered(values) => {
            divisions.push(values.iter().map(|value| value.is_nan()).collect());
            for threshold in values.iter().filter(|value| !value.is_nan()) {
                for missing in [false, true] {
                    let side = |value: &f64| if value.is_nan() { missing } else { value < threshold };
                    divisions.push(values.iter().map(side).collect());
                }
            }
        }
        Predictor::Nominal { codes, levels } => {
            for subset in 0u32..1 << (levels + 1) {
                let level = |code: &u32| if *code == MISSING_CODE { *levels } else { *code as usize };
                divisions.push(codes.iter().map(|code| subset >> level(code) & 1 == 1).collect());
            }
        }
    }
    divisions.iter().filter_map(|left| squares(labels, left)).fold(f64::NEG_INFINITY, f64::max)
}

fn ordered(rows: usize) -> impl Strategy<Value = Predictor> {
    let value = prop_oneof![3 => (-3i32..4).prop_map(f64::from), 1 => Just(f64::NAN)];
    proptest::collection::vec(value, rows).prop_map(Predictor::Ordered)
}

fn nominal(rows: usize) -> impl Strategy<Value = Predictor> {
    let code = prop_oneof![4 => 0u32..4, 1 => Just(MISSING_CODE)];
    proptest::collection::vec(code, rows).prop_map(|codes| Predictor::Nominal { codes, levels: 5 })
}

fn table() -> impl Strategy<Value = (Vec<Predictor>, Vec<bool>)> {
    (4usize..40).prop_flat_map(|rows| {
        let columns = proptest::collection::vec(prop_oneof![ordered(rows), nominal(rows)], 1..4);
        (columns, proptest::collection::vec(any::<bool>(), rows))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_root_split_is_the_best_of_all((predictors, labels) in table()) {
        let total = labels.iter().filter(|label| **label).count() as f64;
        let none = total * total / labels.len() as f64;
        let best = predictors.iter().map(|column| best_by_enumeration(column, &labels)).fold(none, f64::max);
        for method in [CartMethod::Class, CartMethod::Anova] {
            let options = CartOptions::default().with(|options| {
                options.method = method;
                options.maxdepth = Some(1);
                options.cp = Some(-1.0);
                options.minsplit = Some(1);
                options.minbucket = Some(1);
            });
            let tree = fit(&predictors, &labels, options);
            let found: f64 = tree
                .leaves()
                .map(|leaf| f64::from(leaf.synthetic).powi(2) / f64::from(leaf.rows))
                .sum();
            prop_assert!((found - best).abs() < 1e-9, "{method:?}: {found} {best}");
        }
    }

    #[test]
    fn rows_land_where_the_tree_counted_them((predictors, labels) in table(), minbucket in 1u32..4) {
        for method in [CartMethod::Class, CartMethod::Anova] {
            let options = CartOptions::default().with(|options| {
                options.method = method;
                options.cp = Some(0.0);
                options.minsplit = Some(2);
                options.minbucket = Some(minbucket);
            });
            let tree = fit(&predictors, &labels, options);
            let mut counts = vec![(0, 0); tree.nodes().len()];
            for (row, &label) in labels.iter().enumerate() {
                let count = &mut counts[tree.leaf_of(&predictors, row)];
                count.0 += 1;
                count.1 += u32::from(label);
            }
            for (node, count) in tree.nodes().iter().zip(counts) {
                if node.split.is_none() {
                    prop_assert_eq!((node.rows, node.synthetic), count);
                    prop_assert!(node.rows >= minbucket.min(labels.len() as u32));
                }
            }
        }
    }
}

#[test]
fn missing_alone_can_be_the_split() {
    let values = [1.0, 2.0, 3.0, 4.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN];
    let labels: Vec<bool> = values.iter().map(|value| value.is_nan()).collect();
    let options = CartOptions::default().with(|options| options.minsplit = Some(2));
    let tree = fit(&[Predictor::Ordered(values.to_vec())], &labels, options);
    let split = tree.nodes()[0].split.as_ref().expect("a split");
    assert_eq!(split.question, Question::Below { threshold: f64::INFINITY, low_goes_left: true });
    assert!(!split.missing_goes_left);
    assert_eq!(tree.distinguishability().pmse, 0.25);
}

#[test]
fn columns_with_nothing_to_split_give_the_root_alone() {
    let labels = [false, true, false, true];
    for values in [vec![f64::NAN; 4], vec![7.0; 4]] {
        let options = CartOptions::default().with(|options| {
            options.minsplit = Some(2);
            options.cp = Some(-1.0);
        });
        let tree = fit(&[Predictor::Ordered(values)], &labels, options);
        assert_eq!(tree.nodes().len(), 1);
    }
}
