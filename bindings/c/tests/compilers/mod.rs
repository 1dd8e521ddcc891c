//! The compilers of the machine, and the static library that programs are linked with.
#![allow(dead_code, reason = "no test uses all of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries that the static library needs, as the pkg-config file names them.
pub(crate) const LIBRARIES: [&str; 4] = ["-lstdc++", "-lm", "-lpthread", "-ldl"];

/// The folder of this package.
pub(crate) fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The static library, which cargo has built beside these tests, since it is the library that they test.
pub(crate) fn library() -> PathBuf {
    let tests = std::env::current_exe().expect("a test is a program");
    let library = tests.with_file_name("libbivalve_c.a");
    assert!(library.is_file(), "{} is built with the tests", library.display());
    library
}

/// Compiles a program of this package; its path, or what the compiler says.
pub(crate) fn compiled(
    compiler: &str,
    flags: &[&str],
    source: &str,
    to: &Path,
    library: &Path,
) -> Result<PathBuf, String> {
    let program = to.join(format!("{}-{}", source.replace(['.', '/'], "-"), flags.len()));
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(folder().join("include"));
    command.arg(folder().join(source)).arg(library).args(LIBRARIES);
    let output = command.arg("-o").arg(&program).output().expect("the compiler runs");
    if output.status.success() { Ok(program) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

/// Runs a command, which has to end well; all that it prints.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{command:?}: {:?}\n{text}", output.status);
    text
}

/// The names of functions that a header declares.
pub(crate) fn declared(header: &str) -> Vec<String> {
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
