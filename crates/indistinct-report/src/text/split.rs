//! The division of the budget, before anything is spent.

use indistinct::mixed::Outlook;
use indistinct::privacy::ledger::Total;
use indistinct::privacy::{Delta, Epsilon, NUMBER_OF_ROWS, Neighbours};
use indistinct::synthesis::Planned;
use indistinct::{Part, Terms};
use indistinct_io::Failure;
use indistinct_io::synth::Fit;
use serde_json::{Value, json};

use super::expected::{Expected, percent};
use super::ledger::left_in_words;

/// The costs of the steps of a release, by public quantities.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    model: &'static str,
    epsilon: Epsilon,
    delta: Delta,
    parts: Vec<Part>,
    /// Of tables of any columns: what tables are chosen from, and how close the release should come.
    expected: Option<Expected>,
    /// Whether a plan waits for rows to be counted.
    waits: bool,
    ledger: Option<Fit>,
}

/// The words before the name of a column in the steps of margins.
const MARGIN: &str = "margin of ";
/// Columns that are shown, at most.
const SHOWN: usize = 10;

/// The remark on a plan that waits for rows to be counted.
const WAITS: &str = "The number of rows is private: they are counted first, with noise, and the rest of the budget is divided by that. \
                     Say for about how many rows to plan with --rows N.\n";

impl Split {
    /// The division of a plan's budget.
    pub fn of(plan: &Planned) -> Self {
        let Terms { epsilon, delta, neighbours, .. } = *plan.terms();
        let expected = plan.mixed().map(Expected::of);
        Self {
            model: plan.model(),
            epsilon,
            delta,
            parts: plan.parts(),
            waits: neighbours == Neighbours::AddRemove && expected.is_none(),
            expected,
            ledger: None,
        }
    }

    /// The same with whether a ledger would take the charge.
    #[must_use]
    pub fn with_ledger(self, fit: Option<Fit>) -> Self {
        Self { ledger: fit, ..self }
    }

    /// The reason why the ledger would refuse, if there is one and it would.
    pub fn refusal(&self) -> Option<&Failure> {
        self.ledger.as_ref().and_then(|fit| fit.refusal.as_ref())
    }

    /// The division as a script reads it.
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
            document["predicted_with_delta"] = expected.with_delta_as_json();
            document["columns"] = expected.columns_as_json();
        }
        if let Some(fit) = &self.ledger {
            document["ledger"] = fit_as_json(fit);
        }
        document
    }

    /// The division as a person reads it.
    pub fn as_text(&self) -> String {
        let Self { model, epsilon, delta, parts, expected, waits, ledger } = self;
        let mut text = format!("model: {model}\nbudget: epsilon {epsilon}, delta {delta}\n");
        let outlooks = expected.as_ref().map_or(&[][..], Expected::outlooks);
        let place = |part: &Part| {
            let is_of = |outlook: &Outlook| part.step.strip_prefix(MARGIN) == Some(outlook.column.as_str());
            outlooks.iter().position(is_of)
        };
        // Margins where they are, but the worst first.
        let mut sorted: Vec<(Option<usize>, &Part)> = parts.iter().map(|part| (place(part), part)).collect();
        sorted.sort_by_key(|(place, part)| match place {
            Some(place) => (1, *place),
            None if part.step == NUMBER_OF_ROWS => (0, 0),
            None => (2, 0),
        });
        let margins = sorted.iter().filter(|(place, _)| place.is_some()).count();
        for (place, Part { step, share, noise_sd }) in sorted {
            if place.is_some_and(|place| place >= SHOWN) {
                if place == Some(SHOWN) {
                    text += &format!(
                        "          and {} more columns, which are less noisy (--json)\n",
                        margins - SHOWN
                    );
                }
                continue;
            }
            let noise = noise_sd.map(|sd| format!(", noise of each count: sd {sd:.1}")).unwrap_or_default();
            let within = place.map(|place| format!(", a share within ± {}", percent(outlooks[place].share)));
            let within = within.unwrap_or_default();
            text += &format!("{:6.2} %  {step}{noise}{within}\n", 100.0 * share);
        }
        text += &expected.as_ref().map(Expected::as_text).unwrap_or_default();
        text += if *waits { WAITS } else { "" };
        text += &ledger.as_ref().map(fit_as_text).unwrap_or_default();
        text += "Nothing was charged, drawn or written.\n";
        text
    }

    /// In one line, before a run; one more where no tables will be measured.
    pub fn in_short(&self) -> String {
        let mut margins = 0.0;
        let mut others = Vec::new();
        for Part { step, share, .. } in &self.parts {
            if step.starts_with(MARGIN) {
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

/// Whether a ledger would take the charge, as a script reads it.
fn fit_as_json(fit: &Fit) -> Value {
    let left = fit.receipt.as_ref().map(|receipt| receipt.left);
    json!({
        "file": fit.file,
        "fits": fit.refusal.is_none(),
        "because": fit.refusal.as_ref().map(Failure::what),
        "remaining": left.map(|left| left.pure),
        "remaining_with_delta": left
            .and_then(|left| left.with_delta)
            .map(|Total { epsilon, delta }| json!({"epsilon": epsilon, "delta": delta})),
    })
}

/// Whether a ledger would take the charge, as a person reads it, in one line.
fn fit_as_text(fit: &Fit) -> String {
    match (&fit.receipt, &fit.refusal) {
        (Some(receipt), _) => {
            format!(
                "ledger: the charge fits {}, and would leave {}\n",
                fit.file,
                left_in_words(&receipt.left)
            )
        }
        (None, Some(refusal)) => format!("ledger: the charge would be refused: {}\n", refusal.what()),
        (None, None) => String::new(),
    }
}
