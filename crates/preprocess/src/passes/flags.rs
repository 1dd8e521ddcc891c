//! Flags: a comparison that is spelled out by signs becomes a comparison.
//!
//! Processors compare by subtracting, and set flags: the sign of the difference, the carry, whether signed
//! numbers overflowed. What lifts binary code to words spells them out: `a < b` is the exclusive or of the
//! sign of `a - b` and of the top bit of `(a ^ b) & (a ^ (a - b))`. Whatever it looks like, it is a Boolean
//! function of three bits, the signs of `a`, `b` and `a - b`. So functions are kept as truth tables over the
//! *top bits* of words, below bitwise and Boolean operators, and compared with these two (Warren, *Hacker's
//! Delight*, 2.12):
//!
//! - signed `a < b`: the sign of `a` where the signs of `a` and `b` differ, else that of `a - b`;
//! - unsigned `a < b`: the sign of `b` where they differ, else that of `a - b`.
//!
//! Where the top bits of the operands of a sum are known, such as zeros in front of both, its own is their
//! carry or borrow, which is a comparison of what is below: `x - y` borrows if `x < y`, `x + y` carries if
//! `~y < x`.
//!
//! Why it is right: the formulas hold for all words of a width, and equal tables over the same bits are equal
//! functions. Cost: a table of 16 rows for each term, if there is a top bit of a sum at all.

use crate::change::Change;
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term, TermMap};

/// Words whose top bits a function may have.
const MOST_BITS: usize = 4;

/// A row for each combination of bits, the first word's in the lowest place.
type Table = u16;

/// The tables of the bits themselves.
const BITS: [Table; MOST_BITS] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/// A Boolean function of the top bits of words; a truth value is its own top bit.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Function {
    /// The words that it depends on, in order.
    words: [Option<Term>; MOST_BITS],
    table: Table,
}

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let terms = problem.cone(pool);
    let is_sum = |term: Term| pool.op(term) == Op::BvAdd;
    if !terms.iter().any(|&term| top(pool, term).is_some_and(|word| mentions(pool, word, is_sum))) {
        return None;
    }
    let mut functions = Functions::default();
    let mut replaced = vec![];
    for &term in terms {
        if !problem.deadline.step(1) {
            return None;
        }
        functions.add(pool, term);
        if pool.sort(term).is_bool()
            && let Some(comparison) = functions.comparison(pool, term)
        {
            replaced.push((term, comparison));
        }
    }
    if replaced.is_empty() {
        return None;
    }
    Some(replaced.into_iter().map(|(term, comparison)| Change::law(term, comparison.make(pool))).collect())
}

/// The word whose top bit a term is.
fn top(pool: &Pool, term: Term) -> Option<Term> {
    let (Op::Extract, &[word]) = (pool.op(term), pool.args(term)) else { return None };
    (pool.indices(term) == [pool.width(word)? - 1; 2]).then_some(word)
}

/// Whether a word is one of these, or bitwise in such words.
fn mentions(pool: &Pool, word: Term, is_sought: impl Fn(Term) -> bool) -> bool {
    let mut todo = vec![word];
    let mut steps = 0;
    while let Some(word) = todo.pop() {
        steps += 1;
        if is_sought(word) || steps > 64 {
            return true;
        }
        if matches!(pool.op(word), Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot) {
            todo.extend_from_slice(pool.args(word));
        }
    }
    false
}

/// Two words, one of which is less.
struct Comparison {
    op: Op,
    words: (Term, Term),
    of: Compared,
    holds: bool,
}

/// What is compared of two words.
#[derive(Clone, Copy, PartialEq)]
enum Compared {
    Words,
    /// The first one and minus the second one.
    Minus,
    /// All but the top bits: these say whether the difference borrows.
    Low,
    /// The complement of all but the top bit of the second one, and that of the first one: these say whether
    /// the sum carries.
    Carry,
}

impl Comparison {
    fn make(&self, pool: &mut Pool) -> Term {
        let (mut a, mut b) = self.words;
        if let (Compared::Low | Compared::Carry, Some(top @ 1..)) =
            (self.of, pool.width(a).map(|width| width - 1))
        {
            (a, b) = (make::extract(pool, a, top - 1, 0), make::extract(pool, b, top - 1, 0));
        }
        match self.of {
            Compared::Minus => b = make::app(pool, Op::BvNeg, &[b]),
            Compared::Carry => (a, b) = (make::app(pool, Op::BvNot, &[b]), a),
            Compared::Words | Compared::Low => {}
        }
        let comparison = make::app(pool, self.op, &[a, b]);
        if self.holds { comparison } else { make::not(pool, comparison) }
    }
}

/// The functions of terms.
#[derive(Default)]
struct Functions {
    known: TermMap<Option<Function>>,
}

impl Functions {
    /// The function of a term; that of a term that was not added is its own top bit.
    fn of(&self, pool: &Pool, term: Term) -> Option<Function> {
        match self.known.get(term) {
            Some(function) => *function,
            None => constant(pool, term).or_else(|| Some(bit(term))),
        }
    }

    fn add(&mut self, pool: &Pool, term: Term) {
        let function = self.function(pool, term);
        self.known.insert(term, function);
    }

    /// The function of a term whose arguments were added; `None` if it is one of too many bits.
    fn function(&self, pool: &Pool, term: Term) -> Option<Function> {
        let args = pool.args(term);
        let all = |op: fn(Table, Table) -> Table| {
            let (&first, rest) = args.split_first()?;
            rest.iter().try_fold(self.of(pool, first)?, |all, &arg| all.with(self.of(pool, arg)?, op))
        };
        let is_bit = |term: Term| pool.sort(term).is_bool() || pool.width(term) == Some(1);
        match pool.op(term) {
            Op::Not | Op::BvNot => Some(self.of(pool, args[0])?.negated()),
            Op::And | Op::BvAnd => all(|a, b| a & b),
            Op::Or | Op::BvOr => all(|a, b| a | b),
            Op::Xor | Op::BvXor => all(|a, b| a ^ b),
            Op::Eq if args.len() == 2 && is_bit(args[0]) => all(|a, b| !(a ^ b)),
            Op::Ite if is_bit(term) => {
                let [condition, then, other] = [0, 1, 2].map(|place| self.of(pool, args[place]));
                choice(condition?, then?, other?)
            }
            Op::Extract if top(pool, term).is_some() => self.of(pool, args[0]),
            Op::Concat if let Some(high) = pool.as_bitvec(args[0]) => Some(of_bit(high.msb())),
            _ => constant(pool, term).or_else(|| Some(bit(term))),
        }
    }

    /// The comparison that a term spells out.
    fn comparison(&self, pool: &Pool, term: Term) -> Option<Comparison> {
        let function = self.of(pool, term)?;
        function.words.iter().flatten().find_map(|&difference| {
            let (Op::BvAdd, &[p, q]) = (pool.op(difference), pool.args(difference)) else { return None };
            [(p, q), (q, p)].into_iter().find_map(|(a, minus)| {
                let (b, is_negated) = match pool.op(minus) {
                    Op::BvNeg => (pool.args(minus)[0], false),
                    _ => (minus, true),
                };
                let left = self.of(pool, a)?;
                let right = match pool.as_bitvec(minus) {
                    Some(value) => of_bit(value.neg().msb()),
                    None if is_negated => return None,
                    None => self.of(pool, b)?,
                };
                if let Some(carry) = self.carry(pool, function, difference, (a, minus)) {
                    return Some(carry);
                }
                let differ = left.with(right, |a, b| a ^ b)?;
                [(Op::BvSlt, left), (Op::BvUlt, right)].into_iter().find_map(|(op, sign)| {
                    let less = choice(differ, sign, bit(difference))?;
                    let holds = less == function;
                    (holds || less.negated() == function).then_some(Comparison {
                        op,
                        words: (a, b),
                        of: if is_negated { Compared::Minus } else { Compared::Words },
                        holds,
                    })
                })
            })
        })
    }

    /// The top bit of a sum whose operands have known top bits is the carry or borrow of what is below them.
    fn carry(&self, pool: &Pool, function: Function, sum: Term, (a, b): (Term, Term)) -> Option<Comparison> {
        let (b, of) = match pool.op(b) {
            Op::BvNeg => (pool.args(b)[0], Compared::Low),
            _ => (b, Compared::Carry),
        };
        let tops = self.of(pool, a)?.with(self.of(pool, b)?, |a, b| a ^ b)?;
        let is_known = tops == of_bit(true) || tops == of_bit(false);
        if !is_known || pool.width(a)? == 1 {
            return None;
        }
        let holds = function == bit(sum).with(tops, |a, b| a ^ b)?;
        let fails = function.negated() == bit(sum).with(tops, |a, b| a ^ b)?;
        (holds || fails).then_some(Comparison { op: Op::BvUlt, words: (a, b), of, holds })
    }
}

/// The top bit of a word.
fn bit(word: Term) -> Function {
    Function { words: [Some(word), None, None, None], table: BITS[0] }
}

/// A bit that is known.
fn of_bit(value: bool) -> Function {
    Function { words: [None; MOST_BITS], table: if value { !0 } else { 0 } }
}

/// The top bit of a constant.
fn constant(pool: &Pool, term: Term) -> Option<Function> {
    let value = pool.as_bool(term).or_else(|| pool.as_bitvec(term).map(|value| value.msb()))?;
    Some(of_bit(value))
}

fn choice(condition: Function, then: Function, other: Function) -> Option<Function> {
    let then = condition.with(then, |a, b| a & b)?;
    let other = condition.negated().with(other, |a, b| a & b)?;
    then.with(other, |a, b| a | b)
}

impl Function {
    fn negated(self) -> Function {
        Function { table: !self.table, ..self }
    }

    /// A function of the bits of both; `None` if it depends on too many.
    fn with(self, other: Function, op: impl Fn(Table, Table) -> Table) -> Option<Function> {
        let mut words: Vec<Term> = self.words.iter().chain(&other.words).flatten().copied().collect();
        words.sort_unstable();
        words.dedup();
        if words.len() > MOST_BITS {
            return None;
        }
        let table = op(self.over(&words), other.over(&words));
        // A table that is the same in both halves does not depend on the word.
        let matters = |&place: &usize| {
            let shift = 1 << place;
            (table & BITS[place]) >> shift != table & !BITS[place]
        };
        let places: Vec<usize> = (0..words.len()).filter(matters).collect();
        let mut function = of_bit(false);
        for (to, &from) in places.iter().enumerate() {
            function.words[to] = Some(words[from]);
        }
        function.table = tabulate(|row| {
            let from =
                places.iter().enumerate().fold(0, |from, (to, &place)| from | (row >> to & 1) << place);
            table >> from & 1 == 1
        });
        Some(function)
    }

    /// The table over words among which are those of the function.
    fn over(&self, words: &[Term]) -> Table {
        let place = |word: &Option<Term>| words.iter().position(|&known| Some(known) == *word);
        let places = self.words.each_ref().map(place);
        tabulate(|row| {
            let of_place =
                |(own, place): (usize, &Option<usize>)| place.map_or(0, |place| (row >> place & 1) << own);
            let own: usize = places.iter().enumerate().map(of_place).sum();
            self.table >> own & 1 == 1
        })
    }
}

fn tabulate(holds: impl Fn(usize) -> bool) -> Table {
    (0..1 << MOST_BITS).filter(|&row| holds(row)).fold(0, |table, row| table | 1 << row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, check};

    /// The top bit of a word as a truth value.
    fn sign(pool: &mut Pool, word: Term) -> Term {
        let top = pool.width(word).expect("a word") - 1;
        let bit = pool.mk_indexed(Op::Extract, &[top, top], &[word]);
        let one = pool.bv_u64(1, 1);
        pool.mk(Op::Eq, &[one, bit])
    }

    /// A random Boolean function of some truth values.
    fn function(pool: &mut Pool, trial: &mut Trial, bits: &[Term], depth: u32) -> Term {
        if depth == 0 {
            return bits[trial.number(bits.len() as u64) as usize];
        }
        let parts = [(); 3].map(|()| function(pool, trial, bits, depth - 1));
        match trial.number(5) {
            0 => pool.mk(Op::Not, &parts[..1]),
            1 => pool.mk(Op::Ite, &parts),
            2 => pool.mk(Op::Or, &parts[..2]),
            3 => pool.mk(Op::Xor, &parts[..2]),
            _ => pool.mk(Op::And, &parts[..2]),
        }
    }

    #[test]
    fn functions_of_signs_mean_what_they_did() {
        let changed = check(run, 6000, |pool, trial| {
            let (a, b) =
                (trial.symbol(), if trial.chance(2) { trial.symbol() } else { trial.constant(pool) });
            let difference = pool.mk(Op::BvSub, &[a, b]);
            let bits = [a, b, difference].map(|word| sign(pool, word));
            let stated = function(pool, trial, &bits, 2);
            let sum = trial.sum(pool, 1);
            let below = pool.mk(Op::BvUlt, &[sum, difference]);
            vec![pool.mk(Op::Or, &[stated, below])]
        });
        assert!(changed > 300, "{changed} changed: too easy");
    }

    #[test]
    fn carries_and_borrows_mean_what_they_did() {
        let changed = check(run, 600, |pool, trial| {
            let [a, b] = [(); 2].map(|()| {
                let word = if trial.chance(4) { trial.constant(pool) } else { trial.symbol() };
                let word = if trial.chance(3) { pool.mk(Op::BvNot, &[word]) } else { word };
                let top = pool.bv_u64(trial.number(2), 1);
                pool.mk(Op::Concat, &[top, word])
            });
            let sum = pool.mk([Op::BvAdd, Op::BvSub][trial.number(2) as usize], &[a, b]);
            let (carry, other) = (sign(pool, sum), trial.comparison(pool));
            vec![pool.mk(Op::Xor, &[carry, other])]
        });
        assert!(changed > 300, "{changed} changed: too easy");
    }

    #[test]
    fn flags_of_processors_are_comparisons() {
        let mut pool = Pool::new();
        let word = bivalve_terms::Sort::bitvec(8).expect("a legal width");
        let (a, b) = (pool.symbol("a", word), pool.symbol("b", word));
        let difference = pool.mk(Op::BvSub, &[a, b]);
        let [signs, overflow] = [(a, b), (a, difference)].map(|(p, q)| pool.mk(Op::BvXor, &[p, q]));
        let overflow = pool.mk(Op::BvAnd, &[signs, overflow]);
        let borrow = pool.mk(Op::BvXor, &[signs, difference]);
        let borrow = pool.mk(Op::BvXor, &[borrow, overflow]);
        let [sign, overflow, borrow] = [difference, overflow, borrow].map(|word| sign(&mut pool, word));
        let less = pool.mk(Op::Xor, &[sign, overflow]);
        for (flags, op) in [(less, Op::BvSlt), (borrow, Op::BvUlt)] {
            let mut rewriter = bivalve_rewrite::Rewriter::new(bivalve_rewrite::Level::Local);
            let flags = rewriter.rewrite(&mut pool, flags);
            let found = crate::passes::tests::alone(run, &mut pool, &[flags]).expect("it changes");
            assert_eq!(found, [pool.mk(op, &[a, b])]);
        }
    }
}
