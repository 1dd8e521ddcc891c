//! No output is written over an input, whatever it is called.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{BIVALVE, bivalve, text};

const SCRIPT: &str = "(declare-const p Bool)(assert (and p (not p)))(check-sat)\n";

#[cfg(unix)]
#[test]
fn an_input_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("inner")).unwrap();
    std::fs::write(at("f.smt2"), SCRIPT).unwrap();
    std::os::unix::fs::symlink(at("f.smt2"), at("symbolic.smt2")).unwrap();
    std::fs::hard_link(at("f.smt2"), at("hard.smt2")).unwrap();
    let spellings = ["f.smt2", "./f.smt2", "inner/../f.smt2", "symbolic.smt2", "hard.smt2"];
    for output in spellings {
        let commands = [
            vec!["--certificate", output, "f.smt2"],
            vec!["--dump-cnf", output, "f.smt2"],
            vec!["--dump-aiger", output, "f.smt2"],
            vec!["--dump-cnf", output],
            vec!["--certificate", output, "-"],
            vec!["convert", "f.smt2", output],
            vec!["convert", "-", output],
            vec!["-o", output, "f.smt2"],
            vec!["sim", "f.smt2", "--vcd", output],
            vec!["sim", "f.smt2", "--fst", output],
            vec!["sim", "f.smt2", "--svg", output],
            vec!["check-model", "f.smt2", "--witness", output],
            vec!["check-model", "f.smt2", "--invariant", output],
            vec!["simplify", "f.smt2", "-o", output],
            vec!["reduce", "f.smt2", "-o", output, "--", "true"],
            vec!["campaign", "f.smt2", "--log", output],
            vec!["campaign", "f.smt2", "--plan", output],
            vec!["experiment", "f.smt2", "--log", output],
            vec!["experiment", "f.smt2", "--plan", output],
        ];
        for words in commands {
            let input = std::fs::File::open(at("f.smt2")).unwrap();
            let ran = bivalve().current_dir(folder.path()).args(&words).stdin(input).output().unwrap();
            assert_eq!(ran.status.code(), Some(2), "{words:?}: {}", text(&ran.stderr));
            assert!(text(&ran.stderr).contains("which would be overwritten"), "{}", text(&ran.stderr));
            assert_eq!(std::fs::read_to_string(at("f.smt2")).unwrap(), SCRIPT, "{words:?}");
        }
    }
}

/// Names that are made later are compared when the file is opened.
#[test]
fn an_input_is_not_overwritten_by_a_file_whose_name_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let (cases, in_cases) = (folder.path().join("cases"), folder.path().join("cases/00000000.smt2"));
    std::fs::create_dir(cases).unwrap();
    let script = folder.path().join("0.smt2");
    for file in [&script, &in_cases] {
        std::fs::write(file, SCRIPT).unwrap();
    }
    let run = |words: &[&str]| bivalve().current_dir(folder.path()).args(words).output().unwrap();
    let dumped = run(&["--dump-cnf", "{}.smt2", "0.smt2"]);
    assert!(text(&dumped.stdout).contains("which would be overwritten"), "{}", text(&dumped.stdout));
    assert_eq!(dumped.status.code(), Some(1));
    let broken = run(&["fuzz", "--style", "broken", "--scripts", "cases", "-n", "2", "-o", "cases"]);
    assert!(text(&broken.stderr).contains("which would be overwritten"), "{}", text(&broken.stderr));
    assert_eq!(broken.status.code(), Some(2));
    for file in [&script, &in_cases] {
        assert_eq!(std::fs::read_to_string(file).unwrap(), SCRIPT);
    }
}

/// A certificate was written, and nothing said, where the checker does not read the script.
#[test]
fn a_certificate_of_no_use_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "(declare-datatypes ((P 1)) ((par (X) ((pair (one X) (other X))))))(declare-const p (P Bool))
        (assert (distinct (one p) (one p)))(check-sat)(check-sat)";
    for (script, expected) in [(script, 1), (SCRIPT, 0)] {
        std::fs::write(folder.path().join("f.smt2"), script).unwrap();
        for flags in [
            &["--certificate", "f.bvc"][..],
            &["--check-unsat"],
            &["--certificate", "f.bvc", "--check-unsat"],
            // The checker waited for what follows the last number of a text.
            &["--certificate", "f.txt", "--check-unsat"],
        ] {
            let output = bivalve().args(flags).arg("f.smt2").current_dir(folder.path()).output().unwrap();
            let complaint = text(&output.stderr);
            assert_eq!(output.status.code(), Some(expected), "{flags:?}: {complaint}");
            // With the checker beside it each check tells why it has no certificate.
            let times = if flags.contains(&"--check-unsat") { 2 } else { 1 };
            let why = "script: line 1: data types with parameters are not known here";
            assert_eq!(
                complaint.matches(why).count(),
                times * usize::from(expected == 1),
                "{flags:?}: {complaint}"
            );
        }
    }
}

/// The checker read what the solver was to read, or waited for more for ever.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f.smt2"), SCRIPT).unwrap();
    for flags in ["--check-unsat", "--certificate f.bvc"] {
        for line in [
            "cat f.smt2 | timeout 60 \"$0\" FLAGS /dev/stdin",
            "rm -f p; mkfifo p; (cat f.smt2 > p) & timeout 60 \"$0\" FLAGS p",
        ] {
            let mut shell = std::process::Command::new("sh");
            let line = line.replace("FLAGS", flags);
            let output = shell.args(["-c", &line, BIVALVE]).current_dir(folder.path()).output().unwrap();
            assert_eq!(
                (text(&output.stdout), text(&output.stderr)),
                ("unsat\n".into(), String::new()),
                "{line}"
            );
        }
    }
}
