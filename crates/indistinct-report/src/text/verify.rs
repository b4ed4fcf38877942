//! Findings about a release, in words and for scripts.

use std::fmt::Write;

use indistinct::number::number_of;
use indistinct::privacy::{Certificate, Epsilon, Exactness, Guarantee, Neighbours, Rho, SchemaSource};
use indistinct_io::verify::{all_problems, problems, state_in_words};
use indistinct_io::{Contradiction, ReleaseCheck, one_line};
use serde_json::{Value, json};

use super::grid;

/// Significant digits of costs, rounded up; the document for scripts has all of them.
const DIGITS: u32 = 4;

/// The release in `folder` in words.
pub fn as_text(check: &ReleaseCheck, folder: &str) -> String {
    let certificate = &check.certificate;
    let facts = certificate.facts();
    let mut text = format!(
        "{folder}: released {} by indistinct {}, from {}{} and {}\n\n",
        one_line(certificate.created()),
        one_line(certificate.version()),
        if certificate.neighbours() == Neighbours::AddRemove { "about " } else { "" },
        number_of(facts.rows, "row"),
        number_of(facts.columns, "column")
    );
    if !facts.derived.is_empty() {
        let names = one_line(&facts.derived.join(", "));
        _ = writeln!(
            text,
            "Derived columns, computed from the other columns of each synthetic row: {names}\n"
        );
    }
    if let Some(comparison) = &facts.comparison {
        _ = writeln!(text, "Made by {}, a method for comparison.\n", one_line(&comparison.method));
    }
    let disagreements: Vec<String> = all_problems(check).collect();
    if disagreements.is_empty() {
        _ = writeln!(text, "{}", promise(certificate));
    } else {
        text.push_str("What the certificate claims does not follow from its own parts and files:\n");
        for problem in &disagreements {
            _ = writeln!(text, "  {}", one_line(problem));
        }
    }
    rests_on(&mut text, certificate);
    outside(&mut text, check);
    files(&mut text, check);
    _ = writeln!(text, "\n{}", verdict(check));
    text
}

/// The guarantee in words.
fn promise(certificate: &Certificate) -> String {
    let rows = certificate.rows_per_person().get();
    let person = match (&certificate.facts().person, rows, certificate.neighbours()) {
        (Some(person), 1, Neighbours::AddRemove) => {
            format!("the rows of one person in column `{}` had not been there", one_line(&person.column))
        }
        (Some(person), _, Neighbours::AddRemove) => format!(
            "the rows of one person in column `{}`, up to {rows} of which were kept, had not been there",
            one_line(&person.column)
        ),
        (None, 1, Neighbours::AddRemove) => "one person's row had not been there".to_owned(),
        (None, _, Neighbours::AddRemove) => {
            format!("the up to {rows} rows of one person had not been there")
        }
        (Some(person), _, Neighbours::Substitute) => {
            let (kept, others) = match rows {
                1 => ("one of which was".to_owned(), "others"),
                _ => (format!("up to {rows} of which were"), "others of which as many are kept"),
            };
            format!(
                "all rows of one person in column `{}`, {kept} kept, had been {others}",
                one_line(&person.column)
            )
        }
        (None, 1, Neighbours::Substitute) => "one person's row had been another".to_owned(),
        (None, _, Neighbours::Substitute) => format!("the up to {rows} rows of one person had been others"),
    };
    let pure = |epsilon| {
        format!(
            "Whoever sees the release learns almost the same as if {person}: no outcome becomes more than \
             e^{epsilon} times as likely."
        )
    };
    match certificate.guarantee() {
        Guarantee::Pure { epsilon } => {
            format!("Guarantee: pure differential privacy, epsilon {epsilon}.\n{}", pure(epsilon))
        }
        Guarantee::Approximate { epsilon, delta } => format!(
            "Guarantee: approximate differential privacy, epsilon {epsilon}, delta {delta}.\n{}\n\
             With probability {delta} that may fail.",
            pure(epsilon)
        ),
        guarantee @ Guarantee::Conditional { epsilon, .. } => {
            let mut said = format!("Guarantee: {}.\n{}", one_line(&guarantee.to_string()), pure(epsilon));
            if !guarantee.delta().is_zero() {
                said += &format!("\nWith probability {} that may fail.", guarantee.delta());
            }
            said + "\nThat is about what was drawn: what was learned from the rows besides is in the release as it is."
        }
        Guarantee::AtStationarity { epsilon } => format!(
            "Guarantee: epsilon {epsilon}, at stationarity only.\nThe law that the Markov chain tends to is \
             differentially private; for the finite chain that was run nothing is proven."
        ),
        Guarantee::None { because } => {
            let because: Vec<String> = because.iter().map(|why| format!("\n  {}", one_line(why))).collect();
            format!("Guarantee: none, because{}", because.concat())
        }
    }
}

/// The steps that the claim is computed from.
fn rests_on(text: &mut String, certificate: &Certificate) {
    text.push_str(match certificate.guarantee() {
        Guarantee::None { .. } => "\nThese steps looked at the private rows; their costs add up:\n",
        _ => "\nIt rests on these steps, whose costs add up:\n",
    });
    let composition = certificate.composition();
    let cost = if composition.is_some() { "rho" } else { "epsilon" };
    let mut table = grid(&["step", cost, "one row moves at most", "proof", "drawn"], &[0, 2, 3, 4]);
    for spent in certificate.spent() {
        let row = [
            one_line(&spent.step),
            spent.rho.map_or_else(|| read(spent.epsilon), |rho| rho.rounded_up_to(DIGITS).to_string()),
            one_line(&spent.sensitivity),
            spent.proof.as_deref().map_or_else(|| "none".to_owned(), one_line),
            exactness(&spent.exactness),
        ];
        table.add_row(row);
    }
    let (sum, of) = match composition {
        None => {
            let sum: Epsilon = certificate.spent().iter().map(|spent| spent.epsilon).sum();
            let total = certificate.epsilon();
            // Rounding must not say more than there is.
            let sum = if sum <= total { sum.rounded_up_to(DIGITS).min(total) } else { sum };
            (sum.to_string(), total.to_string())
        }
        Some(composition) => {
            let sum: Rho = certificate.spent().iter().filter_map(|spent| spent.rho).sum();
            let total = composition.rho;
            let sum = if sum <= total { sum.rounded_up_to(DIGITS) } else { sum };
            (sum.to_string(), total.rounded_up_to(DIGITS).to_string())
        }
    };
    table.add_row(["all".to_owned(), sum, format!("(of {of})")]);
    _ = writeln!(text, "{table}");
    if let Some(composition) = composition {
        // In the certificate's words, where rho has all its digits.
        let rho = composition.rho.rounded_up_to(DIGITS).to_string();
        let how = composition.how.replacen(&composition.rho.to_string(), &rho, 1);
        _ = writeln!(text, "How costs become epsilon and delta: {}", one_line(&how));
    }
}

/// A cost with as many digits as can be read.
fn read(epsilon: Epsilon) -> String {
    epsilon.rounded_up_to(DIGITS).to_string()
}

fn exactness(exactness: &Exactness) -> String {
    match exactness {
        Exactness::Exact => "exactly".to_owned(),
        Exactness::WithinDelta { delta } => format!("but for probability {delta}"),
        Exactness::AtStationarity => "by a chain".to_owned(),
        Exactness::NoGuarantee { why } => one_line(why),
    }
}

/// Everything that no guarantee covers.
fn outside(text: &mut String, check: &ReleaseCheck) {
    let facts = check.certificate.facts();
    text.push_str("\nOutside it:\n");
    text.push_str("  the settings of the run, which are public\n");
    text.push_str(match facts.schema_source {
        SchemaSource::User => "  the schema, which was given and must not come from the data\n",
        SchemaSource::Drafted => "  the schema: it was drafted from the private data\n",
    });
    for what in &facts.outside_the_guarantee {
        _ = writeln!(text, "  {}", one_line(what));
    }
    for file in check.extra() {
        _ = writeln!(text, "  {}: in the folder, but not of the release", one_line(&file.name));
    }
}

fn files(text: &mut String, check: &ReleaseCheck) {
    text.push_str("\nFiles:\n");
    for file in &check.files {
        _ = writeln!(text, "  {}: {}", one_line(&file.name), state_in_words(&file.state));
    }
}

fn verdict(check: &ReleaseCheck) -> &'static str {
    let whole = check.broken().next().is_none();
    match (check.problems.is_empty() && check.contradictions.is_empty(), whole) {
        (true, true) => match check.certificate.guarantee() {
            Guarantee::None { .. } => "The release is whole, and its certificate claims nothing.",
            Guarantee::Conditional { .. } => {
                "The release is whole, and its guarantee follows from the steps it lists, under the condition it names."
            }
            _ => "The release is whole, and its guarantee follows from the steps it lists.",
        },
        (true, false) => {
            "The guarantee follows from the steps it lists, but the files are not those of the release."
        }
        (false, _) if check.is_overclaim() => {
            "The certificate claims more than its parts carry: do not rely on it."
        }
        (false, _) => "The certificate contradicts itself or its files: do not rely on it.",
    }
}

/// The release in `folder` for scripts.
pub fn as_json(check: &ReleaseCheck, folder: &str) -> Value {
    let certificate = &check.certificate;
    let files = check.files.iter().map(|file| json!({"name": file.name, "state": file.state.word()}));
    let contradictions = check.contradictions.iter().map(|found| {
        json!({"problem": found.to_string(), "overclaim": *found == Contradiction::Levels && check.is_overclaim()})
    });
    let listed = problems(certificate, &check.problems).into_iter().chain(contradictions);
    json!({
        "folder": folder,
        "valid": check.is_valid(),
        "overclaim": check.is_overclaim(),
        "guarantee": certificate.guarantee(),
        "epsilon": certificate.epsilon(),
        "composition": certificate.composition(),
        "spent": certificate.spent(),
        "rows_per_person": certificate.rows_per_person(),
        "person": certificate.facts().person,
        "schema_source": certificate.facts().schema_source,
        "comparison": certificate.facts().comparison,
        "outside_the_guarantee": certificate.facts().outside_the_guarantee,
        "problems": listed.collect::<Vec<Value>>(),
        "files": files.collect::<Vec<Value>>(),
        "verdict": verdict(check),
    })
}
