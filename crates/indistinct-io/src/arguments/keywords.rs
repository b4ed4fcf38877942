//! Messages in the words of languages with keyword arguments: `--rows-per-person 3` is `rows_per_person=3` there.
//!
//! Messages are written once, with options as the command has them, which are easy to find in a text.

/// Options that are given without a value, and are true then.
const FLAGS: [&str; 7] =
    ["rehearse", "resume", "force", "interactions", "fresh-tables", "accept-conditional", "no-header"];
/// Words after an option that are its value.
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

/// The spelling of named arguments in a language, and what it calls otherwise than the command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgumentStyle {
    /// The word for true.
    pub truth: &'static str,
    /// The sign between a name and its value, with the spaces around it.
    pub equals: &'static str,
    /// The marks around names that stand without a value; where there are none, an equals sign is behind them.
    pub marks: &'static str,
    /// Phrases of the command, and what they are in this language.
    phrases: &'static [(&'static str, &'static str)],
}

/// Python's: `force=True`.
pub const PYTHON: ArgumentStyle = ArgumentStyle {
    truth: "True",
    equals: "=",
    marks: "",
    phrases: &[
        ("`indistinct synth --draws 5`", "Synthesizer(draws=5)"),
        ("`indistinct synth --draws`", "Synthesizer(draws=)"),
        ("`indistinct ledger init`", "indistinct.Ledger.init"),
        ("`indistinct ledger show`", "indistinct.Ledger.open"),
        ("`indistinct ledger verify`", "Ledger.verify"),
        ("`indistinct ledger plan`", "Ledger.plan"),
        ("`indistinct synth --ledger`", "ledger="),
        ("`indistinct synth --out`", "save_release"),
        ("`indistinct rehearse --out`", "the command's rehearse"),
        ("`indistinct rehearse --resume`", "the command's rehearse, where it stopped"),
        ("`indistinct rehearse`", "the command's rehearse"),
        ("`indistinct interval`", "interval"),
        ("`indistinct synth`", "save_release"),
        ("`indistinct sample` on a released model", "sample on a released model"),
        ("make rows with `indistinct sample`", "make rows with indistinct.load and sample"),
        ("`indistinct sample`", "sample"),
        ("`indistinct schema`", "indistinct.schema"),
        ("(indistinct schema)", "(indistinct.schema)"),
        ("`indistinct verify`", "indistinct.verify"),
        ("`indistinct evaluate`", "indistinct.evaluate"),
        (" for --out", ""),
        (" for --html", ""),
        ("say --encoding with the one", "read it by pandas.read_csv(encoding=...) with the one"),
        (
            "say --encoding utf-16le (or utf-16be)",
            "read it by pandas.read_csv(encoding=\"utf-16le\") (or utf-16be)",
        ),
        (
            "say which encoding it has, as in --encoding latin1",
            "read it by pandas.read_csv(encoding=\"latin1\")",
        ),
        ("say --no-header", "read it with pandas and header=None"),
        ("leave out --no-header", "name the columns"),
    ],
};

/// R's: `force = TRUE`.
pub const R: ArgumentStyle = ArgumentStyle {
    truth: "TRUE",
    equals: " = ",
    marks: "`",
    phrases: &[
        ("`indistinct synth --draws 5`", "synth(draws = 5)"),
        ("`indistinct synth --draws`", "synth(draws = )"),
        ("`indistinct ledger init`", "ledger_init()"),
        ("`indistinct ledger show`", "ledger_show()"),
        ("`indistinct ledger verify`", "ledger_verify()"),
        ("`indistinct ledger plan`", "ledger_plan()"),
        ("`indistinct synth --ledger`", "synth(ledger = )"),
        ("`indistinct synth --out`", "write_release()"),
        ("that `indistinct synth` made", "that write_release() made"),
        ("`indistinct rehearse --out`", "the command's rehearse"),
        ("`indistinct rehearse --resume`", "the command's rehearse, where it stopped"),
        ("`indistinct rehearse`", "the command's rehearse"),
        ("`indistinct interval`", "interval()"),
        ("`indistinct synth`", "synth()"),
        ("`indistinct sample`", "sample_rows()"),
        ("`indistinct schema`", "schema()"),
        ("(indistinct schema)", "(schema())"),
        ("`indistinct verify`", "verify()"),
        ("`indistinct evaluate`", "evaluate()"),
        (" for --out", ""),
        (" for --html", ""),
        ("(--json)", "(as.data.frame() has them)"),
        ("say --encoding with the one", "read it by read.csv(fileEncoding = ) with the one"),
        (
            "say --encoding utf-16le (or utf-16be)",
            "read it by read.csv(fileEncoding = \"UTF-16LE\") (or UTF-16BE)",
        ),
        (
            "say which encoding it has, as in --encoding latin1",
            "read it by read.csv(fileEncoding = \"latin1\")",
        ),
        ("say --no-header", "read it with header = FALSE"),
        ("leave out --no-header", "name the columns"),
    ],
};

/// A text with the command's options as named arguments of a language.
pub fn in_keywords(text: &str, style: ArgumentStyle) -> String {
    let ArgumentStyle { truth, equals, marks, phrases } = style;
    let phrased = phrases.iter().fold(text.to_owned(), |text, (command, other)| text.replace(command, other));
    let mut said = String::with_capacity(text.len());
    let mut rest = phrased.as_str();
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
        let argument = name.replace('-', "_");
        if FLAGS.contains(&name) {
            said.extend([&argument, equals, truth]);
        } else if let Some(value) = value_of(name, rest) {
            let is_number = value.starts_with(|letter: char| letter.is_ascii_digit());
            let quote = if is_number { "" } else { "\"" };
            said.extend([&argument, equals, quote, value, quote]);
            rest = &rest[1 + value.len()..];
        } else {
            let ends = marks.is_empty() && !rest.starts_with([':', ',']);
            said.extend([marks, &argument, marks, if ends { equals } else { "" }]);
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
