//! The crates as a registry gets them: packed, and each built from what is packed.
//!
//! It is the dry run of a publication: nothing is sent. cargo refuses to pack what is not committed.

use super::tool::{cargo, run};
use super::{Site, copy, files};
use crate::error::Result;
use std::path::Path;

/// Packs all crates that are published, and copies the archives of this version into a folder.
pub(super) fn pack(site: &Site, folder: &Path) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&site.root).args(["package", "--workspace"]);
    let packages = site.metadata.packages.iter();
    let (published, kept): (Vec<_>, Vec<_>) =
        packages.partition(|package| package.publish.as_ref().is_none_or(|into| !into.is_empty()));
    for package in kept {
        command.args(["--exclude", package.name.as_str()]);
    }
    run(&mut command)?;
    for archive in files(&site.target().join("package"), "crate")? {
        let stem = archive.file_stem().unwrap_or_default().to_string_lossy();
        if published.iter().any(|package| stem == format!("{}-{}", package.name, package.version)) {
            copy(&archive, &folder.join(archive.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}
