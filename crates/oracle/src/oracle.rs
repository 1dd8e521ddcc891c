//! The seam: somebody who is asked about a script and replies.
//!
//! The trait is small and object-safe, so that a list of very different solvers is a `Vec<Box<dyn Oracle>>`.
//! Asking does not change the oracle and may happen from several threads at once. A reply always comes: what
//! goes wrong is part of it.
//!
//! There are three makers here: [`Command`](crate::Command), [`Inside`](crate::Inside),
//! [`Majority`](crate::Majority).

use crate::reply::Reply;
use bivalve_delta::Cancel;

/// A solver that is asked about scripts.
pub trait Oracle: Send + Sync {
    /// What tables call it.
    fn name(&self) -> &str;

    /// What it says to the script, an SMT-LIB 2 text. When `cancel` is raised meanwhile, the answer comes
    /// soon and may be anything.
    fn ask(&self, script: &str, cancel: &Cancel) -> Reply;

    /// The same for several scripts, one reply each. Who can save work by it does; the times are then shares
    /// of the whole.
    fn ask_all(&self, scripts: &[&str], cancel: &Cancel) -> Vec<Reply> {
        scripts.iter().map(|script| self.ask(script, cancel)).collect()
    }

    /// May what it says to several scripts at once differ from what it says to each alone?
    fn mixes(&self) -> bool {
        false
    }
}

/// Who is shared answers as ever.
impl<T: Oracle + ?Sized> Oracle for std::sync::Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
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
