//! The packages for Debian: `bivalve`, the statically linked binaries with manual pages and completions, and
//! `libbivalve-dev`, the libraries and headers for C and C++.
//!
//! What is in them is said in the manifests of `cli` and `bivalve-c`. `cargo deb` packs what was built
//! before, so that the flags are ours. Files that are made, not built, lie in `pages` beside the binary or
//! library, in cargo's target folder, where `cargo deb` looks for what begins with `target/release`.

use super::tool::{CARGO_DEB, cargo, run};
use super::{PROFILE, Site, binary, files, fresh, pages};
use crate::error::{Error, Result};
use std::path::Path;
use std::process::Command;

const STATIC: &str = "libbivalve_c.a";

/// Builds both packages into a folder.
pub(super) fn build(site: &Site, folder: &Path) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err(Error::Usage("packages of Debian are built on Linux".to_owned()));
    }
    binary_package(site, folder)?;
    library_package(site, folder)
}

fn binary_package(site: &Site, folder: &Path) -> Result<()> {
    let built = binary::built(site)?;
    let made = binary::folder(site).join("pages");
    for name in ["man", "completions"] {
        fresh(&made.join(name))?;
    }
    pages::man(&built, &made.join("man"))?;
    // `cargo deb` compresses pages only if they are not in cargo's target folder.
    run(Command::new("gzip").args(["-9", "-n"]).args(files(&made.join("man"), "1")?))?;
    pages::completions(&built, &made.join("completions"))?;
    pack(site, folder, "cli", binary::target())
}

/// The libraries are linked as usual: a static library of C would be a second one in its users' programs.
fn library_package(site: &Site, folder: &Path) -> Result<()> {
    library(site, "staticlib", &[])?;
    let kept = site.built().join("pages/lib");
    fresh(&kept)?;
    // Lines of the sources are most of it.
    let (from, to) = (site.built().join(STATIC), kept.join(STATIC));
    run(Command::new("strip").arg("--strip-debug").arg("-o").arg(to).arg(from))?;
    library(site, "cdylib", &["-C", &format!("link-arg=-Wl,-soname,{}", shared_name(&site.version()))])?;
    let made = site.built().join("pages/pkgconfig");
    fresh(&made)?;
    for name in ["bivalve.pc", "bivalve-drop-in.pc"] {
        let template = site.root.join("bindings/c/packages").join(format!("{name}.in"));
        let text = std::fs::read_to_string(&template).map_err(Error::io(&template))?;
        let text = text.replace("@prefix@", "/usr").replace("@version@", &site.version());
        std::fs::write(made.join(name), text).map_err(Error::io(&made))?;
    }
    pack(site, folder, "bivalve-c", None)
}

fn library(site: &Site, kind: &str, flags: &[&str]) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&site.root).args(["rustc", "--profile", PROFILE, "--package", "bivalve-c", "--lib"]);
    run(command.args(["--crate-type", kind, "--"]).args(flags))
}

/// The name by which programs find the shared library: with the part of the version that cargo holds to be
/// incompatible with another one.
fn shared_name(version: &str) -> String {
    let mut numbers = version.split('.');
    let (major, minor) = (numbers.next().unwrap_or("0"), numbers.next().unwrap_or("0"));
    if major == "0" { format!("libbivalve_c.so.0.{minor}") } else { format!("libbivalve_c.so.{major}") }
}

fn pack(site: &Site, folder: &Path, package: &str, triple: Option<&str>) -> Result<()> {
    let mut command = CARGO_DEB.find()?;
    command
        .current_dir(&site.root)
        .args(["--no-build", "--strip", "--profile", PROFILE, "--package", package, "--output"])
        .arg(folder);
    if let Some(triple) = triple {
        command.args(["--target", triple]);
    }
    run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_has_the_name_of_the_shared_library() {
        assert_eq!(shared_name("0.3.1"), "libbivalve_c.so.0.3");
        assert_eq!(shared_name("2.0.0"), "libbivalve_c.so.2");
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/c/Cargo.toml");
        let text = std::fs::read_to_string(manifest).expect("a manifest");
        let name = shared_name(env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&format!("link_name = \"{name}\"")), "{name}");
        assert!(text.contains(&format!("\"usr/lib/{name}\"")), "{name}");
    }
}
