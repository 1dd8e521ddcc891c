//! Words of circuits as terms.
//!
//! A truth value is kept as a Boolean term as long as it is one, so that a decision is an `ite` over a
//! Boolean. Operations are folded where constants decide them: a circuit has decisions for every case, of
//! which an operand that is a constant takes most away before a term is made of them.

use bivalve_floats::circuits::Words;
use bivalve_floats::num_bigint::BigUint;
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, TermMap};

/// A word: a bit-vector, or one bit as a Boolean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// A bit-vector.
    Bits(Term),
    /// A Boolean, for a word of one bit.
    Truth(Term),
}

/// Roots of integers: symbols, and the relations that define them.
#[derive(Default)]
pub(crate) struct Roots {
    /// The root and the rest of a term.
    known: TermMap<(Term, Term)>,
    /// The relations of those that were asked for since they were taken.
    relations: Vec<Term>,
}

impl Roots {
    /// The relations of all roots that were asked for since the last time.
    pub(crate) fn take_definition(&mut self, pool: &mut Pool) -> Option<Term> {
        let relations = std::mem::take(&mut self.relations);
        (!relations.is_empty()).then(|| pool.and_all(&relations))
    }
}

/// Makes words in a pool.
pub(crate) struct TermWords<'a> {
    pool: &'a mut Pool,
    roots: &'a mut Roots,
}

impl<'a> TermWords<'a> {
    /// Roots are those that are known, or new ones.
    pub(crate) fn new(pool: &'a mut Pool, roots: &'a mut Roots) -> TermWords<'a> {
        TermWords { pool, roots }
    }

    /// The word as a bit-vector.
    pub(crate) fn bits(&mut self, word: &Word) -> Term {
        match *word {
            Word::Bits(term) => term,
            Word::Truth(truth) => {
                if let Some(value) = self.pool.as_bool(truth) {
                    return self.pool.bv_u64(value.into(), 1);
                }
                let [one, zero] = [1, 0].map(|bit| self.pool.bv_u64(bit, 1));
                self.pool.mk(Op::Ite, &[truth, one, zero])
            }
        }
    }

    /// The word of one bit as a Boolean.
    pub(crate) fn truth(&mut self, word: &Word) -> Term {
        match *word {
            Word::Truth(term) => term,
            Word::Bits(bit) => match self.pool.as_u64(bit) {
                Some(value) => self.pool.bool(value != 0),
                None => {
                    let one = self.pool.bv_u64(1, 1);
                    self.pool.mk(Op::Eq, &[bit, one])
                }
            },
        }
    }

    /// The words, the first one on top.
    pub(crate) fn joined(&mut self, words: &[Word]) -> Word {
        let mut words = words.iter();
        let first = *words.next().expect("there are parts");
        words.fold(first, |high, low| self.concat(&high, low))
    }

    /// The conjunction of truth values.
    pub(crate) fn all(&mut self, words: &[Word]) -> Word {
        words.iter().copied().reduce(|a, b| self.and(&a, &b)).expect("there are some")
    }

    /// Of two bits the upper one if the top bit of a word is set.
    pub(crate) fn chosen_bit(&mut self, word: &Word, pair: &Word) -> Word {
        let top = self.width(word) - 1;
        let sign = self.extract(word, top, top);
        let [low, high] = [0, 1].map(|at| self.extract(pair, at, at));
        self.ite(&sign, &high, &low)
    }

    fn as_constant(&self, word: &Word) -> Option<BitVec> {
        match *word {
            Word::Bits(term) => self.pool.as_bitvec(term),
            Word::Truth(term) => self.pool.as_bool(term).map(BitVec::from_bool),
        }
    }

    /// Is the word a constant of zeros, or of ones?
    fn extreme(&self, word: &Word) -> Option<bool> {
        let value = self.as_constant(word)?;
        if value.is_zero() { Some(false) } else { value.not().is_zero().then_some(true) }
    }

    fn of_value(&mut self, value: &BitVec) -> Word {
        Word::Bits(self.pool.bitvec(value))
    }

    fn of_truth(&mut self, value: bool) -> Word {
        Word::Truth(self.pool.bool(value))
    }

    /// An operation on bit-vectors, or on Booleans if the words have one bit.
    fn bitwise(&mut self, op: Op, of_truths: Op, a: &Word, b: &Word) -> Word {
        if self.width(a) == 1 {
            let [a, b] = [a, b].map(|word| self.truth(word));
            return Word::Truth(self.pool.mk(of_truths, &[a, b]));
        }
        let [a, b] = [a, b].map(|word| self.bits(word));
        Word::Bits(self.pool.mk(op, &[a, b]))
    }

    fn binary(&mut self, op: Op, a: &Word, b: &Word) -> Word {
        let [a, b] = [a, b].map(|word| self.bits(word));
        Word::Bits(self.pool.mk(op, &[a, b]))
    }
}

impl Words for TermWords<'_> {
    type Word = Word;

    fn width(&self, a: &Word) -> u32 {
        match *a {
            Word::Bits(term) => self.pool.width(term).expect("a bit-vector"),
            Word::Truth(_) => 1,
        }
    }

    fn constant(&mut self, width: u32, value: &BigUint) -> Word {
        if width == 1 {
            return self.of_truth(value.bit(0));
        }
        self.of_value(&BitVec::from_int(&value.clone().into(), width))
    }

    fn not(&mut self, a: &Word) -> Word {
        if let Some(value) = self.as_constant(a) {
            return match a {
                Word::Truth(_) => self.of_truth(value.is_zero()),
                Word::Bits(_) => self.of_value(&value.not()),
            };
        }
        if self.width(a) == 1 {
            let truth = self.truth(a);
            if self.pool.op(truth) == Op::Not {
                return Word::Truth(self.pool.args(truth)[0]);
            }
            return Word::Truth(self.pool.mk(Op::Not, &[truth]));
        }
        let bits = self.bits(a);
        Word::Bits(self.pool.mk(Op::BvNot, &[bits]))
    }

    fn and(&mut self, a: &Word, b: &Word) -> Word {
        match (self.extreme(a), self.extreme(b)) {
            (Some(false), _) | (_, Some(true)) => *a,
            (_, Some(false)) | (Some(true), _) => *b,
            _ if a == b => *a,
            _ => self.bitwise(Op::BvAnd, Op::And, a, b),
        }
    }

    fn or(&mut self, a: &Word, b: &Word) -> Word {
        match (self.extreme(a), self.extreme(b)) {
            (Some(true), _) | (_, Some(false)) => *a,
            (_, Some(true)) | (Some(false), _) => *b,
            _ if a == b => *a,
            _ => self.bitwise(Op::BvOr, Op::Or, a, b),
        }
    }

    fn xor(&mut self, a: &Word, b: &Word) -> Word {
        match (self.extreme(a), self.extreme(b)) {
            (Some(false), _) => *b,
            (_, Some(false)) => *a,
            (Some(true), _) => self.not(b),
            (_, Some(true)) => self.not(a),
            _ => self.bitwise(Op::BvXor, Op::Xor, a, b),
        }
    }

    fn add(&mut self, a: &Word, b: &Word) -> Word {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.of_value(&x.add(&y)),
            (Some(x), _) if x.is_zero() => *b,
            (_, Some(y)) if y.is_zero() => *a,
            _ => self.binary(Op::BvAdd, a, b),
        }
    }

    fn sub(&mut self, a: &Word, b: &Word) -> Word {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.of_value(&x.sub(&y)),
            (_, Some(y)) if y.is_zero() => *a,
            _ => self.binary(Op::BvSub, a, b),
        }
    }

    fn mul(&mut self, a: &Word, b: &Word) -> Word {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.of_value(&x.mul(&y)),
            _ => self.binary(Op::BvMul, a, b),
        }
    }

    fn div_rem(&mut self, a: &Word, b: &Word) -> (Word, Word) {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => (self.of_value(&x.udiv(&y)), self.of_value(&x.urem(&y))),
            _ => (self.binary(Op::BvUdiv, a, b), self.binary(Op::BvUrem, a, b)),
        }
    }

    fn root(&mut self, a: &Word) -> (Word, Word) {
        let (n, width) = (self.bits(a), self.width(a));
        let half = width / 2;
        if let Some(n) = self.pool.as_bitvec(n) {
            let n = n.to_int();
            let root = n.sqrt();
            let rest = n - &root * &root;
            return (
                self.of_value(&BitVec::from_int(&root, half)),
                self.of_value(&BitVec::from_int(&rest, half + 1)),
            );
        }
        let pool = &mut *self.pool;
        let (q, r) = self.roots.known.get(n).copied().unwrap_or_else(|| {
            let q = pool.symbol("root", Sort::bitvec(half).expect("half a width"));
            let r = pool.symbol("rest", Sort::bitvec(half + 1).expect("half a width"));
            (q, r)
        });
        self.roots.known.insert(n, (q, r));
        let wide_q = pool.mk_indexed(Op::ZeroExtend, &[width - half], &[q]);
        let wide_r = pool.mk_indexed(Op::ZeroExtend, &[width - half - 1], &[r]);
        let square = pool.mk(Op::BvMul, &[wide_q, wide_q]);
        // The root is rounded down, so the square fits; the sum must, too.
        let rest = pool.mk(Op::BvSub, &[n, square]);
        let is_rest = pool.mk(Op::Eq, &[rest, wide_r]);
        let fits = pool.mk(Op::BvUle, &[square, n]);
        let zero = pool.bv_u64(0, 1);
        let twice = pool.mk(Op::Concat, &[q, zero]);
        let is_small = pool.mk(Op::BvUle, &[r, twice]);
        self.roots.relations.extend([is_rest, fits, is_small]);
        (Word::Bits(q), Word::Bits(r))
    }

    fn eq(&mut self, a: &Word, b: &Word) -> Word {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.of_truth(x == y),
            _ if a == b => self.of_truth(true),
            (_, Some(y)) if y.width() == 1 => {
                if y.is_zero() {
                    self.not(a)
                } else {
                    *a
                }
            }
            (Some(x), _) if x.width() == 1 => {
                if x.is_zero() {
                    self.not(b)
                } else {
                    *b
                }
            }
            _ if self.width(a) == 1 => {
                let [a, b] = [a, b].map(|word| self.truth(word));
                Word::Truth(self.pool.mk(Op::Eq, &[a, b]))
            }
            _ => {
                let [a, b] = [a, b].map(|word| self.bits(word));
                Word::Truth(self.pool.mk(Op::Eq, &[a, b]))
            }
        }
    }

    fn ult(&mut self, a: &Word, b: &Word) -> Word {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.of_truth(x.ult(&y)),
            (_, Some(y)) if y.is_zero() => self.of_truth(false),
            _ if a == b => self.of_truth(false),
            _ => {
                let [a, b] = [a, b].map(|word| self.bits(word));
                Word::Truth(self.pool.mk(Op::BvUlt, &[a, b]))
            }
        }
    }

    fn ite(&mut self, condition: &Word, then: &Word, other: &Word) -> Word {
        match self.extreme(condition) {
            Some(true) => return *then,
            Some(false) => return *other,
            None if then == other => return *then,
            None => {}
        }
        let choice = self.truth(condition);
        if self.width(then) > 1 {
            let [then, other] = [then, other].map(|word| self.bits(word));
            return Word::Bits(self.pool.mk(Op::Ite, &[choice, then, other]));
        }
        match (self.extreme(then), self.extreme(other)) {
            // One constant is a word of one bit, the other a truth value.
            (Some(a), Some(b)) if a == b => *then,
            (Some(true), Some(_)) => *condition,
            (Some(false), Some(_)) => self.not(condition),
            (Some(true), None) => self.or(condition, other),
            (None, Some(false)) => self.and(condition, then),
            (Some(false), None) => {
                let not = self.not(condition);
                self.and(&not, other)
            }
            (None, Some(true)) => {
                let not = self.not(condition);
                self.or(&not, then)
            }
            (None, None) => {
                let [then, other] = [then, other].map(|word| self.truth(word));
                Word::Truth(self.pool.mk(Op::Ite, &[choice, then, other]))
            }
        }
    }

    fn concat(&mut self, high: &Word, low: &Word) -> Word {
        match (self.as_constant(high), self.as_constant(low)) {
            (Some(x), Some(y)) => self.of_value(&x.concat(&y)),
            (Some(x), _) if x.is_zero() => {
                let bits = self.bits(low);
                Word::Bits(self.pool.mk_indexed(Op::ZeroExtend, &[x.width()], &[bits]))
            }
            _ => self.binary(Op::Concat, high, low),
        }
    }

    fn extract(&mut self, a: &Word, high: u32, low: u32) -> Word {
        if let Some(value) = self.as_constant(a) {
            return self.of_value(&value.extract(high, low));
        }
        if low == 0 && high + 1 == self.width(a) {
            return *a;
        }
        let bits = self.bits(a);
        Word::Bits(self.extracted(bits, high, low))
    }
}

impl TermWords<'_> {
    /// Bits of a term, found below concatenations, extensions and extractions.
    fn extracted(&mut self, mut bits: Term, mut high: u32, mut low: u32) -> Term {
        loop {
            let width = self.pool.width(bits).expect("a bit-vector");
            if low == 0 && high + 1 == width {
                return bits;
            }
            match (self.pool.op(bits), self.pool.args(bits)) {
                (Op::Concat, &[top, rest]) => {
                    let below = self.pool.width(rest).expect("a bit-vector");
                    match (high < below, low >= below) {
                        (true, _) => bits = rest,
                        (_, true) => (bits, high, low) = (top, high - below, low - below),
                        _ => break,
                    }
                }
                (Op::ZeroExtend, &[inner]) => {
                    let below = self.pool.width(inner).expect("a bit-vector");
                    match (high < below, low >= below) {
                        (true, _) => bits = inner,
                        (_, true) => return self.pool.bitvec(&BitVec::zero(high - low + 1)),
                        _ => break,
                    }
                }
                (Op::Extract, &[inner]) => {
                    let at = self.pool.index(bits);
                    (bits, high, low) = (inner, high + at, low + at);
                }
                (Op::Const, _) => {
                    let value = self.pool.as_bitvec(bits).expect("a constant");
                    return self.pool.bitvec(&value.extract(high, low));
                }
                _ => break,
            }
        }
        self.pool.mk_indexed(Op::Extract, &[high, low], &[bits])
    }
}
