//! Certificates of budgets with a delta, whose steps cost rho.

use super::*;

fn concentrated(randomness: Randomness, rows_per_person: u32) -> Certificate {
    let (epsilon, delta) = ("1".parse().unwrap(), "1e-6".parse().unwrap());
    let rows = NonZeroU32::new(rows_per_person).unwrap();
    let mut budget = Budget::with_delta(epsilon, delta, rows, randomness);
    let (choice, counts) = (budget.portion(0.4), budget.portion(0.5));
    let pmae = Sensitivity::pmae(NonZeroU64::MIN);
    let _ = budget.charge_choice("locate", choice, pmae.clone()).unwrap();
    let _ = budget.charge_counts("measure", counts, Sensitivity::counts(NonZeroU64::MIN)).unwrap();
    let _ = budget.charge(SCORE_STEP, "0.05".parse().unwrap(), pmae.released()).unwrap();
    Certificate::new(&budget, "2026-11-15T12:00:00Z", facts_of(rows_per_person, facts()))
}

#[test]
fn a_budget_with_a_delta_is_told_and_comes_back() {
    for rows in [1, 3] {
        let certificate = concentrated(Randomness::from_system().unwrap(), rows);
        assert_eq!(certificate.check(), []);
        let value = serde_json::to_value(&certificate).unwrap();
        assert_eq!(value["guarantee"], json!({"kind": "approximate", "epsilon": 1.0, "delta": 1e-6}));
        assert_eq!(value["composition"]["delta"], 1e-6);
        let rho = value["composition"]["rho"].as_f64().unwrap();
        assert!(rho > 0.02435 && rho < 0.02436);
        assert!(value["composition"]["how"].as_str().unwrap().starts_with("zCDP: rho 0.0243559"));
        let steps = value["spent"].as_array().unwrap();
        let accountings: Vec<&Value> = steps.iter().map(|step| &step["accounting"]).collect();
        assert_eq!(accountings, ["bounded-range", "gaussian", "pure-epsilon"]);
        assert_eq!(steps[1]["epsilon"], 0.0);
        assert_eq!(steps[2]["rho"], 0.00125);
        assert!(steps.iter().map(|step| step["rho"].as_f64().unwrap()).sum::<f64>() <= rho);
        let back: Certificate = serde_json::from_value(value).unwrap();
        assert_eq!(back, certificate);
        assert_eq!(back.delta(), "1e-6".parse().unwrap());
    }
    let seeded = concentrated(Randomness::seeded(Seed(1)), 1);
    assert_eq!(seeded.check(), []);
    assert!(matches!(seeded.guarantee(), Guarantee::None { .. }));
    // Certificates of pure budgets have none of this.
    let value = serde_json::to_value(honest()).unwrap();
    assert!(value.get("composition").is_none() && value["spent"][0].get("rho").is_none());
}

/// A change to a certificate, and the problem that it must lead to.
type Edit = (fn(&mut Value), fn(&Problem) -> bool);

#[test]
fn forged_rhos_are_found() {
    let honest = serde_json::to_value(concentrated(Randomness::from_system().unwrap(), 1)).unwrap();
    let problems = |edit: &dyn Fn(&mut Value)| {
        let mut value = honest.clone();
        edit(&mut value);
        serde_json::from_value::<Certificate>(value).unwrap().check()
    };
    let edits: [Edit; 12] = [
        // A smaller epsilon or delta allows less rho.
        (|c| c["epsilon"] = json!(0.9), |p| matches!(p, Problem::AnotherRho { .. })),
        (|c| c["composition"]["delta"] = json!(1e-7), |p| matches!(p, Problem::AnotherRho { .. })),
        (|c| c["composition"]["rho"] = json!(0.03), |p| matches!(p, Problem::AnotherRho { .. })),
        (|c| c["composition"]["rho"] = json!(0.01), |p| matches!(p, Problem::OverspentRho { .. })),
        (|c| c["spent"][1]["rho"] = json!(0.2), |p| matches!(p, Problem::OverspentRho { .. })),
        (|c| c["guarantee"]["delta"] = json!(1e-9), |p| matches!(p, Problem::GuaranteeNumbers)),
        (
            |c| c["guarantee"] = json!({"kind": "pure", "epsilon": 1.0}),
            |p| matches!(p, Problem::Guarantee { .. }),
        ),
        // A choice that cost less than its epsilon does, or that was made by another law.
        (|c| c["spent"][0]["rho"] = json!(0.001), |p| matches!(p, Problem::StepRho(_))),
        (|c| c["spent"][0]["accounting"] = json!("pure-epsilon"), |p| matches!(p, Problem::StepRho(_))),
        (|c| c["spent"][1]["rho"] = json!(0.0), |p| matches!(p, Problem::StepRho(_))),
        (
            |c| drop(c["spent"][0].as_object_mut().unwrap().remove("rho")),
            |p| matches!(p, Problem::StepRho(_)),
        ),
        // Without the composition the steps are not paid for.
        (|c| drop(c.as_object_mut().unwrap().remove("composition")), |p| matches!(p, Problem::StepRho(_))),
    ];
    for (number, (edit, expected)) in edits.iter().enumerate() {
        let found = problems(edit);
        assert!(found.iter().any(expected), "edit {number}: {found:?}");
    }
    assert_eq!(problems(&|_| {}), []);
    // A chain is not accounted, nor are steps with a delta of their own.
    for exactness in [json!("at-stationarity"), json!({"within-delta": {"delta": 1e-9}})] {
        let found = problems(&|c| c["spent"][0]["exactness"] = exactness.clone());
        assert!(
            found.contains(&Problem::Guarantee { stated: "approximate", supported: "none" }),
            "{found:?}"
        );
    }
}
