//! What a user meets first: help, a mistyped word, an input in another language.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{bivalve, piped, text};
use std::process::Output;

fn run(args: &[&str]) -> Output {
    bivalve().args(args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    text(&output.stdout)
}

#[test]
fn help_leaves_research_to_a_page_of_its_own() {
    let [short, long] = ["-h", "--help"].map(|flag| stdout(&run(&[flag])));
    let pages = [&["--help", "research"][..], &["-h", "research"], &["help", "research"]];
    let pages = pages.map(run);
    assert!(pages.iter().all(|page| page.status.success() && page.stdout == pages[0].stdout));
    let research = stdout(&pages[0]);
    assert!(short.len() < long.len() && long.contains("bivalve --help research"));
    for row in bivalve::OPTIONS {
        let flag = format!("--{} ", row.name);
        assert_eq!(long.contains(&flag), !row.is_research, "{flag}");
        assert_eq!(short.contains(&flag), !row.is_research, "{flag}");
        assert_eq!(research.contains(&flag), row.is_research, "{flag}");
    }
    for text in ["--lang", "campaign", "[default: cadical]"] {
        assert!(short.contains(text) && long.contains(text), "{text}");
    }
}

#[test]
fn a_mistyped_command_is_told_what_it_may_have_been() {
    let output = run(&["campain"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("there is a command 'campaign'"), "{output:?}");
    let output = run(&["--time-limt", "3", "x.smt2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("'--time-limit'"), "{output:?}");
    assert!(!stdout(&run(&["no/such/formula.smt2"])).contains("command"));
}

/// One error, whatever the length of the input, and the session of the next file is solved.
#[test]
fn an_input_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("good"), "(check-sat)").unwrap();
    let lines = "2 input 1\n".repeat(1000);
    let counter = "1 sort bitvec 1\n2 state 1\n3 next 1 2 -2\n4 bad 2\n";
    for (name, text, problem) in [
        (
            "cnf",
            format!("c no\np cnf 1 1\n{lines}"),
            "1:1: expected a formula, found DIMACS CNF, which is not read here",
        ),
        (
            "program",
            format!("\u{7f}ELF\0\0{lines}"),
            "1:1: expected a formula, found binary data, which is not read here",
        ),
        ("btor2", format!("1 sort bitvec 8\n{lines}"), "3:1: expected a number above 2, found '2'"),
        (
            "counter",
            counter.to_owned(),
            "1:1: expected a formula (bivalve check-model FILE checks properties), found a transition system",
        ),
    ] {
        std::fs::write(path(name), text).unwrap();
        let output = run(&[&path(name), &path("good")]);
        let problem = problem.replace("FILE", &path(name));
        assert_eq!(stdout(&output), format!("(error \"{}:{problem}\")\nsat\n", path(name)));
        assert_eq!(output.status.code(), Some(1));
    }
}

/// Steps of a backend that looks by the clock cannot be counted; who races need not count.
#[test]
fn threads_need_a_backend_whose_steps_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script").to_string_lossy().into_owned();
    std::fs::write(&script, "(check-sat)").unwrap();
    for backend in ["cadical", "batsat", "naive"] {
        assert_eq!(stdout(&run(&["--sat", backend, "--threads", "2", &script])), "sat\n");
    }
    let refused = stdout(&run(&["--sat", "splr", "--threads", "2", &script]));
    let problem = "threads need a SAT backend whose steps are counted, which 'splr' has not";
    assert!(refused.contains(problem), "{refused}");
    assert_eq!(stdout(&run(&["--sat", "splr", "--threads", "2", "--racing", &script])), "sat\n");
}

/// The tools had three ways to say that there is no such file, and the solver found an error in the first
/// line of a folder.
#[test]
fn inputs_that_cannot_be_read_are_told_in_one_way() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_string_lossy().into_owned();
    let missing = format!("{folder}/missing");
    for command in [&[][..], &["simplify"], &["convert", "--to", "smt2"], &["sim"], &["check-model"]] {
        for (path, problem) in [(&missing, "No such file"), (&folder, "a directory")] {
            let output = run(&[command, &[path.as_str()]].concat());
            let text = stdout(&output) + &String::from_utf8_lossy(&output.stderr);
            let expected = format!("{path}: cannot be read: ");
            assert!(text.contains(&expected) && text.contains(problem), "{command:?}: {text}");
        }
    }
}

/// In the place of another solver, a missing file had no name; what is left out, or missing, was not said.
#[test]
fn what_is_missing_or_left_out_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let missing = at("missing.smt2");
    for persona in ["z3", "cvc5", "yices", "boolector", "bitwuzla", "stp", "mathsat", "btormc"] {
        let output = run(&["--compat", persona, &missing]);
        let said = stdout(&output) + &String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("{missing}: cannot be read: ")), "{persona}: {said}");
        assert_ne!(output.status.code(), Some(0), "{persona}");
    }
    let several = at("several.smt2");
    std::fs::write(&several, "(declare-const p Bool)(assert p)(check-sat)(push 1)(check-sat)").unwrap();
    let converted = run(&["convert", &several, "--to", "btor2"]);
    let note = format!("note: {several}: of 2 checks the first is converted, 1 is left out");
    assert!(String::from_utf8_lossy(&converted.stderr).contains(&note), "{converted:?}");
    let alone = run(&["experiment", &several, "-q", "-o", &at("results"), "--against", "bivalve"]);
    assert_eq!(alone.status.code(), Some(2));
    let problem = "--against: expected another column than the first, which is 'bivalve'";
    assert!(String::from_utf8_lossy(&alone.stderr).contains(problem), "{alone:?}");
    assert!(run(&["man", &at("new/man1")]).status.success());
    assert!(folder.path().join("new/man1/bivalve.1").exists());
}

/// Zero was no limit, an end at once, or refused, depending on the option.
#[test]
fn a_limit_of_zero_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script").to_string_lossy().into_owned();
    std::fs::write(&script, "(declare-const x (_ BitVec 8))(assert (= (bvmul x x) #x09))(check-sat)")
        .unwrap();
    for option in ["time-limit", "time-limit-per", "memory-limit", "conflict-limit", "words-after"] {
        assert_eq!(stdout(&run(&[&format!("--{option}"), "0", &script])), "sat\n", "{option}");
    }
}

/// A negative number was taken for a flag.
#[test]
fn a_negative_number_is_told_what_the_option_expects() {
    for (words, problem) in [
        (["--seed", "-1"], "option 'seed' expects a numeral, found '-1'"),
        (["-t", "-1"], "expected a time such as 10 (seconds), 1.5s, 500ms or 2min, found '-1'"),
    ] {
        let output = run(&words);
        assert!(String::from_utf8_lossy(&output.stderr).contains(problem), "{output:?}");
        assert_eq!(output.status.code(), Some(2));
    }
}

/// With `--lang` the text does not decide.
#[test]
fn what_is_said_to_be_a_script_is_read_as_one() {
    let words = ["--lang", "smt2"];
    let [shown, said] = [&[][..], &words].map(|words| text(&piped(words, b"1 sort bitvec 0\n").stdout));
    assert!(shown.contains(":1:15: expected a width from 1 to 16777216, found '0'"), "{shown}");
    assert!(said.contains(":1:1: expected '(' and a command, found the numeral 1"), "{said}");
}

/// The whole script was called binary data.
#[test]
fn a_byte_that_is_in_no_text_has_its_place() {
    let script = b"(declare-const x Bool)\x0c(assert x)\n(check-sat)\0(check-sat)\n";
    let expected = "sat\n(error \"<stdin>:2:12: expected a token of SMT-LIB, found the byte 0x00\")\nsat\n";
    assert_eq!(text(&piped(&[], script).stdout), expected);
}

/// The first certificate was overwritten by the second.
#[test]
fn a_certificate_is_about_one_input() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("out").to_string_lossy().into_owned();
    let output = run(&["--certificate", &certificate, "a.smt2", "b.smt2"]);
    let problem = "--certificate: expected one input, found 2";
    assert!(String::from_utf8_lossy(&output.stderr).contains(problem), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}

/// The place of a command was always the first character of the text.
#[test]
fn commands_of_cvc_have_their_places() {
    let output = piped(&[], b"x : BOOLEAN;\n  POP;\n");
    let expected = "Error: <stdin>:2:3: expected at most 0 levels to pop, found 1\n";
    assert_eq!(text(&output.stdout), expected);
}

/// Both ask for the version; they were read as `-v`, `-e` and so on.
#[test]
fn the_version_is_asked_for_as_other_solvers_have_it() {
    let version = stdout(&run(&["--version"]));
    for solver in ["z3", "mathsat"] {
        assert_eq!(stdout(&run(&["--compat", solver, "-version"])), version);
    }
}

/// Formulas in other languages than SMT-LIB 2, with their answers.
#[test]
fn formulas_are_solved_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, expected) in [
        (
            "f.btor2",
            "1 sort bitvec 8\n2 input 1 x\n3 sort bitvec 1\n4 ult 3 2 2\n5 constraint 4\n",
            "unsat\n",
        ),
        ("g.btor2", "1 sort bitvec 1\n2 input 1\n3 bad 2\n4 bad -2\n5 constraint 2\n", "sat\n"),
        ("f.btor", "1 var 8 x\n2 mul 8 1 1\n3 constd 8 81\n4 eq 1 2 3\n5 root 1 4\n", "sat\n"),
        ("f.aag", "aag 3 2 0 1 1\n2\n4\n6\n6 2 5\n", "sat\n"),
        ("g.aag", "aag 3 2 0 1 1\n2\n4\n6\n6 2 3\n", "unsat\n"),
        (
            "f.smt",
            "(benchmark b :extrapreds ((p)) :assumption p :formula (not p) :formula p)",
            "unsat\nsat\n",
        ),
        // Answers to queries and counterexamples are those of STP.
        (
            "f.cvc",
            "x : BITVECTOR(4);\nQUERY(x = x);\nCOUNTEREXAMPLE; ASSERT x = 0hexa; QUERY FALSE; COUNTEREXAMPLE;",
            "Valid.\nInvalid.\nASSERT( x = 0xA );\n",
        ),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let output = run(&[&path.to_string_lossy()]);
        assert_eq!(stdout(&output), expected, "{name}");
        assert_eq!(output.status.code(), Some(0), "{name}");
    }
}

/// Every command has help, completions and a manual page, and all of them name its flags.
#[test]
fn help_completions_and_manual_pages_come_from_one_tree() {
    let parent = tempfile::tempdir().unwrap();
    // It is made.
    let folder = parent.path().join("man/man1");
    assert!(run(&["man", &folder.to_string_lossy()]).status.success());
    let shells = ["bash", "zsh", "fish"].map(|shell| stdout(&run(&["completions", shell])));
    for (command, flag) in [
        ("fuzz", "--shape"),
        ("construct", "--width"),
        ("campaign", "--random-options"),
        ("simplify", "--rewrite-from"),
        ("experiment", "--vary"),
        ("reduce", "--against-inside"),
    ] {
        for help in [&[command, "--help"][..], &["help", command]] {
            let help = run(help);
            assert!(help.status.success() && stdout(&help).contains(flag), "{command}: {help:?}");
        }
        let page = std::fs::read_to_string(folder.join(format!("bivalve-{command}.1"))).unwrap();
        assert!(page.contains(&flag.replace('-', "\\-")), "{command}: {page}");
        assert!(shells.iter().all(|text| text.contains(command)));
    }
    // Values have names there, and so have options for research.
    for value in ["cadical", "batsat", "minimize-core", "array-strategy", "eager", "smtlib2", "bitwuzla"] {
        assert!(shells.iter().all(|text| text.contains(value)), "{value}");
    }
    for row in bivalve::OPTIONS {
        for value in row.values() {
            assert!(shells[0].contains(value), "{}: {value}", row.name);
        }
    }
    for help in ["-h", "--help"] {
        assert!(stdout(&run(&["sim", help])).starts_with("Simulates a transition system: "));
    }
    let page = folder.join("bivalve.1");
    assert!(page.exists());
    // No folder can be below a file.
    let below = page.join("man1").to_string_lossy().into_owned();
    let lost = run(&["man", &below]);
    assert_eq!(lost.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&lost.stderr).contains(&below));
}
