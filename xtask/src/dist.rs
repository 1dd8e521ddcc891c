//! `cargo xtask dist`: the binary that is handed out, linked statically.
//!
//! Clients start a solver thousands of times, and half of the start of a small process is the dynamic linker.
//! On Linux the handed-out binary therefore has no dynamic libraries at all, which also lets it run on
//! machines with older ones. It is not the default of `cargo build`, because some distributions ship static C
//! libraries in packages of their own. The target is named explicitly so that the flags reach the binary and
//! not the build's own tools.

use crate::error::{Error, Result};
use crate::place::Place;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What is built, and how it is linked.
const TARGET: &str = "x86_64-unknown-linux-gnu";
const FLAGS: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// Builds the binary and prints where it is.
pub(crate) fn run(place: &Place) -> Result<ExitCode> {
    let host = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    cargo.current_dir(place.root()).args(["build", "--release", "--package", "cli"]);
    let mut path = place.root().join("target");
    if host {
        cargo.args(["--target", TARGET]).env("RUSTFLAGS", FLAGS);
        path.push(TARGET);
    }
    let status = cargo.status().map_err(Error::io(Path::new("cargo")))?;
    if !status.success() {
        let tail = "a static build needs the static C and C++ libraries of the system".to_owned();
        return Err(Error::Failed {
            command: format!("cargo build --release --target {TARGET}"),
            status,
            tail,
        });
    }
    println!("{}", path.join("release").join(format!("bivalve{}", std::env::consts::EXE_SUFFIX)).display());
    Ok(ExitCode::SUCCESS)
}
