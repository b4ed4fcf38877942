//! `indistinct verify`: whole releases, damaged ones, and certificates edited by hand.

use std::num::{NonZeroU32, NonZeroU64};

use indistinct::model::SequentialNormal;
use indistinct::privacy::{
    Budget, Certificate, Exactness, Neighbours, Randomness, ReleaseFacts, SchemaSource, Sensitivity,
};
use indistinct::random::Seed;
use indistinct::synthesis::{Model, ReleasedModel};
use indistinct::table::{ColumnSchema, ColumnType, Schema};
use indistinct_io::{CERTIFICATE, MODEL, PAGE, ReleaseFolder, model_json};
use serde_json::{Value, json};

use super::{Workbench, says, stderr, stdout};

fn certificate(randomness: Randomness, exactness: Exactness, source: SchemaSource) -> Certificate {
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, randomness);
    let pmae = Sensitivity::pmae(NonZeroU64::MIN);
    let chain = exactness != Exactness::Exact;
    let _ = budget.charge_chain("locate", "0.4".parse().unwrap(), pmae, exactness).unwrap();
    let _ = budget.charge("measure", "0.6".parse().unwrap(), Sensitivity::counts(NonZeroU64::MIN)).unwrap();
    let fixture = include_str!("../../../indistinct/tests/fixtures/certificate.json");
    let mut facts =
        ReleaseFacts { schema_source: source, score: None, ..serde_json::from_str(fixture).unwrap() };
    if chain {
        facts = ReleaseFacts { sampler: "metropolis".into(), measure_share: 0.0, ..facts };
    }
    let outside_the_guarantee =
        facts.outside(NonZeroU32::MIN, Neighbours::Substitute, &ReleaseFacts::conditions_of(source, false));
    Certificate::new(&budget, "2026-11-15T12:00:00Z", ReleaseFacts { outside_the_guarantee, ..facts })
}

/// A release with that certificate, in the folder `release`.
fn released(certificate: Certificate) -> Workbench {
    let bench = Workbench::new();
    let columns = ["x", "y"].map(|name| ColumnSchema::new(name, ColumnType::Float)).to_vec();
    let theta = SequentialNormal::new(vec![0.0, 1.0], vec![vec![1.0], vec![0.5, 2.0]]);
    let model = ReleasedModel {
        schema: Schema::new(vec!["NA".to_owned()], columns).unwrap(),
        rows: 5000,
        draws: vec![Model::Normal(theta)],
    };
    let mut folder = ReleaseFolder::begin(&bench.path("release"), false).unwrap();
    folder.write("synthetic.csv", |out| out.write_all(b"x,y\n1,2\n")).unwrap();
    folder.write(MODEL, |out| out.write_all(model_json(&model).unwrap().as_bytes())).unwrap();
    folder.write(PAGE, |out| out.write_all(b"<!doctype html>")).unwrap();
    folder.finish(certificate).unwrap();
    bench
}

fn system() -> Randomness {
    Randomness::from_system().unwrap()
}

fn pure() -> Workbench {
    released(certificate(system(), Exactness::Exact, SchemaSource::User))
}

fn seeded() -> Workbench {
    released(certificate(Randomness::seeded(Seed(1)), Exactness::Exact, SchemaSource::User))
}

/// Edits the certificate by hand.
fn edit(bench: &Workbench, edit: impl FnOnce(&mut Value)) {
    let path = bench.path("release").join(CERTIFICATE);
    let mut value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    edit(&mut value);
    std::fs::write(&path, value.to_string()).unwrap();
}

/// Runs `verify`, which must end with that code and two lines on standard error; gives both outputs.
fn fails(bench: &Workbench, code: i32) -> (String, String) {
    let output = bench.run(&["verify", "release"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(text.starts_with("error: release: ") && text.contains("\n help: "), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
    let json = bench.run(&["verify", "release", "--json"]);
    assert_eq!(json.status.code(), Some(code));
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["valid"], false);
    assert_eq!(json["overclaim"], code == 3);
    (stdout(&output), text)
}

#[test]
fn a_whole_release_is_explained() {
    let bench = pure();
    let text = bench.done(&["verify", "release"]);
    says(&text, &["5000 rows", "Guarantee: pure differential privacy, epsilon 1.", "e^1 times"]);
    says(&text, &["locate", "0.4", "pmae_sensitivity", "measure", "counts_sensitivity", "exactly"]);
    says(&text, &["Outside it:", "the schema, which was given", "the number of rows, 5000"]);
    says(&text, &["synthetic.csv: as released", "model.json: as released", "The release is whole"]);
    assert_eq!(bench.done(&["verify", "release", "--quiet"]), "");

    let found = bench.json(&["verify", "release", "--json"]);
    assert_eq!(found["valid"], true);
    assert_eq!(found["overclaim"], false);
    assert_eq!(found["guarantee"], json!({"kind": "pure", "epsilon": 1.0}));
    assert_eq!(found["problems"], json!([]));
    assert_eq!(
        found["files"],
        json!([
            {"name": "model.json", "state": "same"},
            {"name": "report.html", "state": "same"},
            {"name": "synthetic.csv", "state": "same"},
        ])
    );
}

/// Runs `verify` on a whole release with these options: its exit code, and both outputs.
fn verified(bench: &Workbench, options: &[&str]) -> (i32, String, String) {
    let output = bench.run(&[&["verify", "release"], options].concat());
    let json = bench.run(&[&["verify", "release", "--json"], options].concat());
    assert_eq!(json.status.code(), output.status.code());
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["valid"], true, "it is whole, whatever it promises");
    (output.status.code().unwrap(), stdout(&output), stderr(&output))
}

#[test]
fn weaker_guarantees_are_called_so() {
    let (code, text, error) = verified(&seeded(), &[]);
    assert_eq!(code, 3, "it is whole, and promises nothing");
    says(&text, &["Guarantee: none, because", "seeded", "claims nothing"]);
    says(&error, &["error: release: ", "promises nothing", "seeded", "\n help: "]);
    assert!(!text.contains("pure"));
    let chain = certificate(system(), Exactness::AtStationarity, SchemaSource::User);
    let (code, text, _) = verified(&released(chain), &[]);
    assert_eq!(code, 0);
    says(&text, &["at stationarity only", "nothing is proven", "by a chain"]);
}

#[test]
fn a_conditional_guarantee_says_its_condition_in_the_sentence_of_the_promise() {
    let drafted = released(certificate(system(), Exactness::Exact, SchemaSource::Drafted));
    let (code, text, _) = verified(&drafted, &[]);
    assert_eq!(code, 0);
    let promise = text.lines().find(|line| line.starts_with("Guarantee: ")).unwrap();
    says(
        promise,
        &["differential privacy with epsilon 1", "provided that", "the schema was drafted from these rows"],
    );
    assert!(!text.contains("pure"), "{text}");
    says(&text, &["under the condition it names", "drafted from the private data"]);
    edit(&drafted, |c| c["guarantee"] = json!({"kind": "pure", "epsilon": 1.0}));
    says(&fails(&drafted, 3).1, &["states the guarantee `pure`, but its steps support `conditional`"]);
}

#[test]
fn what_is_required_is_had_or_refused() {
    let conditional = released(certificate(system(), Exactness::Exact, SchemaSource::Drafted));
    let chain = released(certificate(system(), Exactness::AtStationarity, SchemaSource::User));
    for (bench, pure, approximate) in [(pure(), 0, 0), (conditional, 3, 3), (chain, 3, 3), (seeded(), 3, 3)] {
        for (required, expected) in [("pure", pure), ("approximate", approximate)] {
            let (code, _, error) = verified(&bench, &["--require", required]);
            assert_eq!(code, expected, "{error}");
            assert_eq!(error.lines().count(), if code == 0 { 0 } else { 2 }, "{error}");
        }
    }
    assert_eq!(pure().run(&["verify", "release", "--require", "none"]).status.code(), Some(2));
}

#[test]
fn a_lowered_epsilon_is_an_overclaim() {
    let bench = pure();
    edit(&bench, |c| {
        c["epsilon"] = json!(0.1);
        c["guarantee"]["epsilon"] = json!(0.1);
    });
    let (report, error) = fails(&bench, 3);
    says(&error, &["claims more than its parts carry", "cost epsilon 1, but it states 0.1"]);
    says(&report, &["do not rely on it"]);
    assert!(!report.contains("Guarantee: pure"), "{report}");
    let bench = pure();
    edit(&bench, |c| c["guarantee"]["epsilon"] = json!(0.1));
    fails(&bench, 3);
    let bench = pure();
    edit(&bench, |c| c["spent"][1]["epsilon"] = json!(0.7));
    fails(&bench, 3);
}

#[test]
fn a_guarantee_changed_to_pure_is_an_overclaim() {
    let bench = seeded();
    edit(&bench, |c| c["guarantee"] = json!({"kind": "pure", "epsilon": 1.0}));
    says(&fails(&bench, 3).1, &["it states the guarantee `pure`, but its steps support `none`"]);
    let chain = released(certificate(system(), Exactness::AtStationarity, SchemaSource::User));
    edit(&chain, |c| c["guarantee"] = json!({"kind": "pure", "epsilon": 1.0}));
    says(&fails(&chain, 3).1, &["`at-stationarity`"]);
    let unproven = pure();
    edit(&unproven, |c| c["spent"][0]["proof"] = json!("trust_me"));
    fails(&unproven, 3);
}

#[test]
fn a_certificate_that_contradicts_itself_without_claiming_more_is_a_failure() {
    let bench = pure();
    edit(&bench, |c| c["guarantee"] = json!({"kind": "none", "because": ["shy"]}));
    says(&fails(&bench, 1).1, &["contradicts itself"]);
}

#[test]
fn changed_missing_and_further_files_are_listed() {
    let bench = pure();
    bench.file("release/synthetic.csv", "x,y\n1,3\n");
    std::fs::remove_file(bench.path("release/model.json")).unwrap();
    bench.file("release/notes.txt", "");
    let (report, error) = fails(&bench, 1);
    says(&error, &["synthetic.csv is changed", "model.json is missing"]);
    says(&report, &["notes.txt: not of the release", "synthetic.csv: changed", "model.json: missing"]);
    // An overclaim weighs more than a file.
    edit(&bench, |c| c["seeded"] = json!(true));
    fails(&bench, 3);

    let further = pure();
    further.file("release/notes.txt", "");
    says(&further.done(&["verify", "release"]), &["notes.txt: in the folder, but not of the release"]);
}

#[test]
fn a_file_name_that_leads_elsewhere_is_not_followed() {
    let bench = pure();
    bench.file("secret.csv", "x\n");
    edit(&bench, |c| c["files"]["../secret.csv"] = json!("0".repeat(64)));
    says(&fails(&bench, 1).1, &["../secret.csv", "not looked at"]);
}

#[test]
fn what_is_no_release_is_said_so() {
    let bench = Workbench::new();
    let said = |name: &str| {
        let output = bench.run(&["verify", name]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(stdout(&output), "");
        assert!(
            text.starts_with("error: ") && text.contains("\n help: ") && text.lines().count() == 2,
            "{text}"
        );
        text
    };
    says(&said("nowhere"), &["nowhere", "no such folder"]);
    says(&said("."), &["no certificate.json"]);
    bench.file(CERTIFICATE, "{\"tool\": \"indistinct\"");
    says(&said("."), &[CERTIFICATE, "not a certificate"]);
    bench.file(CERTIFICATE, "{\"tool\": \"indistinct\"}");
    says(&said("."), &["not a certificate", "missing field"]);
}

#[test]
fn text_from_a_certificate_cannot_move_the_cursor() {
    let bench = pure();
    edit(&bench, |c| c["outside_the_guarantee"] = json!(["\u{1b}[2J\nall is well"]));
    let output = bench.run(&["verify", "release"]);
    assert!(!stdout(&output).contains('\u{1b}') && !stderr(&output).contains('\u{1b}'));
    let provided = json!({"kind": "conditional", "epsilon": 1.0, "provided": ["\u{1b}[2J\nall is well"]});
    edit(&bench, |c| c["guarantee"] = provided);
    let output = bench.run(&["verify", "release"]);
    assert!(!stdout(&output).contains('\u{1b}') && !stderr(&output).contains('\u{1b}'));
    edit(&bench, |c| c["guarantee"]["kind"] = json!("pure\u{1b}[2J\nall is well"));
    let output = bench.run(&["verify", "release"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!stderr(&output).contains('\u{1b}') && stderr(&output).lines().count() == 2);
}
