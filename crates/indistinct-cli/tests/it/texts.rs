//! Whole texts as a person sees them, kept in `snapshots/`: help, summaries, warnings and errors.
//!
//! CONTRIBUTING.md tells how to accept a text that was changed on purpose.

use super::help::COMMANDS;
use super::{Workbench, kept, stderr, stdout};

/// Commands run one after another in a folder, and what they print.
struct Transcript {
    bench: Workbench,
    text: String,
}

impl Transcript {
    /// Begins in a folder that has the tables of `examples/` and their schemas.
    fn new() -> Self {
        let bench = Workbench::new();
        for name in [
            "patients.csv",
            "patients.toml",
            "patients-synthetic.csv",
            "measurements.csv",
            "measurements.toml",
        ] {
            std::fs::copy(kept(&format!("examples/{name}")), bench.path(name)).unwrap();
        }
        Self { bench, text: String::new() }
    }

    fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.bench.file(name, content);
        self
    }

    /// Writes the schema of the patients with one text replaced by another, which must occur in it.
    fn patients_with(self, name: &str, old: &str, new: &str) -> Self {
        let schema = std::fs::read_to_string(self.bench.path("patients.toml")).unwrap();
        assert!(schema.contains(old), "{old}");
        self.file(name, schema.replace(old, new))
    }

    /// Writes the schema of the patients with these rules.
    fn patients_with_rules(self, name: &str, rules: &[&str]) -> Self {
        let mut schema = std::fs::read_to_string(self.bench.path("patients.toml")).unwrap();
        for rule in rules {
            schema += &format!("\n[[constraint]]\nrule = \"{rule}\"\n");
        }
        self.file(name, schema)
    }

    /// Runs `indistinct` with these words; one that has spaces stands in single quotes.
    fn run(mut self, command: &str) -> Self {
        let pieces = command.split('\'').enumerate();
        let arguments: Vec<&str> = pieces
            .flat_map(
                |(place, piece)| {
                    if place % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() }
                },
            )
            .collect();
        let output = self.bench.run(&arguments);
        if !self.text.is_empty() {
            self.text += "\n";
        }
        self.text += &format!("$ indistinct {command}\n{}", stdout(&output));
        let errors = stderr(&output);
        if !errors.is_empty() {
            self.text += &format!("[standard error]\n{errors}");
        }
        match output.status.code() {
            Some(0) => {}
            code => self.text += &format!("[exit code {}]\n", code.unwrap()),
        }
        self
    }

    /// Runs the commands of all lines.
    fn run_all(self, commands: &str) -> Self {
        commands.lines().map(str::trim).filter(|line| !line.is_empty()).fold(self, Self::run)
    }

    /// Compares the transcript with the one that is kept under a name.
    #[track_caller]
    fn check(self, name: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, masked(&self.text)));
    }
}

/// The text without what differs between runs, versions and systems: times, hashes, the version's number, spaces at the ends of lines.
fn masked(text: &str) -> String {
    let text = text
        .replace(concat!("indistinct ", env!("CARGO_PKG_VERSION")), "indistinct VERSION")
        .replace("indistinct.exe", "indistinct");
    let line =
        |line: &str| line.split(' ').map(masked_word).collect::<Vec<_>>().join(" ").trim_end().to_owned();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A time, as wide as it was so that tables stay in line, or a hash, of which no more is told than that it is there.
fn masked_word(word: &str) -> &str {
    const TIME: &str = "YYYY-MM-DDThh:mm:ssZ";
    let is_time = word.len() == TIME.len()
        && word.chars().zip(TIME.chars()).all(|(found, place)| {
            if "YMDhms".contains(place) { found.is_ascii_digit() } else { found == place }
        });
    if is_time {
        TIME
    } else if word.len() == 64 && word.chars().all(|letter| letter.is_ascii_hexdigit()) {
        "HASH"
    } else {
        word
    }
}

/// A table of three levels: what is printed of its release does not depend on the noise.
fn levels_of_300() -> Transcript {
    let rows: String = (0..300).map(|row| format!("l{}\n", row % 3)).collect();
    Transcript::new().file("levels.csv", format!("level\n{rows}")).file(
        "levels.toml",
        "version = 1\n[[column]]\nname = \"level\"\ntype = \"nominal\"\nlevels = [\"l0\", \"l1\", \"l2\"]\n",
    )
}

#[test]
fn help_of_every_command() {
    Transcript::new().run("--help").check("help");
    // A build that can be made to leak has one option more.
    for command in COMMANDS.into_iter().filter(|command| !cfg!(feature = "broken") || *command != "audit") {
        Transcript::new().run(&format!("{command} --help")).check(&format!("help-{command}"));
    }
    for action in ["init", "show", "plan", "verify"] {
        Transcript::new().run(&format!("ledger {action} --help")).check(&format!("help-ledger-{action}"));
    }
    Transcript::new().run("synth -h").check("help-synth-short");
    Transcript::new().run("synth --help-normal").check("help-synth-normal");
}

#[test]
fn plans_before_a_release() {
    Transcript::new()
        .run_all(
            "synth patients.csv --schema patients.toml --epsilon 2 --dry-run
            synth patients.csv --schema patients.toml --epsilon 1 --delta 1e-6 --dry-run
            synth patients.csv --schema patients.toml --epsilon 4 --neighbours add-remove --rows 1000 --dry-run
            synth patients.csv --epsilon 2 --dry-run
            synth measurements.csv --schema measurements.toml --epsilon 2 --model normal --dry-run",
        )
        .check("synth-dry-run");
}

#[test]
fn releases_with_a_seed() {
    Transcript::new()
        .run_all(
            "synth patients.csv --schema patients.toml --epsilon 2 --seed 1
            sample release/model.json --rows 500 --out more.csv --seed 1
            sample release/model.json --rows 50 --out older.csv --where 'age > 60' --seed 1
            synth patients.csv --epsilon 1 --seed 1 --out drafted --tables 2
            synth measurements.csv --epsilon 2 --model normal --score-epsilon 0.1 --seed 1 --out normal
            baseline noisy-bayes measurements.csv --schema measurements.toml --epsilon 2 \
            --bounds height=100:220,weight=20:200,systolic=50:250,pulse=20:200 --seed 1 --out compared",
        )
        .check("synth-seeded");
}

#[test]
fn releases_with_a_guarantee_and_their_ledger() {
    levels_of_300()
        .run_all(
            "ledger init patients.ledger --epsilon 3 --delta 1e-5 --id patients
            ledger show patients.ledger
            ledger verify patients.ledger
            synth levels.csv --schema levels.toml --epsilon 1 --ledger patients.ledger
            synth levels.csv --schema levels.toml --epsilon 0.5 --delta 1e-6 --ledger patients.ledger --out second
            ledger show patients.ledger
            ledger plan patients.ledger --releases 3
            ledger verify patients.ledger",
        )
        .check("ledger");
}

#[test]
fn verified_releases() {
    let whole = levels_of_300().run_all(
        "synth levels.csv --schema levels.toml --epsilon 1 --quiet
        verify release
        synth levels.csv --schema levels.toml --epsilon 0.5 --delta 1e-6 --out approximate --quiet
        verify approximate
        verify approximate --require pure --quiet
        synth levels.csv --epsilon 1 --out drafted --quiet
        verify drafted
        synth levels.csv --schema levels.toml --epsilon 1 --seed 1 --out seeded --quiet
        verify seeded",
    );
    whole.file("release/synthetic.csv", "level\nl1\n").run("verify release").check("verify");
}

#[test]
fn evaluations() {
    Transcript::new()
        .run_all(
            "evaluate patients.csv patients-synthetic.csv --schema patients.toml
            evaluate patients.csv patients-synthetic.csv --discriminator optimal --predict smoker
            evaluate patients.csv patients-synthetic.csv --null none --sample 300",
        )
        .check("evaluate");
}

#[test]
fn regressions() {
    Transcript::new()
        .run_all(
            "combine patients-synthetic.csv patients-synthetic.csv --formula 'systolic ~ age + sex'
            combine patients-synthetic.csv --formula 'log(income) ~ age * sex' --n 1000
            combine patients-synthetic.csv --formula 'systolic ~ aged'
            combine patients-synthetic.csv --formula 'smoker ~ age'
            combine patients-synthetic.csv --formula systolic",
        )
        .check("combine");
}

#[test]
fn a_drafted_schema() {
    Transcript::new()
        .run("schema patients.csv")
        .run("schema patients.csv --out drafted.toml")
        .check("schema");
}

#[test]
fn an_audit() {
    Transcript::new()
        .run("audit --releases 40 --seed 3 --model mixed --epsilon 1 --world rare-level")
        .check("audit");
}

#[test]
fn errors_about_options() {
    Transcript::new()
        .run_all(
            "sinth
            synth patients.csv
            synth patients.csv --epsilon 0
            synth patients.csv --epsilon -1
            synth patients.csv --epsilon much
            synth patients.csv --epsilon 1e9
            synth patients.csv --epsilon 1 --delta 1
            synth patients.csv --epsilon 1 --delta much
            synth patients.csv --epsilon 1 --epsilom 2
            synth patients.csv --epsilon 1 --neighbours few
            synth patients.csv --epsilon 1 --rows 0
            synth measurements.csv --epsilon 1 --delta 1e-6 --sampler metropolis
            synth patients.csv --schema patients.toml --epsilon 1 --model normal
            baseline noisy-bayes measurements.csv --epsilon 1
            evaluate patients.csv patients-synthetic.csv --sample 1
            evaluate patients.csv patients-synthetic.csv --sample some
            reproduce table9",
        )
        .check("errors-options");
}

#[test]
fn errors_about_tables() {
    Transcript::new()
        .file("empty.csv", "")
        .file("short.csv", "x,k\n1,2\n3\n")
        .file("few.csv", "x,k\n1,2\n3,4\n")
        .file("table.dat", "PK")
        .file("survey.xpt", "HEADER RECORD")
        .file("page.xls", "<html><table>")
        .file("names.csv", "age,sex\n1,31,F\n2,64,M\n")
        .patients_with("without-M.toml", "levels = [\"F\", \"M\"]", "levels = [\"F\"]")
        .patients_with("whole-bmi.toml", "type = \"float\"\ndecimals = 1", "type = \"integer\"")
        .patients_with("diastolic.toml", "name = \"systolic\"", "name = \"diastolic\"")
        .run_all(
            "synth nowhere.csv --epsilon 1
            synth table.dat --epsilon 1
            synth survey.xpt --epsilon 1
            synth page.xls --epsilon 1
            synth names.csv --epsilon 1
            synth empty.csv --epsilon 1
            synth short.csv --epsilon 1
            synth few.csv --epsilon 1 --quiet
            synth patients.csv --schema without-M.toml --epsilon 1
            synth patients.csv --schema whole-bmi.toml --epsilon 1
            synth patients.csv --schema diastolic.toml --epsilon 1
            synth patients.csv --schema patients.toml --epsilon 1 --person patient
            evaluate patients.csv measurements.csv
            evaluate patients.csv patients-synthetic.csv --predict smokers",
        )
        .check("errors-tables");
}

#[test]
fn errors_about_schemas() {
    Transcript::new()
        .file("broken.toml", "[[column")
        .patients_with("version.toml", "version = 1", "version = 2")
        .patients_with("type.toml", "type = \"float\"", "type = \"number\"")
        .patients_with(
            "predictor.toml",
            "predictors = [\"age\", \"sex\"]",
            "predictors = [\"age\", \"gender\"]",
        )
        .patients_with("limits.toml", "maximum = 95", "maximum = 5")
        .patients_with("word.toml", "decimals = 1", "decimal = 1")
        .patients_with("twice.toml", "name = \"region\"", "name = \"sex\"")
        .patients_with_rules("unknown.toml", &["agee > 60"])
        .patients_with_rules("level.toml", &["sex == 'female'"])
        .patients_with_rules("contradiction.toml", &["age > 60", "age < 40"])
        .run_all(
            "synth patients.csv --schema nowhere.toml --epsilon 1
            synth patients.csv --schema broken.toml --epsilon 1
            synth patients.csv --schema version.toml --epsilon 1
            synth patients.csv --schema type.toml --epsilon 1
            synth patients.csv --schema predictor.toml --epsilon 1
            synth patients.csv --schema limits.toml --epsilon 1
            synth patients.csv --schema word.toml --epsilon 1
            synth patients.csv --schema twice.toml --epsilon 1
            synth patients.csv --schema unknown.toml --epsilon 1
            synth patients.csv --schema level.toml --epsilon 1
            synth patients.csv --schema contradiction.toml --epsilon 1",
        )
        .check("errors-schemas");
}

#[test]
fn errors_about_budgets() {
    let levels: Vec<String> = (0..800).map(|level| format!("\"l{level}\"")).collect();
    let rows: String = (0..1000).map(|row| format!("l{},{}\n", row % 800, 1_700_000_000 + row)).collect();
    Transcript::new()
        .file("jobs.csv", format!("job,since\n{rows}"))
        .file(
            "jobs.toml",
            format!(
                "version = 1\n[[column]]\nname = \"job\"\ntype = \"nominal\"\nlevels = [{}]\n\
                 [[column]]\nname = \"since\"\ntype = \"integer\"\n",
                levels.join(", ")
            ),
        )
        .run_all(
            "synth patients.csv --schema patients.toml --epsilon 0.05
            synth jobs.csv --schema jobs.toml --epsilon 0.12
            ledger init jobs.ledger --epsilon 1
            synth jobs.csv --schema jobs.toml --epsilon 2 --ledger jobs.ledger
            synth jobs.csv --schema jobs.toml --epsilon 1 --delta 1e-6 --ledger jobs.ledger
            synth jobs.csv --schema jobs.toml --epsilon 1 --ledger jobs.ledger --ledger-id jobs
            synth jobs.csv --schema jobs.toml --epsilon 1 --ledger jobs.ledger --seed 1
            synth patients.csv --epsilon 1 --ledger jobs.ledger
            ledger init jobs.ledger --epsilon 1
            ledger show nowhere.ledger
            ledger plan jobs.ledger --releases 2 --delta 1e-6",
        )
        .check("errors-budgets");
}

#[test]
fn errors_about_releases() {
    let transcript = Transcript::new();
    std::fs::create_dir(transcript.bench.path("mine")).unwrap();
    transcript
        .file("mine/notes", "not a release")
        .run_all(
            "verify nowhere
            verify mine
            synth patients.csv --schema patients.toml --epsilon 4 --out .
            synth patients.csv --schema patients.toml --epsilon 4 --out mine
            synth patients.csv --schema patients.toml --epsilon 4 --out mine --force
            sample patients.toml --rows 5 --out rows.csv
            synth patients.csv --schema patients.toml --epsilon 4 --seed 1 --quiet
            sample release/model.json --rows 5 --out rows.csv --where 'agee > 60'
            sample release/model.json --rows 5 --out rows.csv --where 'age > 60 and age < 40'
            sample release/model.json --rows 5 --out patients.csv",
        )
        .check("errors-releases");
}

#[test]
fn what_varies_is_masked() {
    let hash = "0123456789abcdef".repeat(4);
    let text = format!(
        "opened 2026-11-18T00:20:01Z by indistinct {} \nhead {hash}\n2026-11-18",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(masked(&text), "opened YYYY-MM-DDThh:mm:ssZ by indistinct VERSION\nhead HASH\n2026-11-18");
}
