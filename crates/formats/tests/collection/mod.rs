//! Real files, where they are at hand: in a folder beside the repository, or in that of `BIVALVE_BENCH`.
#![allow(
    dead_code,
    clippy::print_stdout,
    reason = "each test uses a part of it; a test says that it is skipped"
)]

use std::path::PathBuf;

/// The folder of the collection.
fn root() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/bench/dev");
    std::env::var_os("BIVALVE_BENCH").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// The index of the collection; none where the collection is absent.
pub(crate) fn index() -> Option<String> {
    let index = std::fs::read_to_string(root().join("index.jsonl")).ok();
    if index.is_none() {
        println!("skipped: there are no benchmark files here");
    }
    index
}

/// The files of these folders whose name has one of these suffixes, in order: their names and texts.
pub(crate) fn files(folders: &[&str], suffixes: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![];
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder)).into_iter().flatten() {
            let path = entry.expect("it can be listed").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if suffixes.iter().any(|suffix| name.ends_with(suffix)) {
                files.push((name, std::fs::read(&path).expect("the file can be read")));
            }
        }
    }
    files.sort();
    files
}
