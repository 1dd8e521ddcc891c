//! The addresses of C programs: all that is read and written through them.
//!
//! A null pointer is refused. That any other one leads to what the header asks for (a text that ends with a
//! zero byte, an array of so many members, a place for a result) is the caller's part of the contract, and
//! the only one that cannot be checked here.
#![expect(unsafe_code, reason = "addresses from C are followed here, and nowhere else")]

use crate::fault::{Fault, Outcome};
use std::ffi::{CStr, c_char};

/// More members than this are taken for a mistake, such as a negative number.
const MAX_MEMBERS: usize = 1 << 31;

/// The text at an address.
///
/// # Safety
///
/// The address is null, or that of a text that ends with a zero byte and stays as it is for `'a`.
pub(crate) unsafe fn text<'a>(address: *const c_char) -> Outcome<&'a str> {
    if address.is_null() {
        return Err(Fault::argument("expected a text, found a null pointer"));
    }
    let bytes = unsafe { CStr::from_ptr(address) };
    bytes.to_str().map_err(|_| Fault::argument("expected text in UTF-8"))
}

/// The text at an address, or none at the null pointer.
///
/// # Safety
///
/// As [`text`].
pub(crate) unsafe fn optional_text<'a>(address: *const c_char) -> Outcome<Option<&'a str>> {
    if address.is_null() { Ok(None) } else { unsafe { text(address) }.map(Some) }
}

/// The members of an array; the address of none may be null.
///
/// # Safety
///
/// The address is null, or there are `count` members that stay as they are for `'a`.
pub(crate) unsafe fn members<'a, T>(address: *const T, count: usize) -> Outcome<&'a [T]> {
    match count {
        0 => Ok(&[]),
        _ if address.is_null() => {
            Err(Fault::argument(format!("expected an array of {count} members, found a null pointer")))
        }
        _ if count > MAX_MEMBERS / size_of::<T>().max(1) || !address.is_aligned() => {
            Err(Fault::argument(format!("no array of {count} members is at this address")))
        }
        _ => Ok(unsafe { std::slice::from_raw_parts(address, count) }),
    }
}

/// Fails if there is no place for a result; asked before what is put there is made.
pub(crate) fn expect_place<T>(address: *mut T) -> Outcome<()> {
    if address.is_null() {
        return Err(Fault::argument("expected a place for the result, found a null pointer"));
    }
    Ok(())
}

/// Puts a result where the caller wants it.
///
/// # Safety
///
/// The address is null, or there is place for a `T`.
pub(crate) unsafe fn put<T>(address: *mut T, value: T) -> Outcome<()> {
    expect_place(address)?;
    unsafe { address.write_unaligned(value) };
    Ok(())
}

/// Puts results where the caller wants them, as many as there is place for.
///
/// # Safety
///
/// The address is null, or there is place for `capacity` members.
pub(crate) unsafe fn put_all<T: Copy>(address: *mut T, capacity: usize, values: &[T]) -> Outcome<()> {
    let count = values.len().min(capacity);
    if count > 0 && address.is_null() {
        return Err(Fault::argument(format!(
            "expected a place for {capacity} results, found a null pointer"
        )));
    }
    for (position, &value) in values[..count].iter().enumerate() {
        unsafe { address.add(position).write_unaligned(value) };
    }
    Ok(())
}
