//! The Python package, as one wheel for all versions of CPython from 3.9 on.

use super::tool::{MATURIN, run};
use super::{PROFILE, Site};
use crate::error::Result;
use std::path::Path;

/// Builds the wheel into a folder.
pub(super) fn build(site: &Site, folder: &Path) -> Result<()> {
    let mut command = MATURIN.find()?;
    command.current_dir(site.root.join("bindings/python"));
    command.args(["build", "--profile", PROFILE, "--strip", "--out"]).arg(folder);
    run(command.arg("--target-dir").arg(site.target()))
}
