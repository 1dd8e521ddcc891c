//! `bivalve check-model`: verdicts, exit codes, witnesses that hold, and the words of btormc.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::bivalve;
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Runs the binary; its exit code and what it prints.
fn run(args: &[&str], file: &Path) -> (i32, String, String) {
    let output = bivalve().args(args).arg(file).output().unwrap();
    let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code().unwrap(), out, error)
}

#[test]
fn violations_are_written_as_witnesses_that_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("witness").to_string_lossy().into_owned();
    for options in [&[][..], &["--minimize-witness"], &["--engine", "ic3"], &["--engine", "bmc"]] {
        let args = [&["check-model", "-w", &path], options].concat();
        let (code, out, error) = run(&args, &example("counter.btor2"));
        assert_eq!((code, error.as_str()), (1, ""), "{options:?}");
        assert_eq!(out.lines().count(), 2, "{out}");
        assert!(out.lines().all(|line| line.contains(": violated in frame ")), "{out}");
        let (code, out, _) = run(&["sim", "--witness", &path], &example("counter.btor2"));
        assert_eq!((code, out.matches("holds: ").count()), (0, 2), "{options:?}: {out}");
    }
}

#[test]
fn proofs_have_an_exit_code_and_invariants_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("invariant").to_string_lossy().into_owned();
    let args = ["check-model", "--engine", "ic3", "--invariant", &path];
    let (code, out, _) = run(&args, &example("fifo.btor2"));
    assert!(code == 0 && out.starts_with("b0 outputs_differ: holds by an invariant of "), "{code}: {out}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("; b0\n(") && text.contains("count"), "{text}");
    // Bounded model checking alone proves nothing here.
    let (code, out, _) = run(&["check-model", "--engine", "bmc", "-k", "4"], &example("fifo.btor2"));
    assert_eq!(code, 3);
    assert!(out.ends_with("no violation in 4 frames, which is the bound\n"), "{out}");
}

#[test]
fn inputs_with_errors_are_shown_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.btor2");
    std::fs::write(&path, "1 sort bitvec 8\n2 state 1\n3 next 1 2 4\n").unwrap();
    let (code, out, error) = run(&["check-model"], &path);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("f.btor2:3:12"), "{error}");
    let (code, _, error) = run(&["check-model"], &folder.path().join("none"));
    assert!(code == 2 && error.contains("none: "), "{error}");
}

/// A text of BTOR without `next` is a formula to the solver, and has one bad state for the model checker.
#[test]
fn roots_of_a_formula_in_btor_are_a_bad_state_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.btor");
    for (text, roots) in
        [("1 var 1 a\n", "2 root 1 1\n"), ("1 var 8 a\n2 redor 1 1\n", "3 root 1 2\n4 root 8 1\n")]
    {
        std::fs::write(&path, format!("{text}{roots}")).unwrap();
        let (code, out, _) = run(&["check-model"], &path);
        assert_eq!((code, out.as_str()), (1, "b0: violated in frame 0\n"), "{text}");
        let (_, out, _) = run(&["btormc"], &path);
        assert!(out.starts_with("sat\nb0\n"), "{out}");
    }
    std::fs::write(&path, "1 var 1 a\n2 root 1 1\n3 root 1 -1\n").unwrap();
    let (code, out, _) = run(&["check-model"], &path);
    assert!(code == 0 && out.starts_with("b0: holds"), "{out}");
    // Bad states of a system without states are a formula in BTOR.
    let two = folder.path().join("two.btor2");
    std::fs::write(&two, "1 sort bitvec 1\n2 input 1\n3 bad 2\n4 bad -2\n").unwrap();
    let (_, out, _) = run(&["convert", "--to", "btor"], &two);
    std::fs::write(&path, out).unwrap();
    assert_eq!(run(&["check-model"], &path).0, 1);
    std::fs::write(&path, "1 var 1 a\n").unwrap();
    assert_eq!(run(&["check-model"], &path).1, "there are no properties\n");
}

#[test]
fn witnesses_and_invariants_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for (args, file, wanted) in [
        (["check-model", "-w", "-"], "counter.btor2", "\nsat\nb0\n"),
        (["check-model", "--invariant", "-"], "fifo.btor2", "\n; b0\n("),
    ] {
        let mut command = bivalve();
        command.args(args).arg(example(file)).args(["--engine", "ic3"]);
        let output = command.current_dir(folder.path()).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(out.contains(wanted), "{out}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file is made");
}

/// What SymbiYosys looks for, see its `sby_engine_btor.py`.
#[test]
fn btormc_speaks_as_its_clients_expect() {
    let args = ["btormc", "--stop-first", "1", "-v", "1", "-kmax", "19"];
    let (code, out, _) = run(&args, &example("counter.btor2"));
    assert_eq!(code, 0);
    for words in
        ["calling BMC on 2 properties", "SATISFIABLE", "bad state properties at bound", "\nsat\nb1\n"]
    {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(out.ends_with("[btormc] deleting model checker:\n"), "{out}");
    assert_eq!(out.lines().filter(|line| *line == "sat").count(), 1, "it stops at the first one");
    let all = ["--compat", "btormc", "--stop-first", "0", "-kmax=19"];
    let (_, out, _) = run(&all, &example("counter.btor2"));
    assert_eq!(out.lines().filter(|line| *line == "sat").count(), 2, "{out}");
    let (code, out, _) = run(&["btormc", "-v", "1", "-kmin", "2", "-kmax", "3"], &example("fifo.btor2"));
    assert_eq!((code, out.contains("SATISFIABLE")), (0, false));
    assert!(out.contains("at bound k = 3\n") && !out.contains("at bound k = 4\n"), "{out}");
}

#[test]
fn memories_may_be_too_large_for_registers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.btor2");
    let text = "1 sort bitvec 16\n2 sort array 1 1\n3 state 2\n4 input 1\n5 write 2 3 4 4\n6 next 2 3 5\n\
                7 read 1 3 4\n8 sort bitvec 1\n9 redand 8 7\n10 bad 9\n";
    std::fs::write(&path, text).unwrap();
    for args in [&["check-model", "--engine", "ic3"][..], &["check-model"]] {
        let (code, out, _) = run(args, &path);
        assert_eq!((code, out.as_str()), (1, "b0: violated in frame 0\n"), "{args:?}");
    }
}

/// The first frames of a system as a script: `sat` from the frame on that `check-model` names.
#[test]
fn frames_are_scripts_for_every_solver() {
    let folder = tempfile::tempdir().unwrap();
    let (system, script) = (folder.path().join("f.btor2"), folder.path().join("f.smt2"));
    let text = "1 sort bitvec 4\n2 sort bitvec 1\n3 state 1 count\n4 zero 1\n5 init 1 3 4\n6 one 1\n\
                7 input 2 go\n8 add 1 3 6\n9 ite 1 7 8 3\n10 next 1 3 9\n11 constd 1 3\n12 eq 2 3 11\n\
                13 bad 12 three\n";
    std::fs::write(&system, text).unwrap();
    let (code, out, _) = run(&["check-model"], &system);
    assert_eq!((code, out.as_str()), (1, "b0 three: violated in frame 3\n"));
    for (options, bound, expected) in [
        (&[][..], "3", "unsat\n"),
        (&[], "4", "sat\n"),
        (&["--simplify"], "3", "unsat\n"),
        (&["--simplify"], "9", "sat\n"),
    ] {
        let target = script.to_string_lossy();
        let args = [&["convert", "--bound", bound], options].concat();
        let output = bivalve().args(&args).arg(&system).arg(&*target).output();
        assert!(output.unwrap().status.success());
        let (_, out, error) = run(&[], &script);
        assert_eq!((out.as_str(), error.as_str()), (expected, ""), "{args:?}");
    }
    let (code, out, error) = run(&["convert", "--to", "smt2"], &system);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(error.contains("cannot express a transition system without a bound"), "{error}");
    for (args, file, words) in [
        (["convert", "--to", "aag"], "shadow.btor2", "the memory 'mem' has more than 65536 bits"),
        (["convert", "--bound", "0"], "fifo.btor2", "expected a number from 1 on"),
    ] {
        let (code, _, error) = run(&args, &example(file));
        assert!(code != 0 && error.contains(words), "{error}");
    }
}

#[test]
fn properties_are_chosen_by_name_or_number() {
    for (chosen, line, expected) in [
        ("count_is_three", "b0 count_is_three: violated in frame 3\n", 1),
        ("b1", "b1 reads_two: violated in frame 0\n", 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("witness").to_string_lossy().into_owned();
        let (code, out, _) =
            run(&["check-model", "--property", chosen, "-w", &path], &example("counter.btor2"));
        assert_eq!((code, out.as_str()), (expected, line));
        let (code, out, _) = run(&["sim", "--witness", &path], &example("counter.btor2"));
        assert!(code == 0 && out.contains(&line[..2]), "{out}");
    }
    let (code, _, error) = run(&["check-model", "--property", "b7"], &example("counter.btor2"));
    assert_eq!(code, 2);
    let expected = "expected a property (b0 (count_is_three), b1 (reads_two)), found 'b7'";
    assert!(error.contains(expected), "{error}");
}

/// Three latches that count, one of which has no reset value; two inputs. Bad where all are set.
const AIGER: &str =
    "aag 9 2 3 0 4 2\n2\n4\n6 7 0\n8 10 8\n10 2 0\n18\n8\n12 6 10\n14 8 12\n16 2 4\n18 14 16\n";

#[test]
fn violations_of_aiger_are_written_as_aiger_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.aag");
    std::fs::write(&file, AIGER).unwrap();
    let path = folder.path().join("witness").to_string_lossy().into_owned();
    let args = ["check-model", "-w", &path, "--witness-format", "aiger"];
    let (code, out, error) = run(&args, &file);
    assert_eq!((code, error.as_str()), (1, ""), "{out}");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[1], lines[2].len(), lines[3].len()), ("1", "b0", 3, 2), "{text}");
    let (code, out, error) = run(&["sim", "--witness", &path], &file);
    assert!(code == 0 && out.contains("witness 0 holds: b0"), "{out}{error}");
    let wrong = text.replacen("b0", "b9", 1);
    std::fs::write(&path, wrong).unwrap();
    let (code, _, error) = run(&["sim", "--witness", &path], &file);
    assert!(code == 2 && error.contains("witness:2:1"), "{error}");
    let (code, _, error) = run(&args, &example("counter.btor2"));
    assert!(code == 2 && error.contains("expected a system whose states and inputs are bits"), "{error}");
}

#[test]
fn limits_of_nothing_are_no_limits() {
    let (code, out, error) = run(&["check-model", "-t", "0", "-m", "0"], &example("fifo.btor2"));
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    assert!(out.contains(": holds"), "{out}");
}

/// An engine that needs more than the limit gives way, and the run has a verdict line.
#[test]
fn no_run_ends_without_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.btor2");
    let text = "1 sort bitvec 24\n2 sort bitvec 1\n3 state 1 x\n4 one 1\n5 init 1 3 4\n6 input 1\n\
                7 or 1 6 4\n8 mul 1 3 7\n9 next 1 3 8\n10 slice 2 3 0 0\n11 bad -10\n";
    std::fs::write(&file, text).unwrap();
    let (code, out, error) = run(&["check-model", "-e", "bmc", "-m", "60MB"], &file);
    assert_eq!(code, 3, "{out}{error}");
    assert!(out.starts_with("b0: unknown: the memory limit is reached; no violation in "), "{out}");
}

/// What holds has a witness circuit in the language of the system, which is checked again when it is read.
#[test]
fn proofs_are_written_as_witness_circuits() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (circuit, aiger) = (path("circuit"), folder.path().join("fifo.aag"));
    let shows = "the circuit shows that no bad state is reached\n";
    let checked = |file: &Path| run(&["check-model", "--check-circuit", &circuit], file);
    let converted = bivalve().args(["convert", "--to", "aag"]).arg(example("fifo.btor2")).output().unwrap();
    assert!(converted.status.success());
    std::fs::write(&aiger, converted.stdout).unwrap();
    for (file, format) in [(example("queue.btor2"), "btor2"), (aiger.clone(), "aiger")] {
        let args = ["check-model", "--witness-format", format, "--witness-circuit", &circuit];
        let (code, out, error) = run(&args, &file);
        assert_eq!((code, error.as_str()), (0, ""), "{out}");
        assert_eq!(checked(&file), (0, shows.into(), String::new()));
    }
    // A circuit of another system, one whose symbols say what they stand for, and three that do not fit.
    let (code, out, error) = checked(&example("queue.btor2"));
    assert!(code == 2 && error.contains("circuit: expected"), "{out}{error}");
    let file = folder.path().join("toggle.btor2");
    let model = "1 sort bitvec 1\n2 zero 1\n3 state 1 a\n4 state 1 b\n5 init 1 3 2\n6 init 1 4 2\n\
                 7 not 1 3\n8 next 1 3 7\n9 next 1 4 2\n10 and 1 3 4\n11 bad 10\n";
    std::fs::write(&file, model).unwrap();
    let of = |symbol: &str, bad: &str| {
        format!("1 sort bitvec 1\n2 zero 1\n3 state 1 {symbol}\n4 init 1 3 2\n5 next 1 3 2\n6 bad {bad}\n")
    };
    for (text, code, said) in [
        (of("=4", "3"), 0, shows),
        (
            of("=3", "3"),
            1,
            "the circuit shows nothing: transition: a step of the model is none of the circuit\n",
        ),
        (
            of("=4", "2"),
            1,
            "the circuit shows nothing: property: a state is bad in the model and good in the circuit\n",
        ),
        (of("=2", "3"), 2, "expected the number of an input or a state of the model, found '=2'"),
        (of("=x", "3"), 2, "found '=x'"),
        (of("b 3 3", "3"), 2, "circuit:3:"),
    ] {
        std::fs::write(&circuit, &text).unwrap();
        let (found, out, error) = checked(&file);
        assert!(found == code && (out + &error).contains(said), "{text}: {found} {error}");
    }
    let both = run(&["check-model", "--check-circuit", &circuit, "--witness", "-"], &file);
    assert!(both.0 == 2 && both.2.contains("nothing that could be written"), "{both:?}");
    // What is violated has none, which is no fault; neither has what tracks cells of memory, which is one.
    std::fs::remove_file(&circuit).unwrap();
    let args = ["check-model", "--witness-circuit", &circuit];
    assert_eq!(run(&args, &example("counter.btor2")).0, 1);
    let (code, out, error) = run(&args, &example("shadow.btor2"));
    assert!(code == 2 && out.contains("holds") && error.contains("tracks cells of memory"), "{out}{error}");
    assert!(!Path::new(&circuit).exists());
}
