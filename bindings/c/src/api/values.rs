//! Values: of terms in the model of the last check, and of constants.

use crate::checker::{constant, value_of_constant};
use crate::fault::{Fault, Outcome, Status, answer, shown, status, text};
use crate::handles::{bivalve_solver, bivalve_term};
use crate::manager::{with_solver_and, within};
use crate::pointers;
use bivalve::terms::float::{Format, Integers, RoundingMode, Semantics};
use bivalve::terms::print::{BitVecFormat, Values};
use bivalve::terms::{BitVec, SortKind, Value};
use std::ffi::c_char;

fn value_of(solver: bivalve_solver, term: bivalve_term) -> Outcome<Value> {
    with_solver_and(solver, &[term], |checker, pool, terms| checker.value(pool, terms[0]))
}

fn number(value: &Value) -> Outcome<u64> {
    match value {
        Value::Bool(value) => Ok(u64::from(*value)),
        Value::Theory(_) => match (value.as_rounding_mode(), bits_of(value)) {
            (Some(mode), _) => Ok(mode.code().into()),
            (_, Some(bits)) => number(&bits.into()),
            _ => Err(Fault::argument("a term of sort Bool, of bits or of floats is expected")),
        },
        _ => value.to_u64().ok_or_else(|| Fault::argument("the value does not fit into 64 bits")),
    }
}

fn digits_of(value: &Value, base: u32) -> Outcome<String> {
    match value {
        Value::Bool(value) => shown(&BitVec::from_bool(*value), base),
        Value::BitVec(value) => shown(value, base),
        _ => match bits_of(value) {
            Some(bits) => shown(&bits, base),
            None => Err(Fault::argument("a term of sort Bool, of bits or of floats is expected")),
        },
    }
}

/// The bits of a floating-point number; of NaN those of the quiet one.
fn bits_of(value: &Value) -> Option<BitVec> {
    let value = value.as_float()?;
    Some(BitVec::from_int(&Integers::to_ieee_bits(value).into(), value.format().width()))
}

/// The double nearest to a floating-point number.
fn double_of(value: &Value) -> Outcome<f64> {
    let wrong = || Fault::argument("a term of a floating-point sort is expected");
    let value = value.as_float().ok_or_else(wrong)?;
    let double = Integers::convert(Format::FLOAT64, RoundingMode::NearestEven, value);
    Ok(double.to_f64().unwrap_or(f64::NAN))
}

/// Puts the value of a Boolean (0 or 1), of a bit-vector, the bits of a floating-point number, or the number
/// of a rounding mode in the model of the last check into `value`.
///
/// Errors: `STATE` unless the last check was answered sat, and nothing was asserted, pushed or popped since;
/// `ARGUMENT` if the value has another sort, or does not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_value_u64(
    solver: bivalve_solver,
    term: bivalve_term,
    value: *mut u64,
) -> Status {
    status(|| {
        let found = number(&value_of(solver, term)?)?;
        unsafe { pointers::put(value, found) }
    })
}

/// The digits of the value of a Boolean, a bit-vector or the bits of a floating-point number in base 2, 10 or
/// 16, without a prefix: in base 2 as many as bits, in base 16 one for four bits.
///
/// Errors: null; `STATE` as `bivalve_value_u64`, `ARGUMENT` if the base or the sort is another one.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_value_digits(
    solver: bivalve_solver,
    term: bivalve_term,
    base: u32,
) -> *const c_char {
    text(|| digits_of(&value_of(solver, term)?, base))
}

/// Puts the double that is nearest to the value of a floating-point number into `value`: the same number for
/// `float` and `double` of C.
///
/// Errors: `STATE` as `bivalve_value_u64`, `ARGUMENT` if the term has another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_value_double(
    solver: bivalve_solver,
    term: bivalve_term,
    value: *mut f64,
) -> Status {
    status(|| {
        let found = double_of(&value_of(solver, term)?)?;
        unsafe { pointers::put(value, found) }
    })
}

/// The value of any term in SMT-LIB syntax, of functions, too.
///
/// Errors: null; `STATE` as `bivalve_value_u64`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_value_text(solver: bivalve_solver, term: bivalve_term) -> *const c_char {
    text(|| {
        with_solver_and(solver, &[term], |checker, pool, terms| {
            let (value, sort) = (checker.value(pool, terms[0])?, pool.sort(terms[0]));
            let values = Values::new(pool, BitVecFormat::default());
            Ok(match &value {
                Value::Function(function) => values.lambda(sort, function),
                value => values.value(sort, value),
            })
        })
    })
}

/// The value of a term as a constant of its sort, to build more from; an array is a chain of `store` over a
/// constant array.
///
/// Errors: `STATE` as `bivalve_value_u64`; `UNSUPPORTED` for functions and elements of declared sorts.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_value(solver: bivalve_solver, term: bivalve_term) -> bivalve_term {
    answer(|| {
        let value = with_solver_and(solver, &[term], |checker, pool, terms| {
            let value = checker.value(pool, terms[0])?;
            constant(pool, pool.sort(terms[0]), &value)
        })?;
        within(term, |manager, _| Ok(manager.handle(value)))
    })
}

/// Entries of a value: arguments and result of each, in order, and the result everywhere else.
struct Entries {
    entries: Vec<(Vec<Value>, Value)>,
    default: Value,
}

fn entries(value: &Value) -> Outcome<Entries> {
    match value {
        Value::Array(array) => Ok(Entries {
            entries: array.entries().map(|(at, what)| (vec![at.clone()], what.clone())).collect(),
            default: array.default().clone(),
        }),
        Value::Function(function) => Ok(Entries {
            entries: function.entries().map(|(at, what)| (at.to_vec(), what.clone())).collect(),
            default: function.default().clone(),
        }),
        _ => Err(Fault::argument("a term of a sort of arrays or functions is expected")),
    }
}

/// Puts the number of entries of the value of an array or function into `count`: of places where it differs
/// from its default.
///
/// Errors: `STATE` as `bivalve_value_u64`, `ARGUMENT` if the term has another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_value_entry_count(
    solver: bivalve_solver,
    term: bivalve_term,
    count: *mut usize,
) -> Status {
    status(|| {
        let found = entries(&value_of(solver, term)?)?.entries.len();
        unsafe { pointers::put(count, found) }
    })
}

/// An entry of the value of an array or function by its position from 0, as constants: its arguments, of
/// which arrays have one, into `arguments`, which has place for `capacity`, and what is there into `result`.
///
/// Errors: as `bivalve_value_entry_count`; `ARGUMENT` if there are not so many entries, or there is not
/// enough place; `UNSUPPORTED` if they are elements of declared sorts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_value_entry(
    solver: bivalve_solver,
    term: bivalve_term,
    position: usize,
    arguments: *mut bivalve_term,
    capacity: usize,
    result: *mut bivalve_term,
) -> Status {
    status(|| {
        let (found, at) = entry(solver, term, Some(position))?;
        if at.len() > capacity {
            let message = format!("an entry has {} arguments, there is place for {capacity}", at.len());
            return Err(Fault::argument(message));
        }
        unsafe { pointers::put(result, found)? };
        unsafe { pointers::put_all(arguments, capacity, &at) }
    })
}

/// What an array or function of the model is at all places that are no entries, as a constant.
///
/// Errors: as `bivalve_value_entry`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_value_default(solver: bivalve_solver, term: bivalve_term) -> bivalve_term {
    answer(|| Ok(entry(solver, term, None)?.0))
}

/// The constants of an entry, or of the default: result, and arguments.
fn entry(
    solver: bivalve_solver,
    term: bivalve_term,
    position: Option<usize>,
) -> Outcome<(bivalve_term, Vec<bivalve_term>)> {
    let (at, what) = with_solver_and(solver, &[term], |checker, pool, terms| {
        let Entries { entries, default } = entries(&checker.value(pool, terms[0])?)?;
        let (params, result) = match pool.sort_kind(terms[0]) {
            SortKind::Array { index, element } => (vec![index], element),
            SortKind::Function { params, result } => (params.to_vec(), result),
            _ => return Err(Fault::argument("a term of a sort of arrays or functions is expected")),
        };
        let Some(position) = position else {
            return Ok((vec![], constant(pool, result, &default)?));
        };
        let missing = || Fault::argument(format!("there are {} entries", entries.len()));
        let (at, what) = entries.get(position).ok_or_else(missing)?;
        let at = params.iter().zip(at).map(|(&sort, value)| constant(pool, sort, value));
        Ok((at.collect::<Outcome<Vec<_>>>()?, constant(pool, result, what)?))
    })?;
    within(term, |manager, _| {
        Ok((manager.handle(what), at.into_iter().map(|term| manager.handle(term)).collect()))
    })
}

/// Puts the double that is nearest to a floating-point constant into `value`.
///
/// Errors: `ARGUMENT` if it is no such constant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_constant_double(term: bivalve_term, value: *mut f64) -> Status {
    status(|| {
        let found = within(term, |manager, place| {
            double_of(&value_of_constant(&manager.pool, manager.term_at(place)?)?)
        })?;
        unsafe { pointers::put(value, found) }
    })
}

/// Puts the number that a constant is into `value`, as `bivalve_value_u64`.
///
/// Errors: `ARGUMENT` if it is no constant, or does not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_constant_u64(term: bivalve_term, value: *mut u64) -> Status {
    status(|| {
        let found = within(term, |manager, place| {
            number(&value_of_constant(&manager.pool, manager.term_at(place)?)?)
        })?;
        unsafe { pointers::put(value, found) }
    })
}

/// The digits of a constant, as `bivalve_value_digits`.
///
/// Errors: null and `ARGUMENT` if it is no constant, or the base is another one.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_constant_digits(term: bivalve_term, base: u32) -> *const c_char {
    text(|| {
        within(term, |manager, place| {
            digits_of(&value_of_constant(&manager.pool, manager.term_at(place)?)?, base)
        })
    })
}
