//! Conditional substitution: `c` implies `x = s`, and `not c` implies `x = t`.
//!
//! Two such conjuncts are together the definition `x = (ite c s t)`, and nothing else: in each assignment one
//! of them is true by its guard and the other one states the value of `x`. Translations of sums with
//! conditional summands are full of them (`w2 = w1 + 5` if `b` holds, else `w2 = w1`), and each pair that
//! becomes a definition saves the bits of a symbol and the clauses that define them.
//!
//! The idea is in Yices (B. Dutertre, *Yices 2.2*, CAV 2014), as learning of conditional definitions. Cost:
//! linear in the conjuncts and their [`Solutions`].

use crate::solve::Solutions;
use bivalve_limits::Deadline;
use bivalve_rewrite::Edge;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashMap;

/// A symbol that two conjuncts define together.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The symbol.
    pub symbol: Term,
    /// What the conjuncts ask for: the one this condition, the other one its contrary.
    pub guard: Term,
    /// The numbers of the conjuncts and the equations in them, of that first which asks for the condition.
    pub halves: [(usize, Term); 2],
    /// What the equations, solved for the symbol, say that it is.
    pub values: [Term; 2],
}

impl Pair {
    /// What the symbol is: the choice between its two values.
    pub(crate) fn term(&self, pool: &mut Pool) -> Term {
        make::ite(pool, self.guard, self.values[0], self.values[1])
    }
}

/// An equation under a guard, seen from one of its symbols.
#[derive(Clone, Copy)]
struct Half {
    place: usize,
    equation: Term,
    /// Where the symbol is in the [`Solutions`] of the equation.
    position: usize,
    /// The value is for where the guard is false.
    negated: bool,
}

/// Finds the pairs among conjuncts that are in normal form, each conjunct in one pair at most, each symbol in
/// one pair at most. Conjunct and symbol must be `eligible`. `None` when the deadline is over.
pub fn pairs(
    pool: &mut Pool,
    conjuncts: &[Term],
    eligible: &dyn Fn(Term, Term) -> bool,
    deadline: &Deadline,
) -> Option<Vec<Pair>> {
    let mut halves: FxHashMap<(Term, Term), Half> = FxHashMap::default();
    let mut used = vec![false; conjuncts.len()];
    let mut defined = rustc_hash::FxHashSet::default();
    let mut pairs = vec![];
    for (place, &conjunct) in conjuncts.iter().enumerate() {
        if !deadline.step(1) {
            return None;
        }
        let Some((guard, equation)) = guarded(pool, conjunct) else { continue };
        let solutions = Solutions::new(pool, equation);
        // Sums with conditional summands are written from the older symbol to the younger one.
        let mut symbols = solutions.symbols(pool);
        symbols.sort_by_key(|&(symbol, _)| std::cmp::Reverse(symbol));
        for (symbol, position) in symbols {
            if !eligible(conjunct, symbol) || defined.contains(&symbol) {
                continue;
            }
            let half = Half { place, equation, position, negated: guard.negated };
            let known = *halves.entry((guard.term, symbol)).or_insert(half);
            if known.negated != half.negated && !used[known.place] {
                let (first, second) = (value(pool, &known), solutions.term(pool, position));
                let mut values = [first, second];
                let mut halves = [known, half].map(|half| (half.place, half.equation));
                if known.negated {
                    values.reverse();
                    halves.reverse();
                }
                (used[known.place], used[place]) = (true, true);
                defined.insert(symbol);
                pairs.push(Pair { symbol, guard: guard.term, halves, values });
                break;
            }
        }
    }
    Some(pairs)
}

fn value(pool: &mut Pool, half: &Half) -> Term {
    Solutions::new(pool, half.equation).term(pool, half.position)
}

/// The guard and the equation of bit-vectors that holds under it, if the conjunct is such an implication,
/// which is `(not (and guard (not equation)))` in normal form.
fn guarded(pool: &Pool, conjunct: Term) -> Option<(Edge, Term)> {
    let is_equation = |term: Term| pool.op(term) == Op::Eq && pool.sort(pool.args(term)[0]).is_bitvec();
    let &[both] = pool.args(conjunct) else { return None };
    match *pool.args(both) {
        [a, b] if pool.op(conjunct) == Op::Not && pool.op(both) == Op::And => {
            [(a, b), (b, a)].into_iter().find_map(|(guard, other)| {
                let denied = Edge::of(pool, other);
                (denied.negated && is_equation(denied.term)).then(|| (Edge::of(pool, guard), denied.term))
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::{Assignment, BitVec, Sort, eval};

    /// `c` implies `y = x + 3` and `not c` implies `x - y = 1`: two readings of one symbol under opposite
    /// guards.
    #[test]
    fn a_pair_is_equivalent_to_its_conjuncts() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(3).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let c = pool.symbol("c", Sort::BOOL);
        let (one, three) = (pool.bv_u64(1, 3), pool.bv_u64(3, 3));
        let sum = pool.mk(Op::BvAdd, &[x, three]);
        let difference = pool.mk(Op::BvSub, &[x, y]);
        let (first, second) = (pool.mk(Op::Eq, &[y, sum]), pool.mk(Op::Eq, &[difference, one]));
        let not_c = pool.mk(Op::Not, &[c]);
        let conjuncts = [pool.mk(Op::Implies, &[c, first]), pool.mk(Op::Implies, &[not_c, second])];
        let mut rewriter = Rewriter::new(Level::Local);
        let conjuncts = conjuncts.map(|conjunct| rewriter.rewrite(&mut pool, conjunct));
        let found = pairs(&mut pool, &conjuncts, &|_, _| true, &Deadline::unlimited()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].symbol, found[0].halves.map(|(place, _)| place)), (y, [0, 1]));
        let both = pool.mk(Op::And, &conjuncts);
        let term = found[0].term(&mut pool);
        let definition = pool.mk(Op::Eq, &[y, term]);
        for code in 0..1 << 7 {
            let mut assignment = Assignment::new();
            assignment.set(x, BitVec::from_u64(code, 3));
            assignment.set(y, BitVec::from_u64(code >> 3, 3));
            assignment.set(c, code >> 6 == 1);
            assert_eq!(eval(&pool, both, &assignment), eval(&pool, definition, &assignment), "{code}");
        }
    }

    #[test]
    fn equal_guards_and_different_symbols_are_no_pair() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(3).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let c = pool.symbol("c", Sort::BOOL);
        let not_c = pool.mk(Op::Not, &[c]);
        let two = pool.bv_u64(2, 3);
        let [x_is_two, y_is_two] = [x, y].map(|symbol| pool.mk(Op::Eq, &[two, symbol]));
        let mut rewriter = Rewriter::new(Level::Local);
        for (guard, other) in [(c, x_is_two), (not_c, y_is_two)] {
            let conjuncts = [pool.mk(Op::Implies, &[c, x_is_two]), pool.mk(Op::Implies, &[guard, other])];
            let conjuncts = conjuncts.map(|conjunct| rewriter.rewrite(&mut pool, conjunct));
            assert!(pairs(&mut pool, &conjuncts, &|_, _| true, &Deadline::unlimited()).unwrap().is_empty());
        }
    }
}
