//! Dumps, statistics and the list of backends, as a person would ask for them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{bivalve, number, piped, text};
use bivalve::sat::{Budget, Lit, SatResult, create};
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
    let here = list.lines().skip(1).filter(|line| line.contains(" built in "));
    let names = here.map(|line| line.split([' ', '[', ':']).next().unwrap());
    let names: Vec<&str> = names.filter(|name| !["dimacs", "ipasir"].contains(name)).collect();
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

/// What a SAT solver says of a file of clauses.
fn solved(backend: &str, cnf: &str) -> &'static str {
    let mut solver = create(backend).unwrap();
    for line in cnf.lines().filter(|line| !line.starts_with('c')) {
        if let Some(counts) = line.strip_prefix("p cnf ") {
            let variables: u32 = counts.split(' ').next().unwrap().parse().unwrap();
            for _ in 0..variables {
                solver.new_var();
            }
            continue;
        }
        let numbers = line.split_whitespace().map(|word| word.parse::<i32>().unwrap());
        let clause: Vec<Lit> = numbers.filter_map(Lit::from_dimacs).collect();
        solver.add_clause(&clause);
    }
    match solver.solve(&[], &Budget::UNLIMITED) {
        SatResult::Sat => "sat",
        SatResult::Unsat => "unsat",
        SatResult::Unknown(why) => panic!("{why:?}"),
    }
}

/// The answer to each check of a script, and those of its dumps: two SAT solvers on the clauses, and the
/// AIGER file as a formula. Checks that were not decided are left out.
fn answers(folder: &Path, script: &str, flags: &[&str]) -> Vec<[String; 4]> {
    let [cnf, aiger] = ["d{}.cnf", "d{}.aig"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let words = ["--dump-cnf", &cnf, "--dump-aiger", &aiger];
    let said = text(&piped(&[&words[..], flags].concat(), script.as_bytes()).stdout);
    let verdicts = said.lines().filter(|line| ["sat", "unsat", "unknown"].contains(line)).enumerate();
    let decided = verdicts.filter(|&(_, verdict)| verdict != "unknown");
    let dumped = decided.map(|(check, verdict)| {
        let [cnf, aiger] = [&cnf, &aiger].map(|path| path.replace("{}", &check.to_string()));
        let clauses = std::fs::read_to_string(cnf).unwrap();
        let formula = bivalve().arg("convert").arg(aiger).args(["--to", "smt2"]).output().unwrap();
        let of_gates = text(&piped(&[], &formula.stdout).stdout).trim().to_owned();
        [verdict.to_owned(), solved("cadical", &clauses).into(), solved("batsat", &clauses).into(), of_gates]
    });
    dumped.collect()
}

/// Formulas that preprocessing or encoding refutes left a dump with a model, and so did lemmas that were no
/// part of it, and names with a line break.
#[test]
fn a_dump_has_the_answer_of_its_check() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
         (assert (distinct (bvmul x (bvadd y #x03)) (bvadd (bvmul x y) (bvmul x #x03))))(check-sat)",
        "(assert false)(check-sat)",
        "(declare-const a (Array (_ BitVec 4) (_ BitVec 4)))(declare-const i (_ BitVec 4))(declare-const j (_ BitVec 4))
         (assert (distinct (select (store a i #x1) j) (select a j) #x1))(check-sat)",
        "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-sat)
         (check-sat-assuming ((not p) (not q)))",
        "(declare-const p Bool)(push 1)(assert p)(assert (not p))(check-sat)(pop 1)(check-sat)",
        "(declare-const x (_ BitVec 4))(check-sat-assuming ((distinct x #x1)))",
        "(declare-const |x\n1 0\n-1 0| (_ BitVec 4))(assert (bvult |x\n1 0\n-1 0| #x9))(check-sat)",
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const c U)(declare-fun f (U) U)
         (assert (distinct a b c))(assert (= (f a) (f b)))(assert (= a (f c)))(check-sat)",
        "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(check-sat)(get-consequences (p) (q))",
    ];
    for script in cases {
        for flags in [&[][..], &["--threads", "2"], &["--rewrite-level", "0"]] {
            let checks = answers(folder.path(), script, flags);
            assert!(!checks.is_empty(), "{script} {flags:?}");
            assert!(checks.iter().all(agrees), "{script} {flags:?}: {checks:?}");
        }
    }
}

/// Whether a dump has the answer of its check.
fn agrees([said, dumped @ ..]: &[String; 4]) -> bool {
    dumped.iter().all(|answer| answer == said)
}

/// Random formulas, and sessions of many checks, with and without other engines, rewriting and certificates;
/// `BIVALVE_DUMPS=2000` makes a larger run of it.
#[test]
fn dumps_of_random_scripts_have_the_answers_of_their_checks() {
    let folder = tempfile::tempdir().unwrap();
    let count: usize = number("BIVALVE_DUMPS", 40);
    let ways = [&[][..], &["--threads", "2"], &["--rewrite-level", "0"], &["--check-unsat"]];
    let (mut counts, mut several) = ([0; 2], 0);
    for (style, part) in [("mixed", count / 2), ("session", count / 4), ("commands", count / 4)] {
        let scripts = folder.path().join(style);
        let made = bivalve()
            .args(["fuzz", "--style", style, "--quiet", "-n", &part.to_string(), "-o"])
            .arg(&scripts)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", text(&made.stderr));
        let mut paths: Vec<_> =
            std::fs::read_dir(&scripts).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for (path, flags) in paths.iter().zip(ways.iter().cycle()) {
            let script = std::fs::read_to_string(path).unwrap();
            let checks = answers(folder.path(), &script, &[&["--time-limit", "20"], *flags].concat());
            assert!(checks.iter().all(agrees), "{checks:?} {flags:?} of\n{script}");
            several += usize::from(checks.len() > 1);
            checks.iter().for_each(|[said, ..]| counts[usize::from(said == "sat")] += 1);
        }
    }
    assert!(counts.iter().all(|&answers| answers > count / 8) && several > count / 8, "{counts:?} {several}");
}

/// It was a panic.
#[test]
fn what_is_quantified_has_no_dump() {
    let folder = tempfile::tempdir().unwrap();
    let script = "(declare-fun f ((_ BitVec 1) (_ BitVec 1)) Bool)
        (assert (forall ((x (_ BitVec 1)) (y (_ BitVec 1))) (f (bvand x y) y)))(check-sat)";
    std::fs::write(folder.path().join("q.smt2"), script).unwrap();
    for dump in [["--dump-cnf", "q.cnf"], ["--dump-aiger", "q.aag"]] {
        let output = bivalve().current_dir(folder.path()).args(dump).arg("q.smt2").output().unwrap();
        let said = text(&output.stdout);
        assert!(
            said.contains("nothing was written: incomplete: what is quantified has no circuit"),
            "{said}"
        );
        assert_eq!(output.status.code(), Some(1), "{said}");
    }
}
