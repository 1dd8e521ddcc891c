//! The binary that is handed out, linked statically.
//!
//! Clients start a solver thousands of times, and half of the start of a small process is the dynamic linker.
//! On Linux the handed-out binary therefore has no dynamic libraries at all, which also lets it run on
//! machines with older ones. It is not the default of `cargo build`, because some distributions ship static C
//! libraries in packages of their own. The target is named explicitly so that the flags reach the binary and
//! not the build's own tools.

use super::Site;
use super::tool::{cargo, run};
use crate::error::{Error, Result};
use std::path::PathBuf;

/// What is built, and how it is linked.
const TARGET: &str = "x86_64-unknown-linux-gnu";
const FLAGS: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// The name of the file.
pub(super) const NAME: &str = if cfg!(windows) { "bivalve.exe" } else { "bivalve" };

/// The target that is named to cargo; none on other machines, whose binary is linked as usual.
pub(super) fn target() -> Option<&'static str> {
    cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")).then_some(TARGET)
}

/// The folder of cargo in which the binary is.
pub(super) fn folder(site: &Site) -> PathBuf {
    target().map_or_else(|| site.target().to_path_buf(), |triple| site.target().join(triple)).join("release")
}

/// Builds the binary, unless it is there; its path.
pub(super) fn built(site: &Site) -> Result<PathBuf> {
    let mut command = cargo();
    command.current_dir(&site.root).args(["build", "--release", "--package", "cli"]);
    if let Some(triple) = target() {
        command.args(["--target", triple]).env("RUSTFLAGS", FLAGS);
    }
    run(&mut command).map_err(|why| match why {
        Error::Failed { command, status, .. } => {
            let tail = "a static build needs the static C and C++ libraries of the system".to_owned();
            Error::Failed { command, status, tail }
        }
        other => other,
    })?;
    Ok(folder(site).join(NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_container_has_the_same_binary() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../Containerfile");
        let text = std::fs::read_to_string(path).expect("a file");
        assert!(text.contains(&format!("RUSTFLAGS=\"{FLAGS}\"")));
        assert!(text.contains(&format!("--target {TARGET} \\\n")));
        assert!(text.contains(&format!("target/{TARGET}/release/{NAME} ")) || cfg!(windows));
    }
}
