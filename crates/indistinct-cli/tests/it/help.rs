//! Completions and manual pages.

use super::Workbench;

/// All commands.
pub(crate) const COMMANDS: [&str; 14] = [
    "synth",
    "baseline",
    "sample",
    "evaluate",
    "combine",
    "interval",
    "rehearse",
    "schema",
    "ledger",
    "verify",
    "audit",
    "reproduce",
    "completions",
    "man",
];

fn text(bench: &Workbench, arguments: &[&str]) -> String {
    let output = bench.run(arguments);
    assert!(output.status.success(), "{arguments:?}");
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_shell_completes_every_command() {
    let bench = Workbench::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&bench, &["completions", shell]);
        for word in COMMANDS.into_iter().chain(["ledger-id", "score-epsilon"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(bench.run(&["completions", "basic"]).status.code(), Some(2));
}

#[test]
fn bash_reads_the_script_and_completes() {
    let bench = Workbench::new();
    bench.file("script", text(&bench, &["completions", "bash"]));
    let ask = "source ./script; COMP_WORDS=(indistinct synth --ep); COMP_CWORD=2; _indistinct indistinct --ep synth; \
               echo ${COMPREPLY[@]}";
    let Ok(answer) =
        std::process::Command::new("bash").args(["-c", ask]).current_dir(bench.path("")).output()
    else {
        return; // No bash here.
    };
    assert_eq!(String::from_utf8(answer.stdout).unwrap(), "--epsilon\n");
}

#[test]
fn every_command_has_a_manual_page() {
    let bench = Workbench::new();
    let page = text(&bench, &["man"]);
    assert!(page.contains(".TH indistinct 1"), "{page}");
    std::fs::create_dir(bench.path("man1")).unwrap();
    text(&bench, &["man", "--out", "man1"]);
    for command in COMMANDS {
        let page = std::fs::read_to_string(bench.path(&format!("man1/indistinct-{command}.1"))).unwrap();
        assert!(page.contains(".SH OPTIONS"), "{command}");
    }
    assert_eq!(std::fs::read_to_string(bench.path("man1/indistinct.1")).unwrap(), page);
    assert!(bench.path("man1/indistinct-ledger-init.1").exists());
    let failed = bench.run(&["man", "--out", "gone"]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(String::from_utf8(failed.stderr).unwrap().contains("gone/indistinct.1: cannot be written"));
}

#[test]
fn the_first_help_has_what_most_need_and_the_normal_model_has_its_own() {
    let bench = Workbench::new();
    let first = bench.done(&["synth", "-h"]);
    let options = first.split("Options:").nth(1).unwrap().split("More options:").next().unwrap();
    let count = options.lines().filter(|line| line.trim_start().starts_with('-')).count();
    assert!((8..=15).contains(&count), "{count} options: {options}");
    for option in ["--sampler", "--prior-sd", "--cp", "--bounds"] {
        assert!(!bench.done(&["synth", "--help"]).contains(option), "{option}");
    }
    let normal = bench.done(&["synth", "--help-normal"]);
    assert!(normal.contains("--sampler") && normal.contains("--prior-sd"), "{normal}");
    assert!(!normal.contains("--ledger") && !normal.contains("--bounds"), "{normal}");
}

/// What most need comes first: the options of the normal model, and those that few need, are not among them.
#[test]
fn at_most_fifteen_options_come_first() {
    let bench = Workbench::new();
    let help = text(&bench, &["synth", "--help"]);
    let first = help.split("\nOptions:\n").nth(1).unwrap().split("\nMore options:\n").next().unwrap();
    let options = first.lines().filter(|line| line.trim_start().starts_with('-')).count();
    let words: Vec<&str> = first.lines().filter(|line| line.trim_start().starts_with("- ")).collect();
    assert!((10..=15).contains(&(options - words.len())), "{first}");
}
