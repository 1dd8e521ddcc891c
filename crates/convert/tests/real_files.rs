//! Real files from format to format.
#![allow(clippy::print_stdout, reason = "a test says how much it has seen")]

#[path = "../../formats/tests/collection/mod.rs"]
mod collection;

use bivalve_convert::{ConvertError, Document, Format};
use collection::files;

/// What is printed is read again, and printed again; the second and the third text are the same.
fn come_back(folders: &[&str], suffixes: &[&str], formats: &[Format]) -> usize {
    let mut count = 0;
    let mut left = std::collections::BTreeMap::new();
    for (name, text) in files(folders, suffixes) {
        let Some(from) = Format::of_text(&text) else { continue };
        for &to in formats {
            let Ok(document) = Document::read(from, &text, &name) else { continue };
            let printed = match document.print(to) {
                Ok(printed) => printed,
                Err(ConvertError::Inexpressible(problem)) => {
                    let what: String = problem.what.chars().take(30).collect();
                    *left.entry((to.to_string(), what)).or_insert(0) += 1;
                    continue;
                }
                Err(error) => panic!("{name} to {to}: {error}"),
            };
            count += 1;
            let read = |text: &[u8]| {
                Document::read(to, text, &name).unwrap_or_else(|error| panic!("{name} to {to}: {error}"))
            };
            let document = read(&printed);
            // Gates are numbered by the circuits, which find other sharing in gates.
            if matches!(to, Format::Aiger | Format::AigerAscii) {
                continue;
            }
            // Terms that the format has no different words for are one from the second time on.
            let print = |document: Document| {
                document.print(to).unwrap_or_else(|error| panic!("{name} to {to}: {error}"))
            };
            let second = print(document);
            assert!(second == print(read(&second)), "{name} to {to}");
        }
    }
    assert!(count > 0);
    println!("{count} conversions; not expressible: {left:?}");
    count
}

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn formulas_come_back() {
    let folders = ["smt1/SMT1-QF_BV", "smt1/SMT1-QF_AUFBV", "cvc/CVC", "cvc/CVC-A"];
    let formats =
        [Format::SmtLib2, Format::SmtLib1, Format::Cvc, Format::Btor2, Format::Btor, Format::AigerAscii];
    come_back(&folders, &[".smt", ".cvc"], &formats);
}

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn hardware_formats_come_back() {
    let folders = ["regress/BTOR1", "regress/BTOR1-A", "regress/BTOR2", "regress/BTOR2-A"];
    // Circuits of their divisions take minutes.
    let formats = [Format::SmtLib2, Format::SmtLib1, Format::Cvc, Format::Btor2, Format::Btor];
    come_back(&folders, &[".btor", ".btor2"], &formats);
}
