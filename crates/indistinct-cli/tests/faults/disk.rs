//! A disk that is full: a small file system in memory, in a name space of the test's own.

use std::path::Path;
use std::process::Command;

use crate::long_form;
use crate::scene::{Ended, SYNTH, Scene, failed_politely};

/// Where the file system is, in the process that has mounted it.
const MOUNTED: &str = "INDISTINCT_TEST_SMALL_DISK";

/// Starts this test again where `/` is its own to mount on, as root or as one who is root in a name space only. Not every system
/// lets it; the layer's `enospc` and `full` do not need it.
#[test]
fn a_full_disk_loses_nothing_but_the_run() {
    let folder = tempfile::tempdir().unwrap();
    for rights in [&["--mount"][..], &["--mount", "--map-root-user"]] {
        let script = "mount -t tmpfs -o size=8m none \"$INDISTINCT_TEST_SMALL_DISK\" || exit 77
            exec \"$0\" --exact disk::on_the_small_disk --nocapture --ignored";
        let ran = Command::new("unshare")
            .args(rights)
            .args(["sh", "-c", script])
            .arg(std::env::current_exe().unwrap())
            .env(MOUNTED, folder.path())
            .output();
        let Ok(output) = ran else { break };
        let text = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            return eprintln!("{text}");
        }
        let refused = output.status.code() == Some(77) || text.contains("unshare failed");
        assert!(refused, "{text}\n{}", String::from_utf8_lossy(&output.stdout));
    }
    eprintln!("SKIPPED: no file system can be mounted here");
}

/// Not a test of its own: what the one above starts.
#[test]
#[ignore = "is started by a_full_disk_loses_nothing_but_the_run"]
fn on_the_small_disk() {
    let Some(disk) = std::env::var_os(MOUNTED) else { return };
    let scene = Scene::set(Path::new(&disk));
    let elsewhere = tempfile::tempdir().unwrap();
    // With the release on the full disk, and with the ledger alone: what a release needs is looked at before it is charged, so
    // that a ledger has to be alone to meet the end of the disk.
    let on_disk = [0, 8, 32, 128, 512, 4096].map(|kilobytes| (kilobytes, "release-small".to_owned()));
    let other = elsewhere.path().join("release").display().to_string();
    let ledger_only = (0..if long_form() { 10 } else { 3 }).map(|_| (0, other.clone()));
    let mut outcomes = [0, 0];
    for (kilobytes, out) in on_disk.into_iter().chain(ledger_only) {
        let before = scene.charges();
        fill(&scene, kilobytes);
        let run = scene.command(&[&SYNTH[..], &["--out", &out]].concat()).output().unwrap();
        let ended = Ended::from(run);
        std::fs::remove_file(scene.path("filler")).unwrap();
        let (done, charges) = (ended.status.success(), scene.holds(0));
        outcomes[usize::from(done)] += 1;
        assert_eq!(scene.path(&out).exists(), done);
        assert!(charges <= before + 1 && (!done || charges == before + 1));
        if done {
            std::fs::remove_dir_all(scene.path(&out)).unwrap();
        } else {
            failed_politely(&ended);
            assert_eq!(scene.leftovers(), [""; 0]);
        }
    }
    assert!(outcomes[0] > 0 && outcomes[1] > 0, "failed and done: {outcomes:?}");
    eprintln!("failed and done: {outcomes:?}");
}

/// Fills the disk but for some kilobytes.
fn fill(scene: &Scene, kilobytes: usize) {
    let filler = scene.path("filler");
    let mut size = 8 << 20;
    loop {
        match std::fs::write(&filler, vec![0; size]) {
            Ok(()) => break,
            Err(_) => size -= 4096,
        }
    }
    std::fs::write(&filler, vec![0; size.saturating_sub(kilobytes * 1024)]).unwrap();
}
