//! How the budget is divided, before anything is spent.

use indistinct::release::Part;
use serde_json::json;

use super::work::Planned;
use crate::args::Common;
use crate::failure::Failure;
use crate::output::{print, print_json, tell};

/// For `--dry-run`.
pub(super) fn print_split(plan: &Planned, common: &Common) -> Result<(), Failure> {
    let parts = plan.split();
    let (epsilon, delta) = (plan.epsilon(), plan.delta());
    if common.json {
        let part = |part: &Part| json!({"step": part.step, "share": part.share, "noise_sd": part.noise_sd});
        return print_json(&json!({
            "dry_run": true,
            "model": plan.model(),
            "epsilon": epsilon.to_f64(),
            "delta": delta.to_f64(),
            "split": parts.iter().map(part).collect::<Vec<_>>(),
        }));
    }
    let mut text = format!("model: {}\nbudget: epsilon {epsilon}, delta {delta}\n", plan.model());
    for Part { step, share, noise_sd } in &parts {
        let noise = noise_sd.map(|sd| format!(", noise of each count: sd {sd:.1}")).unwrap_or_default();
        text += &format!("{:6.2} %  {step}{noise}\n", 100.0 * share);
    }
    if plan.model() == "mixed" {
        text += "Columns with missing values show in their margins only: each then shares what is set aside for pairs.\n";
    }
    text += "Nothing was charged, drawn or written.\n";
    print(&text)
}

/// In one line, before a run.
pub(super) fn tell_split(plan: &Planned) {
    let mut margins = 0.0;
    let mut others = Vec::new();
    for Part { step, share, .. } in plan.split() {
        if step.starts_with("margin of ") {
            margins += share;
        } else {
            others.push(format!("{:.0} % {step}", 100.0 * share));
        }
    }
    if margins > 0.0 {
        others.insert(0, format!("{:.0} % margins", 100.0 * margins));
    }
    tell(&format!("budget: {}", others.join(", ")));
}
