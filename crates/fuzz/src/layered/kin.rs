//! Operands that have to do with each other.
//!
//! Two operands drawn by chance are strangers, and what a solver knows about `x < x + 1`, `k x = k y`, `f(a, b)` beside
//! `f(a, c)` or the complement of a term that it meets elsewhere is never asked for. So now and then the second operand is
//! *kin* of the first: the term itself, its complement or negation, the term and a constant under an operator, or its
//! *twin*, the same operator over one other operand. Deliberate faults (`cargo xtask faults`) showed what is missed
//! without: side conditions of rewrite rules, and premises of lemmas about functions.
//!
//! *Equations* are the other thing that chance does not bring: assertions `s + t = u` with a symbol `s`, joined with
//! nothing, for which elimination of symbols looks.

use super::Family;
use super::maker::Maker;
use bivalve_terms::{Op, Term};

impl Maker<'_> {
    /// A node that has to do with this one, of the same sort.
    pub(super) fn kin(&mut self, node: Term) -> Term {
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
            _ => self.twin(node).unwrap_or(node),
        }
    }

    /// The same operator over one other operand; `None` for leaves and where no operand is free.
    fn twin(&mut self, node: Term) -> Option<Term> {
        let mut args = self.pool.args(node).to_vec();
        let last = args.len().checked_sub(1)?;
        let place = match Family::of(self.pool.op(node)) {
            // Divisors may have guards.
            Family::Quotient => 0,
            Family::Elsewhere | Family::Ite => last,
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
}
