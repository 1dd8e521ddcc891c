//! The same terms in the operators that SMT-LIB 1.2 and CVC have.
//!
//! Both are older than the overflow predicates, and their operators take two arguments. Beyond the
//! replacements of [`standard`] each of these is an equation (`w` is the width, `m` the least signed value,
//! `z` and `s` are extensions by zeros and by the sign):
//!
//! ```text
//! (bvnego x)      = (= x m)
//! (bvsdivo x y)   = (and (= x m) (= y ones))
//! (bvusubo x y)   = (bvult x y)
//! (bvuaddo x y)   = the carry of (bvadd (z1 x) (z1 y))
//! (bvsaddo x y)   = the two highest bits of (bvadd (s1 x) (s1 y)) differ; bvssubo in the same way
//! (bvumulo x y)   = the high half of (bvmul (zw x) (zw y)) is not zero
//! (bvsmulo x y)   = (bvmul (sw x) (sw y)) is not the extension of its low half
//! ```
//!
//! CVC lacks some operators that SMT-LIB 1.2 has; they are replaced there, too:
//!
//! ```text
//! (bvcomp x y)           = (ite (= x y) #b1 #b0)
//! ((_ repeat n) x)       = (concat x ... x)
//! ((_ rotate_left n) x)  = the low bits in front of the high ones
//! (bvsmod x y)           = r + (ite (r = 0 or r and y have one sign) 0 y)   where r = (bvsrem x y)
//! ```
//!
//! Cost: linear, but for `distinct`, of which each pair becomes a term.

use crate::smtlib::print::standard;
use bivalve_terms::{BitVec, Op, Pool, Term, cone};
use rustc_hash::FxHashMap;

/// Terms equal to `roots`; `keeps` says which operators of SMT-LIB 1.2 the language has.
pub(crate) fn lowered(pool: &mut Pool, roots: &[Term], keeps: fn(Op) -> bool) -> Vec<Term> {
    let roots = standard(pool, roots);
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    for term in cone(pool, &roots) {
        let args: Vec<Term> = pool.args(term).iter().map(|arg| images[arg]).collect();
        let image = replace(pool, term, &args, keeps);
        images.insert(term, image);
    }
    roots.iter().map(|root| images[root]).collect()
}

/// A term equal to `term` over `args`, which are equal to its arguments.
fn replace(pool: &mut Pool, term: Term, args: &[Term], keeps: fn(Op) -> bool) -> Term {
    let op = pool.op(term);
    if let Some(image) = overflow(pool, op, args) {
        return image;
    }
    match (op, args) {
        (Op::Eq, [_, _, _, ..]) => {
            let pairs: Vec<Term> = args.windows(2).map(|pair| pool.mk(Op::Eq, pair)).collect();
            pool.and_all(&pairs)
        }
        (Op::Distinct, [a, b]) if pool.sort(*a).is_bool() => pool.mk(Op::Xor, &[*a, *b]),
        (Op::Distinct, [_, _, _, ..]) => {
            let op = if pool.sort(args[0]).is_bool() { Op::Xor } else { Op::Distinct };
            let mut pairs = vec![];
            for (i, &a) in args.iter().enumerate() {
                pairs.extend(args[i + 1..].iter().map(|&b| pool.mk(op, &[a, b])));
            }
            pool.and_all(&pairs)
        }
        (Op::Implies, [rest @ .., last]) if rest.len() > 1 => {
            rest.iter().rev().fold(*last, |whole, &arg| pool.mk(Op::Implies, &[arg, whole]))
        }
        (Op::BvComp, &[a, b]) if !keeps(op) => {
            let (same, one, zero) = (pool.mk(Op::Eq, &[a, b]), pool.bv_u64(1, 1), pool.bv_u64(0, 1));
            pool.mk(Op::Ite, &[same, one, zero])
        }
        (Op::Repeat, &[arg]) if !keeps(op) => {
            (1..pool.index(term)).fold(arg, |whole, _| pool.mk(Op::Concat, &[whole, arg]))
        }
        (Op::RotateLeft | Op::RotateRight, &[arg]) if !keeps(op) => {
            let width = width(pool, arg);
            let amount = pool.index(term) % width;
            let left = if op == Op::RotateLeft { amount } else { (width - amount) % width };
            if left == 0 {
                return arg;
            }
            let low = pool.mk_indexed(Op::Extract, &[width - 1 - left, 0], &[arg]);
            let high = pool.mk_indexed(Op::Extract, &[width - 1, width - left], &[arg]);
            pool.mk(Op::Concat, &[low, high])
        }
        (Op::BvSmod, &[x, y]) if !keeps(op) => signed_modulus(pool, x, y),
        (_, [first, second, rest @ ..])
            if !rest.is_empty() && pool.is_variadic(term) && pool.width(term).is_some() =>
        {
            let start = pool.mk(op, &[*first, *second]);
            rest.iter().fold(start, |folded, &next| pool.mk(op, &[folded, next]))
        }
        _ => pool.rebuild(term, args),
    }
}

/// What an overflow predicate says. Products too wide to be extended have none.
fn overflow(pool: &mut Pool, op: Op, args: &[Term]) -> Option<Term> {
    let x = *args.first()?;
    let width = pool.width(x)?;
    let least = |pool: &mut Pool| {
        let least = pool.bitvec(&BitVec::min_signed(width));
        pool.mk(Op::Eq, &[x, least])
    };
    let extended = |pool: &mut Pool, how: Op, by: u32, op: Op| {
        let args: Vec<Term> = args.iter().map(|&arg| pool.mk_indexed(how, &[by], &[arg])).collect();
        pool.mk(op, &args)
    };
    let fits = width <= BitVec::MAX_WIDTH / 2;
    Some(match op {
        Op::BvNego => least(pool),
        Op::BvSdivo => {
            let (first, ones) = (least(pool), pool.bitvec(&BitVec::ones(width)));
            let second = pool.mk(Op::Eq, &[args[1], ones]);
            pool.mk(Op::And, &[first, second])
        }
        Op::BvUsubo => pool.mk(Op::BvUlt, args),
        Op::BvUaddo if fits => {
            let sum = extended(pool, Op::ZeroExtend, 1, Op::BvAdd);
            let (carry, one) = (bit(pool, sum, width), pool.bv_u64(1, 1));
            pool.mk(Op::Eq, &[carry, one])
        }
        Op::BvSaddo | Op::BvSsubo if fits => {
            let op = if op == Op::BvSaddo { Op::BvAdd } else { Op::BvSub };
            let sum = extended(pool, Op::SignExtend, 1, op);
            let bits = [bit(pool, sum, width), bit(pool, sum, width - 1)];
            pool.mk(Op::Distinct, &bits)
        }
        Op::BvUmulo if fits => {
            let product = extended(pool, Op::ZeroExtend, width, Op::BvMul);
            let high = pool.mk_indexed(Op::Extract, &[2 * width - 1, width], &[product]);
            let zero = pool.bitvec(&BitVec::zero(width));
            pool.mk(Op::Distinct, &[high, zero])
        }
        Op::BvSmulo if fits => {
            let product = extended(pool, Op::SignExtend, width, Op::BvMul);
            let low = pool.mk_indexed(Op::Extract, &[width - 1, 0], &[product]);
            let low = pool.mk_indexed(Op::SignExtend, &[width], &[low]);
            pool.mk(Op::Distinct, &[product, low])
        }
        _ => return None,
    })
}

/// STP reads `SBVMOD` as the remainder with the sign of the dividend.
fn signed_modulus(pool: &mut Pool, x: Term, y: Term) -> Term {
    let width = width(pool, x);
    let rest = pool.mk(Op::BvSrem, &[x, y]);
    let zero = pool.bitvec(&BitVec::zero(width));
    let signs = [bit(pool, rest, width - 1), bit(pool, y, width - 1)];
    let [is_zero, is_alike] = [pool.mk(Op::Eq, &[rest, zero]), pool.mk(Op::Eq, &signs)];
    let stays = pool.mk(Op::Or, &[is_zero, is_alike]);
    let added = pool.mk(Op::Ite, &[stays, zero, y]);
    pool.mk(Op::BvAdd, &[rest, added])
}

fn bit(pool: &mut Pool, term: Term, place: u32) -> Term {
    pool.mk_indexed(Op::Extract, &[place, place], &[term])
}

fn width(pool: &Pool, x: Term) -> u32 {
    pool.width(x).expect("the argument of a bit-vector operator is a bit-vector")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{Sort, eval};

    /// In all operators, at widths up to four bits and beyond a word.
    #[test]
    fn replacements_are_equations() {
        const GONE: [Op; 12] = [
            Op::BvNego,
            Op::BvUaddo,
            Op::BvSaddo,
            Op::BvUmulo,
            Op::BvSmulo,
            Op::BvUsubo,
            Op::BvSsubo,
            Op::BvSdivo,
            Op::BvComp,
            Op::Repeat,
            Op::RotateLeft,
            Op::BvSmod,
        ];
        for seed in 0..600 {
            let mut pool = Pool::new();
            let mut random = TermGen::new(seed);
            let others = [Op::RotateRight, Op::Eq, Op::Distinct, Op::Implies, Op::BvAdd, Op::Ite, Op::Concat];
            random.ops = [&GONE[..], &others].concat();
            random.max_width = [2, 4, 70][seed as usize % 3];
            let sort = if seed % 2 == 0 { Sort::BOOL } else { random.sort(&mut pool) };
            let term = random.term(&mut pool, sort, 12);
            let image = lowered(&mut pool, &[term], |_| false)[0];
            for below in cone(&pool, &[image]) {
                let is_long = pool.args(below).len() > 2 && pool.is_variadic(below);
                let is_junction = matches!(pool.op(below), Op::And | Op::Or | Op::Xor);
                assert!(!GONE.contains(&pool.op(below)) && (!is_long || is_junction), "seed {seed}");
            }
            for _ in 0..8 {
                let values = random.assignment(&pool, &[term]);
                assert_eq!(eval(&pool, term, &values), eval(&pool, image, &values), "seed {seed}");
            }
        }
    }
}
