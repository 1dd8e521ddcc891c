//! The functions of `stp/c_interface.h` that look at an expression, without its checker.
#![allow(unsafe_code, non_snake_case, reason = "names of C; no address is followed here")]

use super::abi::{HANDLER, ask};
use super::vc::{Handle, Vc, with_owner};
use crate::ending::carried_out;
use crate::fault::Fault;
use crate::opaque::Tag;
use crate::streams::allocated_text;
use bivalve::terms::{Op, SortKind, Term};
use std::ffi::{c_char, c_int, c_uint, c_ulonglong};

/// `getBVInt` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getBVInt(expr: Handle) -> c_int {
    ask("getBVInt", expr, |vc| Ok(vc.number(expr)? as c_int))
}

/// `getBVUnsigned` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getBVUnsigned(expr: Handle) -> c_uint {
    ask("getBVUnsigned", expr, |vc| Ok(vc.number(expr)? as c_uint))
}

/// `getBVUnsignedLongLong` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getBVUnsignedLongLong(expr: Handle) -> c_ulonglong {
    ask("getBVUnsignedLongLong", expr, |vc| vc.number(expr))
}

/// `exprString` of STP: a text that the program frees.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn exprString(expr: Handle) -> *mut c_char {
    ask("exprString", expr, |vc| {
        let term = vc.term(expr)?;
        Ok(allocated_text(&vc.pool.display(term).to_string())?.0)
    })
}

/// `typeString` of STP: a text that the program frees.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn typeString(of: Handle) -> *mut c_char {
    carried_out(&HANDLER, "typeString", || {
        with_owner(Tag::Type, of, |vc| Ok(allocated_text(&vc.pool.sorts().display(vc.sort(of)?))?.0))
    })
}

/// The bits of an index, which STP has as a constant.
const INDEX_WIDTH: u32 = 32;

/// The indices of an expression that STP counts among its children: the highest and the lowest bit of an
/// extraction, and the width of an extended bit-vector.
fn indices(vc: &Vc, term: Term) -> Vec<u32> {
    match vc.pool.op(term) {
        Op::Extract => vc.pool.indices(term),
        Op::SignExtend | Op::ZeroExtend => vc.pool.width(term).into_iter().collect(),
        _ => vec![],
    }
}

/// `getChild` of STP: the indices of an expression come after its arguments, as constants.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getChild(expr: Handle, position: c_int) -> Handle {
    ask("getChild", expr, |vc| {
        let term = vc.term(expr)?;
        let (args, indices) = (vc.pool.args(term), indices(vc, term));
        let count = args.len() + indices.len();
        let missing = || Fault::argument(format!("there are {count} children"));
        let position =
            usize::try_from(position).ok().filter(|&position| position < count).ok_or_else(missing)?;
        let child = match position.checked_sub(args.len()) {
            None => args[position],
            Some(index) => vc.pool.bv_u64(u64::from(indices[index]), INDEX_WIDTH),
        };
        Ok(vc.hand_out(child))
    })
}

/// `getDegree` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getDegree(expr: Handle) -> c_int {
    ask("getDegree", expr, |vc| {
        let term = vc.term(expr)?;
        Ok((vc.pool.args(term).len() + indices(vc, term).len()) as c_int)
    })
}

/// `getBVLength` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getBVLength(expr: Handle) -> c_int {
    ask("getBVLength", expr, |vc| Ok(vc.width(expr)? as c_int))
}

/// `getType` of STP: 0 for formulas, 1 for bit-vectors, 2 for arrays.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getType(expr: Handle) -> c_int {
    ask("getType", expr, |vc| {
        Ok(match vc.pool.sort_kind(vc.term(expr)?) {
            SortKind::Bool => 0,
            SortKind::BitVec(_) => 1,
            SortKind::Array { .. } => 2,
            _ => 3,
        })
    })
}

/// `getVWidth` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getVWidth(expr: Handle) -> c_int {
    ask("getVWidth", expr, |vc| Ok(vc.widths(expr)?.1 as c_int))
}

/// `getIWidth` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getIWidth(expr: Handle) -> c_int {
    ask("getIWidth", expr, |vc| Ok(vc.widths(expr)?.0 as c_int))
}

/// `exprName` of STP: a text that lives as long as the checker.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn exprName(expr: Handle) -> *const c_char {
    ask("exprName", expr, |vc| vc.name(expr))
}

/// `getExprID` of STP.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getExprID(expr: Handle) -> c_int {
    ask("getExprID", expr, |vc| Ok(vc.term(expr)?.index() as c_int))
}

/// The kinds of STP by number, for the operators that there are.
const KINDS: &[(Op, c_int)] = &[
    (Op::Symbol, 1),
    (Op::BvNot, 3),
    (Op::Concat, 4),
    (Op::BvOr, 5),
    (Op::BvAnd, 6),
    (Op::BvXor, 7),
    (Op::BvNand, 8),
    (Op::BvNor, 9),
    (Op::BvXnor, 10),
    (Op::Extract, 11),
    (Op::BvShl, 12),
    (Op::BvLshr, 13),
    (Op::BvAshr, 14),
    (Op::BvAdd, 16),
    (Op::BvSub, 17),
    (Op::BvNeg, 18),
    (Op::BvMul, 20),
    (Op::BvUdiv, 21),
    (Op::BvUrem, 22),
    (Op::BvSdiv, 23),
    (Op::BvSrem, 24),
    (Op::BvSmod, 25),
    (Op::SignExtend, 26),
    (Op::ZeroExtend, 27),
    (Op::Ite, 28),
    (Op::BvUlt, 30),
    (Op::BvUle, 31),
    (Op::BvUgt, 32),
    (Op::BvUge, 33),
    (Op::BvSlt, 34),
    (Op::BvSle, 35),
    (Op::BvSgt, 36),
    (Op::BvSge, 37),
    (Op::Eq, 38),
    (Op::Not, 41),
    (Op::And, 42),
    (Op::Or, 43),
    (Op::Xor, 46),
    (Op::Implies, 48),
    (Op::Select, 50),
    (Op::Store, 51),
];

/// `getExprKind` of STP; 0 for operators that STP does not have.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn getExprKind(expr: Handle) -> c_int {
    ask("getExprKind", expr, |vc| {
        let term = vc.term(expr)?;
        let op = vc.pool.op(term);
        Ok(match (op, vc.pool.as_bool(term)) {
            (Op::Const, Some(value)) => 39 + c_int::from(value),
            (Op::Const, None) => 2,
            (Op::Eq, _) if vc.pool.sort(vc.pool.args(term)[0]).is_bool() => 47,
            _ => KINDS.iter().find(|(row, _)| *row == op).map_or(0, |&(_, kind)| kind),
        })
    })
}

/// `vc_isBool` of STP: 1 for true, 0 for false, -1 for anything else.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn vc_isBool(expr: Handle) -> c_int {
    ask("vc_isBool", expr, |vc| Ok(vc.pool.as_bool(vc.term(expr)?).map_or(-1, c_int::from)))
}
