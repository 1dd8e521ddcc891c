//! Files for commands that read their script from a file.
//!
//! Solvers tell languages apart by the ending of a name, so the file has a name, `.smt2` at its end, and an
//! entry in a folder. Each file is removed when its command has ended; for a process that is killed, nothing
//! in it can do that. So all files lie in one folder of this process, and a shell beside it waits for the end
//! of a pipe that the system closes when this process ends, however it does, and removes the folder.
//!
//! The shell is started with the first file: a millisecond once. It leads a process group of its own, so that
//! Ctrl-C does not end it first. Where there is no shell, files of a killed process are left behind.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use tempfile::TempPath;

/// The folder, and the shell that removes it.
struct Folder {
    path: PathBuf,
    /// Holds the pipe open.
    _remover: Option<Child>,
}

/// The folder of this process, from the first file on.
static FOLDER: Mutex<Option<Folder>> = Mutex::new(None);

/// Reads until the other end of the pipe is closed. The folder is the name of the shell.
const REMOVE: &str = "while read -r line; do :; done; rm -rf -- \"$0\"";

/// A new file that holds a script; it is removed when the result is dropped.
pub(crate) fn write(script: &str) -> io::Result<TempPath> {
    let folder = folder()?;
    let mut file = tempfile::Builder::new().suffix(".smt2").tempfile_in(folder)?;
    file.write_all(script.as_bytes())?;
    Ok(file.into_temp_path())
}

/// Where files are written. A folder that was removed from outside is replaced.
fn folder() -> io::Result<PathBuf> {
    let mut folder = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Folder { path, .. }) = folder.as_ref().filter(|folder| folder.path.is_dir()) {
        return Ok(path.clone());
    }
    let path = tempfile::Builder::new().prefix("bivalve-").tempdir()?.keep();
    let mut shell = Command::new("sh");
    shell.args(["-c", REMOVE]).arg(&path);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    *folder = Some(Folder { path: path.clone(), _remover: shell.spawn().ok() });
    Ok(path)
}
