//! Two conjuncts that say what a symbol is under opposite conditions, as one equation of the symbol.
//!
//! `c` implies `x = s`, and `not c` implies `x = t`: together that is `x = (ite c s t)`, so `x` can be
//! replaced. The equations need only be solvable for `x` ([`crate::solve`]). Translations of sums with
//! conditional summands are full of such pairs, whose circuits are fifteen times as large. The solver does
//! the same before it searches (B. Dutertre, *Yices 2.2*, CAV 2014); here it is a theorem about `c`, `x`, `s`
//! and `t`.
//!
//! Cost: the summands of the equations, for each symbol of each.

use crate::solve::{solution_for, solvable};
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What two conjuncts say together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// The conjuncts, by place, or by fact once the pair is kept, and the equations in them; the first holds
    /// where the guard is true.
    pub(crate) halves: [(usize, Term); 2],
    pub(crate) guard: Term,
    pub(crate) symbol: Term,
    /// What the symbol is where the guard is true, and where it is not.
    pub(crate) values: [Term; 2],
}

/// An equation under a guard.
#[derive(Clone, Copy)]
struct Half {
    place: usize,
    equation: Term,
    is_negated: bool,
}

/// The pairs among conjuncts in normal form, by place; each conjunct and each symbol is in one at most. What
/// is looked at is taken from `left`.
pub(crate) fn pairs(pool: &mut Pool, conjuncts: &[Term], left: &mut usize) -> Vec<Pair> {
    let mut halves: FxHashMap<(Term, Term), Half> = FxHashMap::default();
    let (mut used, mut defined) = (FxHashSet::default(), FxHashSet::default());
    let mut found = vec![];
    for (place, &conjunct) in conjuncts.iter().enumerate() {
        let Some((guard, is_negated, equation)) = guarded(pool, conjunct) else { continue };
        // Later symbols are computed from earlier ones.
        let mut symbols = solvable(pool, equation, left);
        symbols.sort_unstable_by_key(|&symbol| std::cmp::Reverse(symbol));
        for symbol in symbols {
            if defined.contains(&symbol) {
                continue;
            }
            let half = Half { place, equation, is_negated };
            let known = *halves.entry((guard, symbol)).or_insert(half);
            if known.is_negated == is_negated || used.contains(&known.place) {
                continue;
            }
            let [then, other] = if is_negated { [known, half] } else { [half, known] };
            let values = [then, other].map(|half| solution_for(pool, half.equation, symbol));
            if let [Some(value), Some(otherwise)] = values {
                let halves = [then, other].map(|half| (half.place, half.equation));
                used.extend([known.place, place]);
                defined.insert(symbol);
                found.push(Pair { halves, guard, symbol, values: [value, otherwise] });
                break;
            }
        }
    }
    found
}

/// The guard, whether it is negated, and the equation of bit-vectors that holds under it, if the conjunct is
/// such an implication, which is `(not (and guard (not equation)))` in normal form.
fn guarded(pool: &Pool, conjunct: Term) -> Option<(Term, bool, Term)> {
    let inner = |term: Term| (pool.op(term) == Op::Not).then(|| pool.args(term)[0]);
    let both = inner(conjunct).filter(|&both| pool.op(both) == Op::And)?;
    let &[a, b] = pool.args(both) else { return None };
    let is_equation = |&term: &Term| pool.op(term) == Op::Eq && pool.width(pool.args(term)[0]).is_some();
    [(a, b), (b, a)].into_iter().find_map(|(guard, denied)| {
        let equation = inner(denied).filter(is_equation)?;
        Some((inner(guard).unwrap_or(guard), inner(guard).is_some(), equation))
    })
}

/// An implication with this equation in place of the one in it.
pub(crate) fn restated(pool: &mut Pool, conjunct: Term, equation: Term, solved: Term) -> Term {
    let both = pool.args(conjunct)[0];
    let denied = pool.mk(Op::Not, &[equation]);
    let solved = pool.mk(Op::Not, &[solved]);
    let parts: Vec<Term> =
        pool.args(both).iter().map(|&part| if part == denied { solved } else { part }).collect();
    let both = pool.mk(Op::And, &parts);
    pool.mk(Op::Not, &[both])
}
