//! Real files.

use crate::collection::{files, index};
use bivalve_formats::btor2;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_terms::Pool;

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
#[ignore = "needs the benchmark files beside the repository"]
fn real_files_are_read() {
    let index = index();
    let folders = ["regress/BTOR2", "regress/BTOR2-A", "hwmcc/BTOR2", "hwmcc/BTOR2-A"];
    let files = files(&folders, &[".btor", ".btor2"]);
    let (mut read, mut refused, mut foreign) = (0, vec![], 0);
    for (name, text) in &files {
        let mut pool = Pool::new();
        match btor2::read(&mut pool, text, name, ParserOptions::default()) {
            Ok(_) => read += 1,
            Err(_) if is_foreign(&index, name) => foreign += 1,
            Err(refusal) => refused.push(refusal.to_string()),
        }
    }
    refused.retain(|refusal| !MALFORMED.iter().any(|name| refusal.contains(name)));
    println!("{read} of {} files are read; {foreign} are in another dialect", files.len());
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
