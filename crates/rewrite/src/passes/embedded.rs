//! Embedded constraints: what is asserted is true wherever else it occurs.
//!
//! A conjunct `c` makes every other occurrence of `c` true, `not c` makes `c` false, and `k = t` with a constant `k`
//! makes every other occurrence of `t` that constant. Conjuncts keep saying what they say: in `c` itself, and in `t`
//! of `k = t`, only what is strictly below is replaced.
//!
//! Why it is right: order the facts by the age of the term they replace. Whatever is replaced inside a fact is strictly
//! below its term, so older, and the fact about it is still asserted, with replacements of its own that are older still;
//! so by induction all facts follow from what is left, and under all of them every replacement keeps the value.
//!
//! Found in Boolector and Bitwuzla under this name. Cost: one walk over the DAG below the conjuncts.

use bivalve_terms::{Op, Pool, Term, TermMap};

/// See [`super::Pass`].
pub(super) fn run(pool: &mut Pool, conjuncts: &[Term], _frozen: &dyn Fn(Term) -> bool) -> Option<Vec<Term>> {
    let mut images = Images::default();
    for &conjunct in conjuncts {
        let (term, value) = fact(pool, conjunct);
        images.values.insert(term, value);
    }
    let replaced: Vec<Term> = conjuncts.iter().map(|&conjunct| images.below(pool, conjunct)).collect();
    (replaced != conjuncts).then_some(replaced)
}

/// The term that a conjunct gives a value to, and this value.
fn fact(pool: &mut Pool, conjunct: Term) -> (Term, Term) {
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Not, &[below]) => (below, pool.bool(false)),
        (Op::Eq, &[k, term]) if pool.is_const(k) => (term, k),
        _ => (conjunct, pool.bool(true)),
    }
}

/// Terms with the facts put in.
#[derive(Default)]
struct Images {
    /// The facts.
    values: TermMap<Term>,
    images: TermMap<Term>,
    /// The terms that are walked.
    todo: Vec<Term>,
}

impl Images {
    /// A conjunct with the facts put in everywhere but where it states its own.
    fn below(&mut self, pool: &mut Pool, conjunct: Term) -> Term {
        let (stated, _) = fact(pool, conjunct);
        let args: Vec<Term> = pool.args(stated).to_vec();
        args.iter().for_each(|&arg| self.walk(pool, arg));
        let image = self.rebuilt(pool, stated);
        if image == stated {
            return conjunct;
        }
        // A conjunct is its fact, or a complement or an equation around it.
        let args: Vec<Term> = pool.args(conjunct).to_vec();
        match args.iter().position(|&arg| arg == stated) {
            Some(place) if stated != conjunct => {
                let mut args = args;
                args[place] = image;
                pool.rebuild(conjunct, &args)
            }
            _ => image,
        }
    }

    /// Finds the images of `root` and of all below.
    fn walk(&mut self, pool: &mut Pool, root: Term) {
        self.todo.push(root);
        while let Some(&term) = self.todo.last() {
            if self.images.contains(term) {
                self.todo.pop();
                continue;
            }
            if let Some(&value) = self.values.get(term) {
                self.images.insert(term, value);
                self.todo.pop();
                continue;
            }
            let before = self.todo.len();
            let Images { images, todo, .. } = self;
            todo.extend(pool.args(term).iter().filter(|&&arg| !images.contains(arg)));
            if self.todo.len() == before {
                self.todo.pop();
                let image = self.rebuilt(pool, term);
                self.images.insert(term, image);
            }
        }
    }

    /// The term over the images of its arguments, which are known.
    fn rebuilt(&self, pool: &mut Pool, term: Term) -> Term {
        let image = |&arg: &Term| *self.images.get(arg).expect("arguments are walked first");
        let args: Vec<Term> = pool.args(term).iter().map(image).collect();
        if args == pool.args(term) { term } else { pool.rebuild(term, &args) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, check};

    /// Facts that occur in other conjuncts, in several layers.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial: &mut Trial| {
            let mut conjuncts = vec![];
            for _ in 0..3 {
                let mut fact = trial.comparison(pool);
                if let Some(&other) = conjuncts.last()
                    && trial.chance(2)
                {
                    let both = if trial.chance(2) { Op::Or } else { Op::Xor };
                    let more = trial.comparison(pool);
                    fact = pool.mk(both, &[other, fact]);
                    fact = pool.mk(Op::Ite, &[fact, more, other]);
                }
                conjuncts.push(fact);
            }
            conjuncts
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    #[test]
    fn a_fact_does_not_erase_itself() {
        let mut pool = Pool::new();
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, bivalve_terms::Sort::BOOL));
        let both = pool.mk(Op::Xor, &[a, b]);
        let outer = pool.mk(Op::Implies, &[both, a]);
        let found = run(&mut pool, &[both, outer], &|_| false).expect("the first occurs in the second");
        assert_eq!(found[0], both);
        assert_ne!(found[1], outer);
        assert_eq!(run(&mut pool, &[both, a], &|_| false).map(|found| found[1]), Some(a));
        assert_eq!(run(&mut pool, &[both], &|_| false), None);
    }
}
