//! Where scripts go that a tool makes: to files of a folder, or one after the other to standard output.
//!
//! On standard output `(reset)` stands between scripts, so that a solver that reads the stream decides each
//! by itself. With `--json` each is a line instead, with its path. When standard output is closed, that is
//! the end and no error.

use super::flags::OutputArgs;
use crate::messages::printed;
use crate::outputs;
use std::fs;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::PathBuf;

/// A place for scripts.
pub(super) enum Scripts {
    /// Files below a folder.
    Folder(PathBuf),
    /// Standard output, and whether it has a script already.
    Stream(BufWriter<StdoutLock<'static>>, bool),
    /// Standard output, lines of JSON.
    Json(BufWriter<StdoutLock<'static>>),
}

impl Scripts {
    /// The place that these flags name.
    pub(super) fn to(output: &OutputArgs) -> Scripts {
        let stream = || BufWriter::new(io::stdout().lock());
        match &output.output {
            Some(folder) => Scripts::Folder(folder.clone()),
            None if output.json => Scripts::Json(stream()),
            None => Scripts::Stream(stream(), false),
        }
    }

    /// Puts a script into its place, under a path relative to the folder. `false` means that the
    /// output was closed.
    ///
    /// # Errors
    /// A sentence, when it cannot be written.
    pub(super) fn put(&mut self, path: &str, text: &[u8]) -> Result<bool, String> {
        match self {
            Scripts::Folder(folder) => {
                let path = folder.join(path);
                let problem = |error| format!("{}: {error}", path.display());
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent).map_err(problem)?;
                }
                outputs::write(&path, text).map(|()| true)
            }
            Scripts::Stream(out, begun) => {
                let reset = if std::mem::replace(begun, true) { "(reset)\n" } else { "" };
                still_read(out.write_all(reset.as_bytes()).and_then(|()| out.write_all(text)))
            }
            Scripts::Json(out) => {
                let line = serde_json::json!({"path": path, "script": String::from_utf8_lossy(text)});
                still_read(writeln!(out, "{line}"))
            }
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// A sentence, when it cannot be written.
    pub(super) fn finish(self) -> Result<(), String> {
        match self {
            Scripts::Folder(_) => Ok(()),
            Scripts::Stream(mut out, _) | Scripts::Json(mut out) => still_read(out.flush()).map(|_| ()),
        }
    }
}

/// Whether standard output is still open.
fn still_read(written: io::Result<()>) -> Result<bool, String> {
    let is_read = written.is_ok();
    printed(written).map(|()| is_read)
}
