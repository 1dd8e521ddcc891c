//! Circuits for some of the bits of a result.
//!
//! [`apply_range`] makes at least the bits of a range, and reads only those bits of the arguments that they
//! depend on (see `demand`). Low bits of sums and products are the sums and products of low bits; and
//! `floor(floor(a / 2^k) / b)` is `floor(floor(a / b) / 2^k)`, so the high bits of a quotient are the
//! quotient of the high bits. All of these make gates of the whole circuit, so what is built later finds them
//! there.
//!
//! The low sum bits of an adder of which only high bits are asked for are made as well, though no clause
//! mentions them: they read the carries, and a carry that only the next one reads would be encoded as part of
//! a long conjunction, and once more when the sum bits are asked for (a stream of k-induction had a thousand
//! times as many conflicts).
//!
//! Cost: that of the part.

use super::{Shape, apply, shifter};
use crate::gates::Gates;
use bivalve_terms::Op;
use std::ops::Range;

/// Bits of an operator's result, with `range` among them, and the number of the first; `None` for operators
/// without a circuit. The operands of sums and products end where the range ends.
pub(crate) fn apply_range<G: Gates + ?Sized>(
    g: &mut G,
    op: Op,
    shape: Shape,
    args: &[&[G::Bit]],
    range: Range<usize>,
) -> Option<(usize, Vec<G::Bit>)> {
    let start = range.start;
    if start == 0 && range.end == shape.width {
        return Some((0, apply(g, op, shape, args)?));
    }
    let made = match (op, args) {
        (Op::BvShl, &[a, amount]) => shifter::shl_columns(g, a, amount, range),
        (Op::BvLshr, &[a, amount]) => shifter::lshr_columns(g, a, amount, range),
        (Op::BvAshr, &[a, amount]) => shifter::ashr_columns(g, a, amount, range),
        (Op::BvUdiv, &[a, b]) => {
            let mut high = a[start..].to_vec();
            high.resize(a.len(), g.constant(false));
            let mut quotient = g.divide(&high, b).0;
            quotient.truncate(a.len() - start);
            quotient
        }
        _ => return Some((0, apply(g, op, shape, args)?)),
    };
    Some((start, made))
}
