//! The spending of the budget.

use indistinct::privacy::{Certificate, Epsilon, Exactness, Rho, Spent};

use crate::chart::{NEUTRAL, Strip, StripPart};
use crate::page::Figure;
use crate::page::words::{count, number, percent, shown, shown_sentence};

/// Most steps that are drawn one by one: more are drawn by kind.
const PARTS: usize = 80;
/// Kinds of steps with a colour of their own, which are the costliest. There are colours for one more, which is for what was
/// not spent, and grey for all other kinds together: no two look alike.
const COLOURED: usize = 6;
const NOT_SPENT: usize = COLOURED;

/// The beginnings of the names of steps about one column, whose name follows.
const OF_A_COLUMN: [&str; 10] = [
    "cells",
    "counts",
    "dependence",
    "location",
    "location and scale",
    "magnitude",
    "presence",
    "range",
    "roundness",
    "scale",
];

/// The name of a step without numbers and columns: steps that differ only in those are of one kind.
fn kind_of(step: &str) -> String {
    if let Some((what, _)) = step.split_once(" of ") {
        let first = what.split(',').next().unwrap_or_default();
        if first == "table" || OF_A_COLUMN.contains(&first) {
            let column = if first == "table" { "columns" } else { "a column" };
            return format!("{} of {column}", without_numbers(what.trim_end_matches(',')));
        }
    }
    without_numbers(step)
}

fn without_numbers(step: &str) -> String {
    let mut kind = String::new();
    for letter in shown_sentence(step).chars() {
        match (letter.is_ascii_digit(), kind.ends_with('#')) {
            (true, true) => {}
            (true, false) => kind.push('#'),
            (false, _) => kind.push(letter),
        }
    }
    kind.replace(" #", " k").replace('#', "k")
}

/// The account of a certificate: in epsilon, or in rho where a delta makes steps add up by that.
#[derive(Clone, Copy)]
pub(super) struct Account<'a>(&'a Certificate);

/// An amount of a budget, as a number and as text: rounded, since the certificate has all digits.
pub(super) struct Amount {
    value: f64,
    pub(super) text: String,
}

impl Amount {
    fn of(value: f64) -> Self {
        Self { value, text: number(value) }
    }
}

impl<'a> Account<'a> {
    pub(super) fn of(certificate: &'a Certificate) -> Self {
        Self(certificate)
    }

    /// The unit of the budget.
    pub(super) fn unit(self) -> &'static str {
        if self.0.composition().is_some() { "rho" } else { "epsilon" }
    }

    fn cost<'s>(self, steps: impl Iterator<Item = &'s Spent>) -> Amount {
        if self.0.composition().is_some() {
            let rho: Rho = steps.filter_map(|step| step.rho).sum();
            Amount::of(rho.to_f64())
        } else {
            let epsilon: Epsilon = steps.map(|step| step.epsilon).sum();
            Amount::of(epsilon.to_f64())
        }
    }

    pub(super) fn spent(self) -> Amount {
        self.cost(self.0.spent().iter())
    }

    pub(super) fn whole(self) -> Amount {
        match self.0.composition() {
            Some(composition) => Amount::of(composition.rho.to_f64()),
            None => Amount::of(self.0.epsilon().to_f64()),
        }
    }

    /// The unspent budget, if it is worth mentioning.
    pub(super) fn left(self) -> Option<Amount> {
        let (whole, spent) = (self.whole().value, self.spent().value);
        let left = whole - spent;
        (left > 1e-6 * whole).then(|| Amount::of(left))
    }
}

/// The budget as a picture, and a table of the kinds of steps.
pub(super) fn budget(certificate: &Certificate) -> (Figure, Vec<Vec<String>>) {
    struct Kind<'a> {
        name: String,
        steps: Vec<&'a Spent>,
    }
    let account = Account::of(certificate);
    let unit = account.unit();
    let mut kinds: Vec<Kind> = Vec::new();
    let mut parts: Vec<(usize, &Spent)> = Vec::new();
    for step in certificate.spent() {
        let name = kind_of(&step.step);
        let kind = kinds.iter().position(|kind| kind.name == name).unwrap_or_else(|| {
            kinds.push(Kind { name, steps: Vec::new() });
            kinds.len() - 1
        });
        kinds[kind].steps.push(step);
        parts.push((kind, step));
    }
    let sum = |steps: &[&Spent]| account.cost(steps.iter().copied());
    let whole = account.whole().value.max(f64::MIN_POSITIVE);
    let share = |amount: &Amount| percent(amount.value / whole);
    let one_by_one = parts.len() <= PARTS;
    let mut costliest: Vec<usize> = (0..kinds.len()).collect();
    costliest.sort_by(|&a, &b| sum(&kinds[b].steps).value.total_cmp(&sum(&kinds[a].steps).value));
    costliest.truncate(COLOURED);
    costliest.sort_unstable();
    let colour = |kind: usize| costliest.iter().position(|&one| one == kind).unwrap_or(NEUTRAL);
    let mut drawn: Vec<StripPart> = if one_by_one {
        let part = |&(kind, step): &(usize, &Spent)| {
            let cost = sum(&[step]);
            let hover = format!("{}\n{unit} {} ({})", shown_sentence(&step.step), cost.text, share(&cost));
            StripPart { value: cost.value, kind: colour(kind), hover }
        };
        parts.iter().map(part).collect()
    } else {
        let part = |(kind, of): (usize, &Kind)| {
            let cost = sum(&of.steps);
            let steps = of.steps.len();
            let hover = format!("{}: {steps} steps\n{unit} {} ({})", of.name, cost.text, share(&cost));
            StripPart { value: cost.value, kind: colour(kind), hover }
        };
        kinds.iter().enumerate().map(part).collect()
    };
    let mut names: Vec<(usize, String)> =
        costliest.iter().enumerate().map(|(colour, &kind)| (colour, kinds[kind].name.clone())).collect();
    if kinds.len() > COLOURED {
        names.push((NEUTRAL, "all other kinds, in the table below".to_owned()));
    }
    if let Some(left) = account.left().filter(|left| left.value > whole * 1e-3) {
        names.push((NOT_SPENT, "not spent".to_owned()));
        let hover = format!("not spent\n{unit} {} ({})", left.text, share(&left));
        drawn.push(StripPart { value: left.value, kind: NOT_SPENT, hover });
    }
    let strip = Strip {
        title: format!("Where {unit} {} went", account.whole().text),
        description: format!(
            "The budget divided among {} steps; the table below has the numbers.",
            parts.len()
        ),
        parts: drawn,
        kinds: names,
    };
    let rows = kinds.iter().map(|kind| {
        let all = sum(&kind.steps);
        vec![
            kind.name.clone(),
            count(kind.steps.len() as u64),
            all.text.clone(),
            share(&all),
            proofs(&kind.steps),
        ]
    });
    (Figure::new(strip.to_inline_svg(1060.0), ""), rows.collect())
}

fn proofs(steps: &[&Spent]) -> String {
    let mut pages: Vec<String> = steps
        .iter()
        .map(|step| step.proof.as_deref().map_or_else(|| "not proven".to_owned(), shown))
        .collect();
    pages.sort_unstable();
    pages.dedup();
    pages.join(", ")
}

pub(super) fn step_row(account: Account<'_>, step: &Spent) -> Vec<String> {
    let exactness = match &step.exactness {
        Exactness::Exact => "exact".to_owned(),
        Exactness::WithinDelta { delta } => format!("within {delta}"),
        Exactness::AtStationarity => "at stationarity".to_owned(),
        Exactness::NoGuarantee { why } => format!("no guarantee: {}", shown_sentence(why)),
    };
    vec![
        shown_sentence(&step.step),
        account.cost(std::iter::once(step)).text,
        shown_sentence(&step.sensitivity),
        step.proof.as_deref().map_or_else(|| "not proven".to_owned(), shown),
        exactness,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_differ_in_numbers_and_columns_are_of_one_kind() {
        assert_eq!(kind_of("scale of age"), "scale of a column");
        assert_eq!(kind_of("location, stage 1, of age"), "location, stage k of a column");
        assert_eq!(kind_of("location, stage 1, of x of 12"), kind_of("location, stage 4, of income"));
        assert_eq!(kind_of("table of age, sex"), kind_of("table of income, age, sex"));
        assert_eq!(kind_of("which table differs, round 12"), "which table differs, round k");
        assert_eq!(kind_of("quality score"), "quality score");
    }
}
