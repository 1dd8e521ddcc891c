//! What checking may cost.
//!
//! A few bytes can ask for much: a product of wide words, a polynomial with thousands of monomials, a word
//! that is repeated a million times. So work is counted in steps (a few nanoseconds each) and memory
//! in bytes, and both are bounded by what was read so far: a fixed part, and so much for each byte of the
//! script and the certificate. Counts do not depend on the machine, so neither does what is refused.

use std::cell::Cell;
use std::sync::Arc;

/// Steps and bytes that are there at first.
const FIRST: [u64; 2] = [1 << 28, 96 << 20];

/// Steps and bytes that come with each byte that is read: some ten times what the certificates of 150
/// benchmark files needed at most.
const MORE: [u64; 2] = [1 << 12, 1 << 8];

/// Says whether to go on.
pub type GoesOn = Arc<dyn Fn() -> bool + Send + Sync>;

/// Steps between two questions whether to go on.
const PERIOD: u64 = 1 << 22;

/// Steps and bytes: what was used and what may be. Without a limit unless [`Budget::limit`] sets one.
#[derive(Clone)]
pub struct Budget {
    used: [Cell<u64>; 2],
    most: [Cell<u64>; 2],
    /// Asked now and then.
    pub goes_on: Option<GoesOn>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { used: Default::default(), most: [(); 2].map(|()| Cell::new(u64::MAX)), goes_on: None }
    }
}

impl Budget {
    /// So many bytes were read, and the budget is `factor` times what is usual.
    pub fn limit(&self, read: u64, factor: u64) {
        for (most, (first, more)) in self.most.iter().zip(FIRST.into_iter().zip(MORE)) {
            most.set(more.saturating_mul(read).saturating_add(first).saturating_mul(factor));
        }
    }

    /// Takes steps and bytes.
    pub fn take(&self, steps: u64, bytes: u64) -> Result<(), String> {
        let [before, _] = self.used();
        if let Some(goes_on) = &self.goes_on
            && (before % PERIOD).saturating_add(steps) >= PERIOD
            && !goes_on()
        {
            return Err("the limit of time or memory of this run is reached".into());
        }
        let what = [(steps, "steps"), (bytes, "bytes of memory")];
        for ((used, most), (more, unit)) in self.used.iter().zip(&self.most).zip(what) {
            used.set(used.get().saturating_add(more));
            if used.get() > most.get() {
                return Err(format!("beyond the budget of {} {unit}", most.get()));
            }
        }
        Ok(())
    }

    /// Refuses what would take so many bytes.
    pub fn has_room(&self, bytes: u64) -> Result<(), String> {
        let [used, most] = [&self.used[1], &self.most[1]].map(Cell::get);
        match used.saturating_add(bytes) <= most {
            true => Ok(()),
            false => Err(format!("beyond the budget of {most} bytes of memory")),
        }
    }

    /// Steps and bytes that were taken.
    pub fn used(&self) -> [u64; 2] {
        self.used.each_ref().map(Cell::get)
    }

    /// Goes on from a copy: what that has spent is spent, but so many bytes alone are still in use.
    pub fn resume(&self, copy: &Budget, bytes: u64) {
        self.used[0].set(copy.used[0].get());
        self.used[1].set(bytes);
    }
}
