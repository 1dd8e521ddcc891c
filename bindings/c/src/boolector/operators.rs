//! Operators of `boolector.h`, in families by what they take.
#![allow(unsafe_code, reason = "names of C; no address is followed here")]

use super::btor::{Btor, BtorPtr, NodePtr, SortPtr, with};
use crate::ending::carried_out;
use crate::fault::Outcome;
use bivalve::terms::{BitVec, Op};

pub(super) static ABORT: crate::ending::Reporter = std::sync::Mutex::new(None);

/// A call that returns a node.
pub(super) fn made(
    function: &str,
    btor: BtorPtr,
    body: impl FnOnce(&mut Btor) -> Outcome<NodePtr>,
) -> NodePtr {
    carried_out(&ABORT, function, || with(btor, body))
}

macro_rules! unary {
    ($($name:ident $body:expr;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(btor: BtorPtr, node: NodePtr) -> NodePtr {
            let body: fn(&mut Btor, NodePtr) -> Outcome<NodePtr> = $body;
            made(stringify!($name), btor, |btor| body(btor, node))
        })*
    };
}

macro_rules! binary {
    ($($name:ident $body:expr;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(btor: BtorPtr, left: NodePtr, right: NodePtr) -> NodePtr {
            let body: fn(&mut Btor, NodePtr, NodePtr) -> Outcome<NodePtr> = $body;
            made(stringify!($name), btor, |btor| body(btor, left, right))
        })*
    };
}

macro_rules! indexed {
    ($($name:ident $op:ident;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(btor: BtorPtr, node: NodePtr, index: u32) -> NodePtr {
            made(stringify!($name), btor, |btor| btor.apply_op(Op::$op, &[index], &[node]))
        })*
    };
}

macro_rules! constants {
    ($($name:ident $make:expr;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(btor: BtorPtr, sort: SortPtr) -> NodePtr {
            made(stringify!($name), btor, |btor| btor.constant(sort, $make))
        })*
    };
}

unary! {
    boolector_not |b, x| b.bitwise(Op::BvNot, Op::Not, &[x]);
    boolector_neg |b, x| b.apply_op(Op::BvNeg, &[], &[x]);
    boolector_redor |b, x| b.apply_op(Op::RedOr, &[], &[x]);
    boolector_redxor |b, x| b.apply_op(Op::RedXor, &[], &[x]);
    boolector_redand |b, x| b.apply_op(Op::RedAnd, &[], &[x]);
    boolector_inc |b, x| b.step(Op::BvAdd, x);
    boolector_dec |b, x| b.step(Op::BvSub, x);
    boolector_copy |b, x| b.copy(x);
    boolector_get_value |b, x| b.value_node(x);
}

binary! {
    boolector_implies |b, x, y| b.connective(Op::Implies, &[x, y]);
    boolector_iff |b, x, y| b.connective(Op::Eq, &[x, y]);
    boolector_eq |b, x, y| b.equal(x, y, Op::Eq);
    boolector_ne |b, x, y| b.equal(x, y, Op::Distinct);
    boolector_xor |b, x, y| b.bitwise(Op::BvXor, Op::Xor, &[x, y]);
    boolector_xnor |b, x, y| b.bitwise(Op::BvXnor, Op::Eq, &[x, y]);
    boolector_and |b, x, y| b.bitwise(Op::BvAnd, Op::And, &[x, y]);
    boolector_nand |b, x, y| b.apply_op(Op::BvNand, &[], &[x, y]);
    boolector_or |b, x, y| b.bitwise(Op::BvOr, Op::Or, &[x, y]);
    boolector_nor |b, x, y| b.apply_op(Op::BvNor, &[], &[x, y]);
    boolector_add |b, x, y| b.apply_op(Op::BvAdd, &[], &[x, y]);
    boolector_uaddo |b, x, y| b.apply_op(Op::BvUaddo, &[], &[x, y]);
    boolector_saddo |b, x, y| b.apply_op(Op::BvSaddo, &[], &[x, y]);
    boolector_mul |b, x, y| b.apply_op(Op::BvMul, &[], &[x, y]);
    boolector_umulo |b, x, y| b.apply_op(Op::BvUmulo, &[], &[x, y]);
    boolector_smulo |b, x, y| b.apply_op(Op::BvSmulo, &[], &[x, y]);
    boolector_ult |b, x, y| b.apply_op(Op::BvUlt, &[], &[x, y]);
    boolector_slt |b, x, y| b.apply_op(Op::BvSlt, &[], &[x, y]);
    boolector_ulte |b, x, y| b.apply_op(Op::BvUle, &[], &[x, y]);
    boolector_slte |b, x, y| b.apply_op(Op::BvSle, &[], &[x, y]);
    boolector_ugt |b, x, y| b.apply_op(Op::BvUgt, &[], &[x, y]);
    boolector_sgt |b, x, y| b.apply_op(Op::BvSgt, &[], &[x, y]);
    boolector_ugte |b, x, y| b.apply_op(Op::BvUge, &[], &[x, y]);
    boolector_sgte |b, x, y| b.apply_op(Op::BvSge, &[], &[x, y]);
    boolector_sll |b, x, y| b.shift(Op::BvShl, x, y);
    boolector_srl |b, x, y| b.shift(Op::BvLshr, x, y);
    boolector_sra |b, x, y| b.shift(Op::BvAshr, x, y);
    boolector_rol |b, x, y| b.shift(Op::ExtRotateLeft, x, y);
    boolector_ror |b, x, y| b.shift(Op::ExtRotateRight, x, y);
    boolector_sub |b, x, y| b.apply_op(Op::BvSub, &[], &[x, y]);
    boolector_usubo |b, x, y| b.apply_op(Op::BvUsubo, &[], &[x, y]);
    boolector_ssubo |b, x, y| b.apply_op(Op::BvSsubo, &[], &[x, y]);
    boolector_udiv |b, x, y| b.apply_op(Op::BvUdiv, &[], &[x, y]);
    boolector_sdiv |b, x, y| b.apply_op(Op::BvSdiv, &[], &[x, y]);
    boolector_sdivo |b, x, y| b.apply_op(Op::BvSdivo, &[], &[x, y]);
    boolector_urem |b, x, y| b.apply_op(Op::BvUrem, &[], &[x, y]);
    boolector_srem |b, x, y| b.apply_op(Op::BvSrem, &[], &[x, y]);
    boolector_smod |b, x, y| b.apply_op(Op::BvSmod, &[], &[x, y]);
    boolector_concat |b, x, y| b.apply_op(Op::Concat, &[], &[x, y]);
    boolector_read |b, x, y| b.read(x, y);
}

indexed! {
    boolector_uext ZeroExtend;
    boolector_sext SignExtend;
    boolector_repeat Repeat;
    boolector_roli RotateLeft;
    boolector_rori RotateRight;
}

constants! {
    boolector_zero BitVec::zero;
    boolector_ones BitVec::ones;
    boolector_one BitVec::one;
    boolector_min_signed BitVec::min_signed;
    boolector_max_signed BitVec::max_signed;
}

/// `boolector_slice` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_slice(btor: BtorPtr, node: NodePtr, upper: u32, lower: u32) -> NodePtr {
    made("boolector_slice", btor, |btor| btor.apply_op(Op::Extract, &[upper, lower], &[node]))
}

/// `boolector_write` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_write(
    btor: BtorPtr,
    array: NodePtr,
    index: NodePtr,
    value: NodePtr,
) -> NodePtr {
    made("boolector_write", btor, |btor| btor.write(array, index, value))
}

/// `boolector_cond` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_cond(
    btor: BtorPtr,
    condition: NodePtr,
    then: NodePtr,
    other: NodePtr,
) -> NodePtr {
    made("boolector_cond", btor, |btor| btor.choice(condition, then, other))
}

/// `boolector_unsigned_int` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_unsigned_int(btor: BtorPtr, value: u32, sort: SortPtr) -> NodePtr {
    made("boolector_unsigned_int", btor, |btor| {
        btor.constant(sort, |width| BitVec::from_u64(value.into(), width))
    })
}

/// `boolector_int` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_int(btor: BtorPtr, value: i32, sort: SortPtr) -> NodePtr {
    made("boolector_int", btor, |btor| {
        btor.constant(sort, |width| {
            let bits = i64::from(value) as u64;
            match width {
                0..=64 => BitVec::from_u64(bits, width),
                _ => BitVec::from_u64(bits, 64).sign_extend(width - 64),
            }
        })
    })
}

/// `boolector_true` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_true(btor: BtorPtr) -> NodePtr {
    made("boolector_true", btor, |btor| bit(btor, true))
}

/// `boolector_false` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_false(btor: BtorPtr) -> NodePtr {
    made("boolector_false", btor, |btor| bit(btor, false))
}

fn bit(btor: &mut Btor, value: bool) -> Outcome<NodePtr> {
    let term = btor.pool.bv_u64(u64::from(value), 1);
    btor.node_of(term)
}
