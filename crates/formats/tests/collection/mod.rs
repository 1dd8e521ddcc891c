//! Real files in a folder beside the repository, or in that of `BIVALVE_BENCH`. Tests of them are ignored
//! unless they are asked for, since not every machine has the files.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::PathBuf;

/// The folder of the collection.
fn root() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/bench/dev");
    std::env::var_os("BIVALVE_BENCH").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// The index of the collection.
pub(crate) fn index() -> String {
    let file = root().join("index.jsonl");
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
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
    assert!(!files.is_empty(), "there are no files in {folders:?} of {}", root().display());
    files.sort();
    files
}
