//! Chosen moments: a fault at each step of a run.

use std::path::Path;

use crate::layer::{Fault, fail_at, log_steps};
use crate::long_form;
use crate::scene::{Ended, SYNTH, Scene, failed_politely};

/// A run that is to go wrong: what is there before, and what is typed.
struct Run<'a> {
    prepare: fn(&Scene),
    arguments: &'a [&'a str],
}

impl Run<'_> {
    fn scene(&self, folder: &Path) -> Scene {
        let scene = Scene::set(folder);
        (self.prepare)(&scene);
        scene
    }

    /// The steps of the run when nothing goes wrong.
    fn steps(&self) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let scene = self.scene(folder.path());
        let log = scene.path("steps.log");
        let mut command = scene.command(self.arguments);
        log_steps(&mut command, &log);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(log).unwrap().lines().map(str::to_owned).collect()
    }

    /// Lets things go wrong, one at a time, each in a new scene, and checks what is left.
    fn goes_wrong(&self, check: impl Fn(&Scene, Fault, &Ended)) {
        let steps = self.steps();
        assert!(steps.len() > 3, "only {steps:?}");
        let chosen = chosen(steps.len());
        for &(at, fault) in &chosen {
            eprintln!("{fault:?} at step {at} of {}, {}", steps.len(), steps[at - 1]);
            let folder = tempfile::tempdir().unwrap();
            let scene = self.scene(folder.path());
            let mut command = scene.command(self.arguments);
            fail_at(&mut command, fault, at);
            let ended = Ended::from(command.output().unwrap());
            match ended.status.code() {
                // What goes wrong while cleaning up, or when everything is in place, need not be a failure.
                Some(0) => {}
                Some(_) => failed_politely(&ended),
                None => assert!(fault.kills(), "{}", ended.status),
            }
            check(&scene, fault, &ended);
        }
    }
}

/// Which fault is tried at which step: all at each, or twelve that are spread over the steps.
fn chosen(steps: usize) -> Vec<(usize, Fault)> {
    if long_form() {
        return (1..=steps).flat_map(|at| Fault::ALL.map(|fault| (at, fault))).collect();
    }
    (0..12).map(|which| (1 + which * steps / 12, Fault::ALL[which % Fault::ALL.len()])).collect()
}

/// More releases, which nothing stands in the way of: what a fault left behind does not stop them, and is gone after one of the
/// same name.
fn heals(scene: &Scene, charges: usize) {
    scene.done(&[&SYNTH[..], &["--out", "release-after"]].concat());
    scene.done(&[&SYNTH[..], &["--out", "release", "--force"]].concat());
    assert_eq!(scene.charges(), charges + 2);
    assert_eq!(scene.leftovers(), [""; 0], "a later run did not clean up");
}

#[test]
fn a_release_is_charged_and_whole_or_not_there() {
    let arguments = [&SYNTH[..], &["--out", "release"]].concat();
    Run { prepare: |_| (), arguments: &arguments }.goes_wrong(|scene, fault, ended| {
        let charges = scene.holds(0);
        assert_eq!(ended.status.success() || fault.kills(), !scene.releases().is_empty() || fault.kills());
        if !fault.kills() && fault != Fault::Eio && !ended.status.success() {
            assert_eq!(scene.leftovers(), [""; 0], "a run that could clean up did not");
        }
        heals(scene, charges);
    });
}

#[test]
fn a_release_that_replaces_another_leaves_one_of_the_two() {
    let arguments = [&SYNTH[..], &["--out", "release", "--force"]].concat();
    let prepare = |scene: &Scene| {
        scene.done(&[&SYNTH[..], &["--out", "release"]].concat());
        std::fs::copy(scene.path("release/synthetic.csv"), scene.path("old.csv")).unwrap();
    };
    Run { prepare, arguments: &arguments }.goes_wrong(|scene, _, ended| {
        let charges = scene.holds(0);
        assert_eq!(scene.releases(), ["release"], "there is no release any more");
        let is_old =
            scene.content("release")["synthetic.csv"] == std::fs::read(scene.path("old.csv")).unwrap();
        assert!(is_old || charges == 2, "a new release that was not charged");
        assert!(!(ended.status.success() && is_old), "a run that says it released did not");
        heals(scene, charges);
    });
}

#[test]
fn a_ledger_appears_whole_or_not_at_all() {
    let arguments = ["ledger", "init", "new.ledger", "--epsilon", "3"];
    Run { prepare: |_| (), arguments: &arguments }.goes_wrong(|scene, _, ended| {
        if scene.path("new.ledger").exists() {
            scene.done(&["ledger", "verify", "new.ledger"]);
        } else {
            assert!(!ended.status.success());
            scene.done(&arguments);
        }
        scene.done(&["ledger", "init", "other.ledger", "--epsilon", "3"]);
        assert_eq!(scene.leftovers(), [""; 0], "a later run did not clean up");
    });
}

#[test]
fn a_file_is_replaced_whole_or_stays() {
    let prepare = |scene: &Scene| {
        // Seeded, so that the same rows can be made again; a ledger would refuse it.
        let synth = ["synth", "table.csv", "--schema", "schema.toml", "--epsilon", "1"];
        scene.done(&[&synth[..], &["--out", "release", "--seed", "7"]].concat());
        for file in ["more.csv", "draft.toml", "look.private.html"] {
            std::fs::write(scene.path(file), "what was there").unwrap();
        }
    };
    for (arguments, file) in [
        (
            &[
                "sample",
                "release/model.json",
                "--rows",
                "5000",
                "--seed",
                "1",
                "--out",
                "more.csv",
                "--force",
            ][..],
            "more.csv",
        ),
        (&["schema", "table.csv", "--out", "draft.toml", "--force"], "draft.toml"),
        (
            &[
                "evaluate",
                "table.csv",
                "table.csv",
                "--null",
                "none",
                "--html",
                "look.private.html",
                "--force",
            ],
            "look.private.html",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let clean = Scene::set(folder.path());
        prepare(&clean);
        clean.done(arguments);
        let whole = std::fs::read(clean.path(file)).unwrap();
        Run { prepare, arguments }.goes_wrong(|scene, _, ended| {
            let content = std::fs::read(scene.path(file)).unwrap();
            let stayed = content == b"what was there";
            assert!(stayed || content == whole, "{file} is not whole");
            assert!(!(stayed && ended.status.success()), "a run that says it wrote {file} did not");
            scene.done(arguments);
            assert_eq!(scene.leftovers(), [""; 0], "a later run did not clean up");
        });
    }
}
