//! What a change gains: the one rule by which the changes of algebra are kept.
//!
//! Two terms that are equal by a law of arithmetic are not equally good for what follows. A conjunct that is
//! written in another way, without anything being decided by that, breaks up what the search could have
//! shared or learnt: an equal word read in one place of many made a subtraction of field elements eight times
//! slower. So what a pass of algebra makes of the conjuncts is taken if
//!
//! - something is *decided*: all is false, or a conjunct is new that gives a term its value,
//! - a symbol or an atom *goes*: symbols, reads, results of functions, and relations between words are
//!   counted,
//! - or *gates* become fewer by the cost model of terms.
//!
//! What is in use elsewhere costs nothing here, as it stays in any case. Conjuncts are compared after the
//! local rules, so that a pass need not know what these make of its terms.
//!
//! Cost: a walk over both cones.

use crate::problem::{Cone, TermCost};
use bivalve_terms::{Op, Pool, Term, TermSet};

/// Whether conjuncts gain by becoming others, as they are after the local rules.
pub(crate) fn gains(pool: &Pool, frozen: &TermSet, cost: TermCost, [before, after]: [&[Term]; 2]) -> bool {
    let mut known = TermSet::new();
    before.iter().for_each(|&conjunct| _ = known.insert(conjunct));
    if after.iter().any(|&conjunct| !known.contains(conjunct) && is_decision(pool, frozen, conjunct)) {
        return true;
    }
    let cones = [before, after].map(|conjuncts| {
        let mut own = TermSet::new();
        let terms = Cone::new(pool, conjuncts, frozen).terms;
        terms.into_iter().filter(|&term| !frozen.contains(term)).for_each(|term| _ = own.insert(term));
        own
    });
    // What both have in common need not be counted.
    let [lost, won] = [(0, 1), (1, 0)].map(|(one, other)| {
        let (mut atoms, mut gates) = (0, 0);
        for term in cones[one].iter().filter(|&term| !cones[other].contains(term)) {
            atoms += u64::from(is_atom(pool, term));
            gates += cost(pool, term);
        }
        (atoms, gates)
    });
    won.0 < lost.0 || won.1 < lost.1
}

/// Does a conjunct give a term its value: a symbol, or what is no arithmetic a constant?
fn is_decision(pool: &Pool, frozen: &TermSet, conjunct: Term) -> bool {
    let is_free = |term: Term| pool.op(term) == Op::Symbol && !frozen.contains(term);
    let is_computed = |term: Term| matches!(pool.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg);
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Not, &[term]) => pool.args(term).is_empty(),
        (Op::Eq, &[a, b]) => {
            let gives = |term, value| is_free(term) || (pool.is_const(value) && !is_computed(term));
            gives(a, b) || gives(b, a)
        }
        (_, args) => args.is_empty(),
    }
}

/// Is it a symbol, an array's element, a function's result, or a relation between words?
fn is_atom(pool: &Pool, term: Term) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::Symbol | Op::Select | Op::Apply => true,
        _ => pool.sort(term).is_bool() && args.iter().any(|&arg| !pool.sort(arg).is_bool()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    /// What a term costs here: the bits of its result, if it has operands.
    fn cost(pool: &Pool, term: Term) -> u64 {
        if pool.args(term).is_empty() { 0 } else { u64::from(pool.width(term).unwrap_or(1)) }
    }

    struct Formulas {
        pool: Pool,
        x: Term,
        y: Term,
        sum: Term,
        product: Term,
    }

    fn formulas() -> Formulas {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).expect("a legal width");
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let (sum, product) = (pool.mk(Op::BvAdd, &[x, y]), pool.mk(Op::BvMul, &[x, y]));
        Formulas { pool, x, y, sum, product }
    }

    impl Formulas {
        fn gains(&self, frozen: &[Term], before: &[Term], after: &[Term]) -> bool {
            let mut set = TermSet::new();
            frozen.iter().for_each(|&term| _ = set.insert(term));
            gains(&self.pool, &set, cost, [before, after])
        }
    }

    /// An equation of the same size is no gain, either way.
    #[test]
    fn another_form_of_the_same_size_is_no_gain() {
        let Formulas { mut pool, x, y, sum, product } = formulas();
        let one = pool.mk(Op::BvUlt, &[sum, product]);
        let sums = pool.mk(Op::BvAdd, &[y, x]);
        let other = pool.mk(Op::BvUlt, &[sums, product]);
        let all = Formulas { pool, x, y, sum, product };
        assert!(!all.gains(&[], &[one], &[other]) && !all.gains(&[], &[other], &[one]));
        assert!(!all.gains(&[], &[one], &[one]));
    }

    #[test]
    fn what_is_decided_is_a_gain() {
        let Formulas { mut pool, x, y, sum, product } = formulas();
        let before = pool.mk(Op::BvUlt, &[sum, product]);
        let five = pool.bv_u64(5, 8);
        let [value, definition, computed] =
            [(x, five), (x, sum), (five, sum)].map(|(a, b)| pool.mk(Op::Eq, &[a, b]));
        let all = Formulas { pool, x, y, sum, product };
        assert!(all.gains(&[], &[before], &[before, value]));
        assert!(all.gains(&[], &[before], &[before, definition]));
        assert!(!all.gains(&[x], &[before], &[before, definition]), "what is in use is not eliminated");
        assert!(all.gains(&[x], &[before], &[before, value]));
        assert!(!all.gains(&[], &[before], &[before, computed]));
    }

    #[test]
    fn fewer_atoms_and_fewer_gates_are_gains() {
        let Formulas { mut pool, x, y, sum, product } = formulas();
        let [less, same] = [(sum, product), (product, sum)].map(|(a, b)| pool.mk(Op::BvUlt, &[a, b]));
        let both = pool.mk(Op::Or, &[less, same]);
        let neither = pool.mk(Op::Distinct, &[sum, product]);
        let cheaper = pool.mk(Op::BvUlt, &[sum, y]);
        let dearer = {
            let square = pool.mk(Op::BvMul, &[product, product]);
            pool.mk(Op::BvUlt, &[sum, square])
        };
        let all = Formulas { pool, x, y, sum, product };
        assert!(all.gains(&[], &[both], &[neither]) && !all.gains(&[], &[neither], &[both]));
        assert!(all.gains(&[], &[less], &[cheaper]) && !all.gains(&[], &[less], &[dearer]));
        assert!(!all.gains(&[sum, product], &[less], &[cheaper]), "what is in use elsewhere stays");
    }
}
