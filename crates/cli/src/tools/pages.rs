//! Completions of shells and manual pages, made of the tree of commands, as `--help` is.

use super::flags::print;
use super::tree;
use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// The command line of `completions`.
pub(super) fn completions() -> Command {
    Command::new("bivalve completions")
        .about("Prints the completions of a shell")
        .after_help(
            "Examples:\n  bivalve completions bash > ~/.local/share/bash-completion/completions/bivalve\n  \
             bivalve completions zsh > ~/.zfunc/_bivalve",
        )
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(clap::value_parser!(Shell)))
}

/// The command line of `man`.
pub(super) fn man() -> Command {
    Command::new("bivalve man")
        .about("Writes a manual page for the solver and one for each command")
        .after_help("Examples:\n  bivalve man ~/.local/share/man/man1")
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .required(true)
                .help("Where they are written; it is made if it does not exist")
                .value_parser(clap::value_parser!(PathBuf)),
        )
}

/// Runs `completions`.
pub(super) fn print_completions(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let shell = *matches.get_one::<Shell>("shell").expect("it is required");
    let mut text = vec![];
    clap_complete::generate(shell, &mut tree(), "bivalve", &mut text);
    print(&text).map(|()| ExitCode::SUCCESS)
}

/// Runs `man`.
pub(super) fn write_man(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let folder: &PathBuf = matches.get_one("folder").expect("it is required");
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(tree(), folder));
    written.map(|()| ExitCode::SUCCESS).map_err(|error| format!("{}: {error}", folder.display()))
}
