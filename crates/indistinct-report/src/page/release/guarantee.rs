//! The guarantee in words.

use indistinct::privacy::{Certificate, Epsilon, Guarantee, Neighbours, SchemaSource};

use crate::page::words::{count, number, percent, shown, shown_sentence};

/// The definition of neighbours unless a column identifies persons.
fn neighbours_by_rows(certificate: &Certificate) -> &'static str {
    match certificate.neighbours() {
        Neighbours::Substitute => "tables with as many rows, in which one row was substituted",
        Neighbours::AddRemove => "tables of which one has a row more",
    }
}

/// The definition of neighbours where a column identifies persons, of each of whom at most this many rows are
/// kept.
fn neighbours_by_persons(certificate: &Certificate, rows: u32) -> &'static str {
    match (certificate.neighbours(), rows) {
        (Neighbours::AddRemove, _) => "tables of which one has the rows of one person more",
        (Neighbours::Substitute, 1) => "tables in which all rows of one person were substituted",
        (Neighbours::Substitute, _) => {
            "tables in which all rows of one person were substituted by rows of which as many are kept"
        }
    }
}
/// Most derived columns that are named.
const DERIVED: usize = 20;
/// An epsilon above this promises very little.
const LARGE_EPSILON: f64 = 10.0;

/// The guarantee in a line, its tone, and a warning with its reasons if it is weak.
pub(super) fn headline(certificate: &Certificate) -> (String, &'static str, String, Vec<String>) {
    let large = |epsilon: &Epsilon| {
        if epsilon.to_f64() > LARGE_EPSILON {
            (
                "weak",
                format!(
                    "An epsilon of {epsilon} promises very little: values above {LARGE_EPSILON} are rarely defensible."
                ),
            )
        } else {
            ("good", String::new())
        }
    };
    match certificate.guarantee() {
        Guarantee::Pure { epsilon } => {
            let (tone, warning) = large(epsilon);
            (format!("Differential privacy with epsilon {epsilon}"), tone, warning, Vec::new())
        }
        Guarantee::Approximate { epsilon, delta } => {
            let (tone, warning) = large(epsilon);
            (format!("Differential privacy with epsilon {epsilon} and delta {delta}"), tone, warning, Vec::new())
        }
        guarantee @ Guarantee::Conditional { epsilon, .. } => {
            let (_, warning) = large(epsilon);
            let learned = "What was drawn has the guarantee. What was learned from the private rows besides is on this page and \
                           in the other files as it is: rely on the guarantee only if that is public anyway.";
            let warning = if warning.is_empty() { learned.to_owned() } else { format!("{learned} {warning}") };
            let delta = guarantee.delta();
            let delta = if delta.is_zero() { String::new() } else { format!(" and delta {delta}") };
            let proviso = shown_sentence(&guarantee.proviso().unwrap_or_default());
            let headline = format!("Differential privacy with epsilon {epsilon}{delta}, {proviso}");
            (headline, "weak", warning, Vec::new())
        }
        Guarantee::AtStationarity { epsilon } => (
            format!("Epsilon {epsilon} at stationarity only"),
            "weak",
            "Nothing is proven about these files. The guarantee is that of the law which the random walk tends to as it runs \
             for ever; this one was stopped. How far it was from that law is not known."
                .to_owned(),
            Vec::new(),
        ),
        Guarantee::None { because } => (
            "No guarantee".to_owned(),
            "none",
            "These files carry no privacy guarantee. Handle them as you would handle the private data.".to_owned(),
            because.iter().map(|why| shown_sentence(why)).collect(),
        ),
    }
}

/// The meaning of the guarantee for a person, in sentences.
pub(super) fn promise(certificate: &Certificate) -> Vec<String> {
    let Some(epsilon) = certificate.guarantee().epsilon() else { return Vec::new() };
    let factor = epsilon.to_f64().exp();
    let (times, most) = if factor < 1e6 {
        (format!("{} times", number(factor)), percent(factor / (1.0 + factor)))
    } else {
        ("a million times and more".to_owned(), "practically 100 %".to_owned())
    };
    let rows = certificate.rows_per_person().get();
    let whose = match (&certificate.facts().person, rows) {
        (Some(_), 1) => "all rows of one person".to_owned(),
        (Some(_), _) => "all rows of one person, as many of which are kept in both,".to_owned(),
        (None, 1) => "one row".to_owned(),
        (None, rows) => format!("up to {rows} rows, those of one person"),
    };
    let one = rows == 1 && certificate.facts().person.is_none();
    let mut said = vec![
        format!(
            "For any two private tables that differ in {whose}, no outcome of this release is more than {times} as likely with \
             one table as with the other (e to the power of epsilon {epsilon})."
        ),
        format!(
            "For a person that means: whatever anybody knew before, and whatever is done with these files, they tell almost the \
             same as if that person's {} been another. Somebody who held two possibilities for equally likely can be led to at \
             most {most} certainty of one of them.",
            if one { "row had" } else { "rows had" }
        ),
    ];
    if certificate.facts().person.is_some() && rows > 1 {
        said.push(format!(
            "How many rows of a person were kept, up to {rows}, is not hidden: the number of all rows that were kept is published."
        ));
    }
    let delta = certificate.guarantee().delta();
    if !delta.is_zero() {
        said.push(format!(
            "All that up to a delta of {delta}: so much may be added to the probability of any set of outcomes."
        ));
    }
    if let Some(proviso) = certificate.guarantee().proviso() {
        let condition = format!("This is promised {}:", shown_sentence(&proviso));
        said.insert(0, condition);
    }
    if matches!(certificate.guarantee(), Guarantee::AtStationarity { .. }) {
        said.insert(
            0,
            "If the walk had reached its law, which is not known, this would be promised:".to_owned(),
        );
    }
    said
}

pub(super) fn settings(certificate: &Certificate) -> Vec<(&'static str, String)> {
    let facts = certificate.facts();
    let (persons, neighbours) = match (&facts.person, certificate.rows_per_person().get()) {
        (Some(person), rows) => (
            format!(
                "every person in column {} of the private table, of whose rows at most {rows} {} kept, chosen at random",
                shown(&person.column),
                if rows == 1 { "was" } else { "were" }
            ),
            neighbours_by_persons(certificate, rows),
        ),
        (None, 1) => {
            ("every person who is one row of the private table".to_owned(), neighbours_by_rows(certificate))
        }
        (None, rows) => (
            format!("every person who owns up to {rows} rows of the private table"),
            neighbours_by_rows(certificate),
        ),
    };
    let kept = if facts.person.is_some() { " kept" } else { "" };
    let about = match certificate.neighbours() {
        Neighbours::Substitute => "",
        Neighbours::AddRemove => "about ",
    };
    let promised = certificate.guarantee().epsilon().map(|_| ("Promised to", persons));
    let others = vec![
        ("Neighbours", neighbours.to_owned()),
        (
            "Private table",
            format!("{about}{} rows{kept}, {} columns", count(facts.rows), count(facts.columns)),
        ),
        (
            "Released",
            format!(
                "{}, {} for each",
                counted(facts.draws, "draw of the parameters", "draws of the parameters"),
                counted(facts.tables, "table", "tables")
            ),
        ),
        (
            "Method",
            if facts.model == "mixed" {
                "margins, correlations and tables of two and three columns, measured with noise; tables chosen by how well they tell rows apart".to_owned()
            } else {
                format!("{} judged by {}, drawn by {}", facts.quality, facts.discriminator, facts.sampler)
            },
        ),
        (
            "Random numbers",
            if certificate.is_seeded() { "from a seed" } else { "from the operating system" }.to_owned(),
        ),
    ];
    let names: Vec<String> = facts.derived.iter().take(DERIVED).map(|name| shown(name)).collect();
    let more = if facts.derived.len() > DERIVED { ", ..." } else { "" };
    let derived =
        format!("{}{more}: computed from the other columns of each synthetic row", names.join(", "));
    let derived = (!names.is_empty()).then_some(("Derived columns", derived));
    promised.into_iter().chain(others).chain(derived).collect()
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Everything that no guarantee covers: the certificate's own list, and what is always true.
pub(super) fn outside(certificate: &Certificate) -> Vec<String> {
    let facts = certificate.facts();
    let mut said: Vec<String> = facts.outside_the_guarantee.iter().map(|what| shown_sentence(what)).collect();
    if facts.schema_source == SchemaSource::User {
        said.push(
            "the schema (names, types, levels of the columns): the data holder gave it, and vouches that it was written \
             without looking at the data"
                .to_owned(),
        );
    }
    if certificate.is_seeded() {
        said.push("the noise: who knows the seed can take it away".to_owned());
    }
    said.extend(
        [
            "the settings of the run, epsilon among them, which must not have been chosen by looking at the data",
            "other releases from the same data: their epsilons add up",
            "what is true of people in general: that can be learned from the release, and is about persons in the table too",
        ]
        .map(str::to_owned),
    );
    said
}
