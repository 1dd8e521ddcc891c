//! Tests of the whole workspace: architecture, tidiness, and scripts as data.
//!
//! The tests live in the test targets of this package; here is only what they share: where the workspace is,
//! which Rust files it consists of, and where the binary is.

/// The program of the front page, which is built and run as an example of this documentation.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct FrontPage;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace")
}

/// All Rust files of the workspace, in a fixed order, with their paths relative to the root.
pub fn rust_files() -> Vec<PathBuf> {
    let mut files = vec![];
    let mut folders: Vec<PathBuf> =
        ["bindings", "crates", "xtask", "tests", "examples"].map(|d| root().join(d)).into();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path.strip_prefix(root()).expect("found below the root").to_owned());
            }
        }
    }
    files.sort();
    files
}

/// The pages that people read, with their paths: the book and the files beside README.md.
pub fn pages() -> Vec<(PathBuf, String)> {
    let (mut paths, mut folders) =
        (vec![root().join("bindings/python/README.md")], vec![root().join("docs")]);
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("a folder of documents");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                paths.push(path);
            }
        }
    }
    let beside = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"];
    paths.extend(beside.map(|name| root().join(name)));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a page is text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// The binary, built first. It belongs to another package, whose tests alone get its path from cargo; so
/// cargo is asked to build it, and says where it is. In a run of all tests it is there already, but with the
/// features that tests ask of libraries, so cargo would build it once more: `BIVALVE_BINARY` names it then.
pub fn bivalve() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(path) = std::env::var_os("BIVALVE_BINARY") {
            return PathBuf::from(path);
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--workspace", "--bins", "--message-format", "json"]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let output = cargo.current_dir(root()).stderr(Stdio::inherit()).output().expect("cargo runs");
        assert!(output.status.success(), "the binary can be built");
        let messages = String::from_utf8(output.stdout).expect("messages are text");
        let path = messages.lines().find_map(|line| {
            let (_, rest) = line.split_once("\"executable\":\"")?;
            rest.split('"')
                .next()
                .filter(|path| Path::new(path).file_stem().is_some_and(|name| name == "bivalve"))
        });
        PathBuf::from(path.expect("cargo says where the binary is"))
    })
}
