//! Conditional stores: what is written under a condition is simplified by that condition.
//!
//! In `(ite c (store a i e) a)` the index and the element are read only where `c` is true. Memories from
//! hardware are full of such stores, with `c` in the index and in the element again: `yosys` writes an
//! enabled port as a store to `(ite c i 0)` of `(bvor (bvand d m) (bvand (select a (ite c i 0)) (bvnot m)))`
//! with a mask `m` of copies of `c`. Below the choice `c` is replaced by true, and what is left is a store to
//! `i` of a concatenation of slices.
//!
//! Why it is right: both branches of a choice have the value that they had wherever they are chosen. Facts of
//! a condition: it holds, or each member of the conjunction that it is; an equation with a constant gives the
//! other side its value, and the denial of one over one bit the other value. Local form of contextual
//! simplification (Z3's `ctx-simplify`), which is quadratic on whole formulas.
//!
//! Measured: 4 frames of a memory with byte enables as `yosys` writes it 6.9 s to 0.01 s.
//!
//! Cost: [`MOST_TERMS`] visits for each store at the top of a branch; arrays below are not entered.

use super::is_array;
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// More terms below the index and the element of a store are not visited.
const MOST_TERMS: usize = 96;

/// More facts of a condition are not used.
const MOST_FACTS: usize = 8;

/// See [`super::super::Run`].
pub(in crate::passes) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if !pool.sorts().has_arrays() {
        return None;
    }
    let is_choice = |term: Term| pool.op(term) == Op::Ite && is_array(pool, term);
    if !problem.cone(pool).iter().any(|&term| is_choice(term)) {
        return None;
    }
    problem.rebuilt(pool, &Reason::Law, |pool, _, image| {
        let (Op::Ite, &[condition, yes, no]) = (pool.op(image), pool.args(image)) else { return None };
        if !is_array(pool, yes) {
            return None;
        }
        let [new_yes, new_no] = [(yes, true), (no, false)].map(|(branch, value)| {
            if pool.op(branch) == Op::Store { under(pool, condition, value, branch) } else { branch }
        });
        ((new_yes, new_no) != (yes, no)).then(|| pool.rebuild(image, &[condition, new_yes, new_no]))
    })
}

/// A store where the condition has this value.
fn under(pool: &mut Pool, condition: Term, value: bool, store: Term) -> Term {
    let &[base, index, element] = pool.args(store) else { unreachable!("a store has three arguments") };
    let Some(below) = scalars_below(pool, &[index, element]) else { return store };
    let facts = facts(pool, condition, value);
    if !facts.iter().any(|&(term, _)| below.contains(&term)) {
        return store;
    }
    // Not a table by term: its directory would grow with the pool, for each store.
    let mut images: FxHashMap<Term, Term> = facts.into_iter().collect();
    for term in below {
        if images.contains_key(&term) {
            continue;
        }
        let args: Vec<Term> =
            pool.args(term).iter().map(|arg| images.get(arg).copied().unwrap_or(*arg)).collect();
        let image = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
        images.insert(term, image);
    }
    let image = |term: Term| images.get(&term).copied().unwrap_or(term);
    pool.rebuild(store, &[base, image(index), image(element)])
}

/// The terms below some terms, without entering arrays, children first; `None` if there are too many.
fn scalars_below(pool: &Pool, roots: &[Term]) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::default();
    let mut below: Vec<Term> = roots.iter().copied().filter(|&root| seen.insert(root)).collect();
    let mut next = 0;
    while let Some(&term) = below.get(next) {
        next += 1;
        let args = pool.args(term).iter().copied();
        below.extend(args.filter(|&arg| !is_array(pool, arg) && seen.insert(arg)));
        if below.len() > MOST_TERMS {
            return None;
        }
    }
    // Terms are numbered after their arguments.
    below.sort_unstable();
    Some(below)
}

/// Terms and their values where the condition has this value.
fn facts(pool: &mut Pool, condition: Term, value: bool) -> Vec<(Term, Term)> {
    let mut facts = vec![];
    let mut todo = vec![(condition, value)];
    while let Some((term, value)) = todo.pop() {
        if facts.len() >= MOST_FACTS {
            break;
        }
        let constant = pool.bool(value);
        facts.push((term, constant));
        match (pool.op(term), pool.args(term)) {
            (Op::Not, &[inner]) => todo.push((inner, !value)),
            (Op::And, members) if value => todo.extend(members.iter().map(|&member| (member, true))),
            (Op::Or, members) if !value => todo.extend(members.iter().map(|&member| (member, false))),
            (Op::Eq, &[a, b]) if pool.is_const(a) != pool.is_const(b) => {
                let (constant, other) = if pool.is_const(a) { (a, b) } else { (b, a) };
                if value {
                    facts.push((other, constant));
                } else if pool.width(other) == Some(1) {
                    let flipped = pool.as_bitvec(constant).map(|constant| constant.not());
                    facts.extend(flipped.map(|flipped| (other, pool.bitvec(&flipped))));
                }
            }
            _ => {}
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{alone, check_memories};
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::Sort;

    #[test]
    fn values_stay() {
        let changed = check_memories(run, 400);
        assert!(changed > 50, "{changed} changed: too easy");
    }

    /// An enabled port as `yosys` writes it: the index and the mask lose the condition.
    #[test]
    fn an_enabled_port_is_a_plain_store() {
        let mut pool = Pool::new();
        let [bit, word] = [1, 8].map(|width| Sort::bitvec(width).expect("a legal width"));
        let sort = pool.sorts_mut().array(word, word).expect("not too deep");
        let (a, i, d) = (pool.symbol("a", sort), pool.symbol("i", word), pool.symbol("d", word));
        let enable = pool.symbol("e", bit);
        let (one, zero) = (pool.bv_u64(1, 1), pool.bv_u64(0, 8));
        let condition = pool.mk(Op::Eq, &[one, enable]);
        let index = pool.mk(Op::Ite, &[condition, i, zero]);
        let mask = pool.mk_indexed(Op::Repeat, &[8], &[enable]);
        let element = pool.mk(Op::BvAnd, &[d, mask]);
        let written = pool.mk(Op::Store, &[a, index, element]);
        let memory = pool.mk(Op::Ite, &[condition, written, a]);
        let read = pool.mk(Op::Select, &[memory, d]);
        let conjunct = pool.mk(Op::BvUlt, &[i, read]);
        let found = alone(run, &mut pool, &[conjunct]).expect("something changes")[0];
        let plain = pool.mk(Op::Store, &[a, i, d]);
        let memory = pool.mk(Op::Ite, &[condition, plain, a]);
        let read = pool.mk(Op::Select, &[memory, d]);
        let expected = pool.mk(Op::BvUlt, &[i, read]);
        let mut rewriter = Rewriter::new(Level::Local);
        let [found, expected] = [found, expected].map(|term| rewriter.rewrite(&mut pool, term));
        assert_eq!(found, expected);
    }
}
