//! Dumps, statistics and the list of backends, as a person would ask for them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::bivalve;
use std::path::Path;
use std::process::Output;

const SCRIPT: &str = "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))
(assert (= (bvadd x y) (bvor x y)))(assert (bvult x y))(check-sat)";

fn run(folder: &Path, args: &[&str]) -> Output {
    std::fs::write(folder.join("f.smt2"), SCRIPT).unwrap();
    bivalve().current_dir(folder).args(args).arg("f.smt2").output().unwrap()
}

#[test]
fn clauses_are_dumped_with_their_inputs_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["--dump-cnf", "f.cnf", "--rewrite-level", "0"]);
    assert!(output.status.success());
    let cnf = std::fs::read_to_string(folder.path().join("f.cnf")).unwrap();
    let header = cnf.lines().find(|line| line.starts_with("p cnf ")).expect("a header");
    let counts: Vec<usize> = header.split(' ').skip(2).map(|n| n.parse().unwrap()).collect();
    let clauses = cnf.lines().filter(|line| line.ends_with(" 0")).count();
    assert_eq!(counts[1], clauses);
    assert!(cnf.lines().any(|line| line.starts_with("c ") && line.ends_with(" x[3]")), "{cnf}");
}

#[test]
fn gates_are_dumped_in_both_forms_of_aiger() {
    let folder = tempfile::tempdir().unwrap();
    for (name, magic) in [("f.aag", "aag "), ("f.aig", "aig ")] {
        assert!(run(folder.path(), &["--dump-aiger", name]).status.success());
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        assert!(bytes.starts_with(magic.as_bytes()), "{name}");
    }
}

#[test]
fn a_dump_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["--dump-cnf", "no/such/folder/f.cnf"]);
    let answers = String::from_utf8(output.stdout).unwrap();
    assert!(answers.contains("no/such/folder/f.cnf: cannot be written"), "{answers}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn statistics_are_printed_as_a_table_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let table = String::from_utf8(run(folder.path(), &["--stats", "--probe", "off"]).stderr).unwrap();
    for name in ["parse s", "rewrite s", "blast s", "sat s", "gates", "clauses", "conflicts"] {
        assert!(table.contains(name), "{name} is missing:\n{table}");
    }
    let json = run(folder.path(), &["--stats=json"]).stderr;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["checks"], 1);
    assert_eq!(json["assertions"], 2);
    assert!(json["seconds"]["sat"].is_number() && json["total_seconds"].is_number());
}

#[test]
fn every_backend_that_is_listed_answers() {
    let folder = tempfile::tempdir().unwrap();
    let list = String::from_utf8(run(folder.path(), &["--sat", "list"]).stdout).unwrap();
    let names = list.lines().skip(1).map(|line| line.split([' ', '[', ':']).next().unwrap());
    let names: Vec<&str> = names.filter(|&name| name != "dimacs").collect();
    assert!(names.len() >= 2, "{list}");
    for name in names {
        let answer = run(folder.path(), &["--probe", "off", "--sat", name]).stdout;
        assert_eq!(String::from_utf8(answer).unwrap(), "sat\n", "{name}");
    }
}

#[test]
fn unknown_options_are_refused_with_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["--sat", "nonesuch"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("nonesuch") && complaint.contains("naive"), "{complaint}");
}
