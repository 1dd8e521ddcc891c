//! The designs of `examples/designs`, from Verilog to verdicts: as they are, every property holds; with
//! `BROKEN` defined, the one that is meant is violated, and the witness is replayed.
//!
//! The test is ignored unless it is asked for: it needs Yosys.

use std::path::Path;
use std::process::Command;
use workspace_tests::{bivalve, root};

/// Each design, with the property that is violated when it is broken.
const DESIGNS: [(&str, &str); 5] = [
    ("fifo", "unchanged"),
    ("arbiter", "fair"),
    ("cpu", "as_specified"),
    ("cache", "remembered"),
    ("uart", "same"),
];

fn run(command: &mut Command) -> (i32, String) {
    let output = command.output().expect("it starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code().expect("a code"), text.concat())
}

#[test]
#[ignore = "needs Yosys"]
fn designs_hold_unless_they_are_broken() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("designs");
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let designs = root().join("examples/designs");
    for (name, property) in DESIGNS {
        for define in ["", "-DBROKEN"] {
            let system = folder.join(format!("{name}{define}.btor2"));
            let script = format!(
                "read_verilog -formal {define} {name}.v; prep -top {name}; memory_nordff; async2sync; dffunmap; \
                 write_btor {}",
                system.display()
            );
            let (code, out) = run(Command::new("yosys").args(["-q", "-p", &script]).current_dir(&designs));
            assert_eq!(code, 0, "{out}");
            let witness = folder.join(format!("{name}.wit"));
            let mut command = Command::new(bivalve());
            let (code, out) = run(command.arg("check-model").arg(&system).arg("-w").arg(&witness));
            if define.is_empty() {
                assert!(code == 0 && !out.contains("violated"), "{name}: {out}");
                continue;
            }
            let violated: Vec<&str> = out.lines().filter(|line| line.contains("violated")).collect();
            assert!(code == 1 && violated.len() == 1, "{name}: {out}");
            assert!(violated[0].contains(&format!(" {property}: violated in frame ")), "{name}: {out}");
            let mut command = Command::new(bivalve());
            let (code, out) = run(command.args(["sim", "--witness"]).arg(&witness).arg(&system));
            assert!(code == 0 && out.contains("witness 0 holds"), "{name}: {out}");
        }
    }
}
