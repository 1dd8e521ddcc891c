//! Real files, where they are at hand: in a folder beside the repository, or in that of `BIVALVE_BENCH`.

use bivalve_formats::btor2;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_terms::Pool;
use std::path::PathBuf;

/// The folder of the collection.
fn root() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/bench/dev");
    std::env::var_os("BIVALVE_BENCH").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// The index of the collection; none where the collection is absent.
fn index() -> Option<String> {
    std::fs::read_to_string(root().join("index.jsonl")).ok()
}

/// The files of these folders, in order.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(root().join(folder)).ok()).flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    files.sort();
    files
}

/// Files that are no BTOR2, by a part of their name; Boolector 3.2 refuses them, too.
const MALFORMED: &[&str] = &[
    "btor2perr",
    "redand-array1",
    "missing-operand1",
    "slice-oob1",
    // Constraints of 32 bits.
    "004141-mul",
    "296e41-factoroutadd",
    "450786-mux",
    "65e88f-lazyitex0",
    // An equality of two bits.
    "211714-unsafe1",
    // An array that is declared as a bit-vector.
    "4538cf-varread",
];

/// The files of one project that has a reader of its own: they name sorts as arguments, give comparisons the
/// sort of what they compare, or count down.
fn is_foreign(root: &str, name: &str) -> bool {
    let row = root.lines().find(|row| row.contains(name));
    row.is_some_and(|row| row.contains("cksystemsgroup/unicorn"))
}

#[test]
fn real_files_are_read() {
    let files = files(&["regress/BTOR2", "regress/BTOR2-A", "hwmcc/BTOR2", "hwmcc/BTOR2-A"]);
    let Some(index) = index() else {
        println!("skipped: there are no benchmark files here");
        return;
    };
    let (mut read, mut refused, mut foreign) = (0, vec![], 0);
    for file in &files {
        let text = std::fs::read(file).expect("the file can be read");
        let mut pool = Pool::new();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match btor2::read(&mut pool, &text, &name, ParserOptions::default()) {
            Ok(_) => read += 1,
            Err(_) if is_foreign(&index, &name) => foreign += 1,
            Err(refusal) => refused.push(refusal.to_string()),
        }
    }
    refused.retain(|refusal| !MALFORMED.iter().any(|name| refusal.contains(name)));
    println!("{read} of {} files are read; {foreign} are in another dialect", files.len());
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
