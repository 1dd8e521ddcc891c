//! The binaries that are handed out, linked statically: the solver and the checker of its certificates; and
//! an archive of them with pages, completions and licences.
//!
//! Clients start a solver thousands of times, and half of the start of a small process is the dynamic linker.
//! On Linux the handed-out binaries therefore have no dynamic libraries at all, which also lets them run on
//! machines with older ones. That is not the default of `cargo build`, because some distributions ship static
//! C libraries in packages of their own. The target is named explicitly so that the flags reach the binaries
//! and not the build's own tools.

use super::tool::{TAR, cargo, run};
use super::{PROFILE, Site, copy, fresh, pages};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// What is built, and how it is linked.
const TARGET: &str = "x86_64-unknown-linux-gnu";
const FLAGS: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// The names of the files, the solver first.
const NAMES: [&str; 2] =
    if cfg!(windows) { ["bivalve.exe", "bivalve-check.exe"] } else { ["bivalve", "bivalve-check"] };

/// What the archive has beside them.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// The target that is named to cargo; none on other machines, whose binary is linked as usual.
pub(super) fn target() -> Option<&'static str> {
    cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")).then_some(TARGET)
}

/// The folder of cargo in which the binaries are.
pub(super) fn folder(site: &Site) -> PathBuf {
    target().map_or_else(|| site.target().to_path_buf(), |triple| site.target().join(triple)).join(PROFILE)
}

/// Builds the binaries, unless they are there; the path of the solver.
pub(super) fn built(site: &Site) -> Result<PathBuf> {
    let mut command = cargo();
    command.current_dir(&site.root).args(["build", "--profile", PROFILE, "--package", "cli"]);
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
    Ok(folder(site).join(NAMES[0]))
}

/// The binaries and their archive.
pub(super) fn build(site: &Site, into: &Path) -> Result<()> {
    let solver = built(site)?;
    let system = target()
        .map_or_else(|| format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS), str::to_owned);
    let name = format!("bivalve-{}-{system}", site.version());
    let packed = folder(site).join("archive");
    let inside = packed.join(&name);
    for part in ["man", "completions"] {
        fresh(&inside.join(part))?;
    }
    for file in NAMES {
        copy(&folder(site).join(file), &into.join(file))?;
        copy(&folder(site).join(file), &inside.join(file))?;
    }
    for file in LICENCES {
        copy(&site.root.join(file), &inside.join(file))?;
    }
    pages::man(&solver, &inside.join("man"))?;
    pages::completions(&solver, &inside.join("completions"))?;
    let mut tar = TAR.find()?;
    tar.arg("-czf").arg(into.join(format!("{name}.tar.gz"))).arg("-C").arg(&packed).arg(&name);
    run(&mut tar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_container_has_the_same_binaries() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../Containerfile");
        let text = std::fs::read_to_string(path).expect("a file");
        assert!(text.contains(&format!("RUSTFLAGS=\"{FLAGS}\"")));
        assert!(text.contains(&format!("--target {TARGET} \\\n")));
        assert!(text.contains(&format!("--profile {PROFILE} ")));
        for name in NAMES {
            assert!(text.contains(&format!("target/{TARGET}/{PROFILE}/{name} ")) || cfg!(windows), "{name}");
        }
    }
}
