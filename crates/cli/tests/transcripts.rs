//! Scripts and their answers, command by command, through the real binary.
//!
//! Each `transcripts/*.smt2` opens with a sentence that says what it shows; its answers stand beside it as a
//! snapshot, with the exit code. The run is repeated with the script on a pipe, and must answer the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{bivalve, piped};
use std::path::Path;

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".smt2"))
        .collect();
    names.sort();
    assert!(names.len() >= 14, "{names:?}");
    for name in names {
        let from_file = bivalve().current_dir(&folder).arg(&name).output().unwrap();
        let answers = String::from_utf8(from_file.stdout).unwrap();
        let from_pipe = piped(&[], &std::fs::read(folder.join(&name)).unwrap());
        let renamed = String::from_utf8(from_pipe.stdout).unwrap().replace("<stdin>", &name);
        assert_eq!(answers, renamed, "{name}: a pipe is answered as a file is");
        assert!(from_pipe.stderr.is_empty(), "{name}: a client on a pipe gets answers only");
        let shown = format!("{answers}exit code {}\n", from_file.status.code().unwrap());
        insta::with_settings!({snapshot_suffix => &name}, { insta::assert_snapshot!("transcripts", shown) });
    }
}

#[test]
fn people_see_the_line_of_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mask.smt2");
    std::fs::write(&path, "(declare-const x (_ BitVec 8))\n(assert (bvand x true))\n").unwrap();
    let output = bivalve().current_dir(folder.path()).arg("mask.smt2").output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}
