//! Semantic fusion: two formulas become one through a variable that is a function of both (D. Winterer, C.
//! Zhang, Z. Su, *Validating SMT Solvers via Semantic Fusion*, PLDI 2020).
//!
//! Of a variable `x` of the first formula and `y` of the second, of one sort, a fresh `z` is a function: `z =
//! f(x, y)`. The function can be inverted in each argument, `x = g(z, y)` and `y = h(z, x)`, so some
//! occurrences of `x` are replaced by `g(z, y)`, and some of `y` by `h(z, x)`. Over bit-vectors many
//! functions can: sums, differences, exclusive or, these with a rotation of an argument or an odd multiple;
//! over Booleans `xor` and equality.
//!
//! Two satisfiable formulas are joined by conjunction: the models together, with `z` computed, are a model.
//! Two unsatisfiable ones are joined by disjunction: under `z = f(x, y)` each of them is what it was, so both
//! are contradictory still. The paper asserts the inverses, too; over bit-vectors they follow, so they are
//! left out, and the core is clear.

use crate::case::{Case, Evidence};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, TermMap, Value, cone, eval};
use fastrand::Rng;

/// Fuses two cases of one status; `None` if they have no variables of one flat sort.
pub(super) fn fuse(mut first: Case, second: &Case, random: &mut Rng) -> Option<Case> {
    let images = transplant(&mut first.pool, second);
    let image = |term: &Term| *images.get(*term).expect("what is below the assertions was copied");
    let left = first.terms();
    let right: Vec<Term> = second.terms().iter().map(image).collect();
    let (x, y) = pair(&first.pool, &left, &right, random)?;
    let pool = &mut first.pool;
    let (fusion, to_x, to_y) = function(pool, x, y, random);
    let z = fusion.0;
    let left: Vec<Term> = left.iter().map(|&term| replace_some(pool, term, x, to_x, random)).collect();
    let right: Vec<Term> = right.iter().map(|&term| replace_some(pool, term, y, to_y, random)).collect();
    match (&mut first.evidence, &second.evidence) {
        (Evidence::Model(model), Evidence::Model(other)) => {
            for symbol in second.symbols() {
                let value = other.get(symbol).cloned();
                let default = || Value::default_of(second.pool.sorts(), second.pool.sort(symbol));
                model.set(image(&symbol), value.unwrap_or_else(default));
            }
            let value = eval(pool, fusion.1, model);
            model.set(z, value);
            let equation = pool.mk(Op::Eq, &[z, fusion.1]);
            first.assertions = left.into_iter().chain(right).chain([equation]).map(Into::into).collect();
        }
        (Evidence::Core(core), Evidence::Core(_)) => {
            let sides = [left, right].map(|side| pool.and_all(&side));
            let either = pool.mk(Op::Or, &sides);
            let equation = pool.mk(Op::Eq, &[z, fusion.1]);
            let fused = cone(pool, &sides).contains(&z);
            *core = if fused { vec![0, 1] } else { vec![0] };
            first.assertions = vec![either.into(), equation.into()];
        }
        _ => return None,
    }
    first.origin = format!("{} fused with {}", first.origin, second.origin);
    Some(first)
}

/// The terms below the second case's assertions, copied; symbols get names of their own.
fn transplant(pool: &mut Pool, from: &Case) -> TermMap<Term> {
    let mut images: TermMap<Term> = TermMap::new();
    for term in cone(&from.pool, &from.terms()) {
        let args: Vec<Term> =
            from.pool.args(term).iter().map(|&arg| *images.get(arg).expect("children come first")).collect();
        let image = match from.pool.op(term) {
            Op::Const => match from.pool.as_bool(term) {
                Some(value) => pool.bool(value),
                None => {
                    pool.bitvec(&from.pool.as_bitvec(term).expect("a constant is Boolean or a bit-vector"))
                }
            },
            Op::Symbol => {
                let name = format!("{}y{}", from.pool.name(term).expect("a symbol has a name"), pool.len());
                let sort = sort_in(pool, &from.pool, from.pool.sort(term));
                pool.symbol(&name, sort)
            }
            Op::ConstArray => {
                let sort = sort_in(pool, &from.pool, from.pool.sort(term));
                pool.const_array(sort, args[0]).expect("sorts are copied")
            }
            op => pool.mk_indexed(op, &from.pool.indices(term), &args),
        };
        images.insert(term, image);
    }
    images
}

/// The same sort in another pool; arrays of cases are flat or nearly so.
fn sort_in(pool: &mut Pool, from: &Pool, sort: Sort) -> Sort {
    match from.sorts().array_parts(sort) {
        None => sort,
        Some((index, element)) => {
            let (index, element) = (sort_in(pool, from, index), sort_in(pool, from, element));
            pool.sorts_mut().array(index, element).expect("as deep as it was")
        }
    }
}

/// A variable of each side, both of one flat sort.
fn pair(pool: &Pool, left: &[Term], right: &[Term], random: &mut Rng) -> Option<(Term, Term)> {
    let variables = |roots: &[Term]| {
        let mut below = cone(pool, roots);
        let flat = |term: Term| pool.sort(term).is_bool() || pool.sort(term).is_bitvec();
        below.retain(|&term| pool.op(term) == Op::Symbol && flat(term));
        below
    };
    let (left, right) = (variables(left), variables(right));
    let both = left.iter().flat_map(|&x| right.iter().map(move |&y| (x, y)));
    let fitting: Vec<(Term, Term)> = both.filter(|&(x, y)| pool.sort(x) == pool.sort(y)).collect();
    (!fitting.is_empty()).then(|| fitting[random.usize(..fitting.len())])
}

/// A fresh `z` with `f(x, y)`, and `g(z, y)` and `h(z, x)`.
fn function(pool: &mut Pool, x: Term, y: Term, random: &mut Rng) -> ((Term, Term), Term, Term) {
    let sort = pool.sort(x);
    let name = format!("z{}", pool.len());
    let z = pool.symbol(&name, sort);
    let Some(width) = sort.width() else {
        let op = if random.bool() { Op::Xor } else { Op::Eq };
        return ((z, pool.mk(op, &[x, y])), pool.mk(op, &[z, y]), pool.mk(op, &[z, x]));
    };
    // f(x, y) = x op u(y), where u has an inverse.
    let by = random.u32(..width);
    let odd = BitVec::from_u64(random.u64(..) | 1, width);
    let inverse = odd.odd_inverse().expect("odd numbers have inverses");
    let kind = random.u32(..3);
    let turn = |pool: &mut Pool, term: Term, back: bool| match kind {
        0 => term,
        1 => pool.mk_indexed(if back { Op::RotateRight } else { Op::RotateLeft }, &[by], &[term]),
        _ => {
            let factor = pool.bitvec(if back { &inverse } else { &odd });
            pool.mk(Op::BvMul, &[factor, term])
        }
    };
    let turned = turn(pool, y, false);
    let (f, g, rest) = match random.u32(..3) {
        0 => {
            let rest = pool.mk(Op::BvSub, &[z, x]);
            (pool.mk(Op::BvAdd, &[x, turned]), pool.mk(Op::BvSub, &[z, turned]), rest)
        }
        1 => {
            let rest = pool.mk(Op::BvSub, &[x, z]);
            (pool.mk(Op::BvSub, &[x, turned]), pool.mk(Op::BvAdd, &[z, turned]), rest)
        }
        _ => {
            let rest = pool.mk(Op::BvXor, &[z, x]);
            (pool.mk(Op::BvXor, &[x, turned]), pool.mk(Op::BvXor, &[z, turned]), rest)
        }
    };
    let h = turn(pool, rest, true);
    ((z, f), g, h)
}

/// The term with some occurrences of a symbol replaced: each edge to it is decided by a coin.
fn replace_some(pool: &mut Pool, root: Term, symbol: Term, image: Term, random: &mut Rng) -> Term {
    let mut images: TermMap<Term> = TermMap::new();
    for term in cone(pool, &[root]) {
        let args: Vec<Term> = pool.args(term).to_vec();
        let replaced: Vec<Term> = args
            .iter()
            .map(|&arg| {
                let turned = arg == symbol && random.bool();
                if turned { image } else { *images.get(arg).expect("children come first") }
            })
            .collect();
        let result = if replaced == args { term } else { pool.rebuild(term, &replaced) };
        images.insert(term, result);
    }
    *images.get(root).expect("the root is in its cone")
}
