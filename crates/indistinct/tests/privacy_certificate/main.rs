//! Certificates: they come back as written, follow from their steps, and forgeries do not.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod persons;
mod rho;

use indistinct::privacy::{
    Bound, BoundsSource, Budget, Certificate, ColumnBounds, Comparison, Delta, Epsilon, Exactness, Guarantee,
    GuaranteeCondition, Neighbours, Person, Problem, Randomness, ReleaseFacts, SCORE_STEP, SchemaSource,
    Score, Sensitivity,
};
use indistinct::random::Seed;
use serde_json::{Value, json};
use std::num::{NonZeroU32, NonZeroU64};

const NEIGHBOURS: &str = "substitute one row";
const NEIGHBOURS_OF_PERSONS: &str = "substitute all rows of one person";

/// An honest certificate with a score. Tests of other crates begin with it too.
const FIXTURE: &str = include_str!("../fixtures/certificate.json");

fn facts() -> ReleaseFacts {
    serde_json::from_str(FIXTURE).unwrap()
}

/// The same where up to `rows` rows are of one person, with what is then outside and how wide the score's noise then is.
fn facts_of(rows: u32, facts: ReleaseFacts) -> ReleaseFacts {
    let rows = NonZeroU32::new(rows).unwrap();
    let score = facts.score.map(|score| {
        let per_row = score.epsilon.divided_by(u64::from(rows.get())).to_f64();
        Score { scale: 1.0 / (2.0 * facts.rows as f64 * per_row), ..score }
    });
    let outside_the_guarantee = facts.outside(rows, Neighbours::Substitute, &[]);
    ReleaseFacts { score, outside_the_guarantee, ..facts }
}

fn spend(budget: &mut Budget) {
    let pmae = Sensitivity::pmae(NonZeroU64::MIN);
    let _ = budget.charge("locate", "0.35".parse().unwrap(), pmae.clone()).unwrap();
    let counts = Sensitivity::counts(NonZeroU64::MIN);
    let _ = budget.charge("measure", "0.6".parse().unwrap(), counts).unwrap();
    let _ = budget.charge(SCORE_STEP, "0.05".parse().unwrap(), pmae.released()).unwrap();
}

fn certificate(randomness: Randomness) -> Certificate {
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, randomness);
    spend(&mut budget);
    let files = [("model.json", "fedcba9876543210"), ("synthetic.csv", "0123456789abcdef")];
    let files = files.map(|(name, digits)| (name.to_owned(), digits.repeat(4)));
    Certificate::new(&budget, "2026-11-15T12:00:00Z", facts()).with_files(files)
}

fn honest() -> Certificate {
    certificate(Randomness::from_system().unwrap())
}

#[test]
fn it_has_the_fields_that_scripts_rely_on() {
    let value = serde_json::to_value(honest()).unwrap();
    let fields = [
        "tool",
        "version",
        "created",
        "rows",
        "columns",
        "neighbours",
        "guarantee",
        "epsilon",
        "spent",
        "quality",
        "discriminator",
        "sampler",
        "measure_share",
        "model",
        "sensitivity",
        "draws",
        "tables",
        "rows_per_person",
        "seeded",
        "schema_source",
        "outside_the_guarantee",
        "score",
        "files",
    ];
    let mut names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    let mut expected = fields.to_vec();
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(value["tool"], "indistinct");
    assert_eq!(value["neighbours"], "substitute one row");
    assert_eq!(value["guarantee"], json!({"kind": "pure", "epsilon": 1.0}));
    assert_eq!(value["epsilon"], 1.0);
    assert_eq!(
        value["spent"][0],
        json!({"step": "locate", "epsilon": 0.35, "sensitivity": "1 (1 * n * TV)",
               "proof": "pmae_sensitivity", "exactness": "exact"})
    );
    assert_eq!(value["schema_source"], "user");
    assert_eq!(value["score"], json!({"value": 0.0213, "epsilon": 0.05, "scale": 0.002}));
}

#[test]
fn it_comes_back_as_written_and_has_no_problem() {
    for certificate in [honest(), certificate(Randomness::seeded(Seed(1)))] {
        assert_eq!(certificate.check(), []);
        let text = serde_json::to_string_pretty(&certificate).unwrap();
        let back: Certificate = serde_json::from_str(&text).unwrap();
        assert_eq!(back, certificate);
        assert_eq!(serde_json::to_string_pretty(&back).unwrap(), text);
    }
}

#[test]
fn the_fixture_is_what_such_a_release_has() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    let mut made = serde_json::to_value(honest()).unwrap();
    made["version"] = fixture["version"].clone();
    assert_eq!(made, fixture);
}

#[test]
fn a_seed_is_on_it() {
    let value = serde_json::to_value(certificate(Randomness::seeded(Seed(1)))).unwrap();
    assert_eq!(value["guarantee"]["kind"], "none");
    assert!(value["guarantee"]["because"][0].as_str().unwrap().starts_with("seeded"));
    assert_eq!(value["seeded"], true);
}

#[test]
fn a_chain_is_promised_at_stationarity_only() {
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::from_system().unwrap());
    let pmse = Sensitivity::pmse(NonZeroU64::new(1 << 20).unwrap());
    let charge =
        budget.charge_chain("metropolis", "1".parse().unwrap(), pmse, Exactness::AtStationarity).unwrap();
    let _ = charge.into_chains(4);
    let facts = ReleaseFacts {
        sampler: "metropolis".into(),
        quality: "pmse".into(),
        measure_share: 0.0,
        score: None,
        ..facts()
    };
    let certificate = Certificate::new(&budget, "2026-11-15T12:00:00Z", facts);
    assert_eq!(certificate.guarantee(), &Guarantee::AtStationarity { epsilon: "1".parse().unwrap() });
    assert_eq!(certificate.check(), []);
    assert_eq!(serde_json::to_value(certificate).unwrap()["guarantee"]["kind"], "at-stationarity");
}

#[test]
fn an_unproven_step_leaves_no_guarantee() {
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::from_system().unwrap());
    let assumed = Bound::each_candidate(NonZeroU64::MIN, "pMSE of a greedy tree");
    let greedy = Sensitivity::Unproven { assumed, why: "greedy splits follow the data".to_owned() };
    let _ = budget.charge("locate", "1".parse().unwrap(), greedy).unwrap();
    let facts = ReleaseFacts { discriminator: "cart".into(), score: None, ..facts() };
    let certificate = Certificate::new(&budget, "2026-11-15T12:00:00Z", facts);
    assert_eq!(certificate.check(), []);
    let value = serde_json::to_value(certificate).unwrap();
    assert_eq!(value["guarantee"]["because"], json!(["locate: greedy splits follow the data"]));
    assert_eq!(value["spent"][0]["proof"], Value::Null);
}

/// A certificate whose schema has that source, with what follows from it.
fn drafted_of(schema_source: SchemaSource) -> Certificate {
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::from_system().unwrap());
    spend(&mut budget);
    let facts = ReleaseFacts { schema_source, ..facts() };
    let outside_the_guarantee = facts.outside(
        NonZeroU32::MIN,
        Neighbours::Substitute,
        &ReleaseFacts::conditions_of(schema_source, false),
    );
    Certificate::new(&budget, "2026-11-15T12:00:00Z", ReleaseFacts { outside_the_guarantee, ..facts })
}

#[test]
fn what_was_learned_outside_the_budget_is_a_condition_of_the_promise() {
    let drafted = drafted_of(SchemaSource::Drafted);
    assert_eq!(drafted.check(), []);
    let value = serde_json::to_value(&drafted).unwrap();
    assert_eq!(value["guarantee"]["kind"], "conditional");
    assert_eq!(value["guarantee"]["epsilon"], 1.0);
    assert_eq!(value["guarantee"]["provided"][0], "the schema was drafted from these rows");
    assert!(value["guarantee"].get("delta").is_none());
    assert_eq!(serde_json::from_value::<Certificate>(value).unwrap(), drafted);
    assert_eq!(drafted_of(SchemaSource::User).guarantee().kind(), "pure");

    let epsilon: Epsilon = "1".parse().unwrap();
    let delta: Delta = "1e-6".parse().unwrap();
    let conditions = [GuaranteeCondition::DraftedSchema];
    let provided = vec![GuaranteeCondition::DraftedSchema.text().to_owned()];
    let approximate = Guarantee::Approximate { epsilon, delta };
    let conditional = Guarantee::Conditional { epsilon, delta: Some(delta), provided };
    assert_eq!(approximate.clone().provided(&conditions), conditional);
    assert_eq!(conditional.delta(), delta);
    assert!(conditional.proviso().unwrap().ends_with("the schema was drafted from these rows"));
    assert_eq!(approximate.clone().provided(&[]), approximate);
    // What is weaker than conditional stays what it is.
    for weaker in [Guarantee::AtStationarity { epsilon }, approximate.seeded()] {
        assert_eq!(weaker.clone().provided(&conditions), weaker);
    }
}

/// Problems of a certificate that was edited.
fn forged(mut certificate: Value, edit: impl FnOnce(&mut Value)) -> Vec<Problem> {
    edit(&mut certificate);
    serde_json::from_value::<Certificate>(certificate).unwrap().check()
}

#[test]
fn forgeries_are_found() {
    let pure = || serde_json::to_value(honest()).unwrap();
    let seeded = || serde_json::to_value(certificate(Randomness::seeded(Seed(1)))).unwrap();
    let found = |problems: &[Problem], problem: &Problem| assert!(problems.contains(problem), "{problems:?}");

    let overspent = forged(pure(), |c| {
        c["epsilon"] = json!(0.5);
        c["guarantee"]["epsilon"] = json!(0.5);
    });
    let (spent, stated) = ("1".parse().unwrap(), "0.5".parse().unwrap());
    assert_eq!(overspent, [Problem::Overspent { spent, stated }]);
    let a_unit = forged(pure(), |c| c["spent"][0]["epsilon"] = json!(0.350_000_000_001));
    assert!(matches!(a_unit[..], [Problem::Overspent { .. }]), "{a_unit:?}");
    assert_eq!(forged(pure(), |c| c["guarantee"]["epsilon"] = json!(0.1)), [Problem::GuaranteeNumbers]);

    let overclaimed = Problem::Guarantee { stated: "pure", supported: "none" };
    found(&forged(seeded(), |c| c["guarantee"] = json!({"kind": "pure", "epsilon": 1.0})), &overclaimed);
    found(&forged(pure(), |c| c["spent"][0]["proof"] = Value::Null), &overclaimed);
    found(&forged(pure(), |c| c["seeded"] = json!(true)), &overclaimed);
    found(
        &forged(pure(), |c| c["spent"][0]["exactness"] = json!("at-stationarity")),
        &Problem::Guarantee { stated: "pure", supported: "at-stationarity" },
    );
    found(
        &forged(pure(), |c| c["spent"][0]["proof"] = json!("trust_me")),
        &Problem::UnknownProof("locate".into()),
    );
    found(
        &forged(pure(), |c| c["sampler"] = json!("metropolis")),
        &Problem::NotCertifiable("metropolis".into()),
    );
    found(&forged(pure(), |c| c["discriminator"] = json!("cart")), &Problem::NotCertifiable("cart".into()));
    let other_reason = json!({"kind": "none", "because": ["shy"]});
    found(&forged(seeded(), |c| c["guarantee"] = other_reason), &Problem::SeedNotNamed);
    found(&forged(seeded(), |c| c["guarantee"]["because"] = json!([])), &Problem::NoReason);

    let drafted = |c: &mut Value| c["schema_source"] = json!("drafted from the data");
    found(&forged(pure(), drafted), &Problem::DraftNotNamed);
    assert_eq!(forged(pure(), |c| c["tool"] = json!("other")), [Problem::AnotherTool]);
    assert_eq!(
        forged(pure(), |c| c["neighbours"] = json!("add one row")),
        [Problem::Neighbours(NEIGHBOURS.to_owned())]
    );
    assert_eq!(forged(pure(), |c| c["draws"] = json!(0)), [Problem::Setting("draws")]);
    assert_eq!(forged(pure(), |c| c["measure_share"] = json!(1.0)), [Problem::Setting("measure_share")]);
    found(&forged(pure(), |c| c["score"]["epsilon"] = json!(0.01)), &Problem::Score);
    found(&forged(pure(), |c| c["score"] = Value::Null), &Problem::Score);
    found(&forged(pure(), |c| c["score"]["scale"] = json!(0.001)), &Problem::Setting("score"));
    let sensitivity = |text: &str| forged(pure(), |c| c["spent"][0]["sensitivity"] = json!(text));
    for text in ["0", "0 (1 * n * TV)", "1 (2 * n * TV)", "2 (counts of rows, summed)", "3 (1 * n * TV)", ""]
    {
        found(&sensitivity(text), &Problem::StatedSensitivity("locate".into()));
    }
    // Twice the bound is the paper's, and the certificate says which it took.
    assert_eq!(sensitivity("2 (1 * n * TV)"), [Problem::Setting("sensitivity")]);
    let another_proof = forged(pure(), |c| c["spent"][0]["proof"] = json!("counts_sensitivity"));
    found(&another_proof, &Problem::StatedSensitivity("locate".into()));
    found(&forged(pure(), |c| c["rows"] = json!(17)), &Problem::Outside);
    found(&forged(pure(), |c| c["rows_per_person"] = json!(2)), &Problem::Outside);
    assert_eq!(forged(pure(), |c| c["spent"][0]["epsilon"] = json!(0)), [Problem::FreeStep("locate".into())]);
    let nothing = forged(pure(), |c| {
        c["spent"] = json!([]);
        c["score"] = Value::Null;
    });
    assert_eq!(nothing, [Problem::NothingSpent]);
    let conditional = || serde_json::to_value(drafted_of(SchemaSource::Drafted)).unwrap();
    let unconditional = Problem::Guarantee { stated: "pure", supported: "conditional" };
    found(
        &forged(conditional(), |c| c["guarantee"] = json!({"kind": "pure", "epsilon": 1.0})),
        &unconditional,
    );
    found(&forged(conditional(), |c| c["guarantee"]["provided"] = json!([])), &Problem::Provided);
    found(
        &forged(conditional(), |c| c["guarantee"]["provided"] = json!(["the weather"])),
        &Problem::Provided,
    );
    found(&forged(conditional(), |c| c["guarantee"]["delta"] = json!(1e-6)), &Problem::GuaranteeNumbers);
    found(&forged(conditional(), |c| c["guarantee"]["epsilon"] = json!(0.5)), &Problem::GuaranteeNumbers);
    let silent = forged(conditional(), |c| c["outside_the_guarantee"] = json!(["the number of rows, 5000"]));
    found(&silent, &Problem::DraftNotNamed);
    found(&forged(conditional(), |c| c["schema_source"] = json!("user")), &Problem::DraftNotNamed);
    let hash = forged(pure(), |c| c["files"]["synthetic.csv"] = json!("abc"));
    assert_eq!(hash, [Problem::Hash("synthetic.csv".into())]);
}

#[test]
fn what_is_no_certificate_is_not_read() {
    let pure = serde_json::to_value(honest()).unwrap();
    for field in pure.as_object().unwrap().keys().filter(|&field| field != "score" && field != "model") {
        let mut less = pure.clone();
        less.as_object_mut().unwrap().remove(field);
        assert!(serde_json::from_value::<Certificate>(less).is_err(), "read without {field}");
    }
    for (field, bad) in [
        ("epsilon", json!(-1)),
        ("epsilon", json!("1")),
        ("rows_per_person", json!(0)),
        ("guarantee", json!({"kind": "perfect", "epsilon": 1})),
        ("schema_source", json!("somewhere")),
    ] {
        let mut other = pure.clone();
        other[field] = bad;
        assert!(serde_json::from_value::<Certificate>(other).is_err(), "read a wrong {field}");
    }
}

fn compared(method: &str, source: BoundsSource) -> Certificate {
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::from_system().unwrap());
    spend(&mut budget);
    let bound = |column: &str| ColumnBounds { column: column.to_owned(), low: -1.5, high: 40.0 };
    let comparison = Comparison {
        method: method.to_owned(),
        bounds: vec![bound("x"), bound("y")],
        bounds_source: Some(source),
        bins: None,
    };
    let facts = ReleaseFacts {
        quality: "none".into(),
        discriminator: "none".into(),
        sampler: method.to_owned(),
        measure_share: 0.0,
        comparison: Some(comparison),
        ..facts()
    };
    Certificate::new(&budget, "2026-11-15T12:00:00Z", facts_of(1, facts))
}

#[test]
fn a_comparison_method_is_told_and_comes_back() {
    let certificate = compared("noisy-bayes", BoundsSource::User);
    assert_eq!(certificate.check(), []);
    let text = serde_json::to_string(&certificate).unwrap();
    assert_eq!(serde_json::from_str::<Certificate>(&text).unwrap(), certificate);
    // Certificates from before there were any have no such field, and neither have those of the mechanism itself.
    let value = serde_json::to_value(honest()).unwrap();
    assert!(value.get("comparison").is_none());
    assert_eq!(serde_json::from_value::<Certificate>(value).unwrap().facts().comparison, None);
}

#[test]
fn comparison_methods_cannot_claim_what_they_do_not_have() {
    for method in ["posterior-predictive", "smooth-histogram-matching"] {
        let problems = compared(method, BoundsSource::User).check();
        assert!(problems.contains(&Problem::NotCertifiable(method.to_owned())), "{problems:?}");
    }
    let problems = compared("noisy-bayes", BoundsSource::Computed).check();
    assert_eq!(problems, [Problem::NotCertifiable("bounds computed from the data".to_owned())]);
    let mut value = serde_json::to_value(compared("noisy-bayes", BoundsSource::User)).unwrap();
    value["comparison"]["bounds"][1]["low"] = json!(50.0);
    let forged: Certificate = serde_json::from_value(value.clone()).unwrap();
    assert!(forged.check().contains(&Problem::Setting("bounds")));
    value["comparison"]["bounds"] = json!([]);
    let forged: Certificate = serde_json::from_value(value).unwrap();
    assert!(forged.check().contains(&Problem::Setting("source of bounds")));
}
