//! How the budget is divided, before anything is spent.

use indistinct::privacy::{Delta, Epsilon};
use indistinct::release::Part;
use serde_json::{Value, json};

use super::work::Planned;

/// What the steps of a release would cost, by public quantities.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    model: &'static str,
    epsilon: Epsilon,
    delta: Delta,
    parts: Vec<Part>,
}

impl Split {
    pub(super) fn of(plan: &Planned) -> Self {
        Self { model: plan.model(), epsilon: plan.epsilon(), delta: plan.delta(), parts: plan.split() }
    }

    /// As a script reads it.
    pub fn as_json(&self) -> Value {
        let part = |part: &Part| json!({"step": part.step, "share": part.share, "noise_sd": part.noise_sd});
        json!({
            "dry_run": true,
            "model": self.model,
            "epsilon": self.epsilon.to_f64(),
            "delta": self.delta.to_f64(),
            "split": self.parts.iter().map(part).collect::<Vec<_>>(),
        })
    }

    /// As a person reads it.
    pub fn as_text(&self) -> String {
        let Self { model, epsilon, delta, parts } = self;
        let mut text = format!("model: {model}\nbudget: epsilon {epsilon}, delta {delta}\n");
        for Part { step, share, noise_sd } in parts {
            let noise = noise_sd.map(|sd| format!(", noise of each count: sd {sd:.1}")).unwrap_or_default();
            text += &format!("{:6.2} %  {step}{noise}\n", 100.0 * share);
        }
        if *model == "mixed" {
            text += "Columns with missing values show in their margins only: each then shares what is set aside for pairs.\n";
        }
        text += "Nothing was charged, drawn or written.\n";
        text
    }

    /// In one line, before a run.
    pub fn in_short(&self) -> String {
        let mut margins = 0.0;
        let mut others = Vec::new();
        for Part { step, share, .. } in &self.parts {
            if step.starts_with("margin of ") {
                margins += share;
            } else {
                others.push(format!("{:.0} % {step}", 100.0 * share));
            }
        }
        if margins > 0.0 {
            others.insert(0, format!("{:.0} % margins", 100.0 * margins));
        }
        format!("budget: {}", others.join(", "))
    }
}
