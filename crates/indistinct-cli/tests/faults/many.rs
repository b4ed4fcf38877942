//! Many runs at once, and kills at any time.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::scene::{BUDGET, SYNTH, Scene};
use crate::{anywhere, rounds};

fn start(scene: &Scene, out: &str) -> Child {
    let mut command = scene.command(&[&SYNTH[..], &["--out", out]].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn fifty_runs_at_once_release_as_many_as_fit() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::set(folder.path());
    let runs: Vec<Child> = (0..50).map(|run| start(&scene, &format!("release-{run}"))).collect();
    let codes: Vec<Option<i32>> = runs.into_iter().map(|mut run| run.wait().unwrap().code()).collect();
    assert_eq!(codes.iter().filter(|&&code| code == Some(0)).count(), BUDGET, "{codes:?}");
    assert_eq!(codes.iter().filter(|&&code| code == Some(3)).count(), 50 - BUDGET, "{codes:?}");
    assert_eq!(scene.releases().len(), BUDGET);
    assert_eq!(scene.holds(0), BUDGET);
    assert_eq!(scene.leftovers(), [""; 0]);
}

#[test]
fn fifty_runs_at_once_of_which_some_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::set(folder.path());
    let mut runs: Vec<Child> = (0..50).map(|run| start(&scene, &format!("release-{run}"))).collect();
    let start = Instant::now();
    for (number, run) in runs.iter_mut().enumerate().filter(|(number, _)| number % 3 == 0) {
        std::thread::sleep(Duration::from_secs_f64(0.05 * anywhere(number as u64)));
        run.kill().unwrap();
    }
    for run in &mut runs {
        run.wait().unwrap();
    }
    eprintln!("all ended after {:.1} s", start.elapsed().as_secs_f64());
    scene.holds(0);
}

#[test]
fn a_run_killed_at_any_time_loses_budget_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::set(folder.path());
    let begin = Instant::now();
    scene.done(&[&SYNTH[..], &["--out", "release-timed"]].concat());
    let usual = begin.elapsed();
    let (mut ledgers, mut released) = (0, 0);
    for round in 0..rounds() {
        // Nearly full: the next ledger.
        if scene.charges() + 2 >= BUDGET {
            for name in scene.releases() {
                std::fs::remove_dir_all(scene.path(&name)).unwrap();
            }
            std::fs::remove_file(scene.path("budget.ledger")).unwrap();
            scene.done(&["ledger", "init", "budget.ledger", "--epsilon", &BUDGET.to_string()]);
            ledgers += 1;
        }
        let name = format!("release-{round}");
        let before = scene.charges();
        let mut run = start(&scene, &name);
        std::thread::sleep(usual.mul_f64(1.1 * anywhere(round)));
        run.kill().unwrap();
        run.wait().unwrap();
        let charges = scene.holds(0);
        assert!(charges <= before + 1);
        released += usize::from(scene.path(&name).exists());
    }
    eprintln!("{} kills, {released} releases were done before, {ledgers} ledgers filled", rounds());
}

#[test]
fn runs_to_one_name_at_once_leave_one_release_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::set(folder.path());
    for round in 0..rounds().min(4) {
        // One that was killed, and then several that all find what it left.
        let mut killed = start(&scene, "release");
        std::thread::sleep(Duration::from_secs_f64(0.1 * anywhere(round)));
        killed.kill().unwrap();
        killed.wait().unwrap();
        if scene.path("release").exists() {
            std::fs::remove_dir_all(scene.path("release")).unwrap();
        }
        let runs: Vec<Child> = (0..3).map(|_| start(&scene, "release")).collect();
        let codes: Vec<Option<i32>> = runs.into_iter().map(|mut run| run.wait().unwrap().code()).collect();
        assert_eq!(codes.iter().filter(|&&code| code == Some(0)).count(), 1, "{codes:?}");
        assert_eq!(scene.releases(), ["release"]);
        assert_eq!(scene.leftovers(), [""; 0]);
        std::fs::remove_dir_all(scene.path("release")).unwrap();
    }
}
