//! Tests of the whole workspace: architecture, tidiness, and scripts as data.
//!
//! The tests live in the test targets of this package; here is only what they share: where the workspace is, and
//! which Rust files it consists of.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace")
}

/// All Rust files of the workspace, in a fixed order, with their paths relative to the root.
pub fn rust_files() -> Vec<PathBuf> {
    let mut files = vec![];
    let mut folders: Vec<PathBuf> = ["crates", "xtask", "tests", "examples"].map(|d| root().join(d)).into();
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
