//! Where things are: the workspace, and the shared folder that may stand beside it.
//!
//! The files to measure on and the peers are large, are not ours, and are not part of the project; they live
//! in `<workspace>/../shared`. So everything here may be absent, and each accessor then answers with an error
//! that names what is missing and where it was looked for. Files inside the collection are named by their
//! path relative to it (`perf/QF_BV/x.smt2`), in every log and table, so that logs of two machines can be
//! compared line by line.

use crate::error::{Error, Result};
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

    /// `<workspace>/../shared`, without `..` where it exists.
    pub(crate) fn shared(&self) -> PathBuf {
        let written = self.root.join("../shared");
        written.canonicalize().unwrap_or(written)
    }

    /// The collection of files to measure on; may be absent.
    pub(crate) fn collection(&self) -> PathBuf {
        self.shared().join("bench/dev")
    }

    /// The index of the collection: one JSON line a file.
    ///
    /// # Errors
    /// When the collection is not on this machine.
    pub(crate) fn index(&self) -> Result<PathBuf> {
        needed("the index of the collection of files", self.collection().join("index.jsonl"), || {
            "`--suite` needs the collection in <workspace>/../shared/bench; name files or folders instead"
                .to_owned()
        })
    }

    /// The script that runs solvers side by side.
    ///
    /// # Errors
    /// When the peers' scripts are not on this machine.
    pub(crate) fn runner(&self) -> Result<PathBuf> {
        needed("the runner of solvers", self.shared().join("peers/bench.py"), || {
            "expected <workspace>/../shared/peers with bench.py, solve.py and setup.sh".to_owned()
        })
    }

    /// The script that knows the peers, their versions and their commands.
    ///
    /// # Errors
    /// When the peers' scripts are not on this machine.
    pub(crate) fn roster(&self) -> Result<PathBuf> {
        needed("the roster of peers", self.shared().join("peers/solve.py"), || {
            "expected <workspace>/../shared/peers with bench.py, solve.py and setup.sh".to_owned()
        })
    }

    /// Checks that the peers have been installed.
    ///
    /// # Errors
    /// When their folder (`$PEERS_ROOT`, else `~/.cache/smt-peers`) does not exist.
    pub(crate) fn peers_installed(&self) -> Result<()> {
        let home = env::var("HOME").unwrap_or_default();
        let root =
            env::var("PEERS_ROOT").map_or_else(|_| Path::new(&home).join(".cache/smt-peers"), PathBuf::from);
        needed("the installation of the peers", root, || {
            format!("install them with {}", self.shared().join("peers/setup.sh").display())
        })
        .map(drop)
    }

    /// The release binary of Bivalve.
    pub(crate) fn release_binary(&self) -> PathBuf {
        let target = env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
        self.root.join(target).join("release/bivalve")
    }

    /// Where the scripts of findings go unless `--out` says otherwise.
    pub(crate) fn findings(&self) -> PathBuf {
        self.root.join("target/campaign")
    }

    /// Where results go unless `--out` says otherwise.
    pub(crate) fn default_out(&self) -> PathBuf {
        self.root.join("target/bench/last")
    }
}

/// The path, if something is there.
fn needed(what: &'static str, path: PathBuf, hint: impl FnOnce() -> String) -> Result<PathBuf> {
    if path.exists() { Ok(path) } else { Err(Error::Missing { what, path, hint: hint() }) }
}
