//! Numbers in the place of addresses, for headers whose handles are pointers.
//!
//! Programs of Boolector and STP hold pointers to types that they know nothing of. What they get are numbers
//! (a tag, the number of the owner, a place in it) that look like pointers, so that wrong ones are
//! recognised. None is ever followed.

use crate::fault::{Fault, Outcome, Status};
use crate::registry::NUMBERS;

/// What is behind such a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
    Btor = 5,
    Node = 6,
    BtorSort = 7,
    Checker = 8,
    Expr = 9,
    Type = 10,
    Counterexample = 11,
}

impl Tag {
    fn what(self) -> &'static str {
        match self {
            Tag::Btor => "Btor",
            Tag::Node => "BoolectorNode",
            Tag::BtorSort => "BoolectorSort",
            Tag::Checker => "VC",
            Tag::Expr => "Expr",
            Tag::Type => "Type",
            Tag::Counterexample => "WholeCounterExample",
        }
    }
}

impl Tag {
    /// What headers call a parameter of the type.
    fn parameter(self) -> &'static str {
        match self {
            Tag::Btor => "btor",
            Tag::Node => "node",
            Tag::BtorSort => "sort",
            Tag::Checker => "vc",
            Tag::Expr => "e",
            Tag::Type => "t",
            Tag::Counterexample => "c",
        }
    }
}

/// The pointer of a place in an owner.
pub(crate) fn pointer<T>(tag: Tag, owner: u32, place: u32) -> *mut T {
    let bits = (tag as u64) << 60 | u64::from(owner) << 32 | u64::from(place);
    std::ptr::without_provenance_mut(bits as usize)
}

/// The number of the owner, and the place in it.
pub(crate) fn parts<T>(tag: Tag, pointer: *const T) -> Outcome<(u32, u32)> {
    let bits = pointer.addr() as u64;
    let what = tag.what();
    match bits >> 60 {
        0 if bits == 0 => Err(Fault::argument(format!("'{}' must not be NULL", tag.parameter()))),
        found if found == tag as u64 => Ok((((bits >> 32) as u32) % NUMBERS, bits as u32)),
        _ => Err(Fault::new(Status::Handle, format!("the pointer is of no {what}"))),
    }
}

/// The place, if the owner is this one.
pub(crate) fn place_in<T>(tag: Tag, pointer: *const T, owner: u32) -> Outcome<u32> {
    match parts(tag, pointer)? {
        (found, place) if found == owner => Ok(place),
        _ => Err(Fault::new(Status::Handle, format!("the {} belongs to another instance", tag.what()))),
    }
}
