//! Bit polynomials: words whose bits are the same polynomials modulo 2 become one word.
//!
//! A bit is a sum modulo 2 of products of other bits, and that sum is unique (Zhegalkin 1927): exclusive or
//! adds, conjunction multiplies, `(ite c a b)` is `c (a + b) + b`; slices, concatenations and shifts by
//! constants only move bits. Bits of symbols, of sums, products and whatever else is not bitwise are the
//! variables. So what ciphers and codes compute in two ways, by tables of masks or by shifts, forwards and
//! back, is the same vector of polynomials, and the later term is replaced by the earlier one. Terms above it
//! are rewritten at once, so that `(a + b) - b`, where that was hidden by rotations, is `a` for what follows.
//! An equation one of whose bits can never agree is false.
//!
//! Exclusive ors some of whose operands cancel become those of what is left, in one order, if there are not
//! more of them then: the syndromes of an error-correcting code do not depend on the data.
//!
//! SAT solvers need exponential proofs for parities; here the inverse of a column of AES and the laws of its
//! field (not in 6 s before) are decided in 0.01 s.
//!
//! Cost: [`BUDGET`] operations on monomials, for terms with exclusive ors in them. A product or sum with
//! more than [`MOST_MONOMIALS`] of them is a variable, the same for the same operands.

mod forms;
#[cfg(test)]
mod tests;

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::{Level, Rewriter, make};
use bivalve_terms::{BitVec, Op, Pool, Term, TermMap, TermSet};
use forms::{Form, Forms, ONE, ZERO};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Operations on monomials in one run.
const BUDGET: u64 = 1 << 20;

/// Longer polynomials are variables.
const MOST_MONOMIALS: usize = 512;

/// More operands that are left of an exclusive or are not put in order.
const MOST_OPERANDS: usize = 256;

/// Formulas with fewer exclusive ors are left alone.
const FEWEST_SUMS: usize = 2;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let sums = problem.cone(pool).iter().filter(|&&term| pool.op(term) == Op::BvXor).count();
    if sums < FEWEST_SUMS {
        return None;
    }
    let mut found = simplified(pool, problem, true)?;
    if found.has_cancelled {
        let before = exclusive_ors(pool, problem.cone(pool).iter().copied());
        let after = problem.changed(pool, &found.changes)?;
        let after = problem.cone_of(pool, &after);
        if exclusive_ors(pool, after.iter()) > before {
            found = simplified(pool, problem, false)?;
        }
    }
    found.is_changed.then_some(found.changes)
}

/// The exclusive ors of bits among some terms.
fn exclusive_ors(pool: &Pool, terms: impl Iterator<Item = Term>) -> u64 {
    let sums = terms.filter(|&term| pool.op(term) == Op::BvXor);
    sums.map(|sum| u64::from(pool.width(sum).unwrap_or(1)) * (pool.args(sum).len() as u64 - 1)).sum()
}

/// Words of one form, as one word, and what rewriting makes of the terms above.
struct Found {
    changes: Vec<Change>,
    is_changed: bool,
    has_cancelled: bool,
}

/// Makes words of one form one word, and leaves out operands of exclusive ors that cancel, if it may. `None`
/// when the deadline is over.
fn simplified(pool: &mut Pool, problem: &Problem<'_>, cancels: bool) -> Option<Found> {
    let mut words = Words { forms: Forms::new(BUDGET, MOST_MONOMIALS), cancels, ..Words::default() };
    let mut rewriter: Option<Rewriter> = None;
    let mut is_changed = false;
    let changes = problem.rebuilt(pool, &Reason::Unshown, |pool, term, rebuilt| {
        let image = match rebuilt == term {
            true => term,
            false => {
                let rewriter = rewriter.get_or_insert_with(|| Rewriter::new(Level::Local));
                rewriter.rewrite_within(pool, rebuilt, problem.deadline)
            }
        };
        if !words.has_sums(pool, image) {
            return Some(image);
        }
        let simplest = words.simplest(pool, problem, image);
        is_changed |= simplest != image;
        Some(simplest)
    })?;
    Some(Found { changes, is_changed, has_cancelled: words.has_cancelled })
}

/// The bits of words and conditions, least significant first.
#[derive(Default)]
struct Words {
    forms: Forms,
    bits: TermMap<Rc<[Form]>>,
    /// The first term with these bits; whether it is a condition.
    terms: FxHashMap<(bool, Rc<[Form]>), Term>,
    /// Exclusive ors, and what bitwise operators make of them.
    sums: TermSet,
    /// By variable: the word and the place of the bit that it is.
    leaves: FxHashMap<u32, (Term, u32)>,
    /// Whether operands of exclusive ors may cancel, and whether some have.
    cancels: bool,
    has_cancelled: bool,
}

impl Words {
    /// Whether an exclusive or is at the head of the term, or below bitwise operators that are.
    fn has_sums(&mut self, pool: &Pool, term: Term) -> bool {
        let mut args = pool.args(term).iter();
        let has = match pool.op(term) {
            Op::BvXor | Op::Xor => true,
            Op::Eq => args.any(|&arg| self.sums.contains(arg)),
            // Rewriting has made the latter, maybe.
            _ => {
                is_bitwise(pool, term)
                    && args.any(|&arg| self.sums.contains(arg) || pool.op(arg) == Op::BvXor)
            }
        };
        if has {
            self.sums.insert(term);
        }
        has
    }

    /// A term that was seen and has the same bits, or the term itself.
    fn simplest(&mut self, pool: &mut Pool, problem: &Problem<'_>, term: Term) -> Term {
        if self.is_never(pool, problem, term) {
            return pool.bool(false);
        }
        if !is_bitwise(pool, term) || problem.is_frozen(term) {
            return term;
        }
        let Some(bits) = self.bits(pool, problem, term) else { return term };
        if bits.iter().all(|&form| form == ZERO || form == ONE) {
            return match pool.width(term) {
                None => pool.bool(bits[0] == ONE),
                Some(width) => pool.bitvec(&BitVec::from_fn(width, |place| bits[place as usize] == ONE)),
            };
        }
        let known = self.terms.get(&(pool.sort(term).is_bool(), Rc::clone(&bits))).copied().unwrap_or(term);
        if known != term || !self.cancels {
            return known;
        }
        let Some(sum) = self.cancelled(pool, term, &bits) else { return term };
        self.has_cancelled = true;
        self.terms.insert((false, Rc::clone(&bits)), sum);
        self.bits.insert(sum, bits);
        sum
    }

    /// An exclusive or, or the complement of one, over what is left of its operands, if some cancel and what
    /// is left are words, or bits of words.
    fn cancelled(&mut self, pool: &mut Pool, term: Term, bits: &[Form]) -> Option<Term> {
        let sum = if pool.op(term) == Op::BvNot { pool.args(term)[0] } else { term };
        if pool.op(sum) != Op::BvXor {
            return None;
        }
        let operands = pool.args(sum).iter().filter_map(|&operand| self.bits.get(operand));
        let operands: usize = operands.map(|bits| self.forms.len(bits[0])).sum();
        if self.forms.len(bits[0]) >= operands.min(MOST_OPERANDS) {
            return None;
        }
        let (variables, is_odd) = self.forms.linear(bits[0])?;
        let leaves: Option<Vec<(Term, u32)>> =
            variables.iter().map(|variable| self.leaves.get(variable).copied()).collect();
        let leaves = leaves?;
        for (place, &bit) in bits.iter().enumerate().skip(1) {
            let (variables, odd) = self.forms.linear(bit)?;
            let is_next = |(variable, leaf): (&u32, &(Term, u32))| {
                self.leaves.get(variable) == Some(&(leaf.0, leaf.1 + place as u32))
            };
            if odd != is_odd || variables.len() != leaves.len() || !variables.iter().zip(&leaves).all(is_next)
            {
                return None;
            }
        }
        let width = bits.len() as u32;
        let mut sum: Option<Term> = None;
        for (leaf, place) in leaves {
            let word = make::indexed(pool, Op::Extract, &[place + width - 1, place], &[leaf]);
            sum = Some(sum.map_or(word, |sum| make::app(pool, Op::BvXor, &[sum, word])));
        }
        let sum = sum?;
        Some(if is_odd { make::app(pool, Op::BvNot, &[sum]) } else { sum })
    }

    /// Whether the term is an equation of words with a bit in which they always differ.
    fn is_never(&mut self, pool: &Pool, problem: &Problem<'_>, term: Term) -> bool {
        let (Op::Eq, &[a, b]) = (pool.op(term), pool.args(term)) else { return false };
        if !pool.sort(a).is_bitvec() || ![a, b].iter().any(|&side| is_bitwise(pool, side)) {
            return false;
        }
        let (Some(a), Some(b)) = (self.bits(pool, problem, a), self.bits(pool, problem, b)) else {
            return false;
        };
        a.iter().zip(b.iter()).any(|(&a, &b)| self.forms.sum(a, b) == Some(ONE))
    }

    /// The bits of a term, and of what it is made of; `None` if there are no steps left.
    fn bits(&mut self, pool: &Pool, problem: &Problem<'_>, root: Term) -> Option<Rc<[Form]>> {
        let mut todo = vec![root];
        while let Some(&term) = todo.last() {
            if self.bits.contains(term) {
                todo.pop();
                continue;
            }
            let inner = is_bitwise(pool, term) && !problem.is_frozen(term);
            let before = todo.len();
            if inner {
                todo.extend(pool.args(term).iter().filter(|&&arg| !self.bits.contains(arg)));
            }
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let bits: Rc<[Form]> = match inner {
                true => self.made(pool, term)?.into(),
                false => self.leaf(pool, term)?.into(),
            };
            let is_bool = pool.sort(term).is_bool();
            self.terms.entry((is_bool, Rc::clone(&bits))).or_insert(term);
            self.bits.insert(term, bits);
        }
        self.bits.get(root).cloned()
    }

    /// The bits of a constant, or new variables.
    fn leaf(&mut self, pool: &Pool, term: Term) -> Option<Vec<Form>> {
        let constant = |bit: bool| if bit { ONE } else { ZERO };
        if let Some(value) = pool.as_bitvec(term) {
            return Some((0..value.width()).map(|place| constant(value.bit(place))).collect());
        }
        if let Some(value) = pool.as_bool(term) {
            return Some(vec![constant(value)]);
        }
        let is_word = pool.sort(term).is_bitvec();
        let bit = |place: u32| {
            let form = self.forms.variable()?;
            if is_word {
                self.leaves.insert(self.forms.last_variable(), (term, place));
            }
            Some(form)
        };
        (0..pool.width(term).unwrap_or(1)).map(bit).collect()
    }

    /// The bits of a bitwise term from those of its arguments.
    fn made(&mut self, pool: &Pool, term: Term) -> Option<Vec<Form>> {
        let args: Vec<Rc<[Form]>> = pool
            .args(term)
            .iter()
            .map(|&arg| Rc::clone(self.bits.get(arg).expect("arguments come first")))
            .collect();
        let forms = &mut self.forms;
        forms.spend(pool.width(term).unwrap_or(1) as usize)?;
        let indices = pool.indices(term);
        let first = &args[0];
        Some(match pool.op(term) {
            Op::Not | Op::BvNot => first.iter().map(|&bit| forms.sum(bit, ONE)).collect::<Option<_>>()?,
            Op::BvXor | Op::Xor => fold(&args, |a, b| forms.sum(a, b))?,
            Op::BvAnd => fold(&args, |a, b| forms.product(a, b))?,
            Op::BvOr => fold(&args, |a, b| forms.any(a, b))?,
            Op::Eq => {
                let sum = forms.sum(args[0][0], args[1][0])?;
                vec![forms.sum(sum, ONE)?]
            }
            Op::Ite => {
                let condition = first[0];
                let branches = args[1].iter().zip(args[2].iter());
                branches.map(|(&a, &b)| forms.choice(condition, a, b)).collect::<Option<_>>()?
            }
            Op::Concat => args.iter().rev().flat_map(|arg| arg.iter().copied()).collect(),
            Op::Extract => first[indices[1] as usize..=indices[0] as usize].to_vec(),
            Op::ZeroExtend => first.iter().copied().chain((0..indices[0]).map(|_| ZERO)).collect(),
            Op::SignExtend => {
                let sign = *first.last().expect("words have a bit");
                first.iter().copied().chain((0..indices[0]).map(|_| sign)).collect()
            }
            _ => unreachable!("not bitwise"),
        })
    }
}

/// The bits of an operator that joins several words bit by bit.
fn fold(args: &[Rc<[Form]>], mut join: impl FnMut(Form, Form) -> Option<Form>) -> Option<Vec<Form>> {
    let (first, others) = args.split_first().expect("operators have arguments");
    let mut bits = first.to_vec();
    for other in others {
        for (bit, &with) in bits.iter_mut().zip(other.iter()) {
            *bit = join(*bit, with)?;
        }
    }
    Some(bits)
}

/// Whether the bits of the term are polynomials of bits of its arguments that are looked at.
fn is_bitwise(pool: &Pool, term: Term) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::BvXor | Op::BvAnd | Op::BvOr | Op::BvNot => true,
        Op::Concat | Op::Extract | Op::ZeroExtend | Op::SignExtend => true,
        Op::Not | Op::Xor => true,
        Op::Ite => pool.sort(term).is_bitvec(),
        Op::Eq => args.len() == 2 && (pool.sort(args[0]).is_bool() || pool.width(args[0]) == Some(1)),
        _ => false,
    }
}
