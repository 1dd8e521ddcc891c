//! Slices, concatenations and extensions: the wiring.
//!
//! Slices move down: through slices, concatenations and complements always, through bitwise operators and
//! choices where one side dissolves. Those of sums and products stay: the encoder leaves out the bits that no
//! one asks for, and slices that stay can be joined when a word is put together again. Concatenations lean to
//! the right, constants that meet fuse, and neighbouring slices of one term join, also in the branches of
//! choices by one condition.

use super::known;
use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Term};

pub(super) const ROWS: &[Row] = &[
    function("extract_all", "((_ extract h l) x)", "x, if it is all of x", |pool, m| {
        (pool.width(m.head.args[0]) == Some(m.width())).then(|| m.head.args[0])
    }),
    function(
        "extract_extract",
        "((_ extract h l) ((_ extract i j) x))",
        "((_ extract h+j l+j) x)",
        extract_extract,
    ),
    function("extract_concat", "((_ extract h l) (concat x y))", "slices of the parts", extract_concat),
    function(
        "extract_sign_extend",
        "((_ extract h l) ((_ sign_extend i) x))",
        "a slice of x, extended",
        extract_sign_extend,
    ),
    function("extract_not", "((_ extract h l) (bvnot x))", "(bvnot ((_ extract h l) x))", |pool, m| {
        Some(inward(pool, m, 0))
    }),
    function(
        "extract_and",
        "((_ extract h l) (bvand x y))",
        "(bvand ((_ extract h l) x) ((_ extract h l) y)), if one dissolves",
        bitwise,
    ),
    function(
        "extract_xor",
        "((_ extract h l) (bvxor x y))",
        "(bvxor ((_ extract h l) x) ((_ extract h l) y)), if one dissolves",
        bitwise,
    ),
    function(
        "extract_ite",
        "((_ extract h l) (ite c x y))",
        "(ite c ((_ extract h l) x) ((_ extract h l) y)), if one dissolves",
        extract_ite,
    ),
    function(
        "extract_lowest_add",
        "((_ extract h l) (bvadd x y))",
        "(bvxor ((_ extract 0 0) x) ((_ extract 0 0) y)), if h = l = 0",
        lowest,
    ),
    function(
        "extract_lowest_mul",
        "((_ extract h l) (bvmul x y))",
        "(bvand ((_ extract 0 0) x) ((_ extract 0 0) y)), if h = l = 0",
        lowest,
    ),
    function(
        "extract_lowest_neg",
        "((_ extract h l) (bvneg x))",
        "((_ extract 0 0) x), if h = l = 0",
        lowest,
    ),
    function("extract_square", "((_ extract h l) (bvmul x x))", "#b0, if h = l = 1", |pool, m| {
        (m.head.index == 1 && m.width() == 1).then(|| make::zeros(pool, 1))
    }),
    function(
        "extract_reciprocal",
        "((_ extract h l) (bvmul n (concat k x)))",
        "bits of (bvudiv x d), if n is 2^l / d, rounded up, as close as x needs it, and k = 0",
        reciprocal,
    ),
    function("sign_extend_none", "((_ sign_extend i) x)", "x, if i = 0", |_, m| {
        (m.head.index == 0).then(|| m.head.args[0])
    }),
    function(
        "sign_extend_twice",
        "((_ sign_extend i) ((_ sign_extend j) x))",
        "((_ sign_extend i+j) x)",
        sign_extend_twice,
    ),
    function(
        "sign_extend_constant",
        "((_ sign_extend i) (concat k x))",
        "(concat k' x), k extended",
        sign_extend_constant,
    ),
    function(
        "sign_extend_not",
        "((_ sign_extend i) (bvnot x))",
        "(bvnot ((_ sign_extend i) x))",
        |pool, m| {
            let x = make::not(pool, m.head.args[0]);
            let extended = make::indexed(pool, Op::SignExtend, &[m.head.index], &[x]);
            Some(make::not(pool, extended))
        },
    ),
    equation("concat_constants", "(concat k (concat m x))", "(concat (concat k m) x)"),
    equation("concat_right", "(concat (concat x y) z)", "(concat x (concat y z))"),
    function(
        "concat_slices",
        "(concat ((_ extract h i) x) ((_ extract j l) x))",
        "((_ extract h l) x), if i = j + 1",
        |pool, m| {
            let &[high, low] = m.head.args else { return None };
            join(pool, high, low)
        },
    ),
    function(
        "concat_slices_before",
        "(concat ((_ extract h i) x) (concat ((_ extract j l) x) y))",
        "(concat ((_ extract h l) x) y), if i = j + 1",
        |pool, m| {
            let &[high, rest] = m.head.args else { return None };
            let &[low, rest] = pool.args(rest) else { return None };
            let joined = join(pool, high, low)?;
            Some(make::concat(pool, &[Some(joined), Some(rest)]))
        },
    ),
    function(
        "concat_then_slices",
        "(concat (ite c ((_ extract h i) x) y) (ite c ((_ extract j l) x) z))",
        "(ite c ((_ extract h l) x) (concat y z)), if i = j + 1",
        |pool, m| {
            let &[high, low] = m.head.args else { return None };
            join_choices(pool, high, low)
        },
    ),
    function(
        "concat_then_slices_before",
        "(concat (ite c ((_ extract h i) x) y) (concat (ite c ((_ extract j l) x) z) v))",
        "(concat (ite c ((_ extract h l) x) (concat y z)) v), if i = j + 1",
        |pool, m| {
            let &[high, rest] = m.head.args else { return None };
            let &[low, rest] = pool.args(rest) else { return None };
            let joined = join_choices(pool, high, low)?;
            Some(make::concat(pool, &[Some(joined), Some(rest)]))
        },
    ),
    function(
        "concat_else_slices",
        "(concat (ite c y ((_ extract h i) x)) (ite c z ((_ extract j l) x)))",
        "(ite c (concat y z) ((_ extract h l) x)), if i = j + 1",
        |pool, m| {
            let &[high, low] = m.head.args else { return None };
            join_choices(pool, high, low)
        },
    ),
    function(
        "concat_else_slices_before",
        "(concat (ite c y ((_ extract h i) x)) (concat (ite c z ((_ extract j l) x)) v))",
        "(concat (ite c (concat y z) ((_ extract h l) x)) v), if i = j + 1",
        |pool, m| {
            let &[high, rest] = m.head.args else { return None };
            let &[low, rest] = pool.args(rest) else { return None };
            let joined = join_choices(pool, high, low)?;
            Some(make::concat(pool, &[Some(joined), Some(rest)]))
        },
    ),
    function("concat_bit_twice", "(concat x x)", "((_ sign_extend 1) x), if it is a bit", |pool, m| {
        if m.width() == 2 { copy(pool, m) } else { None }
    }),
    function(
        "concat_bit_again",
        "(concat x ((_ sign_extend i) x))",
        "((_ sign_extend i+1) x), if it is a bit",
        |pool, m| {
            let bit = pool.width(m.head.args[0]) == Some(1);
            if bit { copy(pool, m) } else { None }
        },
    ),
    function(
        "concat_sign",
        "(concat ((_ extract h h) x) x)",
        "((_ sign_extend 1) x), if h is the sign",
        |pool, m| {
            let &[sign, x] = m.head.args else { return None };
            is_sign(pool, sign, x).then(|| make::indexed(pool, Op::SignExtend, &[1], &[x]))
        },
    ),
    function(
        "concat_sign_extended",
        "(concat ((_ extract h h) x) ((_ sign_extend i) x))",
        "((_ sign_extend i+1) x), if h is the sign",
        |pool, m| {
            let &[sign, extended] = m.head.args else { return None };
            let x = pool.args(extended)[0];
            let more = pool.index(extended) + 1;
            is_sign(pool, sign, x).then(|| make::indexed(pool, Op::SignExtend, &[more], &[x]))
        },
    ),
    function(
        "concat_sign_choice",
        "(concat (ite (= #b1 ((_ extract h h) x)) ones 0) x)",
        "((_ sign_extend i) x), if h is the sign",
        |pool, m| {
            let &[choice, x] = m.head.args else { return None };
            let sign = pool.args(pool.args(choice)[0])[1];
            let more = pool.width(choice)?;
            is_sign(pool, sign, x).then(|| make::indexed(pool, Op::SignExtend, &[more], &[x]))
        },
    ),
];

/// The bounds of the slice at the head.
fn bounds(m: &Match<'_>) -> (u32, u32) {
    (m.head.index + m.width() - 1, m.head.index)
}

/// Wider products are not made by compilers, and looking at them takes long.
const WIDEST_RECIPROCAL: u32 = 1 << 12;

/// What compilers make of a division by a constant `d`: a product with `n = (2^l + e) / d`, of which the
/// lowest `l` bits are left out. With `x = q d + r` it is `q + r / d + x e / (d 2^l)`, and the fractions are
/// below 1 if `x e < 2^l` (Granlund and Montgomery, *Division by invariant integers using multiplication*,
/// PLDI 1994).
fn reciprocal(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let (cut, product) = (m.head.index, m.head.args[0]);
    let &[a, b] = pool.args(product) else { return None };
    let (factor, wide) = if pool.is_const(a) { (a, b) } else { (b, a) };
    let ((_, x), factor) = (known::leading_zeros(pool, wide)?, pool.as_bitvec(factor)?);
    let (width, bits) = (pool.width(product)?, pool.width(x)?);
    if width > WIDEST_RECIPROCAL || factor.is_zero() || width - factor.leading_zeros() + bits > width {
        return None;
    }
    let room = 2 * width + 2;
    let (factor, one) = (factor.zero_extend(room - width), BitVec::one(room));
    let power = one.shl_by(cut);
    let divisor = power.add(&factor).sub(&one).udiv(&factor);
    let (excess, most) = (factor.mul(&divisor).sub(&power), one.shl_by(bits).sub(&one));
    let is_close = most.ule(&one.shl_by(width)) && excess.ule(&power) && excess.mul(&most).ult(&power);
    let is_reciprocal = divisor.ule(&most) && divisor.log2_exact().is_none();
    if !is_close || !is_reciprocal {
        return None;
    }
    let divisor = pool.bitvec(&divisor.extract(bits - 1, 0));
    let quotient = make::app(pool, Op::BvUdiv, &[x, divisor]);
    Some(match m.width() < bits {
        true => make::extract(pool, quotient, m.width() - 1, 0),
        false => known::zero_extend_to(pool, quotient, m.width()),
    })
}

fn extract_extract(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let (high, low) = bounds(m);
    let inner = m.head.args[0];
    let (x, offset) = (pool.args(inner)[0], pool.index(inner));
    Some(make::extract(pool, x, high + offset, low + offset))
}

fn extract_concat(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let (high, low) = bounds(m);
    Some(make::slice_of_concat(pool, m.head.args[0], high, low))
}

fn extract_sign_extend(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let (high, low) = bounds(m);
    let x = pool.args(m.head.args[0])[0];
    let top = pool.width(x)? - 1;
    if high <= top {
        return Some(make::extract(pool, x, high, low));
    }
    // At least the sign bit of x is in the slice, or is what all its bits are copies of.
    let part = make::extract(pool, x, top, low.min(top));
    let copies = high - low.max(top);
    Some(if copies == 0 { part } else { make::indexed(pool, Op::SignExtend, &[copies], &[part]) })
}

/// The operator below, over slices of its children from number `from` on.
fn inward(pool: &mut Pool, m: &Match<'_>, from: usize) -> Term {
    let (high, low) = bounds(m);
    make::inward(pool, m.head.args[0], high, low, from)
}

/// Does a slice of the term dissolve into something that is there, or smaller?
fn dissolves(pool: &Pool, term: Term) -> bool {
    match pool.op(term) {
        Op::Const | Op::Concat | Op::Extract | Op::SignExtend => true,
        Op::BvNot => dissolves_plain(pool, pool.args(term)[0]),
        _ => false,
    }
}

fn dissolves_plain(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::Concat | Op::Extract | Op::SignExtend)
}

fn bitwise(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let dissolve = pool.args(m.head.args[0]).iter().any(|&arg| dissolves(pool, arg));
    dissolve.then(|| inward(pool, m, 0))
}

fn extract_ite(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let dissolve = pool.args(m.head.args[0])[1..].iter().any(|&arg| dissolves(pool, arg));
    dissolve.then(|| inward(pool, m, 1))
}

/// The lowest bit of a sum, a product or a negation.
fn lowest(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    (bounds(m) == (0, 0)).then(|| inward(pool, m, 0))
}

fn sign_extend_twice(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let inner = m.head.args[0];
    let (x, more) = (pool.args(inner)[0], m.head.index + pool.index(inner));
    Some(make::indexed(pool, Op::SignExtend, &[more], &[x]))
}

fn sign_extend_constant(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[k, x] = pool.args(m.head.args[0]) else { return None };
    let k = make::indexed(pool, Op::SignExtend, &[m.head.index], &[k]);
    Some(make::concat(pool, &[Some(k), Some(x)]))
}

/// Two slices of one term as one, if they are neighbours.
fn join(pool: &mut Pool, high: Term, low: Term) -> Option<Term> {
    let (above, below, width) = (pool.index(high), pool.index(low), pool.width(low)?);
    let top = above + pool.width(high)? - 1;
    let x = pool.args(high)[0];
    (above == below + width).then(|| make::extract(pool, x, top, below))
}

/// The choice between two joined words that two choices by one condition are, if slices are joined in it.
fn join_choices(pool: &mut Pool, high: Term, low: Term) -> Option<Term> {
    let (&[condition, x, y], &[_, z, w]) = (pool.args(high), pool.args(low)) else { return None };
    let is_joined = |pool: &Pool, high: Term, low: Term| {
        let are_slices = [high, low].iter().all(|&slice| pool.op(slice) == Op::Extract);
        are_slices && pool.args(high) == pool.args(low)
    };
    let mut joins = false;
    let branches = [(x, z), (y, w)].map(|(high, low)| {
        let joined = if is_joined(pool, high, low) { join(pool, high, low) } else { None };
        joins |= joined.is_some();
        joined.unwrap_or_else(|| make::concat(pool, &[Some(high), Some(low)]))
    });
    joins.then(|| make::ite(pool, condition, branches[0], branches[1]))
}

/// Is the slice `sign` of `x` its most significant bit?
fn is_sign(pool: &Pool, sign: Term, x: Term) -> bool {
    pool.width(sign) == Some(1) && pool.width(x) == Some(pool.index(sign) + 1)
}

/// The bit `x` in front of copies of it.
fn copy(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[x, copies] = m.head.args else { return None };
    let more = pool.width(copies)?;
    Some(make::indexed(pool, Op::SignExtend, &[more], &[x]))
}
