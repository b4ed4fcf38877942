//! `reproduce`: files appear, runs can be stopped and resumed, and nothing is overwritten.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Workbench, stderr};

#[test]
fn table1_writes_its_files() {
    let bench = Workbench::new();
    let report =
        bench.json(&["reproduce", "table1", "--simulations", "60", "--out", "r", "--json", "--seed", "4"]);
    assert_eq!((report["seed"].as_u64(), report["experiments"][0].as_str()), (Some(4), Some("table1")));
    let files: Vec<&str> =
        report["files"].as_array().unwrap().iter().filter_map(|file| file.as_str()).collect();
    assert_eq!(files, ["r/table1.csv", "r/figure1.svg", "r/summary.md"]);
    let page = std::fs::read_to_string(bench.path("r/summary.md")).unwrap();
    assert!(page.contains("indistinct reproduce table1 --simulations 60 --seed 4"), "{page}");
    // Again: refused without --resume; with it nothing changes, and the page can be elsewhere too.
    let again = bench.run(&["reproduce", "table1", "--simulations", "60", "--out", "r", "--seed", "4"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("--resume"), "{}", stderr(&again));
    let more = [
        "reproduce",
        "table1",
        "--simulations",
        "60",
        "--out",
        "r",
        "--seed",
        "4",
        "--resume",
        "--page",
        "page.md",
    ];
    assert!(bench.run(&more).status.success());
    assert_eq!(std::fs::read_to_string(bench.path("r/summary.md")).unwrap(), page);
    let elsewhere = std::fs::read_to_string(bench.path("page.md")).unwrap();
    assert_eq!(elsewhere, page.replace("(figure1.svg)", "(r/figure1.svg)"));
    // Another seed is another experiment.
    let other =
        bench.run(&["reproduce", "table1", "--simulations", "60", "--out", "r", "--seed", "5", "--resume"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("other settings"), "{}", stderr(&other));
}

/// Killed in the middle and resumed, a run ends with the same bytes as one that was left alone.
#[test]
fn a_killed_run_can_be_resumed() {
    let bench = Workbench::new();
    let run = |out: &str, resume: bool| {
        let mut arguments =
            vec!["reproduce", "table1", "--simulations", "1100", "--threads", "1", "--out", out];
        if resume {
            arguments.push("--resume");
        }
        arguments.into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("indistinct"))
        .args(run("killed", false))
        .current_dir(bench.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let kept = bench.path("killed/table1.jsonl");
    let begun = Instant::now();
    // As soon as one block is there: the header and a line.
    while std::fs::read_to_string(&kept).map_or(0, |text| text.lines().count()) < 2 {
        assert!(begun.elapsed() < Duration::from_mins(10), "no block is ever done");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let whole = |text: String| text.lines().count();
    assert!(whole(std::fs::read_to_string(&kept).unwrap()) < 4, "it was killed before its end");
    assert!(!bench.path("killed/summary.md").exists());
    for (out, resume) in [("killed", true), ("alone", false)] {
        let arguments = run(out, resume);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert!(bench.run(&arguments).status.success());
    }
    for name in ["summary.md", "table1.csv", "figure1.svg"] {
        let read = |folder: &str| std::fs::read(bench.path(&format!("{folder}/{name}"))).unwrap();
        assert_eq!(read("killed"), read("alone"), "{name}");
    }
}

#[test]
fn wrong_usage() {
    let bench = Workbench::new();
    for arguments in [
        &["reproduce"][..],
        &["reproduce", "table3"],
        &["reproduce", "table1", "--simulations", "0"],
        &["reproduce", "table2", "--simulations", "chain=5"],
        &["reproduce", "table2", "--simulations", "chains=1,variants=5"],
    ] {
        assert_eq!(bench.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert!(bench.names().is_empty());
}
