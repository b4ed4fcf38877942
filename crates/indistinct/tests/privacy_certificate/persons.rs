//! Certificates about persons with several rows.

use super::*;

/// A certificate of persons with up to three rows each.
fn of_persons() -> Certificate {
    let three = NonZeroU32::new(3).unwrap();
    let mut budget = Budget::new("3".parse().unwrap(), three, Randomness::from_system().unwrap());
    spend(&mut budget);
    let person = Person::new("id", three);
    let facts = ReleaseFacts { person: Some(person), ..facts() };
    Certificate::new(&budget, "2026-11-15T12:00:00Z", facts_of(3, facts))
}

#[test]
fn persons_are_told_and_come_back() {
    let certificate = of_persons();
    assert_eq!(certificate.check(), []);
    let value = serde_json::to_value(&certificate).unwrap();
    assert_eq!(
        value["neighbours"],
        "substitute all rows of one person by rows of which as many are kept, at most 3"
    );
    assert_eq!(Person::new("id", NonZeroU32::MIN).neighbours(Neighbours::Substitute), NEIGHBOURS_OF_PERSONS);
    assert_eq!(value["person"], json!({"column": "id", "rows_per_person": 3, "proof": "rows_of_a_person"}));
    assert_eq!(serde_json::from_value::<Certificate>(value).unwrap(), certificate);
    // One without is as it was before there were any.
    let value = serde_json::to_value(honest()).unwrap();
    assert!(value.get("person").is_none() && value["neighbours"] == NEIGHBOURS);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/proofs/rows_of_a_person.md");
    assert!(std::path::Path::new(page).is_file());
}

#[test]
fn what_is_said_of_persons_must_fit() {
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut value = serde_json::to_value(of_persons()).unwrap();
        change(&mut value);
        serde_json::from_value::<Certificate>(value).unwrap().check()
    };
    for change in [
        (&|c: &mut Value| c["person"]["rows_per_person"] = json!(2)) as &dyn Fn(&mut Value),
        &|c| c["person"]["proof"] = json!("counts_sensitivity"),
        &|c| c["outside_the_guarantee"] = json!(["the number of rows, 5000"]),
        &|c| c["rows"] = json!(17),
    ] {
        let problems = forged(change);
        assert!(problems.iter().any(|problem| matches!(problem, Problem::Person(_))), "{problems:?}");
    }
    let rows = forged(&|c| c["neighbours"] = json!(NEIGHBOURS));
    let proven = Person::new("id", NonZeroU32::new(3).unwrap()).neighbours(Neighbours::Substitute);
    assert_eq!(rows, [Problem::Neighbours(proven.clone())]);
    let more = forged(&|c| c["neighbours"] = json!(NEIGHBOURS_OF_PERSONS));
    assert_eq!(more, [Problem::Neighbours(proven)], "more than is proven of three rows");
    let nobody = forged(&|c| c["person"] = Value::Null);
    assert!(
        nobody.contains(&Problem::Neighbours(NEIGHBOURS.to_owned())),
        "whose rows were told apart is part of the claim"
    );
}
