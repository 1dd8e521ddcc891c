//! Handles of C programs: a tag, the number of a manager, and a place in it, in 64 bits.
//!
//! A handle is only ever looked up, so whatever bits a program makes up are refused or name something that is
//! there. The tag tells kinds of handles apart, the number those of other managers.
#![allow(non_camel_case_types, reason = "the names are those of the C types")]

use crate::fault::{Failed, Fault, Outcome, Status};
use crate::registry::NUMBERS;

/// A manager: it owns sorts, terms and solvers. Made by `bivalve_manager_new`, freed by
/// `bivalve_manager_free`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct bivalve_manager {
    /// Zero for none; otherwise not to be looked at.
    pub id: u64,
}

/// A sort. It lives as long as its manager, and equal sorts have equal ids.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct bivalve_sort {
    /// Zero for none; otherwise not to be looked at.
    pub id: u64,
}

/// A term. It lives as long as its manager, and terms that are built alike have equal ids.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct bivalve_term {
    /// Zero for none; otherwise not to be looked at.
    pub id: u64,
}

/// A solver. Made by `bivalve_solver_new`, freed by `bivalve_solver_free` or with its manager.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct bivalve_solver {
    /// Zero for none; otherwise not to be looked at.
    pub id: u64,
}

/// A kind of handle.
pub(crate) trait Handle: Sized {
    /// What messages call it.
    const WHAT: &'static str;
    /// Its tag.
    const TAG: u64;

    fn of_id(id: u64) -> Self;
    fn id(&self) -> u64;

    /// The handle of a place in a manager.
    fn at(manager: u32, place: u32) -> Self {
        Self::of_id(Self::TAG << 60 | u64::from(manager) << 32 | u64::from(place))
    }

    /// The number of its manager, and its place there.
    fn parts(&self) -> Outcome<(u32, u32)> {
        let id = self.id();
        let refused = |found: &str| {
            Err(Fault::new(Status::Handle, format!("expected a {}, found {found}", Self::WHAT)))
        };
        match id >> 60 {
            0 if id == 0 => {
                Err(Fault::argument(format!("expected a {}, found the handle of a failed call", Self::WHAT)))
            }
            tag if tag == Self::TAG => Ok((((id >> 32) as u32) % NUMBERS, id as u32)),
            bivalve_manager::TAG => refused("a manager"),
            bivalve_sort::TAG => refused("a sort"),
            bivalve_term::TAG => refused("a term"),
            bivalve_solver::TAG => refused("a solver"),
            _ => refused("no handle at all"),
        }
    }

    /// Its place, if its manager is this one.
    fn place_in(&self, manager: u32) -> Outcome<u32> {
        match self.parts()? {
            (number, place) if number == manager => Ok(place),
            _ => Err(Fault::new(Status::Handle, format!("the {} is of another manager", Self::WHAT))),
        }
    }
}

macro_rules! handles {
    ($($handle:ident $what:literal $tag:literal;)*) => {
        $(impl Handle for $handle {
            const WHAT: &'static str = $what;
            const TAG: u64 = $tag;

            fn of_id(id: u64) -> $handle {
                $handle { id }
            }

            fn id(&self) -> u64 {
                self.id
            }
        }

        impl Failed for $handle {
            const FAILED: $handle = $handle { id: 0 };
        })*
    };
}

handles! {
    bivalve_manager "manager" 1;
    bivalve_sort "sort" 2;
    bivalve_term "term" 3;
    bivalve_solver "solver" 4;
}
