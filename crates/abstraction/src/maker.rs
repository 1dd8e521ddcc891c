//! A small vocabulary for lemmas: terms over the operands `x` and `s` and the result `t`, all of one width.

use bivalve_terms::{BitVec, Op, Pool, Term};

/// Builds terms over two operands and a result.
pub(crate) struct Maker<'a> {
    pub(crate) pool: &'a mut Pool,
    pub(crate) x: Term,
    pub(crate) s: Term,
    pub(crate) t: Term,
}

impl Maker<'_> {
    pub(crate) fn width(&self) -> u32 {
        self.pool.width(self.x).expect("operands are bit-vectors")
    }

    pub(crate) fn number(&mut self, value: u64) -> Term {
        let width = self.width();
        self.pool.bv_u64(value, width)
    }

    pub(crate) fn constant(&mut self, value: &BitVec) -> Term {
        self.pool.bitvec(value)
    }

    pub(crate) fn ones(&mut self) -> Term {
        let width = self.width();
        self.pool.bitvec(&BitVec::ones(width))
    }

    pub(crate) fn op(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.mk(op, args)
    }

    pub(crate) fn neg(&mut self, a: Term) -> Term {
        self.pool.mk(Op::BvNeg, &[a])
    }

    pub(crate) fn and(&mut self, a: Term, b: Term) -> Term {
        self.pool.mk(Op::BvAnd, &[a, b])
    }

    pub(crate) fn or(&mut self, a: Term, b: Term) -> Term {
        self.pool.mk(Op::BvOr, &[a, b])
    }

    pub(crate) fn eq(&mut self, a: Term, b: Term) -> Term {
        self.pool.mk(Op::Eq, &[a, b])
    }

    pub(crate) fn ule(&mut self, a: Term, b: Term) -> Term {
        self.pool.mk(Op::BvUle, &[a, b])
    }

    pub(crate) fn ult(&mut self, a: Term, b: Term) -> Term {
        self.pool.mk(Op::BvUlt, &[a, b])
    }

    pub(crate) fn not(&mut self, a: Term) -> Term {
        self.pool.mk(Op::Not, &[a])
    }

    /// Bits `high` down to `low`.
    pub(crate) fn slice(&mut self, a: Term, high: u32, low: u32) -> Term {
        self.pool.mk_indexed(Op::Extract, &[high, low], &[a])
    }

    /// Bits from `low` to the top are zero; true if there are none.
    pub(crate) fn zero_from(&mut self, a: Term, low: u32) -> Term {
        let width = self.width();
        if low >= width {
            return self.pool.bool(true);
        }
        let high = self.slice(a, width - 1, low);
        let zero = self.pool.bv_u64(0, width - low);
        self.eq(high, zero)
    }

    /// The lowest `count` bits are zero; true if there are none.
    pub(crate) fn zero_below(&mut self, a: Term, count: u32) -> Term {
        if count == 0 {
            return self.pool.bool(true);
        }
        let low = self.slice(a, count - 1, 0);
        let zero = self.pool.bv_u64(0, count);
        self.eq(low, zero)
    }

    /// The bit is one.
    pub(crate) fn has_bit(&mut self, a: Term, bit: u32) -> Term {
        let bit = self.slice(a, bit, bit);
        let one = self.pool.bv_u64(1, 1);
        self.eq(bit, one)
    }

    /// All conditions imply the conclusion.
    pub(crate) fn implies(&mut self, conditions: &[Term], conclusion: Term) -> Term {
        let mut clause = vec![];
        for &condition in conditions {
            clause.push(self.not(condition));
        }
        clause.push(conclusion);
        if clause.len() == 1 { conclusion } else { self.pool.mk(Op::Or, &clause) }
    }
}
