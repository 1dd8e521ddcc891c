//! The trait of everything that answers scripts.
//!
//! The trait is small and object-safe, so that a list of very different solvers is a `Vec<Box<dyn Oracle>>`.
//! Asking does not change the oracle and may happen from several threads at once. There is always a reply:
//! what goes wrong is part of it. [`Command`](crate::Command) is an oracle that starts a program;
//! `bivalve-judge` has one that is Bivalve in this process.

use crate::Key;
use crate::reply::Reply;
use bivalve_limits::Cancel;

/// A solver that is asked about scripts.
pub trait Oracle: Send + Sync {
    /// What tables call it.
    fn name(&self) -> &str;

    /// The key of everything that its replies depend on beside the script: program and its build, options,
    /// limits.
    fn identity(&self) -> Key;

    /// Its reply to the script, an SMT-LIB 2 text. When `cancel` is raised meanwhile, the answer comes
    /// soon and may be anything.
    fn ask(&self, script: &str, cancel: &Cancel) -> Reply;

    /// The same for several scripts, one reply each. Who can save work by it does; the times are then shares
    /// of the whole.
    fn ask_all(&self, scripts: &[&str], cancel: &Cancel) -> Vec<Reply> {
        scripts.iter().map(|script| self.ask(script, cancel)).collect()
    }

    /// Whether its replies to several scripts at once may differ from those to each alone.
    fn mixes(&self) -> bool {
        false
    }
}

/// A shared oracle answers as its owner does.
impl<T: Oracle + ?Sized> Oracle for std::sync::Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn identity(&self) -> Key {
        (**self).identity()
    }

    fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        (**self).ask(script, cancel)
    }

    fn ask_all(&self, scripts: &[&str], cancel: &Cancel) -> Vec<Reply> {
        (**self).ask_all(scripts, cancel)
    }

    fn mixes(&self) -> bool {
        (**self).mixes()
    }
}
