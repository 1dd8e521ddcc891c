//! Where things are: the workspace.

use std::env;
use std::path::{Path, PathBuf};

/// The workspace and its surroundings.
pub(crate) struct Place {
    root: PathBuf,
}

impl Place {
    /// The workspace this tool belongs to: cargo names it at run time; a bare binary remembers where it was
    /// built.
    pub(crate) fn find() -> Self {
        let manifest =
            env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&manifest).parent().unwrap_or(Path::new(".")).to_path_buf();
        Self { root }
    }

    /// The workspace root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}
