//! The library as it is found by other builds: by CMake in the sources and in a folder of installation, and
//! by pkg-config there.
//!
//! The folder of installation is laid out as that of the package for Debian. Not every machine has CMake,
//! pkg-config and compilers, so the tests that need them are ignored unless they are asked for.

#![cfg(unix)]

use crate::compilers::{LIBRARIES, folder, library, run};
use std::path::Path;
use std::process::Command;

/// Files of the package, by where they are installed.
const FILES: [(&str, &str); 7] = [
    ("include/bivalve.h", "include/bivalve.h"),
    ("include/bivalve.hpp", "include/bivalve.hpp"),
    ("include/boolector.h", "include/bivalve/boolector.h"),
    ("include/btortypes.h", "include/bivalve/btortypes.h"),
    ("include/stp/c_interface.h", "include/bivalve/stp/c_interface.h"),
    ("cmake/BivalveConfig.cmake", "lib/cmake/Bivalve/BivalveConfig.cmake"),
    ("cmake/BivalveConfigVersion.cmake", "lib/cmake/Bivalve/BivalveConfigVersion.cmake"),
];

fn install(prefix: &Path) {
    for (from, to) in FILES {
        let to = prefix.join(to);
        std::fs::create_dir_all(to.parent().expect("it is in a folder")).expect("a folder");
        std::fs::copy(folder().join(from), to).expect("a file");
    }
    std::fs::create_dir_all(prefix.join("lib/pkgconfig")).expect("a folder");
    std::os::unix::fs::symlink(library(), prefix.join("lib/libbivalve_c.a")).expect("a link");
    for name in ["bivalve.pc", "bivalve-drop-in.pc"] {
        let text = std::fs::read_to_string(folder().join(format!("packages/{name}.in"))).expect("a file");
        let text = text.replace("@prefix@", &prefix.to_string_lossy());
        let text = text.replace("@version@", env!("CARGO_PKG_VERSION"));
        assert!(!text.contains('@') || prefix.to_string_lossy().contains('@'), "{text}");
        std::fs::write(prefix.join("lib/pkgconfig").join(name), text).expect("a file");
    }
}

/// Configures, builds and runs the examples.
fn examples(sources: &Path, build: &Path, found_by: &str) {
    run(Command::new("cmake").arg("-S").arg(sources).arg("-B").arg(build).arg(found_by));
    run(Command::new("cmake").arg("--build").arg(build));
    let report = run(Command::new("ctest").current_dir(build));
    assert!(report.contains("100% tests passed, 0 tests failed out of 3"), "{report}");
}

#[test]
#[ignore = "needs CMake and compilers of C and C++"]
fn cmake_finds_it_in_the_sources() {
    let (library, scratch) = (library(), tempfile::tempdir().expect("a folder"));
    let place = library.parent().expect("it is in a folder").display().to_string();
    examples(
        &folder().join("examples"),
        &scratch.path().join("build"),
        &format!("-DBIVALVE_LIBRARY_DIR={place}"),
    );
}

#[test]
#[ignore = "needs CMake and compilers of C and C++"]
fn cmake_finds_it_where_it_is_installed() {
    let scratch = tempfile::tempdir().expect("a folder");
    let (prefix, sources) = (scratch.path().join("usr"), scratch.path().join("examples"));
    install(&prefix);
    std::fs::create_dir(&sources).expect("a folder");
    for entry in std::fs::read_dir(folder().join("examples")).expect("a folder") {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, sources.join(path.file_name().expect("a name"))).expect("a file");
    }
    examples(&sources, &scratch.path().join("build"), &format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    // A version that is not there is not found.
    let list = sources.join("CMakeLists.txt");
    let text = std::fs::read_to_string(&list).expect("a file").replace("Bivalve 0.1 ", "Bivalve 99.0 ");
    std::fs::write(&list, text).expect("a file");
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(&sources).arg("-B").arg(scratch.path().join("other"));
    let output = cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())).output().expect("cmake runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("99.0"));
}

#[test]
#[ignore = "needs pkg-config and a compiler of C"]
fn pkg_config_knows_what_programs_need() {
    let scratch = tempfile::tempdir().expect("a folder");
    let prefix = scratch.path().join("usr");
    install(&prefix);
    for (package, source) in [("bivalve", "tour.c"), ("bivalve-drop-in", "drop_in.c")] {
        let asked = |what: &[&str]| {
            let mut command = Command::new("pkg-config");
            run(command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(what).arg(package))
        };
        assert_eq!(asked(&["--modversion"]).trim(), env!("CARGO_PKG_VERSION"));
        let flags = asked(&["--static", "--cflags", "--libs"]);
        assert!(LIBRARIES.iter().all(|library| flags.contains(library)), "{flags}");
        let program = scratch.path().join(package);
        let mut cc = Command::new("cc");
        cc.arg("-o").arg(&program).arg(folder().join("examples").join(source));
        run(cc.args(flags.split_whitespace()));
        run(&mut Command::new(program));
    }
}

#[test]
fn the_version_for_cmake_is_that_of_the_package() {
    let text = std::fs::read_to_string(folder().join("cmake/BivalveConfigVersion.cmake")).expect("a file");
    assert!(text.contains(&format!("set(PACKAGE_VERSION \"{}\")", env!("CARGO_PKG_VERSION"))));
}
