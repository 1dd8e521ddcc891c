//! Where the cases of a campaign come from.
//!
//! There may be millions of them, so they are counted, and named one by one when their turns come.
//!
//! Files, and folders with all `.smt2` files below them, in the order of their paths. A case is read when its
//! turn comes. It counts in the row that it names itself, or in that of the folder it lies in.

use crate::messages::unreadable;
use bivalve_harness::walk;
use bivalve_judge::{Case, Pending};
use std::fs;
use std::path::{Path, PathBuf};

/// Cases, one after the other.
pub(crate) struct Cases {
    /// How many.
    pub(crate) count: u64,
    /// They themselves.
    pub(crate) list: Box<dyn Iterator<Item = Pending> + Send>,
}

impl Cases {
    /// Those of a list whose length is known.
    pub(crate) fn new(count: u64, list: impl Iterator<Item = Pending> + Send + 'static) -> Cases {
        Cases { count, list: Box::new(list) }
    }

    /// These, and then others.
    pub(crate) fn and(self, others: Cases) -> Cases {
        Cases::new(self.count.saturating_add(others.count), self.list.chain(others.list))
    }

    /// The cases of files and folders.
    ///
    /// # Errors
    /// A sentence, when something cannot be looked at.
    pub(crate) fn of_files(paths: &[PathBuf]) -> Result<Cases, String> {
        let scripts = walk::files(paths, &["smt2"])?;
        Ok(Cases::new(scripts.len() as u64, scripts.into_iter().map(of_file)))
    }
}

/// The case of a file.
pub(crate) fn of_file(path: PathBuf) -> Pending {
    let name = path.display().to_string();
    let make = move || {
        let bytes = fs::read(&path).map_err(|error| unreadable(path.display(), &error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let folder = path
            .parent()
            .and_then(Path::file_name)
            .map_or(String::new(), |name| name.to_string_lossy().into());
        Ok(Some(Case::new(path.display().to_string(), folder, text)))
    };
    Pending { name, make: Box::new(make) }
}
