//! Terms: constants, symbols, operators, and looking into them.

use crate::fault::{self, Failed, Fault, Outcome, answer, text};
use crate::handles::{bivalve_manager, bivalve_sort, bivalve_term};
use crate::kinds::{Kind, kind_of, op_of};
use crate::manager::{Manager, within};
use crate::pointers;
use bivalve::terms::{Op, Pool, Sort, SortError, Substitution, Term};
use std::ffi::c_char;

impl Failed for Kind {
    const FAILED: Kind = Kind::None;
}

/// The constant `true` or `false`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk_bool(manager: bivalve_manager, value: bool) -> bivalve_term {
    answer(|| {
        within(manager, |manager, _| {
            let term = manager.pool.bool(value);
            Ok(manager.handle(term))
        })
    })
}

/// The bit-vector `value` of `width` bits.
///
/// Errors: `SORT` unless there are between 1 and 2^24 bits, and unless the value fits.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk_bv(manager: bivalve_manager, value: u64, width: u32) -> bivalve_term {
    answer(|| {
        within(manager, |manager, _| {
            let term = manager.pool.bv(value, width)?;
            Ok(manager.handle(term))
        })
    })
}

/// The bit-vector of `width` bits with these digits in base 2, 10 or 16; decimal ones may have a minus in
/// front.
///
/// Errors: `ARGUMENT` if a digit is wrong or the number does not fit, `SORT` if the width is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_mk_bv_digits(
    manager: bivalve_manager,
    digits: *const c_char,
    base: u32,
    width: u32,
) -> bivalve_term {
    let digits = unsafe { pointers::text(digits) };
    answer(|| {
        within(manager, |manager, _| {
            let term = manager.pool.bitvec(&fault::digits(digits?, base, width)?);
            Ok(manager.handle(term))
        })
    })
}

/// A new symbol: a constant, or a function if the sort is one of functions. Each call makes another one, even
/// under the same name; `bivalve_lookup` finds the last one.
///
/// Errors: `ARGUMENT` if `name` is no text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_mk_symbol(
    manager: bivalve_manager,
    name: *const c_char,
    sort: bivalve_sort,
) -> bivalve_term {
    let name = unsafe { pointers::text(name) };
    answer(|| {
        within(manager, |manager, _| {
            let (name, sort) = (name?, manager.sort(sort)?);
            let term = manager.declare(name, sort);
            Ok(manager.handle(term))
        })
    })
}

/// The symbol of this name that was made or parsed last.
///
/// Errors: `ARGUMENT` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_lookup(manager: bivalve_manager, name: *const c_char) -> bivalve_term {
    let name = unsafe { pointers::text(name) };
    answer(|| {
        within(manager, |manager, _| {
            let name = name?;
            let found = manager.named(name);
            let term = found.ok_or_else(|| Fault::argument(format!("no symbol is called '{name}'")))?;
            Ok(manager.handle(term))
        })
    })
}

/// The array of an array sort whose elements are all `element`.
///
/// Errors: `SORT` if it is no array sort, or has elements of another sort.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk_const_array(
    manager: bivalve_manager,
    sort: bivalve_sort,
    element: bivalve_term,
) -> bivalve_term {
    answer(|| {
        within(manager, |manager, _| {
            let (sort, element) = (manager.sort(sort)?, manager.term(element)?);
            let term = manager.pool.const_array(sort, element)?;
            Ok(manager.handle(term))
        })
    })
}

fn applied(
    manager: &mut Manager,
    kind: u32,
    arguments: &[bivalve_term],
    indices: &[u32],
) -> Outcome<bivalve_term> {
    let op = op_of(kind).ok_or_else(|| Fault::argument(format!("no kind of term has the number {kind}")))?;
    let maker = match op {
        Op::Const => "bivalve_mk_bv",
        Op::Symbol => "bivalve_mk_symbol",
        Op::ConstArray => "bivalve_mk_const_array",
        op if op.is_record() => "bivalve_parse",
        _ => "",
    };
    if !maker.is_empty() {
        return Err(Fault::argument(format!("{maker} makes terms of this kind")));
    }
    let arguments = manager.terms(arguments)?;
    let term = match arguments.split_last() {
        Some((&body, variables)) if op == Op::Forall && !variables.is_empty() => {
            manager.pool.bind(variables, body)?
        }
        _ => manager.pool.indexed(op, indices, &arguments)?,
    };
    Ok(manager.handle(term))
}

fn quantified(
    body: bivalve_term,
    variables: Result<&[bivalve_term], Fault>,
    bind: impl FnOnce(&mut Pool, &[Term], Term) -> Result<Term, SortError>,
) -> bivalve_term {
    answer(|| {
        within(body, |manager, place| {
            let variables = manager.terms(variables?)?;
            let body = manager.term_at(place)?;
            let term = bind(&mut manager.pool, &variables, body)?;
            Ok(manager.handle(term))
        })
    })
}

/// The formula that `body` holds for all values of `count` symbols. They are symbols as others are, made by
/// `bivalve_mk_symbol`, and may be used elsewhere, where nothing changes. The same is made by `bivalve_mk` of
/// `BIVALVE_KIND_FORALL`, the body being the last argument.
///
/// Errors: `SORT` unless the body is a Boolean, and the symbols are different ones and no functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_forall(
    body: bivalve_term,
    count: usize,
    symbols: *const bivalve_term,
) -> bivalve_term {
    quantified(body, unsafe { pointers::members(symbols, count) }, Pool::bind)
}

/// The formula that `body` holds for some values of `count` symbols, as `bivalve_forall`. To look at, it is
/// the negation of one for all.
///
/// Errors: as `bivalve_forall`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_exists(
    body: bivalve_term,
    count: usize,
    symbols: *const bivalve_term,
) -> bivalve_term {
    quantified(body, unsafe { pointers::members(symbols, count) }, Pool::bind_some)
}

/// An operator, of a `bivalve_kind`, applied to `count` arguments. For `BIVALVE_KIND_APPLY` the first of them
/// is the function, for `BIVALVE_KIND_FORALL` all but the last are the symbols.
///
/// Errors: `ARGUMENT` if there is no such kind, or it needs indices or a function of its own; `SORT` if it
/// does not accept so many arguments, or arguments of these sorts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_mk(
    manager: bivalve_manager,
    kind: u32,
    count: usize,
    arguments: *const bivalve_term,
) -> bivalve_term {
    let arguments = unsafe { pointers::members(arguments, count) };
    answer(|| within(manager, |manager, _| applied(manager, kind, arguments?, &[])))
}

/// An operator with indices, as many as SMT-LIB asks for and in its order: high and low bit of `extract`, the
/// number of `zero_extend`, `sign_extend`, `repeat`, `rotate_left` and `rotate_right`, the bits of exponent
/// and significand of `to_fp`, the width of `fp.to_sbv` and `fp.to_ubv`.
///
/// Errors: as `bivalve_mk`; `SORT` if the indices do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_mk_indexed(
    manager: bivalve_manager,
    kind: u32,
    count: usize,
    arguments: *const bivalve_term,
    index_count: usize,
    indices: *const u32,
) -> bivalve_term {
    let (arguments, indices) =
        unsafe { (pointers::members(arguments, count), pointers::members(indices, index_count)) };
    answer(|| within(manager, |manager, _| applied(manager, kind, arguments?, indices?)))
}

/// An operator of a `bivalve_kind` with one argument. The manager is that of the argument.
///
/// Errors: as `bivalve_mk`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk1(kind: u32, argument: bivalve_term) -> bivalve_term {
    answer(|| within(argument, |manager, _| applied(manager, kind, &[argument], &[])))
}

/// An operator of a `bivalve_kind` with two arguments.
///
/// Errors: as `bivalve_mk`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk2(kind: u32, left: bivalve_term, right: bivalve_term) -> bivalve_term {
    answer(|| within(left, |manager, _| applied(manager, kind, &[left, right], &[])))
}

/// An operator of a `bivalve_kind` with three arguments: `ITE`, `STORE`, and those that take lists.
///
/// Errors: as `bivalve_mk`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk3(
    kind: u32,
    first: bivalve_term,
    second: bivalve_term,
    third: bivalve_term,
) -> bivalve_term {
    answer(|| within(first, |manager, _| applied(manager, kind, &[first, second, third], &[])))
}

/// An operator of a `bivalve_kind` with one index and one argument: `ZERO_EXTEND`, `SIGN_EXTEND`, `REPEAT`,
/// `ROTATE_LEFT`, `ROTATE_RIGHT`.
///
/// Errors: as `bivalve_mk_indexed`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_mk1_indexed(kind: u32, index: u32, argument: bivalve_term) -> bivalve_term {
    answer(|| within(argument, |manager, _| applied(manager, kind, &[argument], &[index])))
}

/// The bits `high` down to `low`, counted from 0, of a bit-vector.
///
/// Errors: `SORT` if there are no such bits.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_extract(high: u32, low: u32, argument: bivalve_term) -> bivalve_term {
    answer(|| {
        within(argument, |manager, _| applied(manager, Kind::Extract as u32, &[argument], &[high, low]))
    })
}

/// A term with other terms in the place of `count` symbols, all at once.
///
/// Errors: `ARGUMENT` if one of `from` is no symbol, `SORT` if what comes in its place has another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_substitute(
    term: bivalve_term,
    count: usize,
    from: *const bivalve_term,
    to: *const bivalve_term,
) -> bivalve_term {
    let (from, to) = unsafe { (pointers::members(from, count), pointers::members(to, count)) };
    answer(|| {
        within(term, |manager, place| {
            let (from, to) = (manager.terms(from?)?, manager.terms(to?)?);
            let term = manager.term_at(place)?;
            let mut substitution = Substitution::new();
            for (&symbol, &image) in from.iter().zip(&to) {
                let pool = &manager.pool;
                if pool.op(symbol) != Op::Symbol {
                    return Err(Fault::argument("only symbols can be replaced"));
                }
                if pool.sort(symbol) != pool.sort(image) {
                    let message = "a symbol can be replaced by terms of its sort only";
                    return Err(Fault::new(fault::Status::Sort, message));
                }
                if pool.sorts().is_function(pool.sort(symbol)) && pool.op(image) != Op::Symbol {
                    return Err(Fault::argument("a function can be replaced by a function only"));
                }
                substitution.insert(&manager.pool, symbol, image);
            }
            let replaced = substitution.apply(&mut manager.pool, term);
            Ok(manager.handle(replaced))
        })
    })
}

/// What a term is.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_kind(term: bivalve_term) -> Kind {
    answer(|| within(term, |manager, place| Ok(kind_of(manager.pool.op(manager.term_at(place)?)))))
}

/// The sort of a term.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_sort(term: bivalve_term) -> bivalve_sort {
    answer(|| {
        within(term, |manager, place| {
            let sort = manager.pool.sort(manager.term_at(place)?);
            Ok(manager.sort_handle(sort))
        })
    })
}

/// The manager of a term.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_manager_of(term: bivalve_term) -> bivalve_manager {
    answer(|| within(term, |manager, _| Ok(manager.own_handle())))
}

/// The number of bits of a bit-vector.
///
/// Errors: 0 and `ARGUMENT` if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_width(term: bivalve_term) -> u32 {
    answer(|| {
        within(term, |manager, place| {
            let sort: Sort = manager.pool.sort(manager.term_at(place)?);
            sort.width().ok_or_else(|| Fault::argument("a bit-vector is expected"))
        })
    })
}

/// The number of arguments of a term; 0 for constants, symbols and errors.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_arity(term: bivalve_term) -> usize {
    answer(|| within(term, |manager, place| Ok(manager.pool.written_args(manager.term_at(place)?).len())))
}

/// An argument of a term by its position from 0. A formula for all values of symbols has those symbols and
/// the body, in which they are free.
///
/// Errors: `ARGUMENT` if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_argument(term: bivalve_term, position: usize) -> bivalve_term {
    answer(|| {
        within(term, |manager, place| {
            let term = manager.term_at(place)?;
            let arguments = match manager.pool.opened(term) {
                Some((symbols, body)) => [&symbols[..], &[body]].concat(),
                None => manager.pool.written_args(term).to_vec(),
            };
            let missing = || Fault::argument(format!("there are {} arguments", arguments.len()));
            let argument = *arguments.get(position).ok_or_else(missing)?;
            Ok(manager.handle(argument))
        })
    })
}

/// The number of indices of a term: 2 for `extract` and what makes numbers of a format, 1 for other operators
/// with indices, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_index_count(term: bivalve_term) -> usize {
    answer(|| within(term, |manager, place| Ok(manager.pool.indices(manager.term_at(place)?).len())))
}

/// An index of a term by its position from 0; 0 for errors, so `bivalve_term_index_count` is to be asked
/// first.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_index(term: bivalve_term, position: usize) -> u32 {
    answer(|| {
        within(term, |manager, place| {
            let indices = manager.pool.indices(manager.term_at(place)?);
            let missing = || Fault::argument(format!("there are {} indices", indices.len()));
            indices.get(position).copied().ok_or_else(missing)
        })
    })
}

/// The name of a symbol.
///
/// Errors: null and `ARGUMENT` if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_name(term: bivalve_term) -> *const c_char {
    text(|| {
        within(term, |manager, place| {
            let name = manager.pool.name(manager.term_at(place)?);
            name.map(str::to_owned).ok_or_else(|| Fault::argument("a symbol is expected"))
        })
    })
}

/// A term in SMT-LIB syntax.
///
/// Errors: null if the handle is none.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_term_text(term: bivalve_term) -> *const c_char {
    text(|| {
        within(term, |manager, place| {
            let term = manager.term_at(place)?;
            Ok(manager.pool.display(term).to_string())
        })
    })
}
