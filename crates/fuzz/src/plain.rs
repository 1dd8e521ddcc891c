//! The same formula in plain operators: without those that some solvers do not have.
//!
//! Overflow predicates are of SMT-LIB 2.7, and older solvers do not have them; reductions, rotations by a
//! term and `bvudivo` are extensions; lists of three for `bvsub` and `bvxnor` and rotations beyond 2^31
//! are refused by some. Each is expressed here by operators of SMT-LIB 2.0, in another way than by the
//! circuits and the reference semantics: an overflow is a difference between the exact result, computed
//! with more bits, and the result. So a translation is also a second opinion on the operator it replaces.
//!
//! Cost: a product with overflow gets twice the width; everything else stays linear.

use bivalve_terms::{BitVec, Op, Pool, Term, TermMap, cone};

/// The operators beyond SMT-LIB 2.0, which a solver may not have.
pub const LATER: &[Op] = &[
    Op::ExtRotateLeft,
    Op::ExtRotateRight,
    Op::RedAnd,
    Op::RedOr,
    Op::RedXor,
    Op::BvNego,
    Op::BvUaddo,
    Op::BvSaddo,
    Op::BvUmulo,
    Op::BvSmulo,
    Op::BvUsubo,
    Op::BvSsubo,
    Op::BvSdivo,
    Op::BvUdivo,
];

/// `roots` without operators beyond SMT-LIB 2.0.
pub fn translate(pool: &mut Pool, roots: &[Term]) -> Vec<Term> {
    let mut images: TermMap<Term> = TermMap::new();
    for term in cone(pool, roots) {
        let image = |arg: &Term| *images.get(*arg).expect("children come first");
        let args: Vec<Term> = pool.args(term).iter().map(image).collect();
        let plain = if args.is_empty() { term } else { image_of(pool, term, &args) };
        images.insert(term, plain);
    }
    roots.iter().map(|root| *images.get(*root).expect("a root is in its cone")).collect()
}

/// The operator of `term` over translated arguments.
fn image_of(pool: &mut Pool, term: Term, args: &[Term]) -> Term {
    let op = pool.op(term);
    match op {
        // Some solvers refuse these forms.
        Op::BvSub | Op::BvXnor => {
            args[1..].iter().fold(args[0], |first, &second| pool.mk(op, &[first, second]))
        }
        Op::RotateLeft | Op::RotateRight => {
            let within = pool.index(term) % pool.width(term).expect("a rotation is a bit-vector");
            pool.mk_indexed(op, &[within], args)
        }
        Op::BvUdivo => pool.bool(false),
        Op::ExtRotateLeft => rotation(pool, Op::BvShl, Op::BvLshr, args),
        Op::ExtRotateRight => rotation(pool, Op::BvLshr, Op::BvShl, args),
        Op::RedAnd => {
            let ones = constant(pool, args[0], BitVec::ones);
            pool.mk(Op::BvComp, &[args[0], ones])
        }
        Op::RedOr => {
            let zero = constant(pool, args[0], BitVec::zero);
            let none = pool.mk(Op::BvComp, &[args[0], zero]);
            pool.mk(Op::BvNot, &[none])
        }
        Op::RedXor => parity(pool, args[0]),
        Op::BvNego => is_least(pool, args[0]),
        Op::BvUaddo => inexact(pool, Op::BvAdd, Op::ZeroExtend, 1, args),
        Op::BvSaddo => inexact(pool, Op::BvAdd, Op::SignExtend, 1, args),
        Op::BvUsubo => pool.mk(Op::BvUlt, args),
        Op::BvSsubo => inexact(pool, Op::BvSub, Op::SignExtend, 1, args),
        Op::BvUmulo | Op::BvSmulo => {
            let extend = if op == Op::BvUmulo { Op::ZeroExtend } else { Op::SignExtend };
            let more = width(pool, args[0]);
            inexact(pool, Op::BvMul, extend, more, args)
        }
        Op::BvSdivo => {
            let minus_one = constant(pool, args[1], BitVec::ones);
            let by_minus_one = pool.mk(Op::Eq, &[args[1], minus_one]);
            let least = is_least(pool, args[0]);
            pool.mk(Op::And, &[least, by_minus_one])
        }
        _ => pool.rebuild(term, args),
    }
}

fn width(pool: &Pool, term: Term) -> u32 {
    pool.width(term).expect("a bit-vector")
}

/// The constant that `make` gives for the width of `like`.
fn constant(pool: &mut Pool, like: Term, make: fn(u32) -> BitVec) -> Term {
    let value = make(width(pool, like));
    pool.bitvec(&value)
}

fn is_least(pool: &mut Pool, term: Term) -> Term {
    let least = constant(pool, term, BitVec::min_signed);
    pool.mk(Op::Eq, &[term, least])
}

/// The result, extended, is not the result of the extended arguments.
fn inexact(pool: &mut Pool, op: Op, extend: Op, more: u32, args: &[Term]) -> Term {
    let result = pool.mk(op, args);
    let [a, b, result] = [args[0], args[1], result].map(|term| pool.mk_indexed(extend, &[more], &[term]));
    let exact = pool.mk(op, &[a, b]);
    pool.mk(Op::Distinct, &[exact, result])
}

/// A shift to one side by the amount modulo the width, and to the other by the rest. (A width fits into its
/// own number of bits.)
fn rotation(pool: &mut Pool, there: Op, back: Op, args: &[Term]) -> Term {
    let all = pool.bv_u64(u64::from(width(pool, args[0])), width(pool, args[0]));
    let amount = pool.mk(Op::BvUrem, &[args[1], all]);
    let rest = pool.mk(Op::BvSub, &[all, amount]);
    let (high, low) = (pool.mk(there, &[args[0], amount]), pool.mk(back, &[args[0], rest]));
    pool.mk(Op::BvOr, &[high, low])
}

fn parity(pool: &mut Pool, term: Term) -> Term {
    let bits: Vec<Term> =
        (0..width(pool, term)).map(|i| pool.mk_indexed(Op::Extract, &[i, i], &[term])).collect();
    if let [bit] = bits[..] { bit } else { pool.mk(Op::BvXor, &bits) }
}
