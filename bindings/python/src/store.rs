//! The store of a context: its pool behind a lock, and how Python threads wait for it.
//!
//! Terms are small objects that share the store. A thread that builds terms holds the lock for the one
//! operator; a check holds it as long as it runs, with the interpreter's lock released, so other threads run
//! on, and those that need this very context wait. They wait in slices and look for signals in between.
//!
//! Nothing that holds the lock runs Python code, with one exception: handlers of signals run in the middle of
//! a check. If they use the context they would wait for themselves, so the thread that checks is known, and
//! gets an error. A panic below makes the store unusable, and every later use of it an error.

use crate::errors::{InternalError, StateError, unless_it_panics};
use bivalve::terms::Pool;
use parking_lot::{Mutex, MutexGuard};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;
use std::time::Duration;

/// How long a thread waits between two looks at signals.
pub(crate) const SLICE: Duration = Duration::from_millis(50);

/// A pool that several Python objects share.
#[derive(Default)]
pub(crate) struct Store {
    pool: Mutex<Pool>,
    /// The thread that works on the pool with the interpreter's lock released.
    worker: Mutex<Option<ThreadId>>,
    /// Something has panicked.
    is_broken: AtomicBool,
}

impl Store {
    /// Works on the pool. `work` must not run Python code.
    pub(crate) fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut Pool) -> PyResult<T>) -> PyResult<T> {
        let mut pool = loop {
            if let Some(pool) = self.pool.try_lock() {
                break pool;
            }
            self.refuse_worker()?;
            py.detach(|| drop(self.pool.try_lock_for(SLICE)));
            py.check_signals()?;
        };
        self.work(&mut pool, work)
    }

    /// Works on the pool for long, with the interpreter's lock released.
    pub(crate) fn with_detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Pool) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let mut work = Some(work);
        loop {
            let done = py.detach(|| {
                let mut pool = self.pool.try_lock_for(SLICE)?;
                let work = work.take()?;
                *self.worker.lock() = Some(std::thread::current().id());
                let result = self.work(&mut pool, work);
                *self.worker.lock() = None;
                Some(result)
            });
            match done {
                Some(result) => return result,
                None => self.refuse_worker()?,
            }
            py.check_signals()?;
        }
    }

    fn work<T>(
        &self,
        pool: &mut MutexGuard<'_, Pool>,
        work: impl FnOnce(&mut Pool) -> PyResult<T>,
    ) -> PyResult<T> {
        if self.is_broken.load(Ordering::Relaxed) {
            return Err(InternalError::new_err("this context is unusable after an internal error"));
        }
        unless_it_panics(|| work(pool)).unwrap_or_else(|message| {
            self.is_broken.store(true, Ordering::Relaxed);
            Err(InternalError::new_err(format!("internal: {message}")))
        })
    }

    /// An error if the pool is in use by a check of this very thread.
    fn refuse_worker(&self) -> PyResult<()> {
        if *self.worker.lock() == Some(std::thread::current().id()) {
            let text = "this context is in use: a check is running on this thread (in a signal handler?)";
            return Err(StateError::new_err(text));
        }
        Ok(())
    }
}
