//! Signed quotients and remainders by unsigned ones, so that only those need lemmas.
//!
//! The definitions of SMT-LIB: the operator applied to absolute values, and the sign put back. They are
//! total, so nothing is assumed about a divisor of zero.

use bivalve_terms::{Op, Pool, Term};

/// The unsigned operator of a signed one that is said here.
fn unsigned(op: Op) -> Option<Op> {
    match op {
        Op::BvSdiv => Some(Op::BvUdiv),
        Op::BvSrem => Some(Op::BvUrem),
        _ => None,
    }
}

/// Whether it is a signed quotient or remainder; by a power of two it is better as a circuit.
pub(crate) fn is_said(pool: &Pool, term: Term) -> bool {
    let is_power = || {
        let divisor = pool.as_bitvec(pool.args(term)[1]);
        divisor.is_some_and(|value| value.log2_exact().or(value.neg().log2_exact()).is_some())
    };
    unsigned(pool.op(term)).is_some() && !is_power()
}

/// The same by an unsigned operator, for which `replaced` may put something else.
pub(crate) fn by_unsigned(
    pool: &mut Pool,
    term: Term,
    replaced: &mut dyn FnMut(&mut Pool, Term) -> Term,
) -> Term {
    let (&[x, s], Some(op)) = (pool.args(term), unsigned(pool.op(term))) else { return term };
    let (x_sign, s_sign) = (is_negative(pool, x), is_negative(pool, s));
    let args = [absolute(pool, x_sign, x), absolute(pool, s_sign, s)];
    let found = pool.mk(op, &args);
    let found = replaced(pool, found);
    let sign = if op == Op::BvUdiv { pool.mk(Op::Xor, &[x_sign, s_sign]) } else { x_sign };
    let minus = pool.mk(Op::BvNeg, &[found]);
    pool.mk(Op::Ite, &[sign, minus, found])
}

fn is_negative(pool: &mut Pool, x: Term) -> Term {
    let top = pool.width(x).expect("operands are bit-vectors") - 1;
    let sign = pool.mk_indexed(Op::Extract, &[top, top], &[x]);
    let one = pool.bv_u64(1, 1);
    pool.mk(Op::Eq, &[sign, one])
}

fn absolute(pool: &mut Pool, is_negative: Term, x: Term) -> Term {
    let minus = pool.mk(Op::BvNeg, &[x]);
    pool.mk(Op::Ite, &[is_negative, minus, x])
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use bivalve_terms::{Assignment, BitVec, Sort, eval};

    #[test]
    fn the_meaning_is_the_same() {
        let mut pool = Pool::new();
        for width in 3..=5 {
            let sort = Sort::bitvec(width).unwrap();
            let (x, s) = (pool.symbol("x", sort), pool.symbol("s", sort));
            for op in [Op::BvSdiv, Op::BvSrem] {
                let term = pool.mk(op, &[x, s]);
                assert!(is_said(&pool, term));
                let other = by_unsigned(&mut pool, term, &mut |_, term| term);
                assert_ne!(term, other);
                for code in 0..1u64 << (2 * width) {
                    let mut values = Assignment::new();
                    values.set(x, BitVec::from_u64(code, width));
                    values.set(s, BitVec::from_u64(code >> width, width));
                    assert_eq!(eval(&pool, term, &values), eval(&pool, other, &values), "{op:?} {code}");
                }
            }
        }
    }
}
