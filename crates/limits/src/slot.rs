//! A place for something that the caller may exchange while computations look at it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A place that is empty at first. An empty one is read without a lock.
pub(crate) struct Slot<T: ?Sized> {
    is_full: AtomicBool,
    content: Mutex<Option<Arc<T>>>,
}

impl<T: ?Sized> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot { is_full: AtomicBool::new(false), content: Mutex::new(None) }
    }
}

impl<T: ?Sized> Slot<T> {
    /// What is there. The lock is free again when this returns, however long the content is used.
    #[inline]
    pub(crate) fn get(&self) -> Option<Arc<T>> {
        self.is_full.load(Ordering::Relaxed).then(|| self.lock().clone())?
    }

    /// Replaces what is there. The former content is dropped after the lock is free again.
    pub(crate) fn set(&self, content: Option<Arc<T>>) {
        self.is_full.store(content.is_some(), Ordering::Relaxed);
        let _former = std::mem::replace(&mut *self.lock(), content);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<T>>> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
