//! The image of a container, from `Containerfile` at the root: built from the sources in the first stage, the
//! static binary alone in the second.

use super::Site;
use super::tool::{BUILDER, run};
use crate::error::Result;
use std::path::Path;

/// Builds the image and writes it as an archive, as `podman load` reads it.
pub(super) fn build(site: &Site, folder: &Path) -> Result<()> {
    let version = site.version();
    let (tag, archive) = (format!("bivalve:{version}"), format!("bivalve-{version}-container.tar"));
    let mut build = BUILDER.find()?;
    run(build.current_dir(&site.root).args(["build", "--layers=false", "--tag", &tag, "."]))?;
    let mut save = BUILDER.find()?;
    let to = format!("oci-archive:{}:{tag}", folder.join(archive).display());
    run(save.current_dir(&site.root).args(["push", &tag, &to]))?;
    super::copy(&site.root.join("Containerfile"), &folder.join("Containerfile"))
}
