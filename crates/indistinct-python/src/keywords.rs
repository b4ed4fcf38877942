//! Messages in the words of languages with keyword arguments: `--rows-per-person 3` is `rows_per_person=3` there.
//!
//! Messages are written once, with options as the command has them, which are easy to find in a text.

/// Options that are given without a value, and are true then.
const FLAGS: [&str; 5] = ["force", "interactions", "fresh-tables", "accept-conditional", "no-header"];
/// What words an option may be followed by that are its value.
const VALUES: [(&str, &[&str]); 10] = [
    ("model", &["auto", "normal", "mixed"]),
    ("sampler", &["zoom", "metropolis"]),
    ("discriminator", &["partition", "optimal", "private-tree", "cart", "logistic"]),
    ("neighbours", &["substitute", "add-remove"]),
    ("invalid", &["refuse", "missing"]),
    ("null", &["none", "permutation", "bootstrap", "analytic"]),
    ("null-reference", &["sample", "fitted-model", "synthpop"]),
    ("sample", &["all"]),
    ("method", &["class", "anova"]),
    ("rule", &["raab", "reiter", "private-draw", "private-draws", "private-counts"]),
];

/// A text with the command's options as keyword arguments.
pub(crate) fn in_keywords(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find("--") {
        let (before, after) = (&rest[..place], &rest[place + 2..]);
        let length =
            after.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-').unwrap_or(after.len());
        let name = after[..length].trim_end_matches('-');
        said += before;
        rest = &after[name.len()..];
        let is_option =
            !name.is_empty() && !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '-');
        if !is_option {
            said += "--";
            said += name;
            continue;
        }
        said += &name.replace('-', "_");
        if FLAGS.contains(&name) {
            said += "=True";
        } else if let Some(value) = value_of(name, rest) {
            let is_number = value.starts_with(|letter: char| letter.is_ascii_digit());
            let quote = if is_number { "" } else { "\"" };
            said.extend(["=", quote, value, quote]);
            rest = &rest[1 + value.len()..];
        } else if !rest.starts_with([':', ',']) {
            said.push('=');
        }
    }
    said + rest
}

/// The value that follows an option, if one does.
fn value_of<'a>(name: &str, after: &'a str) -> Option<&'a str> {
    let after = after.strip_prefix(' ')?;
    let end = after.find(|letter: char| !(letter.is_alphanumeric() || "-.".contains(letter)));
    let word = after[..end.unwrap_or(after.len())].trim_end_matches('.');
    let is_number = word.starts_with(|letter: char| letter.is_ascii_digit()) && word.parse::<f64>().is_ok();
    let known = VALUES.iter().any(|(option, values)| *option == name && values.contains(&word));
    (is_number || known).then_some(word)
}
