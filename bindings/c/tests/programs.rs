//! Programs in C and C++ are compiled with the compilers of the machine, linked with the static library, and
//! run.
//!
//! Each program of `examples` ends with 0 if all goes as it says. They are compiled with all warnings as
//! errors, and with the address sanitizer, which sees leaks and freed memory of the library, too.

use crate::compilers::{compiled, declared, library, run};
use std::process::Command;

#[test]
#[ignore = "needs compilers of C and C++ with sanitizers"]
fn programs_in_c_and_cpp_go_as_they_say() {
    let (library, scratch) = (library(), tempfile::tempdir().expect("a folder"));
    const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-O1"];
    let c = [&STRICT[..], &["-std=c11"]].concat();
    let cpp = [&STRICT[..], &["-std=c++17"]].concat();
    for (compiler, flags, source) in
        [("cc", &c, "examples/tour.c"), ("cc", &c, "examples/drop_in.c"), ("c++", &cpp, "examples/tour.cpp")]
    {
        let program = compiled(compiler, flags, source, scratch.path(), &library)
            .unwrap_or_else(|problem| panic!("{source}: {problem}"));
        assert!(!run(&mut Command::new(program)).is_empty(), "{source} prints what it does");
        let sanitized = [&flags[..], &["-fsanitize=address", "-g"]].concat();
        let program = compiled(compiler, &sanitized, source, scratch.path(), &library)
            .unwrap_or_else(|problem| panic!("{source}, with the address sanitizer: {problem}"));
        run(&mut Command::new(program));
    }
}

#[test]
#[ignore = "needs nm"]
fn every_declared_function_is_in_the_library() {
    let symbols = run(Command::new("nm").args(["-g", "--defined-only"]).arg(library()));
    let defined: Vec<&str> = symbols.lines().filter_map(|line| line.split(" T ").nth(1)).collect();
    for (header, least) in [("bivalve.h", 70), ("boolector.h", 150), ("stp/c_interface.h", 120)] {
        let names = declared(header);
        assert!(names.len() >= least, "{header}: {} functions", names.len());
        for name in names {
            assert!(defined.contains(&name.as_str()), "{header}: {name} is not in the library");
        }
    }
}
