//! No output is written over an input, whatever it is called.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{bivalve, text};

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
