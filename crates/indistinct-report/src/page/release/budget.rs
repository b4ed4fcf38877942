//! Where the budget went.

use indistinct::privacy::{Certificate, Epsilon, Exactness, Spent};

use crate::chart::{Strip, StripPart};
use crate::page::Figure;
use crate::page::words::{count, percent, shown, shown_sentence};

/// More steps are drawn by their kinds.
const PARTS: usize = 80;

/// The name of a step without the numbers in it: steps that differ in those alone are of one kind.
fn kind_of(step: &str) -> String {
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

/// The budget as a picture, and a table of the kinds of steps.
pub(super) fn budget(certificate: &Certificate, left: Epsilon) -> (Figure, Vec<Vec<String>>) {
    struct Kind<'a> {
        name: String,
        steps: Vec<&'a Spent>,
    }
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
    let sum = |steps: &[&Spent]| steps.iter().map(|step| step.epsilon).sum::<Epsilon>();
    let whole = certificate.epsilon().to_f64().max(f64::MIN_POSITIVE);
    let share = |epsilon: Epsilon| percent(epsilon.to_f64() / whole);
    let one_by_one = parts.len() <= PARTS;
    let mut drawn: Vec<StripPart> = if one_by_one {
        let part = |&(kind, step): &(usize, &Spent)| StripPart {
            value: step.epsilon.to_f64(),
            kind,
            hover: format!(
                "{}\nepsilon {} ({})",
                shown_sentence(&step.step),
                step.epsilon,
                share(step.epsilon)
            ),
        };
        parts.iter().map(part).collect()
    } else {
        let part = |(kind, of): (usize, &Kind)| StripPart {
            value: sum(&of.steps).to_f64(),
            kind,
            hover: format!(
                "{}: {} steps\nepsilon {} ({})",
                of.name,
                of.steps.len(),
                sum(&of.steps),
                share(sum(&of.steps))
            ),
        };
        kinds.iter().enumerate().map(part).collect()
    };
    let mut names: Vec<String> = kinds.iter().map(|kind| kind.name.clone()).collect();
    if left.to_f64() > whole * 1e-3 {
        names.push("not spent".to_owned());
        let hover = format!("not spent\nepsilon {left} ({})", share(left));
        drawn.push(StripPart { value: left.to_f64(), kind: names.len() - 1, hover });
    }
    let strip = Strip {
        title: format!("Where epsilon {} went", certificate.epsilon()),
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
            all.to_string(),
            share(all),
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

pub(super) fn step_row(step: &Spent) -> Vec<String> {
    let exactness = match &step.exactness {
        Exactness::Exact => "exact".to_owned(),
        Exactness::WithinDelta { delta } => format!("within {delta}"),
        Exactness::AtStationarity => "at stationarity".to_owned(),
        Exactness::NoGuarantee { why } => format!("no guarantee: {}", shown_sentence(why)),
    };
    vec![
        shown_sentence(&step.step),
        step.epsilon.to_string(),
        shown_sentence(&step.sensitivity),
        step.proof.as_deref().map_or_else(|| "not proven".to_owned(), shown),
        exactness,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_differ_in_numbers_are_of_one_kind() {
        assert_eq!(kind_of("scale of column 12"), "scale of column k");
        assert_eq!(kind_of("location of column 1, stage 20"), kind_of("location of column 33, stage 4"));
        assert_eq!(kind_of("quality score"), "quality score");
    }
}
