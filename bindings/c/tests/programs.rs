//! Programs in C and C++ are compiled with the compilers of the machine, linked with the static library, and
//! run.
//!
//! Each program of `examples` ends with 0 if all goes as it says. They are compiled with all warnings as
//! errors, and with the address sanitizer, which sees leaks and freed memory of the library, too. Without a
//! compiler the test says so and ends.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries that the static library needs, as the pkg-config file names them.
const LIBRARIES: [&str; 4] = ["-lstdc++", "-lm", "-lpthread", "-ldl"];

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_there(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The static library, built first; cargo says where it is.
fn library() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "-p", "bivalve-c", "--lib", "--message-format", "json"]);
    let output = cargo.current_dir(folder()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8(output.stdout).expect("messages are text");
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let files = artifacts.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let paths = files.filter_map(|file| file.as_str().map(PathBuf::from));
    paths
        .into_iter()
        .find(|path| path.file_name().is_some_and(|name| name == "libbivalve_c.a"))
        .expect("cargo says where the static library is")
}

/// Compiles a program of the examples; its path, or what the compiler says.
fn compiled(
    compiler: &str,
    flags: &[&str],
    source: &str,
    to: &Path,
    library: &Path,
) -> Result<PathBuf, String> {
    let program = to.join(format!("{}-{}", source.replace('.', "-"), flags.len()));
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(folder().join("include"));
    command.arg(folder().join("examples").join(source)).arg(library).args(LIBRARIES);
    let output = command.arg("-o").arg(&program).output().expect("the compiler runs");
    if output.status.success() { Ok(program) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

fn run(program: &Path) -> String {
    let output = Command::new(program).output().expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{}: {:?}\n{text}", program.display(), output.status);
    text
}

#[test]
fn programs_in_c_and_cpp_go_as_they_say() {
    if !is_there("cc") || !is_there("c++") {
        println!("skipped: there is no C or C++ compiler");
        return;
    }
    let (library, scratch) = (library(), tempfile::tempdir().expect("a folder"));
    const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-O1"];
    let c = [&STRICT[..], &["-std=c11"]].concat();
    let cpp = [&STRICT[..], &["-std=c++17"]].concat();
    for (compiler, flags, source) in
        [("cc", &c, "tour.c"), ("cc", &c, "drop_in.c"), ("c++", &cpp, "tour.cpp")]
    {
        let program = compiled(compiler, flags, source, scratch.path(), &library)
            .unwrap_or_else(|problem| panic!("{source}: {problem}"));
        assert!(!run(&program).is_empty(), "{source} prints what it does");
        let sanitized = [&flags[..], &["-fsanitize=address", "-g"]].concat();
        match compiled(compiler, &sanitized, source, scratch.path(), &library) {
            Ok(program) => drop(run(&program)),
            Err(problem) => println!("not run with the address sanitizer: {problem}"),
        }
    }
}

/// The names of functions that a header declares.
fn declared(header: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder().join("include").join(header)).expect("a header");
    let without_comments: String =
        text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect();
    let code: Vec<&str> =
        without_comments.lines().map(str::trim).filter(|line| !line.starts_with(['#', '/'])).collect();
    let code = code.join(" ");
    let statements = code.split(';').filter_map(|statement| statement.split_once('('));
    let words =
        statements.filter_map(|(before, _)| before.split([' ', '*', '}']).rfind(|word| !word.is_empty()));
    words.map(str::to_owned).collect()
}

#[test]
fn every_declared_function_is_in_the_library() {
    if !is_there("nm") {
        println!("skipped: there is no nm");
        return;
    }
    let output = Command::new("nm").args(["-g", "--defined-only"]).arg(library()).output().expect("nm runs");
    let symbols = String::from_utf8_lossy(&output.stdout).into_owned();
    let defined: Vec<&str> = symbols.lines().filter_map(|line| line.split(" T ").nth(1)).collect();
    for (header, least) in [("bivalve.h", 70), ("boolector.h", 150), ("stp/c_interface.h", 120)] {
        let names = declared(header);
        assert!(names.len() >= least, "{header}: {} functions", names.len());
        for name in names {
            assert!(defined.contains(&name.as_str()), "{header}: {name} is not in the library");
        }
    }
}
