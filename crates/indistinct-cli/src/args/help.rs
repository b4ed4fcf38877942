//! `indistinct completions` and `indistinct man` as typed.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Print a script that completes commands and options in a shell
#[derive(Debug, Args)]
#[command(after_long_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  indistinct completions bash > ~/.local/share/bash-completion/completions/indistinct
  indistinct completions zsh > ~/.zfunc/_indistinct
  indistinct completions fish > ~/.config/fish/completions/indistinct.fish";

/// Print the manual page, or write it with those of all commands
#[derive(Debug, Args)]
#[command(after_long_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// Folder for indistinct.1, indistinct-synth.1 and so on; pages that are there are replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  indistinct man | man -l -
  indistinct man --out ~/.local/share/man/man1";
