//! Manual pages and completions, which the binary itself prints.

use crate::error::{Error, Result};
use std::path::Path;
use std::process::Command;

/// The shells, and where each looks for the completions of `bivalve`.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "bivalve.bash"),
    ("elvish", "bivalve.elv"),
    ("fish", "bivalve.fish"),
    ("powershell", "_bivalve.ps1"),
    ("zsh", "_bivalve"),
];

/// A file for each shell.
pub(super) fn completions(binary: &Path, folder: &Path) -> Result<()> {
    for (shell, file) in SHELLS {
        let text = said(binary, &["completions".as_ref(), shell.as_ref()])?;
        let path = folder.join(file);
        std::fs::write(&path, text).map_err(Error::io(&path))?;
    }
    Ok(())
}

/// A page for the solver and one for each command.
pub(super) fn man(binary: &Path, folder: &Path) -> Result<()> {
    said(binary, &["man".as_ref(), folder.as_os_str()]).map(drop)
}

/// What the binary prints.
fn said(binary: &Path, arguments: &[&std::ffi::OsStr]) -> Result<Vec<u8>> {
    let output = Command::new(binary).args(arguments).output().map_err(Error::io(binary))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    Err(Error::Failed {
        command: format!("{} {}", binary.display(), words.join(" ")),
        status: output.status,
        tail: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
