//! How the budget is divided, before anything is spent.

use indistinct::privacy::{Delta, Epsilon};
use indistinct::release::Part;
use serde_json::{Value, json};

use super::admission::Fit;
use super::expected::Expected;
use super::work::Planned;
use crate::Failure;

/// What the steps of a release would cost, by public quantities.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    model: &'static str,
    epsilon: Epsilon,
    delta: Delta,
    parts: Vec<Part>,
    /// Of tables of any columns: what tables are chosen from, and how close the release should come.
    expected: Option<Expected>,
    ledger: Option<Fit>,
}

impl Split {
    pub(super) fn of(plan: &Planned) -> Self {
        let (epsilon, delta) = (plan.epsilon(), plan.delta());
        Self {
            model: plan.model(),
            epsilon,
            delta,
            parts: plan.split(),
            expected: plan.expected(),
            ledger: None,
        }
    }

    /// The same with whether a ledger would take the charge.
    #[must_use]
    pub fn with_ledger(self, fit: Option<Fit>) -> Self {
        Self { ledger: fit, ..self }
    }

    /// Why the ledger would refuse, if there is one and it would.
    pub fn refusal(&self) -> Option<&Failure> {
        self.ledger.as_ref().and_then(Fit::refusal)
    }

    /// As a script reads it.
    pub fn as_json(&self) -> Value {
        let part = |part: &Part| json!({"step": part.step, "share": part.share, "noise_sd": part.noise_sd});
        let mut document = json!({
            "dry_run": true,
            "model": self.model,
            "epsilon": self.epsilon.to_f64(),
            "delta": self.delta.to_f64(),
            "split": self.parts.iter().map(part).collect::<Vec<_>>(),
        });
        if let Some(expected) = &self.expected {
            document["candidates"] = expected.candidates_as_json();
            document["predicted"] = expected.predicted_as_json();
        }
        if let Some(fit) = &self.ledger {
            document["ledger"] = fit.as_json();
        }
        document
    }

    /// As a person reads it.
    pub fn as_text(&self) -> String {
        let Self { model, epsilon, delta, parts, expected, ledger } = self;
        let mut text = format!("model: {model}\nbudget: epsilon {epsilon}, delta {delta}\n");
        for Part { step, share, noise_sd } in parts {
            let noise = noise_sd.map(|sd| format!(", noise of each count: sd {sd:.1}")).unwrap_or_default();
            text += &format!("{:6.2} %  {step}{noise}\n", 100.0 * share);
        }
        text += &expected.as_ref().map(Expected::as_text).unwrap_or_default();
        text += &ledger.as_ref().map(Fit::as_text).unwrap_or_default();
        text += "Nothing was charged, drawn or written.\n";
        text
    }

    /// In one line, before a run; one more where no tables will be measured.
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
        let margins_only = self.expected.as_ref().and_then(Expected::margins_only);
        let margins_only = margins_only.map(|sentence| format!("\n{sentence}")).unwrap_or_default();
        format!("budget: {}{margins_only}", others.join(", "))
    }
}
