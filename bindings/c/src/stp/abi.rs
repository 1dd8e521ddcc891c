//! The functions of `stp/c_interface.h`.
#![expect(clippy::missing_safety_doc, reason = "the contract of addresses is that of STP's header")]
#![allow(
    unsafe_code,
    non_snake_case,
    reason = "names and addresses of C; what is done with them is in `pointers`"
)]

use super::expressions::width;
use super::vc::{self, Handle, Vc, with, with_owner};
use crate::ending::{Report, carried_out};
use crate::fault::{Failed, Fault, Outcome, digits};
use crate::opaque::Tag;
use crate::pointers::{expect_place, members, put, text};
use crate::registry::locked;
use crate::streams::{allocated, allocated_text, print, write_to};
use crate::text::{Language, print as printed};
use bivalve::terms::{Op, Sort};
use std::ffi::{c_char, c_int, c_uint, c_ulong, c_ulonglong};

pub(super) static HANDLER: crate::ending::Reporter = std::sync::Mutex::new(None);

/// A call of a checker.
fn call<T: Failed>(function: &str, vc: Handle, body: impl FnOnce(&mut Vc) -> Outcome<T>) -> T {
    carried_out(&HANDLER, function, || with(vc, body))
}

/// A call about an expression alone.
pub(super) fn ask<T: Failed>(function: &str, expr: Handle, body: impl FnOnce(&mut Vc) -> Outcome<T>) -> T {
    carried_out(&HANDLER, function, || with_owner(Tag::Expr, expr, body))
}

macro_rules! calls {
    ($($name:ident ($($arg:ident: $type:ty),*) -> $result:ty, $body:expr;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of STP.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(vc: Handle, $($arg: $type),*) -> $result {
            let body: fn(&mut Vc, $($type),*) -> Outcome<$result> = $body;
            call(stringify!($name), vc, |vc| body(vc, $($arg),*))
        })*
    };
}

macro_rules! binary {
    ($($name:ident $op:ident;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of STP.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(vc: Handle, left: Handle, right: Handle) -> Handle {
            call(stringify!($name), vc, |vc| vc.apply(Op::$op, &[left, right]))
        })*
    };
}

macro_rules! sized {
    ($($name:ident $op:ident;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of STP.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(vc: Handle, bits: c_int, left: Handle, right: Handle) -> Handle {
            call(stringify!($name), vc, |vc| vc.sized(bits, Op::$op, &[left, right]))
        })*
    };
}

macro_rules! words {
    ($($name:ident $op:ident;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of STP.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(vc: Handle, left: Handle, right: Handle) -> Handle {
            call(stringify!($name), vc, |vc| vc.sized(32, Op::$op, &[left, right]))
        })*
    };
}

binary! {
    vc_eqExpr Eq;
    vc_andExpr And;
    vc_orExpr Or;
    vc_xorExpr Xor;
    vc_impliesExpr Implies;
    vc_iffExpr Eq;
    vc_readExpr Select;
    vc_bvConcatExpr Concat;
    vc_bvLtExpr BvUlt;
    vc_bvLeExpr BvUle;
    vc_bvGtExpr BvUgt;
    vc_bvGeExpr BvUge;
    vc_sbvLtExpr BvSlt;
    vc_sbvLeExpr BvSle;
    vc_sbvGtExpr BvSgt;
    vc_sbvGeExpr BvSge;
    vc_bvAndExpr BvAnd;
    vc_bvOrExpr BvOr;
    vc_bvXorExpr BvXor;
}

sized! {
    vc_bvPlusExpr BvAdd;
    vc_bvMinusExpr BvSub;
    vc_bvMultExpr BvMul;
    vc_bvDivExpr BvUdiv;
    vc_bvModExpr BvUrem;
    vc_sbvDivExpr BvSdiv;
    vc_sbvModExpr BvSmod;
    vc_sbvRemExpr BvSrem;
    vc_bvLeftShiftExprExpr BvShl;
    vc_bvRightShiftExprExpr BvLshr;
    vc_bvSignedRightShiftExprExpr BvAshr;
}

words! {
    vc_bv32PlusExpr BvAdd;
    vc_bv32MinusExpr BvSub;
    vc_bv32MultExpr BvMul;
}

calls! {
    vc_setFlags(_flag: c_char, _number: c_int) -> (), |_, _, _| Ok(());
    vc_setFlag(_flag: c_char) -> (), |_, _| Ok(());
    vc_setInterfaceFlags(_flag: c_int, _value: c_int) -> (), |_, _, _| Ok(());
    make_division_total() -> (), |_| Ok(());
    vc_supportsMinisat() -> bool, |_| Ok(false);
    vc_useMinisat() -> bool, |_| Ok(false);
    vc_isUsingMinisat() -> bool, |_| Ok(false);
    vc_supportsSimplifyingMinisat() -> bool, |_| Ok(false);
    vc_useSimplifyingMinisat() -> bool, |_| Ok(false);
    vc_isUsingSimplifyingMinisat() -> bool, |_| Ok(false);
    vc_supportsCryptominisat() -> bool, |_| Ok(false);
    vc_useCryptominisat() -> bool, |_| Ok(false);
    vc_isUsingCryptominisat() -> bool, |_| Ok(false);
    vc_boolType() -> Handle, |vc| Ok(vc.hand_out_sort(Sort::BOOL));
    vc_bvType(bits: c_int) -> Handle, |vc, bits| Ok(vc.hand_out_sort(Sort::bitvec(width(bits)?)?));
    vc_bv32Type() -> Handle, |vc| Ok(vc.hand_out_sort(Sort::bitvec(32)?));
    vc_arrayType(index: Handle, element: Handle) -> Handle, |vc, index, element| {
        let (index, element) = (vc.sort(index)?, vc.sort(element)?);
        let sort = vc.array_sort(index, element)?;
        Ok(vc.hand_out_sort(sort))
    };
    vc_getType(expr: Handle) -> Handle, |vc, expr| {
        let sort = vc.pool.sort(vc.term(expr)?);
        Ok(vc.hand_out_sort(sort))
    };
    vc_getBVLength(expr: Handle) -> c_int, |vc, expr| Ok(vc.width(expr)? as c_int);
    vc_trueExpr() -> Handle, |vc| {
        let term = vc.pool.bool(true);
        Ok(vc.hand_out(term))
    };
    vc_falseExpr() -> Handle, |vc| {
        let term = vc.pool.bool(false);
        Ok(vc.hand_out(term))
    };
    vc_notExpr(expr: Handle) -> Handle, |vc, expr| vc.apply(Op::Not, &[expr]);
    vc_iteExpr(condition: Handle, then: Handle, other: Handle) -> Handle, |vc, condition, then, other| {
        vc.apply(Op::Ite, &[condition, then, other])
    };
    vc_boolToBVExpr(formula: Handle) -> Handle, |vc, formula| vc.bit_of(formula);
    vc_paramBoolExpr(_var: Handle, _param: Handle) -> Handle, |_, _, _| {
        Err(Fault::unsupported("not supported by Bivalve: parameterized Booleans"))
    };
    vc_writeExpr(array: Handle, index: Handle, value: Handle) -> Handle, |vc, array, index, value| {
        vc.apply(Op::Store, &[array, index, value])
    };
    vc_printExpr(expr: Handle) -> (), |vc, expr| {
        print(&format!("{} ", vc.pool.display(vc.term(expr)?)))
    };
    vc_printExprFile(expr: Handle, descriptor: c_int) -> (), |vc, expr, descriptor| {
        write_to(descriptor, &vc.pool.display(vc.term(expr)?).to_string())
    };
    vc_printExprCCode(_expr: Handle) -> (), |_, _| Err(Fault::unsupported("not supported by Bivalve: C code"));
    vc_printSMTLIB(expr: Handle) -> *mut c_char, |vc, expr| {
        Ok(allocated_text(&vc.pool.display(vc.term(expr)?).to_string())?.0)
    };
    vc_printCounterExample() -> (), |vc| print(&vc.print_counterexample()?);
    vc_printCounterExampleFile(descriptor: c_int) -> (), |vc, descriptor| {
        write_to(descriptor, &vc.print_counterexample()?)
    };
    vc_printVarDecls() -> (), |vc| {
        let declarations: Vec<String> = vc.named.values().map(|&symbol| {
            let sort = vc.pool.sorts().display(vc.pool.sort(symbol));
            format!("(declare-const {} {sort})\n", vc.pool.display(symbol))
        }).collect();
        print(&declarations.concat())
    };
    vc_clearDecls() -> (), |_| Ok(());
    vc_printAsserts(_simplify: c_int) -> (), |vc, _| {
        print(&printed(&vc.pool, vc.checker.solver().assertions(), Language::SmtLib2)?)
    };
    vc_printQuery() -> (), |vc| {
        let query = vc.last_query.ok_or_else(|| Fault::state("there was no query"))?;
        print(&format!("{}\n", vc.pool.display(query)))
    };
    vc_assertFormula(formula: Handle) -> (), |vc, formula| {
        let formula = vc.term(formula)?;
        vc.checker.assert(&vc.pool, formula, false)
    };
    vc_simplify(expr: Handle) -> Handle, |vc, expr| Ok(vc.hand_out(vc.term(expr)?));
    vc_query_with_timeout(formula: Handle, milliseconds: c_int) -> c_int, |vc, formula, milliseconds| {
        vc.query(formula, u64::try_from(milliseconds).unwrap_or(0))
    };
    vc_query(formula: Handle) -> c_int, |vc, formula| vc.query(formula, 0);
    vc_getCounterExample(expr: Handle) -> Handle, |vc, expr| vc.value(expr);
    vc_counterexample_size() -> c_int, |vc| Ok(vc.size_of_counterexample());
    vc_getWholeCounterExample() -> Handle, |vc| vc.keep_counterexample();
    vc_getTermFromCounterExample(expr: Handle, kept: Handle) -> Handle, |vc, expr, kept| vc.value_in(expr, kept);
    vc_push() -> (), |vc| vc.checker.push(1);
    vc_pop() -> (), |vc| vc.checker.pop(1);
    vc_bvConstExprFromInt(bits: c_int, value: c_uint) -> Handle, |vc, bits, value| vc.constant(value.into(), bits);
    vc_bvConstExprFromLL(bits: c_int, value: c_ulonglong) -> Handle, |vc, bits, value| vc.constant(value, bits);
    vc_bv32ConstExprFromInt(value: c_uint) -> Handle, |vc, value| vc.constant(value.into(), 32);
    vc_bvUMinusExpr(expr: Handle) -> Handle, |vc, expr| vc.apply(Op::BvNeg, &[expr]);
    vc_bvNotExpr(expr: Handle) -> Handle, |vc, expr| vc.apply(Op::BvNot, &[expr]);
    vc_bvLeftShiftExpr(amount: c_int, expr: Handle) -> Handle, |vc, amount, expr| vc.put_zeros_behind(amount, expr);
    vc_bvRightShiftExpr(amount: c_int, expr: Handle) -> Handle, |vc, amount, expr| vc.shift_right(amount, expr);
    vc_bv32LeftShiftExpr(amount: c_int, expr: Handle) -> Handle, |vc, amount, expr| {
        let shifted = vc.put_zeros_behind(amount, expr)?;
        vc.extract(shifted, 31, 0)
    };
    vc_bv32RightShiftExpr(amount: c_int, expr: Handle) -> Handle, |vc, amount, expr| {
        let shifted = vc.shift_right(amount, expr)?;
        vc.extract(shifted, 31, 0)
    };
    vc_bvVar32LeftShiftExpr(amount: Handle, expr: Handle) -> Handle, |vc, amount, expr| {
        vc.shift_by(Op::BvShl, amount, expr)
    };
    vc_bvVar32RightShiftExpr(amount: Handle, expr: Handle) -> Handle, |vc, amount, expr| {
        vc.shift_by(Op::BvLshr, amount, expr)
    };
    vc_bvVar32DivByPowOfTwoExpr(expr: Handle, divisor: Handle) -> Handle, |vc, expr, divisor| {
        vc.divide_by_power(expr, divisor)
    };
    vc_bvExtract(expr: Handle, high: c_int, low: c_int) -> Handle, |vc, expr, high, low| vc.extract(expr, high, low);
    vc_bvBoolExtract(expr: Handle, bit: c_int) -> Handle, |vc, expr, bit| vc.bit_is(expr, bit, 0);
    vc_bvBoolExtract_Zero(expr: Handle, bit: c_int) -> Handle, |vc, expr, bit| vc.bit_is(expr, bit, 0);
    vc_bvBoolExtract_One(expr: Handle, bit: c_int) -> Handle, |vc, expr, bit| vc.bit_is(expr, bit, 1);
    vc_bvSignExtend(expr: Handle, bits: c_int) -> Handle, |vc, expr, bits| vc.sign_extend(expr, bits);
    vc_bvReadMemoryArray(array: Handle, index: Handle, bytes: c_int) -> Handle, |vc, array, index, bytes| {
        vc.read_bytes(array, index, bytes)
    };
    vc_bvWriteToMemoryArray(
        array: Handle, index: Handle, element: Handle, bytes: c_int
    ) -> Handle, |vc, array, index, element, bytes| vc.write_bytes(array, index, element, bytes);
    vc_getHashQueryStateToBuffer(_query: Handle) -> c_int, |_, _| {
        Err(Fault::unsupported("not supported by Bivalve: hashes of queries"))
    };
}

/// `vc_createValidityChecker` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn vc_createValidityChecker() -> Handle {
    carried_out(&HANDLER, "vc_createValidityChecker", vc::make)
}

/// `vc_Destroy` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn vc_Destroy(vc: Handle) {
    carried_out(&HANDLER, "vc_Destroy", || vc::destroy(vc));
}

/// `vc_registerErrorHandler` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn vc_registerErrorHandler(handler: Option<Report>) {
    *locked(&HANDLER) = handler;
}

/// `vc_DeleteExpr` of STP: expressions live as long as their checker.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn vc_DeleteExpr(expr: Handle) {
    ask("vc_DeleteExpr", expr, |vc| vc.term(expr).map(|_| ()));
}

/// `vc_deleteWholeCounterExample` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn vc_deleteWholeCounterExample(kept: Handle) {
    carried_out(&HANDLER, "vc_deleteWholeCounterExample", || {
        with_owner(Tag::Counterexample, kept, |vc| vc.delete_counterexample(kept))
    });
}

/// `vc_varExpr` of STP.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_varExpr(vc: Handle, name: *const c_char, of: Handle) -> Handle {
    let name = unsafe { text(name) };
    call("vc_varExpr", vc, |vc| {
        let sort = vc.sort(of)?;
        let symbol = vc.symbol(name?, sort)?;
        Ok(vc.hand_out(symbol))
    })
}

/// `vc_varExpr1` of STP: by widths; an index of no bits is none.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_varExpr1(
    vc: Handle,
    name: *const c_char,
    index: c_int,
    value: c_int,
) -> Handle {
    let name = unsafe { text(name) };
    call("vc_varExpr1", vc, |vc| {
        let sort = match (width(index)?, width(value)?) {
            (0, 0) => Sort::BOOL,
            (0, bits) => Sort::bitvec(bits)?,
            (index, bits) => vc.array_sort(Sort::bitvec(index)?, Sort::bitvec(bits)?)?,
        };
        let symbol = vc.symbol(name?, sort)?;
        Ok(vc.hand_out(symbol))
    })
}

/// `vc_bvCreateMemoryArray` of STP: from 32 to 8 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_bvCreateMemoryArray(vc: Handle, name: *const c_char) -> Handle {
    let name = unsafe { text(name) };
    call("vc_bvCreateMemoryArray", vc, |vc| {
        let sort = vc.array_sort(Sort::bitvec(32)?, Sort::bitvec(8)?)?;
        let symbol = vc.symbol(name?, sort)?;
        Ok(vc.hand_out(symbol))
    })
}

macro_rules! lists {
    ($($name:ident $op:ident;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of STP.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $name(vc: Handle, children: *mut Handle, count: c_int) -> Handle {
            let children = unsafe { members(children, usize::try_from(count).unwrap_or(usize::MAX)) };
            call(stringify!($name), vc, |vc| vc.apply_all(Op::$op, children?))
        })*
    };
}

lists! {
    vc_andExprN And;
    vc_orExprN Or;
}

/// `vc_bvPlusExprN` of STP.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_bvPlusExprN(
    vc: Handle,
    bits: c_int,
    children: *mut Handle,
    count: c_int,
) -> Handle {
    let children = unsafe { members(children, usize::try_from(count).unwrap_or(usize::MAX)) };
    call("vc_bvPlusExprN", vc, |vc| vc.sized(bits, Op::BvAdd, children?))
}

/// `vc_bvConstExprFromStr` of STP: binary digits.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_bvConstExprFromStr(vc: Handle, input: *const c_char) -> Handle {
    let input = unsafe { text(input) };
    call("vc_bvConstExprFromStr", vc, |vc| {
        let input = input?;
        let width = u32::try_from(input.len()).unwrap_or(u32::MAX);
        let term = vc.pool.bitvec(&digits(input, 2, width)?);
        Ok(vc.hand_out(term))
    })
}

/// `vc_bvConstExprFromDecStr` of STP: decimal digits.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_bvConstExprFromDecStr(
    vc: Handle,
    bits: c_int,
    input: *const c_char,
) -> Handle {
    let input = unsafe { text(input) };
    call("vc_bvConstExprFromDecStr", vc, |vc| {
        let term = vc.pool.bitvec(&digits(input?, 10, width(bits)?)?);
        Ok(vc.hand_out(term))
    })
}

/// Puts a text that the program frees where it wants it, and its length.
unsafe fn put_text(buffer: *mut *mut c_char, length: *mut c_ulong, text: &str) -> Outcome<()> {
    expect_place(buffer)?;
    expect_place(length)?;
    let (address, count) = allocated_text(text)?;
    unsafe { put(buffer, address)? };
    unsafe { put(length, count as c_ulong) }
}

/// `vc_printExprToBuffer` of STP.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_printExprToBuffer(
    vc: Handle,
    expr: Handle,
    buffer: *mut *mut c_char,
    length: *mut c_ulong,
) {
    call("vc_printExprToBuffer", vc, |vc| {
        let text = vc.pool.display(vc.term(expr)?).to_string();
        unsafe { put_text(buffer, length, &text) }
    });
}

/// `vc_printCounterExampleToBuffer` of STP.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_printCounterExampleToBuffer(
    vc: Handle,
    buffer: *mut *mut c_char,
    length: *mut c_ulong,
) {
    call("vc_printCounterExampleToBuffer", vc, |vc| {
        let text = vc.print_counterexample()?;
        unsafe { put_text(buffer, length, &text) }
    });
}

/// `vc_printQueryStateToBuffer` of STP: a script whose answer says whether the query is refuted.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_printQueryStateToBuffer(
    vc: Handle,
    expr: Handle,
    buffer: *mut *mut c_char,
    length: *mut c_ulong,
    _simplify: c_int,
) {
    call("vc_printQueryStateToBuffer", vc, |vc| {
        let term = vc.term(expr)?;
        let negated = vc.pool.not(term)?;
        let assertions = [vc.checker.solver().assertions(), &[negated]].concat();
        let text = printed(&vc.pool, &assertions, Language::SmtLib2)?;
        unsafe { put_text(buffer, length, &text) }
    });
}

/// `vc_getCounterExampleArray` of STP: two lists that the program frees.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_getCounterExampleArray(
    vc: Handle,
    expr: Handle,
    indices: *mut *mut Handle,
    values: *mut *mut Handle,
    size: *mut c_int,
) {
    call("vc_getCounterExampleArray", vc, |vc| {
        expect_place(indices)?;
        expect_place(values)?;
        let (found_indices, found_values) = vc.entries(expr)?;
        unsafe { put(size, found_indices.len() as c_int)? };
        unsafe { put(indices, allocated(&found_indices)?)? };
        unsafe { put(values, allocated(&found_values)?) }
    });
}

/// `vc_parseExpr` of STP: the conjunction of what a file asserts, and of the negation of its query.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_parseExpr(vc: Handle, file: *const c_char) -> Handle {
    let file = unsafe { text(file) };
    call("vc_parseExpr", vc, |vc| {
        let file = file?;
        let input = std::fs::read(file)
            .map_err(|error| Fault::argument(format!("'{file}' cannot be read: {error}")))?;
        let (asserted, query) = vc.parse(&input, file)?;
        let negated = vc.pool.not(query)?;
        let both = vc.pool.and(asserted, negated)?;
        Ok(vc.hand_out(both))
    })
}

/// `vc_parseMemExpr` of STP: 1, and the query and the assertions of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn vc_parseMemExpr(
    vc: Handle,
    input: *const c_char,
    query: *mut Handle,
    asserts: *mut Handle,
) -> c_int {
    let input = unsafe { text(input) };
    call("vc_parseMemExpr", vc, |vc| {
        let (asserted, asked) = vc.parse(input?.as_bytes(), "text")?;
        unsafe { put(query, vc.hand_out(asked))? };
        unsafe { put(asserts, vc.hand_out(asserted))? };
        Ok(1)
    })
}
