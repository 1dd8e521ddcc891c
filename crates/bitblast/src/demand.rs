//! Which bits of its arguments the bits of a term depend on.
//!
//! A slice of a wide operation seldom needs all of it: the low bits of a sum, a difference or a product
//! depend on the low bits of the operands alone, a bit of a connective or of a choice on the bits of its
//! column, the high bits of a quotient on the high bits of the dividend, and bits that are only moved on the
//! bits they are. [`needs`] says what a range of bits of a term depends on; the blaster builds no more
//! ([`crate::BitBlaster`]). This is the backward propagation of demanded bits as compilers do it, carried out
//! on the way to the gates, where it costs nothing and where all slices of a term meet.
//!
//! What is right here is held against the reference semantics by `tests/demand.rs`: a bit must not change
//! with a bit that is not needed for it.
//!
//! Cost: linear in the number of arguments, or of pieces that bits are moved in.

use bivalve_terms::{Op, Pool, Term};
use std::ops::Range;

/// Numbers of bits of a term.
pub(crate) type Bits = Range<u32>;

/// How the bits of an operator depend on those of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dependence {
    /// A bit depends on the bits of the same number; a choice on its condition, too.
    Columns,
    /// Each bit is a bit of an argument, or constant: see [`pieces`].
    Moved,
    /// A bit depends on the bits up to its own number.
    Below,
    /// A bit depends on the bits of the first argument up to its own number, and on all bits of the second.
    ShiftLeft,
    /// A bit depends on the bits of the first argument from its own number on, and on all bits of the second.
    ShiftRight,
    /// The same, and bits come from the highest one down.
    Quotient,
    /// Every bit depends on all bits.
    Whole,
}

/// How the bits of a term depend on those of its arguments; an extract is not among the terms asked for.
pub(crate) fn dependence(pool: &Pool, term: Term) -> Dependence {
    match pool.op(term) {
        Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Ite => Dependence::Columns,
        Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvXnor | Op::BvNand | Op::BvNor => {
            Dependence::Columns
        }
        Op::Concat | Op::Repeat | Op::ZeroExtend | Op::SignExtend | Op::RotateLeft | Op::RotateRight => {
            Dependence::Moved
        }
        Op::BvNeg | Op::BvAdd | Op::BvSub | Op::BvMul => Dependence::Below,
        Op::BvShl | Op::BvLshr | Op::BvAshr if pool.op(pool.args(term)[1]) == Op::Const => Dependence::Moved,
        Op::BvShl => Dependence::ShiftLeft,
        Op::BvLshr | Op::BvAshr => Dependence::ShiftRight,
        Op::BvUdiv => Dependence::Quotient,
        _ => Dependence::Whole,
    }
}

/// Consecutive bits of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// These bits of an argument.
    Of(Term, Bits),
    /// So many copies of one bit of an argument.
    Copies(Term, u32, u32),
    /// So many zeros.
    Zeros(u32),
}

/// The bits of the arguments that some bits of a term depend on, where `width_of` gives the width of an
/// argument. An argument may come more than once.
pub(crate) fn needs(
    pool: &Pool,
    term: Term,
    bits: &Bits,
    width_of: impl Fn(Term) -> u32,
    needs: &mut Vec<(Term, Bits)>,
) {
    needs.clear();
    let args = pool.args(term);
    let all = |arg: Term| (arg, 0..width_of(arg));
    match dependence(pool, term) {
        Dependence::Columns if pool.op(term) == Op::Ite => {
            needs.extend([(args[0], 0..1), (args[1], bits.clone()), (args[2], bits.clone())]);
        }
        Dependence::Columns => needs.extend(args.iter().map(|&arg| (arg, bits.clone()))),
        Dependence::Moved => pieces(pool, term, bits, |piece| match piece {
            Piece::Of(arg, bits) => needs.push((arg, bits)),
            Piece::Copies(arg, bit, _) => needs.push((arg, bit..bit + 1)),
            Piece::Zeros(_) => {}
        }),
        Dependence::Below => needs.extend(args.iter().map(|&arg| (arg, 0..bits.end))),
        Dependence::ShiftLeft => needs.extend([(args[0], 0..bits.end), all(args[1])]),
        Dependence::ShiftRight | Dependence::Quotient => {
            needs.extend([(args[0], bits.start..width_of(args[0])), all(args[1])]);
        }
        Dependence::Whole => needs.extend(args.iter().map(|&arg| all(arg))),
    }
}

/// What some bits of a term are that moves bits, from the lowest one on.
pub(crate) fn pieces(pool: &Pool, term: Term, bits: &Bits, mut emit: impl FnMut(Piece)) {
    let args = pool.args(term);
    let width = pool.width(args[0]).expect("bits of vectors are moved");
    let index = pool.index(term);
    match pool.op(term) {
        Op::Concat => concatenated(pool, term, bits, &mut emit),
        Op::ZeroExtend => moved(args[0], width, 0, bits, None, &mut emit),
        Op::SignExtend => moved(args[0], width, 0, bits, Some(width - 1), &mut emit),
        Op::Repeat => turned(args[0], width, 0, bits, &mut emit),
        Op::RotateLeft => turned(args[0], width, width - index % width, bits, &mut emit),
        Op::RotateRight => turned(args[0], width, index % width, bits, &mut emit),
        op => {
            let amount = pool.as_bitvec(args[1]).expect("the amount is constant");
            let amount = amount.to_u64().map_or(i64::from(width), |amount| amount.min(width.into()) as i64);
            match op {
                Op::BvShl => moved(args[0], width, -amount, bits, None, &mut emit),
                Op::BvLshr => moved(args[0], width, amount, bits, None, &mut emit),
                Op::BvAshr => moved(args[0], width, amount, bits, Some(width - 1), &mut emit),
                _ => unreachable!("the operator moves bits"),
            }
        }
    }
}

/// The parts of a concatenation, with those of concatenations inside it: a word of many bytes is put together
/// at once, and what it is put together of on the way, which may be as long, has no bits of its own.
fn concatenated(pool: &Pool, term: Term, bits: &Bits, emit: &mut impl FnMut(Piece)) {
    let (mut todo, mut start) = (vec![term], 0);
    while let Some(part) = todo.pop() {
        let end = start + pool.width(part).expect("vectors are put together");
        let inside = bits.start.max(start)..bits.end.min(end);
        match pool.op(part) {
            Op::Concat if !inside.is_empty() => todo.extend_from_slice(pool.args(part)),
            _ => {
                if !inside.is_empty() {
                    emit(Piece::Of(part, inside.start - start..inside.end - start));
                }
                start = end;
            }
        }
    }
}

/// Bit `i` is bit `i + by` of the argument; zero below it, and above it zero or a copy of a bit.
fn moved(arg: Term, width: u32, by: i64, bits: &Bits, above: Option<u32>, emit: &mut impl FnMut(Piece)) {
    let [start, end] = [bits.start, bits.end].map(|bit| i64::from(bit) + by);
    let inside = |bit: i64| bit.clamp(0, width.into()) as u32;
    let below = end.min(0) - start.min(0);
    if below > 0 {
        emit(Piece::Zeros(below as u32));
    }
    if inside(start) < inside(end) {
        emit(Piece::Of(arg, inside(start)..inside(end)));
    }
    let beyond = end.max(width.into()) - start.max(width.into());
    if beyond > 0 {
        emit(above.map_or(Piece::Zeros(beyond as u32), |bit| Piece::Copies(arg, bit, beyond as u32)));
    }
}

/// Bit `i` is bit `i + by` of the argument, modulo its width.
fn turned(arg: Term, width: u32, by: u32, bits: &Bits, emit: &mut impl FnMut(Piece)) {
    let mut start = (u64::from(bits.start) + u64::from(by)) % u64::from(width);
    let mut left = u64::from(bits.end - bits.start);
    while left > 0 {
        let end = (start + left).min(width.into());
        emit(Piece::Of(arg, start as u32..end as u32));
        left -= end - start;
        start = 0;
    }
}
