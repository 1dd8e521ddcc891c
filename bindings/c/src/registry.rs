//! Objects behind handles: numbers that are looked up, never pointers that are followed.
//!
//! An object (a manager, a `Btor`, a validity checker) has a number that no other one gets in this process. A
//! freed or invented handle is a number that is not there, so it is refused, whatever it was made of. Objects
//! belong to the thread that made them, because SAT backends do; a call from another thread is refused, too.
//! What is used at the moment is not entered again: a callback that calls back gets a refusal.
//!
//! After a panic or a failed self-check an object may be inconsistent. It refuses every call from then on.

use crate::fault::{Fault, Outcome, Status, caught};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{LocalKey, ThreadId};

/// Numbers of objects are below: they share 64 bits with a tag and the number of a term.
pub(crate) const NUMBERS: u32 = 1 << 28;

static NEXT: AtomicU32 = AtomicU32::new(1);

/// The threads of all live objects.
static OWNERS: Mutex<BTreeMap<u32, ThreadId>> = Mutex::new(BTreeMap::new());

/// The data of a lock, also after a panic of somebody who held it: what is kept under locks here is always
/// consistent.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The objects of one kind that belong to this thread.
pub(crate) struct Registry<T> {
    objects: RefCell<FxHashMap<u32, Rc<RefCell<Slot<T>>>>>,
}

/// Where objects of a kind are found.
pub(crate) type Place<T> = &'static LocalKey<Registry<T>>;

struct Slot<T> {
    object: T,
    number: u32,
    is_broken: bool,
}

impl<T> Drop for Slot<T> {
    fn drop(&mut self) {
        locked(&OWNERS).remove(&self.number);
    }
}

impl<T> Default for Registry<T> {
    fn default() -> Registry<T> {
        Registry { objects: RefCell::default() }
    }
}

/// Enters a new object, made with its number.
pub(crate) fn enter<T>(place: Place<T>, make: impl FnOnce(u32) -> T) -> Outcome<u32> {
    let taken = NEXT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < NUMBERS).then_some(n + 1));
    let number = taken.map_err(|_| Fault::state("no more objects can be made in this process"))?;
    locked(&OWNERS).insert(number, std::thread::current().id());
    let slot = Slot { object: make(number), number, is_broken: false };
    let entered = place.try_with(|registry| {
        registry.objects.borrow_mut().insert(number, Rc::new(RefCell::new(slot)));
    });
    entered.map(|()| number).map_err(|_| Fault::state("the thread is ending"))
}

fn found<T>(place: Place<T>, number: u32, what: &str) -> Outcome<Rc<RefCell<Slot<T>>>> {
    let found = place.try_with(|registry| registry.objects.borrow().get(&number).cloned());
    match found.ok().flatten() {
        Some(slot) => Ok(slot),
        None => Err(match locked(&OWNERS).get(&number) {
            Some(&owner) if owner != std::thread::current().id() => {
                Fault::new(Status::Thread, format!("the {what} belongs to another thread"))
            }
            _ => Fault::new(Status::Handle, format!("the {what} was freed, or never was one")),
        }),
    }
}

fn busy(what: &str) -> Fault {
    Fault::state(format!("the {what} is in use: a callback must not call it"))
}

/// Does something with an object of this thread.
pub(crate) fn with<T, R>(
    place: Place<T>,
    number: u32,
    what: &str,
    body: impl FnOnce(&mut T) -> Outcome<R>,
) -> Outcome<R> {
    let slot = found(place, number, what)?;
    let mut slot = slot.try_borrow_mut().map_err(|_| busy(what))?;
    if slot.is_broken {
        let message = format!("the {what} cannot be used after an internal error; it can be freed");
        return Err(Fault::new(Status::Internal, message));
    }
    let outcome = caught(|| body(&mut slot.object));
    slot.is_broken = matches!(&outcome, Err(fault) if fault.status == Status::Internal);
    outcome
}

/// Removes an object of this thread.
pub(crate) fn remove<T>(place: Place<T>, number: u32, what: &str) -> Outcome<()> {
    let slot = found(place, number, what)?;
    let _unused = slot.try_borrow_mut().map_err(|_| busy(what))?;
    let removed = place.try_with(|registry| registry.objects.borrow_mut().remove(&number));
    drop(_unused);
    drop(removed);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static WORDS: Registry<String> = Registry::default();
    }

    fn length(number: u32) -> Outcome<usize> {
        with(&WORDS, number, "word", |word| Ok(word.len()))
    }

    #[test]
    fn freed_objects_and_those_of_other_threads_are_refused() {
        let number = enter(&WORDS, |_| "mussel".into()).unwrap();
        assert_eq!(length(number), Ok(6));
        let elsewhere = std::thread::spawn(move || length(number)).join().unwrap();
        assert_eq!(elsewhere.unwrap_err().status, Status::Thread);
        let nested = with(&WORDS, number, "word", |_| remove(&WORDS, number, "word"));
        assert_eq!(nested.unwrap_err().status, Status::State);
        remove(&WORDS, number, "word").unwrap();
        assert_eq!(length(number).unwrap_err().status, Status::Handle);
        assert_eq!(remove(&WORDS, number, "word").unwrap_err().status, Status::Handle);
    }

    #[test]
    fn after_a_panic_an_object_can_only_be_freed() {
        let number = enter(&WORDS, |_| "oyster".into()).unwrap();
        let broken: Outcome<()> = with(&WORDS, number, "word", |_| panic!("broken"));
        assert_eq!(broken.unwrap_err().status, Status::Internal);
        assert_eq!(length(number).unwrap_err().status, Status::Internal);
        assert_eq!(remove(&WORDS, number, "word"), Ok(()));
    }

    #[test]
    fn a_thread_that_ends_takes_its_objects_along() {
        let made = std::thread::spawn(|| enter(&WORDS, |_| "cockle".into()));
        let number = made.join().unwrap().unwrap();
        assert_eq!(length(number).unwrap_err().status, Status::Handle);
    }
}
