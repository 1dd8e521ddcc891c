//! The tools that packages are built with: whether they are there, and how to get them.
//!
//! A tool is there if it says its version: a file of its name on the path may be a wrapper without the tool
//! behind it. All that are missing are named at once.

use crate::error::{Error, Result};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// A tool of which one command is enough.
pub(super) struct Tool {
    /// Commands that do the same, the preferred one first; each is a program and its first arguments.
    commands: &'static [&'static [&'static str]],
    /// How to get it.
    get: &'static str,
}

/// Builds wheels.
pub(super) const MATURIN: Tool =
    Tool { commands: &[&["maturin"]], get: "for wheels: pip install 'maturin>=1.8,<2'" };

/// Builds packages for Debian.
pub(super) const CARGO_DEB: Tool =
    Tool { commands: &[&["cargo", "deb"]], get: "for packages of Debian: cargo install cargo-deb" };

/// Builds images of containers.
pub(super) const BUILDER: Tool = Tool {
    commands: &[&["podman"], &["buildah"]],
    get: "for images of containers: podman or buildah, from the packages of the system",
};

/// Packs archives.
pub(super) const TAR: Tool = Tool {
    commands: &[&["tar"]],
    get: "for the archive of the binaries: tar, from the packages of the system",
};

impl Tool {
    /// The command that is there.
    pub(super) fn find(&self) -> Result<Command> {
        let found = self.commands.iter().map(|words| command(words)).find_map(|mut candidate| {
            let probe = candidate.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            let is_there = probe.status().is_ok_and(|status| status.success());
            let words: Vec<&OsStr> = candidate.get_args().collect();
            let (_, words) = words.split_last()?;
            let mut found = Command::new(candidate.get_program());
            found.args(words);
            is_there.then_some(found)
        });
        found.ok_or_else(|| Error::Usage(self.missing()))
    }

    fn missing(&self) -> String {
        let names: Vec<String> = self.commands.iter().map(|words| words.join(" ")).collect();
        format!("`{}` is missing ({})", names.join("` or `"), self.get)
    }
}

fn command(words: &[&str]) -> Command {
    let (program, arguments) = words.split_first().unwrap_or((&"", &[]));
    let mut command = if *program == "cargo" { cargo() } else { Command::new(program) };
    command.args(arguments);
    command
}

/// The cargo that runs this.
pub(super) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Fails if one of the tools is missing, with all that are.
pub(super) fn check(tools: impl Iterator<Item = &'static Tool>) -> Result<()> {
    let missing: Vec<String> = tools.filter(|tool| tool.find().is_err()).map(|tool| tool.missing()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{}\nthe other parts can be built by naming them: cargo xtask dist PART...",
        missing.join("\n")
    )))
}

/// Runs a command whose output goes to standard error, where progress belongs.
pub(super) fn run(command: &mut Command) -> Result<()> {
    let shown = std::iter::once(command.get_program()).chain(command.get_args());
    let shown: Vec<String> = shown.map(|word| word.to_string_lossy().into_owned()).collect();
    let status = command
        .stdout(std::io::stderr())
        .status()
        .map_err(Error::io(Path::new(shown.first().map_or("", String::as_str))))?;
    if status.success() {
        return Ok(());
    }
    Err(Error::Failed { command: shown.join(" "), status, tail: "its output is above".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_how_to_get_it() {
        static MISSING: Tool = Tool {
            commands: &[&["no-such-tool-of-bivalve"], &["cargo", "no-such-command"]],
            get: "by magic",
        };
        let why = check(std::iter::once(&MISSING)).expect_err("it is missing").to_string();
        assert!(
            why.contains("`no-such-tool-of-bivalve` or `cargo no-such-command` is missing (by magic)"),
            "{why}"
        );
        assert!(MISSING.find().is_err());
    }

    #[test]
    fn the_second_of_two_commands_will_do() {
        let tool = Tool { commands: &[&["no-such-tool-of-bivalve"], &["cargo", "clippy"]], get: "" };
        let found = tool.find().expect("cargo is there");
        assert_eq!(found.get_args().collect::<Vec<_>>(), ["clippy"]);
    }
}
