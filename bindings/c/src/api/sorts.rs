//! Sorts: making them, and what they are made of.

use crate::fault::{Fault, Outcome, answer, text};
use crate::handles::{bivalve_manager, bivalve_sort};
use crate::manager::{Manager, within};
use crate::pointers;
use bivalve::terms::{Sort, SortKind, TheorySort};
use std::ffi::c_char;

/// What a sort is.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortTag {
    /// No sort: the answer to a call that failed.
    None = 0,
    /// `Bool`.
    Bool = 1,
    /// Bit-vectors of one width.
    BitVec = 2,
    /// Arrays.
    Array = 3,
    /// Functions.
    Function = 4,
    /// A declared sort.
    Declared = 5,
    /// Floating-point numbers of one format.
    Float = 6,
    /// Rounding modes.
    RoundingMode = 7,
    /// Integers, which texts have.
    Int = 8,
    /// Real constants, which texts have.
    Real = 9,
    /// Records: data types without recursion, which texts have.
    Record = 10,
}

impl crate::fault::Failed for SortTag {
    const FAILED: SortTag = SortTag::None;
}

/// The sort of Booleans.
///
/// Errors: id 0, as of all functions that return a handle; `bivalve_error` says why.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_bool(manager: bivalve_manager) -> bivalve_sort {
    answer(|| within(manager, |manager, _| Ok(manager.sort_handle(Sort::BOOL))))
}

/// The sort of bit-vectors of `width` bits.
///
/// Errors: `SORT` unless there are between 1 and 2^24 bits.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_bv(manager: bivalve_manager, width: u32) -> bivalve_sort {
    answer(|| within(manager, |manager, _| Ok(manager.sort_handle(Sort::bitvec(width)?))))
}

/// The sort of arrays from `index` to `element`. Arrays may be nested.
///
/// Errors: `SORT` if one of them is a sort of functions, or arrays are nested more than 256 deep.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_array(
    manager: bivalve_manager,
    index: bivalve_sort,
    element: bivalve_sort,
) -> bivalve_sort {
    answer(|| {
        within(manager, |manager, _| {
            let (index, element) = (manager.sort(index)?, manager.sort(element)?);
            let sort = manager.pool.sorts_mut().array(index, element)?;
            Ok(manager.sort_handle(sort))
        })
    })
}

/// The sort of functions with `count` parameters, at least one.
///
/// Errors: `SORT` if one of them is a sort of functions, or there is no parameter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_sort_function(
    manager: bivalve_manager,
    count: usize,
    parameters: *const bivalve_sort,
    result: bivalve_sort,
) -> bivalve_sort {
    let parameters = unsafe { pointers::members(parameters, count) };
    answer(|| {
        within(manager, |manager, _| {
            let (parameters, result) = (manager.sorts(parameters?)?, manager.sort(result)?);
            let sort = manager.pool.sorts_mut().function(&parameters, result)?;
            Ok(manager.sort_handle(sort))
        })
    })
}

/// A new sort about which nothing is known but its name.
///
/// Errors: `ARGUMENT` if `name` is no text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_sort_declare(manager: bivalve_manager, name: *const c_char) -> bivalve_sort {
    let name = unsafe { pointers::text(name) };
    answer(|| {
        within(manager, |manager, _| {
            let sort = manager.pool.sorts_mut().declare(name?);
            Ok(manager.sort_handle(sort))
        })
    })
}

fn kind(manager: &Manager, place: u32) -> Outcome<SortKind> {
    Ok(manager.pool.sorts().kind(manager.sort_at(place)?))
}

/// What a sort is.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_kind(sort: bivalve_sort) -> SortTag {
    answer(|| {
        within(sort, |manager, place| {
            Ok(match kind(manager, place)? {
                SortKind::Bool => SortTag::Bool,
                SortKind::BitVec(_) => SortTag::BitVec,
                SortKind::Theory(TheorySort::Float(_)) => SortTag::Float,
                SortKind::Theory(TheorySort::RoundingMode) => SortTag::RoundingMode,
                SortKind::Theory(TheorySort::Int) => SortTag::Int,
                SortKind::Theory(TheorySort::Real) => SortTag::Real,
                SortKind::Theory(TheorySort::Record(_)) => SortTag::Record,
                SortKind::Array { .. } => SortTag::Array,
                SortKind::Function { .. } => SortTag::Function,
                SortKind::Uninterpreted(_) => SortTag::Declared,
            })
        })
    })
}

/// The number of bits of a bit-vector sort.
///
/// Errors: 0 and `ARGUMENT` if it is no sort of bit-vectors.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_width(sort: bivalve_sort) -> u32 {
    answer(|| {
        within(sort, |manager, place| {
            let missing = || Fault::argument("a sort of bit-vectors is expected");
            manager.sort_at(place)?.width().ok_or_else(missing)
        })
    })
}

/// The number of parameters of a sort of functions, 1 for arrays, 0 for other sorts and errors.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_arity(sort: bivalve_sort) -> usize {
    answer(|| {
        within(sort, |manager, place| {
            Ok(match kind(manager, place)? {
                SortKind::Array { .. } => 1,
                SortKind::Function { params, .. } => params.len(),
                _ => 0,
            })
        })
    })
}

/// The sort of a parameter of functions by its position from 0, or of the index of arrays at position 0.
///
/// Errors: `ARGUMENT` if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_parameter(sort: bivalve_sort, position: usize) -> bivalve_sort {
    answer(|| {
        within(sort, |manager, place| {
            let found = match kind(manager, place)? {
                SortKind::Array { index, .. } if position == 0 => Some(index),
                SortKind::Function { params, .. } => params.get(position).copied(),
                _ => None,
            };
            let found = found.ok_or_else(|| Fault::argument(format!("no parameter {position}")))?;
            Ok(manager.sort_handle(found))
        })
    })
}

/// The sort of the results of functions, or of the elements of arrays.
///
/// Errors: `ARGUMENT` if it is another sort.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_result(sort: bivalve_sort) -> bivalve_sort {
    answer(|| {
        within(sort, |manager, place| match kind(manager, place)? {
            SortKind::Array { element, .. } => Ok(manager.sort_handle(element)),
            SortKind::Function { result, .. } => Ok(manager.sort_handle(result)),
            _ => Err(Fault::argument("a sort of arrays or functions is expected")),
        })
    })
}

/// A sort in SMT-LIB syntax.
///
/// Errors: null if the handle is none.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_text(sort: bivalve_sort) -> *const c_char {
    text(|| {
        within(sort, |manager, place| {
            let sort = manager.sort_at(place)?;
            Ok(manager.pool.sorts().display(sort))
        })
    })
}
