//! `cargo xtask dist`: what is handed out, built into one folder.
//!
//! Each part has a folder of its own below `--out`, named as the part, which is made anew; `SHA256SUMS` has a
//! line for each file in them. Nothing is handed out from elsewhere, and nothing is written elsewhere but
//! cargo's cache, its target folder. A folder with other files in it is refused, since the part's folders are
//! removed first. Tools that are missing are named, with how to get them, before anything is built. All is
//! built in the profile `dist`. It costs four optimised builds of the solver: static binaries, C library,
//! Python module, and the verification of the crates as they are packed.

mod binary;
mod crates;
mod debian;
mod image;
mod pages;
mod sums;
mod tool;
mod wheel;

use crate::args::{DistArgs, Part};
use crate::error::{Error, Result};
use crate::place::Place;
use cargo_metadata::{Metadata, MetadataCommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The profile of what is handed out, and the name of its folder in cargo's target folder.
const PROFILE: &str = "dist";

/// What the parts are built from and into.
struct Site {
    /// The root of the workspace.
    root: PathBuf,
    /// Packages, versions, and cargo's target folder.
    metadata: Metadata,
    /// The folder of `--out`.
    out: PathBuf,
}

impl Site {
    fn new(place: &Place, args: &DistArgs) -> Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(place.root().join("Cargo.toml"))
            .no_deps()
            .exec()
            .map_err(|why| Error::Usage(format!("cargo metadata: {why}")))?;
        let target = metadata.target_directory.clone().into_std_path_buf();
        let out = args.out.clone().unwrap_or_else(|| target.join("packages"));
        let out = std::path::absolute(&out).map_err(Error::io(&out))?;
        Ok(Self { root: place.root().to_path_buf(), metadata, out })
    }

    /// The folder of cargo with what is built for this machine.
    fn built(&self) -> PathBuf {
        self.target().join(PROFILE)
    }

    /// Cargo's target folder, which is its cache.
    fn target(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The version of the workspace, as the binary has it.
    fn version(&self) -> String {
        let mut packages = self.metadata.packages.iter();
        packages.find(|package| package.name == "cli").map_or_else(String::new, |cli| cli.version.to_string())
    }

    /// The folder of a part, empty.
    fn folder(&self, part: Part) -> Result<PathBuf> {
        let folder = self.out.join(part.name());
        fresh(&folder)?;
        Ok(folder)
    }
}

/// Makes a folder anew.
fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(Error::io(folder))?;
    }
    std::fs::create_dir_all(folder).map_err(Error::io(folder))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::copy(from, to).map(drop).map_err(Error::io(from))
}

/// The files directly in a folder that have an extension, by name.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(Error::io(folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    Ok(paths)
}

/// Builds the parts that are asked for, and prints the files with their sums.
pub(crate) fn run(place: &Place, args: &DistArgs) -> Result<ExitCode> {
    let site = Site::new(place, args)?;
    let parts = args.parts();
    tool::check(parts.iter().flat_map(|part| needed(*part)))?;
    sums::claim(&site.out)?;
    for part in &parts {
        eprintln!("xtask: {}", part.name());
        build(&site, *part)?;
    }
    print!("{}", sums::write(&site.out)?);
    Ok(ExitCode::SUCCESS)
}

/// The tools that a part is built with, beside cargo.
fn needed(part: Part) -> &'static [tool::Tool] {
    match part {
        Part::Wheel => &[tool::MATURIN],
        Part::Deb => &[tool::CARGO_DEB],
        Part::Container => &[tool::BUILDER],
        Part::Binary => &[tool::TAR],
        Part::Crates | Part::Completions | Part::Man => &[],
    }
}

fn build(site: &Site, part: Part) -> Result<()> {
    let folder = site.folder(part)?;
    match part {
        Part::Binary => binary::build(site, &folder),
        Part::Completions => pages::completions(&binary::built(site)?, &folder),
        Part::Man => pages::man(&binary::built(site)?, &folder),
        Part::Wheel => wheel::build(site, &folder),
        Part::Deb => debian::build(site, &folder),
        Part::Crates => crates::pack(site, &folder),
        Part::Container => image::build(site, &folder),
    }
}
