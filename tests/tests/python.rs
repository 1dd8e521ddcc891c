//! The Python package as its users get it: a wheel, installed into a fresh virtual environment, and tested
//! there by its own tests.
//!
//! maturin builds the wheel, in the profile of the tests. What has other features in the whole workspace, the
//! deliberate faults above all, is built a second time for that: a minute and a half on two cores. maturin
//! comes from the registry of Python packages, as pytest does, so the test is ignored unless it is asked for.
//! What the tests compare with (z3, pySMT, claripy, mypy) is installed if it can be, and those tests are
//! skipped if it cannot.

#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "a test says what it skips")]

use std::path::{Path, PathBuf};
use std::process::Command;
use workspace_tests::root;

/// What the package is built and tested with.
const NEEDED: &[&str] = &["maturin>=1.8,<2", "pytest"];

/// What some of its tests compare with, as arguments of pip. claripy wants an older z3 than the other tests,
/// but works with the new one.
const WELCOME: &[&[&str]] = &[
    &["pysmt"],
    &["mypy"],
    &["z3-solver"],
    &["pyboolector"],
    &["cachetools", "typing-extensions"],
    &["--no-deps", "claripy"],
];

/// Runs a program; what it has printed if it fails.
fn run(program: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    // The workspace's own settings are those of maturin's build, too, but not what cargo says to tests.
    for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "PYTHONPATH"] {
        command.env_remove(name);
    }
    let output = command
        .args(arguments)
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .current_dir(root().join("bindings/python"))
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() { Ok(text) } else { Err(text) }
}

/// A fresh environment with what is needed; why there is none.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let place = folder.join("environment");
    let python = Path::new("python3");
    run(python, &["-m", "venv", "--clear", &place.to_string_lossy()])?;
    let python = place.join("bin/python");
    run(&python, &[&["-m", "pip", "install", "--quiet", "--retries", "1"], NEEDED].concat())?;
    for package in WELCOME {
        if run(&python, &[&["-m", "pip", "install", "--quiet", "--retries", "1"], *package].concat()).is_err()
        {
            println!("python: no {}, tests that compare with it are skipped", package.join(" "));
        }
    }
    Ok(python)
}

#[test]
#[ignore = "needs Python and its registry of packages"]
fn the_wheel_passes_its_tests_in_a_fresh_environment() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let wheels = folder.join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    std::fs::create_dir_all(&wheels).expect("a temporary folder");
    let python = environment(&folder).expect("an environment with maturin and pytest");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    let out = wheels.to_string_lossy();
    let build = ["-m", "maturin", "build", "--profile", "dev", "--out", &out, "--target-dir"];
    run(&python, &[&build[..], &[&target.to_string_lossy()]].concat()).expect("the wheel can be built");
    let entries = std::fs::read_dir(&wheels).expect("the folder of the wheel");
    let built: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let [wheel] = &built[..] else { panic!("one wheel: {built:?}") };
    let name = wheel.file_name().expect("a name").to_string_lossy();
    assert!(name.contains("-cp39-abi3-"), "one wheel serves all versions from 3.9 on: {name}");
    run(&python, &["-m", "pip", "install", "--quiet", "--no-deps", &wheel.to_string_lossy()])
        .expect("the wheel can be installed");
    let report = run(&python, &["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests"]);
    println!("{}", report.as_deref().unwrap_or_else(|text| text));
    assert!(report.is_ok(), "its tests pass");
}
