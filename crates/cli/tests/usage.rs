//! What a user meets first: help, a mistyped word, an input in another language.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use std::process::{Command, Output};

fn bivalve(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bivalve")).args(args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn short_help_leaves_research_out_and_long_help_says_all() {
    let [short, long] = ["-h", "--help"].map(|flag| stdout(&bivalve(&[flag])));
    assert!(short.len() < long.len());
    for row in bivalve::OPTIONS {
        let flag = format!("--{} ", row.name);
        assert!(long.contains(&flag), "{flag}");
        assert_eq!(short.contains(&flag), !row.is_research, "{flag}");
    }
    for text in ["--lang", "campaign", "[default: cadical]"] {
        assert!(short.contains(text) && long.contains(text), "{text}");
    }
    assert!(long.find("Research:").unwrap() > long.find("Clients:").unwrap());
}

#[test]
fn a_mistyped_command_is_told_what_it_may_have_been() {
    let output = bivalve(&["campain"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("there is a command 'campaign'"), "{output:?}");
    let output = bivalve(&["--time-limt", "3", "x.smt2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("'--time-limit'"), "{output:?}");
    assert!(!stdout(&bivalve(&["no/such/formula.smt2"])).contains("command"));
}

/// One error, whatever the length of the input, and the session of the next file is solved.
#[test]
fn an_input_in_another_language_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("good"), "(check-sat)").unwrap();
    let lines = "2 input 1\n".repeat(1000);
    for (name, text, language) in [
        ("btor2", format!("1 sort bitvec 8\n{lines}"), "BTOR2"),
        ("btor", format!("1 var 8 x\n{lines}"), "BTOR"),
        ("aiger", format!("aag 1 1 0 0 0\n{lines}"), "AIGER"),
        ("cnf", format!("c no\np cnf 1 1\n{lines}"), "DIMACS CNF"),
        ("smt1", "(benchmark b :logic QF_BV)".to_owned(), "SMT-LIB 1"),
        ("cvc", "x : BITVECTOR(8);\nQUERY(x = x);\n".to_owned(), "the language of CVC"),
        ("program", format!("\u{7f}ELF\0\0{lines}"), "binary data"),
    ] {
        std::fs::write(path(name), text).unwrap();
        let output = bivalve(&[&path(name), &path("good")]);
        let expected = format!(
            "(error \"{}:1:1: expected SMT-LIB 2, found {language}, which is not read here\")\nsat\n",
            path(name)
        );
        assert_eq!(stdout(&output), expected);
        assert_eq!(output.status.code(), Some(1));
    }
}

/// Every command has help, completions and a manual page, and all of them name its flags.
#[test]
fn help_completions_and_manual_pages_come_from_one_tree() {
    let folder = tempfile::tempdir().unwrap();
    assert!(bivalve(&["man", &folder.path().to_string_lossy()]).status.success());
    let shells = ["bash", "zsh", "fish"].map(|shell| stdout(&bivalve(&["completions", shell])));
    for (command, flag) in [
        ("fuzz", "--shape"),
        ("construct", "--width"),
        ("campaign", "--random-options"),
        ("simplify", "--rewrite-from"),
        ("experiment", "--vary"),
        ("reduce", "--against-inside"),
    ] {
        for help in [&[command, "--help"][..], &["help", command]] {
            let help = bivalve(help);
            assert!(help.status.success() && stdout(&help).contains(flag), "{command}: {help:?}");
        }
        let page = std::fs::read_to_string(folder.path().join(format!("bivalve-{command}.1"))).unwrap();
        assert!(page.contains(&flag.replace('-', "\\-")), "{command}: {page}");
        assert!(shells.iter().all(|text| text.contains(command)));
    }
    assert!(folder.path().join("bivalve.1").exists());
    let lost = bivalve(&["man", "/no/such/folder"]);
    assert_eq!(lost.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&lost.stderr).contains("/no/such/folder"));
}
