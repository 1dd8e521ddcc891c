//! `bivalve sim`: witnesses are checked, and what random simulation reaches is written as witnesses that
//! hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::bivalve;
use std::path::{Path, PathBuf};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/counter.btor2")
}

/// Runs the tool on the example; its exit code and what it prints.
fn sim(args: &[&str]) -> (i32, String, String) {
    let mut command = bivalve();
    let output = command.arg("sim").args(args).arg(example()).output().unwrap();
    let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code().unwrap(), out, error)
}

#[test]
fn witnesses_of_a_random_run_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (plain, small, x) = (path("plain"), path("small"), path("x"));
    let runs =
        [vec!["-o", &plain], vec!["--minimize", "-o", &small], vec!["--minimize", "--unknown", "-o", &x]];
    for args in &runs {
        let (code, out, error) = sim(args);
        let expected = "b0 count_is_three is reached in frame 5\nb1 reads_two is reached in frame 6\n";
        assert_eq!((code, out.as_str(), error.as_str()), (0, expected, ""));
    }
    for path in [&plain, &small, &x] {
        let (code, out, _) = sim(&["--witness", path]);
        let expected =
            "witness 0 holds: b0 count_is_three in frame 5\nwitness 1 holds: b1 reads_two in frame 6\n";
        assert_eq!((code, out.as_str()), (0, expected), "{path}");
    }
    let text = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(text(&small).len() < text(&plain).len());
    assert!(text(&x).contains("1 1x write.address@0") && !text(&small).contains('x'));
    assert_eq!(text(&x).replace('x', "0"), text(&small));
}

#[test]
fn wrong_witnesses_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        let path = folder.path().join("w").to_string_lossy().into_owned();
        std::fs::write(&path, text).unwrap();
        sim(&["--witness", &path])
    };
    let (code, out, _) = check("sat\nb0\n@0\n0 1\n@1\n.\nsat\nb1\n#0\n1 [00] 010\n@0\n0 1\n.\n");
    let expected = "witness 0 does not hold: bad state 0 'count_is_three' does not hold in the last frame, 1\n\
                    witness 1 holds: b1 reads_two in frame 0\n";
    assert_eq!((code, out.as_str()), (1, expected));
    let (code, out, _) = check("sat\nb0\n@0\n1 00\n2 01\n.\n");
    assert_eq!(
        (code, out.as_str()),
        (1, "witness 0 does not hold: frame 0: constraint 0 'ordered' does not hold\n")
    );
    let (code, out, error) = check("sat\nb0\n@0\n1 000\n.\n");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("expected 2 bits") && error.contains(":4:3"), "{error}");
    let (code, _, error) = check("");
    assert!(code == 2 && error.contains("expected a witness, found none"), "{error}");
    let (code, _, error) = sim(&["--witness", "no/such/file"]);
    assert!(code == 2 && error.contains("no/such/file"), "{error}");
    let (code, _, error) = sim(&["-n", "1", "-o", "x"]);
    assert!(code == 2 && error.contains("no bad state was reached"), "{error}");
}

#[test]
fn runs_are_printed_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (vcd, fst, svg) = (path("w.vcd"), path("w.fst"), path("w.svg"));
    let (code, out, _) = sim(&["-n", "2", "--all", "--vcd", &vcd, "--fst", &fst, "--svg", &svg]);
    assert_eq!(code, 0);
    let has = |line: &str| out.lines().any(|found| found == line);
    assert!(["#0", "@0", "=0", "#1", "0 000 unit.count#1"].iter().all(|line| has(line)), "{out}");
    assert!(std::fs::read_to_string(&vcd).unwrap().contains("$scope module memory $end"));
    assert!(std::fs::metadata(&fst).unwrap().len() > 100);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.contains("unit.count") && picture.contains("read.value"), "{picture}");
    assert!(picture.contains("counter.btor2: a random run, seed 1"), "{picture}");
    let (code, _, error) = sim(&["-n", "2", "--svg", &path("some.svg"), "--signals", "read.value,nonesuch"]);
    assert!(code == 2 && error.contains("there is no signal 'nonesuch'"), "{error}");
    assert!(!Path::new(&path("some.svg")).exists());
    let (_, out, _) = sim(&["-n", "2", "--outputs"]);
    assert!(out.contains("read.value") && !out.contains("unit.count"), "{out}");
    // The same seed is the same run.
    let traces = ["3", "3", "4"].map(|seed| sim(&["--all", "--seed", seed]).1);
    assert!(traces[0] == traces[1] && traces[0] != traces[2]);
}

/// What Yosys writes beside a system gives waveforms the name of the design and a clock that ticks.
#[test]
fn waveforms_have_what_yosys_says_of_the_design() {
    let folder = tempfile::tempdir().unwrap();
    let (info, wave) = (folder.path().join("queue.info"), folder.path().join("queue.vcd"));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let run = |text: &str, tool: &str| {
        std::fs::write(&info, text).unwrap();
        let mut command = bivalve();
        command.arg(tool).arg("--vcd").arg(&wave).arg("--info").arg(&info);
        match tool {
            "sim" => command.arg(examples.join("queue_overfull.btor2")).arg("--witness"),
            _ => command.arg("-c").arg(examples.join("queue_overfull.btor2")),
        };
        let output = command.arg(examples.join("queue_overfull.wit")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for tool in ["sim", "btorsim"] {
        let design = "name queue\nposedge 2\nlater words that mean nothing here\n";
        assert_eq!(run(design, tool), (Some(0), String::new()));
        let text = std::fs::read_to_string(&wave).unwrap();
        assert!(text.contains("$scope module queue $end"), "{text}");
        // Six frames.
        assert!(text.contains("#10\n") && text.contains("#12") && !text.contains("#13"), "{text}");
    }
    let place = |line: usize, column: usize| format!("queue.info:{line}:{column}: ");
    for (text, place, found) in [
        ("posedge 4\n", place(1, 9), "a node of the system that is a bit, found '4', another node"),
        ("name q\nnegedge 9999\n", place(2, 9), "found '9999', which is not defined"),
        ("event 1\n", place(1, 7), "found '1', a sort"),
        ("event\n", place(1, 6), "found end of line"),
        ("name a b\n", place(1, 8), "expected end of line, found 'b'"),
    ] {
        let (code, error) = run(text, "sim");
        assert!(code == Some(2) && error.contains(&place) && error.contains(found), "{text}: {error}");
    }
    // The files of a run are not written over.
    let mut command = bivalve();
    command.arg("sim").arg("--info").arg(&info).arg("--vcd").arg(&info).arg(examples.join("queue.btor2"));
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&info).unwrap(), "name a b\n");
}
