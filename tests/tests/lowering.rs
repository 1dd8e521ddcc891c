//! Who sees terms of theories that are lowered, and who sees their images.
//!
//! There are two ways in. By default the SMT-LIB reader hands out images, so a tool that knows bit-vectors
//! alone needs to know nothing else; what reads terms as they are written is in a list here, with what it
//! does with them. Terms may be made by hand, too: the solver lowers them. The search for certificates has
//! the checker's images of floating point, and refuses integers.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve::terms::{Op, Pool, Sort, cone};
use bivalve::{CheckResult, Settings, Solver, Stop};
use bivalve_certificate::{Certifier, Form, NoCertificate};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_judge::Certified;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use workspace_tests::root;

/// The files that read terms as they are written.
const AS_WRITTEN: [(&str, &str); 7] = [
    (
        "crates/session/src/frontend.rs",
        "the session gives them to the solver, which lowers them, and prints them",
    ),
    ("crates/session/src/certification.rs", "a script to be certified, by the checker's own images"),
    ("crates/judge/src/evaluate.rs", "models are judged by the meaning of what was written"),
    ("crates/convert/src/document.rs", "it says what the symbols were that are words now"),
    ("crates/delta/src/script.rs", "floating point is reduced, and printed, as it was written"),
    ("crates/language-server/src/analysis.rs", "an editor shows the sorts and values that are written"),
    ("bindings/c/src/text.rs", "terms of C programs are those of the text; the solver lowers them"),
];

/// The crates that may know that there are such theories: above the solver's stages, or beside them.
const KNOWING: [&str; 5] = ["terms", "lowering", "formats", "solver", "convert"];

/// All Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && !name.ends_with("/tests") && !name.ends_with("target") {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn all_that_read_terms_as_they_are_written_are_listed() {
    let mut files = vec![];
    ["crates", "bindings"].iter().for_each(|folder| sources(&root().join(folder), &mut files));
    let callers: BTreeSet<&str> = files
        .iter()
        .filter(|(name, text)| text.contains("next_written_command(") && !name.starts_with("crates/formats/"))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(callers, AS_WRITTEN.iter().map(|&(name, _)| name).collect());
    let users: BTreeSet<&str> = files
        .iter()
        .filter(|(_, text)| text.contains("bivalve_lowering::"))
        .filter_map(|(name, _)| name.strip_prefix("crates/")?.split('/').next())
        .collect();
    let others: Vec<&&str> = users.iter().filter(|name| !KNOWING.contains(name)).collect();
    assert!(others.is_empty(), "{others:?} look at lowering");
}

const SCRIPT: &str = "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))
    (assert (= (+ (ubv_to_int x) (ubv_to_int y)) 30))(assert (! (< (ubv_to_int x) 15) :named small))";

/// Convert, the reference solver of campaigns, the interfaces for Boolector and STP: all of them read like
/// this.
#[test]
fn readers_see_images_by_default() {
    let (mut pool, mut terms) = (Pool::new(), vec![]);
    let mut parser = Parser::new(SCRIPT.as_bytes(), "script", ParserOptions::default());
    while let Some(command) = parser.next_command(&mut pool).unwrap() {
        if let Command::Assert { term, named, .. } = command {
            terms.push(term);
            terms.extend(named.into_iter().map(|(_, term)| term));
        }
    }
    assert_eq!((terms.len(), terms[1]), (3, terms[2]));
    let is_lowered = |&term: &_| pool.op(term).is_lowered() || pool.sorts().is_theory(pool.sort(term));
    assert!(!cone(&pool, &terms).iter().any(is_lowered));
}

/// The checker reads the script itself, and knows no integers; so no certificate is made.
#[test]
fn certificates_and_their_checker_refuse_integers() {
    let script = format!("{SCRIPT}(check-sat)");
    let certified = Certified::at_leisure(&script, Form::Text);
    assert_eq!(certified.checks(CheckResult::Unsat), [0]);
    let refusal = NoCertificate::Unsupported(
        "integers are not known in certificates; `bivalve convert` writes the script with words in their place"
            .into(),
    );
    assert_eq!(certified.missing, std::slice::from_ref(&refusal));
    let refused = bivalve_checker::check::check(&script, certified.certificate.as_slice());
    assert!(refused.is_err(), "a script with integers is not read");
    // By hand as well.
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::bitvec(4).unwrap());
    let number = pool.mk(Op::UbvToInt, &[x]);
    let negative = pool.mk(Op::IntLt, &[number, number]);
    let mut certifier = Certifier::new(Form::Text, &Stop::new());
    assert_eq!(certifier.certify(&mut pool, 0, &[negative], None).err(), Some(refusal));
    let mut solver = Solver::new(Settings::default());
    solver.assert(&pool, negative).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Unsat);
}
