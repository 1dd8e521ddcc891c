//! Related operands.
//!
//! Two operands drawn at random are unrelated, so rules for `x < x + 1`, `k x = k y`, `f(a, b)` beside `f(a,
//! c)` or a term beside its complement are never applied. So with some probability the second operand is
//! *related* to the first: the term itself, its complement or negation, the term and a constant under an
//! operator, or a *copy* of it with one other operand. Mutation testing (`cargo xtask faults`) showed what is
//! missed without: side conditions of rewrite rules, and premises of lemmas about functions.
//!
//! *Equations* are just as rare at random: assertions `s + t = u` with a symbol `s`, which elimination of
//! symbols needs.

use super::Family;
use super::maker::Maker;
use bivalve_terms::{Assignment, BitVec, Op, Term, eval};

impl Maker<'_> {
    /// A node that is related to this one, of the same sort.
    pub(super) fn related(&mut self, node: Term) -> Term {
        match self.below(6) {
            0 => node,
            1 => {
                let op = [Op::BvNot, Op::BvNeg][self.below(2)];
                self.pool.mk(op, &[node])
            }
            2 | 3 => {
                let op = [Op::BvAdd, Op::BvAdd, Op::BvMul, Op::BvXor][self.below(4)];
                let constant = self.constant(self.width_of(node));
                self.pool.mk(op, &[constant, node])
            }
            _ => self.variant(node).unwrap_or(node),
        }
    }

    /// The same operator over one other operand; `None` for leaves and where no operand is free.
    pub(super) fn variant(&mut self, node: Term) -> Option<Term> {
        let mut args = self.pool.args(node).to_vec();
        let op = self.pool.op(node);
        let place = match Family::of(op) {
            _ if args.is_empty() => return None,
            // Divisors may have guards.
            Family::Quotient => 0,
            // What is applied, read or decided stays.
            _ if matches!(op, Op::Apply | Op::Select | Op::Ite) => 1 + self.below(args.len() - 1),
            _ => self.below(args.len()),
        };
        args[place] = self.fitting(self.pool.width(args[place])?);
        Some(self.pool.rebuild(node, &args))
    }

    /// A symbol under an operator that can be undone equals some node.
    pub(super) fn equation(&mut self) -> Term {
        let symbol = self.symbol();
        let width = self.width_of(symbol);
        let (a, b) = (self.fitting(width), self.fitting(width));
        let left = match self.below(6) {
            0 => symbol,
            1 => self.pool.mk(Op::BvNot, &[symbol]),
            2 => self.pool.mk(Op::BvXor, &[a, symbol]),
            _ => self.pool.mk(Op::BvAdd, &[symbol, a]),
        };
        self.pool.mk(Op::Eq, &[left, b])
    }

    /// A formula that holds where this one does not: its negation, or an equation of bit-vectors with the
    /// difference of its sides added to one of them.
    pub(super) fn negated(&mut self, root: Term, model: &Assignment) -> Term {
        if let (Op::Eq, &[a, b]) = (self.pool.op(root), self.pool.args(root))
            && self.pool.sort(a).is_bitvec()
        {
            let difference =
                eval(&self.pool, a, model).expect_bitvec().sub(eval(&self.pool, b, model).expect_bitvec());
            let difference = self.pool.bitvec(&difference);
            let moved = self.pool.mk(Op::BvAdd, &[difference, b]);
            return self.pool.mk(Op::Eq, &[a, moved]);
        }
        self.pool.mk(Op::Not, &[root])
    }

    /// A random constant, often one or minus one.
    fn constant(&mut self, width: u32) -> Term {
        let value = match self.below(4) {
            0 => BitVec::one(width),
            1 => BitVec::ones(width),
            _ => self.random.bitvec(width),
        };
        self.pool.bitvec(&value)
    }

    /// A bit-vector symbol of the input layer.
    fn symbol(&mut self) -> Term {
        self.bits.all[self.random.rng().usize(..self.variables)]
    }
}
