//! Scripts and their answers, command by command, through the real binary.
//!
//! Each `transcripts/*.smt2` opens with a sentence that says what it shows; its answers stand beside it as a
//! snapshot, with the exit code. The run is repeated with the script on a pipe, and must answer the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn bivalve() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bivalve"))
}

fn piped(text: &[u8]) -> Output {
    let mut child = bivalve()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    child.stdin.take().expect("piped").write_all(text).expect("is read");
    child.wait_with_output().expect("ends")
}

#[test]
fn transcripts() {
    insta::glob!("transcripts/*.smt2", |path| {
        let folder = path.parent().unwrap();
        let name = std::path::Path::new(path.file_name().unwrap());
        let from_file = bivalve().current_dir(folder).arg(name).output().unwrap();
        let answers = String::from_utf8(from_file.stdout).unwrap();
        let from_pipe = piped(&std::fs::read(path).unwrap());
        let renamed = String::from_utf8(from_pipe.stdout).unwrap().replace("<stdin>", name.to_str().unwrap());
        assert_eq!(answers, renamed, "a pipe is answered as a file is");
        assert!(from_pipe.stderr.is_empty(), "a client on a pipe gets answers only");
        insta::assert_snapshot!(format!("{answers}exit code {}\n", from_file.status.code().unwrap()));
    });
}

#[test]
fn people_see_the_line_of_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mask.smt2");
    std::fs::write(&path, "(declare-const x (_ BitVec 8))\n(assert (bvand x true))\n").unwrap();
    let output = bivalve().current_dir(folder.path()).arg("mask.smt2").output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}
