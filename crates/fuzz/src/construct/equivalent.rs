//! Equivalent formulas: `op(args) = result` in another form (Becker, table 2, and the same for all
//! operators).
//!
//! The table defines operators by integers: `bvadd(s, t)` is `nat2bv(m, bv2nat(s) + bv2nat(t))`. Here a
//! natural number is a bit-vector with so many zeros in front that the sum, difference, product or power
//! of two at hand fits; `nat2bv` takes the low bits. So the formula is that of the table, without
//! integers. Shifts are a disjunction over all amounts, `bvand` and `bvor` a bit in front of a shorter
//! one, that bit being a symbol of its own (a witness: it is existential in the table, and the formula is
//! asserted, never negated). The forms over integers themselves are text ([`super::integers`]).
//!
//! For arrays the table has nothing ("we cannot represent select as a function of store", section 3.2.5). As
//! *formulas* they have: `select(a, i) = v` exactly if `store(a, i, v) = a`, and `store(a, i, v) = b` exactly
//! if `select(b, i) = v` and `store(b, i, select(a, i)) = a`.
//!
//! Beside these, each operation has up to two further forms: its translation to plain operators, and its
//! normal form by the rewrite rules.

use super::stage::Operation;
use crate::plain;
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term};

/// So many forms are tried for an operation; not all of them exist.
pub(super) const FORMS: usize = 3;

/// A formula equivalent to an equation.
pub(super) struct Equivalent {
    pub(super) formula: Term,
    /// Symbols that occur here alone; the equivalence is that of the formula with these existential.
    pub(super) witnesses: Vec<Term>,
    /// Is it the form of the table?
    pub(super) of_table: bool,
}

/// A form of `operation(args) = result`; `None` if it does not exist or is the equation itself.
pub(super) fn equivalent(
    pool: &mut Pool,
    operation: &Operation,
    args: &[Term],
    result: Term,
    form: usize,
) -> Option<Equivalent> {
    let mut words = Words { pool, witnesses: vec![] };
    let formula = match form {
        0 => words.of_table(operation, args, result)?,
        _ => {
            let term = operation.build(words.pool, args);
            let other = match form {
                1 => plain::translate(words.pool, &[term])[0],
                _ => Rewriter::new(Level::Local).rewrite(words.pool, term),
            };
            if other == term {
                return None;
            }
            words.equal(other, result)
        }
    };
    Some(Equivalent { formula, witnesses: words.witnesses, of_table: form == 0 })
}

/// Builds formulas.
struct Words<'a> {
    pool: &'a mut Pool,
    witnesses: Vec<Term>,
}

impl Words<'_> {
    /// The form of the table, or one like it; `None` where only the other forms say something.
    fn of_table(&mut self, operation: &Operation, args: &[Term], result: Term) -> Option<Term> {
        let op = operation.op;
        let term = match op {
            // Formulas about the result.
            Op::Ite | Op::Select | Op::Store | Op::ConstArray => return self.about(op, args, result),
            Op::BvShl | Op::BvLshr => return Some(self.shift(op, args, result)),
            Op::BvAnd | Op::BvOr => return Some(self.bit_and_rest(op, args, result)),
            Op::BvUdiv | Op::BvUrem => return Some(self.division(op, args, result)),
            Op::Not | Op::Implies | Op::And | Op::Or | Op::Xor => self.boolean(op, args),
            Op::Eq | Op::Distinct => self.equality(op, args)?,
            Op::Concat | Op::Extract | Op::Repeat | Op::ZeroExtend | Op::SignExtend => {
                self.wiring(operation, args)
            }
            Op::RotateLeft | Op::RotateRight => self.rotation(op, operation.indices[0], args[0]),
            Op::BvNot | Op::BvNeg | Op::BvAdd | Op::BvSub | Op::BvMul => self.arithmetic(op, args),
            Op::BvSdiv | Op::BvSrem | Op::BvSmod => self.signed(op, args),
            Op::BvXor | Op::BvNand | Op::BvNor | Op::BvXnor => self.bitwise(op, args),
            Op::BvComp | Op::RedAnd | Op::RedOr => self.bit(op, args),
            Op::BvAshr => {
                let sign = self.sign(args[0]);
                let flipped = self.mk(Op::BvNot, &[args[0]]);
                let [negative, positive] =
                    [flipped, args[0]].map(|shifted| self.mk(Op::BvLshr, &[shifted, args[1]]));
                let negative = self.mk(Op::BvNot, &[negative]);
                self.mk(Op::Ite, &[sign, negative, positive])
            }
            Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge => self.order(op, args[0], args[1]),
            Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => {
                // Turning the sign bits round makes the order unsigned.
                let least = BitVec::min_signed(self.width(args[0]));
                let least = self.pool.bitvec(&least);
                let [s, t] = [args[0], args[1]].map(|arg| self.mk(Op::BvXor, &[arg, least]));
                let unsigned = match op {
                    Op::BvSlt => Op::BvUlt,
                    Op::BvSle => Op::BvUle,
                    Op::BvSgt => Op::BvUgt,
                    _ => Op::BvUge,
                };
                self.mk(unsigned, &[s, t])
            }
            // The others have a translation to plain words or a normal form, and no third way.
            _ => return None,
        };
        Some(self.equal(term, result))
    }

    fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.mk(op, args)
    }

    fn width(&self, term: Term) -> u32 {
        self.pool.width(term).expect("a bit-vector")
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Eq, &[a, b])
    }

    fn not(&mut self, a: Term) -> Term {
        self.mk(Op::Not, &[a])
    }

    fn zero(&mut self, width: u32) -> Term {
        self.pool.bitvec(&BitVec::zero(width))
    }

    /// 2^exponent.
    fn power(&mut self, exponent: u32, width: u32) -> Term {
        self.pool.bitvec(&BitVec::one(width).shl_by(exponent))
    }

    /// The natural number of a term, with `width` bits.
    fn nat(&mut self, term: Term, width: u32) -> Term {
        match width - self.width(term) {
            0 => term,
            more => self.pool.mk_indexed(Op::ZeroExtend, &[more], &[term]),
        }
    }

    /// The bits `high` to `low`, the term itself if these are all.
    fn slice(&mut self, term: Term, high: u32, low: u32) -> Term {
        if low == 0 && high + 1 == self.width(term) {
            return term;
        }
        self.pool.mk_indexed(Op::Extract, &[high, low], &[term])
    }

    /// The number modulo 2^width.
    fn low(&mut self, term: Term, width: u32) -> Term {
        self.slice(term, width - 1, 0)
    }

    /// Is the sign bit set?
    fn sign(&mut self, term: Term) -> Term {
        let top = self.width(term) - 1;
        let (bit, one) = (self.pool.mk_indexed(Op::Extract, &[top, top], &[term]), self.power(0, 1));
        self.equal(bit, one)
    }

    fn arithmetic(&mut self, op: Op, args: &[Term]) -> Term {
        let m = self.width(args[0]);
        let wide = if op == Op::BvMul { 2 * m } else { m + 1 };
        let nats: Vec<Term> = args.iter().map(|&arg| self.nat(arg, wide)).collect();
        let exact = match op {
            Op::BvNot => {
                let (power, one) = (self.power(m, wide), self.power(0, wide));
                let greatest = self.mk(Op::BvSub, &[power, one]);
                self.mk(Op::BvSub, &[greatest, nats[0]])
            }
            Op::BvNeg => {
                let power = self.power(m, wide);
                self.mk(Op::BvSub, &[power, nats[0]])
            }
            Op::BvSub => {
                let power = self.power(m, wide);
                let sum = self.mk(Op::BvAdd, &[power, nats[0]]);
                self.mk(Op::BvSub, &[sum, nats[1]])
            }
            op => self.mk(op, &nats),
        };
        self.low(exact, m)
    }

    fn division(&mut self, op: Op, args: &[Term], result: Term) -> Term {
        let m = self.width(args[0]);
        let nats = [args[0], args[1]].map(|arg| self.nat(arg, m + 1));
        let zero = self.zero(m + 1);
        let positive = self.mk(Op::BvUgt, &[nats[1], zero]);
        let exact = self.mk(op, &nats);
        let exact = self.low(exact, m);
        let otherwise = if op == Op::BvUdiv { self.pool.bitvec(&BitVec::ones(m)) } else { args[0] };
        let [regular, otherwise] = [exact, otherwise].map(|value| self.equal(value, result));
        self.mk(Op::Ite, &[positive, regular, otherwise])
    }

    /// The definitions of the theory, by magnitudes.
    fn signed(&mut self, op: Op, args: &[Term]) -> Term {
        let (s, t) = (args[0], args[1]);
        let signs = [s, t].map(|arg| self.sign(arg));
        let mut magnitudes = [s, t];
        for (magnitude, sign) in magnitudes.iter_mut().zip(signs) {
            let negated = self.mk(Op::BvNeg, &[*magnitude]);
            *magnitude = self.mk(Op::Ite, &[sign, negated, *magnitude]);
        }
        let unsigned = if op == Op::BvSdiv { Op::BvUdiv } else { Op::BvUrem };
        let plain = self.mk(unsigned, &magnitudes);
        let negated = self.mk(Op::BvNeg, &[plain]);
        if op != Op::BvSmod {
            let differ = self.mk(Op::Xor, &signs);
            let turned = if op == Op::BvSdiv { differ } else { signs[0] };
            return self.mk(Op::Ite, &[turned, negated, plain]);
        }
        let zero = self.zero(self.width(s));
        let exact = self.equal(plain, zero);
        let turned = self.mk(Op::Ite, &[signs[0], negated, plain]);
        let moved = self.mk(Op::BvAdd, &[turned, t]);
        let alike = self.equal(signs[0], signs[1]);
        let regular = self.mk(Op::Ite, &[alike, turned, moved]);
        self.mk(Op::Ite, &[exact, plain, regular])
    }

    /// A disjunction over all amounts.
    fn shift(&mut self, op: Op, args: &[Term], result: Term) -> Term {
        let (s, t, m) = (args[0], args[1], self.width(args[0]));
        let mut cases = vec![];
        for by in 0..m {
            let shifted = match (by, op) {
                (0, _) => s,
                (_, Op::BvShl) => {
                    let (kept, zeros) = (self.low(s, m - by), self.zero(by));
                    self.mk(Op::Concat, &[kept, zeros])
                }
                _ => {
                    let (zeros, kept) = (self.zero(by), self.slice(s, m - 1, by));
                    self.mk(Op::Concat, &[zeros, kept])
                }
            };
            let amount = self.pool.bv_u64(u64::from(by), m);
            let (here, same) = (self.equal(t, amount), self.equal(shifted, result));
            cases.push(self.mk(Op::And, &[here, same]));
        }
        let (all, zero) = (self.pool.bv_u64(u64::from(m), m), self.zero(m));
        let (beyond, same) = (self.mk(Op::BvUge, &[t, all]), self.equal(zero, result));
        cases.push(self.mk(Op::And, &[beyond, same]));
        self.mk(Op::Or, &cases)
    }

    /// The first bit by cases, the rest by the operator itself.
    fn bit_and_rest(&mut self, op: Op, args: &[Term], result: Term) -> Term {
        let m = self.width(args[0]);
        let name = format!("r{}", self.pool.len());
        let bit = self.pool.symbol(&name, Sort::bitvec(1).expect("a legal width"));
        self.witnesses.push(bit);
        let signs = [args[0], args[1]].map(|arg| self.sign(arg));
        let set = self.mk(if op == Op::BvAnd { Op::And } else { Op::Or }, &signs);
        let values = [1, 0].map(|value| self.pool.bv_u64(value, 1));
        let [one, zero] = values.map(|value| self.equal(bit, value));
        let first = self.mk(Op::Ite, &[set, one, zero]);
        let whole = if m == 1 {
            bit
        } else {
            let lower = [args[0], args[1]].map(|arg| self.low(arg, m - 1));
            let rest = self.mk(op, &lower);
            self.mk(Op::Concat, &[bit, rest])
        };
        let joined = self.equal(whole, result);
        self.mk(Op::And, &[first, joined])
    }

    fn bitwise(&mut self, op: Op, args: &[Term]) -> Term {
        let (s, t) = (args[0], args[1]);
        let flipped = [s, t].map(|arg| self.mk(Op::BvNot, &[arg]));
        match op {
            Op::BvNand => self.mk(Op::BvOr, &flipped),
            Op::BvNor => self.mk(Op::BvAnd, &flipped),
            Op::BvXor => {
                let (either, both) = (self.mk(Op::BvOr, &[s, t]), self.mk(Op::BvAnd, &[s, t]));
                let not_both = self.mk(Op::BvNot, &[both]);
                self.mk(Op::BvAnd, &[either, not_both])
            }
            _ => {
                let (both, neither) = (self.mk(Op::BvAnd, &[s, t]), self.mk(Op::BvAnd, &flipped));
                self.mk(Op::BvOr, &[both, neither])
            }
        }
    }

    /// Operators with a single bit as result, as a choice.
    fn bit(&mut self, op: Op, args: &[Term]) -> Term {
        let width = self.width(args[0]);
        let [one, zero] = [1, 0].map(|value| self.pool.bv_u64(value, 1));
        let (other, [then, otherwise]) = match op {
            Op::BvComp => (args[1], [one, zero]),
            Op::RedAnd => (self.pool.bitvec(&BitVec::ones(width)), [one, zero]),
            _ => (self.zero(width), [zero, one]),
        };
        let condition = self.equal(args[0], other);
        self.mk(Op::Ite, &[condition, then, otherwise])
    }

    fn wiring(&mut self, operation: &Operation, args: &[Term]) -> Term {
        let (s, m) = (args[0], self.width(args[0]));
        match (operation.op, &operation.indices[..]) {
            (Op::Concat, _) => {
                let n = self.width(args[1]);
                let (high, low) = (self.nat(s, m + n), self.nat(args[1], m + n));
                let power = self.power(n, m + n);
                let product = self.mk(Op::BvMul, &[high, power]);
                self.mk(Op::BvAdd, &[product, low])
            }
            (Op::Extract, &[high, low]) => {
                let width = high - low + 1;
                let [up, down] = [m - 1 - high, m - width].map(|by| self.pool.bv_u64(u64::from(by), m));
                let left = self.mk(Op::BvShl, &[s, up]);
                let right = self.mk(Op::BvLshr, &[left, down]);
                self.low(right, width)
            }
            (Op::Repeat, &[times]) => (1..times).fold(s, |all, _| self.mk(Op::Concat, &[all, s])),
            (Op::ZeroExtend | Op::SignExtend, &[0]) => s,
            (Op::ZeroExtend, &[by]) => {
                let zeros = self.zero(by);
                self.mk(Op::Concat, &[zeros, s])
            }
            (_, &[by]) => {
                let sign = self.sign(s);
                let filled = [BitVec::ones(by), BitVec::zero(by)].map(|bits| self.pool.bitvec(&bits));
                let front = self.mk(Op::Ite, &[sign, filled[0], filled[1]]);
                self.mk(Op::Concat, &[front, s])
            }
            _ => unreachable!("the operator table has the number of indices"),
        }
    }

    fn rotation(&mut self, op: Op, by: u32, s: Term) -> Term {
        let m = self.width(s);
        let left = if op == Op::RotateLeft { by % m } else { (m - by % m) % m };
        if left == 0 {
            return s;
        }
        let (high, low) = (self.low(s, m - left), self.slice(s, m - 1, m - left));
        self.mk(Op::Concat, &[high, low])
    }

    /// Less than, as a borrow of the difference with a bit more.
    fn order(&mut self, op: Op, s: Term, t: Term) -> Term {
        let (less, more) = if matches!(op, Op::BvUlt | Op::BvUge) { (s, t) } else { (t, s) };
        let wide = self.width(s) + 1;
        let nats = [less, more].map(|arg| self.nat(arg, wide));
        let difference = self.mk(Op::BvSub, &nats);
        let borrow = self.sign(difference);
        if matches!(op, Op::BvUlt | Op::BvUgt) { borrow } else { self.not(borrow) }
    }

    fn boolean(&mut self, op: Op, args: &[Term]) -> Term {
        let s = args[0];
        let negated: Vec<Term> = args.iter().map(|&arg| self.not(arg)).collect();
        match op {
            Op::Not => {
                let falsity = self.pool.bool(false);
                self.equal(s, falsity)
            }
            Op::Implies => self.mk(Op::Or, &[negated[0], args[1]]),
            Op::And => {
                let either = self.mk(Op::Or, &negated);
                self.not(either)
            }
            Op::Or => {
                let both = self.mk(Op::And, &negated);
                self.not(both)
            }
            _ => self.equal(negated[0], args[1]),
        }
    }

    /// Equality of bits by their difference, of Booleans by implications, of arrays by all their elements.
    fn equality(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let (s, t) = (args[0], args[1]);
        let sort = self.pool.sort(s);
        let equal = if sort.is_bool() {
            let (there, back) = (self.mk(Op::Implies, &[s, t]), self.mk(Op::Implies, &[t, s]));
            self.mk(Op::And, &[there, back])
        } else if let Some(width) = sort.width() {
            let (difference, zero) = (self.mk(Op::BvXor, &[s, t]), self.zero(width));
            self.equal(difference, zero)
        } else {
            let mut all = vec![];
            for index in self.indices(sort)? {
                let [a, b] = [s, t].map(|array| self.mk(Op::Select, &[array, index]));
                all.push(self.equal(a, b));
            }
            self.pool.and_all(&all)
        };
        Some(if op == Op::Eq { equal } else { self.not(equal) })
    }

    /// All indices of an array sort, if they are few.
    fn indices(&mut self, sort: Sort) -> Option<Vec<Term>> {
        let (index, _) = self.pool.sorts().array_parts(sort)?;
        let count = self.pool.sorts().small_cardinality(index).filter(|&count| count <= 16)?;
        let constant = |value: u64| match index.width() {
            Some(width) => self.pool.bv_u64(value, width),
            None => self.pool.bool(value == 1),
        };
        Some((0..count).map(constant).collect())
    }

    /// Formulas about the result that do not compute it.
    fn about(&mut self, op: Op, args: &[Term], result: Term) -> Option<Term> {
        let claims = match op {
            Op::Ite => {
                let [then, otherwise] = [args[1], args[2]].map(|arg| self.equal(arg, result));
                let not = self.not(args[0]);
                vec![self.mk(Op::Implies, &[args[0], then]), self.mk(Op::Implies, &[not, otherwise])]
            }
            Op::Select => {
                let written = self.mk(Op::Store, &[args[0], args[1], result]);
                vec![self.equal(written, args[0])]
            }
            Op::Store => {
                let (there, before) =
                    (self.mk(Op::Select, &[result, args[1]]), self.mk(Op::Select, &[args[0], args[1]]));
                let undone = self.mk(Op::Store, &[result, args[1], before]);
                vec![self.equal(there, args[2]), self.equal(undone, args[0])]
            }
            _ => {
                let mut all = vec![];
                for index in self.indices(self.pool.sort(result))? {
                    let element = self.mk(Op::Select, &[result, index]);
                    all.push(self.equal(element, args[0]));
                }
                all
            }
        };
        Some(self.pool.and_all(&claims))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::construct::stage::Stage;
    use crate::construct::{Operators, Theory};
    use bivalve_judge::exhaustion::satisfiable;
    use std::collections::BTreeSet;

    /// Of every form, at small widths: with the witnesses free, neither side holds without the other.
    #[test]
    fn every_form_is_equivalent_to_its_equation() {
        let mut seen: BTreeSet<(Op, usize)> = BTreeSet::new();
        for (theory, widths) in [(Theory::Bits, 1..=3), (Theory::Both, 1..=2)] {
            for width in widths {
                let stage = Stage::new(theory, width, Operators::All);
                for operation in &stage.operations {
                    for form in 0..FORMS {
                        seen.extend(judge(&stage, operation, form).then_some((operation.op, form)));
                    }
                }
            }
        }
        let formless = |op: &Op| (0..FORMS).all(|form| !seen.contains(&(*op, form)));
        let missing: Vec<Op> = Op::native().filter(formless).collect();
        assert_eq!(missing, [Op::Const, Op::Symbol, Op::Apply], "every operator has another form");
        assert!(seen.iter().filter(|(_, form)| *form == 0).count() >= 45, "{seen:?}");
    }

    fn judge(stage: &Stage, operation: &Operation, form: usize) -> bool {
        let mut pool = stage.pool();
        let args: Vec<Term> = operation.args.iter().map(|&sort| pool.symbol("s", sort)).collect();
        let result = pool.symbol("res", operation.result);
        let Some(other) = equivalent(&mut pool, operation, &args, result, form) else { return false };
        let term = operation.build(&mut pool, &args);
        let equation = pool.mk(Op::Eq, &[term, result]);
        let negated = pool.mk(Op::Not, &[equation]);
        let wrong = [negated, other.formula];
        let judged = satisfiable(&pool, &wrong, 16);
        assert_ne!(judged, Some(true), "{operation:?} form {form}: too weak");
        assert_eq!(other.witnesses.is_empty(), !(form == 0 && matches!(operation.op, Op::BvAnd | Op::BvOr)));
        if other.witnesses.is_empty() {
            let missing = pool.mk(Op::Not, &[other.formula]);
            assert_ne!(
                satisfiable(&pool, &[equation, missing], 16),
                Some(true),
                "{operation:?} form {form}: too strong"
            );
        }
        judged == Some(false)
    }
}
