//! The program: its exit codes where a file or the standard output is not what it should be.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Error;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};

fn bivalve_check() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bivalve-check"))
}

/// Ends with code 2 and a sentence on the standard error.
fn is_refused(output: &Output, why: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(why) && !said.contains("panicked"), "{said}");
}

#[test]
fn names_of_files_need_not_be_text() -> Result<(), Error> {
    let output = bivalve_check().args([OsStr::from_bytes(b"\xff"), OsStr::new("x")]).output()?;
    is_refused(&output, "No such file");
    Ok(())
}

#[test]
fn output_that_cannot_be_written_is_said() -> Result<(), Error> {
    // A pipe that nobody reads.
    let (reader, writer) = std::io::pipe()?;
    drop(reader);
    let mut outputs = vec![Stdio::from(writer)];
    // A device that is full, where there is one.
    outputs.extend(OpenOptions::new().write(true).open("/dev/full").ok().map(Stdio::from));
    for stdout in outputs {
        let output = bivalve_check().arg("--help").stdout(stdout).stderr(Stdio::piped()).spawn()?;
        is_refused(&output.wait_with_output()?, "standard output cannot be written");
    }
    Ok(())
}
