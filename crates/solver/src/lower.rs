//! Lowering: the form of a simplified formula that circuits and theories expect.
//!
//! Equalities between arrays become binary, one atom for each pair, and wide products, quotients and
//! remainders become symbols that lemmas give their meaning to (`bivalve-abstraction`). Both replace
//! sub-terms wherever they stand, bottom-up, and always by the same term, so images are remembered for ever:
//! what was asserted, popped and asserted again finds its gates in place.
//!
//! What is above is unaware of it: simplification and models speak of the formulas as they were. The operands
//! of a replaced term are not below its symbol; whoever follows a formula down follows [`Lowering::below`] as
//! well.
//!
//! Cost: one visit for each term; formulas without arrays and wide arithmetic come out as they went in.

use bivalve_abstraction::{Abstraction, is_wide};
use bivalve_arrays::binary_equality;
use bivalve_terms::{Op, Pool, Term, TermMap};

/// Remembers what was lowered.
#[derive(Default)]
pub(crate) struct Lowering {
    images: TermMap<Term>,
    pub(crate) abstraction: Abstraction,
}

impl Lowering {
    /// The lowered form of a formula; arithmetic of at least `abstract_from` bits is replaced, none if that
    /// is 0.
    pub(crate) fn apply(&mut self, pool: &mut Pool, root: Term, abstract_from: u32) -> Term {
        let mut todo = vec![root];
        let mut args = vec![];
        while let Some(&term) = todo.last() {
            if self.images.contains(term) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            todo.extend(pool.args(term).iter().filter(|&&arg| !self.images.contains(arg)));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            args.clear();
            args.extend(pool.args(term).iter().map(|&arg| self.known(arg)));
            let rebuilt = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
            let image = self.replace(pool, rebuilt, abstract_from);
            self.images.insert(term, image);
        }
        self.known(root)
    }

    /// The lowered form of a formula that was lowered before.
    pub(crate) fn image(&self, formula: Term) -> Option<Term> {
        self.images.get(formula).copied()
    }

    /// What a symbol stands for, if it was put in for a term.
    pub(crate) fn below(&self, symbol: Term) -> Option<Term> {
        self.abstraction.term_of(symbol)
    }

    fn known(&self, term: Term) -> Term {
        *self.images.get(term).expect("arguments come first")
    }

    fn replace(&mut self, pool: &mut Pool, term: Term, abstract_from: u32) -> Term {
        match pool.op(term) {
            Op::Eq | Op::Distinct => binary_equality(pool, term),
            Op::BvMul | Op::BvUdiv | Op::BvUrem
                if abstract_from > 0 && is_wide(pool, term, abstract_from) =>
            {
                self.abstraction.symbol_for(pool, term)
            }
            _ => term,
        }
    }
}
