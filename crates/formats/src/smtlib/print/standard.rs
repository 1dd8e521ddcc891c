//! The same terms in operators of the standard alone.
//!
//! Terms are printed as they were built, and some operators here are extensions that not every solver reads:
//! reductions, rotations by a term, `bvudivo`, and lists of more than two arguments where the standard has
//! two. For another solver they are replaced first. Each replacement is an equation (`w` is the width):
//!
//! ```text
//! (bvredand x)           = (bvcomp x ones)
//! (bvredor x)            = (bvnot (bvcomp x zeros))
//! (bvredxor x)           = (bvxor ((_ extract 0 0) x) ... ((_ extract w-1 w-1) x))
//! (ext_rotate_left x y)  = (bvor (bvshl x m) (bvlshr x (bvsub w m)))   where m = (bvurem y w)
//! (ext_rotate_right x y) = (bvor (bvlshr x m) (bvshl x (bvsub w m)))
//! (bvudivo x y)          = false
//! (f a b c)              = (f (f a b) c)    for concat, bvsub and bvxnor
//! ```
//!
//! `w` fits into `w` bits, and a shift by `w` gives zeros, so rotations by multiples of the width come out
//! right. The constant array `((as const S) v)` stays: it has no definition without quantifiers.

use bivalve_terms::{BitVec, Op, Pool, Term, cone};
use rustc_hash::FxHashMap;

/// Terms equal to `roots` that have no operator beyond the standard but constant arrays.
pub fn standard(pool: &mut Pool, roots: &[Term]) -> Vec<Term> {
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    let mut args = Vec::new();
    for term in cone(pool, roots) {
        args.clear();
        args.extend(pool.args(term).iter().map(|arg| images[arg]));
        let image = replace(pool, term, &args);
        images.insert(term, image);
    }
    roots.iter().map(|root| images[root]).collect()
}

/// A term equal to `term` over `args`, which are equal to its arguments.
fn replace(pool: &mut Pool, term: Term, args: &[Term]) -> Term {
    match (pool.op(term), args) {
        (Op::RedAnd, &[x]) => {
            let ones = pool.bitvec(&BitVec::ones(width(pool, x)));
            pool.mk(Op::BvComp, &[x, ones])
        }
        (Op::RedOr, &[x]) => {
            let zeros = pool.bitvec(&BitVec::zero(width(pool, x)));
            let none = pool.mk(Op::BvComp, &[x, zeros]);
            pool.mk(Op::BvNot, &[none])
        }
        (Op::RedXor, &[x]) => {
            let bits: Vec<Term> =
                (0..width(pool, x)).map(|i| pool.mk_indexed(Op::Extract, &[i, i], &[x])).collect();
            if let [bit] = bits[..] { bit } else { pool.mk(Op::BvXor, &bits) }
        }
        (Op::ExtRotateLeft, &[x, y]) => rotate(pool, [Op::BvShl, Op::BvLshr], x, y),
        (Op::ExtRotateRight, &[x, y]) => rotate(pool, [Op::BvLshr, Op::BvShl], x, y),
        (Op::BvUdivo, _) => pool.bool(false),
        (op @ (Op::Concat | Op::BvSub | Op::BvXnor), &[first, second, ref rest @ ..]) => {
            let start = pool.mk(op, &[first, second]);
            rest.iter().fold(start, |folded, &next| pool.mk(op, &[folded, next]))
        }
        _ => pool.rebuild(term, args),
    }
}

/// Rotation by a term: `there` shifts in the direction of the rotation, `back` against it.
fn rotate(pool: &mut Pool, [there, back]: [Op; 2], x: Term, y: Term) -> Term {
    let width = width(pool, x);
    let full = pool.bitvec(&BitVec::from_u64(u64::from(width), width));
    let amount = pool.mk(Op::BvUrem, &[y, full]);
    let rest = pool.mk(Op::BvSub, &[full, amount]);
    let parts = [pool.mk(there, &[x, amount]), pool.mk(back, &[x, rest])];
    pool.mk(Op::BvOr, &parts)
}

fn width(pool: &Pool, x: Term) -> u32 {
    pool.width(x).expect("the argument of a bit-vector operator is a bit-vector")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{Sort, eval};

    #[test]
    fn replacements_are_equations() {
        let extensions = [
            Op::RedAnd,
            Op::RedOr,
            Op::RedXor,
            Op::ExtRotateLeft,
            Op::ExtRotateRight,
            Op::BvUdivo,
            Op::Concat,
            Op::BvSub,
            Op::BvXnor,
            Op::BvNot,
            Op::Ite,
        ];
        for seed in 0..400 {
            let mut pool = Pool::new();
            let mut random = TermGen::new(seed);
            random.ops = extensions.to_vec();
            random.max_width = [3, 9, 70][seed as usize % 3];
            let sort = if seed % 4 == 0 { Sort::BOOL } else { random.sort(&mut pool) };
            let term = random.term(&mut pool, sort, 12);
            let image = standard(&mut pool, &[term])[0];
            for below in cone(&pool, &[image]) {
                assert!(!extensions[..6].contains(&pool.op(below)), "seed {seed}");
            }
            for _ in 0..5 {
                let values = random.assignment(&pool, &[term]);
                assert_eq!(eval(&pool, term, &values), eval(&pool, image, &values), "seed {seed}");
            }
        }
    }
}
