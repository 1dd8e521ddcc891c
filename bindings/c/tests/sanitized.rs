//! The three headers under random calls from C, with the sanitizers of addresses and undefined behaviour.
//!
//! The programs of `fuzz` call every function of a header, with arguments that are right, wrong, freed, made
//! up, null, or of another instance, from the thread that owns them and from others. They are compiled with
//! all sanitizers of the machine's compiler; leaks count as errors. The library itself is compiled as usual,
//! and the sanitizer sees the memory that it takes and frees, and what the C library does for it.
//! `BIVALVE_FUZZ_CALLS` and `BIVALVE_FUZZ_SEED` set calls and seed. The test is ignored
//! unless it is asked for.
#![allow(clippy::disallowed_methods, reason = "a test has an environment")]

use crate::compilers::{compiled, declared, folder, library, run};
use std::process::Command;

/// Each header and the program that calls its functions.
const FUZZERS: [(&str, &str); 3] = [
    ("bivalve.h", "tests/fuzz/bivalve.c"),
    ("boolector.h", "tests/fuzz/boolector.c"),
    ("stp/c_interface.h", "tests/fuzz/stp.c"),
];

const FLAGS: [&str; 8] = [
    "-std=c11",
    "-D_GNU_SOURCE",
    "-Wall",
    "-Wextra",
    "-g",
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

#[test]
#[ignore = "needs compilers of C and C++ with sanitizers"]
fn no_call_from_c_is_undefined_behaviour() {
    let (library, scratch) = (library(), tempfile::tempdir().expect("a folder"));
    for (header, source) in FUZZERS {
        let program = compiled("cc", &FLAGS, source, scratch.path(), &library)
            .unwrap_or_else(|problem| panic!("{source}: {problem}"));
        let mut command = Command::new(program);
        command.arg(setting("BIVALVE_FUZZ_CALLS", "4000")).arg(setting("BIVALVE_FUZZ_SEED", "16"));
        command.env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1");
        print!("{header}: {}", run(&mut command));
    }
}

#[test]
fn every_function_is_called() {
    for (header, source) in FUZZERS {
        let text = std::fs::read_to_string(folder().join(source)).expect("a file");
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let missing: Vec<String> =
            declared(header).into_iter().filter(|name| !words.contains(&name.as_str())).collect();
        assert!(missing.is_empty(), "{source} does not call {missing:?}");
    }
}
