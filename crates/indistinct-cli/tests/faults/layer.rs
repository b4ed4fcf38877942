//! The fault layer (`layer.c`): compiled once, and laid under a run of the command.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What goes wrong at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Kill,
    Torn,
    Eio,
    Enospc,
    Full,
}

impl Fault {
    pub(crate) const ALL: [Self; 5] = [Self::Kill, Self::Torn, Self::Eio, Self::Enospc, Self::Full];

    fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Torn => "torn",
            Self::Eio => "eio",
            Self::Enospc => "enospc",
            Self::Full => "full",
        }
    }

    /// Whether the process is gone afterwards, and could not clean up.
    pub(crate) fn kills(self) -> bool {
        matches!(self, Self::Kill | Self::Torn)
    }
}

/// The layer as a shared library. The C compiler is the one that Rust links with.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/layer.c");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        // Tests run in processes of their own, at the same time.
        let part = folder.join(format!("fault-layer-{}.so", std::process::id()));
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-Wno-unused-result", "-o"])
            .args([&part, &source])
            .args(["-ldl"])
            .output()
            .expect("cc, which Rust links with, can be run");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let library = folder.join("fault-layer.so");
        std::fs::rename(&part, &library).unwrap();
        library
    })
}

/// Makes step `at` of the command go wrong.
pub(crate) fn fail_at(command: &mut Command, fault: Fault, at: usize) {
    command.env("LD_PRELOAD", library()).env("FAULT_KIND", fault.name()).env("FAULT_AT", at.to_string());
}

/// Has the names of all steps of the command written to a file.
pub(crate) fn log_steps(command: &mut Command, log: &Path) {
    command.env("LD_PRELOAD", library()).env("FAULT_LOG", log);
}
