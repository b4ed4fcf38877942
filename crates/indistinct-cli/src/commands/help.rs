//! `indistinct completions`, `indistinct man` and `synth --help-normal`: what the arguments say about themselves.

use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use indistinct_io::write_atomically;
use serde_json::json;

use crate::args::{self, Cli, Common, NORMAL};
use crate::failure::Failure;
use crate::output::{print, print_json};

pub(crate) fn completions(arguments: &args::Completions, common: &Common) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "indistinct", &mut script);
    let script = String::from_utf8(script).map_err(Failure::failed)?;
    if common.json {
        return print_json(&json!({"shell": arguments.shell.to_string(), "script": script}));
    }
    print(&script)
}

pub(crate) fn man(arguments: &args::Man, common: &Common) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &arguments.out else {
        let page = page(command)?;
        return if common.json { print_json(&json!({"page": page})) } else { print(&page) };
    };
    let mut written = Vec::new();
    write_pages(&command, folder, &mut written)?;
    if common.json {
        return print_json(&json!({"folder": folder, "files": written}));
    }
    print(&format!("{}: {} pages\n", folder.display(), written.len()))
}

/// `indistinct synth --help-normal`: the options of the normal model, which most never need.
pub(crate) fn normal_model() -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let synth = command.find_subcommand("synth").ok_or_else(|| Failure::failed("there is no synth"))?;
    let mut synth = synth
        .clone()
        .mut_args(|option| {
            let is_shown = option.get_help_heading() == Some(NORMAL);
            option.hide(!is_shown)
        })
        .long_about(NORMAL_MODEL)
        .after_long_help("docs/mechanism.md tells how it works.");
    print(&synth.render_long_help().to_string())
}

const NORMAL_MODEL: &str = "\
The normal model is the paper's: columns of numbers, each normal given those before it, with parameters drawn by the pMSE \
mechanism. --model normal asks for it, and so does each of these options. `indistinct synth --help` has all others.";

/// The page of a command and those of its subcommands, each complete or not at all.
fn write_pages(command: &Command, folder: &Path, written: &mut Vec<String>) -> Result<(), Failure> {
    let name = format!("{}.1", command.get_display_name().unwrap_or(command.get_name()));
    let page = page(command.clone())?;
    let path = folder.join(&name);
    write_atomically::<io::Error>(&path, |file| file.write_all(page.as_bytes())).map_err(|error| {
        Failure::failed(format!("{}: cannot be written: {error}", path.display()))
            .advise("check that the folder exists, that you may write there, and that the disk is not full")
    })?;
    written.push(name);
    let shown = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    command.get_subcommands().filter(shown).try_for_each(|command| write_pages(command, folder, written))
}

fn page(command: Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(Failure::failed)?;
    String::from_utf8(page).map_err(Failure::failed)
}
