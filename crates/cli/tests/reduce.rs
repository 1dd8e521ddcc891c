//! `bivalve reduce` as people call it: files, commands, messages, exit codes.

use crate::support::{BIVALVE, bivalve, text};
use std::path::PathBuf;
use std::process::{Output, Stdio};

/// A formula that is unsatisfiable because of its arrays, and much else.
const ARRAYS: &str = "(set-logic QF_ABV)
(declare-fun m () (Array (_ BitVec 32) (_ BitVec 8)))
(declare-fun i () (_ BitVec 32)) (declare-fun j () (_ BitVec 32)) (declare-fun k () (_ BitVec 32))
(declare-fun p () Bool)
(assert (=> p (bvult (bvadd i j) (bvmul k k))))
(assert (and (= i (bvadd j #x00000004)) (or p (= ((_ extract 7 0) k) #x2a))
             (let ((w (store (store m i #x07) j #x08))) (and (not p) (distinct (select w i) (ite p #x00 #x07))))))
(check-sat)
(exit)
";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(text: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().expect("a folder for temporary files") };
        std::fs::write(place.file("bug.smt2"), text).expect("a temporary file");
        place
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn reduce(&self, options: &[&str]) -> Output {
        let mut command = bivalve();
        command.arg("reduce").arg(self.file("bug.smt2")).args(options).stdin(Stdio::null());
        command.output().expect("the binary runs")
    }

    /// The result of a reduction that succeeds.
    fn reduced(&self, options: &[&str]) -> String {
        let output = self.reduce(options);
        assert!(output.status.success(), "{options:?}: {}", text(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }
}

#[test]
fn the_way_a_command_ends_is_the_failure() {
    let place = Place::new(ARRAYS);
    let dies = ["--quiet", "--", "sh", "-c", "if grep -q bvmul \"$0\"; then kill -SEGV $$; fi", "{}"];
    assert_eq!(place.reduced(&dies), "(assert (= (bvmul #b0 #b0) #b0))\n");
    let complains =
        ["--", "sh", "-c", "grep -q '(store' && { echo 'Assertion `x.c:17 failed' >&2; exit 1; }; exit 0"];
    let output = place.reduce(&complains);
    assert!(
        text(&output.stderr).contains("the failure is crash: Assertion `x.c:17 failed"),
        "{}",
        text(&output.stderr)
    );
    assert!(output.stdout.len() < 100, "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_verdict_may_be_the_failure_and_commands_and_this_process_agree() {
    let place = Place::new(ARRAYS);
    let what = ["--quiet", "--says", "unsat", "--contains", "(store", "--contains", "(select"];
    let inside = place.reduced(&[&what[..], &["--inside"]].concat());
    assert!(inside.len() < 200 && inside.contains("(select (store"), "{inside}");
    for jobs in ["1", "3"] {
        let outside = place.reduced(&[&what[..], &["--jobs", jobs, "--", BIVALVE, "{}"]].concat());
        assert_eq!(outside, inside, "-j {jobs}");
    }
    let piped = place.reduced(&[&what[..], &["--", BIVALVE]].concat());
    assert_eq!(piped, inside, "the script goes to standard input");
    std::fs::write(place.file("bug.smt2"), &inside).expect("a temporary file");
    assert_eq!(place.reduced(&[&what[..], &["--inside"]].concat()), inside, "a result stays as it is");
}

#[test]
fn wrong_verdicts_models_and_cores_are_pursued() {
    let place = Place::new(ARRAYS);
    let liar = "grep -q bvult && echo sat";
    let liar = ["--", "sh", "-c", liar];
    let small = place.reduced(&[&["--quiet", "--against-inside"][..], &liar].concat());
    assert!(small.contains("bvult") && small.contains("(check-sat)") && small.len() < 80, "{small}");
    let bad_model = ["--quiet", "--wrong-model", "--", "sh", "-c", "grep -q bvmul && echo sat && echo '()'"];
    let small = place.reduced(&bad_model);
    assert!(small.contains("bvmul") && small.len() < 90, "{small}");
    let named = "(declare-const x (_ BitVec 8))(declare-const p Bool)
        (assert (! (bvult (bvmul x x) #x10) :named small))(assert (! (and p (not p)) :named other))(assert (or p (= x #x01)))
        (check-sat)(get-unsat-core)";
    let named = Place::new(named);
    let bad_core = [
        "--quiet",
        "--wrong-core",
        "--",
        "sh",
        "-c",
        "grep -q 'bvmul.*:named small' && echo unsat && echo '(small)'",
    ];
    let small = named.reduced(&bad_core);
    assert!(small.contains(":named small") && small.contains("bvmul") && small.len() < 110, "{small}");
}

#[test]
fn a_hang_may_be_the_failure() {
    let place = Place::new("(declare-const p Bool)(assert p)(assert (not p))(check-sat)");
    let sleeps = ["--quiet", "--hang", "--timeout", "300ms", "--", "sh", "-c", "grep -q '(not' && sleep 9"];
    assert_eq!(place.reduced(&sleeps), "(assert (not false))\n");
}

#[test]
fn other_theories_are_reduced_as_text() {
    let place = Place::new("(set-logic QF_LIA)(declare-fun x () Int)(assert (> (+ x (* 2 x)) 7))(check-sat)");
    let output = place.reduce(&["--out-regex", "^yes", "--", "sh", "-c", "grep -q '(\\* 2' && echo yes"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "(* 2)\n");
    assert!(text(&output.stderr).contains("reduced as text"), "{}", text(&output.stderr));
}

#[test]
fn results_go_into_files_and_statistics_say_where_time_went() {
    let place = Place::new(ARRAYS);
    let out = place.file("small.smt2");
    let path = out.to_str().expect("a path of text");
    let output = place.reduce(&["-o", path, "--stats", "--verdicts", "unsat", "--inside"]);
    assert!(output.status.success() && output.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(&out).expect("the result"), "(assert false)\n(check-sat)\n");
    let said = text(&output.stderr);
    assert!(
        said.contains("candidates tested: ") && said.contains("wall") && said.contains("commands"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_reduced_is_said_in_words_and_by_exit_codes() {
    let place = Place::new(ARRAYS);
    let wrong = [
        (&["--verdicts", "sat", "--inside"][..], 1, "does not fail: expected verdicts sat"),
        (&[], 2, "expected a command behind --"),
        (&["--", "no-such-solver-here"], 2, "cannot be started"),
        (&["--first-timeout", "100ms", "--", "sleep", "9"], 1, "add --hang and --timeout"),
        (&["--inside", "--option", "sat=nothing"], 2, "nothing"),
        (&["--out-regex", "(", "--inside"], 2, "error: "),
        (&["--verdicts", "maybe", "--inside"], 2, "expected sat, unsat or unknown"),
    ];
    for (options, code, words) in wrong {
        let output = place.reduce(options);
        assert_eq!(output.status.code(), Some(code), "{options:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(words), "{options:?}: {}", text(&output.stderr));
    }
    let missing = bivalve().args(["reduce", "/no/such/file", "--inside"]).output().expect("it runs");
    assert_eq!(missing.status.code(), Some(2));
    let help = bivalve().args(["reduce", "--help"]).output().expect("it runs");
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("Examples:"));
    let main_help = bivalve().arg("--help").output().expect("it runs");
    assert!(String::from_utf8_lossy(&main_help.stdout).contains("\n  reduce "));
}
