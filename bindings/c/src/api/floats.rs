//! Floating point: its sorts, rounding modes and constants. Operators are kinds as all others.

use crate::fault::{Fault, Outcome, answer, digits};
use crate::handles::{bivalve_manager, bivalve_sort, bivalve_term};
use crate::manager::{Manager, within};
use crate::pointers;
use bivalve::terms::float::{Float, Format, Integers, Rational, RoundingMode, Semantics};
use bivalve::terms::{Sort, TheorySort};
use std::ffi::c_char;

/// How results are rounded.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To the nearest number, of two the even one: `RNE`, what C does unless it is told otherwise.
    NearestEven = 0,
    /// To the nearest number, of two the one that is further from zero: `RNA`.
    NearestAway = 1,
    /// Up: `RTP`.
    Up = 2,
    /// Down: `RTN`.
    Down = 3,
    /// Towards zero: `RTZ`, as casts to integers in C.
    Zero = 4,
}

/// The mode of a number that C says is one of the above.
fn mode(number: u32) -> Outcome<RoundingMode> {
    let missing = || Fault::argument(format!("no rounding mode has the number {number}"));
    RoundingMode::from_code(number.into()).ok_or_else(missing)
}

/// The sort of floating-point numbers with so many bits of exponent and of significand, the hidden one
/// included: 8 and 24 are `float` of C, 11 and 53 `double`.
///
/// Errors: `SORT` unless there are 2 to 24 bits of exponent, 2 or more of significand, and at most 2^22 in
/// all.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_float(
    manager: bivalve_manager,
    exponent_bits: u32,
    significand_bits: u32,
) -> bivalve_sort {
    answer(|| {
        within(manager, |manager, _| {
            let format = Format::new(exponent_bits.into(), significand_bits.into())
                .map_err(|refusal| Fault::new(crate::fault::Status::Sort, refusal.to_string()))?;
            let sort = manager.pool.float_sort(format);
            Ok(manager.sort_handle(sort))
        })
    })
}

/// The sort of rounding modes.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_rounding_mode(manager: bivalve_manager) -> bivalve_sort {
    answer(|| {
        within(manager, |manager, _| {
            let sort = manager.pool.sorts_mut().theory(TheorySort::RoundingMode);
            Ok(manager.sort_handle(sort))
        })
    })
}

fn format_of(manager: &Manager, sort: Sort) -> Outcome<Format> {
    let format = manager.pool.sorts().float_format(sort);
    format.ok_or_else(|| Fault::argument("a sort of floating-point numbers is expected"))
}

/// The number of bits of the exponent of a floating-point sort.
///
/// Errors: 0 and `ARGUMENT` if it is another sort.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_exponent_bits(sort: bivalve_sort) -> u32 {
    answer(|| within(sort, |manager, place| Ok(format_of(manager, manager.sort_at(place)?)?.exponent_bits())))
}

/// The number of bits of the significand of a floating-point sort, the hidden one included.
///
/// Errors: 0 and `ARGUMENT` if it is another sort.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_sort_significand_bits(sort: bivalve_sort) -> u32 {
    answer(|| {
        within(sort, |manager, place| Ok(format_of(manager, manager.sort_at(place)?)?.significand_bits()))
    })
}

/// A rounding mode, of a `bivalve_rounding`.
///
/// Errors: `ARGUMENT` if there is no such mode.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk_rounding_mode(manager: bivalve_manager, rounding: u32) -> bivalve_term {
    answer(|| {
        within(manager, |manager, _| {
            let term = manager.pool.rounding_mode(mode(rounding)?);
            Ok(manager.handle(term))
        })
    })
}

fn made(
    manager: bivalve_manager,
    sort: bivalve_sort,
    make: impl FnOnce(Format) -> Outcome<Float>,
) -> bivalve_term {
    answer(|| {
        within(manager, |manager, _| {
            let sort = manager.sort(sort)?;
            let value = make(format_of(manager, sort)?)?;
            let term = manager.pool.float(&value);
            Ok(manager.handle(term))
        })
    })
}

/// The number of a floating-point sort that is nearest to a double: that very number for `float` and
/// `double`, if it is one.
///
/// Errors: `ARGUMENT` if the sort is another one.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk_double(
    manager: bivalve_manager,
    sort: bivalve_sort,
    value: f64,
) -> bivalve_term {
    made(manager, sort, |format| {
        Ok(Integers::convert(format, RoundingMode::NearestEven, &Float::from(value)))
    })
}

/// The number of a floating-point sort that is nearest to what a text says, in a rounding mode of a
/// `bivalve_rounding`: a decimal number (`-1.5e-3`), a hexadecimal one (`0x1.8p+3`), a fraction (`1/3`),
/// `inf`, `-inf` or `nan`.
///
/// Errors: `ARGUMENT` if the text is none of these or has more than 65536 characters, or there is no such
/// mode or format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_mk_float(
    manager: bivalve_manager,
    sort: bivalve_sort,
    number: *const c_char,
    rounding: u32,
) -> bivalve_term {
    let number = unsafe { pointers::text(number) };
    made(manager, sort, |format| {
        let (number, mode) = (number?, mode(rounding)?);
        if number.len() > 1 << 16 {
            return Err(Fault::argument(format!(
                "expected at most 65536 characters, found {}",
                number.len()
            )));
        }
        match number {
            "nan" => return Ok(Float::nan(format)),
            "inf" => return Ok(Float::infinity(format, false)),
            "-inf" => return Ok(Float::infinity(format, true)),
            _ => {}
        }
        let wrong = |error: String| Fault::argument(format!("the number '{number}': {error}"));
        if number.contains('/') {
            let ratio: Rational = number.parse().map_err(|error| wrong(format!("{error}")))?;
            return Ok(Integers::from_rational(format, mode, &ratio));
        }
        Float::from_number(format, mode, number).map_err(|error| wrong(error.to_string()))
    })
}

/// The number of a floating-point sort with these bits, digits in base 2, 10 or 16: sign, exponent, fraction.
///
/// Errors: `ARGUMENT` if a digit is wrong or there are too many bits, or the sort is another one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_mk_float_bits(
    manager: bivalve_manager,
    sort: bivalve_sort,
    bits: *const c_char,
    base: u32,
) -> bivalve_term {
    let bits = unsafe { pointers::text(bits) };
    made(manager, sort, |format| {
        let bits = digits(bits?, base, format.width())?;
        Ok(Integers::from_bits(format, bits.to_int().magnitude()))
    })
}
